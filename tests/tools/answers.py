"""Check that the measured result of every preset of Compare still holds: `python -m tests.tools.answers [NAME ...]`.

Trains what is not stored; all of them take some ten minutes on two cores.
"""

import sys

from boltzcore import compare
from boltzcore.comparison.presets import COMPARISON_PRESETS
from boltzcore.comparison.trials import TrialStore
from boltzcore.home import folder


def main(names: list[str]) -> int:
    """Print each preset whose claims are others than those beside it; return how many there are."""
    store, wrong = TrialStore(folder("trials")), 0
    for name in names or COMPARISON_PRESETS:
        preset = COMPARISON_PRESETS[name]
        result = compare(preset.comparison, store=store)
        found = {contender: each.mean for contender, each in result.differences().items() if each.claimed}
        better = {contender for contender, mean in found.items() if mean > 0}
        holds = (better, found.keys() - better) == (set(preset.better), set(preset.worse))
        wrong += not holds
        print(f"{name}: {'holds' if holds else 'is another'}. {result.sentence()}", flush=True)
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
