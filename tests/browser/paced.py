"""The app as Streamlit runs it, but that a training without end, which tests watch, leaves them most of a core, and
that frames come less often, which take a browser much of another one to draw.

Usage: python -m tests.browser.paced run app.py [Streamlit's options]
"""

from streamlit.web import cli

from boltzcore.runs.engine import Run
from pages.live import pace
from pages.parts import speed
from tests.browser.journeys import LONG

UPDATES = 1_000  # a second
BETWEEN = 1 / 4  # seconds between two frames of a viewer

held_back = speed.held_back


def paced(run: Run) -> None:
    """As it was asked for; but where a training without end may go as fast as it can, this fast."""
    held_back(run)
    if run.pace is None and str(run.recipe.schedule.length) == LONG["schedule.length"]:
        run.pace = UPDATES


if __name__ == "__main__":
    speed.held_back, pace.FAST = paced, BETWEEN
    cli.main(prog_name="streamlit")
