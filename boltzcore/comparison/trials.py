"""Store of trials: a training is not repeated while its recipe, its data and its numerics are the same."""

import hashlib
import json
import logging
import threading
from contextlib import suppress
from pathlib import Path

from boltzcore.comparison.trial import DAMAGED, Trial, decode, encode
from boltzcore.data import grants
from boltzcore.data.source import data_digest
from boltzcore.quoting import error_message, explain
from boltzcore.store import FileStore
from boltzcore.training.numerics import versions_of
from boltzcore.training.recipe import Recipe

MOST_BYTES = 2**31  # largest number of bytes of all trials; the least recently used are deleted first
SMALL = 2**23  # bytes of a finished trial above which its states are not stored
SUFFIX = ".npz"
_OWN = "of-"  # prefix of the folder for a private table

logger = logging.getLogger(__name__)


class TrialStore:
    """Trials in a folder, each in a file named by everything that determines its numbers: the recipe with its seed, the
    data, and the versions of all computations. Trials on a private table have a folder for each table; they are deleted
    once its last grant ends. The states of large models are deleted when their trials end. Any number of threads and
    processes may use the same folder.
    """

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        self._files, self._most_bytes = FileStore(folder), most_bytes
        self._tidy()
        self._lock = threading.Lock()
        self._size = self._make_room()  # bytes of all trials, if known

    def get(self, recipe: Recipe) -> Trial | None:
        """Return the trial of a recipe; None if there is none of these versions, it is damaged, its learner declares no
        numerics, or its table has no grant any more.
        """
        if not self._is_stored(recipe):
            return None
        name = _name(recipe)
        try:
            with self._files.lock(name):
                return self._read(name, recipe)
        except OSError as error:
            explain(error, f"The stored trial {name} cannot be read")
            return None

    def put(self, trial: Trial) -> None:
        """Replace the stored trial, unless that is further on, because two races may train the same one. Trials on a
        private table without a grant are not stored. Raises OSError if writing fails.
        """
        if trial.state is None or not self._is_stored(trial.recipe):
            return
        name, content = _name(trial.recipe), encode(trial)
        if trial.ended and len(content) > SMALL:
            content = encode(trial, states=False)
        with self._files.lock(name):
            found = self._read(name, trial.recipe)
            if found is not None and (found.ended or (found.count > trial.count and not trial.ended)):
                return
            self._files.write(name, content)
        with self._lock:
            self._size += len(content)
            if self._size > self._most_bytes:
                self._size = self._make_room(but=name)

    def _make_room(self, but: str = "") -> int:
        return self._files.make_room(f"**/*{SUFFIX}", bytes=self._most_bytes, but=[but])

    def _read(self, name: str, recipe: Recipe) -> Trial | None:
        try:
            return decode(self._files.read(name, used=True), recipe)
        except FileNotFoundError:
            return None
        except DAMAGED as error:
            logger.warning("The stored trial %s is ignored: %s.", name, error_message(error))
            self._files.delete(name)
            return None

    def _is_stored(self, recipe: Recipe) -> bool:
        """Return True if trials of a recipe are stored: its learners declare numerics, and all its tables have a grant;
        trials on other tables are removed.
        """
        own = _tables(recipe)
        return recipe.is_stored and (not own or own <= self._tidy())

    def _tidy(self) -> set[str]:
        """Remove trials on tables without a grant and return the digests of the other tables. Nothing is removed if
        grants cannot be read.
        """
        try:
            digests = grants.digests()
        except OSError as error:
            explain(error, "It is not known which tables are in use")
            return set()
        for name in self._files.names(f"{_OWN}*"):
            if name.removeprefix(_OWN) not in digests:
                with suppress(OSError):
                    self._files.delete(name)
        return digests


def _name(recipe: Recipe) -> str:
    """Return the name of the file of a trial."""
    own = sorted(_tables(recipe))
    return (f"{_OWN}{own[0]}/" if own else "") + key_of(recipe)[:32] + SUFFIX


def _tables(recipe: Recipe) -> set[str]:
    """Return the digests of the private tables in a recipe."""
    return {str(stage.data.values()["digest"]) for stage in recipe.stages if stage.data.private}


def key_of(recipe: Recipe) -> str:
    """Return a digest of everything that determines the numbers of a training: its recipe without fields at their
    default, its data, and the versions of all computations.
    """
    data = [data_digest(stage.data) for stage in recipe.stages]
    named = json.dumps([recipe.to_query(), data, versions_of([recipe])], sort_keys=True)
    return hashlib.sha256(named.encode()).hexdigest()
