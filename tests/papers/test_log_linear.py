"""Table 1 of paper 4, on sets so small that a test can make it."""

from dataclasses import replace

from boltzcore.data.bayes_net import BayesNet
from boltzcore.data.ising import Ising
from boltzcore.papers import STUDIES, log_linear
from boltzcore.registry import LEARNERS
from boltzcore.ticks import idle


def test_the_sets_are_those_of_the_paper():
    """20 columns of two values; what they are drawn from is in the sources' own tests."""
    for made in log_linear.SETS.values():
        rows = made.load().train
        assert (rows.n_visible, rows.levels, len(rows)) == (20, 2, log_linear.SIZES["S"])
    every = {(name + size, model) for name in log_linear.SETS for size in "SL" for model in log_linear.LEARNERS}
    assert every == log_linear.REPORTED.keys()
    nets = {name: made.truth() for name, made in log_linear.SETS.items() if isinstance(made, BayesNet)}
    edges = {name: sum(map(len, net.parents)) for name, net in nets.items()}
    assert edges == {"BN20-37": 37, "BN20-54": 54}


def test_each_row_tells_every_draw_beside_the_paper(monkeypatch):
    monkeypatch.setattr(log_linear, "SETS", {"Ising5x4": Ising(rows=3, columns=2), "BN20-37": BayesNet(nodes=6)})
    monkeypatch.setattr(log_linear, "SIZES", {"S": 200, "L": 2_000})
    monkeypatch.setattr(log_linear, "DRAWS", {"quick": 2})
    monkeypatch.setattr(log_linear, "TIMINGS", 1)
    monkeypatch.setitem(LEARNERS, "PairwisePCD", replace(LEARNERS["PairwisePCD"], length=(100, "updates")))
    rows = list(STUDIES["fsll-table-1"].rows("quick", idle))
    assert [(row["data"], row["model"]) for row in rows] == [
        (name + size, model) for name in ("Ising5x4", "BN20-37") for size in "SL" for model in log_linear.LEARNERS
    ]
    for row in rows:
        assert {len(row[figure]) for figure in ("kl_to_data", "kl_to_truth", "terms", "seconds")} == {2}
        assert min(row["kl_to_data"] + row["kl_to_truth"] + row["seconds"]) > 0
        assert row["reported_terms"] == log_linear.REPORTED[row["data"], row["model"]].terms
    of = {(row["data"], row["model"]): row for row in rows}
    assert of["Ising5x4L", "BM-DI"]["terms"] == [21, 21]
    for draw in range(2):  # more rows, nearer to the truth
        assert of["BN20-37L", "FL"]["kl_to_truth"][draw] < of["BN20-37S", "FL"]["kl_to_truth"][draw]
