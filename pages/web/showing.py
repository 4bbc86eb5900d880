"""The one rule of what is shown to whom. Every item of a frame, download and route declares what it shows:

- numbers: figures, curves and counts over many rows or parameters
- columns: names of columns and of their values
- samples: what a model may have memorised rows in, its samples, chains and parameters
- rows: rows of the data, and figures of single rows or states
"""

_LEVELS = {"numbers": 1, "columns": 2, "samples": 3, "rows": 4}


def may_see(shows: str, right: str) -> bool:
    """Return whether a viewer who may see as much as `right` may see this; nobody sees what declares nothing."""
    return 0 < _LEVELS.get(shows, 0) <= _LEVELS.get(right, 0)
