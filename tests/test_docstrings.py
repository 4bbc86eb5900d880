"""Each public class and function shows an example in its docstring, and what it shows is so."""

import doctest
import importlib
import inspect

import pytest

from pages.handbook.sections import PACKAGES, public_names

SHOWN = [
    (package, name)
    for package in PACKAGES
    for name in importlib.import_module(package).__all__
    if ">>>" in (inspect.getdoc(getattr(importlib.import_module(package), name)) or "")
]


def test_every_name_of_the_reference_has_an_example():
    names = [(package, *each) for package in PACKAGES for each in public_names(package)]
    assert [(package, name) for package, name, each in names if ">>>" not in inspect.getdoc(each)] == []


@pytest.mark.parametrize(("package", "name"), SHOWN)
def test_an_example_gives_what_it_says(package, name):
    text = inspect.getdoc(getattr(importlib.import_module(package), name)) or ""
    example = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    assert any(step.want for step in example.examples)  # it says what comes out
    assert doctest.DocTestRunner().run(example).failed == 0
