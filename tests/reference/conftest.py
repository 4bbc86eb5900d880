"""Fixtures for tests of reference updates."""

from tests.learners.conftest import kernels as kernels
