"""Writes an OpenAPI document in the form that openapi-python-client 0.29 reads.

    prepare.py DOCUMENT > PREPARED

The generator refuses a reference to an enumeration that is combined with a description (`allOf`): the description is
left out. Bodies that may be sent as JSON or as a form are JSON, so that an operation has one type of body.
"""

import json
import sys


def prepared(value):
    if isinstance(value, list):
        return [prepared(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    parts = value.get("allOf")
    if parts and "$ref" in parts[0] and all(set(part) <= {"description"} for part in parts[1:]):
        value = {name: inner for name, inner in value.items() if name != "allOf"} | {"allOf": parts[:1]}
    if "application/json" in value:
        forms = {"application/x-www-form-urlencoded", "multipart/form-data"}
        value = {name: inner for name, inner in value.items() if name not in forms}
    return {name: prepared(inner) for name, inner in value.items()}


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as document:
        json.dump(prepared(json.load(document)), sys.stdout)
