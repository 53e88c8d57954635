"""Records what JAX makes of small inputs, for the tests of the built-in engine's kernels.

Writes test/golden/numpy-kernels.json. Needs jax and scipy; run with JAX_PLATFORMS=cpu.
Elementary functions of float32 are recorded from float64 (numpy, scipy), rounded once; JAX must agree to within a few
units in the last place and exactly where the result is no finite number.
"""

import base64
import json
import pathlib

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import scipy.special as sp
from jax import lax

NAN, INF = np.nan, np.inf
cases = []
rng = np.random.default_rng(7)


arrays = {}


def encode(x):
    """The place of an array in the list of all; equal arrays are stored once."""
    x = np.asarray(x)
    entry = json.dumps({
        "dtype": str(x.dtype),
        "shape": list(x.shape),
        "bits": base64.b64encode(np.ascontiguousarray(x).tobytes()).decode(),
    }, separators=(",", ":"))
    return arrays.setdefault(entry, len(arrays))


def record(op, fn, inputs, attributes=None, ulps=0, outputs=None):
    inputs = [np.asarray(x) for x in inputs]
    if outputs is None:
        outputs = fn(*[jnp.asarray(x) for x in inputs])
    if not isinstance(outputs, (tuple, list)):
        outputs = [outputs]
    case = {"op": op, "attributes": attributes or {}, "inputs": [encode(x) for x in inputs],
            "outputs": [encode(x) for x in outputs]}
    if ulps:
        case["ulps"] = ulps
    cases.append(case)


FLOATS = ["float32", "float16", "bfloat16"]
INTS = ["int8", "int16", "int32", "uint8", "uint16", "uint32"]
TYPES = {"bfloat16": ml_dtypes.bfloat16, "float8_e4m3fn": ml_dtypes.float8_e4m3fn, "float8_e5m2": ml_dtypes.float8_e5m2}


def dt(name):
    return np.dtype(TYPES.get(name, name))


def arr(values, name):
    return np.asarray(values).astype(dt(name))


SPECIAL = [0.0, -0.0, 1.0, -1.0, NAN, INF, -INF, 0.5, -0.5, 1.5, 2.5, -2.5, 3.7, -3.7, 1e-8, -1e-8, 1e-30, 20.0, -20.0,
           88.5, -88.0, 100.0, -104.0, 1e10]


def ulp_distance(a, b):
    a, b = (np.asarray(v, np.float32) for v in (a, b))
    ia, ib = (v.view(np.int32).astype(np.int64) for v in (a, b))
    ia, ib = (np.where(v < 0, -(v & 0x7FFFFFFF), v) for v in (ia, ib))
    return np.abs(ia - ib)


def sigmoid64(x):
    return np.where(x < 0, np.exp(x) / (1 + np.exp(x)), 1 / (1 + np.exp(-x)))


# name: (jax, float64, domain, units JAX may be off, units the engine may be off)
UNARY = {
    "negative": (lax.neg, np.negative, None, 0, 0),
    "abs": (lax.abs, np.abs, None, 0, 0),
    "sign": (lax.sign, None, None, 0, 0),
    "floor": (lax.floor, np.floor, None, 0, 0),
    "ceil": (lax.ceil, np.ceil, None, 0, 0),
    "round": (lambda x: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN), np.round, None, 0, 0),
    "sqrt": (lax.sqrt, np.sqrt, None, 1, 0),
    "rsqrt": (lax.rsqrt, lambda x: 1 / np.sqrt(x), None, 2, 1),
    "exp": (lax.exp, np.exp, None, 2, 1),
    "expm1": (lax.expm1, np.expm1, None, 3, 1),
    "log": (lax.log, np.log, None, 2, 1),
    "log1p": (lax.log1p, np.log1p, None, 3, 1),
    "sin": (lax.sin, np.sin, (-30, 30), 2, 1),
    "cos": (lax.cos, np.cos, (-30, 30), 2, 1),
    "tan": (lax.tan, np.tan, (-3, 3), 4, 1),
    "asin": (lax.asin, np.arcsin, (-1, 1), 4, 1),
    "acos": (lax.acos, np.arccos, (-1, 1), 4, 1),
    "atan": (lax.atan, np.arctan, None, 4, 1),
    "sinh": (lax.sinh, np.sinh, (-80, 80), 8, 1),
    "cosh": (lax.cosh, np.cosh, (-80, 80), 8, 1),
    "tanh": (lax.tanh, np.tanh, None, 8, 1),
    "asinh": (lax.asinh, np.arcsinh, None, 8, 1),
    "acosh": (lax.acosh, np.arccosh, (1, 100), 8, 1),
    "atanh": (lax.atanh, np.arctanh, (-1, 1), 8, 1),
    "sigmoid": (lax.logistic, sigmoid64, None, 8, 1),
    "erf": (lax.erf, sp.erf, None, 8, 1),
    "lgamma": (lax.lgamma, sp.gammaln, (0.1, 50), 32, 1),
    "digamma": (lax.digamma, sp.digamma, (0.1, 50), 64, 1),
    "besselI0e": (lax.bessel_i0e, sp.i0e, None, 8, 1),
    "besselI1e": (lax.bessel_i1e, sp.i1e, None, 8, 1),
}

