"""The learners by name."""

from boltzcore.registry.crbm import CRBM_LEARNERS
from boltzcore.registry.infinite_rbm import INFINITE_RBM_LEARNERS
from boltzcore.registry.info import LearnerInfo
from boltzcore.registry.rbm import RBM_LEARNERS
from boltzcore.registry.tables import TABLE_LEARNERS

LEARNERS: dict[str, LearnerInfo] = {
    info.learner.__name__: info for info in (*RBM_LEARNERS, *CRBM_LEARNERS, *TABLE_LEARNERS, *INFINITE_RBM_LEARNERS)
}
