"""The simulation of paper 1: its rows, and the bound beside its errors."""

import numpy as np
import pytest

from boltzcore.papers import STUDIES, pseudo_likelihood
from boltzcore.ticks import idle
from boltzcore.training.loop import train
from tests.models.test_fvbm import machine, states


def test_the_bound_is_that_of_the_information_summed_over_all_states():
    model = machine(4, 1)
    x, p = states(4), model.probabilities()
    statistics = np.column_stack([x, *(x[:, j] * x[:, k] for j in range(4) for k in range(j + 1, 4))])
    centred = statistics - p @ statistics
    information = centred.T @ (p[:, None] * centred)
    bound = np.trace(np.linalg.inv(information)) / 10
    assert pseudo_likelihood.cramer_rao(model, idle) == pytest.approx(bound)


def test_a_mean_squared_error_is_near_the_bound_where_the_law_is_mild(monkeypatch):
    monkeypatch.setattr(pseudo_likelihood, "COLUMNS", (5,))
    monkeypatch.setitem(pseudo_likelihood.VARIANCES, "quick", 0.05)
    monkeypatch.setitem(pseudo_likelihood.DRAWS, "quick", 12)
    rows = list(STUDIES["bslm-figure-1"].rows("quick", idle))
    assert all(row["maximiser"] and row["ended"] == 5 and row["falls"] == 0 for row in rows)
    for row in rows:
        assert row["log_pseudo_likelihood"] == pytest.approx([row["optimum"]] * 5, abs=1e-3)
    error, bound = (np.mean([row[name] for row in rows]) for name in ("mse_of_optimum", "cramer_rao"))
    spread = np.sqrt(2 / (12 * 15))  # relative: 15 squared errors a draw, each about a chi-squared of one degree
    assert 1 - 4 * spread < error / bound < 1.2 + 4 * spread  # the pseudo-likelihood is a little less efficient


def test_where_no_maximiser_exists_no_error_is_given(monkeypatch):
    monkeypatch.setattr(pseudo_likelihood, "COLUMNS", (15,))
    monkeypatch.setitem(pseudo_likelihood.SWEEPS, "quick", 20)
    (row,) = STUDIES["bslm-figure-1"].rows("quick", idle)
    assert row["maximiser"] is False
    assert not row.keys() & {"mse", "optimum", "cramer_rao"}


def test_every_row_has_its_recipes(monkeypatch):
    monkeypatch.setattr(pseudo_likelihood, "COLUMNS", (5,))
    monkeypatch.setitem(pseudo_likelihood.SWEEPS, "quick", 20)
    study = STUDIES["bslm-figure-1"]
    assert {part.data.variance for part in study.parts("quick")} == {0.5}
    (row,) = study.rows("quick", idle)
    assert (row["d"], row["draw"]) == (5, 0)
    assert list(study.rows("quick", idle, [row])) == []


def test_the_sequence_of_each_start_is_the_log_pseudo_likelihood_after_its_sweeps(monkeypatch):
    monkeypatch.setattr(pseudo_likelihood, "COLUMNS", (5,))
    monkeypatch.setitem(pseudo_likelihood.SWEEPS, "quick", 5)
    (row,) = STUDIES["bslm-figure-1"].rows("quick", idle)
    first, second, fifth, *later = row["log_pseudo_likelihood_after"][1]
    assert set(later) == {None}
    for sweeps, value in ((1, first), (2, second), (5, fifth)):
        monkeypatch.setitem(pseudo_likelihood.SWEEPS, "quick", sweeps)
        recipe = pseudo_likelihood.recipe("quick", 5, 0, 1)
        *_, end = train(recipe)
        rows = recipe.data.load().train
        assert value == pytest.approx(sum(end.state.model.log_pseudo_likelihood(rows.v)), rel=1e-9)
