"""`python -m pages.lessons [lesson ...] [--store]`: with how many of ten seeds each step of the
lessons, or of these alone, shows what it says.
"""

import argparse
import sys

from boltzcore.quoting import quoted
from pages.lessons.catalogue import LESSONS
from pages.lessons.evidence import NEEDED, SEEDS, measured, store


def main() -> int:
    """Print the table; 1 where a step falls short."""
    parser = argparse.ArgumentParser(prog="python -m pages.lessons", description=__doc__)
    parser.add_argument("lesson", nargs="*", help="run these alone; all unless given")
    parser.add_argument("--store", action="store_true", help="keep the table with the project")
    given = parser.parse_args()
    if unknown := [name for name in given.lesson if name not in LESSONS]:
        parser.error(f"lesson must be one of {', '.join(LESSONS)}, not {quoted(unknown[0])}.")
    found: dict[str, dict[str, int]] = {}
    for name, lesson in LESSONS.items():
        if given.lesson and name not in given.lesson:
            continue
        found[name] = {}
        for number, held in measured(name):
            title = lesson.steps[number - 1].title
            found[name][title] = held
            print(f"{name:18} {number}  {held:2} of {SEEDS}  {title}", flush=True)
    if given.store:
        store(found)
    return int(any(held < NEEDED for steps in found.values() for held in steps.values()))


if __name__ == "__main__":
    sys.exit(main())
