"""Scenes of inference: a digit restored, ten digits by several inferences, and belief propagation that oscillates."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from boltzcore import restoration
from boltzcore.data.corruption import Corruption
from boltzcore.inference import Inference
from boltzcore.plotting import images
from boltzcore.restoration import Choice, Damaged
from boltzcore.trained import SHAPE, TRAINED
from boltzcore.warmup import RESTORING
from pages.common.once import once
from pages.common.picture import picture
from pages.common.setting import one_of
from pages.common.waiting import wait_for
from pages.figures import loops
from pages.figures import restoration as figures
from pages.figures.frame import Chart, Frame, Item, Panel, Picture
from pages.lessons.lesson import Scene
from pages.lessons.scenes import start
from pages.parts import stepping
from pages.parts.stepping import Answer
from pages.stream.films import Film, play
from pages.web.session import SESSION

FRAME = 0.3  # seconds that an iteration is shown
CHART, HEIGHT, TEN = 260, 360, 10  # pixels of the chart, and reserved; digits
SEED = 0  # of the preview; the first run begins with it
SINGLE = 224  # pixels that one digit may be high
KEPT, FEW = 64, 16  # results; restorations, which are larger


def _before(seen: list[Damaged]) -> None:
    """Draw digits before they are restored."""
    st.caption("Damaged")
    rows, lost = [each.seen for each in seen], [each.lost for each in seen]
    tiles = images.pixel_tiles(rows, SHAPE, columns=len(seen), largest=SINGLE, lost=lost)
    picture(tiles.png, f"Damaged: {len(seen)} of the digits.", width=tiles.width)


@dataclass(frozen=True)
class Made:
    """Result of a model on a damaged digit.

    damaged, wrong : pixels that were wrong before and after
    iterations : of its inference; 0 if it has none
    alike : {digit: how many completions look like it}, the most frequent first; {} if it draws none
    """

    damaged: int
    wrong: int
    iterations: int
    alike: Mapping[str, int]


@dataclass(frozen=True)
class RestorationScene(Scene):
    """A digit that is damaged and restored, by one or two models. It finds a `Made` for each.

    models : names of trained models; damage, corruption : the damage of the digit
    digit : its number; None for another one each time
    inside : whether the residuals and the messages of its inference are shown, too
    """

    models: tuple[str, ...]
    damage: str
    corruption: Corruption
    digit: int | None = None
    inside: bool = False

    def draw(self, *, locked: bool = False) -> tuple[Made, ...] | None:
        """Draw the pictures, iteration by iteration."""
        if (seed := start(self, RESTORING, lambda: _before([self._damaged(SEED)[1]]), locked=locked)) is None:
            return None
        with st.spinner("Restoring"):
            clean, seen, answers = _restored(self, seed)
        choice = Choice(damage=self.damage, model=self.models[0], seed=seed)
        film = partial(play, every=FRAME, height=HEIGHT, group="lesson")
        controls = "Iteration" if any(answer.last for answer in answers) else ""
        film("lesson pictures", stepping.pictures(clean, seen, answers, choice), controls=controls)
        if self.inside:
            film("lesson insides", stepping.insides(seen, answers, choice), controls="Iteration")
        for answer in answers:
            if answer.restored.completions is not None:
                film(f"lesson completions {answer.key}", stepping.completions(seen, answer, choice))
        return self.found(seed)

    def found(self, seed: int) -> tuple[Made, ...]:
        """Return the result of each model on the digit of this seed."""
        clean, seen, answers = _restored(self, seed)
        damaged, found = restoration.count_wrong(clean, seen.seen), []
        for answer in answers:
            restored = answer.restored
            alike = {} if restored.completions is None else restoration.count_digits(restored.completions)
            wrong = restoration.count_wrong(clean, restored.image)
            found.append(Made(damaged, wrong, answer.last, alike))
        return tuple(found)

    def _damaged(self, seed: int) -> tuple[Any, Damaged]:
        """Return the digit of this seed, and its damaged image."""
        clean = restoration.own_digit(seed % TEN if self.digit is None else self.digit)
        return clean, restoration.corrupt(clean, self.damage, self.corruption, seed=seed)


@once(FEW)
def _restored(scene: RestorationScene, seed: int) -> tuple[Any, Damaged, list[Answer]]:
    """Return the digit, its damaged image, and each model's restoration."""
    clean, seen = scene._damaged(seed)
    answers = []
    for number, name in enumerate(scene.models):
        inference = TRAINED[name].inference
        restored = restoration.restore(TRAINED[name], seen, inference, seed=seed)
        answers.append(Answer(f"lesson-{number}", TRAINED[name].title, name, inference, restored))
    return clean, seen, answers


