"""The senate's votes against what is known of them."""

import numpy as np
import pytest

from boltzcore import home
from boltzcore.data import load
from boltzcore.data.senate import Senate

PARTIES = ("Govt", "Opp", "AG", "NXT", "PHON", "LDP", "JLN", "DHJP", "Cull")


def test_the_imputed_votes_are_those_of_the_published_arrays(data_folder):
    published = np.load(data_folder / "senate.npz")["imputed"]
    data = load("senate")
    np.testing.assert_array_equal(data.train.v, published[:, 1:] > 0)
    assert data.test is data.train
    assert data.names.columns == PARTIES[1:]
    assert data.names.categories == (("-1", "+1"),) * 8
    assert data.shape is None
    whole = load("senate", leave_out="")
    np.testing.assert_array_equal(whole.train.v, published > 0)
    assert whole.names.columns == PARTIES


def test_the_table_is_found_among_the_assets_and_its_parties_are_named(monkeypatch, tmp_path):
    with pytest.raises(ValueError, match="leave_out"):
        load("senate", leave_out="Govt,Labor")
    assert Senate().options("leave_out") == PARTIES
    monkeypatch.setattr(home, "ASSETS", tmp_path)
    assert not Senate().at_hand()
    with pytest.raises(ValueError, match="senate_imputed"):
        Senate(leave_out="Opp").load()
