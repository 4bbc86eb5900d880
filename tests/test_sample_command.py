"""`sample`: rows of a model file, in a file of their own."""

import numpy as np
import pytest

from boltzcore import models
from boltzcore.names import Names
from boltzcore.warm import blank_crbm
from tests.inference.test_equilibrium import two_modes


@pytest.fixture
def file(tmp_path):
    file = tmp_path / "model.npz"
    two_modes(-2.0).save(file)
    return str(file)


def test_samples_are_written_and_log_z_is_printed(file, tmp_path, run_json):
    out = tmp_path / "samples.csv"
    found = run_json("sample", file, "-n", "250", "--out", out)
    rows = np.loadtxt(out, delimiter=",", skiprows=1)
    assert rows.shape == (found["samples"], 12) == (250, 12)
    assert set(np.unique(rows)) == {0, 1}
    assert found["exact"]
    assert found["effective"] == 250
    assert found["log_z_low"] == pytest.approx(two_modes(-2.0).log_partition()) == found["log_z_high"]
    models.InfiniteRBM.from_rbm(two_modes(-2.0)).save(file)
    assert run_json("sample", file)["log_z"] == pytest.approx(found["log_z"])


def test_samples_of_a_potts_model_start_from_data_and_have_their_values(tmp_path, run_json, refuse):
    file, table, out = tmp_path / "model.npz", tmp_path / "table.csv", tmp_path / "rows.csv"
    values, rng = tuple("abcd"), np.random.default_rng(0)
    names, h = tuple(f"q{i}" for i in range(14)), rng.normal(size=(14, 4))
    model = models.Potts(np.full(14, 4), h.ravel(), np.zeros((56, 56)))
    model.save(file, names=Names(names, (values,) * 14))
    lines = (*names, "more"), *((*row, "7") for row in zip(*(rng.permutation(values) for _ in names), strict=True))
    table.write_text("\n".join(map(",".join, lines)))
    found = run_json("sample", file, "-n", "100", "--data", table, "--set", "leave_out=more", "--out", out)
    assert not found["exact"]
    assert found["log_z_low"] <= np.logaddexp.reduce(h, axis=1).sum() <= found["log_z_high"]
    drawn = np.loadtxt(out, str, delimiter=",")
    assert (tuple(drawn[0]), set(drawn[1:].flat)) == (names, set(values))
    refuse("sample", file, "--data", "senate")


def test_what_cannot_be_sampled_is_refused(file, tmp_path, refuse):
    table, other = tmp_path / "table.csv", tmp_path / "other.npz"
    table.write_text("\n".join(",".join(str((i + k) % 3) for k in range(12)) for i in range(60)))
    blank_crbm().save(other)
    refused = ["-n", "0"], ["--data", "digits"], ["--data", str(table)], ["--out", file], ["--set", "test=0"]
    for arguments in ([str(other)], *([file, *each] for each in refused)):
        refuse("sample", *arguments)
