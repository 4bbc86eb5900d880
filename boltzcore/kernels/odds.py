"""Belief propagation between two layers with messages as odds ratios, in LLVM's own vectors.

A message between binary units is the ratio m(1) / m(0). With E = e**W of an edge, s the ratio last sent over it to the
hidden unit, and the hidden unit's belief as probabilities p (on) and q (off), the ratio to the visible unit is

    r = (s q + E p) / (s q + p) = n / d

and with the visible unit's belief pa, qa the answer to the hidden unit is (n qa + E d pa) / (n qa + d pa). So one array
s serves both directions, r is never formed, and a message up and down costs one division; logarithms are taken of
products of many messages.
A belief that is sent as certain (pa 0 or 1) gives the answers 1 and E: those of mixed-product propagation.
"""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from boltzcore.kernels.simd import TILE, _address, _constant, _flat_floats, _index, _vector

FAST = ("nnan", "ninf", "nsz")


def _splat(builder, value):
    single = builder.insert_element(ir.Constant(_vector, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(
        single, ir.Constant(_vector, ir.Undefined), ir.Constant(ir.VectorType(ir.IntType(32), TILE), [0] * TILE)
    )


def _times(builder, a, b):
    return builder.fmul(a, b, flags=FAST)


def _plus(builder, a, b):
    return builder.fadd(a, b, flags=FAST)


class _Tiles:
    """A loop over tiles: `load` and `address` are of the tile in turn; `end` closes it."""

    def __init__(self, context, builder, kinds, arguments, count):
        self.context, self.builder, self.kinds, self.arguments = context, builder, kinds, arguments
        entry = builder.block
        self._loop, body, self._end = (builder.append_basic_block(name) for name in ("loop", "body", "end"))
        builder.branch(self._loop)
        builder.position_at_end(self._loop)
        self._tile = builder.phi(_index)
        self._tile.add_incoming(_constant(0), entry)
        self._carried = []
        self._entry, self._body, self._count = entry, body, count

    def carry(self, start):
        """A value that goes from tile to tile, `start` before the first."""
        value = self.builder.phi(_vector)
        value.add_incoming(start, self._entry)
        self._carried.append(value)
        return value

    def begin(self):
        self.builder.cbranch(self.builder.icmp_signed("<", self._tile, self._count), self._body, self._end)
        self.builder.position_at_end(self._body)
        self._offset = self.builder.mul(self._tile, _constant(TILE))

    def address(self, k, at):
        """The tile of argument `k`, a flat array, that begins `at` its start."""
        return _address(
            self.context, self.builder, self.kinds[k], self.arguments[k], self.builder.add(at, self._offset)
        )

    def load(self, k, at):
        return self.builder.load(self.address(k, at), align=4)

    def odds(self, s, E, at, p, q):
        """(s q, E, p, n, d) of the tile: `s` and `E` are arguments that begin at `at`, `p` and `q` begin at 0."""
        ratio, factor, on, off = (
            self.load(s, at),
            self.load(E, at),
            self.load(p, _constant(0)),
            self.load(q, _constant(0)),
        )
        kept = _times(self.builder, ratio, off)
        return (
            kept,
            factor,
            on,
            _plus(self.builder, kept, _times(self.builder, factor, on)),
            _plus(self.builder, kept, on),
        )

    def end(self, *carried):
        for value, after in zip(self._carried, carried, strict=True):
            value.add_incoming(after, self.builder.block)
        self._tile.add_incoming(self.builder.add(self._tile, _constant(1)), self.builder.block)
        self.builder.branch(self._loop)
        self.builder.position_at_end(self._end)


@intrinsic
def multiply_odds(typingctx, above, below, to, s, E, at, p, q, count):
    """Products of n and of d over `count` tiles, each lane on its own, into the tiles of `above` and `below` at `to`.

    s, E begin at `at`, p and q at 0; flat float32 arrays.
    """
    _flat_floats(above, below, s, E, p, q)
    signature = types.void(above, below, types.int64, s, E, types.int64, p, q, types.int64)

    def build(context, builder, signature, arguments):
        tiles = _Tiles(context, builder, signature.args, arguments, arguments[8])
        one = ir.Constant(_vector, [1.0] * TILE)
        n_product, d_product = tiles.carry(one), tiles.carry(one)
        tiles.begin()
        _, _, _, n, d = tiles.odds(3, 4, arguments[5], 6, 7)
        tiles.end(_times(builder, n_product, n), _times(builder, d_product, d))
        for k, product in enumerate((n_product, d_product)):
            builder.store(product, _address(context, builder, signature.args[k], arguments[k], arguments[2]), align=4)
        return context.get_dummy_value()

    return signature, build


@intrinsic
def answer_odds(typingctx, s, E, at, p, q, products, on, off, kept, count):
    """s = kept s + (1 - kept) times the answer of a visible unit with belief (on, off), over `count` tiles from `at`.

    products (from 0) *= s.
    """
    _flat_floats(s, E, p, q, products)
    signature = types.void(s, E, types.int64, p, q, products, types.float32, types.float32, types.float32, types.int64)

    def build(context, builder, signature, arguments):
        on, off, kept = (_splat(builder, arguments[k]) for k in (6, 7, 8))
        tiles = _Tiles(context, builder, signature.args, arguments, arguments[9])
        tiles.begin()
        old = tiles.load(0, arguments[2])
        _, E, _, n, d = tiles.odds(0, 1, arguments[2], 3, 4)
        n_off, d_on = _times(builder, n, off), _times(builder, d, on)
        new = builder.fdiv(_plus(builder, n_off, _times(builder, E, d_on)), _plus(builder, n_off, d_on), flags=FAST)
        new = _plus(builder, new, _times(builder, kept, builder.fsub(old, new, flags=FAST)))
        builder.store(new, tiles.address(0, arguments[2]), align=4)
        builder.store(_times(builder, tiles.load(5, _constant(0)), new), tiles.address(5, _constant(0)), align=4)
        tiles.end()
        return context.get_dummy_value()

    return signature, build


@intrinsic
def add_pairwise_odds(typingctx, sums, s, E, at, p, q, on, off, count):
    """sums += P(v = 1, h = 1) of the edges of a visible unit with belief (on, off), over `count` tiles from `at`."""
    _flat_floats(sums, s, E, p, q)
    signature = types.void(sums, s, E, types.int64, p, q, types.float32, types.float32, types.int64)

    def build(context, builder, signature, arguments):
        on, off = (_splat(builder, arguments[k]) for k in (6, 7))
        tiles = _Tiles(context, builder, signature.args, arguments, arguments[8])
        tiles.begin()
        kept, E, p, n, d = tiles.odds(1, 2, arguments[3], 4, 5)
        n_off, d_on = _times(builder, n, off), _times(builder, d, on)
        both = _times(builder, _times(builder, E, d_on), p)
        rest = _plus(builder, _times(builder, n_off, p), _times(builder, kept, _plus(builder, n_off, d_on)))
        belief = builder.fdiv(both, _plus(builder, both, rest), flags=FAST)
        builder.store(_plus(builder, tiles.load(0, arguments[3]), belief), tiles.address(0, arguments[3]), align=4)
        tiles.end()
        return context.get_dummy_value()

    return signature, build