for name, (fn, exact, domain, jax_ulps, ulps) in UNARY.items():
    low, high = domain or (-8, 8)
    if name in ("sqrt", "rsqrt", "log", "log1p"):
        low = 1e-3
    x = np.concatenate([np.array(SPECIAL, "f"), rng.uniform(low, high, 40).astype("f")])
    if name in ("tan", "sin", "cos", "sinh", "cosh"):
        x = x[np.abs(np.nan_to_num(x, posinf=0, neginf=0)) < 1e4]
    if name == "lgamma":
        x = np.concatenate([x, -rng.uniform(0.1, 4, 10).astype("f")])
    with np.errstate(all="ignore"):
        theirs = np.asarray(fn(jnp.asarray(x)))
        ours = theirs if exact is None else exact(x.astype("f8")).astype("f")
    # Where JAX's value is no finite number, that is the value; subnormal results it flushes are not.
    ours = np.where(np.isfinite(theirs), ours, theirs)
    tiny = np.abs(ours) < 2.0**-126
    off = np.where(np.isfinite(theirs) & ~tiny, ulp_distance(ours, theirs), 0)
    if off.max() > jax_ulps:
        print(f"{name}: JAX is {off.max()} units off at {x[off.argmax()]}: {theirs[off.argmax()]} {ours[off.argmax()]}")
    record(name, None, [x], ulps=ulps, outputs=ours)
    for other in ("float16", "bfloat16"):
        small = arr(x, other)
        with np.errstate(all="ignore"):
            wide = np.asarray(fn(jnp.asarray(small.astype("f"))))
            value = wide if exact is None else exact(small.astype("f8")).astype("f")
            value = np.where(np.isfinite(wide), value, wide)
        record(name, None, [small], ulps=1 if ulps else 0, outputs=value.astype(dt(other)))

record("erfInv", lax.erf_inv, [np.array([0, -0.0, 1, -1, 2, NAN, 0.5, -0.5, 0.999, 1e-7, -0.99999], "f")])
record("polygamma", lambda x: lax.polygamma(jnp.float32(1), x), [np.array([0.5, 1, 2.25, 10, 0, 1e3], "f")],
       {"order": 1}, ulps=16)
record("polygamma", lambda x: lax.polygamma(jnp.float32(3), x), [np.array([0.5, 1, 2.25, 10, 1e2], "f")],
       {"order": 3}, ulps=32)
record("isFinite", lax.is_finite, [np.array(SPECIAL, "f")])
for name in INTS:
    info = np.iinfo(name)
    x = np.array([0, 1, 2, info.max, info.min, info.max - 1, 7], name)
    for op, fn in (("negative", lax.neg), ("abs", lax.abs), ("sign", lax.sign), ("bitwiseNot", lax.bitwise_not)):
        record(op, jnp.abs if op == "abs" else fn, [x])
record("bitwiseNot", lax.bitwise_not, [np.array([True, False])])
record("logicalNot", jnp.logical_not, [np.array([True, False])])

