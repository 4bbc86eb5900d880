"""The arithmetic that the views of an insertion, of a run of L-BFGS and of a step by chains show, as a browser adds it
up, against the numbers of the dissection; and that mouse and keys choose what it is of.
"""

import numpy as np
import pytest

from boltzcore.data import BayesNet, RandomFVBM, load
from boltzcore.learners import FrankWolfe, PairwiseExact, PairwisePCD
from boltzcore.models import InfiniteRBM, InfiniteRBMSetup, LogLinearSetup
from tests.learners.test_frank_wolfe_dissection import spoilt


@pytest.fixture
def opened(look):
    """Opens the view of an update after some others; gives the UpdateTrace, what is told, the page and its sums."""

    def started(learner, setup, data, updates):
        model = setup if isinstance(setup, InfiniteRBM) else setup.initial(data.train, seed=1)
        state = learner.start(model, data.train, seed=1)
        taken, head, page, sums = look(learner, learner.advance(state, data.train, updates=updates), data)
        return taken, head["phases"], page, sums

    return started


def phases(shown, taken, kind):
    """(place among those that are told, arrays) of a kind."""
    places = [k for k, each in enumerate(shown) if each["kind"] == kind]
    arrays = [each.arrays for each in taken.phases if each.kind == kind]
    return [(place, arrays) for place in places]


@pytest.mark.parametrize("correction", ["full", "line", "none"])
def test_the_sums_of_an_insertion_are_its_slopes_and_gains(opened, correction):
    learner = FrankWolfe(lambda_=0.02, restarts=2, correction=correction, rounds=8, steps=8)
    taken, shown, page, sums = opened(learner, InfiniteRBMSetup(), load("bars-and-stripes", D=3), 3)
    fresh = taken.models[0].n_units
    for place, _ in phases(shown, taken, "search"):
        iteration = page.evaluate(f"opened.trace.phases[{place}].iteration[0]")
        look = next(each.arrays for each in taken.phases if each.arrays.get("iteration") == iteration)
        np.testing.assert_allclose(sums(place, "h", fresh), [-look["objective"]], atol=1e-9)
        slope = look["data_pull"] - look["model_pull"] - learner.lambda_ * look["w"]
        for q in (0, 4, 9):
            np.testing.assert_allclose(sums(place, "q", q), [slope[q]], atol=1e-9)
    ((place, (present,)),) = phases(shown, taken, "present")
    for j in range(fresh):
        np.testing.assert_allclose(sums(place, "h", j), [present["slope"][j]], atol=1e-9)
    ((place, (found,)),) = phases(shown, taken, "found")
    np.testing.assert_allclose(sums(place, "h", fresh), [-found["reached"].min(), found["gap"]], atol=1e-4)
    for place, counts in phases(shown, taken, "counts"):
        for j in range(fresh + 1):
            np.testing.assert_allclose(sums(place, "h", j), [counts[0]["slope"][0][j]], atol=1e-4)
    ((place, (new,)),) = phases(shown, taken, "new")
    for q in range(9):
        np.testing.assert_allclose(sums(place, "q", q), [new["data_mean"][q] - new["model_mean"][q]], atol=1e-6)


def test_where_nothing_is_worth_its_price_no_gain_is_promised(opened):
    learner = FrankWolfe(lambda_=5.0, restarts=1)
    taken, shown, page, sums = opened(learner, InfiniteRBMSetup(), load("bars-and-stripes", D=3), 0)

    def verdict(place):
        sums(place, "h", 0)
        return page.evaluate(f"(({{ title, verdict }}) => title + '. ' + verdict)(opened.view.sum({place}))")

    begins, *_, ends = (verdict(place) for place, _ in phases(shown, taken, "search"))
    assert "after 0 iterations" in begins
    assert "would lower J by 0." in begins
    assert "is to rise" in begins
    assert "no weight is to move" in ends
    ((found, _),), ((worth, _),) = phases(shown, taken, "found"), phases(shown, taken, "worth")
    assert "do not answer to it by so much more" in verdict(found)
    assert "not enough: it does not come" in verdict(worth)


@pytest.mark.parametrize("temperature", ["units", "gradient"])
def test_counts_of_an_away_step_are_those_of_the_step_as_soon_as_it_is_made(opened, temperature):
    learner = FrankWolfe(correction="none", lambda_=0.3, away=True, steps=12, temperature=temperature)
    taken, shown, page, _ = opened(learner, spoilt(), load("bars-and-stripes", D=3), 0)
    stand = page.evaluate(
        "numbersOfInsertion(opened.trace, () => {}).stand.map(({ counts, b }) => [[...counts], [...b]])"
    )
    ((place, (shrink,)),) = phases(shown, taken, "shrink")
    np.testing.assert_allclose(stand[place - 1][0][:4], np.ones(4))
    np.testing.assert_allclose(stand[place][0][:4], shrink["after"], rtol=1e-6)
    ((leave, _),), ((_, (new,)),) = phases(shown, taken, "leave"), phases(shown, taken, "new")
    np.testing.assert_allclose(np.delete(stand[leave][0][:4], 1), new["counts"], rtol=1e-6)
    np.testing.assert_allclose(stand[leave][1], taken.models[-1].b, atol=1e-6)  # after the steps that fly past


