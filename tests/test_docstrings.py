"""Each public class and function shows an example in its docstring, and what it shows is so."""

import doctest
import importlib
import inspect

import pytest

from boltzcore.data.source import Source
from boltzcore.learners.base import Learner
from boltzcore.measures.measure import Measure
from boltzcore.models.base import Setup

PACKAGES = (
    "boltzcore",
    *map("boltzcore.{}".format, ("learners", "models", "data", "inference", "measures", "estimators", "plotting")),
)
DECLARED = (Learner, Setup, Source)  # what is made of these shows its fields in the reference

SHOWN = [
    (package, name)
    for package in PACKAGES
    for name in importlib.import_module(package).__all__
    if ">>>" in (inspect.getdoc(getattr(importlib.import_module(package), name)) or "")
]


def test_every_public_name_has_an_example():
    found = []
    for package in PACKAGES:
        module = importlib.import_module(package)
        for name in module.__all__:
            each = getattr(module, name)
            declared = inspect.isclass(each) and issubclass(each, DECLARED) and each not in DECLARED
            if callable(each) and not isinstance(each, Measure) and not declared and inspect.getdoc(each):
                found += [] if ">>>" in inspect.getdoc(each) else [(package, name)]
    assert found == []


@pytest.mark.parametrize(("package", "name"), SHOWN)
def test_an_example_gives_what_it_says(package, name):
    text = inspect.getdoc(getattr(importlib.import_module(package), name)) or ""
    example = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    assert any(step.want for step in example.examples)  # it says what comes out
    assert doctest.DocTestRunner().run(example).failed == 0
