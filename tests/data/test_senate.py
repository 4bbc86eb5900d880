"""The senate's votes against what is known of them."""

import numpy as np
import pytest

from boltzcore import home
from boltzcore.data import DataUnavailable, load
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


def test_the_recorded_votes_have_gaps_and_a_typing_error(data_folder):
    votes = np.load(data_folder / "senate.npz")["votes"]  # 0 where one is missing, and at the typing error
    votes[33, 2] = 1  # Ye, of the Greens
    assert (votes == 0).sum() == 54
    whole = votes[(votes != 0).all(axis=1)]
    dropped = load("senate", version="as recorded", leave_out="")
    np.testing.assert_array_equal(dropped.train.v, whole > 0)
    assert dropped.names.categories == (("no", "yes"),) * 9
    assert len(load("senate", version="as recorded", leave_out="Govt, LDP").train) == 122
    filled = load("senate", version="as recorded", missing="column mode").train.v
    mode = (votes == 1).sum(axis=0) > (votes == -1).sum(axis=0)
    np.testing.assert_array_equal(filled, np.where(votes == 0, mode, votes > 0)[:, 1:])


def test_the_table_is_found_among_the_assets_and_its_parties_are_named(monkeypatch, tmp_path):
    with pytest.raises(ValueError, match="leave_out"):
        load("senate", leave_out="Govt,Labor")
    assert Senate().options("leave_out") == PARTIES
    monkeypatch.setattr(home, "ASSETS", tmp_path)
    assert not Senate().at_hand()
    with pytest.raises(DataUnavailable, match="senate_imputed"):
        Senate(leave_out="Opp").load()
