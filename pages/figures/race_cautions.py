"""What to bear in mind of a race that has ended: who had hardly begun to learn, and who was learning still."""

from boltzcore.comparison.result import Result
from boltzcore.plotting.comparison_curves import middle

HARDLY = 0.05  # of what the contender that gained most has gained
LATE, MUCH = 0.8, 0.1  # from this share of the cost on, more than this share of its own gain


def cautions(result: Result) -> list[str]:
    """Sentences on medians over the trials that say little of what a larger cost would bring."""
    gains: dict[str, tuple[float, float]] = {}  # in all, and late
    for name, outcomes in result.outcomes.items():
        costs, medians = middle(outcomes)
        if costs:
            before = [value for cost, value in zip(costs, medians, strict=True) if cost <= LATE * costs[-1]]
            gains[name] = medians[-1] - medians[0], medians[-1] - (before or medians)[-1]
    most = max((gain for gain, _ in gains.values()), default=0.0)
    if most <= 0:
        return []
    found = []
    if fallen := [name for name, (gain, _) in gains.items() if gain <= -HARDLY * most]:
        found.append(f"{_listed(fallen)} ended worse than {'it' if len(fallen) == 1 else 'they'} began.")
    if hardly := [name for name, (gain, _) in gains.items() if abs(gain) < HARDLY * most]:
        have = "has" if len(hardly) == 1 else "have"
        found.append(f"{_listed(hardly)} {have} hardly left the start: at a larger cost the order may be different.")
    learnt = {name: gain for name, gain in gains.items() if name not in hardly + fallen}
    if still := [name for name, (gain, late) in learnt.items() if late > MUCH * gain]:
        found.append(f"{_listed(still)} {'was' if len(still) == 1 else 'were'} still gaining at the end.")
    return found


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, ("; ".join(names[:-1]), names[-1])))
