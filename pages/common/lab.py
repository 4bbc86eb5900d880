"""The one engine of this process, which of its runs a browser shows and owns, and which uploaded tables it may open.

The address of an owner carries `run` and `key`, so that both survive a reload; a page switch clears the address,
so the session keeps them too. A shared link carries the recipe, or the run without its key: such a run is watched.
An uploaded table is opened by a secret (`boltzcore.data.grants`), which the address of who uploaded it carries as
`table`. Of a table that it may not open nothing gets into a session: `admitted`, `check` and `create` see to that.
"""

import asyncio
import hashlib
import hmac
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

import streamlit as st

from boltzcore.data import grants, own
from boltzcore.data.source import Source
from boltzcore.home import home, older_home
from boltzcore.jobs.engine import Engine, Run
from boltzcore.jobs.race import Race
from boltzcore.jobs.store import Store
from boltzcore.limits import limits
from boltzcore.memory import MEGA, allowed
from boltzcore.quoting import explained, quoted
from boltzcore.training.recipe import BEFORE, Recipe
from boltzcore.warmup import FIRST
from pages.common import members
from pages.common.warm import Warmup
from pages.common.words import plain
from pages.web.session import SESSION

logger = logging.getLogger(__name__)
NOT_OPEN = (
    "This link does not give access to the table in own.digest: upload the same rows in the Library, or ask its owner "
    "for a link to the table."
)
_RUN, _KEY, _TABLE = "run", "key", "table"  # of an address
_SECRET = secrets.token_bytes(16)
_granted: WeakKeyDictionary[Run | Race, tuple[str, ...]] = WeakKeyDictionary()  # keys of grants that one trains by
_warmup: Warmup | None = None  # of the served app; tests of a single page compile on their own


@cache
def engine() -> Engine:
    """The engine of this process, with what earlier processes left in the store."""
    store = Store(home())
    ready = {"ready": _warmup.ready} if _warmup else {}
    made = Engine(store, admitted=limits().trainings or None, **ready)
    try:
        store.tidy()
        _tidy_tables(made)
    except OSError as error:  # it is only put off
        explained(error, "The store could not be tidied")
    return made


def _tidy_tables(engine: Engine) -> None:
    """Forget uploaded tables that nothing uses."""
    if (in_use := _tables_in_use(engine)) is not None:
        own.tidy(in_use)


def _tables_in_use(engine: Engine) -> set[str] | None:
    """The digests of the tables that trainings and races use; None while there is one of these that cannot be read."""
    recipes = [*(entry.recipe for entry in engine.store.list()), *(run.recipe for run in engine.runs())]
    recipes += engine.races.private_recipes()
    return None if None in recipes else _digests(recipes)


def _digests(recipes: Iterable[Recipe]) -> set[str]:
    sources = (stage.data for recipe in recipes for stage in recipe.stages)
    return {source.digest for source in sources if isinstance(source, own.Own) and source.digest}