C = np.array([1 + 2j, -1.5 + 0.25j, 0.3 - 0.7j, 2 - 3j, -0.5 - 0.5j, 1j, -2], "complex64")
for op, fn in {"negative": lax.neg, "sign": lax.sign, "sqrt": lax.sqrt, "rsqrt": lax.rsqrt, "exp": lax.exp,
               "expm1": lax.expm1, "log": lax.log, "log1p": lax.log1p, "sin": lax.sin, "cos": lax.cos, "tan": lax.tan,
               "asin": lax.asin, "acos": lax.acos, "atan": lax.atan, "sinh": lax.sinh, "cosh": lax.cosh,
               "tanh": lax.tanh, "asinh": lax.asinh, "acosh": lax.acosh, "atanh": lax.atanh, "sigmoid": lax.logistic,
               "conjugate": lax.conj, "real": lax.real, "imag": lax.imag, "abs": lax.abs}.items():
    record(op, fn, [C], ulps=0 if op in ("negative", "conjugate", "real", "imag") else 16)

# Two operands.
A = np.array([5, -5, 0.0, -0.0, NAN, 1, INF, -INF, 3.5, 1e30, 2, -2, 1, -1, 7], "f")
B = np.array([3, 3, -0.0, 0.0, 1, NAN, 2, INF, -2, 1e30, 0, 3, INF, -INF, 0], "f")
ARITHMETIC = {"add": lax.add, "subtract": lax.sub, "multiply": lax.mul, "divide": lax.div, "remainder": lax.rem,
              "maximum": lax.max, "minimum": lax.min}
COMPARE = {"equal": lax.eq, "notEqual": lax.ne, "less": lax.lt, "lessEqual": lax.le, "greater": lax.gt,
           "greaterEqual": lax.ge}
