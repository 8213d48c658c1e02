#!/usr/bin/env python3
"""Measures the checks per second of one worker: with every page changed and its difference stored, and with 304 answers.

    cargo build --release
    python3 bench/monitors/throughput.py [--monitors 2000] [--stored 10000] [--rounds 3] [--program PATH]
        [--peer PATH] [--statements] [--followed]

With `--statements`, PostgreSQL reports the time spent on each statement (its contrib modules must be installed). With
`--followed`, each monitor is one of its owner's feeds, so that its changes are entries too. With `--peer`, the
`changedetection.io` that pip installed in a virtual environment watches the same site afterwards.

Private PostgreSQL and Redis, one `scheduler`, one `worker`, and a local server of 500 pages of 30 KB. Every monitor has
an address of its own in 127.0.0.0/8, so that no monitor waits for a host slot. No monitor is in its first days, in
which the noise of the source is learned with two additional fetches. Each round makes all monitors due at the same time
and ends when the last run is stored. The processor time includes the worker, its extraction processes, and the
scheduler; that of PostgreSQL is listed separately. Memory is that of the worker and its children, with `--stored`
monitors in the table.
"""

import argparse
import multiprocessing
import os
import pathlib
import re
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "faults"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import changedetection  # noqa: E402
import kills  # noqa: E402
import pages  # noqa: E402
from run import ROOT  # noqa: E402
from servers import Postgres, Redis, free_port  # noqa: E402

TICKS = os.sysconf("SC_CLK_TCK")


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


class MeasuredPostgres(Postgres):
    options = "-c shared_preload_libraries=pg_stat_statements -c pg_stat_statements.track_planning=on"

    def tell(self, checks):
        total = self.ask("select round(sum(calls) / %d, 2) from pg_stat_statements" % checks)
        print(f"    {total} statements a check; those that took longest, in microseconds a check:")
        print(self.ask(f"""select format('    %s us, planned %s us, %s calls a check: %s',
            round(total_exec_time * 1000 / {checks}), round(total_plan_time * 1000 / {checks}),
            round(calls::numeric / {checks}, 2), left(regexp_replace(query, '[[:space:]]+', ' ', 'g'), 110))
            from pg_stat_statements order by total_exec_time + total_plan_time desc limit 14"""), flush=True)
        self.ask("select pg_stat_statements_reset()")


def fill(postgres, account, monitors, stored, port, kind):
    address = "'127.' || (1 + n / 60000) || '.' || (1 + (n / 240) % 250) || '.' || (1 + n % 240)"
    url = f"'http://' || {address} || ':{port}/{kind}/' || n % {pages.PAGES} || '-' || n"
    postgres.ask("delete from monitor; delete from monitor_target; delete from credit_entry; delete from credit_month")
    postgres.ask("delete from rss_subscription; delete from feed_event; delete from feed_entry; delete from feed")
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
    server = int(pathlib.Path(postgres.primary.data, "postmaster.pid").read_text().split()[0])
    of_server = seconds(family(server))
    before, begun = seconds(pids), time.monotonic()
    postgres.ask("update monitor set next_run_at = (extract(epoch from clock_timestamp()) * 1000)::bigint"
                 " where status = 'active'")
    while int(postgres.ask("select count(*) from monitor_run")) < wanted:
        if time.monotonic() - begun > patience:
            sys.exit("the round does not end")
        time.sleep(0.05)
    elapsed = time.monotonic() - begun
    pids = [pid for process in processes.running for pid in family(process.pid)]
    spent, of_server = seconds(pids) - before, seconds(family(server)) - of_server
    worker = processes.running[1].pid
    outcomes = postgres.ask("select string_agg(outcome || ' ' || n, ', ') from (select outcome, count(*) n from"
                            f" (select outcome from monitor_run order by id desc limit {monitors}) r group by 1) o")
    print(f"    {monitors / elapsed:7.0f} checks/s  {spent / monitors * 1000:6.2f} CPU s per 1,000, PostgreSQL "
          f"{of_server / monitors * 1000:.2f}  "
          f"worker {megabytes([worker]):.0f} MB, with its children {megabytes(family(worker)):.0f} MB  ({outcomes})", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--monitors", type=int, default=2000)
    parser.add_argument("--stored", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--program", default=str(ROOT / "target/release/carrel"))
    parser.add_argument("--statements", action="store_true", help="tell on which PostgreSQL spent its time")
    parser.add_argument("--followed", action="store_true", help="each monitor is one of its owner's feeds")
    parser.add_argument("--peer", help="changedetection.io, to be measured on the same site")
    arguments = parser.parse_args()
    kills.ROLES[:] = ["scheduler", "worker"]
    with tempfile.TemporaryDirectory(prefix="carrel-throughput.") as folder:
        os.chmod(folder, 0o711)
        port = free_port()
        server = multiprocessing.Process(target=pages.serve, args=(port,), daemon=True)
        server.start()
        tiers = pathlib.Path(folder, "tiers.toml")
        tiers.write_text("[pro]\nweb_monitor_monthly_credits = 100000000\n")
        postgres, redis = (MeasuredPostgres if arguments.statements else Postgres)(folder), Redis(folder)
        processes = kills.Processes(arguments.program, folder, postgres.url, redis.url, port,
                                    {"CARREL_TIERS_FILE": str(tiers), "CARREL_EXTRACT_PROCESSES": "2"})
        try:
            account = processes.carrel("account", "create", "many@example.org", "--tier", "pro", "--password-stdin",
                                       input="correct horse battery\n").split()[0]
            for kind, words in [("page", "every page changed"), ("static", "unchanged, 304")]:
                print(f"{words}: {arguments.monitors} monitors due at once, {arguments.stored} stored", flush=True)
                fill(postgres, account, arguments.monitors, arguments.stored, port, kind)
                if arguments.followed:
                    kills.follow(postgres, account)
                if arguments.statements:
                    postgres.ask("create extension if not exists pg_stat_statements")
                    postgres.ask("select pg_stat_statements_reset()")
                for number in range(arguments.rounds):
                    one_round(postgres, processes, arguments.monitors, arguments.monitors * (number + 1))
                    # At its first difference, a monitor fetches the page two more times. This happens only once and
                    # is not measured.
                    postgres.ask("update monitor set masks = (masks::jsonb || '{\"has_learned\": true}')::text")
                    if arguments.statements:
                        postgres.tell(arguments.monitors)
        finally:
            for process in processes.running:
                process.kill()
            redis.kill()
            postgres.stop()
        if arguments.peer:
            changedetection.measure(arguments.peer, port, free_port())
        server.kill()


if __name__ == "__main__":
    main()
