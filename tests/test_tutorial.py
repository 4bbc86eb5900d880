"""The tutorial runs, and its results are so."""

import json
from pathlib import Path

import boltzcore


def test_the_notebook_runs_and_its_results_are_shown():
    notebook = json.loads(Path(boltzcore.__file__).with_name("tutorial.ipynb").read_text(encoding="utf-8"))
    names, results = {}, []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            *lines, last = "".join(cell["source"]).splitlines()
            exec("\n".join(lines), names)
            results.append(eval(last, names))
            assert not cell["outputs"]
    values = [each for each in results if isinstance(each, tuple | float | bool)]
    for each in results:
        if hasattr(each, "to_plotly_json"):
            assert each.to_plotly_json()["data"]
        elif not isinstance(each, tuple | float | bool):
            assert each._repr_html_()
    (log_z, low, high), wrong, same, score = values
    assert low < log_z < high
    assert wrong < 0.5
    assert same
    assert score > 0.8
    assert names["result"].table()["trials"].tolist() == [5, 5]
