"""The one engine of this process, and which of its runs a browser shows and owns.

The address of an owner carries `run` and `key`, so that both survive a reload; a page switch clears the address,
so the session keeps them too. A shared link carries the recipe, or the run without its key: such a run is watched.
"""

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import cache
from typing import Any

import streamlit as st

from boltzcore.data import own
from boltzcore.home import home, home_problem
from boltzcore.quoting import quoted, why
from boltzcore.runs.engine import Engine, Run
from boltzcore.runs.store import Store
from boltzcore.warmup import FIRST
from pages.parts.warm import Warmup
from pages.parts.words import plain

PINS = 5  # pinned runs of a session: more curves than these and one nobody tells apart
FULL = f"At most {PINS} trainings can be pinned: unpin one first."
logger = logging.getLogger(__name__)
_RUN, _KEY, _PIN, _KEYS = "run", "key", "pin", "keys of runs"
_warmup: Warmup | None = None  # of the served app; tests of a single page compile on their own


@cache
def engine() -> Engine:
    """The engine of this process, with what earlier processes left in the store."""
    store = Store(home())
    made = Engine(store, ready=_warmup.ready) if _warmup else Engine(store)
    try:
        store.tidy()
        _tidy_tables(made)
    except (OSError, sqlite3.Error) as error:  # it is only put off
        logger.warning("The store could not be tidied: %s", error)
    return made


def _tidy_tables(engine: Engine) -> None:
    """Forget uploaded tables that no training uses; none as long as there is a training that cannot be read."""
    recipes = [*(entry.recipe for entry in engine.store.list()), *(run.recipe for run in engine.runs())]
    if None not in recipes:
        sources = [stage.data for recipe in recipes for stage in recipe.stages]
        own.tidy({source.digest for source in sources if isinstance(source, own.Own)})


@asynccontextmanager
async def open_while_serving(_app: Any) -> AsyncIterator[None]:
    """Warm up and recover runs when the server starts; checkpoint them when it ends."""
    global _warmup
    _warmup = Warmup()
    engine()
    try:
        yield
    finally:
        _warmup.stop()
        await asyncio.to_thread(engine().shutdown)


def ready(piece: str = FIRST) -> str:
    """Empty when what this piece of the kernels serves can start at once (a plain RBM, unless told), else the sentence
    that says what it waits for.
    """
    return _warmup.sentence(piece) if _warmup else ""


def attach(run: Run) -> None:
    """Make this the run that the session shows and owns, after a reload too."""
    st.session_state[_RUN] = run.id
    adopt(run)


def adopt(run: Run) -> None:
    """Let this session control a run that it has made."""
    _keys()[run.id] = run.key


def current_run(*, arriving: bool = False) -> Run | None:
    """The run of this session; None where there is none, or none any more.

    arriving : the address was opened just now, and its run goes first. Later the session's does: the browser may send
        an address from before that run began.
    """
    asked, known = st.query_params.get(_RUN, ""), st.session_state.get(_RUN, "")
    run = engine().get((asked or known) if arriving else (known or asked))
    if run is not None:
        if run.id == asked and run.owned_by(key := st.query_params.get(_KEY)) and key:
            _keys()[run.id] = key
        st.session_state[_RUN] = run.id
    return run


def parameters() -> dict[str, str]:
    """What the address of this session says of its run: which, and the key where it owns it."""
    run_id = shown_run()
    if not run_id or engine().get(run_id) is None:
        return {}
    return {_RUN: run_id} | ({_KEY: key} if (key := _keys().get(run_id)) else {})


def lost_run() -> str:
    """A sentence where the address names a run that is not here; else empty."""
    asked = st.query_params.get(_RUN)
    if asked == "":
        return "The link names no training after run=: it is cut off."
    if asked and engine().get(asked) is None:
        return f"There is no training {quoted(asked)} here: the link is wrong, or the training was deleted."
    return ""


def leave() -> None:
    """Show no run any more; it stays in the library."""
    st.session_state.pop(_RUN, None)


def owns(run: Run) -> bool:
    """Whether this session may control the run."""
    return run.owned_by(_keys().get(run.id, ""))


def is_anothers(run: Run) -> bool:
    """Whether a run learns from data that are somebody else's: it is watched, and nothing of them goes on from here."""
    return run.recipe.private and not owns(run)


def has_key(run_id: str) -> bool:
    """Whether this session holds a key for the run, without waking it."""
    return run_id in _keys()


def notices() -> tuple[str, ...]:
    """Sentences on where trainings are kept, and on what of them was mended, as far as somebody should know."""
    return tuple(filter(None, (home_problem(), engine().store.notice)))


def rename(run_id: str, name: str) -> None:
    """Give a run another name, where this session may; without waking it."""
    if has_key(run_id):
        try:
            engine().rename(run_id, name)
        except (OSError, sqlite3.Error) as error:
            st.error(plain(f"The training {run_id} could not be renamed: {why(error)}."))


def delete(run_id: str) -> None:
    """Forget a run for good, where this session may."""
    if (run := engine().get(run_id)) is not None and owns(run):
        try:
            engine().delete(run_id)
        except (OSError, sqlite3.Error) as error:
            st.error(plain(f"The training {run_id} could not be deleted: {why(error)}."))
            return
        _keys().pop(run_id)
        with suppress(OSError, sqlite3.Error):  # it is only put off
            _tidy_tables(engine())


def shown_run() -> str:
    """The id of the run of this session, without waking it; "" where there is none."""
    return st.session_state.get(_RUN, "")


def pin(run: Run) -> None:
    """Keep the curve of this run on the chart beside those of later ones. ValueError where there are as many as there
    may be.
    """
    there = [each for each in _pinned() if each != run.id]
    if len(there) >= PINS:
        raise ValueError(FULL)
    put_pinned([*there, run.id])


def unpin(*run_ids: str) -> None:
    """Draw these pinned curves no more."""
    put_pinned([each for each in _pinned() if each not in run_ids])


def pins_in(text: str) -> list[str]:
    """The ids of pinned runs that a text names, each once."""
    return list(dict.fromkeys(each for each in text.split(",") if each))


def put_pinned(ids: list[str]) -> None:
    """Make these the pinned runs of this session."""
    st.session_state[_PIN] = ids


def pinned_runs() -> tuple[Run, ...]:
    """The pinned runs of this session, those that are still here."""
    runs = tuple(run for each in _pinned() if (run := engine().get(each)))
    put_pinned([run.id for run in runs])
    return runs


def _pinned() -> list[str]:
    return st.session_state.get(_PIN, [])


def _keys() -> dict[str, str]:
    return st.session_state.setdefault(_KEYS, {})