@dataclass(frozen=True)
class TenDigitsScene(Scene):
    """Ten digits with flipped pixels, restored by one model with several inferences. It finds {kind: wrong pixels}."""

    model: str
    corruption: Corruption
    kinds: tuple[str, ...]

    def draw(self, *, locked: bool = False) -> Mapping[str, int] | None:
        """Draw the ten damaged digits, and the restorations by each inference."""
        seed = start(self, RESTORING, lambda: _before(_ten_damaged(self.corruption, SEED)), locked=locked)
        if seed is None:
            return None
        with st.spinner("Restoring"):
            rows, wrong = _ten(self, seed), self.found(seed)
        items = []
        for kind, pixels in rows.items():
            tiles = images.pixel_tiles(pixels, SHAPE, columns=TEN)
            below = f"{wrong[kind]:,} wrong pixels in total." if kind in wrong else ""
            panel = Panel(kind.capitalize(), (Picture.from_tiles(tiles, f"Ten digits, {kind}."),), below=below)
            items.append((Item(kind, (), lambda panel=panel: panel, "rows"),))
        film = Film(("ten", repr(self), seed), 1, lambda at: Frame(below=tuple(items)))
        play("lesson ten", film, every=FRAME, height=HEIGHT)
        return wrong

    def found(self, seed: int) -> Mapping[str, int]:
        """Return {kind of inference: wrong pixels in all ten digits}."""
        clean = [restoration.own_digit(digit) for digit in range(TEN)]
        rows = _ten(self, seed)
        return {
            kind: sum(restoration.count_wrong(*pair) for pair in zip(clean, rows[kind], strict=True))
            for kind in self.kinds
        }


def _ten_damaged(corruption: Corruption, seed: int) -> list[Damaged]:
    digits = enumerate(map(restoration.own_digit, range(TEN)))
    return [restoration.corrupt(clean, "flip", corruption, seed=TEN * seed + digit) for digit, clean in digits]


@once(KEPT)
def _ten(scene: TenDigitsScene, seed: int) -> dict[str, list[Any]]:
    """Return {"damaged", and each kind of inference: ten images}."""
    trained = TRAINED[scene.model]
    seen = _ten_damaged(scene.corruption, seed)
    rows = {"damaged": [each.seen for each in seen]}
    for kind in scene.kinds:
        inference = trained.inference.changed(kind=kind, iterations=50)
        rows[kind] = [restoration.restore(trained, each, inference, seed=seed).image for each in seen]
    return rows


@dataclass(frozen=True)
class Swinging:
    """Belief propagation in a small machine with weights of one factor: whether it converged without damping, and with
    it; None if that was not tried at this factor.
    """

    rests: bool | None
    damped: bool | None


@dataclass(frozen=True)
class SwingingScene(Scene):
    """A machine of twelve units, whose weights grow until belief propagation oscillates, and is then damped. It finds
    the least factor at which it oscillates and damping helps.

    damping : the share of old messages in new ones with which it converges
    """

    damping: float

    def choices(self) -> tuple[str, ...]:
        return "scale of loops", "damping of loops"

    def draw(self, *, locked: bool = False) -> Swinging | None:
        """Draw the factor, the damping, and the largest change in each iteration."""
        if wait_for(RESTORING):
            return None
        scale = st.radio(
            "Weight factor",
            loops.SCALES,
            format_func="{:g}".format,
            key="scale of loops",
            horizontal=True,
            disabled=locked,
        )
        scale = one_of(scale, loops.SCALES, loops.SCALES[0])
        damped = st.toggle(f"Damping {self.damping:g}", key="damping of loops", disabled=locked)
        beliefs = loops.rounds(scale, self.damping if damped else 0.0, 0)
        tried = SESSION.loops
        tried[scale, bool(damped)] = bool(beliefs.converged)
        last = int(beliefs.iterations)
        chart = figures.residuals(beliefs.residuals, Inference().tolerance, at=last)
        text = f"{'Converged' if beliefs.converged else 'Not converged'} after {last} iterations."
        panel = Panel("Residual", Chart(chart, CHART, text), "", stepping.RESIDUAL, text)
        item = Item("residual", (), lambda: panel, "rows")
        film = Film(("loops", scale, damped), 1, lambda at: Frame(below=((item,),)))
        play("lesson loops", film, every=FRAME, height=HEIGHT)
        swings = [factor for (factor, calmed), rests in tried.items() if not calmed and not rests]
        helped = any(tried.get((factor, True)) for factor in swings)  # damping does not help the largest
        return Swinging(False, True) if helped else None

    def found(self, seed: int) -> Swinging:
        """Return the result for the machine of this seed."""
        scale = next((each for each in loops.SCALES if not loops.rounds(each, 0.0, seed).converged), None)
        if scale is None:
            return Swinging(True, None)
        return Swinging(False, bool(loops.rounds(scale, self.damping, seed).converged))
