"""Record golden cases from the real Keras while its own test-suite runs.

Use (on a machine with real Keras, its requirements and a Keras checkout):

    cd keras-checkout
    export KERAS_BACKEND=jax PYTHONPATH=<folder of this file>:$PWD
    export GOLDENS_OUT=<folder for raw shards>
    python -m pytest -p record_goldens -p no:cacheprovider keras/src -q
    # several processes are fine too:  -n 8   (each worker writes its own shards)
    python record_goldens.py finalize <raw shards> <goldens>
    python record_goldens.py replay   <goldens>                # sanity, same backend
    python record_goldens.py compare  <goldens> <goldens of another backend>

Which backend: record once with jax (its results define the dtype rules that
Keras's own tests check against) and once with numpy (no accelerator noise, no
tracing, so nearly every call is concrete).  torch or tensorflow add gradients,
fit() runs and cuDNN-style RNN paths.  `compare` reports where backends differ:
take those differences as the tolerance, or drop the case.

What is wrapped (outermost call only; everything below it is an implementation
detail):

    functions   keras.ops.*, keras.activations.*, keras.random.*, losses and
                metrics as functions, keras.tree.*, numeric keras.utils.*,
                keras.backend.result_type, standardize_dtype
                (patched in place by swapping __code__, so that object identity,
                registries and `from x import f` copies keep working)
    Operation   __call__ and symbolic_call of op classes that are not layers
    Layer       __call__ (layers, Sequential, Functional, Model), with the state
                taken right after _maybe_build
    Loss        __call__, CompileLoss.__call__
    Metric      update_state / result / reset_state, as one trace per object
    Optimizer   apply (so apply_gradients and stateless_apply too)
    schedules, initializers, constraints, regularizers, quantizers: __call__
    Trainer     fit / evaluate / predict / train_on_batch / test_on_batch
    saving      serialize_keras_object of a Keras object (the JSON itself), and
                small .keras / .weights.h5 files that get written

What a case holds: kind, target (canonical public name), the encoded arguments
(copied BEFORE the call: the numpy backend mutates in place), constructor config,
state before and after, outputs, masks, losses, optional gradients, or the
exception type and text when the call raised.  Symbolic calls are stored too
(KerasTensor in, KerasTensor out): those are shape and dtype goldens.

Format: shards of `<kind>-<worker>-<n>.jsonl` next to `.npz`; arrays are named by
content hash and a shard is self-contained.  bfloat16 and float8 arrays are stored
as their bit patterns (uint16/uint8), with the true dtype in the JSON.

Value encoding inside JSON:
    null, true, 1, "s", [..]            as they are
    {"$tuple": [...]}                    tuple
    {"$dict": [[k, v], ...]}             dict, in order
    {"$f": "nan" | "inf" | "-inf"}       non-finite floats
    {"$c": [re, im]}                     complex
    {"$a": key, "dtype", "shape", "src"} array; src: tensor | np | var
    {"$sa": [...], "shape", "src"}       string array
    {"$np": value, "dtype"}              numpy scalar
    {"$kt": {"shape","dtype","sparse"}}  symbolic tensor
    {"$slice": [a, b, c]}, {"$ellipsis": true}, {"$dtype": "float32"}
    {"$type": "float"}                   python type used as a dtype
    {"$keras": {...}}                    object with get_config, serialized
    {"$fn": "keras.ops.relu"}            exported function
    {"$seedgen": {"seed", "state"}}      SeedGenerator, state before the call
    {"$bytes": base64}

Settings (environment):
    GOLDENS_OUT            output folder (required for recording)
    GOLDENS_MAX_ELEMS      most elements in one array (default 2048)
    GOLDENS_MAX_CASE_ELEMS most elements in one case (default 16384)
    GOLDENS_PER_TEST       cases kept per (target, test case) (default 12)
    GOLDENS_PER_TARGET     cases kept per (kind, target), applied in finalize (default 400)
    GOLDENS_KINDS          comma list of kinds to record (default: all)
    GOLDENS_GRADS          1: add gradients (jax, torch, tensorflow) (default 1)
    GOLDENS_LIBRARY_ERRORS 1: finalize keeps error cases whose text is not Keras's own
    GOLDENS_KEEP_CUSTOM    1: keep cases whose config names test-only classes
"""

import ast
import base64
import collections
import contextlib
import copy
import functools
import hashlib
import inspect
import io
import json
import math
import os
import re
import sys
import threading
import time
import traceback
import types

import numpy as np

ENV = os.environ.get
MAX_ELEMS = int(ENV("GOLDENS_MAX_ELEMS", "2048"))
MAX_CASE = int(ENV("GOLDENS_MAX_CASE_ELEMS", "16384"))
PER_TEST = int(ENV("GOLDENS_PER_TEST", "12"))
PER_TARGET = int(ENV("GOLDENS_PER_TARGET", "400"))
KINDS = set(filter(None, ENV("GOLDENS_KINDS", "").split(",")))
GRADS = ENV("GOLDENS_GRADS", "1") == "1"
KEEP_CUSTOM = ENV("GOLDENS_KEEP_CUSTOM", "0") == "1"
SHARD_BYTES = 24 << 20
SHARD_CASES = 4000
FLUSH_SECONDS = 180
MAX_FILE = 256 << 10  # largest saved model file that is copied


class Skip(Exception):
    """The value or call cannot be recorded; the reason is counted."""


# --------------------------------------------------------------------------
# writer


class Writer:
    def __init__(self, out, worker):
        self.out, self.worker = out, worker
        os.makedirs(out, exist_ok=True)
        self.n = collections.Counter()
        self.cases = collections.defaultdict(list)
        self.arrays = collections.defaultdict(dict)
        self.bytes = collections.Counter()
        self.stats = collections.Counter()
        self.skips = collections.Counter()
        self.errors = []
        self.flushed = time.monotonic()
        self.lock = threading.RLock()

    def add(self, kind, case, arrays):
        with self.lock:
            self.stats[kind] += 1
            self.cases[kind].append(json.dumps(case, separators=(",", ":")))
            for k, a in arrays.items():
                if k not in self.arrays[kind]:
                    self.arrays[kind][k] = a
                    self.bytes[kind] += a.nbytes
            if (
                self.bytes[kind] > SHARD_BYTES
                or len(self.cases[kind]) >= SHARD_CASES
            ):
                self.flush(kind)
            if time.monotonic() - self.flushed > FLUSH_SECONDS:
                # A killed run loses at most this much.
                for k in list(self.cases):
                    self.flush(k)
                self.flushed = time.monotonic()

    def flush(self, kind):
        if not self.cases[kind]:
            return
        name = f"{kind}-{self.worker}-{self.n[kind]:04d}"
        self.n[kind] += 1
        with open(os.path.join(self.out, name + ".jsonl"), "w") as f:
            f.write("\n".join(self.cases[kind]) + "\n")
        np.savez_compressed(
            os.path.join(self.out, name + ".npz"), **self.arrays[kind]
        )
        self.cases[kind], self.arrays[kind], self.bytes[kind] = [], {}, 0

    def close(self, meta):
        with self.lock:
            for k in list(self.cases):
                self.flush(k)
            with open(
                os.path.join(self.out, f"stats-{self.worker}.json"), "w"
            ) as f:
                json.dump(
                    {
                        "meta": meta,
                        "recorded": dict(self.stats),
                        "skipped": dict(self.skips.most_common()),
                        "errors": self.errors[:300],
                    },
                    f,
                    indent=1,
                )

    def skip(self, why):
        with self.lock:
            self.skips[why] += 1

    def error(self, where):
        with self.lock:
            if len(self.errors) < 300:
                self.errors.append(
                    {"where": where, "trace": traceback.format_exc()[-1500:]}
                )


W = None  # the writer, set in install()
STATE = threading.local()


def depth():
    return getattr(STATE, "depth", 0)


@contextlib.contextmanager
def inside():
    STATE.depth = depth() + 1
    try:
        yield
    finally:
        STATE.depth -= 1


class Test:
    """What pytest is running now."""

    nodeid, group = "", ""
    per_target = collections.Counter()
    traces = {}


# --------------------------------------------------------------------------
# keras handles, filled by install()

K = types.SimpleNamespace()
BIT_DTYPES = {"bfloat16": np.uint16, "float8_e4m3fn": np.uint8, "float8_e5m2": np.uint8}


def public_name(obj):
    return K.api_export.REGISTERED_OBJS_TO_NAMES.get(obj) if _hashable(obj) else None


def _hashable(x):
    try:
        hash(x)
        return True
    except TypeError:
        return False


def is_concrete(x):
    """Backend tensors: False for tracers, graph tensors, meta or fake tensors."""
    b = K.backend_name
    if b == "jax":
        return not isinstance(x, K.jax.core.Tracer)
    if b == "tensorflow":
        return not K.tf.is_tensor(x) or hasattr(x, "numpy")
    if b == "torch":
        t = K.torch
        return not (
            isinstance(x, t.Tensor)
            and (x.device.type == "meta" or type(x).__name__ == "FakeTensor")
        )
    return True


