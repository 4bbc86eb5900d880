"""`python -m tests.ladders` trains 40 seeds by PT and by PTT and counts how often log Z along the ladder has the exact
one within its three standard errors: 38 of 40 at the least.
"""

import math
import sys

from boltzcore.data import load
from boltzcore.learners import TemperedPCD, TrajectoryTempering
from boltzcore.models import RBMSetup

SEEDS, ENOUGH, UPDATES = 40, 38, 1_500
CASES = {
    "Bars & Stripes 4 x 4": (load("bars-and-stripes", D=4).train, {"rate": 0.1, "batch_size": 0}),
    "digits": (load("digits").train, {"rate": 0.05, "batch_size": 100}),
}


def main() -> int:
    bad = False
    for name, (rows, fields) in CASES.items():
        for kind in (TemperedPCD, TrajectoryTempering):
            inside, none, far = 0, 0, []
            for seed in range(SEEDS):
                learner = kind(**fields)
                model = RBMSetup(hidden=12).initial(rows, seed=seed)
                state = learner.advance(learner.start(model, rows, seed=seed), rows, updates=UPDATES)
                exact = state.model.log_partition()
                found = learner.log_partition(state)
                inside += found.low <= exact <= found.high
                none += math.isinf(found.high)
                far.append(found.value - exact)
            spread = math.sqrt(sum(each * each for each in far) / SEEDS)
            print(
                f"{name}, {kind.__name__}: {inside} of {SEEDS} within, {none} of these without an interval; "
                f"{spread:.3f} nats off (root mean square), {max(map(abs, far)):.2f} at most",
                flush=True,
            )
            bad = bad or inside < ENOUGH
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
