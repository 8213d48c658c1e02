#!/usr/bin/env python3
"""Extractor for the benchmark that answers each page with the model of a fold that was not trained on the site of the
page.

  fit.py --corpora FOLDER --folds 5 --trees TREES
  by_folds.py TREES

TREES contains the models of the folds, as written by `fit.py`: `0.bin` and so on. Requests are read from standard
input, and answers are written to standard output. Each request is sent to one of several processes, one per fold.
"""
import json, pathlib, subprocess, sys

from corpora import site_of
from fit import EXAMPLES, hashed

# Address that is sent for pages without an address.
NO_ADDRESS = "http://fakehost/"


def main():
    trees = sorted(pathlib.Path(sys.argv[1]).glob("*.bin"), key=lambda path: int(path.stem))
    children = [subprocess.Popen([EXAMPLES / "jsonl", path], stdin=subprocess.PIPE, stdout=subprocess.PIPE) for path in trees]
    for line in sys.stdin.buffer:
        question = json.loads(line)
        url = question.get("url") or ""
        site = site_of(None if url.startswith(NO_ADDRESS) else url, question["id"])
        child = children[hashed(site, len(children))]
        child.stdin.write(line)
        child.stdin.flush()
        sys.stdout.buffer.write(child.stdout.readline())
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
