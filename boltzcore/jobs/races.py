"""The races of a server: a file for each."""

import json
import logging
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from boltzcore.comparison.comparison import LARGEST, Comparison
from boltzcore.comparison.trials import TrialStore
from boltzcore.home import make_folder, replacing, sweep
from boltzcore.jobs.context import EngineContext
from boltzcore.jobs.race import Race
from boltzcore.jobs.summary import ID
from boltzcore.parameters import Refusal
from boltzcore.quoting import why
from boltzcore.training.recipe import Recipe
from boltzcore.training.status import Status

KEPT = 200  # races on disk, the last saved, and those in memory
IN_MEMORY = 32  # races at rest in memory, the last watched
MOST_MOVING = 25  # races that go on at once

logger = logging.getLogger(__name__)


class Races:
    """Races by id: made here, found in memory, or revived from their files. Any thread may call.

    folder : a file for each race; the trials themselves are in a `TrialStore`
    """

    def __init__(self, folder: Path, engine: EngineContext, trials: TrialStore) -> None:
        self._folder, self._engine, self._trials = folder, engine, trials
        self._lock = threading.Lock()
        self._known: dict[str, Race] = {}
        sweep(make_folder(folder), ".*")  # of writing that was killed

    def create(self, comparison: Comparison, *, play: bool = False) -> Race:
        """A new race. Raises OSError where it cannot be written, Refusal while too many others go on."""
        if self.moving >= MOST_MOVING:
            raise Refusal(f"races must be at most {MOST_MOVING} at once: wait until one of them has ended.")
        race = Race(
            secrets.token_hex(8),
            comparison,
            self._engine,
            self._trials,
            key=secrets.token_urlsafe(24),
            created=time.time(),
        )
        self.save(race)
        with self._lock:
            self._known[race.id] = race
        if play:
            race.play()
        else:
            race.prepare()
        self._make_room()
        return race

    def get(self, race_id: str) -> Race | None:
        """The race of this id; None where there is none, or its file is damaged."""
        if not isinstance(race_id, str) or not ID.fullmatch(race_id):
            return None
        with self._lock:
            if (race := self._known.get(race_id)) is not None:
                return race
            if (race := self._read(race_id)) is None:
                return None
            self._known[race_id] = race
        race.prepare()
        self._make_room()
        return race

    @property
    def moving(self) -> int:
        """Count of those that go on, or wait for their turn to."""
        with self._lock:
            return sum(race.moving for race in self._known.values())

    def under_way(self, comparison: Comparison) -> Race | None:
        """A race of this comparison that goes on and that anyone may see; None where there is none."""
        with self._lock:
            open_to_all = [race for race in self._known.values() if race.moving and not race.private]
        return next((race for race in open_to_all if race.comparison == comparison), None)

    def of_private(self) -> list[Race]:
        """The races in memory that learn from uploaded tables."""
        with self._lock:
            return [race for race in self._known.values() if race.private]

    def private_recipes(self) -> list[Recipe | None]:
        """The recipes of all races that learn from uploaded tables, in memory and in files; None for a race that
        cannot be read.
        """
        with self._lock:
            known = list(self._known.values())
        there = {race.id for race in known}
        found: list[Recipe | None] = []
        for file in self._folder.glob("*.json"):
            if file.stem not in there and (race := self._read(file.stem)) is not None:
                known.append(race)
            elif file.stem not in there and file.exists():
                found.append(None)
        return [*found, *(recipe for race in known for recipe in race.comparison.recipes if recipe.private)]

    def save(self, race: Race) -> None:
        """Write what is needed to revive a race. Raises OSError."""
        fields = {"comparison": json.loads(race.comparison.to_json()), "key_hash": race.key_hash}
        fields |= {"created": race.created, "status": race.snapshot.status}
        with replacing(self._file(race.id)) as stream:
            stream.write(json.dumps(fields, indent=1).encode())

    def delete(self, race: Race) -> None:
        """End a race and forget it; its trials stay. Raises OSError where its file cannot be removed."""
        self._file(race.id).unlink(missing_ok=True)
        race.deleted = True
        race.cancel()
        with self._lock:
            self._known.pop(race.id, None)

    def shutdown(self) -> Iterator[threading.Thread]:
        """Store every race and end it: the threads that may still be at it."""
        for race in list(self._known.values()):
            with suppress(OSError):
                self.save(race)
            if (thread := race.close()) is not None:
                yield thread

    def _file(self, race_id: str) -> Path:
        return self._folder / f"{race_id}.json"

    def _read(self, race_id: str) -> Race | None:
        try:
            with self._file(race_id).open("rb") as stream:
                fields = json.loads(stream.read(2 * LARGEST))
            comparison = Comparison.from_json(json.dumps(fields["comparison"]))
            key_hash, status = str(fields["key_hash"]), Status(fields["status"])
            created = float(fields["created"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            logger.warning("The race %s cannot be opened: %s.", race_id, why(error))
            return None
        return Race(race_id, comparison, self._engine, self._trials, key_hash=key_hash, status=status, created=created)

    def _make_room(self) -> None:
        with self._lock:
            resting = [race for race in self._known.values() if not race.moving]
            for race in sorted(resting, key=lambda race: race.touched)[: max(0, len(resting) - IN_MEMORY)]:
                with suppress(OSError):  # it stays then
                    self.save(race)
                    del self._known[race.id]
                    race.close()
            known = set(self._known)
        with suppress(OSError):
            there = [file for file in self._folder.glob("*.json") if file.stem not in known]
            files = sorted(there, key=lambda file: file.stat().st_mtime)
            for file in files[: max(0, len(files) - KEPT)]:
                file.unlink(missing_ok=True)
