"""No example of any family has a phase whose view breaks, whatever is looked at."""

import pytest

from boltzcore.data import load
from boltzcore.learners import TrajectoryTempering
from boltzcore.models import RBMSetup
from boltzcore.reference import trace
from pages.inside.worked_examples import STEPS
from pages.inside.worked_step import state_of

# Draws all of a view, and reads all that it says of a few of what can be picked; gives what went wrong.
TRIED = """() => {
  const { trace, lab, view } = opened, theme = themeOf(document.body), wrong = [];
  const sum = document.body.appendChild(document.createElement('canvas'));
  trace.phases.forEach(({ kind }, i) => view.picks.forEach(([pick, , count, words]) => {
    for (const index of new Set([0, count - 1])) {
      try {
        lab.choose({ pick, index });
        for (const f of [0, .5, 1]) view.draw(i, f, theme);
        const { title, verdict, blocks } = view.sum(i), terms = blocks.flatMap((each) => each.terms ?? []);
        drawSum(sum, blocks, theme, 1);
        const texts = [title, verdict, words(index), ...terms.map(({ name }) => name),
          ...terms.map(({ value }) => value.toFixed(3))].join(' | ');
        if (/undefined|NaN|Infinity|∞|null|\\[object/.test(texts)) wrong.push(`${kind} ${pick} ${index}: ${texts}`);
      } catch (error) { wrong.push(`${kind} ${pick} ${index}: ${error.message}`); }
    }
  }));
  return wrong;
}"""


# Presses all over the picture while each kind of thing is chosen; gives the kinds of things that are hit.
PRESSED = """() => {
  const { lab, view } = opened, canvas = view.stage.querySelector('.picture'), found = new Set();
  const { left, top, width, height } = canvas.getBoundingClientRect();
  lab.choose = (chosen) => found.add(chosen.pick);
  for (const [pick] of view.picks) {
    lab.chosen = { pick, index: 0 };
    for (let x = 0; x < width; x += 4) for (let y = 0; y < height; y += 4) {
      canvas.dispatchEvent(new MouseEvent('click', { clientX: left + x, clientY: top + y }));
    }
  }
  return [...found].sort();
}"""


@pytest.mark.parametrize(("name", "kinds"), [("cd", "hvw"), ("mle-bp", "ghivw")])
def test_a_press_chooses_a_unit_a_weight_or_a_pixel(look, name, kinds):
    example = STEPS[name]
    _, _, page, _ = look(*state_of(example), row=example.row)
    assert page.evaluate(PRESSED) == sorted(kinds)


@pytest.mark.parametrize("name", STEPS)
def test_no_phase_of_an_example_breaks(look, name):
    example = STEPS[name]
    learner, state, data = state_of(example)
    _, _, page, _ = look(learner, state, data, row=example.row)
    assert page.evaluate(TRIED) == []
    if first := example.choose:
        counts = dict(page.evaluate("() => opened.view.picks.map(([pick, , count]) => [pick, count])"))
        assert first["index"] < counts[first["pick"]]


def test_no_phase_of_an_update_that_freezes_a_model_or_goes_back_breaks(look):
    data, seen = load("bars-and-stripes"), set()
    learner = TrajectoryTempering(4.0, 7, chains=10, alpha=0.6, alpha_min=0.5, step_bound=0.0)
    state = learner.start(RBMSetup(hidden=5, sigma=0.5).initial(data.train, seed=1), data.train, seed=2)
    for _ in range(40):
        kinds = {phase.kind for phase in trace(learner, state, data.train).phases}
        if not kinds <= seen:
            seen |= kinds
            _, _, page, _ = look(learner, state, data, row=3)
            assert page.evaluate(TRIED) == []
        state = learner.advance(state, data.train)
    assert seen >= {"freeze", "frozen", "back"}
