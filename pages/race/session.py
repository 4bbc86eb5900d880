"""Race that a session shows and may control: its address carries the race and, for its owner, the key."""

from collections import Counter
from collections.abc import Mapping
from threading import Lock
from weakref import WeakKeyDictionary

import streamlit as st

from boltzcore.comparison.comparison import Comparison
from boltzcore.jobs.race import Race
from pages.common import lab, members
from pages.web.limiter import Visitor, admit, visitor_of_page
from pages.web.session import SESSION

_RACE, _KEY = "race", "key"  # of an address
_BEGUN = WeakKeyDictionary[Race, Visitor]()
_joining = Lock()  # two visitors at once join one race


def current(*, arriving: bool = False) -> Race | None:
    """Return the race of this session; None if there is none, or no longer.

    arriving : the address was opened just now, and its race goes first
    """
    asked, known = st.query_params.get(_RACE, ""), SESSION.race
    race = lab.engine().races.get((asked or known) if arriving else (asked if known is None else known))
    if race is not None and race.id == asked and race.is_owner(key := st.query_params.get(_KEY)) and key:
        SESSION.run_keys[race.id] = key
    # one on a private table is shown to its owner alone, while the table is open
    if race is None or (race.private and not (lab.owns(race) and all(map(lab.may_use, race.comparison.recipes)))):
        return None
    SESSION.race = race.id
    return race


def begin(comparison: Comparison) -> Race:
    """Start a new race of this session. Raises Refusal if it cannot be trained."""
    members.check()
    for recipe in comparison.recipes:
        lab.check(recipe)
    by = visitor_of_page()
    admit("races", by, Counter(_BEGUN[race] for ref in _BEGUN.keyrefs() if (race := ref()) and race.is_active))
    race = lab.engine().races.create(comparison)
    _BEGUN[race] = by
    play(race)
    lab.attach(race)
    return race


def join(comparison: Comparison) -> None:
    """Show the race of this comparison that is under way, also another visitor's; if there is none, begin one, which
    others may join. Raises Refusal if it cannot be trained.
    """
    with _joining:
        if (race := lab.engine().races.under_way(comparison)) is None:
            race = begin(comparison)
    lab.watch(race)


def play(race: Race) -> None:
    """Continue the race. Raises Refusal if this session may not use its data."""
    lab.check_run(race)
    race.play()


def parameters() -> Mapping[str, str]:
    """Return the URL parameters of the session's race: its id and, if the session owns it, its key."""
    if not (race_id := SESSION.race):
        return {}
    return {_RACE: race_id} | ({_KEY: key} if (key := SESSION.run_keys.get(race_id)) else {})
