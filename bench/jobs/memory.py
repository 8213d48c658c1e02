#!/usr/bin/env python3
"""Checks that the memory of a process does not grow with the number of jobs that it has run.

    python3 bench/jobs/memory.py [--jobs 1000000] [--row "PostgreSQL + Redis"] [--engine PATH]

The engine's own benchmark submits and runs that many no-op jobs with 16 callers, and in another process with 64
callers. Its resident memory is sampled every half second. The exit code is 1 if one of the processes used over 10 %
more memory in the last tenth of the time than in the second tenth.
"""

import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "faults"))
from run import ROOT  # noqa: E402
from servers import Postgres, Redis  # noqa: E402

BUILD = ["cargo", "bench", "-p", "carrel-jobs", "--features", "testing", "--bench", "engine", "--no-run"]


def build():
    told = subprocess.run(BUILD, cwd=ROOT, capture_output=True, text=True, check=True).stderr
    return ROOT / re.findall(r"Executable .*\((.*)\)", told)[-1]


def resident_mib(process):
    pages = pathlib.Path(f"/proc/{process}/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--jobs", type=int, default=1_000_000)
    parser.add_argument("--row", default="PostgreSQL + Redis")
    parser.add_argument("--engine", help="the engine's benchmark, where it is built already")
    arguments = parser.parse_args()
    program = arguments.engine or build()
    with tempfile.TemporaryDirectory(prefix="carrel-memory.") as folder:
        os.chmod(folder, 0o711)
        postgres, redis = Postgres(folder), Redis(folder)
        environment = dict(os.environ, CARREL_TEST_POSTGRES_URL=postgres.url, CARREL_TEST_REDIS_URL=redis.url)
        try:
            are_flat = [is_flat(program, arguments, callers, environment) for callers in (16, 64)]
        finally:
            redis.kill()
            postgres.stop()
    return 0 if all(are_flat) else 1


def is_flat(program, arguments, callers, environment):
    words = [program, "--bench", f"only={arguments.row}", f"jobs={arguments.jobs}", f"callers={callers}"]
    process = subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True)
    sizes = []
    while process.poll() is None:
        try:
            sizes.append(resident_mib(process.pid))
        except (OSError, IndexError, ValueError):
            break
        time.sleep(0.5)
    print(process.communicate()[0])
    step = max(len(sizes) // 10, 1)
    tenths = [statistics.median(sizes[at:at + step]) for at in range(0, step * 10, step)]
    print(f"MiB resident, {callers} callers, tenth by tenth:", " ".join(f"{size:.1f}" for size in tenths), flush=True)
    return process.returncode == 0 and tenths[-1] <= tenths[1] * 1.1


if __name__ == "__main__":
    sys.exit(main())
