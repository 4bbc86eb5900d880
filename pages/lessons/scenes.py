"""Scenes that run in full: a training, a race, and an update taken apart."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from boltzcore import reference
from boltzcore.comparison.compare import compare
from boltzcore.comparison.comparison import Comparison
from boltzcore.comparison.result import Result
from boltzcore.data import Dataset
from boltzcore.jobs.engine import Run
from boltzcore.learners.base import State
from boltzcore.plotting import images
from boltzcore.reference.trace import UpdateTrace
from boltzcore.training.loop import Record, fit
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from boltzcore.training.status import MOVING, Status
from boltzcore.warmup import needed
from pages.common import lab, words
from pages.common.picture import Still, note
from pages.common.waiting import wait_for
from pages.common.words import escape
from pages.inside.component import inside
from pages.inside.worked_examples import step_named
from pages.inside.worked_step import state_of
from pages.lessons.lesson import Scene
from pages.parts.transport import begin
from pages.race import component as race_frames
from pages.race import session
from pages.stream.component import watch
from pages.views import view_of
from pages.web.encoding import data_uri
from pages.web.session import SESSION

OVER = ("finished", "diverged")  # statuses of a training with a result; a stopped one continues
RUN, PAUSE, AGAIN = "Run", "Pause", "New random numbers"

PLACE = "scene"  # of refusals
run_action = partial(words.run_action, PLACE)
# In a container with the key "scene", narrower than a page, all panels and tables are below the curve. Symbols in the
# title of a curve are among the words behind its question mark.
STYLE = """<style>
@media (min-width: 641px) { .st-key-scene .row { grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); } }
.st-key-scene:empty { display: none; }
.st-key-scene .lab-live[data-route="race"] .lab-lines { grid-area: 19 / 1 / auto / -1; margin-top: 0; }
.st-key-scene .lab-live[data-route="race"] .curve { grid-column: 1 / -1; }
.st-key-scene .lab-live :is(.curve .rest, .corner .file, .states .play) { display: none; }
.st-key-scene .lab-inside .time { bottom: 3.6rem; }
.st-key-scene .lab-live .beside > .panel > .body:not(:empty) { min-height: 0; }
.st-key-scene .lab-live .stage:has(.beside .lab-table) { grid-template-columns: minmax(0, 1fr); }
</style>"""
Records = tuple[Record, ...]


class Fit(NamedTuple):
    """Result of a training: its records, its last State, and its data."""

    recipe: Recipe
    records: Records
    state: State
    dataset: Dataset


def run_fit(recipe: Recipe) -> Fit:
    """Return the result of a recipe trained to its end."""
    found = fit(recipe, tolerant=True)
    return Fit(recipe, tuple(found.records), found.state, PreparedData.from_recipe(recipe).dataset)


def values(records: Records, name: str) -> list[float]:
    """Return a figure of the records that have it, in order."""
    return [record.values[name] for record in records if name in record.values]


def highest(records: Records) -> float:
    """Return the highest log-likelihood of the training rows during the training."""
    return max(values(records, "train_log_likelihood"))


def medians(result: Result) -> dict[str, float]:
    """Return {contender: median merit of its trials}, an error negative."""
    outcomes = result.outcomes.items()
    finals = {name: sorted(each.value for each in trials if each.value is not None) for name, trials in outcomes}
    return {name: each[len(each) // 2] for name, each in finals.items()}


def with_seed(recipe: Recipe, seed: int) -> Recipe:
    """Return a recipe with another seed, also of its data if they had the same."""
    same = recipe.data.values().get("seed") == recipe.schedule.seed
    data = recipe.data.changed(seed=seed) if same else recipe.data
    return replace(recipe, data=data, schedule=replace(recipe.schedule, seed=seed))


def with_data_seed(recipe: Recipe, seed: int) -> Recipe:
    """Return a recipe with another seed, and with data drawn by another seed."""
    return replace(with_seed(recipe, seed), data=recipe.data.changed(seed=seed))


def seed_place(scene: object) -> str:
    """Return the session key for the seed of a scene that is not a training."""
    return repr(scene)


def seed_of(scene: object, *, locked: bool) -> int | None:
    """Draw the button that runs a scene that is not a training; return its seed, None before."""
    place = seed_place(scene)
    seed = SESSION.scene_seeds.get(place)

    def run() -> None:
        SESSION.scene_seeds[place] = 0 if seed is None else seed + 1

    kind = "primary" if seed is None else "secondary"
    st.button(RUN if seed is None else AGAIN, type=kind, on_click=run, disabled=locked)
    return seed


def start(scene: object, needs: str | None, before: Callable[[], None], *, locked: bool) -> int | None:
    """Return the seed of a scene that is not a training; None until it is run and its piece of the kernels is ready.

    before : draws what is shown until then, above the button
    """
    if wait_for(needs):
        return None
    shown = st.container()
    if (seed := seed_of(scene, locked=locked)) is None:
        with shown:
            before()
    return seed


def preview(recipe: Recipe) -> None:
    """Draw the data of a training that has not begun."""
    view_of(recipe.model.name).preview(recipe, PreparedData.from_recipe(recipe))


def show_sentence(reason: str) -> None:
    """Show the actions that were refused, and a run's own reason."""
    for sentence in filter(None, (*SESSION.refused.get(PLACE, []), reason)):
        st.warning(escape(sentence))


