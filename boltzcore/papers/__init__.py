"""The papers' experiments, one file per paper; `STUDIES` names them all."""

from boltzcore.papers import (
    conditional,
    conditional_inputs,
    dc_programming,
    equilibrium,
    frank_wolfe,
    frank_wolfe_starts,
    log_linear,
    pseudo_likelihood,
)
from boltzcore.papers.study import Study

STUDIES: dict[str, Study] = {
    **dc_programming.STUDIES,
    **conditional.STUDIES,
    **conditional_inputs.STUDIES,
    **pseudo_likelihood.STUDIES,
    **frank_wolfe.STUDIES,
    **frank_wolfe_starts.STUDIES,
    **log_linear.STUDIES,
    **equilibrium.STUDIES,
}

__all__ = ["STUDIES", "Study"]
