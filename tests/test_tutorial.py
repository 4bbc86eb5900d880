"""The tutorial runs, and what it says is so."""

import json
import re
from pathlib import Path

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


def test_the_notebook_runs_and_its_results_are_shown():
    notebook = json.loads(Path(tutorial.__file__).with_suffix(".ipynb").read_text(encoding="utf-8"))
    names: dict = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            *lines, last = "".join(cell["source"]).splitlines()
            exec("\n".join(lines), names)
            shown = eval(last, names)
            assert not cell["outputs"]
            assert shown.to_plotly_json()["data"] if hasattr(shown, "to_plotly_json") else shown._repr_html_()
    assert names["result"].table()["trials"].tolist() == [5, 5]
