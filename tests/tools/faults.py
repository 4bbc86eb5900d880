"""Check that the tests find faults: `python -m tests.tools.faults [--only N] [-- arguments of pytest]`.

For each fault the tracked files are copied to a temporary folder, the fault is put in, and the tests that should find
it run. Compiled kernels are shared with the checkout, except for faults in kernels, which are compiled in the copy.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import click

REPOSITORY = Path(__file__).resolve().parents[2]

# The file and the tests below `tests`, then the text that must occur once, and the text in its place.
FAULTS = r"""
boltzcore/models/rbm.py models/test_rbm.py
-return -self.free_energy(v, tick=tick) - log_z
+return -self.free_energy(v, tick=tick) + log_z
boltzcore/models/pseudo_likelihood.py models/test_pseudo_likelihood.py
-np.asarray(2.0 * expit(-2.0 * margins(x, M, b)))
+np.asarray(2.0 * expit(2.0 * margins(x, M, b)))
boltzcore/models/pseudo_likelihood.py models/test_pseudo_likelihood.py
-4.0 * expit(odds) * expit(-odds)
+2.0 * expit(odds) * expit(-odds)
boltzcore/inference/annealing.py inference/test_annealing.py
-return rbm.n_hidden * math.log(2) +
+return rbm.n_visible * math.log(2) +
boltzcore/models/spectrum.py models/test_spectrum.py models/test_log_linear.py
-rest, out[:, i] = rest // size, rest % size
+rest, out[:, -1 - i] = rest // size, rest % size
boltzcore/learners/batches.py learners/test_family.py learners/test_contrastive.py
-self.size * np.arange(at, at + len(order))
+self.size * np.arange(len(order))
boltzcore/training/schedule.py runs/test_timetable.py
-self._regular(self.length - 1) + 1 - self._regular(count)
+self._regular(self.length - 1) - self._regular(count)
boltzcore/measures/term_estimates.py measures/test_term_estimates.py
-(functions - target) * np.sqrt(share)[:, None]
+functions * np.sqrt(share)[:, None]
boltzcore/data/bayes_net.py data/test_truths.py
-generator.permutation(i)[: self.parents]
+generator.permutation(i + 1)[: self.parents]
boltzcore/kernels/bennett.py kernels/test_exchange.py
-low, high = (middle, high) if excess(middle) < 0.0
+low, high = (middle, high) if excess(middle) > 0.0
boltzcore/models/rbm.py models/test_rbm.py
-self.sigma, seed, streams.INITIAL)
+self.sigma, 0, streams.INITIAL)
boltzcore/measures/paired.py measures/test_paired.py
-p = min(1.0, 2 * family * float(
+p = min(1.0, family * float(
boltzcore/measures/paired.py measures/test_paired.py
-stdtrit(n - 1, LEVEL / family / 2)
+stdtrit(n - 1, LEVEL / 2)
boltzcore/parameters.py test_parameters.py
-(self.high is not None and number > self.high)
+(self.high is not None and number > self.high + 1)
boltzcore/home.py runs/test_trials.py
-fcntl.flock(held, fcntl.LOCK_EX)
+pass
boltzcore/comparison/trials.py runs/test_trials.py
-json.dumps([recipe.to_query(), data, versions_of([recipe])], sort_keys=True)
+json.dumps([recipe.to_query(), data], sort_keys=True)
boltzcore/jobs/engine.py runs/test_kept_runs.py
-            if run_id in self._deleted:
-                return None
-            run = self._known.get(run_id)
+            run = self._known.get(run_id)
boltzcore/jobs/training_job.py runs/test_engine.py runs/test_kept_runs.py
-self._preparing, self._checkpointer.unsaved = False, True
+self._preparing = False
boltzcore/jobs/turns.py runs/test_turns.py
-len(self._admitted) < self.least and
+len(self._admitted) <= self.least and
boltzcore/quoting.py test_quoting.py
-if text.lstrip()[:1] in _FORMULA
+if text[:1] in _FORMULA
pages/rooms/answers.py rooms/test_answers.py
-{html.escape(option)}
+{option}
boltzcore/arrays.py data/test_array_files.py
-if member.file_size > left + _HEADER_BYTES:
+if member.compress_size > left + _HEADER_BYTES:
boltzcore/arrays.py data/test_array_files.py
-for first in range(0, flat.size if finite and
+for first in range(_PIECE, flat.size if finite and
boltzcore/data/files.py data/test_finding_files.py
-known_hash=file.checksum
+known_hash=None
pages/figures/frame.py live/test_shown.py
-beside=seen(self.beside)
+beside=tuple(self.beside)
pages/common/lab.py pages/test_private_tables.py
-not source.digest or grant_of(source.digest) is not None
+not source.digest or source.at_hand()
pages/web/limiter.py live/test_limiter.py
-        with self._lock:
+        if limit.seconds:
pages/web/limiter.py live/test_limiter.py
-held[UPLOADERS.get(each, by)] += sum(
+held[UPLOADERS.get(each, by)] = sum(
pages/stream/watching.py live/test_shares.py
-self._streams[by] += 1
+self._streams[by] = 1
pages/rooms/registry.py rooms/test_room.py
-admit("rooms", by, Counter(room.by for room in self._rooms.values()))
+admit("rooms", by, Counter({room.by for room in self._rooms.values()}))
"""


@dataclass(frozen=True)
class Fault:
    """A text of a file, the wrong text in its place, and the files of the tests that should find it."""

    file: str
    tests: list[str]
    text: str
    wrong: str


def faults() -> list[Fault]:
    """Return the faults of `FAULTS`."""
    found = []
    for file, tests, *texts in re.findall(r"^([a-z]\S+) (.+)\n((?:-.*\n)+)((?:\+.*\n)+)", FAULTS, re.MULTILINE):
        old, new = (re.sub("(?m)^.", "", lines).rstrip("\n") for lines in texts)
        found.append(Fault(file, [f"tests/{each}" for each in tests.split()], old, new))
    return found


def check(fault: Fault, arguments: list[str]) -> str:
    """Return "found", "MISSED" or an error."""
    with tempfile.TemporaryDirectory(prefix="fault-") as folder:
        copy, own = Path(folder) / "checkout", fault.file.startswith("boltzcore/kernels/")
        (copy.parent / "shared").symlink_to(REPOSITORY.parent / "shared")  # data, as tests/conftest.py finds them
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=REPOSITORY, capture_output=True, text=True, check=True)
        for name in filter(None, listed.stdout.split("\0")):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(REPOSITORY / name, copy / name)
        if (source := (copy / fault.file).read_text(encoding="utf-8")).count(fault.text) != 1:
            return "error: the text must occur once"
        (copy / fault.file).write_text(source.replace(fault.text, fault.wrong), encoding="utf-8")
        environment = os.environ | ({"BOLTZCORE_HOME": str(copy / "home")} if own else {})
        command = [sys.executable, "-m", "pytest", "-n", "0", "-x", "-q", *arguments, *fault.tests]
        code = subprocess.run(command, cwd=copy, env=environment, capture_output=True, check=False).returncode
        return {0: "MISSED", 1: "found"}.get(code, f"error: pytest ended with {code}")


@click.command(context_settings={"ignore_unknown_options": True})
@click.option("--only", type=int, multiple=True, help="Number of a fault; may be given again.")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def main(only: tuple[int, ...], arguments: tuple[str, ...]) -> None:
    """Put each fault into a copy and print whether the tests find it. ARGUMENTS go to pytest."""
    missed = 0
    for number, fault in enumerate(faults(), 1):
        if not only or number in only:
            began, outcome = time.monotonic(), check(fault, list(arguments))
            missed += outcome != "found"
            print(f"{number:2}  {outcome:8} {time.monotonic() - began:6.1f} s  {fault.file}: {fault.wrong}", flush=True)
    sys.exit(missed > 0)


if __name__ == "__main__":
    main()
