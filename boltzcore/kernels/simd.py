"""What numba has no words for: loops that must stay in vector registers, written in LLVM's own vectors.

A compiler cannot know that rows of one flat array do not overlap, so it would reload and store the
sum at every row; here the sum is a register until the last row is in.
"""

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.errors import TypingError
from numba.extending import intrinsic

from boltzcore.kernels import kernel

TILE = 32  # float32 values of a matrix row side by side
LANES = 16  # rows of a batch side by side
LINE = 16  # float32 values of a cache line

_vector = ir.VectorType(ir.FloatType(), TILE)
_lanes = ir.VectorType(ir.FloatType(), LANES)
_index = ir.IntType(64)


def _constant(k):
    return ir.Constant(_index, k)


def _address(context, builder, array_type, array, offset, vector=_vector):
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [offset]), vector.as_pointer())


def _broadcast(builder, value):
    single = builder.insert_element(ir.Constant(_lanes, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(single, ir.Constant(_lanes, ir.Undefined), ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES))


def _require(array, dtype):
    if not (isinstance(array, types.Array) and array.ndim == 1 and array.dtype == dtype and array.layout == "C"):
        raise TypingError(f"expected a flat {dtype} array, not {array}")


@kernel
def at_line(n):
    """n float32 values, not set, that begin at a cache line: a vector that straddles two takes twice as long."""
    raw = np.empty(n + LINE, np.float32)
    skip = -(raw.ctypes.data // 4) % LINE
    return raw[skip : skip + n]


@intrinsic
def trailing_zeros(typingctx, word):
    """How many of the lowest bits of a uint64, which must not be 0, are 0."""
    signature = types.int64(types.uint64)

    def build(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return signature, build


@intrinsic
def add_tiles(typingctx, out, at, a, i, b, j):
    """out[at : at + TILE] = a[i : i + TILE] + b[j : j + TILE], flat float32 arrays."""
    for array in (out, a, b):
        _require(array, numba.float32)
    signature = types.void(out, types.int64, a, types.int64, b, types.int64)

    def build(context, builder, signature, arguments):
        kinds = signature.args
        target, first, second = (_address(context, builder, kinds[k], arguments[k], arguments[k + 1]) for k in (0, 2, 4))
        total = builder.fadd(builder.load(first, align=4), builder.load(second, align=4))
        builder.store(total, target, align=4)
        return context.get_dummy_value()

    return signature, build


@intrinsic
def table_tiles(typingctx, out, at, a, i, stride):
    """The sixteen sums that four bits choose of the tiles of `a` at i, i + stride, i + 2 stride and i + 3 stride.

    out[at + m * TILE :][:TILE] for m from 1 to 15, flat float32 arrays; each tile is loaded once and each sum stored once.
    """
    for array in (out, a):
        _require(array, numba.float32)
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
            builder.store(sums[m], _address(context, builder, out_type, out, builder.add(at, _constant(m * TILE))), align=4)
        return context.get_dummy_value()

    return signature, build


@intrinsic
def gather_tiles(typingctx, out, at, table, offsets, first, n):
    """out[at : at + TILE] += sum of table[o : o + TILE] over o in offsets[first : first + n].

    Flat arrays; offsets in int32. Even and odd rows go into two sums, which hides the latency of an addition; `out` comes
    last, so that many small rows are not lost one by one beside a large sum.
    """
    for array in (out, table):
        _require(array, numba.float32)
    _require(offsets, numba.int32)
    signature = types.void(out, types.int64, table, offsets, types.int64, types.int64)

    def build(context, builder, signature, arguments):
        out_type, _, table_type, offsets_type, _, _ = signature.args
        out, at, table, offsets, first, n = arguments
        target = _address(context, builder, out_type, out, at)
        listed = builder.gep(context.make_array(offsets_type)(context, builder, offsets).data, [first])

        def row(q):
            offset = builder.sext(builder.load(builder.gep(listed, [q])), _index)
            return builder.load(_address(context, builder, table_type, table, offset), align=4)

        entry = builder.block
        pairs, pair, last, single, end = (builder.append_basic_block(name) for name in ("pairs", "pair", "last", "single", "end"))
        builder.branch(pairs)

        builder.position_at_end(pairs)
        q, even, odd = builder.phi(_index), builder.phi(_vector), builder.phi(_vector)
        q.add_incoming(_constant(0), entry)
        even.add_incoming(ir.Constant(_vector, None), entry)
        odd.add_incoming(ir.Constant(_vector, None), entry)
        after = builder.add(q, _constant(2))
        builder.cbranch(builder.icmp_signed("<=", after, n), pair, last)

        builder.position_at_end(pair)
        more_even, more_odd = builder.fadd(even, row(q)), builder.fadd(odd, row(builder.add(q, _constant(1))))
        q.add_incoming(after, pair)
        even.add_incoming(more_even, pair)
        odd.add_incoming(more_odd, pair)
        builder.branch(pairs)

        builder.position_at_end(last)
        total = builder.fadd(even, odd)
        builder.cbranch(builder.icmp_signed("<", q, n), single, end)

        builder.position_at_end(single)
        whole = builder.fadd(total, row(q))
        builder.branch(end)

        builder.position_at_end(end)
        result = builder.phi(_vector)
        result.add_incoming(total, last)
        result.add_incoming(whole, single)
        builder.store(builder.fadd(builder.load(target, align=4), result), target, align=4)
        return context.get_dummy_value()

    return signature, build


def _weigh(outputs):
    """An intrinsic that forms `outputs` weighted sums of lanes at once, sharing the loads of the lanes."""

    @intrinsic
    def weigh(typingctx, out, at, bias, weights, first, stride, states, n):
        for array in (out, bias, weights, states):
            _require(array, numba.float32)
        signature = types.void(out, types.int64, bias, weights, types.int64, types.int64, states, types.int64)

        def build(context, builder, signature, arguments):
            kinds = signature.args
            out, at, _, _, first, stride, states, n = arguments
            starts, factors = (context.make_array(kinds[k])(context, builder, arguments[k]).data for k in (2, 3))
            columns = [builder.add(first, _constant(j)) for j in range(outputs)]
            begins = [_broadcast(builder, builder.load(builder.gep(starts, [column]))) for column in columns]
            entry = builder.block
            loop, body, end = (builder.append_basic_block(name) for name in ("loop", "body", "end"))
            builder.branch(loop)

            builder.position_at_end(loop)
            q, row = builder.phi(_index), builder.phi(_index)
            totals = [builder.phi(_lanes) for _ in columns]
            q.add_incoming(_constant(0), entry)
            row.add_incoming(_constant(0), entry)
            for total, begin in zip(totals, begins, strict=True):
                total.add_incoming(begin, entry)
            builder.cbranch(builder.icmp_signed("<", q, n), body, end)

            builder.position_at_end(body)
            state = builder.load(_address(context, builder, kinds[6], states, builder.mul(q, _constant(LANES)), _lanes), align=4)
            for total, column in zip(totals, columns, strict=True):
                weight = _broadcast(builder, builder.load(builder.gep(factors, [builder.add(row, column)])))
                product = builder.fmul(weight, state, flags=("contract",))
                total.add_incoming(builder.fadd(total, product, flags=("contract",)), body)
            q.add_incoming(builder.add(q, _constant(1)), body)
            row.add_incoming(builder.add(row, stride), body)
            builder.branch(loop)

            builder.position_at_end(end)
            for j, total in enumerate(totals):
                target = _address(context, builder, kinds[0], out, builder.add(at, _constant(j * LANES)), _lanes)
                builder.store(total, target, align=4)
            return context.get_dummy_value()

        return signature, build

    weigh.__doc__ = f"""Weighted sums of lanes, {outputs} at once, in flat float32 arrays: for j < {outputs}

    out[at + j * LANES :][:LANES] = bias[first + j] + sum over q < n of weights[q * stride + first + j] * states[q * LANES :][:LANES].
    """
    return weigh


weigh_one, weigh_four = _weigh(1), _weigh(4)