def tracing():
    b = K.backend_name
    if b == "tensorflow":
        return not K.tf.executing_eagerly()
    if b == "torch":
        c = getattr(K.torch, "compiler", None)
        return bool(c and hasattr(c, "is_compiling") and c.is_compiling())
    if b == "openvino":
        return True  # everything is a graph there: record with another backend
    # A shape-inference or functional-state run is never a concrete call.
    return K.backend.in_stateless_scope() if b == "jax" else K.in_symbolic_scope()


class Enc:
    """Encodes one case; collects its arrays and enforces the size limits."""

    def __init__(self):
        self.arrays, self.total = {}, 0

    def array(self, a, src):
        a = np.asarray(a)
        name = str(a.dtype)
        if a.dtype == object or a.dtype.kind in "US":
            flat = [
                x.decode("utf-8", "replace") if isinstance(x, bytes) else x
                for x in a.reshape(-1).tolist()
            ]
            if not all(isinstance(x, str) for x in flat):
                raise Skip("object array")
            if len(flat) > MAX_ELEMS:
                raise Skip("large array")
            return {"$sa": flat, "shape": list(a.shape), "src": src}
        if a.size > MAX_ELEMS:
            raise Skip("large array")
        self.total += a.size
        if self.total > MAX_CASE:
            raise Skip("large case")
        if name in BIT_DTYPES:
            a = np.ascontiguousarray(a).reshape(-1).view(BIT_DTYPES[name]).reshape(a.shape)
        if a.dtype.kind not in "biufc":
            raise Skip(f"dtype {name}")
        a = np.array(a, copy=True, order="C")
        h = hashlib.sha256(
            f"{name}{a.shape}".encode() + a.tobytes()
        ).hexdigest()[:20]
        self.arrays["a" + h] = a
        return {"$a": "a" + h, "dtype": name, "shape": list(a.shape), "src": src}

    def tensor(self, x, src="tensor"):
        if not is_concrete(x):
            raise Skip("not concrete")
        if _is_sparse_or_ragged(x):
            raise Skip("sparse or ragged")
        return self.array(K.to_numpy(x), src)

    def var(self, v):
        d = self.tensor(v.value, "var")
        d.update(name=v.name, path=v.path, trainable=bool(v.trainable))
        return d

    def value(self, x, level=0):
        if level > 12:
            raise Skip("deep value")
        if x is None or isinstance(x, (bool, str)):
            return x
        if isinstance(x, np.generic):
            if x.dtype.kind in "biufc" and x.dtype.kind != "c":
                return {"$np": self.value(x.item()), "dtype": str(x.dtype)}
            return self.array(x, "np")
        if isinstance(x, int):
            return x if abs(x) < 2**53 else {"$int": str(x)}
        if isinstance(x, float):
            if math.isfinite(x):
                return {"$float": x} if x == int(x) else x
            return {"$f": "nan" if x != x else ("inf" if x > 0 else "-inf")}
        if isinstance(x, complex):
            return {"$c": [x.real, x.imag]}
        if isinstance(x, bytes):
            return {"$bytes": base64.b64encode(x).decode()}
        if isinstance(x, slice):
            return {"$slice": [self.value(v, level + 1) for v in (x.start, x.stop, x.step)]}
        if x is Ellipsis:
            return {"$ellipsis": True}
        if isinstance(x, K.KerasTensor):
            return {
                "$kt": {
                    "shape": list(x.shape),
                    "dtype": x.dtype,
                    "sparse": bool(x.sparse),
                }
            }
        if isinstance(x, K.KerasVariable):
            return self.var(x)
        if isinstance(x, K.SeedGenerator):
            return {
                "$seedgen": {
                    "seed": x._initial_seed,
                    "state": self.tensor(x.state.value),
                }
            }
        if isinstance(x, np.ndarray):
            return self.array(x, "tensor" if K.backend_name == "numpy" else "np")
        if K.backend.is_tensor(x):
            return self.tensor(x)
        if isinstance(x, np.dtype):
            return {"$dtype": x.name}
        if isinstance(x, type):
            if x in (int, float, bool, str, complex):
                return {"$type": x.__name__}
            n = public_name(x)
            if n:
                return {"$class": n}
            with contextlib.suppress(Exception):
                return {"$dtype": K.standardize_dtype(x)}
            raise Skip("python class")
        if isinstance(x, tuple) and hasattr(x, "_fields"):
            return {"$tuple": [self.value(v, level + 1) for v in x]}
        if isinstance(x, tuple):
            return {"$tuple": [self.value(v, level + 1) for v in x]}
        if isinstance(x, list):
            return [self.value(v, level + 1) for v in x]
        if isinstance(x, (dict, collections.abc.Mapping)):
            return {"$dict": [[self.value(k, level + 1), self.value(v, level + 1)] for k, v in x.items()]}
        if isinstance(x, range):
            return {"$range": [x.start, x.stop, x.step]}
        if isinstance(x, (set, frozenset)):
            return {"$set": sorted((self.value(v, level + 1) for v in x), key=str)}
        n = public_name(x)
        if n and callable(x):
            return {"$fn": n}
        if hasattr(x, "get_config") and hasattr(x, "from_config"):
            return {"$keras": self.keras(x)}
        with contextlib.suppress(Exception):
            return {"$dtype": K.standardize_dtype(x)}
        if callable(x):
            raise Skip("python function")
        raise Skip(f"value of type {type(x).__name__}")

    def keras(self, obj):
        with inside():
            try:
                with K.no_warnings():
                    cfg = K.serialize(obj)
            except Exception:
                raise Skip("not serializable")
        cfg = jsonable(cfg)
        if not KEEP_CUSTOM and not portable(cfg):
            raise Skip("custom class in config")
        return cfg


def jsonable(x):
    if isinstance(x, dict):
        return {str(k): jsonable(v) for k, v in x.items()}
    if isinstance(x, (list, tuple)):
        return [jsonable(v) for v in x]
    if isinstance(x, (np.generic,)):
        return x.item()
    if isinstance(x, float) and not math.isfinite(x):
        return {"$f": "nan" if x != x else ("inf" if x > 0 else "-inf")}
    if x is None or isinstance(x, (str, int, float, bool)):
        return x
    raise Skip(f"config value of type {type(x).__name__}")


BUILTIN_FN_MODULES = ("activations", "constraints", "initializers", "losses", "metrics", "optimizers", "regularizers")


def portable(cfg):
    """True when the config names nothing but Keras's own classes."""
    if isinstance(cfg, dict):
        c = cfg.get("class_name")
        if c in ("__lambda__", "__typespec__"):
            return False
        if c and "config" in cfg and "module" in cfg:
            m = cfg["module"]
            if c == "function":
                n, reg = cfg["config"], K.api_export.REGISTERED_NAMES_TO_OBJS
                if not isinstance(n, str) or ">" in n:
                    return False
                mods = [m] if m and m != "builtins" else ["keras." + q for q in BUILTIN_FN_MODULES]
                if not any(f"{q}.{n}" in reg for q in mods):
                    return False
            elif not (m and (m == "keras" or m.startswith("keras."))) or m.endswith("_test") or (cfg.get("registered_name") and ">" in str(cfg["registered_name"])):
                return False
        return all(portable(v) for v in cfg.values())
    if isinstance(cfg, list):
        return all(portable(v) for v in cfg)
    return True


def _is_sparse_or_ragged(x):
    n = type(x).__name__
    return n in ("SparseTensor", "RaggedTensor", "IndexedSlices", "BCOO", "BCSR")


def enc_out(e, x):
    return e.value(x)


def settings():
    d = {}
    if K.backend.floatx() != "float32":
        d["floatx"] = K.backend.floatx()
    if K.backend.image_data_format() != "channels_last":
        d["image_data_format"] = K.backend.image_data_format()
    if K.backend.epsilon() != 1e-7:
        d["epsilon"] = K.backend.epsilon()
    p = K.global_state.get_global_attribute("dtype_policy", None)
    if p is not None and p.name != "float32":
        d["dtype_policy"] = p.name
    return d


def emit(kind, target, body, e):
    if KINDS and kind not in KINDS:
        return
    key = (kind, target, Test.nodeid)
    if Test.per_target[key] >= PER_TEST:
        W.skip("over per-test limit")
        return
    Test.per_target[key] += 1
    case = {"kind": kind, "target": target}
    case.update(body)
    st = settings()
    if st:
        case["settings"] = st
    ident = json.dumps({k: v for k, v in case.items() if k not in ("out", "after", "grads")}, sort_keys=True)
    case = {"id": hashlib.sha256(ident.encode()).hexdigest()[:16], **case}
    case["backend"] = K.backend_name
    case["test"] = Test.nodeid
    case["group"] = Test.group
    W.add(kind, case, e.arrays)


# --------------------------------------------------------------------------
# gradients: d sum(out * ct) / d float inputs, with a fixed, formula-made ct


def cotangent(shape, dtype):
    n = int(np.prod(shape)) if len(shape) else 1
    ct = 1.0 + (np.arange(n) * 7919 % 13) / 13.0
    return ct.reshape(shape).astype(dtype)


