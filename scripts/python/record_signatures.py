"""Writes test/golden/signatures.json: the parameters of Python Keras's public functions, which the golden runner binds calls with.

    python scripts/python/record_signatures.py > test/golden/signatures.json

Each entry maps a canonical name to its parameters; a leading "?" marks one with a default, "*" a variable number.
"""

import inspect
import json

import keras
from keras.src import api_export

MARK = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
table = {}
for name, thing in sorted(api_export.REGISTERED_NAMES_TO_OBJS.items()):
    if inspect.isclass(thing) or not callable(thing):
        continue
    parameters = inspect.signature(thing).parameters.values()
    table[name] = [MARK.get(p.kind, "" if p.default is inspect.Parameter.empty else "?") + p.name for p in parameters]
print(json.dumps(table, indent=0, sort_keys=True))
