"""Rows as studies make them, without the trainings: as few as show what their charts are drawn of."""

from typing import Any

from boltzcore.papers import conditional_tasks, dc_programming, frank_wolfe, stored

AIS = "test_log_likelihood_ais"
LARGE = {
    "dcp-mnist": dc_programming.five("mnist"),
    "dcp-omniglot": dc_programming.five("omniglot"),
    "dcp-spectral": dc_programming.spectral(),
    "dcp-rates": dc_programming.rates(),
    "dcp-inner-steps": dc_programming.inner_steps(),
    "dcp-batches": dc_programming.batches(),
    "dcp-starts": dc_programming.starts(),
}
FW = {"fw-figure-1": "test", "fw-figure-2": "error", "fw-corrected": "test"}
LIKE = {"bslm-couplings": "bslm-figure-1", "dcp-chains": "dcp-small"}  # rows of the same shape


def rows_of(study: str) -> list[dict[str, Any]]:
    """Rows of a study: those that are stored, where the tests remake them, else made up."""
    if study in LARGE:
        return [
            {"training": name, "epoch": epoch, AIS: -200.0 + epoch + place, f"{AIS}_low": -201.0 + epoch + place}
            for place, name in enumerate(LARGE[study])
            for epoch in (1, 5, 10)
        ]
    if study in FW:
        return [
            {"data": data, "method": method, "units": units, "seconds": 1.0, "gap": 0.5, FW[study]: -100.0 - units}
            for data in frank_wolfe.DATA
            for method in (frank_wolfe.FW, frank_wolfe.RANDOM, frank_wolfe.AFTER)
            for units in (20, 40)
        ]
    if study in conditional_tasks.TASKS:
        return _errors((conditional_tasks.TASKS[study],), tuple(conditional_tasks.METHODS))
    if study == "crbm-sizes":
        return _errors(conditional_tasks.LEVELS, ("CD-10", "MLE-BP"))
    return [dict(row) for row in next(iter(stored.results(LIKE.get(study, study)).values())).rows]


def _errors(tasks: tuple[conditional_tasks.Task, ...], methods: tuple[str, ...]) -> list[dict[str, Any]]:
    rows = []
    for task in tasks:
        title = conditional_tasks.title_of(task)
        rows.append({"task": title, "method": conditional_tasks.NOTHING, "all": 10.0, "changed": 100.0})
        for place, name in enumerate(methods):
            share = [100.0, 90.0, 95.0] if "BP" in name or "SVM" in name else None
            rows.append({"task": title, "method": name, "all": 2.0 + place, "changed": 20.0, "converged": share})
    return rows
