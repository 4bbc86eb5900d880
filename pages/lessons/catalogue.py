"""The lessons there are, by the names that addresses have for them."""

from pages.lessons.conditional import CONDITIONAL
from pages.lessons.infinite_rbm import INFINITE_RBM
from pages.lessons.lesson import Lesson
from pages.lessons.rbm import RBM
from pages.lessons.zero import ZERO

LESSONS: dict[str, Lesson] = {
    "boltzmann-machine": ZERO,
    "rbm": RBM,
    "infinite-rbm": INFINITE_RBM,
    "crbm": CONDITIONAL,
}
