"""Storage of one run: its unsaved changes, and retries of failed writes."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace

from boltzcore.jobs.files import Saved
from boltzcore.jobs.store import Store
from boltzcore.quoting import error_message, explain

SAVE = 15.0  # seconds between two checkpoints
# Seconds until a failed checkpoint is tried again, at first and at most.
RETRY, LONGEST_RETRY = 2.0, 30.0


class Checkpointer:
    """Saves a run. Its fields except the name change only under the engine's lock; files are written under another
    lock, and the two are never held together.

    name : as in `Saved`; it changes under the lock of the files, so that it never goes back
    unsaved : True if the store does not have all of the run yet
    rewound : True if the run went back to its best state and was not saved since
    deleted : True if nothing of the run may stay on disk
    problem : a sentence on why the last checkpoint failed, "" if it did not
    """

    def __init__(self, store: Store, lock: threading.RLock, saved: Saved, *, unsaved: bool) -> None:
        self.name = saved.name
        self.unsaved, self.rewound, self.deleted, self.problem = unsaved, False, False, ""
        self._store, self._lock, self._disk = store, lock, threading.Lock()
        self._saved_at = time.monotonic()
        self._retry_at, self._retry = 0.0, RETRY  # time of the next attempt, and seconds to wait if it fails

    @property
    def due(self) -> bool:
        """True if a running training should be saved now."""
        return time.monotonic() > self._saved_at + SAVE or (bool(self.problem) and self.wait <= 0)

    @property
    def wait(self) -> float:
        """Seconds until a save makes sense: a recent failure is likely to repeat."""
        return self._retry_at - time.monotonic()

    def save(self, take: Callable[[], Saved], closing: Callable[[], bool]) -> bool:
        """Write the result of `take`, called under the engine's lock; return True if `problem` has changed.

        closing : returns True if the server shuts down, which does not wait for a disk
        """
        with self._lock:
            self.unsaved, rewound = False, self.rewound
            saved = take()
        problem = ""
        try:
            with self._disk:
                if not self.deleted:
                    self._store.save(replace(saved, name=self.name))  # the name may have changed since
        except Exception as error:  # whatever the failure: the training continues
            if not self.problem:
                explain(error, f"Run {saved.id} could not be saved")
            why = error_message(error) if isinstance(error, OSError) else f"internal error ({type(error).__name__})"
            problem = f"This run could not be saved: {why}. Saving is retried."
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
        """Change the name, also in the store, if the run is not deleted. Raises OSError if writing its files fails."""
        with self._disk:
            if not self.deleted:
                self._store.rename(id, name)
                self.name = name

    def delete(self, id: str) -> None:
        """Delete the run from the store. Raises OSError if its files cannot be removed."""
        with self._disk:
            self._store.delete(id)
