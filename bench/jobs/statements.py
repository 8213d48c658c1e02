#!/usr/bin/env python3
"""Counts the PostgreSQL statements and Redis commands of a fresh read, of a read job, and of an idle deployment.

    cargo build --release
    python3 bench/jobs/statements.py [--reads 100] [--seconds 60] [--print] [--program PATH]

A private PostgreSQL that logs every statement, a private Redis, and `web`, `worker` and `scheduler`. New pages are read
one after the other, then eight at a time, and then by read jobs. `BEGIN`, `COMMIT`, and the statements that count
waiting jobs are included. The statements of the idle deployment in the same time are subtracted. With `--print`, the
statements of one read and one job are printed.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import sys
import tempfile
import time
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HERE / "faults"))
sys.path.insert(0, str(HERE / "monitors"))
import kills  # noqa: E402
from callers import SlowSite, page  # noqa: E402
from run import ROOT  # noqa: E402
from servers import Postgres, Redis, free_port, wait_for  # noqa: E402

STATEMENT = re.compile(r"^([^,]*),LOG:  (?:statement|execute [^:]*): (.*)")


class LoggingPostgres(Postgres):
    options = "-c log_statement=all -c log_line_prefix=%a,"

    def statements(self):
        """Returns the statements that other clients have sent so far, in order."""
        log = pathlib.Path(self.primary.data, "log").read_text(errors="replace").splitlines()
        found = [STATEMENT.match(line) for line in log]
        return [match[2] for match in found if match and match[1] != "psql"]


class Count:
    """Counts the statements and commands since its creation."""

    def __init__(self, postgres, redis):
        self.postgres, self.redis, self.begun = postgres, redis, time.monotonic()
        self.statements, self.commands = len(postgres.statements()), commands(redis)

    def so_far(self):
        """Returns seconds, statements, and commands."""
        # Reading the Redis statistics takes two commands itself.
        return (time.monotonic() - self.begun, len(self.postgres.statements()) - self.statements,
                commands(self.redis) - self.commands - 2)


def commands(redis):
    return int(re.search(r"total_commands_processed:(\d+)", redis.ask("INFO stats"))[1])


def read(port, url):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/read?url={urllib.parse.quote(url, safe='')}") as reply:
        assert reply.status == 200


def post(port, url):
    body = json.dumps({"url": url}).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}/api/v1/read/jobs", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as reply:
        assert reply.status == 202


def show(statements):
    for statement, times in collections.Counter(re.sub(r"\s+", " ", text)[:150] for text in statements).most_common():
        print(f"    {times:3}  {statement}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--reads", type=int, default=100)
    parser.add_argument("--seconds", type=int, default=60, help="how long the rest is looked at")
    parser.add_argument("--print", action="store_true")
    parser.add_argument("--program", default=str(ROOT / "target/release/carrel"))
    arguments = parser.parse_args()
    kills.ROLES[:] = ["web", "worker", "scheduler"]
    with tempfile.TemporaryDirectory(prefix="carrel-statements.") as folder:
        os.chmod(folder, 0o711)
        site_port, port = free_port(), free_port()
        SlowSite(site_port)
        postgres, redis = LoggingPostgres(folder), Redis(folder)
        processes = kills.Processes(arguments.program, folder, postgres.url, redis.url, site_port,
                                    {"CARREL_READER_LIMITS": "off", "CARREL_LISTEN": f"127.0.0.1:{port}"})
        try:
            wait_for(port)
            measure(arguments, postgres, redis, site_port, port)
        finally:
            for process in processes.running:
                process.kill()
            redis.kill()
            postgres.stop()


def measure(arguments, postgres, redis, site_port, port):
    def done(name):
        return int(postgres.ask(f"select count(*) from read_job where url like '%/{name}' and state = 'complete'"))

    def job(name, number):
        post(port, page(site_port, name, number))
        while not done(f"{name}-{number}"):
            time.sleep(0.02)

    # Connections are opened and statements are prepared before the count starts.
    for number in range(20):
        read(port, page(site_port, "first", number))
        job("first-job", number)
    time.sleep(5)
    rest = Count(postgres, redis)
    time.sleep(arguments.seconds)
    seconds, statements, asked = rest.so_far()
    at_rest = statements / seconds
    print(f"at rest: {at_rest:.1f} statements a second, {asked / seconds:.1f} commands of Redis a second")
    for what, one in [("fresh read", lambda number: read(port, page(site_port, "read", number))),
                      ("read job", lambda number: job("job", number))]:
        for callers in (1, 8):
            count = Count(postgres, redis)
            with concurrent.futures.ThreadPoolExecutor(callers) as pool:
                list(pool.map(one, range(callers * arguments.reads, (callers + 1) * arguments.reads)))
            tell(f"{what}, {callers} at once", count, at_rest, arguments.reads)
        if arguments.print:
            before = len(postgres.statements())
            one(0)
            show(postgres.statements()[before:])


def tell(what, count, at_rest, reads):
    seconds, statements, asked = count.so_far()
    print(f"{what}: {(statements - at_rest * seconds) / reads:.1f} statements, {asked / reads:.1f} commands of Redis with those"
          f" at rest, {seconds / reads:.2f} s each", flush=True)


if __name__ == "__main__":
    main()
