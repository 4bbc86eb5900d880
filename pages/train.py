"""Train: choose data, a model and a learner, and watch how good the model gets while it learns."""

from pages.parts import workbench

workbench.show("train")
