"""The papers' experiments, one file per paper; `STUDIES` names them all."""

from boltzcore.papers import (
    conditional,
    conditional_inputs,
    conditional_rounded,
    dc_programming,
    equal_work,
    equal_work_large,
    equilibrium,
    frank_wolfe,
    frank_wolfe_starts,
    log_linear,
    log_linear_size,
    pseudo_likelihood,
)
from boltzcore.papers.study import Study

STUDIES: dict[str, Study] = {
    **dc_programming.STUDIES,
    **conditional.STUDIES,
    **conditional_rounded.STUDIES,
    **conditional_inputs.STUDIES,
    **pseudo_likelihood.STUDIES,
    **frank_wolfe.STUDIES,
    **frank_wolfe_starts.STUDIES,
    **log_linear.STUDIES,
    **log_linear_size.STUDIES,
    **equilibrium.STUDIES,
    **equal_work.STUDIES,
    **equal_work_large.STUDIES,
}

__all__ = ["STUDIES", "Study"]
