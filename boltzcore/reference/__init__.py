"""One update of each learner in plain numpy, to be read alongside the paper.

A file holds one algorithm: a generator that yields `(phase, arrays)` in the order of the paper and draws the same
random numbers as the kernels. The tests compare the kernels with it, and the page "One step" shows its phases. `trace`
follows the next update of a training.

>>> from boltzcore.data import load
>>> from boltzcore.learners import CD
>>> from boltzcore.models import RBMSetup
>>> from boltzcore.reference import trace
>>> rows, cd = load("bars-and-stripes").train, CD(K=1)
>>> state = cd.start(RBMSetup(hidden=4).initial(rows, seed=0), rows, seed=0)
>>> [phase.kind for phase in trace(cd, state, rows).phases]
['data', 'start', 'hidden', 'visible', 'end', 'difference', 'new']
"""

from boltzcore.reference import traces
from boltzcore.reference.trace import has_reference, trace

__all__ = ["has_reference", "trace", "traces"]