@dataclass(frozen=True)
class TrainingScene(Scene):
    """A training, watched as it goes. It finds what `reads` computes from it. A falling likelihood does not stop it: a
    lesson may be about just that.

    shows : keys of the panels that are drawn next to and below the curve; None for all
    pace : limit of updates per second, so that there is something to watch; None for no limit
    redraw : makes the recipe of another seed
    says : the result in a sentence above the curve, once it is over; None for no sentence
    reads : by default returns the records
    """

    recipe: Recipe
    shows: tuple[str, ...] | None
    pace: float | None = None
    redraw: Callable[[Recipe, int], Recipe] = with_seed
    says: Callable[[Any], str] | None = None
    reads: Callable[[Fit], Any] = lambda found: found.records

    def draw(self, *, locked: bool = False) -> Any:
        """Draw the training with its controls."""
        if wait_for(needed(self.recipe)):
            return None
        if (run := self._run()) is None:
            preview(self.recipe)
            begin_it = partial(self._begin, self.recipe)
            st.button(RUN, type="primary", on_click=run_action, args=(begin_it,), disabled=locked)
            show_sentence("")
            return None
        snapshot, mine = run.snapshot, lab.owns(run)
        status = snapshot.status
        with st.container(horizontal=True):
            if status in MOVING:
                st.button(PAUSE, on_click=run.pause, disabled=not mine)
            elif status not in OVER:
                st.button(RUN, type="primary", on_click=run_action, args=(partial(self._play, run),), disabled=not mine)
            next_seed = self.redraw(self.recipe, run.recipe.schedule.seed + 1)
            again = partial(self._begin, next_seed)
            st.button(AGAIN, on_click=run_action, args=(again,), disabled=status not in OVER)
        show_sentence("" if status == "finished" else snapshot.reason)
        if status == "finished" and snapshot.reason:
            st.caption(escape(snapshot.reason))
        found = None
        if status in OVER and snapshot.state is not None:
            dataset = PreparedData.from_recipe(run.recipe).dataset
            found = self.reads(Fit(run.recipe, snapshot.records, snapshot.state, dataset))
            if self.says is not None:
                st.markdown(escape(self.says(found)))
        watch(run, run.recipe, snapshot, [], mine=True, shows=self.shows)
        return found

    def _run(self) -> Run | None:
        """Return this training: the one that the session shows, or its last one in this step; None before."""
        run, kept = lab.current_run(), SESSION.scene_runs
        if run is None or not self._is_own(run.recipe):
            active = run is not None and run.snapshot.status in MOVING  # remains the run of this session
            run = lab.engine().get(kept[self.recipe]) if self.recipe in kept else None
            if run is not None and not active:
                lab.watch(run)
        if run is not None:
            kept[self.recipe] = run.id
        return run

    def _is_own(self, recipe: Recipe) -> bool:
        """True if a recipe is this training with any seed."""
        return recipe == self.redraw(self.recipe, recipe.schedule.seed)

    def _begin(self, recipe: Recipe) -> None:
        run = begin(recipe, play=False)
        run.pace = self.pace
        self._play(run)

    @staticmethod
    def _play(run: Run) -> None:
        lab.watch(run)
        run.tolerate()
        run.play()

    def parameters(self) -> dict[str, str]:
        """Return the URL parameters of the run, with its key."""
        run = lab.current_run()
        return lab.parameters() if run is not None and self._is_own(run.recipe) else {}

    def found(self, seed: int) -> Any:
        """Return the result with this seed, stopped only by what would stop it on the page."""
        return self.reads(run_fit(self.redraw(self.recipe, seed)))


