#!/usr/bin/env python3
"""Measures the feeds that one worker polls per second: first polls, polls with one new entry, and polls answered with 304.

    cargo build --release
    python3 bench/feeds/throughput.py [--feeds 2000] [--rounds 3] [--program PATH]

Private PostgreSQL and Redis, one `scheduler`, one `worker`, and a local server with feeds of 30 entries in 30 KB. Every
feed has an address of its own in 127.0.0.0/8, so that no poll waits for a host slot. Each round makes all feeds due at
the same time and is complete when the last feed is stored. To compare two versions, alternate between two `--program`s.
"""

import argparse
import http.server
import multiprocessing
import os
import pathlib
import socketserver
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "faults"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "monitors"))
import kills  # noqa: E402
from run import ROOT  # noqa: E402
from servers import Postgres, Redis, free_port  # noqa: E402
from throughput import family, megabytes, seconds  # noqa: E402

ENTRIES = 30
TEXT = "The harbour wakes before the town does, and the boats go out with the tide. " * 12


def body(path, first):
    entries = "".join(
        f"<item><guid>{path}-{n}</guid><title>Entry {n} of {path}</title><link>http://example.org{path}/{n}</link>"
        f"<pubDate>{time.strftime('%a, %d %b %Y %H:%M:%S GMT', time.gmtime(1_760_000_000 + n * 3600))}</pubDate>"
        f"<description>{n}: {TEXT}</description></item>" for n in range(first + ENTRIES, first, -1))
    return (f"<?xml version='1.0'?><rss version='2.0'><channel><title>Feed {path}</title>"
            f"<link>http://example.org{path}</link>{entries}</channel></rss>").encode()


class Feeds(http.server.BaseHTTPRequestHandler):
    """Answers `/new/N` with one more entry at each request and `/same/N` with 304 if the validator matches."""

    protocol_version = "HTTP/1.1"
    requests = {}

    def do_GET(self):
        count = self.requests.get(self.path, 0)
        self.requests[self.path] = count + 1
        if self.path == "/robots.txt":
            return self.answer(404, b"")
        if self.path.startswith("/same/") and self.headers.get("If-None-Match"):
            return self.answer(304, b"")
        self.answer(200, body(self.path, count if self.path.startswith("/new/") else 0))

    def answer(self, status, data):
        self.send_response(status)
        self.send_header("Content-Type", "application/rss+xml")
        self.send_header("Content-Length", str(len(data)))
        if self.path.startswith("/same/"):
            self.send_header("ETag", '"1"')
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 512


def serve(port):
    Server(("0.0.0.0", port), Feeds).serve_forever()


def fill(postgres, account, feeds, port, kind):
    address = "'127.' || (1 + n / 60000) || '.' || (1 + (n / 240) % 250) || '.' || (1 + n % 240)"
    postgres.ask("delete from rss_subscription; delete from feed_event; delete from feed_entry; delete from feed")
    postgres.ask(f"""
        INSERT INTO rss_collection (account_id, name, name_key, kind, created_at)
          VALUES ('{account}', 'Unsorted', 'unsorted', 'unsorted', 0) ON CONFLICT DO NOTHING;
        INSERT INTO feed (url, host, trust_guid, trust_url, gone, created_at)
          SELECT 'http://' || {address} || ':{port}/{kind}/' || n, {address}, true, true, false, 0
          FROM generate_series(1, {feeds}) n;
        INSERT INTO rss_subscription (account_id, feed_id, collection_id, full_text, read_through, created_at)
          SELECT '{account}', f.id, (SELECT id FROM rss_collection WHERE account_id = '{account}' AND kind = 'unsorted'),
          false, 0, 0 FROM feed f""")
    postgres.ask("vacuum analyze")


def one_round(postgres, processes, feeds, name):
    server = int(pathlib.Path(postgres.primary.data, "postmaster.pid").read_text().split()[0])
    pids = [pid for process in processes.running for pid in family(process.pid)]
    before, of_server = seconds(pids), seconds(family(server))
    entries = int(postgres.ask("select count(*) from feed_entry"))
    start_ms, begun = int(time.time() * 1000), time.monotonic()
    postgres.ask(f"update feed set next_poll_at = {start_ms}")
    while int(postgres.ask(f"select count(*) from feed where last_fetched_at >= {start_ms}")) < feeds:
        if time.monotonic() - begun > 180:
            sys.exit("the round does not end: " + postgres.ask("select last_error_code, count(*) from feed group by 1"))
        time.sleep(0.05)
    elapsed = time.monotonic() - begun
    pids = [pid for process in processes.running for pid in family(process.pid)]
    spent, of_server = seconds(pids) - before, seconds(family(server)) - of_server
    worker = processes.running[1].pid
    new = int(postgres.ask("select count(*) from feed_entry")) - entries
    print(f"    {name:14} {feeds / elapsed:6.0f} polls/s  {spent / feeds * 1000:5.2f} ms of CPU a poll, PostgreSQL "
          f"{of_server / feeds * 1000:.2f}  worker and children {megabytes(family(worker)):.0f} MB  "
          f"{new} new entries", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--feeds", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--program", default=str(ROOT / "target/release/carrel"))
    arguments = parser.parse_args()
    kills.ROLES[:] = ["scheduler", "worker"]
    with tempfile.TemporaryDirectory(prefix="carrel-polls.") as folder:
        os.chmod(folder, 0o711)
        port = free_port()
        server = multiprocessing.Process(target=serve, args=(port,), daemon=True)
        server.start()
        postgres, redis = Postgres(folder), Redis(folder)
        processes = kills.Processes(arguments.program, folder, postgres.url, redis.url, port,
                                    {"CARREL_EXTRACT_PROCESSES": "2"})
        try:
            account = processes.carrel("account", "create", "many@example.org", "--tier", "pro", "--password-stdin",
                                       input="correct horse battery\n").split()[0]
            for kind, name in [("new", "one new entry"), ("same", "304")]:
                print(f"{arguments.feeds} feeds due", flush=True)
                fill(postgres, account, arguments.feeds, port, kind)
                for number in range(arguments.rounds):
                    one_round(postgres, processes, arguments.feeds, name if number else "first poll")
        finally:
            for process in processes.running:
                process.kill()
            redis.kill()
            postgres.stop()
            server.kill()


if __name__ == "__main__":
    main()
