"""exp, log and friends in forms that loops over arrays turn into SIMD code.

numba's own call libm once per element; these are polynomials on the split exponent and mantissa, with a relative error
below 1e-13 (float64) or 3e-7 (float32) within the stated range. Arguments must be finite.
"""

import numpy as np
from numba import types
from numba.extending import intrinsic

from boltzcore.kernels import kernel

f4, f8 = np.float32, np.float64
i4, i8 = np.int32, np.int64


def _bitcast(source, target):
    @intrinsic
    def cast(typingctx, value):
        def build(context, builder, signature, arguments):
            return builder.bitcast(arguments[0], context.get_value_type(target))

        return target(source), build

    return cast


float_of_int = _bitcast(types.int32, types.float32)
int_of_float = _bitcast(types.float32, types.int32)
double_of_long = _bitcast(types.int64, types.float64)
long_of_double = _bitcast(types.float64, types.int64)


@kernel(inline="always")
def exp32(x):
    """Return e**x in float32; x is clipped to [-87, 88]."""
    x = min(max(x, f4(-87.0)), f4(88.0))
    n = np.floor(x * f4(1.4426950408889634) + f4(0.5))
    r = (x - n * f4(0.693359375)) - n * f4(-2.12194440e-4)
    p = f4(1.9875691500e-4)
    p = p * r + f4(1.3981999507e-3)
    p = p * r + f4(8.3334519073e-3)
    p = p * r + f4(4.1665795894e-2)
    p = p * r + f4(1.6666665459e-1)
    p = p * r + f4(5.0000001201e-1)
    p = p * r * r + r + f4(1.0)
    return p * float_of_int(i4((i4(n) + i4(127)) << i4(23)))


@kernel(inline="always")
def sigmoid32(x):
    """Return 1 / (1 + e**-x) in float32."""
    return f4(1.0) / (f4(1.0) + exp32(-x))


@kernel(inline="always")
def log32(x):
    """Return the natural logarithm in float32 of a positive normal number, to a relative (near 1, absolute) 3e-7."""
    bits = int_of_float(x)
    n = f4((bits >> i4(23)) - i4(126))
    m = float_of_int(i4((bits & i4(0x007FFFFF)) | i4(0x3F000000)))  # in [1/2, 1)
    low = m < f4(0.70710678118654752)
    n = n - f4(1.0) if low else n
    m = (m + m if low else m) - f4(1.0)
    s = m * m
    p = f4(7.0376836292e-2)
    p = p * m + f4(-1.1514610310e-1)
    p = p * m + f4(1.1676998740e-1)
    p = p * m + f4(-1.2420140846e-1)
    p = p * m + f4(1.4249322787e-1)
    p = p * m + f4(-1.6668057665e-1)
    p = p * m + f4(2.0000714765e-1)
    p = p * m + f4(-2.4999993993e-1)
    p = p * m + f4(3.3333331174e-1)
    return m + (p * m * s + n * f4(-2.12194440e-4) - f4(0.5) * s) + n * f4(0.693359375)


@kernel(inline="always")
def exp64(x):
    """Return e**x in float64; x is clipped to [-708, 709]."""
    x = min(max(x, -708.0), 709.0)
    n = np.floor(x * 1.4426950408889634 + 0.5)
    r = (x - n * 0.693145751953125) - n * 1.42860682030941723212e-6
    s = r * r
    p = r * ((1.26177193074810590878e-4 * s + 3.02994407707441961300e-2) * s + 9.99999999999999999910e-1)
    q = ((3.00198505138664455042e-6 * s + 2.52448340349684104192e-3) * s + 2.27265548208155028766e-1) * s + 2.0
    return (1.0 + 2.0 * (p / (q - p))) * double_of_long(i8((i8(n) + i8(1023)) << i8(52)))


@kernel(inline="always")
def log64(x):
    """Return the natural logarithm in float64 of a positive normal number."""
    bits = long_of_double(x)
    n = f8((bits >> i8(52)) - i8(1022))
    m = double_of_long((bits & i8(0x000FFFFFFFFFFFFF)) | i8(0x3FE0000000000000))  # in [1/2, 1)
    low = m < 0.70710678118654752440
    n = n - 1.0 if low else n
    m = m + m if low else m
    t = (m - 1.0) / (m + 1.0)
    s = t * t
    # atanh series: |t| <= 0.1716, so the truncation error is below 2**-56
    p = 1.0 / 21.0
    p = p * s + 1.0 / 19.0
    p = p * s + 1.0 / 17.0
    p = p * s + 1.0 / 15.0
    p = p * s + 1.0 / 13.0
    p = p * s + 1.0 / 11.0
    p = p * s + 1.0 / 9.0
    p = p * s + 1.0 / 7.0
    p = p * s + 1.0 / 5.0
    p = p * s + 1.0 / 3.0
    return n * 0.6931471805599453 + 2.0 * (t + t * s * p)


@kernel(inline="always")
def softplus64(x):
    """Return log(1 + e**x) in float64, to an absolute or relative 1e-15, whichever is larger."""
    return max(x, 0.0) + log64(1.0 + exp64(-abs(x)))
