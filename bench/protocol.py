"""What the Python halves of the benchmarks share: a process that measures on request.

It reads commands from standard input, one a line, and answers each with a line of JSON; on start it says what it is. While no command runs it
waits, so that measurements of several processes alternate without disturbing each other.
"""

import argparse
import json
import os
import sys
import time


def limit_threads(threads):
    """Has libraries take this many threads. Their pools read it when they are loaded, so it comes before any import."""
    for name in ("OMP", "MKL", "OPENBLAS"):
        os.environ[f"{name}_NUM_THREADS"] = str(threads)


def threads_argument():
    """The value of --threads; the process is kept to as many processors, and libraries to as many threads."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=1)
    threads = parser.parse_args().threads
    limit_threads(threads)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[:threads]))
    return threads


def timed(run):
    """Seconds that a call takes."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def say(answer):
    print(json.dumps(answer), flush=True)


def serve(greeting, answer):
    """Says `greeting`, then what `answer` gives for each command."""
    say(greeting)
    for line in sys.stdin:
        say(answer(line.strip()))


def serve_workloads(workloads, **greeting):
    """Answers "WORKLOAD STEPS" with {"workload", "ms": [...]}. A workload is a function of steps that gives the seconds of each."""

    def measure(command):
        workload, steps = command.split()
        return {"workload": workload, "ms": [round(float(s) * 1e3, 4) for s in workloads[workload](int(steps))]}

    serve({**greeting, "workloads": list(workloads)}, measure)
