#!/usr/bin/env python3
"""Compares the engine with BullMQ, on one machine and in one run.

    cargo build --release
    python3 bench/jobs/run.py [--jobs 20000] [--pages 400] [--turns 3] [--program PATH] [--engine PATH]
        [--only noop|read]

A private PostgreSQL that syncs each commit, a private Redis without persistence, and BullMQ with ioredis, linkedom and
Readability from npm in a temporary folder. No-op jobs and idle starts come from `cargo bench -p carrel-jobs --bench
engine` (payloads of 200 bytes in both), read jobs from the release build: `web`, `worker` and `scheduler` on PostgreSQL
and Redis, on PostgreSQL alone, and `serve` on SQLite, which fetch the same pages of 255 kB from forty hosts as two Node
worker processes. BullMQ and Carrel run alternately, and ratios are computed from medians.
"""

import argparse
import asyncio
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "faults"))
from callers import HOSTS  # noqa: E402
from run import ROOT, Deployment  # noqa: E402
from servers import Postgres, Redis, free_port, wait_for  # noqa: E402

PAGES = 200
BYTES = 255_000
PEERS = ("bullmq@6.7.0", "ioredis@6.0.0", "linkedom@0.18.5", "@mozilla/readability")
ROWS = ("SQLite + memory", "PostgreSQL + Redis", "PostgreSQL alone")
WORDS = ("carrel reading room shelf margin note index folio quire leaf spine catalogue borrow return renew edition print copy "
         "reader desk lamp quiet term paper").split()


def page(number):
    """Half of the page is the article, and the rest is boilerplate."""
    chance = random.Random(number)
    sentence = lambda count: " ".join(chance.choices(WORDS, k=count)).capitalize() + "."  # noqa: E731
    link = lambda: f"<li class=item><a href=/p/{chance.randrange(999)}>{sentence(5)}</a></li>"  # noqa: E731
    head = f"<!doctype html><html lang=en><head><title>{sentence(6)}</title></head><body><nav><ul>"
    parts, size = [head, *[link() for _ in range(200)], "</ul></nav><main><article><h1>", sentence(6), "</h1>"], 0
    while size < BYTES // 2:
        parts.append(f"<p>{' '.join(sentence(14) for _ in range(5))}</p>\n")
        size += len(parts[-1])
    parts.append("</article></main><aside>")
    size = sum(map(len, parts))
    while size < BYTES:
        parts.append(f"<div class=card><ul>{link()}{link()}</ul><script>var a={chance.randrange(9999)};</script></div>\n")
        size += len(parts[-1])
    return "".join([*parts, "</aside></body></html>"]).encode()


class Site(threading.Thread):
    """Serves the pages without delay at 127.0.0.1 to 127.0.0.40."""

    def __init__(self):
        super().__init__(daemon=True)
        self.port, self.pages = free_port(), [page(number) for number in range(PAGES)]
        self.start()
        wait_for(self.port)

    def addresses(self, count, turn):
        return [f"http://127.0.0.{1 + n % HOSTS}:{self.port}/p/{turn}-{n}" for n in range(count)]

    async def answer(self, reader, writer):
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                path = head.split(b" ", 2)[1].decode()
                number = path.rpartition("-")[2]
                if path.startswith("/p/") and number.isdigit():
                    body = self.pages[int(number) % PAGES]
                    status = "200 OK\r\nContent-Type: text/html; charset=utf-8"
                else:
                    body, status = b"", "404 Not Found"
                writer.write(f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def run(self):
        async def serve():
            server = await asyncio.start_server(self.answer, "0.0.0.0", self.port, backlog=512)
            await server.serve_forever()

        asyncio.run(serve())


class Bull:
    def __init__(self, folder, redis):
        self.folder, self.redis = pathlib.Path(folder) / "bull", redis
        self.folder.mkdir()
        script = pathlib.Path(__file__).with_name("bullmq.mjs").read_text()
        (self.folder / "bullmq.mjs").write_text(script)
        (self.folder / "package.json").write_text("{}")
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", *PEERS], cwd=self.folder, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def __call__(self, mode, *words):
        command = ["node", "bullmq.mjs", mode, str(self.redis.port), *map(str, words)]
        answer = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=True, timeout=300)
        return json.loads(answer.stdout.splitlines()[-1])


