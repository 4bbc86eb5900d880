"""The arithmetic that the view of contrastive updates shows, as a browser adds it up, against the numbers of the
dissection; and that the reason it gives is that of the step.
"""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from boltzcore.data import load
from boltzcore.models import RBMSetup
from tests.learners.test_family import FAMILY, IDS

# The verdict and the sums of the blocks of a phase, for each of the things that can be picked.
SUMS_OF = """([i, pick, count]) => Array.from({ length: count }, (_, index) => {
  const { lab, view } = opened;
  lab.choose({ pick, index });
  const { verdict, blocks } = view.sum(i), sumOf = (terms) => terms.reduce((all, { value }) => all + value, 0);
  return [verdict, blocks.filter(({ terms }) => terms).map(({ terms, result }) => [result, sumOf(terms)])];
})"""


def moves_by(verdict):
    """The number after its last "by"."""
    number = re.search(r"by ([+−]?[\d.]+(?:e−?\d+)?)\.$", verdict)
    assert number, verdict
    return float(number[1].replace("−", "-"))


OPTIONS = {"momentum": 0.7, "weight_decay": 0.02, "clip": 0.4, "rate_schedule": "cosine"}
STEPS = {name: learner.changed(**OPTIONS) for name, learner in zip(IDS, FAMILY, strict=True)}
GRADIENTS = ("difference", "centred", "equalised", "options")


@pytest.mark.parametrize("learner", [*FAMILY, *STEPS.values()], ids=[*IDS, *(f"{each}, options" for each in STEPS)])
def test_the_sums_of_a_contrastive_update_are_its_fields_its_gradients_and_its_new_weights(look, learner):
    data = load("bars-and-stripes")
    state = learner.start(RBMSetup(hidden=3, sigma=0.5).initial(data.train, seed=1), data.train, seed=2)
    taken, head, page, _ = look(learner, learner.advance(state, data.train, updates=5), data, row=3)
    assert [each["kind"] for each in head["phases"]] == [phase.kind for phase in taken.phases]
    last, eta = {"has_options": "options", "centred": "centred", "spectral": "equalised"}, learner.rate
    moves = next((kind for flag, kind in last.items() if getattr(learner, flag)), "difference")
    nv, nh = taken.models[0].W.shape
    for i, phase in enumerate(taken.phases):
        kind, arrays, now = phase.kind, phase.arrays, taken.models[phase.at]
        of = {pick: page.evaluate(SUMS_OF, [i, pick, n]) for pick, n in (("h", nh), ("v", nv), ("w", nv * nh))}
        verdicts = {pick: [verdict for verdict, _ in each] for pick, each in of.items()}
        sums = {pick: [dict(blocks) for _, blocks in each] for pick, each in of.items()}

        def holds(pick, result, values, sums=sums):
            found = [each[result] for each in sums[pick]]
            assert_allclose(found, np.asarray(values, np.float64).reshape(-1), atol=2e-5)

        if kind in ("data", "hidden", "end"):
            holds("h", "sum", arrays["field"])
            holds("w", "sum", np.tile(arrays["field"], nv))
        elif kind == "visible":
            holds("v", "sum", arrays["field"])
            holds("w", "sum", np.repeat(arrays["field"], nh))
        elif kind in (moves, "new"):
            before, after = (taken.models[phase.at + k - (kind == "new")] for k in (0, 1))
            holds("w", "W after", after.W)
            holds("v", "total", (after.W - before.W).sum(axis=1))
            for pick, name in (("h", "c"), ("v", "b")):
                step = getattr(after, name) - getattr(before, name)
                assert_allclose([moves_by(each) for each in verdicts[pick]], step, atol=6e-5)
            for verdict, step in zip(verdicts["w"], (after.W - before.W).reshape(-1), strict=True):
                if abs(step) > 2e-6 * eta:
                    assert verdict.startswith("It rises" if step > 0 else "It falls")
            if moves in ("equalised", "options"):
                of_gradients = [each for each in taken.phases[: i + 1] if each.kind in GRADIENTS]
                if of_gradients[-2].kind != "equalised":  # which is no data less model
                    holds("w", "G before", of_gradients[-2].arrays["W"])
        elif kind == "difference":  # not what the weights move along
            holds("w", "difference", arrays["W"])
            holds("v", "total", arrays["W"].sum(axis=1))
            for verdict in (*verdicts["h"], *verdicts["v"], *verdicts["w"]):
                assert "plain difference" in verdict
                assert not re.search(r"grows|shrinks|will move|moves by", verdict)
        if kind not in ("new", "visible", *GRADIENTS):
            holds("v", "total", now.W.sum(axis=1))
