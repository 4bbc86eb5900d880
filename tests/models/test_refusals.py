"""Arrays that are no model are refused by name."""

import numpy as np
import pytest

from boltzcore.models import CRBM, FVBM, RBM, InfiniteRBM, LogLinear, Potts

ZERO = np.zeros
RBM_ARRAYS = {"W": ZERO((3, 2)), "b": ZERO(3), "c": ZERO(2)}
CRBM_ARRAYS = {"W": ZERO((4, 3)), "W_vx": ZERO((4, 5)), "W_hx": ZERO((3, 5)), "b_v": ZERO(4), "b_h": ZERO(3)}
WRONG = [
    (RBM, RBM_ARRAYS, "W", (ZERO((3, 3)), ZERO(3), np.full((3, 2), np.nan), [[0], [0, 1]])),
    (RBM, {"b": ZERO(0), "c": ZERO(2)}, "W", (ZERO((0, 2)),)),
    (RBM, RBM_ARRAYS, "b", (np.full(3, np.inf),)),
    (RBM, RBM_ARRAYS, "c", (np.array(["a", "b"]),)),
    (CRBM, CRBM_ARRAYS, "W", (ZERO((4, 2)), ZERO(4))),
    (CRBM, CRBM_ARRAYS, "W_vx", (ZERO((3, 5)), ZERO((4, 0)))),
    (CRBM, CRBM_ARRAYS, "W_hx", (ZERO((3, 4)), np.full((3, 5), np.nan))),
    (CRBM, CRBM_ARRAYS, "b_v", (np.full(4, np.inf),)),
    (CRBM, CRBM_ARRAYS, "b_h", (np.array(["a"] * 3),)),
    # not symmetric, a diagonal, another size
    (FVBM, {"b": ZERO(2)}, "M", ([[0, 1], [2, 0]], [[1, 0], [0, 0]], [[0.0]], [[0, np.inf], [np.inf, 0]])),
    (FVBM, {"M": ZERO((2, 2))}, "b", ([0.0, -1e101], ["x", "y"])),
    (InfiniteRBM, {"counts": [1], "b": [0, 0]}, "units", (ZERO((2, 3)), np.full((1, 3), np.nan))),
    (InfiniteRBM, {"units": ZERO((1, 3)), "b": [0, 0]}, "counts", ([-1], [2e6])),
    (InfiniteRBM, {"units": ZERO((1, 1)), "counts": [1]}, "b", ([],)),
    (Potts, {"h": ZERO(5), "J": ZERO((5, 5))}, "levels", ([], [0, 5], [2.0, 3.0], [[2, 3]])),
    (Potts, {"levels": [2, 3], "J": ZERO((5, 5))}, "h", (ZERO(4), ZERO((5, 1)), [np.nan] * 5, [1e101] * 5)),
    (Potts, {"levels": [1, 1], "h": ZERO(2)}, "J", (ZERO((1, 1)), [[0, 1], [2, 0]], [[1, 0], [0, 0]])),
    (LogLinear, {"theta": {}}, "cardinalities", ((2,) * 40, np.full(100_000, 2**62), (2, 0))),
    (LogLinear, {"cardinalities": (2, 2)}, "theta", ({0: 1.0}, {4: 1.0}, {1.5: 1.0}, {2**70: 1.0})),
    (LogLinear, {"cardinalities": (2, 2)}, "theta", ({1: np.nan}, {1: -1e101}, {1: "x"}, ZERO(4))),
]


@pytest.mark.parametrize(("kind", "rest", "name", "wrong"), [(*row[:3], each) for row in WRONG for each in row[3]])
def test_what_is_no_model_is_refused(kind, rest, name, wrong):
    named = {"M": "[Mb]", "b": "[Mb]", "units": "(units|counts|b)", "theta": "(terms|values|theta)"}.get(name, name)
    with pytest.raises(ValueError, match=rf"{named} must|no side empty|at most 2\^26 states"):
        kind(**{**rest, name: wrong})
