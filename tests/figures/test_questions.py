"""Answers to questions, held against sums over every state."""

import numpy as np
import pytest

from boltzcore.data.examples import Dataset, Examples
from boltzcore.models import LogLinear
from boltzcore.names import Names
from pages.figures import questions
from tests.figures.checks import check_figure, line

SIZES = (3, 2, 4, 2)
NAMES = Names(("A", "B", "Model", "D"), (("red", "green", "blue"), ("no", "yes"), tuple("abcd"), ("no", "yes")))


class Law:
    """A truth whose every state is known, one of them impossible."""

    def __init__(self, sizes, seed):
        self.sizes = sizes
        self.p = np.random.default_rng(seed).dirichlet(np.ones(np.prod(sizes)))
        self.p[0] = 0.0
        self.p /= self.p.sum()

    def log_likelihood(self, codes):
        with np.errstate(divide="ignore"):
            return np.log(self.p[LogLinear(self.sizes).layout.index(codes)])


def data() -> Dataset:
    rng = np.random.default_rng(0)
    v = np.column_stack([rng.integers(0, size, 60) for size in SIZES])
    rows = Examples(v, levels=SIZES, weight=rng.integers(1, 4, 60))
    return Dataset(rows, None, rows, names=NAMES, truth=Law(SIZES, 0))


MODEL = LogLinear(SIZES, {int(y): float(v) for y, v in zip(range(1, 48, 5), np.linspace(-0.8, 0.8, 10), strict=True)})


@pytest.mark.parametrize("given", [(), ((0, 2),), ((1, 1), (2, 3)), ((0, 1), (1, 0), (2, 3), (3, 1))])
def test_every_conditional_is_the_sum_over_the_states_that_agree(given):
    dataset = data()
    answer = questions.answer_query(MODEL, dataset, given)
    law = dataset.truth.p
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
            assert answer.truth[i][value] == pytest.approx(law[here].sum() / law[agree].sum(), rel=1e-12)
    assert answer.agreeing == weight[of_rows].sum()
    states = MODEL.layout.index(answer.states)
    np.testing.assert_allclose(answer.likely["model"], np.sort(p[agree])[::-1][:12] / p[agree].sum())
    np.testing.assert_allclose(answer.likely["truth"], law[states] / law[agree].sum())
    if apart := [np.abs(answer.model[i] - answer.truth[i]).mean() for i in answer.model]:
        assert questions.mean_error(answer) == pytest.approx(np.mean(apart))


def test_evidence_that_no_row_has_or_that_is_impossible_in_truth_is_answered_by_the_model_alone():
    rows = Examples(np.array([[1, 1, 1, 1]]), levels=SIZES)
    dataset = Dataset(rows, None, rows, truth=Law(SIZES, 0))
    answer = questions.answer_query(MODEL, dataset, ((0, 0), (1, 0), (2, 0), (3, 0)))
    assert answer.data is None
    assert answer.truth is None
    assert set(answer.likely) == {"model"}


def test_a_choice_is_of_a_value_and_never_read_as_a_code():
    names = Names(("A", "B", "Model", "D"), (("1", "2", "3"), ("no", "yes"), tuple("abcd"), ("no", "yes")))
    offered = questions.choices(MODEL, names, {"given0": "2.0", "given1": "1", "given3": "YES"})
    assert [each.value for each in offered] == ["2", questions.ANY, questions.ANY, "yes"]
    assert questions.evidence(offered) == ((0, 1), (3, 1))


def test_a_bar_stands_for_every_value_but_one_for_a_variable_of_two():
    answer = questions.answer_query(MODEL, data(), ((3, 0),))
    figure = questions.bars(answer, NAMES, family="MDL")
    check_figure(figure)
    labels = ["A = red", "A = green", "A = blue", "B = yes", *(f"Model = {each}" for each in "abcd")]
    assert all(trace["y"] == labels for trace in figure["data"])
    assert line(figure, "model")["x"][3] == pytest.approx(answer.model[1][1], abs=1e-6)
    assert line(figure, "truth")["x"][0] == pytest.approx(answer.truth[0][0], abs=1e-6)


def test_evidence_that_no_row_has_is_what_the_truth_has_the_most_often():
    rows = Examples(np.array([[0, 0, 1], [1, 1, 0]], np.uint8))
    law = Law((2, 2, 2), 3)
    dataset = Dataset(rows, None, rows, truth=law)
    ((_, first), (_, second)) = found = questions.unseen(dataset, 2)
    assert found == ((0, first), (1, second))
    chance = {(i, j): law.p[i + 2 * j] + law.p[i + 2 * j + 4] for i, j in ((0, 1), (1, 0))}
    assert chance[first, second] == max(chance.values())
    assert questions.unseen(dataset, 1) == ()
