#!/usr/bin/env python3
"""Kills schedulers and workers at random while many monitors run, and checks the totals.

    cargo build --release
    python3 bench/monitors/kills.py [--monitors 1000] [--rounds 3] [--kills 12] [--hosts 40] [--minutes 15] [--followed] [--seed N]

Private PostgreSQL and Redis, two `scheduler`s and three `worker`s from the release build, and a local site on many
addresses whose pages change in each round. In each round, every monitor becomes due once, and processes are killed with
SIGKILL during the round. At the end, each monitor must have run once per round, each round after the first must have
detected one change, each change must start from the content of the previous change and, with `--followed`, be one entry
of its feed, every run must be charged once, the ledger must be consistent, and `carrel doctor` must have no findings.
The seed is printed, and the same seed results in the same plan. The exit code is 1 if anything differs.
"""

import argparse
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "faults"))
from callers import SlowSite  # noqa: E402
from run import ROOT  # noqa: E402
from servers import Postgres, Redis, free_port  # noqa: E402

ROLES = ["scheduler", "scheduler", "worker", "worker", "worker"]
WORDS = "storm ferry baker lamp harbour market library tide desk quire".split()


class ChangingSite(SlowSite):
    """Pages whose heading changes in each round."""

    round = 0

    class RequestHandlerClass(SlowSite.RequestHandlerClass):
        def do_GET(self):
            if self.path == "/robots.txt":
                self.send_error(404)
                return
            time.sleep(0.05)
            news = f"{WORDS[self.server.round % len(WORDS)]} over the {WORDS[(self.server.round * 3 + 1) % len(WORDS)]}"
            words = "<p>Boats go out with the tide, and bread is sold at the corner of the market.</p>" * 8
            body = f"<title>T</title><main><h1>{self.path}</h1>{words}<h2>News: {news}</h2></main>".encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)


class Processes:
    def __init__(self, program, folder, database_url, redis_url, site_port, more=None):
        self.program, self.folder = program, folder
        self.environment = {
            "PATH": os.environ["PATH"], "DATABASE_URL": database_url, "REDIS_URL": redis_url,
            "CARREL_LISTEN": f"127.0.0.1:{free_port()}", "CARREL_FETCH_ALLOW": f"127.0.0.0/8:{site_port}",
            "CARREL_LEASE_SECONDS": "3", "CARREL_LOG": "warn", "CARREL_EXTRACT_PROCESSES": "1",
            **(more or {}),
        }
        self.carrel("migrate")
        self.running = [self.start(place) for place in range(len(ROLES))]

    def carrel(self, *arguments, **more):
        return subprocess.run([self.program, *arguments], env=self.environment, cwd=self.folder, text=True,
                              capture_output=True, check=True, **more).stdout

    def start(self, place):
        log = open(f"{self.folder}/{ROLES[place]}-{place}.log", "a")
        return subprocess.Popen([self.program, ROLES[place]], env=self.environment, cwd=self.folder, stdout=log,
                                stderr=log)

    def kill(self, place):
        self.running[place].kill()
        self.running[place].wait()
        self.running[place] = self.start(place)


def fill(postgres, account, monitors, hosts, site_port):
    url = f"'http://127.0.0.' || (1 + n % {hosts}) || ':{site_port}/page-' || n"
    postgres.ask(f"""
        INSERT INTO monitor (id, account_id, identity, name, target_url, url_key, host, target_type, definition,
          interval_minutes, status, next_run_at, feed_token, created_at)
        SELECT gen_random_uuid(), '{account}', md5(n::text), 'Monitor ' || n, {url},
          encode(sha256(({url})::bytea), 'hex'), '127.0.0.' || (1 + n % {hosts}), 'page',
          '{{"target":{{"type":"page","selector":null}}}}', 1440, 'active', NULL, md5(n::text), 0
        FROM generate_series(1, {monitors}) n""")


def follow(postgres, account):
    """Adds each monitor to the feeds of its owner."""
    postgres.ask(f"""
        INSERT INTO rss_collection (account_id, name, name_key, kind, created_at)
          VALUES ('{account}', 'Unsorted', 'unsorted', 'unsorted', 0) ON CONFLICT DO NOTHING;
        INSERT INTO feed (url, host, kind, trust_guid, trust_url, gone, last_fetched_at, created_at)
          SELECT 'https://carrel.example/feeds/' || feed_token, host, 'monitor', true, false, false, 0, 0 FROM monitor;
        UPDATE monitor SET feed_id = f.id FROM feed f WHERE f.url = 'https://carrel.example/feeds/' || feed_token;
        INSERT INTO rss_subscription (account_id, feed_id, collection_id, full_text, read_through, created_at)
          SELECT '{account}', f.id, (SELECT id FROM rss_collection WHERE account_id = '{account}' AND kind = 'unsorted'),
          false, 0, 0 FROM feed f""")


