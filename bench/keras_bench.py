"""Python Keras's half of the benchmark: one engine in one process, measured on request.

    KERAS_BACKEND=jax python bench/keras_bench.py --threads 1

Answers "WORKLOAD STEPS" as bench/protocol.py says. What a workload is stands in bench/README.md; bench/keras-ts.ts is the same in TypeScript.
"""

import os
import time

from protocol import serve_workloads, threads_argument, timed

threads = threads_argument()
os.environ["TF_NUM_INTRAOP_THREADS"] = os.environ["TF_NUM_INTEROP_THREADS"] = str(threads)
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
if threads == 1:
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

import keras  # noqa: E402
import numpy as np  # noqa: E402
from keras import layers  # noqa: E402

engine = keras.backend.backend()
if engine == "torch":
    import torch

    torch.set_num_threads(threads)

WARM_UP = 2
rng = np.random.default_rng(0)


class Model:
    """A network with the shape of its data."""

    def __init__(self, build, shape, batch):
        self.build, self.shape, self.batch = build, shape, batch
        self.model = None

    def compiled(self):
        model = self.build()
        model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
        return model

    def data(self, steps):
        count = self.batch * steps
        return rng.standard_normal((count, *self.shape), dtype=np.float32), rng.integers(0, 10, count).astype("int32")

    def warm(self):
        if self.model is None:
            self.model = self.compiled()
            self.model.fit(*self.data(WARM_UP), batch_size=self.batch, verbose=0)
            self.model.predict(self.data(1)[0][:1], verbose=0)
        return self.model


def sequential(shape, make_layers, batch=128):
    return Model(lambda: keras.Sequential([keras.Input(shape), *make_layers()]), shape, batch)


CNN = sequential(
    (28, 28, 1),
    lambda: [
        layers.Conv2D(32, 3, activation="relu"),
        layers.MaxPooling2D(),
        layers.Conv2D(64, 3, activation="relu"),
        layers.GlobalAveragePooling2D(),
        layers.Dense(10, activation="softmax"),
    ],
)
MLP = sequential(
    (784,),
    lambda: [
        layers.Dense(512, activation="relu"),
        layers.Dense(512, activation="relu"),
        layers.Dense(10, activation="softmax"),
    ],
)

LSTM = sequential((100, 32), lambda: [layers.LSTM(64), layers.Dense(10, activation="softmax")], batch=32)


def resnet20():
    """ResNet-20 for 32x32 images (He et al., 2015), with projections where the shape changes."""

    def convolve(x, filters, size, strides=1):
        return layers.BatchNormalization()(layers.Conv2D(filters, size, strides, "same", use_bias=False)(x))

    def block(x, filters, strides):
        changes = strides != 1 or x.shape[-1] != filters
        residual = convolve(layers.ReLU()(convolve(x, filters, 3, strides)), filters, 3)
        return layers.ReLU()(layers.Add()([convolve(x, filters, 1, strides) if changes else x, residual]))

    inputs = keras.Input((32, 32, 3))
    x = layers.ReLU()(convolve(inputs, 16, 3))
    for filters in (16, 32, 64):
        for i in range(3):
            x = block(x, filters, 2 if i == 0 and filters > 16 else 1)
    return keras.Model(inputs, layers.Dense(10, activation="softmax")(layers.GlobalAveragePooling2D()(x)))


RESNET20 = Model(resnet20, shape=(32, 32, 3), batch=32)


class BatchEnds(keras.callbacks.Callback):
    """When each batch ended: the time between two ends holds all that fit does for a step."""

    def __init__(self):
        super().__init__()
        self.times = []

    def on_train_batch_end(self, batch, logs=None):
        self.times.append(time.perf_counter())


def train(spec, steps):
    model = spec.warm()
    x, y = spec.data(steps + WARM_UP + 1)
    ends = BatchEnds()
    model.fit(x, y, batch_size=spec.batch, epochs=1, verbose=0, shuffle=False, callbacks=[ends])
    return np.diff(ends.times)[WARM_UP:]


def predict_one(spec, steps):
    model = spec.warm()
    x = spec.data(1)[0][:1]
    return [timed(lambda: model.predict(x, verbose=0)) for _ in range(steps)]


def first_step(spec, steps):
    x, y = spec.data(1)

    def run():
        spec.compiled().fit(x, y, batch_size=spec.batch, epochs=1, verbose=0)

    return [timed(run) for _ in range(steps)]


WORKLOADS = {
    "cnn": lambda steps: train(CNN, steps),
    "mlp": lambda steps: train(MLP, steps),
    "lstm": lambda steps: train(LSTM, steps),
    "resnet20": lambda steps: train(RESNET20, steps),
    "predict1": lambda steps: predict_one(CNN, steps),
    "first": lambda steps: first_step(CNN, steps),
}


keras.utils.set_random_seed(1)
serve_workloads(WORKLOADS, engine=engine, version=keras.__version__)
