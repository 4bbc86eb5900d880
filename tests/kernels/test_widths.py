"""Arrays that are not filled up to whole tiles are refused by name: kernels would write past their ends."""

from functools import partial

import numpy as np
import pytest

from boltzcore.kernels import annealing, dense, messages, rows
from boltzcore.kernels import random as streams
from boltzcore.kernels.ascent import SufficientStatistics
from boltzcore.kernels.rows import RBMArrays

N, N_VISIBLE, N_HIDDEN = 3, 37, 21
BARE, FULL = N_HIDDEN, 32  # widths of a row of hidden units: as it is, and filled up
WRONG_EDGES = [(BARE, BARE, FULL), (64, 64, FULL), (FULL, BARE, FULL), (FULL, FULL, BARE)]
V = np.zeros((N, N_VISIBLE), np.uint8)
B, C = np.zeros(N_VISIBLE, np.float32), np.zeros(N_HIDDEN, np.float32)
STREAM = streams.Stream(np.uint64(0), streams.GIBBS, 0, 0)


def array(*shape, dtype=np.float32):
    return np.zeros(shape, dtype)


def hidden_fields(width, fields):
    rows.hidden_fields(array(N_VISIBLE, width), C, V, array(N, fields))


def gibbs(width, transposed, fields):
    machine = RBMArrays(array(N_VISIBLE, width), array(N_HIDDEN, transposed), B, C)
    rows.gibbs(machine, V.copy(), array(N, fields), STREAM, 0, 1, None)


def probabilities(p):
    rows.probabilities(array(N, FULL), N_HIDDEN, np.float32(1), array(N, p), C.copy())


def add_statistics(p, vp):
    term = SufficientStatistics(array(N_VISIBLE, vp), B.copy(), C.copy(), array(0), array(0))
    rows.add_statistics(V, 0, N_VISIBLE, array(N, p), np.float32(1), term)


def anneal(width, transposed, fields):
    chains = annealing.Chains(V.copy(), array(N, fields), array(N, dtype=np.float64))
    machine = RBMArrays(array(N_VISIBLE, width), array(N_HIDDEN, transposed), B, C)
    annealing.anneal(machine, B, np.array([0, 1], np.float32), chains, STREAM, 1, 2)


def add_product(right, out):
    dense.add_product(array(N, 5), array(5, right), array(N, out))


def add_transposed_product(right, out):
    dense.add_transposed_product(array(5, N), array(5, right), array(N, out), 0, N)


def edges(form, table, sent):
    return messages.Edges(form, array(N_VISIBLE, table) + 1, array(N_VISIBLE, sent) + 1, 32, np.float32(0))


def propagate(form, table, sent, pairwise):
    n = [array(N, k) for k in (N_VISIBLE, N_HIDDEN, N_VISIBLE, N_HIDDEN, 2)]
    instances = messages.Instances(*n, array(N, dtype=np.int64), array(N, dtype=np.bool_))
    messages.propagate(edges(form, table, sent), instances, np.float32(0), 0, N, array(N_VISIBLE, pairwise))


def sweep(table, sent, hidden, parts):
    of_hidden = messages.Hidden(*(array(hidden) + np.float32(0.5) for _ in range(3)))
    sums = array(messages.BLOCKS, parts, dtype=np.float64)
    visible = messages.Visible(B, B.copy())
    messages.sweep(edges(messages.SUM, table, sent), visible, of_hidden, 0, messages.BLOCKS, sums)


def settle(hidden, parts):
    of_hidden = messages.Hidden(*(array(hidden) + np.float32(0.5) for _ in range(3)))
    messages.settle(C, array(messages.BLOCKS, parts, dtype=np.float64), of_hidden)


@pytest.mark.parametrize(
    ("run", "fits", "others"),
    [
        (hidden_fields, (FULL, FULL), [(BARE, FULL), (64, 64), (FULL, BARE)]),
        (gibbs, (FULL, 64, FULL), [(BARE, 64, BARE), (FULL, N_VISIBLE, FULL), (FULL, 64, BARE)]),
        (probabilities, (FULL,), [(BARE,)]),
        (add_statistics, (FULL, FULL), [(BARE, BARE), (FULL, BARE), (BARE, FULL)]),
        (anneal, (FULL, 64, FULL), [(BARE, 64, FULL), (FULL, N_VISIBLE, FULL), (FULL, 64, BARE)]),
        (add_product, (FULL, FULL), [(BARE, BARE), (BARE, FULL), (FULL, BARE), (FULL, 48)]),
        (add_transposed_product, (FULL, FULL), [(BARE, BARE), (BARE, FULL), (FULL, BARE), (FULL, 48)]),
        *((partial(propagate, form), (FULL, FULL, FULL), WRONG_EDGES) for form in (messages.SUM, messages.LOG_MAX)),
        (sweep, (FULL,) * 4, [(BARE, BARE, FULL, FULL), (FULL, BARE, FULL, FULL), (FULL, FULL, BARE, FULL),
                              (FULL, FULL, FULL, BARE)]),
        (settle, (FULL, FULL), [(BARE, FULL), (FULL, BARE)]),
    ],
)  # fmt: skip
def test_only_whole_tiles_are_taken(run, fits, others):
    run(*fits)
    for widths in others:
        with pytest.raises(ValueError, match="wide"):
            run(*widths)
