"""The pictures shown while kernels are compiled are those that the command records, on any processor."""

import numpy as np

from boltzcore.home import asset
from pages.figures import recording

MOST = 1_000_000  # bytes


def test_the_recording_is_small_and_begins_as_the_command_records_it():
    assert asset(recording.FILE).stat().st_size <= MOST
    kept, (learnt, epochs) = recording.load_recording(), recording.learning(2)
    np.testing.assert_array_equal(kept["learning"][:2], learnt)
    np.testing.assert_array_equal(kept["epochs"][:2], epochs)
    np.testing.assert_array_equal(kept["dreams"][:2], recording.dreams(2))
    assert {len(each) for each in kept.values()} == {recording.FRAMES}
