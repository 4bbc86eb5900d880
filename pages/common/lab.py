"""The engine of this process, the runs that a session shows and owns, and the uploaded tables that it may open.

The address of an owner carries `run` and `key`, so that both survive a reload; a page switch clears the address,
so the session keeps them too. A shared link carries the recipe, or the run without its key: such a run is watched.
An uploaded table is opened by a secret (`boltzcore.data.grants`), which its uploader's address carries as `table`.
A session gets nothing of a table that it may not open: `drop_closed_tables`, `check` and `create` see to that.
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
from boltzcore.memory import MEGA, allowed_bytes
from boltzcore.quoting import Refusal, explain, quoted
from boltzcore.training.recipe import BEFORE, Recipe
from pages.common import members
from pages.common.warm import Warmup
from pages.common.words import escape
from pages.web.session import SESSION

logger = logging.getLogger(__name__)
NOT_OPEN = (
    "This link does not give access to the table in own.digest: upload the same rows in the Library, or ask its owner "
    "for a link to the table."
)
_RUN, _KEY, _TABLE = "run", "key", "table"  # of an address
_SECRET = secrets.token_bytes(16)
_granted: WeakKeyDictionary[Run | Race, tuple[str, ...]] = WeakKeyDictionary()  # keys of the grants that it trains by
_warmup: Warmup | None = None  # of the served app; tests of a single page compile on their own


@cache
def engine() -> Engine:
    """Return the engine of this process, with the runs that earlier processes left in the store."""
    store = Store(home())
    ready = {"ready": _warmup.ready} if _warmup else {}
    made = Engine(store, admitted=limits().trainings or None, **ready)
    try:
        store.tidy()
        _tidy_tables(made)
    except OSError as error:  # try again later
        explain(error, "The store could not be tidied")
    return made


def _tidy_tables(engine: Engine) -> None:
    """Forget uploaded tables that nothing uses: a run that cannot be read will never use one again."""
    own.tidy(_tables_in_use(engine))


def _tables_in_use(engine: Engine) -> set[str]:
    """Return the digests of the tables that trainings and races use."""
    recipes = [*(entry.recipe for entry in engine.store.list()), *(run.recipe for run in engine.runs())]
    return _digests(filter(None, [*recipes, *engine.races.private_recipes()]))


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
    except OSError as error:  # each page shows it and tries again
        explain(error, "The data folder is not usable")
    if sentence := older_home():
        logger.warning("%s", sentence)
    logger.info("The app is ready. Data folder: %s; memory limit: %d MiB.", home(), allowed_bytes() // MEGA)
    try:
        yield
    finally:
        _warmup.stop()
        with suppress(OSError):
            await asyncio.to_thread(engine().shutdown)


def describe_wait(piece: str) -> str:
    """Return a sentence on the wait for this piece of the kernels; "" if it is ready."""
    return _warmup.sentence(piece) if _warmup else ""


def attach(run: Run | Race, key: str = "") -> None:
    """Show and own this run or race in this session, after a reload too; one from the store does not know its key."""
    watch(run)
    SESSION.run_keys[run.id] = key or run.key


def watch(run: Run | Race) -> None:
    """Show this run or race in this session."""
    if isinstance(run, Race):
        SESSION.race = run.id
    else:
        SESSION.run = run.id


def current_run(*, arriving: bool = False) -> Run | None:
    """Return the run of this session; None if there is none, or no longer.

    arriving : the address was opened just now, and its run goes first. Later the session's does: the browser may send
        an address from before that run began.
    """
    asked, known = st.query_params.get(_RUN, ""), SESSION.run
    run = engine().get((asked or known) if arriving else (known or asked))
    if run is not None:
        if run.id == asked and run.is_owner(key := st.query_params.get(_KEY)) and key:
            SESSION.run_keys[run.id] = key
        SESSION.run = run.id
    return run


def parameters() -> dict[str, str]:
    """Return the URL parameters of the session's run: its id and, if the session owns it, its key."""
    if not (run_id := SESSION.run) or engine().get(run_id) is None:
        return {}
    return {_RUN: run_id} | ({_KEY: key} if (key := SESSION.run_keys.get(run_id)) else {})


