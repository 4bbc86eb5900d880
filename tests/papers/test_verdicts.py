"""Verdicts: a closed list, by rules that read rows; and the eighteen figures and tables that they are for."""

import itertools

import pytest

from boltzcore.papers import claims, exhibits, stored, table_claims
from boltzcore.papers.conditional import TASKS
from boltzcore.papers.exhibits import EXHIBITS, judged
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
ELSEWHERE = Check("main", True, "ours", is_main=True, study="b")


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
    assert verdict(checks, ["b"]).verdict == expected


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
        assert all(check.claim and check.evidence for check in found.checks)


def test_a_training_that_has_diverged_is_below_all_others():
    values = {"CD": -90.0, "PCD": -91.0, "CG": -92.0, "CS-DCP": -80.0, "SSD": None}
    rows = [{"training": name, claims.AIS: value} for name, value in values.items()]
    for check in claims.spectral({"dcp-spectral": rows}):
        assert not check.holds
        assert "SSD -inf" in check.evidence


def grown(rows):
    """Rows of figure 1 of paper 3 with intervals of one nat to either side."""
    return [
        {"data": "mnist", "method": method, "units": units, "risen": units == 450, "test_low": low, "test_high": high}
        for method, value in rows.items()
        for units in (20, 450)
        for low, high in [(None, None) if value is None else (value + units - 1, value + units + 1)]
    ]


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
    rows = grown({"FW": -100.0, "CD from FW": -80.0, "CD from random": -90.0} | values)
    gain, units = claims.units({"fw-figure-1": rows})
    assert not units.holds  # of the silhouettes there are none
    assert gain.holds == better


def test_who_is_first_at_90_percent_is_judged_by_the_largest_climb():
    ends = {"CD": (-200.0, -130.0), "CG": (-105.0, -100.0), "CS-DCP": (-111.0, -100.0)}
    rows = [
        {"training": name, "epoch": epoch, claims.AIS: value}
        for name, (middle, last) in ends.items()
        for epoch, value in ((1, -210.0), (10, middle), (20, last))
    ]
    first, _ = claims.mnist({"dcp-mnist": rows})
    assert first.evidence == "CS-DCP -10 against CG -10"
    assert not first.holds


@pytest.mark.parametrize(("share", "holds"), [([80, 40, 30, 51], 1), ([80, 60, 51, 55], 2), ([60, 61, 62, 63], 1)])
def test_belief_propagation_converges_on_a_majority_from_epoch_3_on(share, holds):
    found = table_claims.convergence({"crbm-occlusion-8": [{"method": "MLE-BP", "converged": share}]})
    assert sum(check.holds for check in found) == holds


def test_an_exhibit_without_stored_rows_is_undecided(monkeypatch):
    monkeypatch.setattr(exhibits.stored, "results", lambda name: {})
    assert {judged(each).verdict for each in EXHIBITS} == {UNDECIDED}


def test_a_paper_that_is_matched_is_told_from_one_that_is_not():
    """The tables of paper 5 judged by the paper's own numbers, and by those turned round."""
    errors = TASKS["crbm-noise-10"].errors
    exact = [{"method": method, **{figure: of[method] for figure, of in errors.items()}} for method in errors["all"]]

    def judged_at(times):
        rows = [row | {"all": times * row["all"], "changed": times * row["changed"]} for row in exact]
        return verdict(table_claims.wrong_pixels({"crbm-noise-10": rows})).verdict

    assert [judged_at(times) for times in (1, 0.5, 2, -1)] == [REPRODUCED, BETTER, IN_PART, NOT_REPRODUCED]
