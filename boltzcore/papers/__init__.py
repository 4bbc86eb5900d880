"""The papers' experiments, one file per paper; `STUDIES` names them all."""

from boltzcore.papers import conditional, dc_programming, equilibrium, frank_wolfe, log_linear, pseudo_likelihood
from boltzcore.papers.study import Study

STUDIES: dict[str, Study] = {
    **dc_programming.STUDIES,
    **conditional.STUDIES,
    **pseudo_likelihood.STUDIES,
    **frank_wolfe.STUDIES,
    **log_linear.STUDIES,
    **equilibrium.STUDIES,
}

__all__ = ["STUDIES", "Study"]