def grads_of(fn, leaves):
    """fn: list of backend tensors -> output tree.  Returns list of numpy grads."""
    b = K.backend_name

    def scalar(out):
        total = None
        for o in K.tree.flatten(out):
            if not K.backend.is_tensor(o):
                continue
            dt = K.standardize_dtype(o.dtype)
            if dt not in ("float32", "float64"):
                continue
            ct = K.backend.convert_to_tensor(cotangent(tuple(o.shape), dt))
            s = K.backend.numpy.sum(o * ct)
            total = s if total is None else total + s
        if total is None:
            raise Skip("no float output")
        return total

    if b == "jax":
        g = K.jax.grad(lambda ls: scalar(fn(ls)))(list(leaves))
        return [K.to_numpy(x) for x in g]
    if b == "torch":
        t = K.torch
        with t.enable_grad():
            ls = [x.detach().clone().requires_grad_(True) for x in leaves]
            g = t.autograd.grad(scalar(fn(ls)), ls, allow_unused=True)
        return [
            np.zeros(tuple(x.shape), K.standardize_dtype(x.dtype)) if y is None else K.to_numpy(y.detach())
            for x, y in zip(leaves, g)
        ]
    if b == "tensorflow":
        tf = K.tf
        with tf.GradientTape() as tape:
            ls = [tf.identity(x) for x in leaves]
            for x in ls:
                tape.watch(x)
            s = scalar(fn(ls))
        g = tape.gradient(s, ls)
        return [
            np.zeros(tuple(x.shape), K.standardize_dtype(x.dtype)) if y is None else K.to_numpy(tf.convert_to_tensor(y))
            for x, y in zip(leaves, g)
        ]
    raise Skip("no gradients on this backend")


def float_leaves(args, kwargs):
    """Indices of float32 array leaves of (args, kwargs) and the flat list."""
    flat = K.tree.flatten((args, kwargs))
    idx = []
    for i, x in enumerate(flat):
        ok = isinstance(x, np.ndarray) or K.backend.is_tensor(x)
        if ok and str(K.standardize_dtype(x.dtype)) == "float32" and len(x.shape) > 0:
            idx.append(i)
    return flat, idx


def add_call_grads(e, body, fn, args, kwargs):
    if not GRADS or K.backend_name not in ("jax", "torch", "tensorflow"):
        return
    try:
        flat, idx = float_leaves(args, kwargs)
        if not idx or len(idx) > 8:
            return
        leaves = [K.backend.convert_to_tensor(flat[i]) for i in idx]

        def f(ls):
            cur = list(flat)
            for i, v in zip(idx, ls):
                cur[i] = v
            a, k = K.tree.pack_sequence_as((args, kwargs), cur)
            return fn(*a, **k)

        with inside(), K.no_warnings():
            g = grads_of(f, leaves)
        body["grads"] = [
            {"leaf": i, "value": e.array(x, "tensor")} for i, x in zip(idx, g)
        ]
    except Skip as s:
        W.skip(f"grads: {s}")
    except Exception:
        W.skip("grads: failed")


# --------------------------------------------------------------------------
# generic function recorder


def has_symbolic(args, kwargs):
    return K.any_symbolic(args, kwargs)


@functools.lru_cache(maxsize=None)
def seed_position(fn):
    """Position of a parameter called seed, or None."""
    try:
        names = list(inspect.signature(fn).parameters)
    except (TypeError, ValueError):
        return None
    return names.index("seed") if "seed" in names else None


def unseeded(fn, args, kwargs):
    if not isinstance(fn, types.FunctionType):
        return False
    i = seed_position(fn)
    if i is None:
        return False
    return (args[i] if i < len(args) else kwargs.get("seed")) is None


def record_call(kind, target, fn, args, kwargs, grads=True, extra=None):
    """Run fn(*args, **kwargs); record it when it is an outermost, concrete (or
    purely symbolic) call."""
    if depth() or not Test.nodeid:
        with inside():
            return fn(*args, **kwargs)
    e = Enc()
    body, why = None, None
    sym = False
    try:
        sym = has_symbolic(args, kwargs)
        if not sym and tracing():
            raise Skip("tracing")
        body = dict(extra or {})
        body["args"] = [e.value(a) for a in args]
        body["kwargs"] = {k: e.value(v) for k, v in kwargs.items()}
        if unseeded(fn, args, kwargs) or target.split(".")[-1] in ("empty", "empty_like"):
            body["random"] = True  # only shape, dtype and distribution can be compared
    except Skip as s:
        body, why = None, str(s)
    except Exception:
        body, why = None, "encode error"
        W.error(f"{kind}:{target}:in")
    try:
        with inside():
            out = fn(*args, **kwargs)
    except Exception as ex:
        if body is not None:
            body["raises"] = exc(ex)
            guarded_emit("error", target, {"of": kind, **body}, e)
        raise
    if body is None:
        W.skip(f"{kind}: {why}")
        return out
    try:
        body["out"] = enc_out(e, out)
        if grads and not sym:
            add_call_grads(e, body, fn, args, kwargs)
        guarded_emit(kind + ("_spec" if sym else ""), target, body, e)
    except Skip as s:
        W.skip(f"{kind}: {s}")
    except Exception:
        W.error(f"{kind}:{target}:out")
    return out


def guarded_emit(kind, target, body, e):
    try:
        emit(kind, target, body, e)
    except Skip as s:
        W.skip(f"{kind}: {s}")
    except Exception:
        W.error(f"{kind}:{target}:emit")


# Texts that Python or a numeric library writes.  They are no part of Keras's contract,
# and they change with the backend and its version.
LIBRARY_TEXT = re.compile(
    r"not understood|ufunc|could not be broadcast|not aligned|operands? |out of bounds|"
    r"unsupported operand|object is not|object cannot be|has no attribute|not iterable|"
    r"positional argument|unexpected keyword|multiple values for|list index|not subscriptable|"
    r"setting an array element|cannot reshape|array split|data type not supported|"
    r"jnp\.|jax\.|torch\.|aten::|XLA|\{\{node|Eager|object at 0x"
)


def exc(ex):
    """Type and stable text of an exception; `library` when Keras did not write it."""
    text = str(ex)
    if text.startswith("Exception encountered when calling"):
        # Keras wraps errors of layers: header, blank line, bold original text, arguments.
        inner = text.split("\n\n", 1)[-1]
        text = inner.replace("\x1b[1m", "").split("\x1b[0m")[0]
    out = {"type": type(ex).__name__, "message": text.split("\n")[0][:300]}
    if type(ex).__module__ != "builtins" or LIBRARY_TEXT.search(out["message"]):
        out["library"] = True
    return out


ORIG, PATCHED = {}, {}


def dispatch(key, args, kwargs):
    kind, target, fn, opts = ORIG[key]
    return record_call(kind, target, fn, args, kwargs, **opts)


def patch_function(fn, kind, target, **opts):
    """Swap fn.__code__ so that every reference to fn is recorded."""
    if fn in PATCHED or not isinstance(fn, types.FunctionType):
        return False
    if fn.__code__.co_freevars or inspect.isgeneratorfunction(fn):
        return False  # closures (decorated functions): left alone
    orig = types.FunctionType(
        fn.__code__, fn.__globals__, fn.__name__, fn.__defaults__, fn.__closure__
    )
    orig.__kwdefaults__ = dict(fn.__kwdefaults__) if fn.__kwdefaults__ else None
    orig.__dict__.update(fn.__dict__)
    sig = inspect.signature(fn)
    key = f"{fn.__module__}.{fn.__qualname__}"
    ns = {}
    exec(
        "def w(*args, **kwargs):\n"
        f"    return __goldens_dispatch__({key!r}, args, kwargs)\n",
        ns,
    )
    code = ns["w"].__code__.replace(co_name=fn.__code__.co_name)
    ORIG[key] = (kind, target, orig, opts)
    fn.__globals__["__goldens_dispatch__"] = dispatch
    fn.__defaults__ = None
    fn.__kwdefaults__ = None
    fn.__code__ = code
    fn.__signature__ = sig
    PATCHED[fn] = orig
    return True


def patch_method(cls, name, maker):
    orig = cls.__dict__.get(name)
    if orig is None or getattr(orig, "_goldens", False):
        return False
    w = functools.wraps(orig)(maker(orig))
    w._goldens = True
    if getattr(orig, "_is_default", False):
        w._is_default = True  # Keras asks is_default() of methods
    setattr(cls, name, w)
    return True


def subclasses(cls):
    seen, todo = [], [cls]
    while todo:
        c = todo.pop()
        if c in seen:
            continue
        seen.append(c)
        todo += c.__subclasses__()
    return [c for c in seen if c.__module__.startswith("keras.src") and not c.__module__.endswith("_test")]


# --------------------------------------------------------------------------
# layers


def layer_state(e, layer):
    return [e.var(v) for v in unique_variables(layer)]


def unique_variables(layer):
    out, seen = [], set()
    for v in list(layer.weights) + list(layer.variables):
        if id(v) not in seen:
            seen.add(id(v))
            out.append(v)
    return out


def masks_of(x):
    m = K.tree.map_structure(K.backend.get_keras_mask, x)
    return None if all(v is None for v in K.tree.flatten(m)) else m


def make_maybe_build(orig):
    def _maybe_build(self, call_spec):
        r = orig(self, call_spec)
        cb = getattr(STATE, "after_build", None)
        if cb is not None and cb[0] is self:
            cb[1]()
        return r

    return _maybe_build