def check(postgres, processes, monitors, rounds, followed):
    def number(sql):
        return int(postgres.ask(sql))

    wanted = {
        "runs": (number("select count(*) from monitor_run"), monitors * rounds),
        "runs that are no error": (number("select count(*) from monitor_run where outcome <> 'error'"), monitors * rounds),
        "monitors that ran once a round": (number(
            f"select count(*) from (select 1 from monitor_run group by monitor_id having count(*) = {rounds}) m"), monitors),
        "changes": (number("select count(*) from monitor_change"), monitors * (rounds - 1)),
        "changes that do not begin where the one before ended": (number(
            "select count(*) from (select before_hash, lag(after_hash) over (partition by monitor_id order by id) as last"
            " from monitor_change) c where last is not null and last <> before_hash"), 0),
        "charges": (number("select count(*) from credit_entry where kind = 'run'"), monitors * rounds),
        "credits charged": (-number("select sum(amount) from credit_entry where kind = 'run'"), monitors * rounds),
        "credits used": (number("select sum(used) from credit_month"), monitors * rounds),
        "runs without a charge": (number(
            "select count(*) from monitor_run r where credits > 0 and not exists"
            " (select 1 from credit_entry e where e.run_id = r.id and e.amount = -r.credits)"), 0),
        "entries of feeds": (number("select count(*) from feed_entry"), followed * monitors * (rounds - 1)),
        "entries that are told once, in the order of their ids": (number(
            "select count(*) from (select v.sequence, lag(v.sequence) over (order by e.id) as last from feed_entry e"
            " join feed_event v on v.entry_id = e.id and v.feed_id = e.feed_id) t where last is null or last < sequence"),
            followed * monitors * (rounds - 1)),
        "jobs left": (number("select count(*) from job where kind = 'monitor_run'"), 0),
    }
    good = True
    for name, (found, expected) in wanted.items():
        good &= found == expected
        print(f"{'ok ' if found == expected else 'BAD'} {name}: {found} of {expected}")
    print(processes.carrel("credits", "audit").strip())
    # Exits with an error if something is broken.
    print(processes.carrel("doctor").strip())
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--monitors", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--hosts", type=int, default=40, help="addresses of the site, at most 250")
    parser.add_argument("--followed", action="store_true", help="each monitor is one of its owner's feeds")
    parser.add_argument("--minutes", type=int, default=15, help="no round begins after this time")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--program", default=str(ROOT / "target/release/carrel"))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    chance = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory(prefix="carrel-monitors.") as folder:
        os.chmod(folder, 0o711)
        site_port = free_port()
        site = ChangingSite(site_port)
        postgres, redis = Postgres(folder), Redis(folder)
        processes = Processes(arguments.program, folder, postgres.url, redis.url, site_port)
        try:
            good = torment(arguments, chance, site, postgres, processes, site_port)
        finally:
            for process in processes.running:
                process.kill()
            redis.kill()
            postgres.stop()
    return 0 if good else 1


def torment(arguments, chance, site, postgres, processes, site_port):
    account = processes.carrel("account", "create", "many@example.org", "--tier", "pro", "--password-stdin",
                               input="correct horse battery\n").split()[0]
    fill(postgres, account, arguments.monitors, arguments.hosts, site_port)
    if arguments.followed:
        follow(postgres, account)
    # The monthly credits of the plan suffice for only a few rounds.
    processes.carrel("credits", "grant", "many@example.org", str(arguments.monitors * arguments.rounds))
    begun = time.monotonic()
    killed = rounds = 0
    for number in range(arguments.rounds):
        if time.monotonic() - begun > arguments.minutes * 60:
            break
        site.round = number
        postgres.ask("update monitor set next_run_at = (extract(epoch from clock_timestamp()) * 1000)::bigint")
        wanted = arguments.monitors * (number + 1)
        while int(postgres.ask("select count(*) from monitor_run")) < wanted:
            if killed < arguments.kills * (number + 1) / arguments.rounds:
                place = chance.randrange(len(ROLES))
                processes.kill(place)
                killed += 1
                print(f"{time.monotonic() - begun:6.1f} s  killed {ROLES[place]} {place}", flush=True)
            time.sleep(chance.uniform(0.5, 2))
            if time.monotonic() - begun > arguments.minutes * 60 + 120:
                print("a round does not end")
                break
        rounds += 1
        print(f"{time.monotonic() - begun:6.1f} s  round {number + 1} of {arguments.rounds} is over", flush=True)
    print(f"{arguments.monitors} monitors, {rounds} rounds, {killed} kills in {time.monotonic() - begun:.0f} s")
    return check(postgres, processes, arguments.monitors, rounds, arguments.followed)


if __name__ == "__main__":
    sys.exit(main())
