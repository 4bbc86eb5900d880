"""Parts of a lesson: steps, each with a prediction, a scene that runs, a question on its result, and an explanation."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol


class Scene(Protocol):
    """Scene that a step runs; the questions of the step are answered from the numbers that it finds."""

    def draw(self, *, locked: bool = False) -> Any:
        """Draw it with the controls that run it; return what it has found, None until then.

        locked : whether the controls are disabled, because the prediction comes first
        """

    def parameters(self) -> dict[str, str]:
        """Return the URL parameters with which a reload finds its run again; {} if it has none."""
        return {}


@dataclass(frozen=True)
class Question:
    """A question with at least two answers to choose from."""

    ask: str
    options: tuple[str, ...]


@dataclass(frozen=True)
class Step:
    """A step of a lesson. It is done when something was predicted, and what was seen was said rightly.

    before : what is needed to predict, Markdown: at most two sentences
    more : further explanation of it, Markdown, folded up
    predict, right : what is asked before the run, and the number of the answer that `aha` shows to be right
    to_do : what to do with the scene, in a sentence
    observe, seen : what is asked after it, and the number of the right answer, read from what the scene has found
    aha : whether what the scene has found shows what `explain` says
    explain : why it is so, Markdown, in at most 60 words; shown once the step is done
    further : the rest of the explanation, Markdown, folded up
    again : a case like an earlier one, which comes at the end
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
    again: bool = False


@dataclass(frozen=True)
class Lesson:
    """A lesson: what it is about in a sentence, and how long it takes."""

    title: str
    about: str
    minutes: str
    steps: tuple[Step, ...]
