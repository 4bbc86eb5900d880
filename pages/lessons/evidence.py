"""Whether the lessons show what they say: each step with ten seeds, and what was found, stored with the project."""

import json
from collections.abc import Iterator

from boltzcore.home import ASSETS
from pages.lessons.catalogue import LESSONS

SEEDS, NEEDED = 10, 9  # seeds of each step, and how many of them have to show it
FILE = ASSETS / "results" / "lessons.json"


def measured(name: str) -> Iterator[tuple[int, int]]:
    """(number of a step, from 1; with how many of `SEEDS` seeds it shows what it says) of the lesson of this name."""
    for number, step in enumerate(LESSONS[name].steps, 1):
        yield number, sum(bool(step.aha(step.scene.found(seed))) for seed in range(SEEDS))


def stored() -> dict[str, dict[str, int]]:
    """{lesson: {title of a step: with how many seeds it has shown what it says}}."""
    found: dict[str, dict[str, int]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def store(found: dict[str, dict[str, int]]) -> None:
    """Keep what was measured, beside what is known of the other lessons."""
    known = stored() | found
    found = {name: known[name] for name in LESSONS if name in known}
    FILE.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
