"""The app as Streamlit runs it, but that a training without end, which tests watch, leaves them most of a core, and
that frames come less often, which take a browser much of another one to draw; and that trainings of lessons, which are
slow to be watched, are faster.

Usage: python -m tests.browser.paced run app.py [Streamlit's options]
"""

from streamlit.web import cli

from boltzcore.jobs.engine import Run
from pages.parts import speed
from pages.stream import watching
from tests.browser.journeys import LONG

UPDATES = 1_000  # a second
FRAMES = 4  # a second, of a viewer

held_back, tolerate = speed.set_initial, Run.tolerate


def limit_pace(run: Run) -> None:
    """As it was asked for; but where a training without end may go as fast as it can, this fast."""
    held_back(run)
    if run.pace is None and str(run.recipe.schedule.length) == LONG["schedule.length"]:
        run.pace = UPDATES


def hurry(run: Run) -> None:
    """As before a lesson's training begins or goes on; where the lesson holds it back, it begins faster."""
    if run.pace is not None and run.snapshot.state is None:
        run.pace *= 10  # times as fast as a lesson has it
    tolerate(run)


if __name__ == "__main__":
    speed.set_initial, watching.FRAMES, Run.tolerate = limit_pace, FRAMES, hurry
    cli.main(prog_name="streamlit")
