"""The tutorial runs, and what it says is so."""

import re

from boltzcore import tutorial


def test_the_tutorial_runs_and_learns(capsys):
    tutorial.main(scale=0.06)
    said = capsys.readouterr().out
    assert [int(each) for each in dict.fromkeys(re.findall(r"^(\d)\. ", said, re.MULTILINE))] == list(range(1, 9))
    heights = [float(each) for each in re.findall(r"(-[\d.]+) nats", said)]
    assert heights[-1] > heights[0]
    exact, low, high = map(float, re.search(r"is ([\d.]+);.*between ([\d.]+) and ([\d.]+)", said).groups())
    assert low <= exact <= high
    assert "saved and loaded: True" in said
