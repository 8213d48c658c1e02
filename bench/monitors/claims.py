#!/usr/bin/env python3
"""Measures the scheduler's claim of fifty due monitors among a million, on both databases.

    cargo build --release
    python3 bench/monitors/claims.py [--monitors 1000000] [--times 200] [--program PATH]

The tables are created by `carrel migrate`; the statement is the one in `crates/monitors/src/due.rs`. Before each claim
fifty monitors are made due, spread over the whole table. Each claim is a transaction of its own, with its commit.
"""

import argparse
import os
import pathlib
import random
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "faults"))
from run import ROOT  # noqa: E402
from servers import Postgres  # noqa: E402

CLAIM = ("UPDATE monitor SET due_at = next_run_at, next_run_at = {until} WHERE id IN (SELECT id FROM monitor"
         " WHERE next_run_at <= {now} ORDER BY next_run_at LIMIT 50{skip}) RETURNING id, host, due_at")
NOW = 1_800_000_000_000
LATER = NOW + 86_400_000
ACCOUNT = "00000000-0000-7000-8000-000000000001"


def show(name, times):
    times.sort()
    at = lambda share: times[min(len(times) - 1, int(len(times) * share))]  # noqa: E731
    print(f"{name}: {len(times)} claims, p50 {statistics.median(times):.2f} ms, p95 {at(0.95):.2f} ms, "
          f"p99 {at(0.99):.2f} ms, longest {times[-1]:.2f} ms", flush=True)


def migrate(program, url, folder):
    subprocess.run([program, "migrate"], env={"PATH": os.environ["PATH"], "DATABASE_URL": url}, cwd=folder, check=True,
                   stderr=subprocess.DEVNULL)


def on_postgres(arguments, folder, chance):
    postgres = Postgres(folder)
    try:
        migrate(arguments.program, postgres.url, folder)
        postgres.ask(f"insert into account (id, email, password_hash, tier, created_at, password_changed_at)"
                     f" values ('{ACCOUNT}', 'a@example.org', '', 'pro', 0, 0)")
        postgres.ask(
            "insert into monitor (id, account_id, identity, name, target_url, url_key, host, target_type, definition,"
            " interval_minutes, status, next_run_at, feed_token, created_at) select lpad(to_hex(n), 32, '0')::uuid,"
            f" '{ACCOUNT}', n::text, 'Monitor', 'https://example.org/' || n, md5(n::text), 'h' || n % 5000, 'page',"
            f" '{{\"target\":{{\"type\":\"page\",\"selector\":null}}}}', 1440, 'active', {LATER} + n * 60, md5(n::text), 0"
            f" from generate_series(1, {arguments.monitors}) n")
        postgres.ask("vacuum analyze monitor")
        lines = []
        claim = CLAIM.format(now=NOW, until=LATER, skip=" FOR UPDATE SKIP LOCKED")
        for turn in range(arguments.times):
            ids = ", ".join(f"lpad(to_hex({chance.randint(1, arguments.monitors)}), 32, '0')::uuid" for _ in range(50))
            lines += [f"update monitor set next_run_at = {NOW} - {turn} where id in ({ids});", "\\timing on",
                      claim + ";", "\\timing off"]
        script = pathlib.Path(folder, "claims.sql")
        script.write_text("\n".join(lines))
        os.chmod(script, 0o644)
        answer = subprocess.run([f"{postgres.bin}/psql", postgres.url, "-qAt", "-f", str(script)], capture_output=True,
                                text=True, check=True)
        show("PostgreSQL", [float(time) for time in re.findall(r"^Time: ([0-9.]+) ms", answer.stdout, re.M)])
        print(postgres.ask("explain " + claim))
    finally:
        postgres.stop()


def on_sqlite(arguments, folder, chance):
    path = f"{folder}/carrel.db"
    migrate(arguments.program, f"sqlite://{path}?mode=rwc", folder)
    database = sqlite3.connect(path, isolation_level=None)
    for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "cache_size = -16000", "mmap_size = 268435456",
                   # As in Carrel, the write-ahead log is checkpointed concurrently with the writer.
                   "wal_autocheckpoint = 100000"):
        database.execute(f"pragma {pragma}")
    uuid = lambda n: n.to_bytes(16, "big")  # noqa: E731
    database.execute("begin")
    database.execute("insert into account (id, email, password_hash, tier, created_at, password_changed_at)"
                     " values (?, 'a@example.org', '', 'pro', 0, 0)", [uuid(0)])
    rows = ((uuid(n), uuid(0), str(n), "Monitor", f"https://example.org/{n}", str(n), f"h{n % 5000}", "page", "{}", 1440,
             "active", LATER + n * 60, str(n), 0) for n in range(1, arguments.monitors + 1))
    database.executemany(
        "insert into monitor (id, account_id, identity, name, target_url, url_key, host, target_type, definition,"
        " interval_minutes, status, next_run_at, feed_token, created_at) values (?,?,?,?,?,?,?,?,?,?,?,?,?,?)", rows)
    database.execute("commit")
    claim = CLAIM.format(now=NOW, until=LATER, skip="")
    times = []
    for turn in range(arguments.times):
        ids = [uuid(chance.randint(1, arguments.monitors)) for _ in range(50)]
        database.execute(f"update monitor set next_run_at = {NOW - turn} where id in ({', '.join('?' * 50)})", ids)
        begun = time.perf_counter()
        database.execute("begin immediate")
        database.execute(claim).fetchall()
        database.execute("commit")
        times.append((time.perf_counter() - begun) * 1e3)
        database.execute("pragma wal_checkpoint(passive)").fetchall()
    show("SQLite", times)
    for row in database.execute("explain query plan " + claim):
        print(row[3])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--monitors", type=int, default=1_000_000)
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--program", default=str(ROOT / "target/release/carrel"))
    arguments = parser.parse_args()
    chance = random.Random(1)
    with tempfile.TemporaryDirectory(prefix="carrel-claims.") as folder:
        os.chmod(folder, 0o711)
        on_sqlite(arguments, folder, chance)
        on_postgres(arguments, folder, chance)


if __name__ == "__main__":
    main()
