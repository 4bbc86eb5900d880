"""Memory of the process, and the share that trainings may use."""

import numpy as np
import pytest

from boltzcore import limits, memory


@pytest.fixture(autouse=True)
def forget():
    def clear() -> None:
        memory.allowed_bytes.cache_clear()
        limits.limits.cache_clear()

    clear()
    yield clear
    clear()


def test_what_is_used_grows_with_an_array_and_falls_when_it_goes():
    before = memory.used_bytes()
    if before == 0:
        pytest.skip("this system does not tell")
    array = np.ones(256 * memory.MEGA, np.uint8)  # so much that what else the process does counts for nothing
    assert memory.used_bytes() > before + 128 * memory.MEGA
    del array
    assert memory.used_bytes() < before + 128 * memory.MEGA


def test_what_is_allowed_is_half_of_the_machine_or_what_was_said(monkeypatch, forget):
    monkeypatch.delenv("BOLTZCORE_MEMORY", raising=False)
    whole = memory.allowed_bytes()
    assert whole > 64 * memory.MEGA
    for text, allowed in (("300", 300 * memory.MEGA), *((text, whole) for text in ("", "0", "much", "-5", "\u0663"))):
        forget()
        monkeypatch.setenv("BOLTZCORE_MEMORY", text)
        assert memory.allowed_bytes() == allowed
