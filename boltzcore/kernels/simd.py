"""Loops that must stay in vector registers, written in LLVM's own vectors.

A compiler cannot know that rows of one flat array do not overlap, so it would reload and store the
sum at every row; here the sum is a register until the last row is in.
"""

from functools import partial

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

from boltzcore.kernels import kernel

TILE = 32  # float32 values of a matrix row side by side
LANES = 16  # rows of a batch side by side
LINE = 16  # float32 values of a cache line
CHUNK = 16  # groups of four units that are listed and tabled at a time

FAST = ("nnan", "ninf", "nsz")

_vector = ir.VectorType(ir.FloatType(), TILE)
_lanes = ir.VectorType(ir.FloatType(), LANES)
_doubles = ir.VectorType(ir.DoubleType(), LANES)
_index = ir.IntType(64)
_word = ir.IntType(32)


def _constant(k):
    return ir.Constant(_index, k)


def _address(context, builder, array_type, array, offset, vector=_vector):
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [offset]), vector.as_pointer())


def _broadcast(builder, value, vector=_lanes):
    single = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.Constant(_word, 0))
    zeros = ir.Constant(ir.VectorType(_word, vector.count), [0] * vector.count)
    return builder.shuffle_vector(single, ir.Constant(vector, ir.Undefined), zeros)


def _require(array, dtype):
    if not (isinstance(array, types.Array) and array.ndim == 1 and array.dtype == dtype and array.layout == "C"):
        raise TypingError(f"expected a flat {dtype} array, not {array}")


def _flat_floats(*arrays):
    for array in arrays:
        _require(array, numba.float32)