def make_layer_call(orig):
    def __call__(self, *args, **kwargs):
        if depth() or not Test.nodeid:
            with inside():
                return orig(self, *args, **kwargs)
        target = public_name(type(self))
        e = Enc()
        why = None
        body = {}
        sym = False
        try:
            if not target:
                raise Skip("custom class")
            sym = has_symbolic(args, kwargs)
            if not sym and tracing():
                raise Skip("tracing")
            body["args"] = [e.value(a) for a in args]
            body["kwargs"] = {k: e.value(v) for k, v in kwargs.items()}
            m = masks_of((args, kwargs))
            if m is not None and not sym:
                body["input_masks"] = e.value(m)
        except Skip as s:
            why = str(s)
        except Exception:
            why = "encode error"
            W.error(f"layer:{target}:in")
        snap = {}

        def after_build():
            STATE.after_build = None
            try:
                with inside():
                    snap["state"] = layer_state(e, self)
                    snap["ids"] = [id(v) for v in unique_variables(self)]
                    snap["tensors"] = [v.value for v in unique_variables(self)]
            except Skip as s:
                snap["skip"] = str(s)
            except Exception:
                snap["skip"] = "state error"
                W.error(f"layer:{target}:state")

        if why is None and not sym:
            STATE.after_build = (self, after_build)
        try:
            with inside():
                out = orig(self, *args, **kwargs)
        except Exception as ex:
            if why is None:
                try:
                    body["config"] = e.keras(self)
                    body["raises"] = exc(ex)
                    guarded_emit("error", target, {"of": "layer", **body}, e)
                except Skip as s:
                    W.skip(f"layer: {s}")
            raise
        finally:
            STATE.after_build = None
        if why is None:
            why = snap.get("skip")
        if why is not None:
            W.skip(f"layer: {why}")
            return out
        try:
            body["config"] = e.keras(self)
            body["out"] = enc_out(e, out)
            if sym:
                guarded_emit("layer_spec", target, body, e)
                return out
            vs = unique_variables(self)
            if [id(v) for v in vs] != snap.get("ids"):
                raise Skip("state created during call")
            body["state"] = snap["state"]
            after = {}
            for i, v in enumerate(vs):
                d = e.var(v)
                if d["$a"] != snap["state"][i]["$a"]:
                    after[str(i)] = d
            if after:
                body["after"] = after
            m = masks_of(out)
            if m is not None:
                body["output_masks"] = e.value(m)
            with inside():
                ls = [K.to_numpy(x) for x in self.losses]
            if ls:
                body["losses"] = [e.array(x, "tensor") for x in ls]
            body["random"] = any(
                isinstance(v, K.KerasVariable) and v.name == "seed_generator_state" for v in vs
            )
            if not after:
                add_layer_grads(e, body, self, args, kwargs)
            kind = "model" if isinstance(self, K.Model) else "layer"
            guarded_emit(kind, target, body, e)
        except Skip as s:
            W.skip(f"layer: {s}")
        except Exception:
            W.error(f"layer:{target}:out")
        return out

    return __call__


def add_layer_grads(e, body, layer, args, kwargs):
    """Gradients for float inputs and trainable weights of a call that changed no state."""
    if not GRADS or K.backend_name not in ("jax", "torch", "tensorflow"):
        return
    try:
        tv = list(layer.trainable_variables)
        flat, idx = float_leaves(args, kwargs)
        if len(tv) + len(idx) > 24:
            return
        if K.backend_name == "jax":
            leaves = [v.value for v in tv] + [K.backend.convert_to_tensor(flat[i]) for i in idx]
            ntv = [v.value for v in layer.non_trainable_variables]

            def f(ls):
                cur = list(flat)
                for i, v in zip(idx, ls[len(tv):]):
                    cur[i] = v
                a, k = K.tree.pack_sequence_as((args, kwargs), cur)
                out, _ = layer.stateless_call(list(ls[: len(tv)]), ntv, *a, **dict(k))
                return out

            with inside(), K.no_warnings():
                g = grads_of(f, leaves)
        elif K.backend_name == "torch":
            params = [v.value for v in tv]
            leaves = [K.backend.convert_to_tensor(flat[i]).detach().clone().requires_grad_(True) for i in idx]
            cur = list(flat)
            for i, v in zip(idx, leaves):
                cur[i] = v
            a, k = K.tree.pack_sequence_as((args, kwargs), cur)
            with inside(), K.no_warnings(), K.torch.enable_grad():
                out = layer(*a, **k)
                total = 0.0
                for o in K.tree.flatten(out):
                    if K.standardize_dtype(o.dtype) in ("float32", "float64"):
                        total = total + (o * K.backend.convert_to_tensor(cotangent(tuple(o.shape), "float32"))).sum()
                gg = K.torch.autograd.grad(total, params + leaves, allow_unused=True)
            g = [np.zeros(tuple(p.shape), "float32") if x is None else K.to_numpy(x.detach()) for p, x in zip(params + leaves, gg)]
        else:
            tf = K.tf
            leaves = [tf.identity(K.backend.convert_to_tensor(flat[i])) for i in idx]
            cur = list(flat)
            for i, v in zip(idx, leaves):
                cur[i] = v
            a, k = K.tree.pack_sequence_as((args, kwargs), cur)
            vs = [v.value for v in tv]
            with inside(), K.no_warnings(), tf.GradientTape() as tape:
                for x in leaves:
                    tape.watch(x)
                out = layer(*a, **k)
                total = 0.0
                for o in K.tree.flatten(out):
                    if K.standardize_dtype(o.dtype) == "float32":
                        total = total + tf.reduce_sum(o * cotangent(tuple(o.shape), "float32"))
            gg = tape.gradient(total, vs + leaves)
            g = [np.zeros(tuple(p.shape), "float32") if x is None else K.to_numpy(tf.convert_to_tensor(x)) for p, x in zip(vs + leaves, gg)]
        body["grads"] = {
            "trainable": [e.array(x, "tensor") for x in g[: len(tv)]],
            "leaves": [{"leaf": i, "value": e.array(x, "tensor")} for i, x in zip(idx, g[len(tv):])],
        }
    except Skip as s:
        W.skip(f"grads: {s}")
    except Exception:
        W.skip("grads: layer failed")


# --------------------------------------------------------------------------
# plain ops classes


def make_operation_call(orig):
    def __call__(self, *args, **kwargs):
        if isinstance(self, K.Layer):
            return orig(self, *args, **kwargs)
        auto = getattr(self, "_auto_config", None)
        target = f"{type(self).__module__}:{type(self).__name__}"
        if isinstance(self, K.Function):
            return record_function(self, orig, args, kwargs)
        if auto is None or type(self).__module__.endswith("_test"):
            if not depth():
                W.skip("op_class: no auto config")
            with inside():
                return orig(self, *args, **kwargs)
        extra = {}
        try:
            extra["init"] = Enc().value(dict(auto.config))
        except Exception:
            extra = None
        if extra is None:
            with inside():
                return orig(self, *args, **kwargs)
        return record_call("op_class", target, functools.partial(orig, self), args, kwargs, extra=extra)

    return __call__


def record_function(self, orig, args, kwargs):
    """A bare keras.Function: store its graph as op class names and node wiring."""

    def graph():
        ids, nodes = {}, []
        for i, t in enumerate(self._inputs):
            ids[id(t)] = ["in", i]
        e2 = Enc()
        for dpt in sorted(self._nodes_by_depth, reverse=True):
            for n in self._nodes_by_depth[dpt]:
                if n.is_input:
                    continue
                op = n.operation

                def ref(x):
                    return {"$ref": ids[id(x)]} if isinstance(x, K.KerasTensor) else x

                def enc(x):
                    if isinstance(x, dict) and "$ref" in x:
                        return x
                    return e2.value(x)

                a = [enc_tree(K.tree.map_structure(ref, v), enc) for v in n.arguments.args]
                k = {q: enc_tree(K.tree.map_structure(ref, v), enc) for q, v in n.arguments.kwargs.items()}
                cfg = e2.keras(op) if isinstance(op, K.Layer) else e2.value(dict(op._auto_config.config) if op._auto_config else {})
                nodes.append({"op": public_name(type(op)) or f"{type(op).__module__}:{type(op).__name__}", "config": cfg, "args": a, "kwargs": k})
                for j, t in enumerate(n.outputs):
                    ids[id(t)] = [len(nodes) - 1, j]
        return {"nodes": nodes, "outputs": [ids[id(t)] for t in self._outputs]}

    extra = {}
    if not depth():
        try:
            extra["graph"] = graph()
        except Exception:
            W.skip("function: graph not encodable")
            with inside():
                return orig(self, *args, **kwargs)
    return record_call("function", "keras.Function", functools.partial(orig, self), args, kwargs, extra=extra)


def enc_tree(x, enc):
    if isinstance(x, dict) and "$ref" in x:
        return x
    if isinstance(x, tuple):
        return {"$tuple": [enc_tree(v, enc) for v in x]}
    if isinstance(x, list):
        return [enc_tree(v, enc) for v in x]
    if isinstance(x, dict):
        return {"$dict": [[k, enc_tree(v, enc)] for k, v in x.items()]}
    return enc(x)


# --------------------------------------------------------------------------
# objects that are called: losses, initializers, constraints, ...


