"""The digits that the first page shows are those that the command records, on any processor."""

import numpy as np

from boltzcore.home import asset
from pages.figures import recording

MOST = 1_000_000  # bytes


def test_the_recording_is_small_and_begins_as_the_command_records_it():
    assert asset(recording.FILE).stat().st_size <= MOST
    kept = recording.load_recording()
    np.testing.assert_array_equal(kept[:2], recording.record(2))
    assert len(kept) == recording.FRAMES
