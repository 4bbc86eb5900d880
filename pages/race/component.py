"""The frames of a race, drawn in place as they come."""

from collections.abc import Sequence

from boltzcore.jobs.race import Race, RaceSnapshot
from pages.common.lab import opening_of
from pages.race.frame import page_key
from pages.web.scripts import component, run_again

HEIGHT = 640  # pixels, reserved until the first frame
_race = component("lab_race", "stream/run.js", "lab-live", "Loading …")


def watch(
    race: Race,
    snapshot: RaceSnapshot,
    *,
    mine: bool,
    hidden: bool,
    against: str | None = None,
    shows: Sequence[str] | None = None,
) -> None:
    """Draw the frames of a race as they come, without the script.

    snapshot : that the script has drawn its part of the page from
    mine : whether the script runs again once its part of the page is outdated
    hidden : omit whatever shows the leader
    against : the contender that the others are compared with; None for the first
    shows : keys of the panels that are drawn next to and below the curves; None for all
    """
    data = {"run": race.id, "route": "race", "model": f"race of {race.comparison.base.model.name}", "mine": mine}
    data |= {"open": opening_of(race), "hidden": "1" if hidden else "", "against": against or "", "shows": shows}
    data |= {"around": page_key(snapshot), "height": HEIGHT}
    _race(key="frames of a race", data=data, on_moved_change=run_again)
