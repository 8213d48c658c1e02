#!/usr/bin/env python3
"""An extractor of the benchmark's protocol that answers each page by the judge of a fold that has not seen its site.

  fit.py --corpora FOLDER --folds 5 --trees TREES
  by_folds.py TREES

TREES holds the judges of the parts, as `fit.py` writes them: `0.bin` and so on. Questions on standard input, answers on
standard output; each is told to one of as many processes as there are parts.
"""
import json, pathlib, subprocess, sys

from corpora import site_of
from fit import EXAMPLES, hashed

# The address that pages without one are asked with.
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
