"""Learners of infinite RBMs."""

from boltzcore import learners
from boltzcore.learners.insertion import frank_wolfe
from boltzcore.measures.measure import NATS, SHARE
from boltzcore.registry.info import LearnerInfo, Suggestion

INFINITE_RBM_LEARNERS = (
    LearnerInfo(
        learners.FrankWolfe,
        title="Frank-Wolfe (FW)",
        source="Ping, Liu and Ihler 2016, Algorithm 1",
        about="Each update inserts the hidden unit along which the likelihood rises fastest, then adjusts the biases "
        "and, by default, the counts of all units.",
        family="FW",
        models=("infinite-rbm",),
        cost="An update inserts one hidden unit and adjusts the biases, or all counts and biases.",
        operations="Products of rows with a unit's weights, forward and backward, for each evaluation of the inner "
        "objective; those of chains, or of all states, with all units; and each evaluation of J during corrections.",
        stop_reason="No further hidden unit is worth inserting.",
        advice=(
            lambda fw: "a smaller norm ball than {ball}" if fw.ball else "a larger penalty than {lambda_}",
            lambda fw: "the full correction" * (fw.correction == "none"),
        ),
        units={
            frank_wolfe.GAP: NATS,
            frank_wolfe.INNER: NATS,
            frank_wolfe.OBJECTIVE: NATS,
            frank_wolfe.UNITS: "units",
            frank_wolfe.ALPHA: "units",
            frank_wolfe.EFFECTIVE: "samples",
            frank_wolfe.ACCEPTED: SHARE,
        },
        length=(100, "updates"),
        suggested=(  # more and wider searches if all states are summed over; else the cheapest step
            Suggestion(20, fields={"sigma": 1.0, "restarts": 10}, columns=frank_wolfe.EXACT),
            Suggestion(
                15,
                fields={"correction": "none", "lambda_": 0.05, "K": 50, "steps": 300, "M": 100, "rate": 0.2},
            ),
        ),
        max_new_units=frank_wolfe.max_new_units,
        divergence_sign=frank_wolfe.divergence_sign,
        divergence_fix=frank_wolfe.larger_penalty,
    ),
)
