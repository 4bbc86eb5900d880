"""What docstrings of public names show is so."""

import doctest
import importlib
import inspect

import pytest

from pages.handbook.python import PACKAGES

SHOWN = [
    (package, name)
    for package in PACKAGES
    for name in importlib.import_module(package).__all__
    if ">>>" in (inspect.getdoc(getattr(importlib.import_module(package), name)) or "")
]


@pytest.mark.parametrize(("package", "name"), SHOWN)
def test_an_example_gives_what_it_says(package, name):
    text = inspect.getdoc(getattr(importlib.import_module(package), name)) or ""
    example = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    assert doctest.DocTestRunner().run(example).failed == 0