@asynccontextmanager
async def open_while_serving(_app: Any) -> AsyncIterator[None]:
    """Warm up and recover runs when the server starts; checkpoint them when it ends."""
    global _warmup
    _warmup = Warmup()
    try:
        engine()
    except OSError as error:  # each page says so, and tries again
        explained(error, "The data folder is not usable")
    if sentence := older_home():
        logger.warning("%s", sentence)
    logger.info("The app is ready. Data folder: %s; memory limit: %d MiB.", home(), allowed() // MEGA)
    try:
        yield
    finally:
        _warmup.stop()
        with suppress(OSError):
            await asyncio.to_thread(engine().shutdown)


def ready(piece: str = FIRST) -> str:
    """Return what this piece of the kernels (by default a plain RBM's) waits for, in a sentence; "" if it is there."""
    return _warmup.sentence(piece) if _warmup else ""


def attach(run: Run) -> None:
    """Make this the run that the session shows and owns, after a reload too."""
    watch(run)
    SESSION.run_keys[run.id] = run.key


def watch(run: Run) -> None:
    """Make this the run that the session shows."""
    SESSION.run = run.id


def current_run(*, arriving: bool = False) -> Run | None:
    """The run of this session; None where there is none, or none any more.

    arriving : the address was opened just now, and its run goes first. Later the session's does: the browser may send
        an address from before that run began.
    """
    asked, known = st.query_params.get(_RUN, ""), SESSION.run
    run = engine().get((asked or known) if arriving else (known or asked))
    if run is not None:
        if run.id == asked and run.owned_by(key := st.query_params.get(_KEY)) and key:
            SESSION.run_keys[run.id] = key
        SESSION.run = run.id
    return run


def parameters() -> dict[str, str]:
    """What the address of this session says of its run: which, and the key where it owns it."""
    if not (run_id := SESSION.run) or engine().get(run_id) is None:
        return {}
    return {_RUN: run_id} | ({_KEY: key} if (key := SESSION.run_keys.get(run_id)) else {})


def lost_run() -> str:
    """A sentence where the address names a run that is not here; else empty."""
    asked = st.query_params.get(_RUN)
    if asked == "":
        return "The link has no run id after run=: it is incomplete."
    if asked and engine().get(asked) is None:
        return f"Run {quoted(asked)} not found: the link is wrong, or the run was deleted."
    return ""


def follow(run: Run | None) -> bool:
    """Whether this run is another than the page showed when this was asked last: then the setting is made anew."""
    now, before = run.id if run else "", SESSION.run_of_setting
    SESSION.run_of_setting = now
    return now != before


def owns(run: Run | Race) -> bool:
    """Whether this session may control the run or the race."""
    return run.owned_by(SESSION.run_keys.get(run.id, ""))


def is_anothers(run: Run) -> bool:
    """Whether a run learns from an uploaded table and is not this session's, or its table is not any more: it is
    watched, and nothing goes on from it. Who has uploaded equal rows does not see what else its recipe says.
    """
    return run.recipe.private and not (owns(run) and may_use(run.recipe))


def recipe_of(run: Run) -> Recipe:
    """The recipe of a run as far as this session may see it."""
    return run.recipe.redacted if is_anothers(run) else run.recipe


def rename(run_id: str, name: str) -> None:
    """Give a run another name, where this session may; without waking it."""
    if run_id in SESSION.run_keys:
        try:
            engine().rename(run_id, name)
        except OSError as error:
            st.error(plain(explained(error, f"Run {run_id} could not be renamed")))


def delete(run_id: str) -> None:
    """Forget a run for good, where this session may."""
    if (run := engine().get(run_id)) is not None and owns(run):
        try:
            engine().delete(run_id)
        except OSError as error:
            st.error(plain(explained(error, f"Run {run_id} could not be deleted")))
            return
        SESSION.run_keys.pop(run_id)
        with suppress(OSError):  # it is only put off
            _tidy_tables(engine())


# -- uploaded tables ----------------------------------------------------------------------------------


def keep_table(table: own.Own) -> own.Own:
    """Let this session open a table that it has just uploaded. Raises ValueError where that cannot be written."""
    try:
        SESSION.table_secrets.append(grants.give(table.digest))
    except OSError as error:
        raise ValueError(explained(error, "The table cannot be stored on this machine")) from None
    return table


def take_table() -> str:
    """Let this session open the table whose secret the address carries; a sentence where it opens none."""
    if not (secret := st.query_params.get(_TABLE, "")):
        return f"The link has no secret after {_TABLE}=: it is incomplete." if _TABLE in st.query_params else ""
    if (grant := grants.opened_by(secret)) is None:
        return "The link to a table does not work: the table was deleted, or the link was withdrawn or is incomplete."
    if (held := grant_of(grant.digest)) is None or held.parent:  # who uploaded it loses nothing by a link to it
        SESSION.table_secrets.append(secret)
    return ""


def grant_of(digest: str) -> grants.Grant | None:
    """What lets this session open the table with this digest; None where nothing does."""
    opened = map(grants.opened_by, (*SESSION.table_secrets, *SESSION.run_keys.values()))
    return next((grant for grant in opened if grant is not None and grant.digest == digest), None)


def tables() -> tuple[str, ...]:
    """The digests of the tables that this session may open, the last one last."""
    return tuple(grant.digest for secret in SESSION.table_secrets if (grant := grants.opened_by(secret)) is not None)


def table_parameter(texts: Mapping[str, str]) -> dict[str, str]:
    """What the address of this session says to open the table of a setting again."""
    digest = texts.get(f"{own.Own.name}.digest", "")
    for secret in SESSION.table_secrets:
        if (grant := grants.opened_by(secret)) is not None and grant.digest == digest:
            return {_TABLE: secret}
    return {}


def may_open(source: Source) -> bool:
    """Whether this session may use a data set: an uploaded table only with a grant."""
    return not isinstance(source, own.Own) or not source.digest or grant_of(source.digest) is not None


def may_use(recipe: Recipe) -> bool:
    """Whether this session may use the data of a recipe."""
    return all(may_open(stage.data) for stage in recipe.stages)


def check(recipe: Recipe) -> None:
    """Raise ValueError where this session may not use the data of a recipe."""
    if not may_use(recipe):
        raise ValueError(NOT_OPEN)


def check_later(*recipes: Recipe) -> Callable[[], None]:
    """What raises ValueError where this session may not use the data of recipes, or not any more. Anybody may call it:
    a download is made where no session is known.
    """
    may, keys = all(map(may_use, recipes)), _keys_of(recipes)

    def check_now() -> None:
        if not may or any(grants.alive(key) is None for key in keys):
            raise ValueError(NOT_OPEN)

    return check_now


def create(recipe: Recipe) -> Run:
    """A new run. ValueError where this session may not use its data, or nobody train who has not logged in."""
    members.check()
    check(recipe)
    run = engine().create(recipe)
    check_run(run)
    return run


def check_run(run: Run | Race) -> None:
    """Raise ValueError where this session may not use the data of a run or a race; else it may train until a grant that
    opens them to this session ends.
    """
    members.check()
    recipes = run.comparison.recipes if isinstance(run, Race) else (run.recipe,)
    for recipe in recipes:
        check(recipe)
    _granted[run] = _keys_of(recipes)


def _keys_of(recipes: Iterable[Recipe]) -> tuple[str, ...]:
    """The keys of the grants that open the data of recipes to this session."""
    return tuple(grant.key for digest in sorted(_digests(recipes)) if (grant := grant_of(digest)))


def admitted(texts: Mapping[str, str]) -> dict[str, str]:
    """The parameters of a setting without those of a table that this session may not open."""
    own_fields = {
        key: key.replace(BEFORE, "") for key in texts if key.replace(BEFORE, "").startswith(f"{own.Own.name}.")
    }
    named = {texts[key] for key, field in own_fields.items() if field == f"{own.Own.name}.digest"}
    if all(not digest or grant_of(digest) is not None for digest in named):
        return dict(texts)
    return {key: text for key, text in texts.items() if key not in own_fields}


def opening_of(run: Run | Race) -> str:
    """What a request past the script shows so that it sees the rows of a run's or a race's table: another for each
    grant, and worth nothing once that has ended. "" where there is no such table, or this session may not open it.
    """
    return opening(run.id, run.comparison.base if isinstance(run, Race) else run.recipe) if owns(run) else ""


def opening(subject: str, recipe: Recipe) -> str:
    """The same for the run or the race of this id, of which this session is the owner."""
    grant = grant_of(recipe.data.digest) if recipe.data.private else None
    return f"{grant.key}.{_sign(subject, grant.key)}" if grant else ""


def holds(opening: str, subject: str, recipe: Recipe) -> bool:
    """Whether an opening is of the run or the race of this id, and of a grant of its table that has not ended."""
    key, _, sign = opening.partition(".")
    grant = grants.alive(key) if hmac.compare_digest(sign.encode(), _sign(subject, key).encode()) else None
    return grant is not None and grant.digest == recipe.data.values().get("digest")


def right_of(run: Run, opening: str = "") -> str:
    """How much of a run may be seen with this opening (`figures.showing`): with one that does not hold, nothing."""
    if opening:
        return "rows" if holds(opening, run.id, run.recipe) else ""
    return "columns" if run.recipe.private else "rows"


def _sign(run_id: str, key: str) -> str:
    return hashlib.blake2s(f"{run_id} {key}".encode(), key=_SECRET, digest_size=16).hexdigest()


def end_grant(grant: grants.Grant) -> None:
    """End a grant, and all that its holder gave away; of who uploaded the table each that this session holds. Trainings
    that were begun with one of them pause. The table itself goes once nobody may open it and no training uses it.
    Raises OSError where the files cannot be removed.
    """
    held = (
        [grants.opened_by(secret) for secret in (*SESSION.table_secrets, *SESSION.run_keys.values())]
        if not grant.parent
        else []
    )
    for each in (grant, *held):
        if each is not None and each.digest == grant.digest:
            grants.end(each)
    for each in (*engine().runs(), *engine().races.of_private()):
        if any(grants.alive(key) is None for key in _granted.get(each, ())):
            each.pause()
    in_use = _tables_in_use(engine())
    if in_use is not None and grant.digest not in in_use:
        own.forget(grant.digest)
