"""Races of a server, with a file for each."""

import json
import logging
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from weakref import WeakValueDictionary

from boltzcore.comparison.comparison import LARGEST, Comparison
from boltzcore.comparison.trials import TrialStore
from boltzcore.jobs.context import EngineContext
from boltzcore.jobs.files import ID
from boltzcore.jobs.race import Race
from boltzcore.quoting import Refusal, error_message
from boltzcore.store import FileStore
from boltzcore.training.recipe import Recipe
from boltzcore.training.status import Status

FILES, KEPT = "*.json", 200  # races on disk, the last saved, and those in memory
IN_MEMORY = 32  # inactive races in memory, the last watched ones
MOST_MOVING = 25  # largest number of running races

logger = logging.getLogger(__name__)


class Races:
    """Races by id: created here, found in memory, or loaded from their files. Any thread may call.

    folder : has a file for each race; the trials themselves are in a `TrialStore`
    """

    def __init__(self, folder: Path, engine: EngineContext, trials: TrialStore) -> None:
        self._files, self._engine, self._trials = FileStore(folder), engine, trials
        self._lock = threading.Lock()
        self._kept: dict[str, Race] = {}
        # A page that still holds a race after its eviction, and one that asks for its id, must get the same object.
        self._known: WeakValueDictionary[str, Race] = WeakValueDictionary()

    def create(self, comparison: Comparison, *, play: bool = False) -> Race:
        """Return a new race. Raises OSError if it cannot be written, Refusal while too many others run."""
        if self.n_active >= MOST_MOVING:
            raise Refusal(f"races must be at most {MOST_MOVING} at once: wait until one has finished.")
        race = Race(
            secrets.token_hex(8),
            comparison,
            self._engine,
            self._trials,
            self.save,
            key=secrets.token_urlsafe(24),
            created=time.time(),
        )
        self.save(race)
        with self._lock:
            self._kept[race.id] = self._known[race.id] = race
        if play:
            race.play()
        else:
            race.prepare()
        self._make_room()
        return race

    def get(self, race_id: str) -> Race | None:
        """Return the race with this id; None if there is none, or its file is damaged."""
        if not isinstance(race_id, str) or not ID.fullmatch(race_id):
            return None
        with self._lock:
            if (race := self._kept.get(race_id)) is not None:
                return race
            if (race := self._known.get(race_id) or self._read(race_id)) is None:
                return None
            self._kept[race_id] = self._known[race_id] = race
        race.touch()
        race.prepare()
        self._make_room()
        return race

    @property
    def n_active(self) -> int:
        """Number of races that run, or wait for their turn."""
        with self._lock:
            return sum(race.is_active for race in self._known.values())

    def under_way(self, comparison: Comparison) -> Race | None:
        """Return a running public race of this comparison; None if there is none."""
        with self._lock:
            open_to_all = [race for race in self._known.values() if race.is_active and not race.private]
        return next((race for race in open_to_all if race.comparison == comparison), None)

    def of_private(self) -> list[Race]:
        """Return the races in memory on uploaded tables."""
        with self._lock:
            return [race for race in self._known.values() if race.private]

    def private_recipes(self) -> list[Recipe]:
        """Return the recipes of all races on uploaded tables, in memory and in files that can be read."""
        with self._lock:
            known = list(self._known.values())
        asleep = set(self._files.names(FILES)) - {_file(race.id) for race in known}
        known += filter(None, [self._read(name.removesuffix(".json")) for name in asleep])
        return [recipe for race in known for recipe in race.comparison.recipes if recipe.private]

    def save(self, race: Race) -> None:
        """Write the file from which a race can be loaded, unless it is deleted. Raises OSError."""
        fields = {"key_hash": race.key_hash, "created": race.created, "status": race.snapshot.status}
        text = json.dumps({"comparison": race.comparison.to_query(), **fields}, indent=1)
        with self._files.lock(race.id):
            if not race.deleted:
                self._files.write(_file(race.id), text.encode())

    def delete(self, race: Race) -> None:
        """End a race and delete it; its trials stay. Raises OSError if its file cannot be removed."""
        with self._files.lock(race.id):
            self._files.delete(_file(race.id))
            race.deleted = True
        race.cancel()
        with self._lock:
            self._known.pop(race.id, None)
            self._kept.pop(race.id, None)

    def shutdown(self) -> Iterator[threading.Thread]:
        """Store and end every race; yield the threads that may still be running."""
        with self._lock:
            known = list(self._known.values())
        for race in known:
            with suppress(OSError):
                self.save(race)
            if (thread := race.close()) is not None:
                yield thread

    def _read(self, race_id: str) -> Race | None:
        try:
            fields = json.loads(self._files.read(_file(race_id), 2 * LARGEST))
            comparison = Comparison.from_query(fields["comparison"])
            key_hash, status = str(fields["key_hash"]), Status(fields["status"])
            created = float(fields["created"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            logger.warning("The race %s cannot be opened: %s.", race_id, error_message(error))
            return None
        race = partial(Race, race_id, comparison, self._engine, self._trials, self.save)
        return race(key_hash=key_hash, status=status, created=created)

    def _make_room(self) -> None:
        with self._lock:
            resting = [race for race in self._kept.values() if not race.is_active]
            for race in sorted(resting, key=lambda race: race.touched)[: max(0, len(resting) - IN_MEMORY)]:
                with suppress(OSError):  # it stays then
                    self.save(race)
                    del self._kept[race.id]
                    race.close()
            known = [_file(race_id) for race_id in self._known]
        self._files.make_room(FILES, files=KEPT, but=known)


def _file(race_id: str) -> str:
    return f"{race_id}.json"
