"""Each public class and function shows an example in its docstring, and what it shows is so."""

import doctest
import importlib
import inspect

import pytest

from pages.handbook.python import PACKAGES, entries_of_names

SHOWN = [
    (package, name)
    for package in PACKAGES
    for name in importlib.import_module(package).__all__
    if ">>>" in (inspect.getdoc(getattr(importlib.import_module(package), name)) or "")
]


def test_every_name_of_the_reference_has_an_example():
    assert [f"{entry.name}.{entry.title}" for entry in entries_of_names() if not entry.code] == []


@pytest.mark.parametrize(("package", "name"), SHOWN)
def test_an_example_gives_what_it_says(package, name):
    text = inspect.getdoc(getattr(importlib.import_module(package), name)) or ""
    example = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    assert any(step.want for step in example.examples)  # it says what comes out
    assert doctest.DocTestRunner().run(example).failed == 0
