#!/usr/bin/env python3
"""Checks that rows are deleted as fast as they expire, and measures the duration of ticks meanwhile.

    cargo build --release
    python3 bench/jobs/retention.py [--times 10] [--minutes 9] [--program PATH]

A private PostgreSQL and Redis, a `scheduler` and a `worker`, 10,000 monitors of which fifty become due per second, on
an unchanged site. The expired rows of one hour exist from the start. Then, per second, rows expire at `--times` the
rates at which the first engine could delete them: 1.4 jobs, read jobs, and stored responses per second, and 2.8 runs of
monitors. Ledger entries expire only at the start, 0.28 per second for an hour. Rows are deleted every five or ten
minutes, and those of the ledger at 22 minutes past the hour, so start at 17 past to include them. The exit code is 1 if
a round left expired rows, or if the 99th percentile of the duration of ticks is over 100 ms.
"""

import argparse
import multiprocessing
import os
import pathlib
import re
import sys
import tempfile
import threading
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HERE / "faults"))
sys.path.insert(0, str(HERE / "monitors"))
import kills  # noqa: E402
import pages  # noqa: E402
import throughput  # noqa: E402
from run import ROOT  # noqa: E402
from servers import Postgres, Redis, free_port  # noqa: E402

NOW = "(extract(epoch from clock_timestamp()) * 1000)::bigint"
DAY = 86_400_000
RATES = {"job": 1.4, "read_job": 1.4, "idempotency": 1.4, "monitor_run": 2.8}
OLD = {
    "job": f"finished_at < {NOW} - {7 * DAY}",
    "read_job": f"expires_at <= {NOW}",
    "idempotency": f"expires_at <= {NOW}",
    "monitor_run": f"finished_at < {NOW} - {90 * DAY}",
    "credit_entry": "month < 202001",
}


def grow_old(postgres, account, counts):
    """Inserts expired rows. `counts` has the number of rows for each table."""
    some = "generate_series(1, {count}) n"
    sql = {
        "job": f"""INSERT INTO job (id, kind, key, payload, priority, run_at, state, attempts, fence, created_at, finished_at,
            in_turn) SELECT gen_random_uuid(), 'read_job', gen_random_uuid()::text, '{{{{}}}}', 10, 1, 'complete', 1, 1, 1,
            {NOW} - {8 * DAY}, false FROM {some}""",
        "read_job": f"""INSERT INTO read_job (id, work_id, url, max_age, state, created_at, expires_at, attempts)
            SELECT gen_random_uuid(), gen_random_uuid(), 'http://example.org/' || n, 0, 'complete', 1, {NOW} - 1000, 1
            FROM {some}""",
        "idempotency": f"""INSERT INTO idempotency (key, fingerprint, holder, status, headers, body, caller, stored_bytes,
            expires_at) SELECT gen_random_uuid()::text, 'f', gen_random_uuid(), 202, '[]', '{{{{}}}}', 'c', 2, {NOW} - 1000
            FROM {some}""",
        "monitor_run": f"""INSERT INTO monitor_run (id, account_id, monitor_id, due_at, started_at, finished_at, outcome,
            added, removed, modified, credits) SELECT gen_random_uuid(), '{account}', m.id,
            (random() * 9e15)::bigint, 1, {NOW} - {91 * DAY}, 'unchanged', 0, 0, 0, 0
            FROM {some}, LATERAL (SELECT id FROM monitor WHERE n > 0 LIMIT 1) m""",
        "credit_entry": f"""INSERT INTO credit_entry (account_id, month, kind, amount, made_at)
            SELECT '{account}', 201901, 'run', 1, 1 FROM {some}""",
    }
    for table, count in counts.items():
        if count:
            postgres.ask(sql[table].format(count=count))


