"""Progress that stays on the visitor's machine, where they want it: the browser keeps it and gives it back."""

from collections.abc import Mapping, Sequence
from typing import Any

from pages.lessons import said as codec
from pages.lessons.catalogue import LESSONS
from pages.lessons.lesson import Lesson
from pages.lessons.said import Said
from pages.lessons.scripts import LESSON_SCRIPTS

_keeping = LESSON_SCRIPTS.component("lab_keeping", "keeping.js", "lab-keeping")


def options(lesson: Lesson) -> list[tuple[int, int]]:
    """Of each step how many answers its two questions have."""
    return [(len(step.predict.options), len(step.observe.options)) for step in lesson.steps]


def keep(said: Mapping[str, Sequence[Said]], *, page: str, taken: bool, control: bool) -> dict[str, list[Said]] | None:
    """Have the browser keep what was said in lessons, if it is to; what it has kept before, once it tells.

    page : the last part of the page's own address
    taken : whether what it has kept was taken over: only then is it overwritten
    control : whether to show what switches this on and off
    """
    texts = {name: text for name, each in said.items() if (text := codec.write(each))}
    data: dict[str, Any] = {"said": texts, "taken": taken, "control": control, "page": page}
    given = _keeping(key="keeping", data=data, default={"kept": None}, on_kept_change=lambda: None)
    return None if given.kept is None else from_browser(given.kept)


def from_browser(kept: object) -> dict[str, list[Said]]:
    """{lesson: a `Said` for each step} of what a browser says that it has kept; what means nothing is passed over."""
    said = kept.get("said") if isinstance(kept, Mapping) else None
    texts = said if isinstance(said, Mapping) else {}
    return {
        name: codec.read(text, options(lesson))
        for name, lesson in LESSONS.items()
        if isinstance(text := texts.get(name), str)
    }


def together(said: Sequence[Said], kept: Sequence[Said]) -> list[Said]:
    """What was said in a lesson, and where a step is not done what was kept of it, if that is."""
    return [old if old.done and not new.done else new for new, old in zip(said, kept, strict=True)]
