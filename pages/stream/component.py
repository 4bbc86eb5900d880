"""The frames of a run, drawn in place as they come."""

from collections.abc import Sequence

from boltzcore.jobs.engine import Run
from boltzcore.jobs.snapshot import Snapshot
from boltzcore.training.recipe import Recipe
from pages.common import lab
from pages.stream.run_frame import page_key
from pages.web.scripts import component, run_again

HEIGHT = 900  # pixels, reserved until the first frame
EVERY = 20  # seconds: a hidden tab may send once a minute, and a run waits longer than that
_live = component("lab_live", "stream/run.js", "lab-live", "Loading …")
_heart = component("lab_heart", "stream/heartbeat.js", "lab-heart")
_ready = component("lab_ready", "stream/ready.js", "lab-ready")


def watch(
    run: Run,
    recipe: Recipe,
    snapshot: Snapshot,
    pinned: Sequence[Run],
    *,
    mine: bool,
    shows: Sequence[str] | None = None,
) -> None:
    """Draw the frames of a run as they come, with pinned ones, without the script.

    recipe, snapshot : of the run, that the script has drawn its part of the page from
    mine : whether the script runs again, in its fragment, once its part of the page is outdated; other viewers see the
        change in the frame
    shows : keys of the panels that are drawn next to and below the curve; None for all
    """
    data = {"run": run.id, "pin": ",".join(each.id for each in pinned), "mine": mine, "open": lab.opening_of(run)}
    data |= {"model": recipe.model.name, "around": page_key(recipe, snapshot), "shows": shows, "height": HEIGHT}
    _live(key="live", data=data, on_moved_change=run_again)


def prepare() -> None:
    """Have the browser load the modules that draw frames before there are any."""
    _ready(key="what draws a race", data={})


def beat(run_id: str) -> None:
    """Keep this run alive, as long as the page is open, without a run of the script."""
    _heart(key="heart", data={"run": run_id, "every": EVERY})