for op, fn in {**ARITHMETIC, **COMPARE}.items():
    for name in FLOATS:
        record(op, fn, [arr(A, name), arr(B, name)])
        record(op, fn, [arr(rng.normal(size=30), name), arr(rng.normal(size=30), name)])
    for name in INTS:
        info = np.iinfo(name)
        edge = np.array([0, 1, 2, 7, info.max, info.min, info.max // 3, info.max - 5], name)
        if name.startswith("i"):
            edge = np.concatenate([edge, np.array([-1, -7], name)])
        record(op, fn, [edge[:, None] + np.zeros((1, edge.size), name), edge[None, :] + np.zeros((edge.size, 1), name)])
    record(op, {"greater": None, "less": None}.get(op, fn), [C, C[::-1].copy()], ulps=16) if op in (
        "add", "subtract", "multiply", "divide", "equal", "notEqual") else None
with np.errstate(all="ignore"):
    record("power", None, [A, B], ulps=1, outputs=np.where(
        np.isfinite(lax.pow(A, B)), np.power(A.astype("f8"), B.astype("f8")), lax.pow(A, B)).astype("f"))
    P, Q = rng.uniform(0.1, 5, 30).astype("f"), rng.uniform(-3, 3, 30).astype("f")
    record("power", None, [P, Q], ulps=1, outputs=np.power(P.astype("f8"), Q.astype("f8")).astype("f"))
    record("atan2", None, [A, B], ulps=1, outputs=np.arctan2(A.astype("f8"), B.astype("f8")).astype("f"))
record("power", jnp.power, [np.array([2, 3, -2, 0, 1, -1, 2, 7, 3, -1], "i4"), np.array([3, -1, 3, 0, -5, -3, 31, 40, 21, 63], "i4")])
record("power", jnp.power, [np.array([3, 2, 255], "u4"), np.array([33, 31, 4], "u4")])
record("power", jnp.power, [np.array([3, 2, 7], "i1"), np.array([5, 7, 4], "i1")])
record("power", lax.pow, [C, C[::-1].copy()], ulps=64)
NA = np.array([0, 0, 1, 1, INF, NAN, -0.0, 1, -1, -1e-45, 3.4028235e38, -1], "f")
NB = np.array([1, -1, 2, 0, 0, 1, 0, NAN, 0, 1, INF, -2], "f")
record("nextAfter", lax.nextafter, [NA, NB])
for name in ("float16", "bfloat16"):
    record("nextAfter", lax.nextafter, [arr(NA[:9], name), arr(NB[:9], name)])
for name in INTS:
    bits = np.iinfo(name).bits
    x = np.array([1, 5, np.iinfo(name).max, np.iinfo(name).min], name)
    s = np.array([0, 1, bits - 1, bits, bits + 1, 100], name)
    if name.startswith("i"):
        s = np.concatenate([s, np.array([-1], name)])
    X, S = np.broadcast_arrays(x[:, None], s[None, :])
    for op, fn in (("shiftLeft", lax.shift_left), ("shiftRightLogical", lax.shift_right_logical),
                   ("shiftRightArithmetic", lax.shift_right_arithmetic)):
        record(op, fn, [X, S])
    y = np.array([3, 12, 6, 10], name)
    for op, fn in (("bitwiseAnd", lax.bitwise_and), ("bitwiseOr", lax.bitwise_or), ("bitwiseXor", lax.bitwise_xor)):
        record(op, fn, [x, y])
T = np.array([True, True, False, False]), np.array([True, False, True, False])
for op, fn in (("logicalAnd", jnp.logical_and), ("logicalOr", jnp.logical_or), ("logicalXor", jnp.logical_xor),
               ("bitwiseAnd", lax.bitwise_and), ("bitwiseXor", lax.bitwise_xor), ("maximum", lax.max)):
    record(op, fn, list(T))
record("complex", lax.complex, [A[:3], B[:3]])
for name in (*FLOATS, "int32", "bool", "int8", "complex64"):
    x, y = arr(rng.integers(-4, 4, (3, 4)), name), arr(rng.integers(-4, 4, (4,)), name)
    c = np.array([[True], [False], [True]])
    record("select", jnp.where, [c, x, y])

# Conversions.
F = np.array([NAN, INF, -INF, 3e9, -3e9, 5e9, 2.9, -2.9, 300, -300, 127.5, -128.9, 0.1, -0.0, 65504, 65520, 1e-7, 448, 470], "f")
I = np.array([0, 1, -1, 127, 128, 255, 256, -129, 65535, 65536, 2147483647, -2147483648, 16777217], "i4")
targets = [*FLOATS, *INTS, "bool", "complex64", "float8_e4m3fn", "float8_e5m2"]
for to in targets:
    for source in (F, arr(F, "float16"), arr(F, "bfloat16"), I, I.astype("u4"), I.astype("i1"), np.array([True, False]),
                   C.astype("complex64")):
        if source.dtype == dt(to) or (to.startswith("float8") and source.dtype == np.complex64):
            continue
        record("cast", lambda x: x.astype(dt(to)), [source], {"dtype": to})
for source in ("float8_e4m3fn", "float8_e5m2"):
    record("cast", lambda x: x.astype("float32"), [np.arange(256, dtype="u1").view(dt(source))], {"dtype": "float32"})
record("bitcast", lambda x: lax.bitcast_convert_type(x, np.uint32), [F], {"dtype": "uint32"})
record("bitcast", lambda x: lax.bitcast_convert_type(x, np.float32), [I], {"dtype": "float32"})
record("bitcast", lambda x: lax.bitcast_convert_type(x, ml_dtypes.bfloat16), [np.arange(0, 65536, 4099).astype("u2")], {"dtype": "bfloat16"})
for name in (*FLOATS, "int32", "uint8", "complex64"):
    record("iota", lambda: lax.broadcasted_iota(dt(name), (3, 4), 1), [], {"shape": [3, 4], "axis": 1, "dtype": name})
    record("iota", lambda: lax.broadcasted_iota(dt(name), (3, 4), 0), [], {"shape": [3, 4], "axis": 0, "dtype": name})
    record("full", lambda: jnp.full((2, 3), 2.5, dt(name)), [], {"shape": [2, 3], "value": 2 if "int" in name else 2.5, "dtype": name})

# Reductions.
R = rng.normal(size=(3, 4, 5)).astype("f")
RI = rng.integers(-100, 100, (3, 4, 5))
for axes in ([0], [1], [2], [0, 2], [0, 1, 2], [1, 2], []):
    for keep in (False, True):
        attributes = {"axes": axes, "keepdims": keep}
        ax = tuple(axes)
        for op, fn in (("sum", jnp.sum), ("product", jnp.prod), ("max", jnp.max), ("min", jnp.min)):
            exact = None
            if op == "sum":
                exact = R.astype("f8").sum(ax, keepdims=keep).astype("f")
            if op == "product":
                exact = R.astype("f8").prod(ax, keepdims=keep).astype("f")
            record(op, lambda x: fn(x, axis=ax, keepdims=keep), [R], attributes, outputs=exact,
                   ulps=1 if op in ("sum", "product") else 0)
            if keep:
                continue
            for name in ("int32", "int8", "uint8", "uint32"):
                record(op, lambda x: fn(x, axis=ax) if op in ("max", "min") else fn(x, axis=ax, dtype=x.dtype), [RI.astype(name)], attributes)
            for name in ("float16", "bfloat16"):
                record(op, lambda x: fn(x, axis=ax), [arr(R, name)], attributes, ulps=1 if op in ("sum", "product") else 0)
        for op, fn in (("all", jnp.all), ("any", jnp.any)):
            record(op, lambda x: fn(x, axis=ax, keepdims=keep), [(RI % 5 > (0 if op == "all" else 3))], attributes)
    record("sum", lambda x: jnp.sum(x, axis=ax), [(R + 1j * R[::-1]).astype("complex64")], {"axes": axes, "keepdims": False}, ulps=8)
    record("product", lambda x: jnp.prod(x, axis=ax), [(1 + 0.1 * R + 0.3j * R[::-1]).astype("complex64")], {"axes": axes, "keepdims": False}, ulps=512)
EDGE = np.array([[1, NAN, 3], [-0.0, 0.0, -0.0], [INF, -INF, 0], [NAN, NAN, 1]], "f")
for axis in (0, 1):
    for op, fn in (("max", jnp.max), ("min", jnp.min), ("sum", jnp.sum)):
        record(op, lambda x: fn(x, axis=axis), [EDGE], {"axes": [axis], "keepdims": False})
    for op, fn in (("argMax", jnp.argmax), ("argMin", jnp.argmin)):
        record(op, lambda x: fn(x, axis), [EDGE], {"axis": axis})
for axis in (0, 1, 2):
    for name in (*FLOATS, "int32", "uint8", "bool"):
        x = arr(RI % 7 - 3, name) if name != "bool" else RI > 50
        for op, fn in (("argMax", jnp.argmax), ("argMin", jnp.argmin)):
            record(op, lambda v: fn(v, axis), [x], {"axis": axis})
    for rev in (False, True):
        flip = (lambda v: np.flip(v, axis)) if rev else (lambda v: v)
        record("cumulativeSum", None, [R], {"axis": axis, "reverse": rev}, ulps=1,
               outputs=flip(np.cumsum(flip(R.astype("f8")), axis)).astype("f"))
        record("cumulativeProduct", None, [R], {"axis": axis, "reverse": rev}, ulps=1,
               outputs=flip(np.cumprod(flip(R.astype("f8")), axis)).astype("f"))
        for name in ("int32", "int8", "uint32"):
            x = RI.astype(name)
            record("cumulativeSum", None, [x], {"axis": axis, "reverse": rev}, outputs=flip(np.cumsum(flip(x), axis, dtype=name)))
            record("cumulativeProduct", None, [x], {"axis": axis, "reverse": rev}, outputs=flip(np.cumprod(flip(x), axis, dtype=name)))
for op, init in (("sum", 0), ("product", 1)):
    record(op, lambda x: getattr(jnp, {"sum": "sum", "product": "prod"}[op])(x, axis=1), [np.zeros((2, 0, 3), "f")], {"axes": [1], "keepdims": False})
for op, fn in (("max", lax.reduce_max), ("min", lax.reduce_min)):
    for name in ("float32", "int32", "uint8", "float16"):
        record(op, lambda x: fn(x, (1,)), [np.zeros((2, 0), name)], {"axes": [1], "keepdims": False})

# Movement.
for name in ("float32", "int8", "bfloat16", "complex64", "bool"):
    x = arr(RI % 2 if name == "bool" else RI, name)
    record("transpose", lambda v: jnp.transpose(v, (2, 0, 1)), [x], {"permutation": [2, 0, 1]})
    record("reshape", lambda v: v.reshape(6, 10), [x], {"shape": [6, 10]})
    record("broadcastTo", lambda v: jnp.broadcast_to(v, (2, 3, 4, 5)), [x[:, :1].copy()], {"shape": [2, 3, 4, 5]})
    record("slice", lambda v: lax.slice(v, (1, 0, 1), (3, 4, 5), (1, 2, 3)), [x], {"start": [1, 0, 1], "limit": [3, 4, 5], "strides": [1, 2, 3]})
    record("slice", lambda v: lax.slice(v, (1, 2, 1), (3, 2, 5)), [x], {"start": [1, 2, 1], "limit": [3, 2, 5], "strides": [1, 1, 1]})
    record("reverse", lambda v: lax.rev(v, (0, 2)), [x], {"axes": [0, 2]})
    for low, high, interior in (([1, 0, 2], [0, 3, 1], [0, 0, 0]), ([-1, 2, 0], [2, -2, -1], [0, 0, 0]), ([1, -2, -3], [-1, 0, 2], [2, 1, 0]), ([-3, 0, 0], [0, 0, 0], [0, 0, 0])):
        value = 1
        record("pad", lambda v: lax.pad(v, jnp.asarray(value, v.dtype), list(zip(low, high, interior))), [x], {"low": low, "high": high, "interior": interior, "value": value})
    for axis in (0, 1, 2):
        record("concatenate", lambda *v: jnp.concatenate(v, axis), [x, x[::-1].copy(), x], {"axis": axis})
    for start in ([1, 2, 3], [-3, 9, 0]):
        clip = [min(max(s, 0), d - n) for s, d, n in zip(start, (3, 4, 5), (2, 3, 4))]
        record("dynamicSlice", lambda v, s: lax.dynamic_slice(v, clip, (2, 3, 4)), [x, np.array(start, "i4")], {"sizes": [2, 3, 4]})
        record("dynamicUpdateSlice", lambda v, u, s: lax.dynamic_update_slice(v, u, clip), [x, x[:2, :3, :4][::-1].copy(), np.array(start, "i4")])

# Indexing.
idx = np.array([[0, 2, 3], [-1, 4, 1]], "i4")
for name in ("float32", "int8", "uint16", "bool", "float16", "complex64"):
    x = arr(RI % 2 if name == "bool" else RI, name)
    for axis in (0, 1, 2):
        for mode in ("fill", "clip", "zero"):
            kind = {"zero": "fill"}.get(mode, mode)
            fill = {"fill_value": 0} if mode == "zero" else {}
            legal = np.where(idx < 0, 10**6, idx)  # jnp.take counts negative indices from the end; ours are outside.
            if mode == "clip":
                legal = np.clip(idx, 0, None)
            record("take", lambda v, i: jnp.take(v, jnp.asarray(legal), axis, mode=kind, **fill), [x, idx], {"axis": axis, "mode": mode})
            shape = list(x.shape)
            shape[axis] = 4
            along = rng.integers(-1, x.shape[axis] + 2, shape).astype("i4")
            legal = np.where(along < 0, 10**6, along) if mode != "clip" else np.clip(along, 0, None)
            record("takeAlongAxis", lambda v, i: jnp.take_along_axis(v, jnp.asarray(legal), axis, mode=kind, **fill), [x, along], {"axis": axis, "mode": mode})
    for depth in (1, 2, 3):
        pos = rng.integers(-1, 6, (3, 2, depth)).astype("i4")
        for mode in ("fill", "clip", "zero"):
            limit = np.array(x.shape[:depth]) - 1
            if mode == "clip":
                out = x[tuple(np.moveaxis(np.clip(pos, 0, limit), -1, 0))]
            else:
                ok = ((pos >= 0) & (pos <= limit)).all(-1)
                out = x[tuple(np.moveaxis(np.clip(pos, 0, limit), -1, 0))].copy()
                out[~ok] = np.asarray(jnp.take(jnp.asarray(x.ravel()), 10**6, mode="fill")) if mode == "fill" else 0
            record("gather", None, [x, pos], {"mode": mode}, outputs=out)
        if name == "bool":
            continue
        dnums = lax.ScatterDimensionNumbers(update_window_dims=tuple(range(2, 2 + 3 - depth)), inserted_window_dims=tuple(range(depth)), scatter_dims_to_operand_dims=tuple(range(depth)))
        updates = arr(rng.integers(-5, 5, (3, 2, *x.shape[depth:])), name)
        for mode, fn in (("set", lax.scatter), ("add", lax.scatter_add), ("multiply", lax.scatter_mul), ("min", lax.scatter_min), ("max", lax.scatter_max)):
            if name == "complex64" and mode in ("min", "max"):
                continue
            record("scatter", lambda v, i, u: fn(v, i, u, dnums, mode="drop"), [x, pos, updates], {"mode": mode}, ulps=8 if name == "complex64" else 0)
X3 = R.copy()
for axis in (0, 1, 2):
    shape = list(X3.shape)
    shape[axis] = 3
    along = rng.integers(-1, X3.shape[axis] + 1, shape).astype("i4")
    updates = rng.normal(size=shape).astype("f")
    for mode in ("set", "add", "multiply", "min", "max"):
        out = X3.copy()
        for place in np.ndindex(*shape):
            at = list(place)
            at[axis] = along[place]
            if 0 <= at[axis] < X3.shape[axis]:
                at = tuple(at)
                out[at] = {"set": lambda a, b: b, "add": np.add, "multiply": np.multiply, "min": np.minimum, "max": np.maximum}[mode](out[at], updates[place])
        record("scatterAlongAxis", None, [X3, along, updates], {"axis": axis, "mode": mode}, outputs=out)

# Sorting.
S = np.array([[3, NAN, 1, -0.0, 0.0, INF, 1], [0.0, -0.0, -INF, 2, -NAN, 2, -1]], "f")
for name in (*FLOATS, "int32", "int8", "uint32", "bool"):
    x = arr(S if name in FLOATS else np.nan_to_num(S, posinf=9, neginf=-9), name)
    if name == "uint32":
        x = np.array([[3, 4000000000, 1, 0, 0, 9, 1], [0, 0, 5, 2, 9, 2, 4294967295]], "u4")
    for axis in (0, 1):
        for down in (False, True):
            # Values in the order argsort gives: among zeros of either sign, the order they came in.
            order = np.asarray(jnp.argsort(x, axis, stable=True, descending=down))
            record("argSort", None, [x], {"axis": axis, "descending": down}, outputs=order)
            record("sort", None, [x], {"axis": axis, "descending": down}, outputs=np.take_along_axis(x, order, axis))
    record("topK", lambda v: lax.top_k(v, 4), [x], {"k": 4})
row = np.array([-3, -0.0, 0.0, 1, 1, 4, NAN], "f")
want = np.array([[0.0, -0.0, 1], [NAN, 9, -9]], "f")
for side in ("left", "right"):
    record("searchSorted", lambda s, v: jnp.searchsorted(s, v, side=side), [row, want], {"side": side})
    record("searchSorted", lambda s, v: jnp.searchsorted(s, v, side=side), [np.array([1, 3, 3, 8], "i4"), np.array([3, 0, 9, 4], "i4")], {"side": side})

# Random bits.
for seed in (0, 42, 2**32 - 1):
    key = np.array([seed >> 16, seed], "u4")
    wrapped = jax.random.wrap_key_data(jnp.asarray(key), impl="threefry2x32")
    with jax.threefry_partitionable(True):
        record("randomBits", lambda k: jax.random.bits(wrapped, (3, 5), "uint32"), [key], {"shape": [3, 5]})
        pair = jax.random.key_data(jax.random.split(wrapped, 4))
    record("threefry", None, [key], {"shape": [4]}, outputs=[pair[:, 0], pair[:, 1]])
keys = np.array([[0, 1], [7, 9]], "u4")
with jax.threefry_partitionable(True):
    record("randomBits", None, [keys], {"shape": [3]}, outputs=np.stack([
        np.asarray(jax.random.bits(jax.random.wrap_key_data(jnp.asarray(k), impl="threefry2x32"), (3,), "uint32")) for k in keys]))

target = pathlib.Path(__file__).parents[2] / "test/golden/numpy-kernels.json"
lines = [json.dumps(c, separators=(",", ":")) for c in cases]
target.write_text('{"arrays":[\n' + ",\n".join(arrays) + '\n],"cases":[\n' + ",\n".join(lines) + "\n]}\n")
print(len(cases), "cases,", target.stat().st_size // 1024, "kB")