def make_object_call(kind, grads=False, post=None):
    def maker(orig):
        def __call__(self, *args, **kwargs):
            if depth() or not Test.nodeid:
                with inside():
                    return orig(self, *args, **kwargs)
            target = public_name(type(self))
            extra = {}
            try:
                if not target:
                    raise Skip("custom class")
                extra["config"] = Enc().keras(self)
                if kind == "initializer":
                    # An unseeded initializer drew its seed in the constructor; its config says null.
                    seed = getattr(self, "seed", None)
                    if isinstance(seed, int):
                        extra["seed"] = seed
                    elif isinstance(seed, K.SeedGenerator):
                        extra["random"] = True
            except Skip as s:
                W.skip(f"{kind}: {s}")
                with inside():
                    return orig(self, *args, **kwargs)
            return record_call(kind, target, functools.partial(orig, self), args, kwargs, grads=grads, extra=extra)

        return __call__

    return maker


def make_compile_loss_call(orig):
    def __call__(self, *args, **kwargs):
        if depth() or not Test.nodeid:
            with inside():
                return orig(self, *args, **kwargs)
        e = Enc()
        try:
            if has_symbolic(args, kwargs):
                raise Skip("symbolic")
            if tracing():
                raise Skip("tracing")
            body = {
                "spec": {
                    "loss": e.value(self._user_loss),
                    "loss_weights": e.value(self._user_loss_weights),
                    "output_names": e.value(self.output_names),
                },
                "args": [e.value(a) for a in args],
                "kwargs": {k: e.value(v) for k, v in kwargs.items()},
            }
        except Skip as s:
            W.skip(f"compile_loss: {s}")
            body = None
        try:
            with inside():
                out = orig(self, *args, **kwargs)
        except Exception as ex:
            if body is not None:
                body["raises"] = exc(ex)
                guarded_emit("error", "CompileLoss", {"of": "compile_loss", **body}, e)
            raise
        if body is not None:
            try:
                body["out"] = e.value(out)
                with inside():
                    body["metrics"] = {m.name: e.value(K.to_numpy(m.result())) for m in self.metrics}
                guarded_emit("compile_loss", "CompileLoss", body, e)
            except Skip as s:
                W.skip(f"compile_loss: {s}")
        return out

    return __call__


# --------------------------------------------------------------------------
# metrics: one trace per object, written when its test ends


def metric_trace(m):
    t = Test.traces.get(id(m))
    if t is None:
        t = {"obj": m, "enc": Enc(), "events": [], "bad": None, "config": None}
        Test.traces[id(m)] = t
        try:
            target = public_name(type(m))
            if type(m).__name__ == "CompileMetrics":
                e = t["enc"]
                t["config"] = {
                    "metrics": e.value(m._user_metrics),
                    "weighted_metrics": e.value(m._user_weighted_metrics),
                    "output_names": e.value(m.output_names),
                }
            elif not target:
                raise Skip("custom class")
            else:
                t["config"] = t["enc"].keras(m)
        except Skip as s:
            t["bad"] = str(s)
        except Exception:
            t["bad"] = "config error"
    return t


def make_metric_method(event):
    def maker(orig):
        def method(self, *args, **kwargs):
            if depth() or not Test.nodeid:
                with inside():
                    return orig(self, *args, **kwargs)
            t = metric_trace(self)
            e, ev = t["enc"], None
            if t["bad"] is None:
                try:
                    if has_symbolic(args, kwargs):
                        raise Skip("symbolic")
                    if tracing():
                        raise Skip("tracing")
                    ev = {"do": event, "args": [e.value(a) for a in args], "kwargs": {k: e.value(v) for k, v in kwargs.items()}}
                except Skip as s:
                    t["bad"] = str(s)
                except Exception:
                    t["bad"] = "encode error"
            try:
                with inside():
                    out = orig(self, *args, **kwargs)
            except Exception as ex:
                if ev is not None:
                    ev["raises"] = exc(ex)
                    t["events"].append(ev)
                raise
            if ev is not None:
                try:
                    if event == "result":
                        ev["out"] = e.value(out)
                    else:
                        with inside():
                            ev["variables"] = [e.var(v) for v in self.variables]
                    t["events"].append(ev)
                except Skip as s:
                    t["bad"] = str(s)
                except Exception:
                    t["bad"] = "state error"
            return out

        return method

    return maker


def make_metric_call(orig):
    # Metric.__call__ = update_state + result; let the two be recorded separately.
    return orig


def flush_traces():
    for t in Test.traces.values():
        if t["bad"] is not None:
            W.skip(f"metric: {t['bad']}")
            continue
        if not any(ev["do"] == "update_state" for ev in t["events"]):
            continue
        target = public_name(type(t["obj"])) or type(t["obj"]).__name__
        guarded_emit("metric", target, {"config": t["config"], "events": t["events"]}, t["enc"])
    Test.traces = {}


# --------------------------------------------------------------------------
# optimizers


def optimizer_var(e, opt, v):
    """A variable with what the optimizer's config does not tell about it."""
    d = e.var(v)
    if getattr(v, "overwrite_with_gradient", False):
        d["overwrite_with_gradient"] = True
    if getattr(v, "constraint", None) is not None:
        d["constraint"] = e.value(v.constraint)
    if getattr(opt, "weight_decay", None) is not None:
        with contextlib.suppress(AttributeError):
            if not opt._use_weight_decay(v):
                d["no_weight_decay"] = True
    return d


def make_apply(orig):
    def apply(self, grads, trainable_variables=None):
        if depth() or not Test.nodeid:
            with inside():
                return orig(self, grads, trainable_variables)
        e, body = Enc(), None
        tvs = trainable_variables
        try:
            target = public_name(type(self)) or public_name(type(self).__mro__[1])
            if not target:
                raise Skip("custom class")
            if tracing() or K.backend.in_stateless_scope():
                raise Skip("tracing")
            if tvs is not None:
                tvs = trainable_variables = list(tvs)
                if not self.built:
                    with inside(), K.backend.name_scope(self.name, caller=self):
                        self.build(tvs)
            else:
                tvs = list(self._trainable_variables)
            if not all(isinstance(v, K.KerasVariable) for v in tvs):
                raise Skip("raw backend variable")
            body = {
                "config": e.keras(self),
                "grads_in": [e.value(g) for g in grads],
                "vars": [optimizer_var(e, self, v) for v in tvs],
                "slots": [e.var(v) for v in self.variables],
            }
        except Skip as s:
            W.skip(f"optimizer: {s}")
            body = None
        except Exception:
            W.error("optimizer:in")
            body = None
        try:
            with inside():
                out = orig(self, grads, trainable_variables)
        except Exception as ex:
            if body is not None:
                body["raises"] = exc(ex)
                guarded_emit("error", target, {"of": "optimizer", **body}, e)
            raise
        if body is not None:
            try:
                body["after"] = {"vars": [e.var(v) for v in tvs], "slots": [e.var(v) for v in self.variables]}
                guarded_emit("optimizer", target, body, e)
            except Skip as s:
                W.skip(f"optimizer: {s}")
            except Exception:
                W.error("optimizer:out")
        return out

    return apply


# --------------------------------------------------------------------------
# trainer


def make_trainer(name):
    def maker(orig):
        def method(self, *args, **kwargs):
            if depth() or not Test.nodeid:
                with inside():
                    return orig(self, *args, **kwargs)
            e, body = Enc(), None
            try:
                target = public_name(type(self)) or type(self).__name__
                if not public_name(type(self)) and type(self).__name__ != "Functional":
                    raise Skip("custom model")
                if type(self).__name__ == "Functional":
                    target = "keras.Model"
                if not self.built:
                    raise Skip("unbuilt model")
                body = {
                    "method": name,
                    "config": e.keras(self),
                    "state": [e.var(v) for v in unique_variables(self)],
                    "slots": [e.var(v) for v in self.optimizer.variables] if getattr(self, "optimizer", None) is not None else None,
                    "args": [e.value(a) for a in args],
                    "kwargs": {k: e.value(v) for k, v in kwargs.items() if k not in ("callbacks", "verbose")},
                }
                if kwargs.get("callbacks"):
                    raise Skip("callbacks")
            except Skip as s:
                W.skip(f"trainer: {s}")
                body = None
            except Exception:
                W.error(f"trainer:{name}:in")
                body = None
            with inside():
                out = orig(self, *args, **kwargs)
            if body is not None:
                try:
                    if name == "fit":
                        body["out"] = e.value({"epoch": out.epoch, "history": out.history})
                    else:
                        body["out"] = e.value(out)
                    body["after"] = {
                        "state": [e.var(v) for v in unique_variables(self)],
                        "slots": [e.var(v) for v in self.optimizer.variables] if getattr(self, "optimizer", None) is not None else None,
                    }
                    guarded_emit("trainer", target, body, e)
                except Skip as s:
                    W.skip(f"trainer: {s}")
                except Exception:
                    W.error(f"trainer:{name}:out")
            return out

        return method

    return maker


# --------------------------------------------------------------------------
# configs and files


def record_config(obj, cfg):
    if depth() or not Test.nodeid or isinstance(obj, (K.KerasTensor, np.ndarray, np.generic)):
        return
    target = public_name(type(obj))
    if not target or not isinstance(cfg, dict):
        return
    try:
        cfg = jsonable(cfg)
        if not KEEP_CUSTOM and not portable(cfg):
            raise Skip("custom class in config")
        text = json.dumps(cfg)
        if len(text) > 60000:
            raise Skip("large config")
        guarded_emit("config", target, {"config": cfg}, Enc())
    except Skip as s:
        W.skip(f"config: {s}")