def lost_run() -> str:
    """Return a sentence if the address names a run that does not exist, else ""."""
    asked = st.query_params.get(_RUN)
    if asked == "":
        return "The link has no run id after run=: it is incomplete."
    if asked and engine().get(asked) is None:
        return f"Run {quoted(asked)} not found: the link is wrong, or the run was deleted."
    return ""


def follow(run: Run | None) -> bool:
    """True if the run is another one than at the last call, so that its settings must be loaded."""
    now, before = run.id if run else "", SESSION.run_of_setting
    SESSION.run_of_setting = now
    return now != before


def owns(run: Run | Race) -> bool:
    """True if this session may control the run or the race."""
    return run.is_owner(SESSION.run_keys.get(run.id, ""))


def is_foreign(run: Run) -> bool:
    """True if a run learns from an uploaded table and this session does not own it or may not use the table: it can
    only be watched. Uploading equal rows does not reveal the rest of its recipe.
    """
    return run.recipe.private and not (owns(run) and may_use(run.recipe))


def recipe_of(run: Run) -> Recipe:
    """Return the recipe of a run as far as this session may see it."""
    return run.recipe.redacted if is_foreign(run) else run.recipe


def rename(run_id: str, name: str) -> None:
    """Rename a run if this session may, without loading it."""
    if run_id in SESSION.run_keys:
        try:
            engine().rename(run_id, name)
        except OSError as error:
            st.error(escape(explain(error, f"Run {run_id} could not be renamed")))


def delete(run_id: str) -> None:
    """Delete a run for good if this session may."""
    if (run := engine().get(run_id)) is not None and owns(run):
        try:
            engine().delete(run_id)
        except OSError as error:
            st.error(escape(explain(error, f"Run {run_id} could not be deleted")))
            return
        SESSION.run_keys.pop(run_id)
        with suppress(OSError):  # try again later
            _tidy_tables(engine())


# -- uploaded tables ----------------------------------------------------------------------------------


def keep_table(table: own.Own) -> None:
    """Let this session open a table that it has just uploaded. Raises Refusal if the table cannot be written."""
    with suppress(OSError):  # try again later
        _tidy_tables(engine())
    try:
        secret = grants.give(table.digest)
    except OSError as error:
        raise Refusal(explain(error, "The table cannot be stored on this machine")) from None
    held = {each: grants.find_grant(each) for each in SESSION.table_secrets}
    ours = [each for each, grant in held.items() if not (grant and grant.parent and grant.digest == table.digest)]
    SESSION.table_secrets[:] = [*ours, secret]  # an uploader's own goes before a link to the same table


def take_table() -> str:
    """Let this session open the table whose secret the address carries; return a sentence if the secret opens none."""
    if not (secret := st.query_params.get(_TABLE, "")):
        return f"The link has no secret after {_TABLE}=: it is incomplete." if _TABLE in st.query_params else ""
    if (grant := grants.find_grant(secret)) is None:
        return "The link to a table does not work: the table was deleted, or the link was withdrawn or is incomplete."
    opened, held = SESSION.table_secrets, grant_of(grant.digest)
    if secret not in opened and (held is None or held.parent):  # an uploader keeps the own grant
        opened.append(secret)
    opened.sort(key=lambda each: (found := grants.find_grant(each)) is not None and found.digest == grant.digest)
    return ""


def grant_of(digest: str) -> grants.Grant | None:
    """Return the grant by which this session may open the table with this digest; None if it has none."""
    opened = map(grants.find_grant, (*SESSION.table_secrets, *SESSION.run_keys.values()))
    return next((grant for grant in opened if grant is not None and grant.digest == digest), None)


def tables() -> tuple[str, ...]:
    """Return the digests of the tables that this session may open, in the order in which they were opened."""
    return tuple(grant.digest for secret in SESSION.table_secrets if (grant := grants.find_grant(secret)) is not None)


