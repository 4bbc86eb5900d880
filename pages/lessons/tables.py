"""Scenes on tables: the same training in several sizes, and a query."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import streamlit as st

from boltzcore.registry import info_of
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from boltzcore.warmup import needed
from pages.common.once import once
from pages.common.setting import one_of
from pages.figures import questions
from pages.figures.frame import Column, Frame, Item, Panel, Table
from pages.figures.questions import Answer
from pages.lessons.lesson import Scene
from pages.lessons.scenes import Fit, preview, run_fit, seed_place, start, with_data_seed
from pages.stream.films import Film, play
from pages.views.answers import question_panel
from pages.web.session import SESSION

HEIGHT, KEPT = 320, 64  # pixels reserved; results
GIVEN = "Given"

Rung = Mapping[str, float]


@dataclass(frozen=True)
class LadderScene(Scene):
    """The same training in several sizes, side by side in a table. It finds a `Rung` for each.

    reads : {title of a column: its number} of a training and its seconds
    formats : (title of a column, format of its numbers), in order
    times : number of repeats; the fewest seconds count, because a busy computer only adds some
    """

    title: str
    recipes: tuple[Recipe, ...]
    reads: Callable[[Fit, float], Rung]
    formats: tuple[tuple[str, str], ...]
    times: int = 1

    def draw(self, *, locked: bool = False) -> tuple[Rung, ...] | None:
        """Draw the table, once it was run."""
        if (seed := start(self, needed(self.recipes[-1]), partial(preview, self.recipes[0]), locked=locked)) is None:
            return None
        with st.spinner("Training"):
            found = self.found(seed)
        columns = tuple(Column.from_numbers(name, (each[name] for each in found), form) for name, form in self.formats)
        panel = Panel(self.title, Table("sizes", columns), "")
        item = Item("sizes", (), lambda: panel, "rows")
        film = Film(("ladder", self.title, seed), 1, lambda _: Frame(below=((item,),)))
        play("lesson ladder", film, every=1.0, height=HEIGHT)
        return found

    @once(KEPT)
    def found(self, seed: int) -> tuple[Rung, ...]:
        """Return the result with data of this seed."""
        found = []
        for recipe in self.recipes:
            drawn = with_data_seed(recipe, seed)
            PreparedData.from_recipe(drawn)  # drawing the rows is not part of the training's time
            fits = [_time_fit(drawn) for _ in range(self.times)]
            found.append(self.reads(fits[0][0], min(seconds for _, seconds in fits)))
        return tuple(found)


def _time_fit(recipe: Recipe) -> tuple[Fit, float]:
    """Return a recipe trained to its end, and the seconds that this took."""
    began = time.perf_counter()
    return run_fit(recipe), time.perf_counter() - began


@dataclass(frozen=True)
class Asked:
    """An answer: the number of training rows that agree with the evidence, and the mean distance of the model from the
    truth; None if there is no such question.
    """

    agreeing: float
    off: float | None


@dataclass(frozen=True)
class QuestionScene(Scene):
    """A trained model is queried: with nothing given, with one value, and with values that no training row combines. It
    finds the last answer.

    given : number of variables that the last query gives
    """

    recipe: Recipe
    given: int

    def choices(self) -> tuple[str, ...]:
        return (f"given {SESSION.scene_seeds.get(seed_place(self))}",)

    def draw(self, *, locked: bool = False) -> Asked | None:
        """Draw the queries, and the answer to the chosen one."""
        if (seed := start(self, needed(self.recipe), partial(preview, self.recipe), locked=locked)) is None:
            return None
        with st.spinner("Training"):
            fit, asked = _questions(self, seed)
        chosen = st.radio(GIVEN, range(len(asked)), format_func=partial(_given, fit, asked), key=f"given {seed}")
        chosen = one_of(chosen, range(len(asked)), 0)
        given = asked[chosen]
        answer = _answer_query(self, seed, given)
        sizes = fit.state.model.layout.cardinalities
        family = info_of(self.recipe.learner).family

        panel = partial(question_panel, answer, fit.dataset, sizes, dict(given), (), family)
        film = Film(("asked", self, seed, given), 1, lambda _: Frame(below=((Item("question", (), panel, "rows"),),)))
        play(f"lesson question {chosen}", film, every=1.0, height=HEIGHT)
        last = chosen == len(asked) - 1
        found = self.found(seed)
        if last and found.off is not None:
            st.markdown(f"Model and truth are {found.off:.3f} apart, on average.")
        return found if last else None

    def found(self, seed: int) -> Asked:
        """Return the answer of a model of this seed to the last query."""
        answer = _answer_query(self, seed, _questions(self, seed)[1][-1])
        return Asked(answer.agreeing, questions.mean_error(answer))


Evidence = tuple[tuple[int, int], ...]


@once(KEPT)
def _questions(scene: QuestionScene, seed: int) -> tuple[Fit, tuple[Evidence, ...]]:
    fit = run_fit(with_data_seed(scene.recipe, seed))
    last = questions.unseen(fit.dataset, scene.given)
    return fit, ((), last[:1], last)


@once(KEPT)
def _answer_query(scene: QuestionScene, seed: int, given: Evidence) -> Answer:
    fit = _questions(scene, seed)[0]
    return questions.answer_query(fit.state.model, fit.dataset, given)


def _given(fit: Fit, asked: tuple[Evidence, ...], place: int) -> str:
    """Return a query in words."""
    names = fit.dataset.names
    values = [f"{names.columns[i]} = {value}" for i, value in asked[place]] if names is not None else []
    return ", ".join(values) or "nothing"
