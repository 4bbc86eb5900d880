"""Answers to questions, held against sums over every state."""

import re

import numpy as np
import plotly.graph_objects as go
import pytest

from boltzcore.data.examples import Dataset, Examples
from boltzcore.data.random_fvbm import RandomFVBM
from boltzcore.figures import questions
from boltzcore.models import LogLinear
from boltzcore.names import Names

SIZES = (3, 2, 4, 2)
NAMES = Names(("A", "B", "Model", "D"), (("red", "green", "blue"), ("no", "yes"), tuple("abcd"), ("no", "yes")))


class Law:
    """A truth whose every state is known, one of them impossible."""

    def __init__(self, sizes, seed):
        self.sizes = sizes
        self.p = np.random.default_rng(seed).dirichlet(np.ones(np.prod(sizes)))
        self.p[0] = 0.0
        self.p /= self.p.sum()

    def log_probability(self, codes):
        with np.errstate(divide="ignore"):
            return np.log(self.p[LogLinear(self.sizes).layout.index(codes)])

    def sample(self, n, seed):
        raise NotImplementedError


def data(seed: int = 0, truth: bool = True) -> Dataset:
    rng = np.random.default_rng(seed)
    v = np.column_stack([rng.integers(0, size, 60) for size in SIZES])
    rows = Examples(v, levels=SIZES, weight=rng.integers(1, 4, 60))
    return Dataset(rows, None, rows, names=NAMES, truth=Law(SIZES, seed) if truth else None)


MODEL = LogLinear(SIZES, {int(y): float(v) for y, v in zip(range(1, 48, 5), np.linspace(-0.8, 0.8, 10), strict=True)})


@pytest.mark.parametrize("given", [(), ((0, 2),), ((1, 1), (2, 3)), ((0, 0), (1, 0), (3, 1))])
def test_every_conditional_is_the_sum_over_the_states_that_agree(given):
    dataset = data()
    answer = questions.answered(MODEL, dataset, given)
    x, p = MODEL.layout.digits(np.arange(48)), MODEL.probabilities()
    agree = np.all([x[:, i] == value for i, value in given], axis=0) if given else np.ones(48, bool)
    rows, weight = dataset.train.v, dataset.train.weight
    of_rows = np.all([rows[:, i] == value for i, value in given], axis=0) if given else np.ones(60, bool)
    assert sorted(answer.model) == [i for i in range(4) if i not in dict(given)]
    for i in answer.model:
        for value in range(SIZES[i]):
            here = agree & (x[:, i] == value)
            assert answer.model[i][value] == pytest.approx(p[here].sum() / p[agree].sum(), rel=1e-12)
            share = weight[of_rows & (rows[:, i] == value)].sum() / weight[of_rows].sum()
            assert answer.data[i][value] == pytest.approx(share, rel=1e-12)
            law = dataset.truth.p
            assert answer.truth[i][value] == pytest.approx(law[here].sum() / law[agree].sum(), rel=1e-12)
    assert answer.agreeing == weight[of_rows].sum()
    states = MODEL.layout.index(answer.states)
    np.testing.assert_allclose(answer.likely["model"], np.sort(p[agree])[::-1][:12] / p[agree].sum())
    np.testing.assert_allclose(answer.likely["truth"], law[states] / law[agree].sum())


def test_everything_may_be_given():
    answer = questions.answered(MODEL, data(), ((0, 1), (1, 0), (2, 3), (3, 1)))
    assert answer.model == {}
    assert answer.states.tolist() == [[1, 0, 3, 1]]
    assert answer.likely["model"] == [1.0]
    assert "nothing is left" in questions.sentence(answer, NAMES)


def test_evidence_that_no_row_has_or_that_is_impossible_in_truth_is_answered_by_the_model_alone():
    rows = Examples(np.array([[1, 1, 1, 1]]), levels=SIZES)
    dataset = Dataset(rows, None, rows, truth=Law(SIZES, 0))
    answer = questions.answered(MODEL, dataset, ((0, 0), (1, 0), (2, 0), (3, 0)))
    assert answer.data is None
    assert answer.truth is None
    assert set(answer.likely) == {"model"}
    assert questions.rows_sentence(answer, dataset) == "No training row of 1 agrees with the evidence."


def test_a_bar_stands_for_every_value_but_one_for_a_variable_of_two():
    answer = questions.answered(MODEL, data(), ((3, 0),))
    figure = questions.bars(answer, NAMES, family="MDL")
    by_name = {trace["name"]: trace for trace in figure["data"]}
    labels = ["A = red", "A = green", "A = blue", "B = yes", *(f"Model = {each}" for each in "abcd")]
    assert list(by_name) == ["data", "model", "truth", "model, in figures"]
    assert all(trace["y"] == labels for trace in by_name.values())
    assert by_name["model"]["x"][3] == pytest.approx(answer.model[1][1], abs=1e-6)
    assert by_name["model, in figures"]["text"] == [f"{value:.3f}" for value in by_name["model"]["x"]]
    (legend,) = figure["layout"]["annotations"]
    assert re.sub("<.*?>", "", legend["text"]) == "\N{BLACK SQUARE} model   \N{WHITE SQUARE} data   | truth"
    assert questions.height(SIZES, answer.given) > 8 * 20
    go.Figure(figure)
    assert questions.sentence(answer, NAMES).startswith("Given D no, by the model: A red 0.")


def test_samples_follow_from_the_model():
    dataset = RandomFVBM(d=4, n=50).load()
    model = LogLinear((2,) * 4, {1: -3.0})
    first, second = (questions.answered(model, dataset, ()).samples.v for _ in range(2))
    assert (first == second).all()
    assert first[:, 0].mean() > 0.9


def test_evidence_that_no_row_has_is_what_the_truth_has_the_most_often():
    rows = Examples(np.array([[0, 0, 1], [1, 1, 0]], np.uint8))
    law = Law((2, 2, 2), 3)
    dataset = Dataset(rows, None, rows, truth=law)
    ((_, first), (_, second)) = found = questions.unseen(dataset, 2)
    assert found == ((0, first), (1, second))
    chance = {(i, j): law.p[i + 2 * j] + law.p[i + 2 * j + 4] for i, j in ((0, 1), (1, 0))}
    assert chance[first, second] == max(chance.values())
    assert questions.unseen(dataset, 1) == ()


def test_how_far_an_answer_is_from_the_truth_is_a_mean_over_all_values():
    answer = questions.answered(MODEL, data(), ((0, 2),))
    apart = [abs(answer.model[i] - answer.truth[i]).mean() for i in (1, 2, 3)]
    assert questions.off_by(answer) == pytest.approx(np.mean(apart))
    assert questions.off_by(questions.answered(MODEL, data(truth=False), ((0, 2),))) is None