def tick_p99_ms(text):
    """Returns the 99th percentile, from the buckets of the scheduler's histogram, and the number of ticks."""
    buckets = [(float(edge), int(float(count))) for edge, count in
               re.findall(r'carrel_tick_duration_seconds_bucket\{[^}]*le="([0-9.]+)"[^}]*\} ([0-9.e+]+)', text)]
    total = int(float(re.search(r"carrel_tick_duration_seconds_count\S* ([0-9.e+]+)", text).group(1)))
    reached = [edge for edge, count in sorted(buckets) if count >= 0.99 * total]
    return (reached[0] * 1000 if reached else float("inf")), total


class Processes(kills.Processes):
    """Processes of which only the scheduler serves its metrics."""

    def start(self, place):
        self.environment.pop("CARREL_OPS_LISTEN", None)
        if kills.ROLES[place] == "scheduler":
            self.environment["CARREL_OPS_LISTEN"] = self.environment["OPS"]
        return super().start(place)


class Ageing(threading.Thread):
    def __init__(self, postgres, account, times):
        super().__init__(daemon=True)
        self.postgres, self.account, self.times, self.stopped = postgres, account, times, threading.Event()

    def run(self):
        while not self.stopped.wait(1):
            grow_old(self.postgres, self.account, {table: round(rate * self.times) for table, rate in RATES.items()})
            self.postgres.ask(f"UPDATE monitor SET next_run_at = {NOW} WHERE id IN "
                              "(SELECT id FROM monitor WHERE status = 'active' ORDER BY last_run_at NULLS FIRST LIMIT 50)")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--times", type=float, default=10)
    parser.add_argument("--minutes", type=float, default=9)
    parser.add_argument("--program", default=str(ROOT / "target/release/carrel"))
    arguments = parser.parse_args()
    kills.ROLES[:] = ["scheduler", "worker"]
    with tempfile.TemporaryDirectory(prefix="carrel-retention.") as folder:
        os.chmod(folder, 0o711)
        port, ops = free_port(), free_port()
        site = multiprocessing.Process(target=pages.serve, args=(port,), daemon=True)
        site.start()
        postgres, redis = Postgres(folder), Redis(folder)
        processes = None
        try:
            processes = Processes(arguments.program, folder, postgres.url, redis.url, port, {"OPS": f"127.0.0.1:{ops}"})
            account = processes.carrel("account", "create", "many@example.org", "--tier", "pro", "--password-stdin",
                                       input="correct horse battery\n").split()[0]
            throughput.fill(postgres, account, 1500, 10_000, port, "static")
            hour = {table: round(rate * arguments.times * 3600) for table, rate in RATES.items()}
            grow_old(postgres, account, hour | {"credit_entry": round(0.28 * arguments.times * 3600)})
            ageing, begun = Ageing(postgres, account, arguments.times), time.monotonic()
            ageing.start()
            least = {}
            while (now := time.monotonic() - begun) < arguments.minutes * 60:
                left = {table: int(postgres.ask(f"SELECT count(*) FROM {table} WHERE {old}")) for table, old in OLD.items()}
                least = {table: min(count, least.get(table, count)) for table, count in left.items()}
                if int(now) % 20 == 0:
                    print(f"{now:5.0f} s  " + "  ".join(f"{table} {count}" for table, count in left.items()), flush=True)
                time.sleep(1)
            ageing.stopped.set()
            p99, ticks = tick_p99_ms(urllib.request.urlopen(f"http://127.0.0.1:{ops}/metrics").read().decode())
            runs = postgres.ask("select count(*) from monitor_run where outcome <> 'baseline' and due_at > 1e12"
                                f" and finished_at > {NOW} - {DAY}")
            print(f"least that was left: {least}; {ticks} ticks, p99 at most {p99:.0f} ms; {runs} runs found nothing new")
            # Rows that expire between the last deletion and this check are not a backlog.
            kept_up = all(count <= 5 * arguments.times for count in least.values())
        finally:
            for process in processes.running if processes else []:
                process.kill()
            redis.kill()
            postgres.stop()
            site.kill()
    return 0 if kept_up and p99 <= 100 else 1


if __name__ == "__main__":
    sys.exit(main())
