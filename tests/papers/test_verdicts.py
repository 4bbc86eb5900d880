"""Verdicts: a closed list, by rules that read rows; and the eighteen figures and tables that they are for."""

import dataclasses
import itertools
import re

import pytest

from boltzcore.papers import STUDIES, claims, exhibits, stored, table_claims
from boltzcore.papers.conditional import TASKS
from boltzcore.papers.exhibits import EXHIBITS, judge_exhibit, whole_results
from boltzcore.papers.verdicts import (
    BETTER,
    IN_PART,
    NOT_REPRODUCED,
    REPRODUCED,
    UNDECIDED,
    VERDICTS,
    Check,
    above,
    alike,
    near,
    positive,
    verdict,
)

MAIN, NOT_MAIN = Check("main", True, "ours", is_main=True, study="a"), Check("main", False, "ours", True, study="a")
OTHER, NOT_OTHER = Check("other", True, "ours", study="a"), Check("other", False, "ours", study="a")
LOWER = Check("numbers", False, "ours", is_better=True, study="a")
ELSEWHERE = Check("elsewhere", True, "ours", is_main=True, study="b")


@pytest.mark.parametrize(
    ("checks", "expected"),
    [
        ([MAIN, OTHER], REPRODUCED),
        ([MAIN, LOWER], BETTER),
        ([MAIN, LOWER, NOT_OTHER], IN_PART),
        ([MAIN, NOT_MAIN], IN_PART),
        ([NOT_MAIN, OTHER], NOT_REPRODUCED),
        ([NOT_MAIN, LOWER], NOT_REPRODUCED),
        ([MAIN, ELSEWHERE], IN_PART),
        ([NOT_MAIN, ELSEWHERE], NOT_REPRODUCED),
        ([ELSEWHERE], UNDECIDED),
        ([OTHER, ELSEWHERE], UNDECIDED),
    ],
)
def test_the_main_claim_decides_at_the_scale_of_the_paper(checks, expected):
    """Study b was made at a smaller scale."""
    found = verdict(checks, ["b"])
    assert found.verdict == expected
    assert expected != IN_PART or all(check.claim in found.reason for check in checks if check.is_main)


def test_numbers_are_near_within_a_share_and_order_and_likeness_count_all_values():
    for ours, holds, better in ((10.9, True, False), (11.1, False, False), (8.0, False, True), (None, False, False)):
        found = near("x", {"a": ours}, {"a": 10.0}, 0.1, are_errors=True)
        assert (found.holds, found.is_better) == (holds, better)
        assert not near("x", {"a": ours}, {"a": 10.0}, 0.1).is_better  # less of what is no error is not better
    for better, holds in (({"a": 2.0, "b": 3.0}, True), ({"a": 2.0, "b": 1.0}, False), ({}, False)):
        assert above("x", better | {"c": 1.9}, ("a", "b"), ("c",)).holds == holds
        assert positive("x", {name: value - 1.9 for name, value in better.items()}).holds == holds
    assert alike("x", {"a": 1.0, "b": 2.0}, 1.0).holds
    assert not alike("x", {"a": 1.0, "b": 2.1}, 1.0).holds


@pytest.mark.parametrize("exhibit", EXHIBITS, ids=lambda each: f"{each.paper} {each.label}")
def test_every_whole_result_is_judged_at_whatever_scale(exhibit):
    """Each study of an exhibit at each scale of which a whole result is stored, whichever the page shows."""
    of = {
        name: [result.rows for result in stored.results(name).values() if result.finished] for name in exhibit.studies
    }
    for rows in itertools.product(*of.values()):
        found = verdict(exhibit.checks(dict(zip(of, rows, strict=True))))
        assert found.verdict in VERDICTS
        assert all(check.claim and check.evidence and (check.study or len(of) == 1) for check in found.checks)


def test_ssd_is_judged_before_it_diverges_and_below_all_others_if_it_always_has():
    others = {"CD": -90.0, "PCD": -91.0, "CG": -92.0, "S-DCP": -89.0, "CS-DCP": -80.0}
    of = {name: (end - 60, end, end) for name, end in others.items()}
    for ssd, held in (((-120, -80.5, None), (1, 1, 1)), ((-81, -80.5, None), (1, 1, 0)), ((None,) * 3, (0, 0, 0))):
        rows = [
            {"training": name, "epoch": epoch, claims.AIS: value}
            for name, values in (of | {"SSD": ssd}).items()
            for epoch, value in zip((1, 10, 20), values, strict=True)
        ]
        assert tuple(check.holds for check in claims.spectral({"dcp-spectral": rows})) == held


def test_batches_are_compared_after_as_many_updates():
    rows = [("S-DCP 100", 1, -90.0), ("S-DCP 500", 5, -91.0), ("S-DCP 200", 5, -80.0)]
    found = claims.compare_by_updates([{"training": name, "epoch": at, claims.AIS: value} for name, at, value in rows])
    assert re.findall(r"[\d−]+", found) == ["10", "1", "600", "−91", "−90"]


