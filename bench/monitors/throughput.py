#!/usr/bin/env python3
"""How many checks a second one worker makes: every page changed with its difference stored, and unchanged with 304.

    cargo build --release
    python3 bench/monitors/throughput.py [--monitors 2000] [--stored 10000] [--rounds 3] [--program PATH]

Private PostgreSQL and Redis, one `scheduler`, one `worker`, and a local server of 500 pages of 30 KB. Every monitor has
an address of its own in 127.0.0.0/8, so that no server's turn is waited for; none is in its first days, in which the
source's noise is learned by two further looks. Each round makes all monitors due at once
and ends when the last run is written. Processor time is that of the worker, its extraction processes and the scheduler;
memory is the worker's own with its children, with `--stored` monitors in the table.
"""

import argparse
import http.server
import multiprocessing
import os
import pathlib
import random
import re
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "faults"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import kills  # noqa: E402
from run import ROOT  # noqa: E402
from servers import Postgres, Redis, free_port  # noqa: E402

PAGES = 500
BYTES = 30 * 1024
TICKS = os.sysconf("SC_CLK_TCK")
WORDS = ("carrel reading room shelf margin note index folio quire leaf spine catalogue borrow return renew edition "
         "print copy reader desk lamp quiet term paper").split()


def paragraph(chance):
    return " ".join(chance.choices(WORDS, k=60))


def rows(page):
    chance, out, size = random.Random(page), [], 0
    while size < BYTES:
        row = f"<div class=row><h3>Item {page}-{len(out)}</h3><p>{paragraph(chance)}</p><a href=/i/{len(out)}>more</a></div>\n"
        out.append(row)
        size += len(row)
    return "".join(out)


class Pages(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    kept, counts = {}, {}

    def do_GET(self):
        kind, _, number = self.path.strip("/").partition("/")
        if kind not in ("page", "static"):
            return self.send_error(404)
        page = int(number.split("-")[0]) % PAGES
        body = self.kept.setdefault(page, rows(page))
        tag = f'"s{page}"'
        if kind == "static" and self.headers.get("If-None-Match") == tag:
            self.send_response(304)
            self.send_header("ETag", tag)
            self.end_headers()
            return None
        turn = 0
        if kind == "page":
            turn = self.counts[self.path] = self.counts.get(self.path, 0) + 1
        price = f"<h2>Price {10 + (turn * 37 + page) % 900}.{turn % 100:02d} EUR</h2>"
        text = f"<!doctype html><title>Page {page}</title><main><h1>Page {page}</h1>{price}{body}</main>".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(text)))
        if kind == "static":
            self.send_header("ETag", tag)
        self.end_headers()
        self.wfile.write(text)
        return None

    def log_message(self, *_):
        pass


def serve(port):
    server = http.server.ThreadingHTTPServer(("0.0.0.0", port), Pages)
    server.daemon_threads = True
    server.handle_error = lambda *_: None
    server.serve_forever()


def family(pid):
    found = [pid]
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found += family(int(path.parent.name))
    return found


def seconds(pids):
    """Processor time of processes and of those of their children that have ended."""
    total = 0
    for pid in pids:
        try:
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        total += sum(int(field) for field in fields[11:15])
    return total / TICKS


def megabytes(pids):
    total = 0
    for pid in pids:
        try:
            found = re.search(r"^Pss:\s+(\d+)", pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M)
        except OSError:
            continue
        total += int(found.group(1)) / 1024 if found else 0
    return total


def fill(postgres, account, monitors, stored, port, kind):
    address = "'127.' || (1 + n / 60000) || '.' || (1 + (n / 240) % 250) || '.' || (1 + n % 240)"
    url = f"'http://' || {address} || ':{port}/{kind}/' || n % {PAGES} || '-' || n"
    postgres.ask("delete from monitor; delete from monitor_target; delete from credit_entry; delete from credit_month")
    postgres.ask(f"""
        INSERT INTO monitor (id, account_id, identity, name, target_url, url_key, host, target_type, definition,
          interval_minutes, status, next_run_at, feed_token, created_at)
        SELECT gen_random_uuid(), '{account}', md5(n::text), 'Monitor ' || n, {url},
          encode(sha256(({url})::bytea), 'hex'), {address}, 'page',
          '{{"target":{{"type":"page","selector":null}}}}', 1440, CASE WHEN n <= {monitors} THEN 'active' ELSE 'paused' END,
          NULL, md5(n::text), 0
        FROM generate_series(1, {max(monitors, stored)}) n""")
    postgres.ask("vacuum analyze")


def one_round(postgres, processes, monitors, wanted, patience=180):
    pids = [pid for process in processes.running for pid in family(process.pid)]
    before, begun = seconds(pids), time.monotonic()
    postgres.ask("update monitor set next_run_at = (extract(epoch from clock_timestamp()) * 1000)::bigint"
                 " where status = 'active'")
    while int(postgres.ask("select count(*) from monitor_run")) < wanted:
        if time.monotonic() - begun > patience:
            sys.exit("the round does not end")
        time.sleep(0.05)
    elapsed = time.monotonic() - begun
    pids = [pid for process in processes.running for pid in family(process.pid)]
    spent = seconds(pids) - before
    worker = processes.running[1].pid
    outcomes = postgres.ask("select string_agg(outcome || ' ' || n, ', ') from (select outcome, count(*) n from"
                            f" (select outcome from monitor_run order by id desc limit {monitors}) r group by 1) o")
    print(f"    {monitors / elapsed:7.0f} checks/s  {spent / monitors * 1000:6.2f} CPU s per 1,000  "
          f"worker {megabytes([worker]):.0f} MB, with its children {megabytes(family(worker)):.0f} MB  ({outcomes})", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--monitors", type=int, default=2000)
    parser.add_argument("--stored", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--program", default=str(ROOT / "target/release/carrel"))
    arguments = parser.parse_args()
    kills.ROLES[:] = ["scheduler", "worker"]
    with tempfile.TemporaryDirectory(prefix="carrel-throughput.") as folder:
        os.chmod(folder, 0o711)
        port = free_port()
        server = multiprocessing.Process(target=serve, args=(port,), daemon=True)
        server.start()
        tiers = pathlib.Path(folder, "tiers.toml")
        tiers.write_text("[pro]\nweb_monitor_monthly_credits = 100000000\n")
        postgres, redis = Postgres(folder), Redis(folder)
        processes = kills.Processes(arguments.program, folder, postgres.url, redis.url, port,
                                    {"CARREL_TIERS_FILE": str(tiers), "CARREL_EXTRACT_PROCESSES": "2"})
        try:
            account = processes.carrel("account", "create", "many@example.org", "--tier", "pro", "--password-stdin",
                                       input="correct horse battery\n").split()[0]
            for kind, words in [("page", "every page changed"), ("static", "unchanged, 304")]:
                print(f"{words}: {arguments.monitors} monitors due at once, {arguments.stored} stored", flush=True)
                fill(postgres, account, arguments.monitors, arguments.stored, port, kind)
                for number in range(arguments.rounds):
                    one_round(postgres, processes, arguments.monitors, arguments.monitors * (number + 1))
                    # At its first difference a monitor looks twice more, once in its life: not what is measured here.
                    postgres.ask("update monitor set masks = '{\"has_learned\": true}'")
        finally:
            for process in processes.running:
                process.kill()
            redis.kill()
            postgres.stop()
            server.kill()


if __name__ == "__main__":
    main()
