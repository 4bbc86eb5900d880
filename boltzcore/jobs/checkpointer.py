"""One run on disk: what is not saved yet, and when what could not be written is tried again."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace

from boltzcore.jobs.files import Saved
from boltzcore.jobs.store import Store
from boltzcore.quoting import explained, why

SAVE = 15.0  # seconds between two checkpoints
# Seconds until a checkpoint that could not be written is tried again, at first and ever.
RETRY, LONGEST_RETRY = 2.0, 30.0


class Checkpointer:
    """Saves a run. What it knows changes under the lock of the engine alone, but its name; files are written under
    another one, and the two are never held together.

    name : as of `Saved`; it changes under the lock of the files, so that it never goes back
    unsaved : whether the store has not got all of the run yet
    rewound : whether the run went back to its best state and was not saved since
    deleted : whether nothing of the run may be kept on disk any more
    problem : a sentence on why the last checkpoint could not be written, "" where it could
    """

    def __init__(self, store: Store, lock: threading.RLock, saved: Saved, *, unsaved: bool) -> None:
        self.name = saved.name
        self.unsaved, self.rewound, self.deleted, self.problem = unsaved, False, False, ""
        self._store, self._lock, self._disk = store, lock, threading.Lock()
        self._saved_at = time.monotonic()
        self._retry_at, self._retry = 0.0, RETRY  # when a checkpoint may be tried again, and what is waited if it fails

    @property
    def due(self) -> bool:
        """True if a training that runs should be saved now."""
        return time.monotonic() > self._saved_at + SAVE or (bool(self.problem) and self.wait <= 0)

    @property
    def wait(self) -> float:
        """Seconds until it is of use to save: what failed a moment ago may fail again."""
        return self._retry_at - time.monotonic()

    def save(self, take: Callable[[], Saved], closing: Callable[[], bool]) -> bool:
        """Write what `take` gives under the lock of the engine; whether `problem` has changed.

        closing : whether the server ends, which waits for no disk
        """
        with self._lock:
            self.unsaved, rewound = False, self.rewound
            saved = take()
        problem = ""
        try:
            with self._disk:
                if not self.deleted:
                    self._store.save(replace(saved, name=self.name))  # it may have changed since
        except Exception as error:  # whatever keeps it from the disk: the training goes on
            if not self.problem:
                explained(error, f"Run {saved.id} could not be saved")
            problem = f"This run could not be saved: {why(error)}. Saving is retried."
        with self._lock:
            self._saved_at = time.monotonic()
            if problem:
                self.unsaved |= not closing()
                self._retry_at, self._retry = self._saved_at + self._retry, min(2 * self._retry, LONGEST_RETRY)
            else:
                self._retry_at, self._retry = 0.0, RETRY
                self.rewound &= not rewound
            changed, self.problem = problem != self.problem, problem
            return changed

    def rename(self, id: str, name: str) -> None:
        """Change the name, also in the store; nothing happens to a run that is deleted. Raises OSError if its files
        cannot be written.
        """
        with self._disk:
            if not self.deleted:
                self._store.rename(id, name)
                self.name = name

    def delete(self, id: str) -> None:
        """Have the store forget the run. Raises OSError where its files cannot be removed."""
        with self._disk:
            self._store.delete(id)
