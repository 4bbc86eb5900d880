"""Every state of a small model and the data, as a browser receives it."""

import base64
import json

import numpy as np
import pytest

from boltzcore.data import Dataset, Examples
from boltzcore.data.patterns import BarsAndStripes
from pages.figures.landscape import states_of
from tests.models import exact

IMAGES = BarsAndStripes().load()


def numbers(payload, name, kind="<f4"):
    return np.frombuffer(base64.b64decode(payload[name]), kind).astype(np.float64)


def test_a_browser_gets_the_free_energies_and_their_probabilities():
    found = exact.random_rbm(9, 3).landscape()
    payload = json.loads(json.dumps(states_of(found, IMAGES).payload))
    np.testing.assert_allclose(numbers(payload, "p"), found.probabilities, rtol=1e-6)
    np.testing.assert_allclose(numbers(payload, "free_energies"), found.free_energies, rtol=1e-6)
    assert payload["log_z"] == pytest.approx(found.log_partition)


def test_the_data_are_described_by_the_states_that_rows_are_in_and_their_shares():
    rows = Examples(np.array([[0, 0], [1, 0], [1, 0], [1, 1]]), weight=np.array([1, 1, 2, 4.0]))
    payload = states_of(exact.random_rbm(2, 3).landscape(), Dataset(rows, None, rows)).payload
    assert numbers(payload, "there", "<u2").tolist() == [0, 1, 3]
    np.testing.assert_allclose(numbers(payload, "share"), [1 / 8, 3 / 8, 4 / 8])
