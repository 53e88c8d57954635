"""NumPy's half of bench/ops.ts: the same ops on arrays of the same shapes, on one thread.

Reads "numpy OP" lines and answers each with a JSON line {"cpu": [...], "wall": [...]}, milliseconds a call. On start it says {"version", "kernel",
"ops"}: the kernel is the one OpenBLAS has chosen for this processor. Results are contiguous, so that no op is a mere view. What NumPy has no
fast form of (convolution) is torch's, where that is installed.
"""

import ctypes
import glob
import importlib.util
import os
import time

from protocol import limit_threads, serve

limit_threads(1)

import numpy as np  # noqa: E402

SAMPLES = 5
SAMPLE = 4e-3

rng = np.random.default_rng(0)


def floats(*shape):
    return rng.random(shape, dtype=np.float32) * 2 - 1


def kernel():
    """The name of the processor that OpenBLAS has kernels for."""
    for path in glob.glob(os.path.join(os.path.dirname(np.__file__), "..", "numpy.libs", "*openblas*")):
        library = ctypes.CDLL(path)
        for symbol in ("scipy_openblas_get_corename64_", "openblas_get_corename64_", "openblas_get_corename"):
            if hasattr(library, symbol):
                corename = getattr(library, symbol)
                corename.restype = ctypes.c_char_p
                return corename().decode()
    return "unknown"


vector = floats(1 << 20)
x, y = floats(1024, 1024), floats(1024, 1024)
cube = floats(64, 128, 128)
row, column = floats(1024), floats(1024, 1)
a, b = floats(512, 512), floats(512, 512)
heads, keys = floats(8, 8, 128, 64), floats(8, 8, 128, 64)
picture = floats(1, 256, 256, 4)
tiny, small = floats(4, 4), floats(4, 4)
places = rng.integers(0, 1024, 1024).astype(np.int32)
everywhere = rng.integers(0, 1 << 20, 1 << 20).astype(np.int32)
along = rng.integers(0, 1024, (1024, 1024)).astype(np.int32)
condition, none = x > 0, x > 2
dense = np.ascontiguousarray


def softmax(x, axis):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def layer_norm(x, gamma, beta):
    mean = x.mean(axis=-1, keepdims=True)
    centered = x - mean
    variance = (centered * centered).mean(axis=-1, keepdims=True)
    return centered / np.sqrt(variance + np.float32(1e-3)) * gamma + beta


def resize_bilinear(images, height, width):
    """Along one axis after the other: the two nearest lines and the weight of the second."""
    for axis, size in ((1, height), (2, width)):
        old = images.shape[axis]
        at = np.clip((np.arange(size) + 0.5) * (old / size) - 0.5, 0, old - 1)
        low = at.astype(np.int64)
        weight = (at - low).astype(np.float32).reshape([-1 if a == axis else 1 for a in range(4)])
        first = np.take(images, low, axis=axis)
        images = first + (np.take(images, np.minimum(low + 1, old - 1), axis=axis) - first) * weight
    return images


def resize_nearest(images, height, width):
    for axis, size in ((1, height), (2, width)):
        old = images.shape[axis]
        images = np.take(images, ((np.arange(size) + 0.5) * (old / size)).astype(np.int64), axis=axis)
    return images


def top(x, k):
    places = np.argpartition(x, -k, axis=-1)[:, -k:]
    values = np.take_along_axis(x, places, axis=-1)
    order = np.argsort(-values, axis=-1, kind="stable")
    return np.take_along_axis(values, order, axis=-1), np.take_along_axis(places, order, axis=-1)


