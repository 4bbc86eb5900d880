"""All lessons, by their names in addresses."""

from pages.lessons.conditional import CONDITIONAL
from pages.lessons.fully_visible import FULLY_VISIBLE
from pages.lessons.infinite_rbm import INFINITE_RBM
from pages.lessons.landscape import LANDSCAPE
from pages.lessons.lesson import Lesson
from pages.lessons.log_linear import LOG_LINEAR
from pages.lessons.rbm import RBM
from pages.lessons.zero import ZERO

LESSONS: dict[str, Lesson] = {
    "boltzmann-machine": ZERO,
    "rbm": RBM,
    "landscape": LANDSCAPE,
    "fvbm": FULLY_VISIBLE,
    "infinite-rbm": INFINITE_RBM,
    "log-linear": LOG_LINEAR,
    "crbm": CONDITIONAL,
}