def serialize_hook(key, args, kwargs):
    _, _, fn, _ = ORIG[key]
    with inside():
        out = fn(*args, **kwargs)
    if args:
        record_config(args[0], out)
    return out


def copy_file(path, model):
    try:
        path = str(path)
        if not os.path.isfile(path) or os.path.getsize(path) > MAX_FILE:
            raise Skip("large or missing file")
        e = Enc()
        cfg = e.keras(model)
        with open(path, "rb") as f:
            data = f.read()
        h = hashlib.sha256(data).hexdigest()[:16]
        ext = ".weights.h5" if path.endswith(".weights.h5") else os.path.splitext(path)[1]
        os.makedirs(os.path.join(W.out, "files"), exist_ok=True)
        with open(os.path.join(W.out, "files", h + ext), "wb") as f:
            f.write(data)
        body = {
            "file": "files/" + h + ext,
            "config": cfg,
            "state": [e.var(v) for v in unique_variables(model)],
        }
        guarded_emit("file", public_name(type(model)) or type(model).__name__, body, e)
    except Skip as s:
        W.skip(f"file: {s}")
    except Exception:
        W.error("file")


def save_hook(key, args, kwargs):
    _, _, fn, _ = ORIG[key]
    outer = not depth()
    with inside():
        out = fn(*args, **kwargs)
    if outer and Test.nodeid and len(args) >= 2:
        copy_file(args[1], args[0])
    return out


def patch_hook(fn, hook):
    if patch_function(fn, "hook", fn.__name__):
        key = f"{fn.__module__}.{fn.__qualname__}"
        name = f"__goldens_{hook.__name__}__"
        fn.__globals__[name] = hook
        ns = {}
        exec(f"def w(*args, **kwargs):\n    return {name}({key!r}, args, kwargs)\n", ns)
        fn.__code__ = ns["w"].__code__


# --------------------------------------------------------------------------
# install


def install(out, worker):
    global W
    W = Writer(out, worker)
    import keras  # noqa
    from keras.src import api_export, backend, ops, tree
    from keras.src.backend.common import global_state
    from keras.src.backend.common.keras_tensor import any_symbolic_tensors
    from keras.src.backend.common.symbolic_scope import in_symbolic_scope
    from keras.src.backend.common.variables import Variable as KerasVariable
    from keras.src.backend.common.variables import standardize_dtype
    from keras.src.constraints.constraints import Constraint
    from keras.src.initializers.initializer import Initializer
    from keras.src.layers.layer import Layer
    from keras.src.losses.loss import Loss
    from keras.src.metrics.metric import Metric
    from keras.src.models.model import Model
    from keras.src.ops.function import Function
    from keras.src.ops.operation import Operation
    from keras.src.optimizers.base_optimizer import BaseOptimizer
    from keras.src.optimizers.schedules.learning_rate_schedule import LearningRateSchedule
    from keras.src.quantizers.quantizers import Quantizer
    from keras.src.random.seed_generator import SeedGenerator
    from keras.src.regularizers.regularizers import Regularizer
    from keras.src.saving import saving_lib, serialization_lib
    from keras.src.trainers import compile_utils

    b = backend.backend()
    K.backend, K.backend_name, K.tree, K.ops = backend, b, tree, ops
    K.api_export, K.global_state = api_export, global_state
    K.KerasTensor, K.KerasVariable, K.SeedGenerator = backend.KerasTensor, KerasVariable, SeedGenerator
    K.standardize_dtype, K.any_symbolic, K.in_symbolic_scope = standardize_dtype, any_symbolic_tensors, in_symbolic_scope
    K.Layer, K.Model, K.Function = Layer, Model, Function
    if b == "jax":
        import jax

        K.jax = jax
    if b == "tensorflow":
        import tensorflow as tf

        K.tf = tf
    if b == "torch":
        import torch

        K.torch = torch

    def to_numpy(x):
        if b == "torch" and isinstance(x, K.torch.Tensor):
            x = x.detach()
        return np.asarray(backend.convert_to_numpy(x))

    K.to_numpy = to_numpy
    import warnings

    @contextlib.contextmanager
    def no_warnings():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield

    K.no_warnings = no_warnings

    # 1. Serialization first: record_config needs the original reachable.
    patch_hook(serialization_lib.serialize_keras_object, serialize_hook)
    orig_ser = PATCHED[serialization_lib.serialize_keras_object]
    K.serialize = orig_ser
    patch_hook(saving_lib.save_model, save_hook)
    patch_hook(saving_lib.save_weights_only, save_hook)

    # 2. Exported functions.
    counts = collections.Counter()
    skip_fn = {"keras.ops.custom_gradient", "keras.ops.is_tensor", "keras.ops.vectorize", "keras.tree.is_nested", "keras.config.backend"}
    for name, obj in sorted(api_export.REGISTERED_NAMES_TO_OBJS.items()):
        if not isinstance(obj, types.FunctionType) or name in skip_fn or name.startswith("keras._"):
            continue
        last = name.rsplit(".", 1)[-1]
        if last in ("serialize", "deserialize", "get"):
            continue
        kind, opts = None, {}
        if name.startswith("keras.ops."):
            kind = "op"
        elif name.startswith("keras.activations."):
            kind = "activation"
        elif name.startswith("keras.random."):
            kind, opts = "random", {"grads": False}
        elif name.startswith(("keras.losses.", "keras.metrics.")):
            kind = "loss_fn"
        elif name.startswith("keras.tree."):
            # tree is used by the recorder itself: the in-place patch would recurse
            # through depth() harmlessly, but callables cannot be encoded anyway.
            continue
        elif name in (
            "keras.backend.result_type",
            "keras.utils.normalize",
            "keras.utils.to_categorical",
            "keras.utils.pad_sequences",
            "keras.utils.unpack_x_y_sample_weight",
            "keras.utils.pack_x_y_sample_weight",
            "keras.utils.img_to_array",
        ) or name.startswith("keras.utils.bounding_boxes.") or name.startswith("keras.quantizers."):
            kind, opts = "util", {"grads": False}
        if kind and patch_function(obj, kind, name, **opts):
            counts[kind] += 1

    # 3. Classes.
    counts["Operation"] += patch_method(Operation, "__call__", make_operation_call)
    counts["Layer"] += patch_method(Layer, "__call__", make_layer_call)
    counts["Layer._maybe_build"] += patch_method(Layer, "_maybe_build", make_maybe_build)
    for c in subclasses(Loss):
        if c is compile_utils.CompileLoss:
            counts["compile_loss"] += patch_method(c, "__call__", make_compile_loss_call)
        else:
            counts["loss"] += patch_method(c, "__call__", make_object_call("loss", grads=True))
    for c in subclasses(Metric):
        for m in ("update_state", "result", "reset_state"):
            counts["metric." + m] += patch_method(c, m, make_metric_method(m))
    for c in subclasses(BaseOptimizer):
        counts["optimizer"] += patch_method(c, "apply", make_apply)
    for base, kind in (
        (LearningRateSchedule, "schedule"),
        (Initializer, "initializer"),
        (Constraint, "constraint"),
        (Regularizer, "regularizer"),
        (Quantizer, "quantizer"),
    ):
        for c in subclasses(base):
            counts[kind] += patch_method(c, "__call__", make_object_call(kind))
    for c in Model.__mro__:
        if c.__name__.endswith("Trainer") and c.__module__.startswith("keras.src"):
            for m in ("fit", "evaluate", "predict", "train_on_batch", "test_on_batch", "predict_on_batch"):
                counts["trainer"] += patch_method(c, m, make_trainer(m))
    return counts


# --------------------------------------------------------------------------
# pytest plugin

DEFS = {}


def base_method(path, name):
    """Longest `def test...` of the file that prefixes the collected name."""
    if path not in DEFS:
        try:
            with open(path) as f:
                t = ast.parse(f.read())
            DEFS[path] = sorted(
                {n.name for n in ast.walk(t) if isinstance(n, ast.FunctionDef) and n.name.startswith("test")},
                key=len,
                reverse=True,
            )
        except Exception:
            DEFS[path] = []
    for d in DEFS[path]:
        if name == d or name.startswith(d):
            return d
    return name


def pytest_configure(config):
    out = ENV("GOLDENS_OUT")
    if not out:
        return
    worker = ENV("PYTEST_XDIST_WORKER", "main")
    if hasattr(config, "workerinput") or worker != "main" or not getattr(config.option, "numprocesses", None):
        counts = install(out, worker)
        config._goldens_counts = counts
        print("record_goldens: patched", dict(counts), file=sys.stderr)


def _set_test(item):
    if W is None:
        return
    Test.nodeid = item.nodeid
    path = str(getattr(item, "path", getattr(item, "fspath", "")))
    name = item.name
    base = base_method(path, name.split("[")[0])
    cls = item.cls.__name__ if getattr(item, "cls", None) is not None else ""
    file = item.nodeid.split("::")[0]
    Test.group = f"{file}::{cls}::{base}" if name == base else f"{file}::{cls}::{name}"
    Test.per_target = collections.Counter()
    Test.traces = {}
    STATE.depth = 0
    STATE.after_build = None