def table_parameter(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the URL parameter that opens the table of a setting again; {} if there is none."""
    digest = texts.get(f"{own.Own.name}.digest", "")
    for secret in SESSION.table_secrets:
        if (grant := grants.find_grant(secret)) is not None and grant.digest == digest:
            return {_TABLE: secret}
    return {}


def may_open(source: Source) -> bool:
    """True if this session may use a data set: an uploaded table only with a grant."""
    return not isinstance(source, own.Own) or not source.digest or grant_of(source.digest) is not None


def may_use(recipe: Recipe) -> bool:
    """True if this session may use the data of a recipe."""
    return all(may_open(stage.data) for stage in recipe.stages)


def check(recipe: Recipe) -> None:
    """Raise Refusal if this session may not use the data of a recipe."""
    if not may_use(recipe):
        raise Refusal(NOT_OPEN)


def check_later(*recipes: Recipe) -> Callable[[], None]:
    """Return a function that raises Refusal if this session may not use the data of recipes, or no longer may. It
    needs no session, because a download is made outside of any.
    """
    may, keys = all(map(may_use, recipes)), _keys_of(recipes)

    def check_now() -> None:
        if not may or any(grants.get_live(key) is None for key in keys):
            raise Refusal(NOT_OPEN)

    return check_now


def create(recipe: Recipe) -> Run:
    """Start a new run. Raises Refusal if this session may not use its data, or training requires a login."""
    members.check()
    check(recipe)
    run = engine().create(recipe)
    check_run(run)
    return run


def check_run(run: Run | Race) -> None:
    """Raise Refusal if this session may not use the data of a run or a race; else it may train until a grant that
    opens them to this session ends.
    """
    members.check()
    recipes = run.comparison.recipes if isinstance(run, Race) else (run.recipe,)
    for recipe in recipes:
        check(recipe)
    _granted[run] = _keys_of(recipes)


def _keys_of(recipes: Iterable[Recipe]) -> tuple[str, ...]:
    """Return the keys of the grants that open the data of recipes to this session."""
    return tuple(grant.key for digest in sorted(_digests(recipes)) if (grant := grant_of(digest)))


def drop_closed_tables(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the parameters of a setting, without those of a table that this session may not open."""
    own_fields = {
        key: key.replace(BEFORE, "") for key in texts if key.replace(BEFORE, "").startswith(f"{own.Own.name}.")
    }
    named = {texts[key] for key, field in own_fields.items() if field == f"{own.Own.name}.digest"}
    if all(not digest or grant_of(digest) is not None for digest in named):
        return dict(texts)
    return {key: text for key, text in texts.items() if key not in own_fields}


def opening_of(run: Run | Race) -> str:
    """Return the token with which a request outside the script sees the rows of a run's or a race's table: each grant
    has its own, which ends with it. "" if there is no such table, or this session may not open it.
    """
    return opening(run.id, run.comparison.base if isinstance(run, Race) else run.recipe) if owns(run) else ""


def opening(subject: str, recipe: Recipe) -> str:
    """Return the same token for the run or race with this id, which this session owns."""
    grant = grant_of(recipe.data.digest) if recipe.data.private else None
    return f"{grant.key}.{_sign(subject, grant.key)}" if grant else ""


def holds(opening: str, subject: str, recipe: Recipe) -> bool:
    """True if a token is for the run or race with this id and for a grant of its table that has not ended."""
    key, _, sign = opening.partition(".")
    grant = grants.get_live(key) if hmac.compare_digest(sign.encode(), _sign(subject, key).encode()) else None
    return grant is not None and grant.digest == recipe.data.values().get("digest")


def right_of(run: Run, opening: str = "") -> str:
    """Return how much of a run may be seen with this token (`figures.showing`): nothing if it is invalid."""
    if opening:
        return "rows" if holds(opening, run.id, run.recipe) else ""
    return "columns" if run.recipe.private else "rows"


def _sign(run_id: str, key: str) -> str:
    return hashlib.blake2s(f"{run_id} {key}".encode(), key=_SECRET, digest_size=16).hexdigest()


def end_grant(grant: grants.Grant) -> None:
    """End a grant, and all grants given away by its holder; for an uploader, each that this session holds. Trainings
    begun with one of them pause. The table itself is deleted once it has no grant and no training uses it. Raises
    OSError if the files cannot be removed.
    """
    held = () if grant.parent else map(grants.find_grant, (*SESSION.table_secrets, *SESSION.run_keys.values()))
    for each in (grant, *held):
        if each is not None and each.digest == grant.digest:
            grants.end(each)
    for each in (*engine().runs(), *engine().races.of_private()):
        if any(grants.get_live(key) is None for key in _granted.get(each, ())):
            each.pause()
    if grant.digest not in _tables_in_use(engine()):
        own.forget(grant.digest)