@kernel
def at_line(n):
    """Return n float32 values, not set, aligned to a cache line: a vector that straddles two takes twice as long."""
    raw = np.empty(n + LINE, np.float32)
    skip = -(raw.ctypes.data // 4) % LINE
    return raw[skip : skip + n]


@intrinsic
def trailing_zeros(typingctx, word):
    """Number of trailing zero bits of a uint64, which must not be 0."""
    signature = types.int64(types.uint64)

    def build(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return signature, build


@intrinsic
def copy_tile(typingctx, out, at, a, i):
    """out[at : at + TILE] = a[i : i + TILE], flat float32 arrays."""
    _flat_floats(out, a)
    signature = types.void(out, types.int64, a, types.int64)

    def build(context, builder, signature, arguments):
        kinds = signature.args
        target, source = (_address(context, builder, kinds[k], arguments[k], arguments[k + 1]) for k in (0, 2))
        builder.store(builder.load(source, align=4), target, align=4)
        return context.get_dummy_value()

    return signature, build


@intrinsic
def table_tiles(typingctx, out, at, a, i, stride):
    """The sixteen sums that four bits choose of the tiles of `a` at i, i + stride, i + 2 stride and i + 3 stride.

    out[at + m * TILE :][:TILE] for m from 1 to 15, flat float32 arrays; each tile is loaded once and each sum stored
    once.
    """
    _flat_floats(out, a)
    signature = types.void(out, types.int64, a, types.int64, types.int64)

    def build(context, builder, signature, arguments):
        out_type, _, a_type, _, _ = signature.args
        out, at, a, i, stride = arguments
        sums = [None]
        for _ in range(4):
            row = builder.load(_address(context, builder, a_type, a, i), align=4)
            sums += [row if total is None else builder.fadd(total, row) for total in sums]
            i = builder.add(i, stride)
        for m in range(1, 16):
            builder.store(
                sums[m], _address(context, builder, out_type, out, builder.add(at, _constant(m * TILE))), align=4
            )
        return context.get_dummy_value()

    return signature, build


@intrinsic
def list_groups(typingctx, v, at, offsets, to):
    """List the groups of four of the CHUNK * 4 units v[at:] that are not all off; returns how many are, rounded up to
    whole fours.

    v : flat uint8 of 0/1; offsets : flat int16, of which CHUNK from `to` on are set: group g with the four bits m is
        listed as
    (16 g + m) TILE, and 0, where a table has zeros, fills the rest.
    """
    _require(v, numba.uint8)
    _require(offsets, numba.int16)
    signature = types.int64(v, types.int64, offsets, types.int64)

    def build(context, builder, signature, arguments):
        v_type, _, offsets_type, _ = signature.args
        v, at, offsets, to = arguments
        count, integers, masks = 4 * CHUNK, ir.VectorType(_word, CHUNK), ir.VectorType(ir.IntType(1), CHUNK)
        units = ir.VectorType(ir.IntType(8), count)
        states = builder.load(_address(context, builder, v_type, v, at, units), align=1)
        bits = builder.bitcast(builder.icmp_unsigned("!=", states, ir.Constant(units, None)), ir.IntType(count))
        halves = ir.Constant(ir.VectorType(_word, 2), ir.Undefined)
        for k in range(2):
            half = builder.trunc(builder.lshr(bits, ir.Constant(bits.type, 32 * k)), _word)
            halves = builder.insert_element(halves, half, ir.Constant(_word, k))
        spread = builder.shuffle_vector(halves, halves, ir.Constant(integers, [g // 8 for g in range(CHUNK)]))
        codes = builder.and_(
            builder.lshr(spread, ir.Constant(integers, [4 * (g % 8) for g in range(CHUNK)])),
            ir.Constant(integers, [15] * CHUNK),
        )
        listed = builder.icmp_unsigned("!=", codes, ir.Constant(integers, None))
        rows = builder.add(
            builder.mul(codes, ir.Constant(integers, [TILE] * CHUNK)),
            ir.Constant(integers, [16 * TILE * g for g in range(CHUNK)]),
        )
        compress = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(integers, [integers, masks, integers]),
            f"llvm.experimental.vector.compress.v{CHUNK}i32",
        )
        shorts = ir.VectorType(ir.IntType(16), CHUNK)
        packed = builder.trunc(builder.call(compress, [rows, listed, ir.Constant(integers, None)]), shorts)
        builder.store(packed, _address(context, builder, offsets_type, offsets, to, shorts), align=2)
        found = builder.zext(builder.ctpop(builder.bitcast(listed, ir.IntType(CHUNK))), _index)
        return builder.and_(builder.add(found, _constant(3)), _constant(-4))

    return signature, build


@intrinsic
def gather_tiles(typingctx, out, at, table, offsets, first, n):
    """out[at : at + TILE] += sum of table[o : o + TILE] over o in offsets[first : first + n], n whole fours.

    Flat arrays; offsets in int16. The rows go in turn into four sums, which hides the latency of an addition; `out`
    comes last, so that many small rows are not lost one by one next to a large sum.
    """
    _flat_floats(out, table)
    _require(offsets, numba.int16)
    signature = types.void(out, types.int64, table, offsets, types.int64, types.int64)

    def build(context, builder, signature, arguments):
        out_type, _, table_type, offsets_type, _, _ = signature.args
        out, at, table, offsets, begin, n = arguments
        target = _address(context, builder, out_type, out, at)
        listed = builder.gep(context.make_array(offsets_type)(context, builder, offsets).data, [begin])

        def row(q):
            offset = builder.sext(builder.load(builder.gep(listed, [q])), _index)
            return builder.load(_address(context, builder, table_type, table, offset), align=4)

        first, loop, body, last, end = (
            builder.append_basic_block(name) for name in ("first", "loop", "body", "last", "end")
        )
        builder.cbranch(builder.icmp_signed(">", n, _constant(0)), first, end)

        builder.position_at_end(first)
        begins = [row(_constant(k)) for k in range(4)]
        builder.branch(loop)

        builder.position_at_end(loop)
        q, sums = builder.phi(_index), [builder.phi(_vector) for _ in range(4)]
        q.add_incoming(_constant(4), first)
        for total, opening in zip(sums, begins, strict=True):
            total.add_incoming(opening, first)
        builder.cbranch(builder.icmp_signed("<", q, n), body, last)

        builder.position_at_end(body)
        for k, total in enumerate(sums):
            total.add_incoming(builder.fadd(total, row(builder.add(q, _constant(k)))), body)
        q.add_incoming(builder.add(q, _constant(4)), body)
        builder.branch(loop)

        builder.position_at_end(last)
        result = builder.fadd(builder.fadd(sums[0], sums[1]), builder.fadd(sums[2], sums[3]))
        builder.store(builder.fadd(builder.load(target, align=4), result), target, align=4)
        builder.branch(end)

        builder.position_at_end(end)
        return context.get_dummy_value()

    return signature, build


def _reduce(builder, vector, combine):
    """The lanes of a vector made one value: its upper half joins its lower half until one lane is left."""
    lanes = vector.type.count
    while lanes > 1:
        lanes //= 2
        halves = (ir.Constant(ir.VectorType(_word, lanes), [first + k for k in range(lanes)]) for first in (0, lanes))
        lower, upper = (builder.shuffle_vector(vector, vector, half) for half in halves)
        vector = combine(lower, upper)
    return builder.extract_element(vector, ir.Constant(_word, 0))


def _map_lanes(context, builder, start, n, take, combine, *arrays):
    """start, combined lane by lane with take(lanes of each array, ...) for the first n of its lanes, then folded.

    arrays : flat arrays as (type, value, where their lanes begin)
    """
    entry = builder.block
    loop, body, end = (builder.append_basic_block(name) for name in ("loop", "body", "end"))
    builder.branch(loop)
    builder.position_at_end(loop)
    k, total = builder.phi(_index), builder.phi(start.type)
    k.add_incoming(_constant(0), entry)
    total.add_incoming(start, entry)
    builder.cbranch(builder.icmp_signed("<", k, n), body, end)
    builder.position_at_end(body)
    lanes = []
    for kind, array, begin in arrays:
        offset = builder.add(begin, builder.mul(k, _constant(LANES)))
        lanes.append(builder.load(_address(context, builder, kind, array, offset, _lanes), align=4))
    total.add_incoming(combine(total, take(*lanes)), body)
    k.add_incoming(builder.add(k, _constant(1)), body)
    builder.branch(loop)
    builder.position_at_end(end)
    return _reduce(builder, total, combine)


@intrinsic
def sum_products(typingctx, a, at, b, to, n):
    """The sum of a[at + k] * b[to + k] over k < n * LANES, flat float32 arrays, in the order of `sum_lanes`."""
    _flat_floats(a, b)
    signature = types.float32(a, types.int64, b, types.int64, types.int64)

    def build(context, builder, signature, arguments):
        a, at, b, to, n = arguments
        arrays = (signature.args[0], a, at), (signature.args[2], b, to)
        return _map_lanes(context, builder, ir.Constant(_lanes, None), n, builder.fmul, builder.fadd, *arrays)

    return signature, build


def _fold(result, identity, take, combine):
    """An intrinsic that combines a[at : at + n * LANES] into one value, each lane by itself and then the lanes
    pairwise: an order that no vector width changes.
    """

    @intrinsic
    def fold(typingctx, a, at, n):
        _flat_floats(a)
        signature = result(a, types.int64, types.int64)

        def build(context, builder, signature, arguments):
            a, at, n = arguments
            combined = partial(combine, builder)
            return _map_lanes(
                context, builder, identity, n, partial(take, builder), combined, (signature.args[0], a, at)
            )

        return signature, build

    return fold


def _in_double(builder, lanes):
    return builder.fpext(lanes, _doubles)


def _one_more(builder, lanes):
    return builder.fadd(_in_double(builder, lanes), _ones)


_ones = ir.Constant(_doubles, [1.0] * LANES)
_add, _multiply = ir.IRBuilder.fadd, ir.IRBuilder.fmul
# the sum in float32, the sum in float64, and the product in float64 of 1 + each value
sum_lanes = _fold(types.float32, ir.Constant(_lanes, None), lambda builder, lanes: lanes, _add)
sum_lanes_in_double = _fold(types.float64, ir.Constant(_doubles, None), _in_double, _add)
multiply_above_one = _fold(types.float64, _ones, _one_more, _multiply)


def _accumulate(outputs, spread):
    """An intrinsic that forms `outputs` weighted sums of lanes at once, sharing the loads of the lanes; `spread`: each
    starts at one value in all lanes.
    """

    @intrinsic
    def accumulate(typingctx, out, at, step, starts, factors, first, apart, stride, vectors, to, width, n):
        _flat_floats(out, starts, factors, vectors)
        whole = types.int64
        signature = types.void(out, whole, whole, starts, factors, whole, whole, whole, vectors, whole, whole, whole)

        def build(context, builder, signature, arguments):
            kinds = signature.args
            out, at, step, starts, _, first, apart, stride, vectors, to, width, n = arguments
            begins, weights = (context.make_array(kinds[k])(context, builder, arguments[k]).data for k in (3, 4))
            offsets = [builder.add(at, builder.mul(step, _constant(j))) for j in range(outputs)]
            columns = [builder.add(first, builder.mul(apart, _constant(j))) for j in range(outputs)]
            if spread:
                opened = [_broadcast(builder, builder.load(builder.gep(begins, [column]))) for column in columns]
            else:
                opened = [
                    builder.load(_address(context, builder, kinds[3], starts, offset, _lanes), align=4)
                    for offset in offsets
                ]
            entry = builder.block
            loop, body, end = (builder.append_basic_block(name) for name in ("loop", "body", "end"))
            builder.branch(loop)

            builder.position_at_end(loop)
            q, row, place = (builder.phi(_index) for _ in range(3))
            totals = [builder.phi(_lanes) for _ in columns]
            for value, begin in zip((q, row, place, *totals), (_constant(0), _constant(0), to, *opened), strict=True):
                value.add_incoming(begin, entry)
            builder.cbranch(builder.icmp_signed("<", q, n), body, end)

            builder.position_at_end(body)
            vector = builder.load(_address(context, builder, kinds[8], vectors, place, _lanes), align=4)
            for total, column in zip(totals, columns, strict=True):
                weight = _broadcast(builder, builder.load(builder.gep(weights, [builder.add(row, column)])))
                total.add_incoming(builder.fadd(total, builder.fmul(weight, vector)), body)
            for value, further in ((q, _constant(1)), (row, stride), (place, width)):
                value.add_incoming(builder.add(value, further), body)
            builder.branch(loop)

            builder.position_at_end(end)
            for total, offset in zip(totals, offsets, strict=True):
                builder.store(total, _address(context, builder, kinds[0], out, offset, _lanes), align=4)
            return context.get_dummy_value()

        return signature, build

    begin = "starts[first + j * apart] in each lane" if spread else "starts[at + j * step :][:LANES]"
    accumulate.__doc__ = f"""Weighted sums of lanes, {outputs} at once, in flat float32 arrays: for j < {outputs}

    out[at + j * step :][:LANES] = {begin} + the sum over q < n, one after the other, of
    factors[first + j * apart + q * stride] * vectors[to + q * width :][:LANES].
    """
    return accumulate


weigh_one, weigh_four = _accumulate(1, spread=True), _accumulate(4, spread=True)
accumulate_one, accumulate_four = _accumulate(1, spread=False), _accumulate(4, spread=False)


class _Odds:
    """Vectors of a tile of edges between a visible unit and the hidden ones, in the terms of `kernels.messages`.

    s, E, p, q : flat arrays, as (type, value); s and E begin at `at`, p and q at 0
    """

    def __init__(self, context, builder, tile, at, s, E, p, q):
        self.tile, self.edge = tile, builder.add(at, tile)
        places = (self.edge, self.edge, tile, tile)
        targets = [_address(context, builder, *each, place) for each, place in zip((s, E, p, q), places, strict=True)]
        self.target = targets[0]
        self.s, self.E, self.p, q = (builder.load(target, align=4) for target in targets)
        self.rest = builder.fmul(self.s, q, flags=FAST)
        self.n = builder.fadd(self.rest, builder.fmul(self.E, self.p, flags=FAST), flags=FAST)
        self.d = builder.fadd(self.rest, self.p, flags=FAST)


@intrinsic
def multiply_odds(typingctx, above, below, to, s, E, at, p, q, count):
    """Products of n and of d over `count` tiles, each lane on its own, into the tiles of `above` and `below` at `to`.

    s, E begin at `at`, p and q at 0; flat float32 arrays.
    """
    _flat_floats(above, below, s, E, p, q)
    signature = types.void(above, below, types.int64, s, E, types.int64, p, q, types.int64)

    def build(context, builder, signature, arguments):
        above, below, to, s, E, at, p, q, count = zip(signature.args, arguments, strict=True)
        products = [cgutils.alloca_once_value(builder, ir.Constant(_vector, [1.0] * TILE)) for _ in range(2)]
        with cgutils.for_range(builder, count[1]) as loop:
            odds = _Odds(context, builder, builder.mul(loop.index, _constant(TILE)), at[1], s, E, p, q)
            for product, factor in zip(products, (odds.n, odds.d), strict=True):
                builder.store(builder.fmul(builder.load(product), factor, flags=FAST), product)
        for out, product in zip((above, below), products, strict=True):
            builder.store(builder.load(product), _address(context, builder, *out, to[1]), align=4)
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
        s, E, at, p, q, products, *shares, count = zip(signature.args, arguments, strict=True)
        on, off, kept = (_broadcast(builder, value, _vector) for _, value in shares)
        with cgutils.for_range(builder, count[1]) as loop:
            odds = _Odds(context, builder, builder.mul(loop.index, _constant(TILE)), at[1], s, E, p, q)
            n_off, d_on = builder.fmul(odds.n, off, flags=FAST), builder.fmul(odds.d, on, flags=FAST)
            above = builder.fadd(n_off, builder.fmul(odds.E, d_on, flags=FAST), flags=FAST)
            new = builder.fdiv(above, builder.fadd(n_off, d_on, flags=FAST), flags=FAST)
            change = builder.fmul(kept, builder.fsub(odds.s, new, flags=FAST), flags=FAST)
            new = builder.fadd(new, change, flags=FAST)
            builder.store(new, odds.target, align=4)
            product = _address(context, builder, *products, odds.tile)
            builder.store(builder.fmul(builder.load(product, align=4), new, flags=FAST), product, align=4)
        return context.get_dummy_value()

    return signature, build