@pytest.mark.parametrize(
    ("values", "better"),
    [
        ({"CD from FW": -88.1}, False),  # within the intervals of the random start
        ({"CD from FW": -87.9}, True),
        ({"CD from FW": None}, False),
        ({"CD from random": None}, False),
    ],
)
def test_a_gain_is_outside_both_intervals_and_of_finite_values(values, better):
    """With intervals of one nat to either side."""
    rows = [
        {"data": "mnist", "method": method, "units": units, "risen": units == 450, "test_low": low, "test_high": high}
        for method, value in ({"FW": -100.0, "CD from FW": -80.0, "CD from random": -90.0} | values).items()
        for units in (20, 450)
        for low, high in [(None, None) if value is None else (value + units - 1, value + units + 1)]
    ]
    gain, units = claims.units({"fw-figure-1": rows})
    assert units.holds  # near the paper's 460
    assert gain.holds == better


@pytest.mark.parametrize(
    ("cg", "cs_dcp", "cd", "held"),
    [
        ((-205.0, -195.0, -101.0), (-130.0, -102.0, -100.0), -101.5, (True, True, True)),
        ((-105.0, -102.0, -101.0), (-111.0, -102.0, -100.0), -101.5, (False, True, False)),  # CG sooner
        ((-205.0, -195.0, -101.0), (-130.0, -102.0, -100.0), -130.0, (True, False, True)),  # not alike
        ((-205.0, -195.0, -120.0), (-130.0, -102.0, -100.0), -101.5, (True, False, True)),  # CG lower
        ((-205.0, -195.0, None), (-130.0, -102.0, -100.0), -101.5, (True, False, False)),  # CG diverged
    ],
)
def test_figure_3_is_judged_by_when_90_percent_of_each_climb_is_reached_and_by_the_ends(cg, cs_dcp, cd, held):
    """At epochs 10, 100 and 200, from -210 at the first."""
    values = {"CG": cg, "CS-DCP": cs_dcp, "CD": (-208.0, -150.0, cd)}
    rows = [
        {"training": name, "epoch": epoch, claims.AIS: value}
        for name, of in values.items()
        for epoch, value in zip((1, 10, 100, 200), (-210.0, *of), strict=True)
    ]
    assert tuple(check.holds for check in claims.mnist({"dcp-mnist": rows})) == held


@pytest.mark.parametrize(("gap", "spread", "holds"), [(-0.02, 0.005, 1), (0.02, 0.005, 0), (-0.002, 0.02, 0)])
def test_mle_bp_is_ahead_where_the_interval_of_eight_pairs_is_below_0(gap, spread, holds):
    rows = [
        {"seed": seed, "method": method, "all": 1.7 + seed / 10 + (gap + spread * (-1) ** seed) * (method == "MLE-BP")}
        for seed in range(8)
        for method in ("MLE-BP", "MSSVM")
    ]
    assert table_claims.pairs(rows).holds == holds


def test_an_experiment_beside_an_exhibit_stands_with_the_verdict_and_decides_nothing(monkeypatch):
    (table,) = (each for each in EXHIBITS if each.experiments.keys() >= {"crbm-seeds"})
    before, result = judge_exhibit(table), stored.load("crbm-noise-10", "paper")
    rows = tuple({"seed": seed, "method": name, "all": 1 + seed} for seed in range(8) for name in ("MLE-BP", "MSSVM"))
    seeds = dataclasses.replace(result, study="crbm-seeds", rows=rows)
    of = stored.results
    monkeypatch.setattr(stored, "results", lambda name: {"paper": seeds} if name == "crbm-seeds" else of(name))
    found = judge_exhibit(table)
    assert (found.verdict, found.checks) == (before.verdict, before.checks)
    assert found.experiments.keys() == before.experiments.keys() | {"crbm-seeds"}
    assert found.cause == found.experiments["crbm-seeds"]


def test_a_verdict_on_one_trial_of_ten_names_it():
    for each in EXHIBITS:
        found = judge_exhibit(each)
        scales = {name: result.scale for name, result in whole_results(each.studies).items()}
        one = any(STUDIES[name].full.get(scale) for name, scale in scales.items())
        assert bool(found.caveat) == (one and found.verdict != UNDECIDED)
        assert found.caveat in found.title


@pytest.mark.parametrize(("share", "holds"), [([80, 40, 30, 51], 1), ([80, 60, 51, 55], 2), ([60, 61, 62, 63], 1)])
def test_belief_propagation_converges_on_a_majority_from_epoch_3_on(share, holds):
    found = table_claims.convergence({"crbm-occlusion-8": [{"method": "MLE-BP", "converged": share}]})
    assert sum(check.holds for check in found) == holds


def test_an_exhibit_without_stored_rows_is_undecided(monkeypatch):
    monkeypatch.setattr(exhibits.stored, "results", lambda name: {})
    assert {judge_exhibit(each).verdict for each in EXHIBITS} == {UNDECIDED}


def test_a_paper_that_is_matched_is_distinguished_from_one_that_is_not():
    """The tables of paper 5 judged by the paper's own numbers, and by those turned round."""
    errors = TASKS["crbm-noise-10"].errors
    exact = [{"method": method, **{figure: of[method] for figure, of in errors.items()}} for method in errors["all"]]

    def judged_at(times):
        rows = [row | {"all": times * row["all"], "changed": times * row["changed"]} for row in exact]
        return verdict(table_claims.wrong_pixels({"crbm-noise-10": rows})).verdict

    off = table_claims.distance({"study": "crbm-noise-10", "all": 1.1 * 1.96, "changed": 0.7 * 12.531})
    assert off == pytest.approx(20)
    assert [judged_at(times) for times in (1, 0.5, 2, -1)] == [REPRODUCED, BETTER, IN_PART, NOT_REPRODUCED]
