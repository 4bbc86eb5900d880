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
            inside, far = 0, []
            for seed in range(SEEDS):
                learner = kind(**fields)
                model = RBMSetup(hidden=12).initial(rows, seed=seed)
                state = learner.advance(learner.start(model, rows, seed=seed), rows, updates=UPDATES)
                exact = state.model.log_partition()
                inside += state.info["ladder_log_z_low"] <= exact <= state.info["ladder_log_z_high"]
                far.append(state.info["ladder_log_z"] - exact)
            spread = math.sqrt(sum(each * each for each in far) / SEEDS)
            print(
                f"{name}, {kind.__name__}: {inside} of {SEEDS} within; {spread:.3f} nats off (root mean square), "
                f"{max(map(abs, far)):.2f} at most",
                flush=True,
            )
            bad = bad or inside < ENOUGH
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
