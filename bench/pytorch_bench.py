"""PyTorch without Keras: the networks of bench/keras_bench.py as one would write them for speed, on the same protocol.

    python bench/pytorch_bench.py --threads 1

Layout channels_last, fused Adam, gradients set to None, batches sliced from data in memory. `predict1` is a call under inference mode
with its result copied to NumPy. Answers "WORKLOAD STEPS" as bench/protocol.py says.
"""

import time

from protocol import serve_workloads, threads_argument, timed

threads = threads_argument()

import torch  # noqa: E402
from torch import nn  # noqa: E402

torch.set_num_threads(threads)
torch.manual_seed(1)
WARM_UP = 2


class GlobalAverage(nn.Module):
    def forward(self, x):
        return x.mean((2, 3))


def cnn():
    return nn.Sequential(
        nn.Conv2d(1, 32, 3),
        nn.ReLU(inplace=True),
        nn.MaxPool2d(2),
        nn.Conv2d(32, 64, 3),
        nn.ReLU(inplace=True),
        GlobalAverage(),
        nn.Linear(64, 10),
    )


def mlp():
    return nn.Sequential(
        nn.Linear(784, 512),
        nn.ReLU(inplace=True),
        nn.Linear(512, 512),
        nn.ReLU(inplace=True),
        nn.Linear(512, 10),
    )


def convolve(inputs, filters, size, strides=1):
    conv = nn.Conv2d(inputs, filters, size, strides, padding=size // 2, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(filters, momentum=0.01, eps=1e-3))


class Block(nn.Module):
    def __init__(self, inputs, filters, strides):
        super().__init__()
        self.first = convolve(inputs, filters, 3, strides)
        self.second = convolve(filters, filters, 3)
        changes = strides != 1 or inputs != filters
        self.shortcut = convolve(inputs, filters, 1, strides) if changes else nn.Identity()

    def forward(self, x):
        return torch.relu_(self.second(torch.relu_(self.first(x))).add_(self.shortcut(x)))


def resnet20():
    blocks, inputs = [], 16
    for filters in (16, 32, 64):
        for i in range(3):
            blocks.append(Block(inputs, filters, 2 if i == 0 and filters > 16 else 1))
            inputs = filters
    stem = [convolve(3, 16, 3), nn.ReLU(inplace=True)]
    return nn.Sequential(*stem, *blocks, GlobalAverage(), nn.Linear(64, 10))


class Network:
    """A network with the shape of its data and its optimizer."""

    def __init__(self, build, shape, batch):
        self.build, self.shape, self.batch = build, shape, batch
        self.model = None

    def start(self):
        self.model = self.build().to(memory_format=torch.channels_last)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-3, eps=1e-7, fused=True)

    def data(self, steps):
        count = self.batch * steps
        x = torch.randn((count, *self.shape))
        if x.dim() == 4:
            x = x.contiguous(memory_format=torch.channels_last)
        return x, torch.randint(0, 10, (count,))

    def fit(self, steps):
        """When each step ended, its loss read back."""
        x, y = self.data(steps)
        ends = []
        self.model.train()
        for i in range(0, len(x), self.batch):
            self.optimizer.zero_grad(set_to_none=True)
            loss = nn.functional.cross_entropy(self.model(x[i : i + self.batch]), y[i : i + self.batch])
            loss.backward()
            self.optimizer.step()
            loss.item()
            ends.append(time.perf_counter())
        return ends


CNN = Network(cnn, (1, 28, 28), 128)
MLP = Network(mlp, (784,), 128)
RESNET20 = Network(resnet20, (3, 32, 32), 32)


def train(network, steps):
    if network.model is None:
        network.start()
    ends = network.fit(steps + WARM_UP + 1)
    return [b - a for a, b in zip(ends, ends[1:])][WARM_UP:]


def predict_one(network, steps):
    if network.model is None:
        network.start()
    x = network.data(1)[0][:1]
    network.model.eval()

    @torch.inference_mode()
    def run():
        torch.softmax(network.model(x), -1).numpy()

    run()
    return [timed(run) for _ in range(steps)]


def first_step(network, steps):
    def run():
        network.start()
        network.fit(1)

    return [timed(run) for _ in range(steps)]


WORKLOADS = {
    "cnn": lambda steps: train(CNN, steps),
    "mlp": lambda steps: train(MLP, steps),
    "resnet20": lambda steps: train(RESNET20, steps),
    "predict1": lambda steps: predict_one(CNN, steps),
    "first": lambda steps: first_step(Network(cnn, (1, 28, 28), 128), steps),
}


serve_workloads(WORKLOADS, engine="pytorch", version=torch.__version__)
