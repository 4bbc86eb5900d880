"""How a greedy step grows with the states, on spaces so small that a test can take them."""

from boltzcore.papers import STUDIES, log_linear_size
from boltzcore.ticks import idle

STUDY = STUDIES["fsll-size"]


def test_each_space_tells_its_time_and_its_memory(monkeypatch):
    monkeypatch.setattr(log_linear_size, "SPACES", {"quick": ((2, 12), (3, 8))})
    rows = list(STUDY.rows("quick", idle))
    assert [row["states"] for row in rows] == [2**12, 3**8]
    for row in rows:
        assert min(row["seconds"], row["seconds_two_threads"], row["gap"]) > 0
        assert row["megabytes"] > 2 * 8 * row["states"] / 1e6
    assert f"{3**8:,}" in "\n".join(STUDY.table(rows))


def test_the_paper_s_largest_spaces_are_among_those_of_its_scale():
    assert {(2, 26), (3, 16), (4, 13)} <= set(log_linear_size.SPACES["paper"])


def test_a_column_repeats_the_one_before():
    rows = log_linear_size.chain(3, 5).v
    again = (rows[:, 1:] == rows[:, :-1]).mean()
    assert abs(again - (0.6 + 0.4 / 3)) < 0.01