try:
    import pytest

    first = pytest.hookimpl(tryfirst=True)
except ImportError:  # command-line use without pytest

    def first(f):
        return f


@first
def pytest_runtest_call(item):
    # Runs before pytest's own hook of this name, that is before the test body
    # (for unittest classes setUp runs inside the body, so it is recorded too).
    _set_test(item)


@first
def pytest_runtest_teardown(item):
    if W is None:
        return
    try:
        flush_traces()
    except Exception:
        W.error("traces")
    Test.nodeid = ""


def pytest_sessionfinish(session, exitstatus):
    if W is None:
        return
    import keras

    W.close(
        {
            "keras": keras.__version__,
            "backend": K.backend_name,
            "numpy": np.__version__,
            "python": sys.version.split()[0],
            "patched": dict(getattr(session.config, "_goldens_counts", {})),
            "max_elems": MAX_ELEMS,
            "grads": GRADS,
        }
    )


# --------------------------------------------------------------------------
# command line: finalize, replay, compare


def read_shards(folder):
    """Yields (case, arrays) where arrays is a lazy npz."""
    for fn in sorted(os.listdir(folder)):
        if not fn.endswith(".jsonl"):
            continue
        npz = os.path.join(folder, fn[:-6] + ".npz")
        z = np.load(npz) if os.path.exists(npz) else {}
        with open(os.path.join(folder, fn)) as f:
            for line in f:
                yield json.loads(line), z


def refs(x, out):
    if isinstance(x, dict):
        if "$a" in x:
            out.add(x["$a"])
        for v in x.values():
            refs(v, out)
    elif isinstance(x, list):
        for v in x:
            refs(v, out)
    return out


def fraction(target, group):
    h = hashlib.sha256(f"{target}|{group}".encode()).hexdigest()
    return int(h[:8], 16) / 2**32


def finalize(src, dst):
    seen, by_target = {}, collections.defaultdict(list)
    for case, z in read_shards(src):
        if case["id"] in seen:
            continue
        if "raises" in case and ENV("GOLDENS_LIBRARY_ERRORS", "0") != "1":
            # (Error shards of an older recorder have no flag: the text decides.)
            r = case["raises"]
            if r.get("library") or LIBRARY_TEXT.search(r["message"]) or r["type"] == "AxisError":
                continue
        seen[case["id"]] = (case, z)
        by_target[(case["kind"], case["target"])].append(case["id"])
    kept = collections.defaultdict(list)
    for (kind, target), ids in sorted(by_target.items()):
        # Deterministic cap that keeps variety: round robin over groups, ids in hash order.
        per = collections.defaultdict(list)
        for i in sorted(ids):
            per[seen[i][0]["group"]].append(i)
        order, queues = [], [per[g] for g in sorted(per, key=lambda g: fraction(target, g))]
        while queues and len(order) < PER_TARGET:
            for q in queues:
                if q and len(order) < PER_TARGET:
                    order.append(q.pop(0))
            queues = [q for q in queues if q]
        for i in order:
            kept[kind].append(i)
    manifest = {"files": {}, "targets": collections.Counter()}
    os.makedirs(dst, exist_ok=True)
    for kind, ids in sorted(kept.items()):
        arrays, lines = {}, []
        for i in ids:
            case, z = seen[i]
            for k in refs(case, set()):
                if k not in arrays:
                    arrays[k] = z[k]
            if kind == "file":
                import shutil

                os.makedirs(os.path.join(dst, "files"), exist_ok=True)
                shutil.copy(os.path.join(src, case["file"]), os.path.join(dst, case["file"]))
            lines.append(json.dumps(case, separators=(",", ":")))
            manifest["targets"][f"{kind}:{case['target']}"] += 1
        with open(os.path.join(dst, kind + ".jsonl"), "w") as f:
            f.write("\n".join(lines) + "\n")
        np.savez_compressed(os.path.join(dst, kind + ".npz"), **arrays)
        manifest["files"][kind] = {"cases": len(lines), "arrays": len(arrays)}
    manifest["targets"] = dict(sorted(manifest["targets"].items()))
    with open(os.path.join(dst, "manifest.json"), "w") as f:
        json.dump(manifest, f, indent=1)
    print(json.dumps(manifest["files"], indent=1))


def decode(x, z, keras):
    import keras.src.backend as B  # noqa

    if isinstance(x, list):
        return [decode(v, z, keras) for v in x]
    if not isinstance(x, dict):
        return x
    if "$a" in x:
        a = z[x["$a"]]
        if x["dtype"] in BIT_DTYPES:
            import ml_dtypes

            a = a.view(getattr(ml_dtypes, x["dtype"]))
        return a if x.get("src") == "np" else keras.ops.convert_to_tensor(a, dtype=x["dtype"])
    if "$sa" in x:
        return np.array(x["$sa"], dtype=object).reshape(x["shape"])
    if "$float" in x:
        return float(x["$float"])
    if "$int" in x:
        return int(x["$int"])
    if "$f" in x:
        return float(x["$f"])
    if "$c" in x:
        return complex(*x["$c"])
    if "$np" in x:
        v = decode(x["$np"], z, keras)
        return np.dtype(x["dtype"]).type(v)
    if "$tuple" in x:
        return tuple(decode(v, z, keras) for v in x["$tuple"])
    if "$dict" in x:
        return {k if isinstance(k, (str, int)) else decode(k, z, keras): decode(v, z, keras) for k, v in x["$dict"]}
    if "$slice" in x:
        return slice(*[decode(v, z, keras) for v in x["$slice"]])
    if "$ellipsis" in x:
        return Ellipsis
    if "$dtype" in x:
        return x["$dtype"]
    if "$type" in x:
        return {"int": int, "float": float, "bool": bool, "str": str, "complex": complex}[x["$type"]]
    if "$range" in x:
        return range(*x["$range"])
    if "$kt" in x:
        return keras.KerasTensor(x["$kt"]["shape"], dtype=x["$kt"]["dtype"], sparse=x["$kt"]["sparse"])
    if "$keras" in x:
        return keras.saving.deserialize_keras_object(copy.deepcopy(x["$keras"]))
    if "$fn" in x:
        return resolve(x["$fn"])
    if "$seedgen" in x:
        g = keras.random.SeedGenerator(x["$seedgen"]["seed"])
        g.state.assign(z[x["$seedgen"]["state"]["$a"]])
        return g
    if "$set" in x:
        return set(decode(v, z, keras) for v in x["$set"])
    if "$class" in x:
        return resolve(x["$class"])
    raise Skip("undecodable " + ",".join(x))


def resolve(name):
    from keras.src import api_export

    return api_export.REGISTERED_NAMES_TO_OBJS[name]


def same(a, b, z, tol):
    """Compare a decoded expectation with a value."""
    import keras

    if isinstance(a, dict) and "$kt" in a:
        return list(b.shape) == a["$kt"]["shape"] and b.dtype == a["$kt"]["dtype"]
    if isinstance(a, dict) and "$a" in a:
        ref = z[a["$a"]]
        got = np.asarray(keras.ops.convert_to_numpy(b))
        if list(got.shape) != a["shape"]:
            return False
        if a["dtype"] in BIT_DTYPES:
            return True
        return np.allclose(np.asarray(ref, dtype="complex128" if ref.dtype.kind == "c" else "float64"), got.astype("complex128" if ref.dtype.kind == "c" else "float64"), rtol=tol, atol=tol, equal_nan=True)
    if isinstance(a, dict) and ("$tuple" in a or "$dict" in a):
        av = a.get("$tuple") or [v for _, v in a.get("$dict", [])]
        bv = list(b.values()) if isinstance(b, dict) else list(b)
        return len(av) == len(bv) and all(same(p, q, z, tol) for p, q in zip(av, bv))
    if isinstance(a, list):
        return len(a) == len(b) and all(same(p, q, z, tol) for p, q in zip(a, b))
    return True


REPLAY_KINDS = (
    "op", "op_spec", "op_class", "activation", "loss_fn", "util", "util_spec", "layer", "layer_spec",
    "model", "loss", "regularizer", "constraint", "schedule", "quantizer", "initializer", "random",
    "metric", "optimizer", "config", "compile_loss", "trainer", "file",
)


