"""Parts of a lesson: steps, each with a prediction, a scene that runs, a question on its result, and an explanation."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol


class Scene(Protocol):
    """Scene that a step runs; the questions of the step are answered from the numbers that it finds."""

    def draw(self, *, locked: bool = False) -> Any:
        """Draw it with its controls; return its result, None until then.

        locked : whether the controls are disabled, because the prediction comes first
        """

    def parameters(self) -> dict[str, str]:
        """Return the URL parameters with which a reload finds its run again; {} if it has none."""
        return {}

    def choices(self) -> tuple[str, ...]:
        """Return the keys of its widgets that the other pages of a room follow."""
        return ()


@dataclass(frozen=True)
class Question:
    """A question with at least two answers to choose from."""

    ask: str
    options: tuple[str, ...]


@dataclass(frozen=True)
class Step:
    """A step of a lesson. It is done after a prediction and a correct observation.

    before : what is needed to predict, Markdown: at most two sentences
    more : further explanation of it, Markdown, folded up
    predict, right : the question before the run, and the number of the answer that `aha` shows to be right
    to_do : what to do with the scene, in a sentence
    observe, seen : the question after it, and the number of the right answer, computed from the scene's result
    aha : whether the scene's result shows what `explain` says
    explain : why it is so, Markdown, in at most 60 words; shown once the step is done
    further : the rest of the explanation, Markdown, folded up
    """

    title: str
    before: str
    predict: Question
    right: int
    scene: Scene
    to_do: str
    observe: Question
    seen: Callable[[Any], int]
    aha: Callable[[Any], bool]
    explain: str
    more: str = ""
    further: str = ""


@dataclass(frozen=True)
class Lesson:
    """A lesson: its subject in a sentence, and its length."""

    title: str
    about: str
    minutes: str
    steps: tuple[Step, ...]
