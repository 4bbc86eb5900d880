"""What came out of the open questions, said from any rows of their studies."""

import pytest

from boltzcore.papers import stored
from boltzcore.papers.beside import beside
from boltzcore.papers.exhibits import PAPERS
from boltzcore.papers.findings import FINDINGS
from boltzcore.papers.pseudo_likelihood import REPORTED
from pages.common.words import MOST


def said(name, rows):
    return " ".join(FINDINGS[name](rows))


@pytest.mark.parametrize("name", FINDINGS)
def test_every_stored_result_is_told_in_sentences_that_fit(name):
    for result in stored.results(name).values():
        sentences = list(FINDINGS[name](result.rows))
        assert sentences
        assert all(sentence.endswith(".") and len(sentence) <= MOST for sentence in sentences)


def test_each_is_of_a_study_beside_the_exhibits():
    assert FINDINGS.keys() <= {name for paper in PAPERS for name in beside(paper)}


def test_errors_are_compared_with_the_papers_as_they_are_and_divided():
    rows = [{"d": 5, "mse": 75 * REPORTED[5]}, {"d": 5, "mse": 1.0}, {"d": 5}, {"d": 5, "mse": 0.0}]
    text = said("bslm-couplings", rows)
    assert "are 75 to 75 times the paper's. Divided" in text
    assert text.endswith("they are 1 to 1 times the paper's.")


def test_who_leads_by_the_median_is_told_for_each_rate():
    def row(rate, learner, mean, median):
        return {"rate": rate, "learner": learner, "mean": [0.0, mean], "median": [0.0, median]}

    ends = {"CD": -2.4, "PCD": -2.5, "CG": -2.3}
    rows = [row(0.3, name, end, end) for name, end in ends.items()]
    rows += [row(0.3, "S-DCP", -2.6, -2.2), row(0.3, "CS-DCP", -2.2, -2.31)]
    rows += [row(0.5, name, end, end) for name, end in (ends | {"S-DCP": -2.4, "CS-DCP": -2.3}).items()]
    rows += [row(0.7, name, end, end) for name, end in (ends | {"S-DCP": -2.2, "CS-DCP": -2.1}).items()]
    first, second, third = FINDINGS["dcp-chains"](rows)
    assert third.endswith("by the median S-DCP and CS-DCP lead CD, PCD and CG.")
    assert first.startswith("At rate 0.3 the means end at CS-DCP −2.20, CG −2.30, CD −2.40")
    assert first.endswith("by the median S-DCP leads CD, PCD and CG.")
    assert second.endswith("by the median neither S-DCP nor CS-DCP leads CD, PCD and CG.")


def test_starts_are_apart_only_where_their_intervals_are():
    def rows(mine):
        other = [("random, biases at the base rate", -150.0), ("random, biases 0", -151.0)]
        return [
            {"start": start, "test": at, "test_low": at - 1, "test_high": at + 1, "validation": at}
            for start, at in [("from FW", mine), *other]
        ]

    assert said("fw-starts", rows(-148.5)).endswith("overlap.")
    assert said("fw-starts", rows(-147.5)).endswith("CD from Frank-Wolfe is 2.50 nats above the better random start.")
    assert said("fw-starts", rows(-153.0)).endswith("CD from Frank-Wolfe is 3.00 nats below the better random start.")


def test_of_candidates_the_try_with_the_best_validation_rows_counts():
    title = "mnist, 10 % of pixels flipped"
    rows = [{"task": title, "method": "nothing done", "all": 10.0, "changed": 100.0}]
    for kind, tried in {"rounded": ((2.0, 3.0), (2.5, 2.9)), "sampled": ((3.5, 3.0),)}.items():
        rows += [{"task": title, "method": kind, "all": a, "changed": 20.0, "validation_all": v} for a, v in tried]
    text = said("crbm-percloss", rows)
    assert (
        "rounded candidates 2.500 and 20.00; sampled candidates 3.500 and 20.00; doing nothing 10.000 and 100" in text
    )
    assert text.endswith("the paper 1.760 and 11.12.")


def test_the_lead_is_told_of_each_setting():
    rows = [
        {"noise": noise, "input_weight": 4.0, "method": method, "all": value}
        for noise, pair in {"once": (2.0, 2.1), "each epoch": (2.0, 1.95)}.items()
        for method, value in zip(("MLE-BP", "MSSVM"), pair, strict=True)
    ]
    first, *settings = FINDINGS["crbm-inputs"]([{"method": "nothing done", "all": 10.0}, *rows])
    assert first == "MLE-BP has fewer wrong pixels than MSSVM in 1 of 2 settings, of one training each."
    assert settings[0] == "Noise drawn once, input weight 4: its lead is +0.100 % of all pixels."
    assert "in each epoch, input weight 4: its lead is −0.050 %" in settings[1]
