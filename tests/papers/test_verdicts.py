"""Verdicts: a closed list, by rules that read rows; and the eighteen figures and tables that they are for."""

import itertools

import pytest

from boltzcore.papers import STUDIES, claims, conditional_tasks, exhibits, stored
from boltzcore.papers.exhibits import EXHIBITS, PAPERS, judged
from boltzcore.papers.verdicts import (
    DIFFERS,
    NOT_ATTEMPTED,
    NUMBERS,
    ORDER,
    SHAPE,
    VERDICTS,
    Check,
    above,
    alike,
    near,
    verdict,
)


def check(grade, holds):
    return Check(grade, "a claim", holds, "numbers")


@pytest.mark.parametrize(
    ("checks", "expected"),
    [
        ([check(NUMBERS, True), check(ORDER, False)], NUMBERS),
        ([check(NUMBERS, False), check(ORDER, True), check(SHAPE, True)], ORDER),
        ([check(ORDER, True), check(ORDER, False), check(SHAPE, True)], SHAPE),
        ([check(NUMBERS, False), check(SHAPE, False)], DIFFERS),
    ],
)
def test_the_strictest_grade_all_of_whose_checks_hold_is_given(checks, expected):
    assert verdict(checks).verdict == expected


def test_numbers_are_near_within_the_stated_share():
    assert near("x", {"a": 10.9}, {"a": 10.0}, 0.1).holds
    assert not near("x", {"a": 11.1}, {"a": 10.0}, 0.1).holds
    missing = near("x", {"a": None}, {"a": 1.0}, 0.1)
    assert not missing.holds
    assert "none (paper 1)" in missing.evidence


def test_order_and_likeness_count_all_values():
    assert above(ORDER, "x", {"a": 2.0, "b": 3.0}, {"c": 1.9}).holds
    assert not above(ORDER, "x", {"a": 2.0, "b": 1.0}, {"c": 1.9}).holds
    assert not above(ORDER, "x", {}, {"c": 1.9}).holds
    assert alike(SHAPE, "x", {"a": 1.0, "b": 2.0}, 1.0).holds
    assert not alike(SHAPE, "x", {"a": 1.0, "b": 2.1}, 1.0).holds


def test_there_are_eighteen_of_five_papers():
    assert [sum(each.paper == paper for each in EXHIBITS) for paper in PAPERS] == [1, 8, 2, 2, 5]
    assert {name for each in EXHIBITS for name in each.studies} <= STUDIES.keys()


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


@pytest.mark.parametrize("lacking", ["CD from FW", "CD from random", "FW"])
def test_what_has_no_finite_value_shows_no_gain(lacking):
    values = {"FW": -100.0, "CD from FW": -80.0, "CD from random": -90.0} | {lacking: None}
    _, order, shape = claims.units({"fw-figure-1": grown(values)})
    assert (order.holds, shape.holds) == (lacking == "FW", lacking != "FW")


@pytest.mark.parametrize(("ahead", "holds"), [(1.9, False), (2.1, True)])
def test_an_order_within_the_intervals_is_none(ahead, holds):
    rows = grown({"FW": -100.0, "CD from FW": -90.0 + ahead, "CD from random": -90.0})
    units, order, _ = claims.units({"fw-figure-1": rows})
    assert order.holds == holds
    assert not units.holds  # of the silhouettes there are none
    assert "mnist: 450 (paper 460); caltech101: none" in units.evidence


@pytest.mark.parametrize(
    ("seconds", "holds"),
    [
        ({"FL": 2.0, "BM-DI": 3.0, "BM-PCD": 1.0}, [True, True, True]),
        ({"FL": 1.0, "BM-DI": 3.0, "BM-PCD": 2.0}, [False, True, True]),
        ({"FL": 3.0, "BM-DI": 1.0, "BM-PCD": 2.0}, [False, False, True]),
    ],
)
def test_the_time_of_each_machine_is_judged(seconds, holds):
    rows = [{"data": name, "model": model, "seconds": [took]} for name in "abcdef" for model, took in seconds.items()]
    assert [check.holds for check in claims.cpu_time({"fsll-table-1": rows})] == holds


def test_who_is_first_at_90_percent_is_judged_by_the_largest_climb():
    ends = {"CD": (-200.0, -130.0), "CG": (-105.0, -100.0), "CS-DCP": (-111.0, -100.0)}
    rows = [
        {"training": name, "epoch": epoch, claims.AIS: value}
        for name, (middle, last) in ends.items()
        for epoch, value in ((1, -210.0), (10, middle), (20, last))
    ]
    _, order, _ = claims.mnist({"dcp-mnist": rows})
    assert order.evidence == "CS-DCP -10; beside CG -10"
    assert not order.holds


def test_what_is_not_stored_is_not_attempted(monkeypatch):
    monkeypatch.setattr(exhibits.stored, "results", lambda name: {})
    assert {judged(each)[0].verdict for each in EXHIBITS} == {NOT_ATTEMPTED}


def test_a_paper_that_is_matched_is_told_from_one_that_is_not():
    """The tables of paper 5 judged by the paper's own numbers, and by those turned round."""
    task = conditional_tasks.TASKS["crbm-noise-10"]
    exact = [{"method": method, "all": both, "changed": changed} for method, (both, changed) in task.reported.items()]
    checks = claims.wrong_pixels("crbm-noise-10")

    def judged_at(times):
        rows = [row | {"all": times * row["all"], "changed": times * row["changed"]} for row in exact]
        return verdict(checks({"crbm-noise-10": rows})).verdict

    assert [judged_at(times) for times in (1, 2, -1)] == [NUMBERS, ORDER, DIFFERS]