@dataclass(frozen=True)
class RaceScene(Scene):
    """A race of learners at the same cost, shared by all visitors that run it at the same time. It finds its result."""

    comparison: Comparison

    def draw(self, *, locked: bool = False) -> Result | None:
        """Draw the race with its controls."""
        race = session.current()
        if race is None or not self._is_own(race.comparison):
            preview(self.comparison.base)
            join = partial(session.join, self.comparison)
            st.button(RUN, type="primary", on_click=run_action, args=(join,), disabled=locked)
            show_sentence("")
            return None
        snapshot, mine = race.snapshot, lab.owns(race)
        with st.container(horizontal=True):
            if snapshot.status in MOVING:
                st.button(PAUSE, on_click=race.pause, disabled=not mine)
            elif snapshot.status != Status.FINISHED:
                on = partial(session.play, race) if mine else partial(session.join, race.comparison)
                st.button(RUN, type="primary", on_click=run_action, args=(on,))
            another = race.comparison.changed(seed=race.comparison.seed + race.comparison.trials)
            again = partial(session.join, another)
            st.button(AGAIN, on_click=run_action, args=(again,), disabled=snapshot.status != Status.FINISHED)
        show_sentence(snapshot.reason)
        race_frames.watch(race, snapshot, mine=True, hidden=False, shows=())
        return snapshot.result if snapshot.status == Status.FINISHED else None  # its owner may have cancelled it

    def _is_own(self, comparison: Comparison) -> bool:
        """True if a comparison is this race with any seed."""
        return comparison.changed(seed=0) == self.comparison.changed(seed=0)

    def parameters(self) -> dict[str, str]:
        """Return the URL parameters of the race, with its key."""
        race = session.current()
        return dict(session.parameters()) if race is not None and self._is_own(race.comparison) else {}

    def found(self, seed: int) -> Result:
        """Return its result, with different trials for each seed."""
        return compare(self.comparison.changed(seed=seed * self.comparison.trials))


@dataclass(frozen=True)
class StepScene(Scene):
    """An update taken apart, a worked step. It finds the update's trace.

    example : a name of `worked_examples.STEPS`; pixel : the first choice in place of the example's own
    """

    example: str
    pixel: int | None = None

    def draw(self, *, locked: bool = False) -> object:
        """Draw the update, to be played phase by phase."""
        step = step_named(self.example)
        if wait_for(needed(step.recipe)):
            return None
        chosen = step.choose if self.pixel is None else {"pick": "v", "index": self.pixel}
        trace, shape = self._trace(None), state_of(step)[2].shape
        images_of = {phase.kind: phase.arrays.get("v") for phase in trace.phases if phase.kind in ("data", "end")}
        rows = [v for v in images_of.values() if v is not None]
        if rows and shape is not None:
            tiles = images.pixel_tiles(rows, shape)
            note(Still(data_uri(tiles.png), "The example of this step, and the sample that it is compared with."))
        inside(f"example/{self.example}", row=step.row, choose=chosen, formulas=False, locked=locked)
        # in a tab of its own: on phones a page link within a fragment loses the lesson on the way back
        st.markdown(f"[See more steps](step?example={self.example})")
        return trace

    def found(self, seed: int) -> object:
        """Return the trace of the same update with another seed."""
        return self._trace(seed)

    def _trace(self, seed: int | None) -> UpdateTrace:
        step = step_named(self.example)
        if seed is not None:
            step = replace(step, recipe=with_seed(step.recipe, seed))
        learner, state, dataset = state_of(step)
        return reference.trace(learner, state, dataset.train, row=step.row)
