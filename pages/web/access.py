"""The one rule of access. Every item of a frame, download and route declares what it shows:

- numbers: figures, curves and counts over many rows or parameters
- columns: names of columns and of their values
- samples: a model's samples, chains and parameters, in which it may have memorised rows
- rows: rows of the data, and figures of single rows or states
"""

_LEVELS = {"numbers": 1, "columns": 2, "samples": 3, "rows": 4}


def may_see(shows: str, right: str) -> bool:
    """Return True if a viewer with this right may see this; an item without a declaration is never seen."""
    return 0 < _LEVELS.get(shows, 0) <= _LEVELS.get(right, 0)