def test_a_weight_of_the_new_unit_is_chosen_by_mouse_and_keys(opened):
    taken, shown, page, sums = opened(FrankWolfe(restarts=1), InfiniteRBMSetup(), load("bars-and-stripes", D=3), 2)
    place = phases(shown, taken, "search")[-1][0]
    sums(place, "h", 0)
    canvas = page.locator("canvas")
    canvas.click(position={"x": 60, "y": 314 + 60})  # amid its weights
    assert page.evaluate("opened.lab.chosen") == {"pick": "q", "index": 4}
    for key, index in (("ArrowRight", 5), ("ArrowDown", 8), ("ArrowRight", 9), ("ArrowRight", 9)):
        canvas.press(key)
        assert page.evaluate("opened.lab.chosen.index") == index
    assert "the unit is on" in page.evaluate(f"opened.view.sum({place}).verdict")  # of the hidden bias


def test_on_a_projector_what_is_pressed_is_what_is_drawn_there(opened):
    taken, shown, page, sums = opened(FrankWolfe(restarts=1), InfiniteRBMSetup(), load("bars-and-stripes", D=3), 2)
    style = page.add_style_tag(content=":root { --lab-larger: 1.5; } canvas { zoom: var(--lab-larger); }")
    try:
        sums(phases(shown, taken, "search")[-1][0], "h", 0)
        canvas = page.locator("canvas")
        assert canvas.evaluate("canvas => canvas.width / canvas.clientWidth") == pytest.approx(1.5, rel=0.01)
        canvas.click(position={"x": 1.5 * 60, "y": 1.5 * (314 + 60)})
        assert page.evaluate("opened.lab.chosen") == {"pick": "q", "index": 4}
    finally:
        style.evaluate("style => style.remove()")


def test_the_sums_of_a_run_are_data_less_model(opened):
    taken, shown, page, sums = opened(
        PairwiseExact(iterations=12), LogLinearSetup(), BayesNet(nodes=4, n=200).load(), 0
    )
    for place, _ in phases(shown, taken, "search"):
        iteration = page.evaluate(f"opened.trace.phases[{place}].iteration[0]")
        look = next(each.arrays for each in taken.phases if each.arrays.get("iteration") == iteration)
        for n, slope in enumerate(look["slope"]):
            np.testing.assert_allclose(sums(place, "p", n), [slope], atol=1e-9)
    sums(0, "p", 0)
    canvas = page.locator("canvas")
    for key, index in (("ArrowRight", 4), ("ArrowRight", 5), ("ArrowDown", 7), ("ArrowLeft", 1)):
        canvas.press(key)
        assert page.evaluate("opened.lab.chosen.index") == index


@pytest.mark.parametrize("data", [load("bars-and-stripes", D=3), RandomFVBM(d=14, n=200).load()], ids=["few", "many"])
def test_the_sums_of_a_step_by_chains_are_its_fields_slopes_and_new_parameters(opened, data):
    learner = PairwisePCD(rate=0.3, chains=5)
    taken, shown, page, sums = opened(learner, LogLinearSetup(), data, 20)
    units = [each.arrays for each in taken.phases if each.kind == "unit"]
    for place, _ in phases(shown, taken, "unit"):
        last = page.evaluate(f"[opened.trace.phases[{place}]].map(p => (p.folded ? p.keyframes.at(-1) : p).unit[0])[0]")
        np.testing.assert_allclose(sums(place, "p", 0), units[last]["field"], atol=1e-9)
    ((place, _), *_) = phases(shown, taken, "unit")
    np.testing.assert_allclose(sums(place, "u", 2), units[2]["field"], atol=1e-9)
    for kind, name in (("difference", "slope"), ("new", "theta")):
        ((place, (arrays,)),) = phases(shown, taken, kind)
        for n in (0, 5, 17, len(arrays[name]) - 1):
            np.testing.assert_allclose(sums(place, "p", n), [arrays[name][n]], atol=1e-9)
    canvas = page.locator("canvas")
    sums(0, "p", 1)
    for key, chosen in (("ArrowDown", {"pick": "p", "index": len(units) + len(units) - 1}), ("ArrowUp", {"index": 1})):
        canvas.press(key)
        assert page.evaluate("opened.lab.chosen").items() >= chosen.items()
    sums(0, "u", 1)
    canvas.press("ArrowLeft")
    assert page.evaluate("opened.lab.chosen") == {"pick": "u", "index": 0}