OPS = {
    "add": lambda: x + y,
    "multiply": lambda: x * y,
    "divide": lambda: x / y,
    "maximum": lambda: np.maximum(x, y),
    "greater": lambda: x > y,
    "where": lambda: np.where(condition, x, y),
    "sqrt |x|": lambda: np.sqrt(np.abs(x)),
    "exp": lambda: np.exp(x),
    "log |x|": lambda: np.log(np.abs(x)),
    "tanh": lambda: np.tanh(x),
    "sin": lambda: np.sin(x),
    "cast int32": lambda: x.astype(np.int32),
    "add row": lambda: x + row,
    "add column": lambda: x + column,
    "add number": lambda: x + np.float32(1.5),
    "broadcast row": lambda: dense(np.broadcast_to(row, (1024, 1024))),
    "broadcast column": lambda: dense(np.broadcast_to(column, (1024, 1024))),
    "sum all": lambda: x.sum(),
    "sum 2-D axis 0": lambda: x.sum(axis=0),
    "sum 2-D axis 1": lambda: x.sum(axis=1),
    "sum 3-D axis 0": lambda: cube.sum(axis=0),
    "sum 3-D axis 1": lambda: cube.sum(axis=1),
    "sum 3-D axis 2": lambda: cube.sum(axis=2),
    "max all": lambda: x.max(),
    "max 2-D axis 0": lambda: x.max(axis=0),
    "max 2-D axis 1": lambda: x.max(axis=1),
    "max 3-D axis 0": lambda: cube.max(axis=0),
    "max 3-D axis 1": lambda: cube.max(axis=1),
    "max 3-D axis 2": lambda: cube.max(axis=2),
    "any": lambda: none.any(),
    "mean axis 1": lambda: x.mean(axis=1),
    "var axis 1": lambda: x.var(axis=1),
    "argmax all": lambda: x.argmax(),
    "argmax axis 0": lambda: x.argmax(axis=0),
    "argmax axis 1": lambda: x.argmax(axis=1),
    "transpose 2-D": lambda: dense(x.T),
    "transpose 3-D 0,2,1": lambda: dense(cube.transpose(0, 2, 1)),
    "transpose 3-D 1,0,2": lambda: dense(cube.transpose(1, 0, 2)),
    "transpose 3-D 2,0,1": lambda: dense(cube.transpose(2, 0, 1)),
    "transpose 3-D 2,1,0": lambda: dense(cube.transpose(2, 1, 0)),
    "concatenate": lambda: np.concatenate([x, y], axis=1),
    "flip": lambda: dense(np.flip(x, axis=1)),
    "pad": lambda: np.pad(x, 1),
    "tile": lambda: np.tile(a, (2, 2)),
    "repeat": lambda: np.repeat(a, 4, axis=0),
    "take rows": lambda: np.take(x, places, axis=0),
    "take columns": lambda: np.take(x, places, axis=1),
    "take elements": lambda: np.take(vector, everywhere),
    "take along axis": lambda: np.take_along_axis(x, along, axis=1),
    "sort all": lambda: np.sort(vector),
    "sort axis 0": lambda: np.sort(x, axis=0),
    "sort axis 1": lambda: np.sort(x, axis=1),
    "argsort all": lambda: np.argsort(vector, kind="stable"),
    "argsort axis 0": lambda: np.argsort(x, axis=0, kind="stable"),
    "argsort axis 1": lambda: np.argsort(x, axis=1, kind="stable"),
    "top 8": lambda: top(x, 8),
    "cumsum all": lambda: np.cumsum(vector),
    "cumsum axis 0": lambda: np.cumsum(x, axis=0),
    "cumsum axis 1": lambda: np.cumsum(x, axis=1),
    "cumprod axis 1": lambda: np.cumprod(x, axis=1),
    "softmax axis 1": lambda: softmax(x, 1),
    "softmax axis 0": lambda: softmax(x, 0),
    "layer norm": lambda: layer_norm(x, row, row),
    "matmul 512": lambda: a @ b,
    "matmul 1024": lambda: x @ y,
    "matmul 512 transposed": lambda: a @ b.T,
    "matmul batched 64x128": lambda: cube @ cube,
    "matmul vector 1024": lambda: x @ row,
    "einsum bij,bjk->bik": lambda: np.einsum("bij,bjk->bik", cube, cube, optimize=True),
    "einsum bhqd,bhkd->bhqk": lambda: np.einsum("bhqd,bhkd->bhqk", heads, keys, optimize=True),
    "resize bilinear": lambda: resize_bilinear(picture, 512, 512),
    "resize nearest": lambda: resize_nearest(picture, 512, 512),
    "add 4x4": lambda: tiny + small,
    "exp 4x4": lambda: np.exp(tiny),
    "matmul 4x4": lambda: tiny @ small,
}


def add_torch():
    import torch

    torch.set_num_threads(1)
    # Images in Keras's order of memory, seen in torch's order of axes.
    images = torch.from_numpy(floats(8, 32, 32, 64)).permute(0, 3, 1, 2)
    weights = torch.from_numpy(floats(3, 3, 64, 64)).permute(3, 2, 0, 1)

    def conv():
        with torch.no_grad():
            return torch.nn.functional.conv2d(images, weights, padding=1)

    OPS["conv 3x3 (torch)"] = conv


def sample(call, repeat):
    cpu, wall = time.process_time(), time.perf_counter()
    for _ in range(repeat):
        call()
    return (time.process_time() - cpu) / repeat, (time.perf_counter() - wall) / repeat


def measure(call):
    repeat = 1
    while True:
        taken = sample(call, repeat)[0] * repeat
        if taken >= SAMPLE:
            break
        repeat = int(repeat * min(20, 1.3 * SAMPLE / max(taken, 1e-6))) + 1
    samples = [sample(call, repeat) for _ in range(SAMPLES)]
    return {"cpu": [s[0] * 1e3 for s in samples], "wall": [s[1] * 1e3 for s in samples]}


if importlib.util.find_spec("torch"):
    add_torch()
serve(
    {"version": f"NumPy {np.__version__}", "kernel": kernel(), "ops": list(OPS)},
    lambda command: measure(OPS[command.split(" ", 1)[1]]),
)
