"""Choose the golden cases that the project keeps, out of all that were recorded.

    python select_goldens.py <goldens> <destination>

Per kind and target, a case is kept when it shows something no smaller case shows: an argument combination (plain values as
they are, arrays by dtype and rank), the settings of its object, a dtype, gradients, masks, losses, an error. Small cases
come first, so that big ones stay out where a small one says the same. The result has the same format, with the lines
gzipped: <kind>.jsonl.gz, <kind>.npz and files/.
"""

import argparse
import gzip
import json
import os
import shutil

import numpy as np

# Fewer combinations are kept of targets that have hundreds.
MOST_PER_TARGET = 60
# Kinds of calls whose every argument combination is worth a test.
KEYS = ("args", "kwargs", "init", "spec", "settings", "method")


def shape_of(value):
    """The value with arrays replaced by what can matter about them."""
    if isinstance(value, list):
        return [shape_of(v) for v in value]
    if not isinstance(value, dict):
        return value
    if "$a" in value:
        empty = 0 in value["shape"]
        return {"$a": [value["dtype"], len(value["shape"]), value.get("src") == "np", empty]}
    if "$kt" in value:
        kt = value["$kt"]
        return {"$kt": [kt["dtype"], len(kt["shape"]), [d is None for d in kt["shape"]]]}
    if "$keras" in value:
        return {"$keras": settings_of(value["$keras"])}
    return {k: shape_of(v) for k, v in value.items()}


def settings_of(config):
    """A saved config without names and other things that differ from run to run."""
    if isinstance(config, list):
        return [settings_of(v) for v in config]
    if not isinstance(config, dict):
        return config
    skip = ("name", "seed", "shared_object_id", "build_config", "registered_name", "keras_history", "date_saved")
    return {k: settings_of(v) for k, v in config.items() if k not in skip}


def signature(case):
    parts = {k: shape_of(case[k]) for k in KEYS if k in case}
    parts["config"] = settings_of(case.get("config"))
    parts["has"] = sorted(k for k in case if k in ("grads", "input_masks", "output_masks", "losses", "after", "raises"))
    if "events" in case:
        parts["events"] = [[e["do"], shape_of(e["args"]), shape_of(e["kwargs"])] for e in case["events"]]
    if "vars" in case:
        parts["vars"] = [len(case["vars"]), sorted({str(v["dtype"]) for v in case["vars"]})]
    if "graph" in case:
        parts["graph"] = case["graph"]
    if case["kind"] == "file":
        parts["file"] = case["file"].split(".", 1)[1]
    return json.dumps(parts, sort_keys=True)


def keys_in(value, found):
    if isinstance(value, list):
        for v in value:
            keys_in(v, found)
    elif isinstance(value, dict):
        if "$a" in value:
            found.add(value["$a"])
        for v in value.values():
            keys_in(v, found)
    return found


def choose(cases, sizes):
    """Ids to keep: the smallest case of every signature, evenly thinned where there are too many."""
    by_target = {}
    for case in cases:
        by_target.setdefault(case["target"], []).append(case)
    kept = set()
    for _, group in sorted(by_target.items()):
        group.sort(key=lambda c: (sizes[c["id"]], c["id"]))
        chosen = {}
        for case in group:
            chosen.setdefault(signature(case), case["id"])
        ids = list(chosen.values())
        if len(ids) > MOST_PER_TARGET:
            step = len(ids) / MOST_PER_TARGET
            ids = [ids[int(i * step)] for i in range(MOST_PER_TARGET)]
        kept.update(ids)
    return kept


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source")
    parser.add_argument("destination")
    args = parser.parse_args()
    shutil.rmtree(os.path.join(args.destination, "files"), ignore_errors=True)
    os.makedirs(args.destination, exist_ok=True)
    for name in sorted(os.listdir(args.source)):
        if not name.endswith(".jsonl"):
            continue
        kind = name[: -len(".jsonl")]
        arrays = np.load(os.path.join(args.source, kind + ".npz"))
        with open(os.path.join(args.source, name)) as f:
            lines = [line.rstrip("\n") for line in f if line.strip()]
        cases = [json.loads(line) for line in lines]
        bytes_of = {info.filename[: -len(".npy")]: info.file_size for info in arrays.zip.infolist()}
        sizes = {}
        for case, line in zip(cases, lines):
            sizes[case["id"]] = len(line) + sum(bytes_of[k] for k in keys_in(case, set()))
        kept = choose(cases, sizes)
        used = set()
        text = []
        for case, line in zip(cases, lines):
            if case["id"] not in kept:
                continue
            text.append(line)
            keys_in(case, used)
            if kind == "file":
                target = os.path.join(args.destination, case["file"])
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copyfile(os.path.join(args.source, case["file"]), target)
        # Without a date in it, the same choice gives the same bytes.
        with open(os.path.join(args.destination, kind + ".jsonl.gz"), "wb") as raw:
            with gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="", compresslevel=9) as f:
                f.write(("\n".join(text) + "\n").encode())
        np.savez_compressed(
            os.path.join(args.destination, kind + ".npz"),
            **{k: arrays[k] for k in sorted(used)},
        )
        print(f"{kind}: {len(kept)} of {len(cases)} cases")


main()