def replay_case(case, z, tol, keras):
    """True/False, or raises Skip."""
    k = case["kind"]

    def load(config):
        # from_config may change the dict that it is given
        return keras.saving.deserialize_keras_object(copy.deepcopy(config))

    def dec(v):
        return decode(v, z, keras)

    if k == "config":
        return same_json(json.loads(json.dumps(keras.saving.serialize_keras_object(load(case["config"])))), case["config"])
    if k == "metric":
        if case["target"] == "CompileMetrics":
            from keras.src.trainers.compile_utils import CompileMetrics

            c = case["config"]
            m = CompileMetrics(dec(c["metrics"]), dec(c["weighted_metrics"]), output_names=dec(c["output_names"]))
        else:
            m = load(case["config"])
        for ev in case["events"]:
            try:
                out = getattr(m, ev["do"])(*[dec(v) for v in ev["args"]], **{q: dec(v) for q, v in ev["kwargs"].items()})
            except Exception:
                if "raises" in ev:
                    continue
                raise
            if "raises" in ev:
                return False
            if "out" in ev and not same(ev["out"], out, z, tol):
                return False
            if "variables" in ev and not all(same(a, v.value, z, tol) for a, v in zip(ev["variables"], m.variables)):
                return False
        return True
    if k == "optimizer":
        from keras.src.backend import Variable

        o = load(case["config"])
        vs = []
        for d in case["vars"]:
            with contextlib.ExitStack() as st:
                for part in d["path"].split("/")[:-1]:
                    st.enter_context(keras.name_scope(part))
                v = Variable(z[d["$a"]], dtype=d["dtype"], trainable=d["trainable"], name=d["name"])
            if d.get("overwrite_with_gradient"):
                v.overwrite_with_gradient = True
            if "constraint" in d:
                v.constraint = dec(d["constraint"])
            vs.append(v)
        spared = [v for v, d in zip(vs, case["vars"]) if d.get("no_weight_decay")]
        if spared:
            o.exclude_from_weight_decay(var_list=spared)
        o.build(vs)
        if len(o.variables) != len(case["slots"]):
            raise Skip("slot count")
        for v, a in zip(o.variables, case["slots"]):
            v.assign(z[a["$a"]])
        grads = [dec(g) for g in case["grads_in"]]
        o.apply(grads, vs)
        return all(same(a, v.value, z, tol) for a, v in zip(case["after"]["vars"], vs)) and all(
            same(a, v.value, z, tol) for a, v in zip(case["after"]["slots"], o.variables)
        )
    if k == "file":
        m = keras.models.load_model(os.path.join(case["__folder__"], case["file"])) if case["file"].endswith(".keras") else None
        if m is None:
            raise Skip("weights only")
        # Seed generator states are in no file.
        return len(case["state"]) == len(unique_variables(m)) and all(
            a["name"] == "seed_generator_state" or same(a, v.value, z, tol)
            for a, v in zip(case["state"], unique_variables(m))
        )
    if k == "trainer":
        m = load(case["config"])
        vs = unique_variables(m)
        if len(vs) != len(case["state"]):
            raise Skip("state size")
        for v, a in zip(vs, case["state"]):
            v.assign(z[a["$a"]])
        if case["slots"]:
            ov = m.optimizer.variables if m.optimizer is not None else []
            if len(ov) == len(case["slots"]):
                for v, a in zip(ov, case["slots"]):
                    v.assign(z[a["$a"]])
            elif case["method"] in ("fit", "train_on_batch"):
                raise Skip("slot count")  # loading builds the optimizer, the recorded one was not built
        out = getattr(m, case["method"])(*[dec(v) for v in case["args"]], verbose=0, **{q: dec(v) for q, v in case["kwargs"].items()}) if case["method"] in (
            "fit", "evaluate", "predict"
        ) else getattr(m, case["method"])(*[dec(v) for v in case["args"]], **{q: dec(v) for q, v in case["kwargs"].items()})
        if case["method"] == "fit":
            out = {"epoch": out.epoch, "history": out.history}
        return same(case["out"], out, z, tol) and all(same(a, v.value, z, tol) for a, v in zip(case["after"]["state"], vs))
    if k == "compile_loss":
        from keras.src.trainers.compile_utils import CompileLoss

        c = case["spec"]
        fn = CompileLoss(dec(c["loss"]), dec(c["loss_weights"]), output_names=dec(c["output_names"]))
    args = [dec(v) for v in case["args"]]
    kw = {q: dec(v) for q, v in case["kwargs"].items()}
    vs = []
    if case.get("random"):
        raise Skip("random")
    if k in ("op_class", "op_class_spec"):
        import importlib

        mod, name = case["target"].split(":")
        fn = getattr(importlib.import_module(mod), name)(**dec(case["init"]))
    elif k == "compile_loss":
        pass
    elif "config" in case:
        fn = load(case["config"])
        if k == "initializer":
            if "seed" in case:
                fn.seed = case["seed"]
            elif case["config"]["config"].get("seed", 0) is None:
                raise Skip("unseeded")
        if k in ("layer", "model"):
            if not fn.built:
                fn.build_from_config(case["config"].get("build_config") or {})
            vs = unique_variables(fn)
            if len(vs) != len(case["state"]):
                raise Skip("state size")
            for v, s in zip(vs, case["state"]):
                v.assign(z[s["$a"]])
            for l in fn._flatten_layers():
                if type(l).__name__ == "Normalization":
                    l.finalize_state()  # it keeps tensors derived from its variables
    else:
        fn = resolve(case["target"])
    if "input_masks" in case:
        set_masks(decode(case["input_masks"], z, keras), (args, kw))
    out = fn(*args, **kw)
    ok = same(case["out"], out, z, tol)
    if ok and "output_masks" in case:
        with contextlib.suppress(AttributeError):
            ok = same(case["output_masks"], get_masks(out), z, 0)
    if ok and k in ("layer", "model"):
        for i, s in (case.get("after") or {}).items():
            ok = ok and same(s, vs[int(i)].value, z, tol)
    return ok


def same_json(a, b):
    """Equal JSON; shared object ids are addresses and do not count."""
    if isinstance(a, dict) and isinstance(b, dict):
        ka, kb = set(a) - {"shared_object_id"}, set(b) - {"shared_object_id"}
        return ka == kb and all(same_json(a[k], b[k]) for k in ka)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same_json, a, b))
    return a == b


def replay(folder, kinds=REPLAY_KINDS, tol=1e-4):
    """Run the cases again with the real Keras: unstable or incomplete ones show up here."""
    import keras

    res, bad = collections.Counter(), []
    for case, z in read_shards(folder):
        k = case["kind"]
        if k not in kinds or case.get("settings"):
            continue
        try:
            case["__folder__"] = folder
            ok = replay_case(case, z, tol, keras)
            res[k + (" ok" if ok else " DIFF")] += 1
            if not ok:
                bad.append((case["id"], case["target"], case["test"]))
        except Skip as s:
            res[f"{k} skip {s}"] += 1
        except Exception as ex:
            res[k + " ERR"] += 1
            bad.append((case["id"], case["target"], f"{type(ex).__name__}: {str(ex)[:120]}", case["test"]))
    print(json.dumps(dict(sorted(res.items())), indent=1))
    for b in bad[:200]:
        print("  ", *b)
    # Cases that real Keras itself cannot repeat from the stored data: do not grade on them.
    with open(os.path.join(folder, "unreplayable.json"), "w") as f:
        json.dump([{"id": b[0], "target": b[1], "why": b[2]} for b in bad], f, indent=1)
    return res, bad


def set_masks(masks, values):
    """Attach recorded masks to the decoded arguments (same nesting, None: no mask)."""
    import keras.src.backend as B

    if masks is None or isinstance(values, (str, bool, int, float, type(None))):
        return
    if isinstance(values, (list, tuple)) and isinstance(masks, (list, tuple)):
        for m, v in zip(masks, values):
            set_masks(m, v)
    elif isinstance(values, dict) and isinstance(masks, dict):
        for q, v in values.items():
            set_masks(masks.get(q), v)
    elif not isinstance(masks, (list, tuple, dict)):
        B.set_keras_mask(values, masks)


def get_masks(values):
    import keras.src.backend as B

    if isinstance(values, (list, tuple)):
        return type(values)(get_masks(v) for v in values)
    if isinstance(values, dict):
        return {q: get_masks(v) for q, v in values.items()}
    return B.get_keras_mask(values)


def compare(a, b):
    """Largest difference per target between two finalized folders (other backends)."""
    load = {}
    for side in (a, b):
        d = {}
        for case, z in read_shards(side):
            if "out" in case:
                d[case["id"]] = (case, z)
        load[side] = d
    worst = {}
    for i in set(load[a]) & set(load[b]):
        (ca, za), (cb, zb) = load[a][i], load[b][i]
        ra, rb = [], []

        def leaves(x, out):
            if isinstance(x, dict):
                if "$a" in x:
                    out.append(x)
                else:
                    for v in x.values():
                        leaves(v, out)
            elif isinstance(x, list):
                for v in x:
                    leaves(v, out)

        leaves(ca["out"], ra)
        leaves(cb["out"], rb)
        for p, q in zip(ra, rb):
            key = (ca["kind"], ca["target"])
            w = worst.setdefault(key, {"n": 0, "max_abs": 0.0, "dtype": 0, "shape": 0})
            w["n"] += 1
            w["dtype"] += p["dtype"] != q["dtype"]
            if p["shape"] != q["shape"]:
                w["shape"] += 1
                continue
            if p["dtype"] in BIT_DTYPES or q["dtype"] in BIT_DTYPES:
                continue
            x, y = za[p["$a"]].astype("complex128"), zb[q["$a"]].astype("complex128")
            d = np.abs(x - y)
            d = d[np.isfinite(d)]
            if d.size:
                w["max_abs"] = max(w["max_abs"], float(d.max()))
    for k, w in sorted(worst.items(), key=lambda kv: -kv[1]["max_abs"]):
        print(*k, w)


if __name__ == "__main__":
    cmd = sys.argv[1] if len(sys.argv) > 1 else ""
    if cmd == "finalize":
        finalize(sys.argv[2], sys.argv[3])
    elif cmd == "replay":
        replay(sys.argv[2])
    elif cmd == "compare":
        compare(sys.argv[2], sys.argv[3])
    else:
        print(__doc__)