def engine(program, postgres, redis, only, jobs):
    """Returns `{callers: (jobs per second, idle start p50 in ms)}` for one row of the engine's own benchmark."""
    environment = dict(os.environ, CARREL_TEST_POSTGRES_URL=postgres.url, CARREL_TEST_REDIS_URL=redis.url)
    cargo = ["cargo", "bench", "--quiet", "-p", "carrel-jobs", "--features", "testing", "--bench", "engine", "--"]
    command = [program, "--bench"] if program else cargo
    answer = subprocess.run([*command, f"only={only}", f"jobs={jobs}"], cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    found = re.findall(r"jobs, (\d+) submitting.*?\n.*?\n.*?(\d+) +([\d.]+) ms", answer.stdout)
    return {int(callers): (int(rate), float(p50)) for callers, rate, p50 in found}


class Service(Deployment):
    """Starts the release build on these stores, with a separate worker unless the database is embedded."""

    def __init__(self, program, folder, stores, site_port):
        self.ROLES = {"serve": "serve"} if stores[0] is None else {role: role for role in ("web", "worker", "scheduler")}
        self.program, self.folder, self.port = program, folder, free_port()
        self.environment = {
            "PATH": os.environ["PATH"], "CARREL_LISTEN": f"127.0.0.1:{self.port}", "CARREL_LOG": "warn",
            "CARREL_FETCH_ALLOW": f"127.0.0.0/8:{site_port}", "CARREL_READER_LIMITS": "off",
            "DATABASE_URL": stores[0] or f"sqlite://{folder}/carrel-{self.port}.db?mode=rwc",
        }
        if stores[1]:
            self.environment["REDIS_URL"] = stores[1]
        self.processes = {}
        subprocess.run([program, "migrate"], env=self.environment, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        for name in self.ROLES:
            self.start(name)
        wait_for(self.port)

    def read(self, addresses):
        """Returns the read jobs per second, from the first request to the last completion."""
        begin, ids = time.monotonic(), []
        for url in addresses:
            status, body = self.call("POST", "/api/v1/read/jobs", {"url": url})
            assert status == 202, (status, body)
            ids.append(body["job_id"])
        while ids:
            state = self.call("GET", f"/api/v1/read/jobs/{ids[-1]}")[1]["state"]
            assert state != "failed", ids[-1]
            if state == "complete":
                ids.pop()
            else:
                time.sleep(0.02)
        return len(addresses) / (time.monotonic() - begin)

    def stop(self):
        for process in self.processes.values():
            process.kill()
            process.wait()


def disk(folder):
    """Returns the median duration of a hundred fdatasync calls for a page, in microseconds."""
    times = []
    with open(pathlib.Path(folder) / "disk", "wb", buffering=0) as file:
        for _ in range(100):
            file.write(b"x" * 8192)
            begin = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append((time.perf_counter() - begin) * 1e6)
    return statistics.median(times)


def show(what, ours, peer, is_time=False):
    ours, peer = statistics.median(ours), statistics.median(peer)
    digits = 2 if is_time or ours < 1000 else 0
    print(f"| {what} | {ours:,.{digits}f} | {peer:,.{digits}f} | {ours / peer:.2f} |", flush=True)


def noop_and_idle(arguments, postgres, redis, bull):
    rows, peer, starts = {}, {16: [], 64: []}, []
    engine(arguments.engine, postgres, redis, ROWS[0], 100)
    for _ in range(arguments.turns):
        for callers, rates in peer.items():
            rates.append(bull("noop", arguments.jobs, callers)["jobs_s"])
        starts.append(bull("idle", 500)["p50_ms"])
        for row in ROWS:
            for callers, figures in engine(arguments.engine, postgres, redis, row, arguments.jobs).items():
                rows.setdefault((row, callers), []).append(figures)
    for (row, callers), figures in rows.items():
        show(f"no-op jobs/s, {row}, {callers} callers", [rate for rate, _ in figures], peer[callers])
    for row in ROWS:
        show(f"idle start p50 in ms, {row}", [p50 for _, p50 in rows[row, 16]], starts, is_time=True)


def reads(arguments, folder, postgres, redis, bull):
    site, peer = Site(), []
    stores = {"SQLite": (None, None), "PostgreSQL + Redis": (postgres.url, redis.url),
              "PostgreSQL alone": (postgres.url, None)}
    rates = {name: [] for name in stores}
    for turn in range(arguments.turns):
        peer.append(bull("read", *site.addresses(arguments.pages, f"bull{turn}"))["jobs_s"])
        for name, urls in stores.items():
            service = Service(arguments.program, folder, urls, site.port)
            try:
                service.read(site.addresses(HOSTS, f"warm{turn}{name[-1]}"))
                rates[name].append(service.read(site.addresses(arguments.pages, f"carrel{turn}{name[-1]}")))
            finally:
                service.stop()
    for name, figures in rates.items():
        show(f"read jobs/s, {name}", figures, peer)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--jobs", type=int, default=20_000)
    parser.add_argument("--pages", type=int, default=400)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--program", default=str(ROOT / "target/release/carrel"))
    parser.add_argument("--engine", help="the engine's benchmark, where it is built already")
    parser.add_argument("--only", choices=("noop", "read"))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="carrel-jobs.") as folder:
        os.chmod(folder, 0o711)
        print(f"fdatasync of this disk: {disk(folder):.0f} us\n\n| what | Carrel | BullMQ | ratio |\n|---|---|---|---|", flush=True)
        postgres, redis = Postgres(folder), Redis(folder)
        try:
            bull = Bull(folder, redis)
            if arguments.only != "read":
                noop_and_idle(arguments, postgres, redis, bull)
            if arguments.only != "noop":
                reads(arguments, folder, postgres, redis, bull)
        finally:
            redis.kill()
            postgres.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
