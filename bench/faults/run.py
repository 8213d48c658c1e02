#!/usr/bin/env python3
"""Kills all processes and servers that Carrel depends on while it works, and reports lost work and waiting times.

    cargo build --release
    python3 bench/faults/run.py [--kills 52] [--lease 3] [--seed N] [--program PATH]

Private PostgreSQL (a primary and a synchronous standby behind an address that moves) and Redis, `web`, two `worker`s
and a `scheduler` from the release build, and a slow local site. Read jobs and synchronous reads are sent at a constant
rate: for a minute without faults, then with faults at random times: kill -9 of workers, web, scheduler, Redis
(restarted empty) and PostgreSQL, FLUSHALL, and permanent loss of PostgreSQL, which its standby replaces. Each restarted
process uses a clock that is wrong by 0, ±5 ms, ±1 s or ±1 h (libfaketime: `apt-get install faketime`; the clock of one
worker is always right). Every job that was answered with 202 must become `complete` and exist in the database once, and
`carrel doctor` must have no findings. At the end, each process gets SIGTERM under load: it must exit with 0 within the
grace period, without any 5xx. The seed is printed, and the same seed results in the same plan. The exit code is 1 if
anything was lost.
"""

import argparse
import collections
import glob
import http.client
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

from callers import Poster, Readers, SlowSite, page, quantile
from servers import Redis, ReplicatedPostgres, free_port, wait_for

ROOT = pathlib.Path(__file__).resolve().parents[2]
GRACE_S = 20
KILLED = ["worker-1", "worker-2", "web", "scheduler", "redis", "postgres"]
CLOCKS = ["+0.005", "-0.005", "+1", "-1", "+3600", "-3600", None]


class Deployment:
    """web, two workers and a scheduler."""

    ROLES = {"web": "web", "worker-1": "worker", "worker-2": "worker", "scheduler": "scheduler"}

    def __init__(self, arguments, chance, folder, database_url, redis_url, site_port):
        self.program, self.chance, self.folder, self.port = arguments.program, chance, folder, free_port()
        self.environment = {
            "PATH": os.environ["PATH"], "DATABASE_URL": database_url, "REDIS_URL": redis_url,
            "CARREL_FILES": f"{folder}/files", "CARREL_LISTEN": f"127.0.0.1:{self.port}",
            "CARREL_FETCH_ALLOW": f"127.0.0.0/8:{site_port}", "CARREL_READER_LIMITS": "off",
            "CARREL_LEASE_SECONDS": str(arguments.lease), "CARREL_READ_JOB_CONCURRENCY": "4",
            "CARREL_EXTRACTION_CONCURRENCY": "8", "CARREL_SHUTDOWN_SECONDS": str(GRACE_S), "CARREL_LOG": "warn",
        }
        found = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
        self.false_clock = None if arguments.true_clocks else found and found[0]
        if self.false_clock == []:
            sys.exit("libfaketime is needed: apt-get install faketime (or --true-clocks)")
        self.processes, self.clocks, self.by_themselves = {}, collections.Counter(), []
        subprocess.run([self.program, "migrate"], env=self.environment, cwd=folder, check=True)
        for name in self.ROLES:
            self.start(name)
        wait_for(self.port)

    def start(self, name, clock=None):
        environment = dict(self.environment)
        if clock and self.false_clock:
            # Intervals are not affected: a clock that is set wrong still runs at the right speed.
            environment |= {"LD_PRELOAD": self.false_clock, "FAKETIME": clock, "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
            self.clocks[f"{name} {clock} s"] += 1
        log = open(f"{self.folder}/{name}.log", "a")
        self.processes[name] = subprocess.Popen([self.program, self.ROLES[name]], env=environment,
                                                cwd=self.folder, stdout=log, stderr=log)

    def kill(self, name):
        self.processes[name].kill()
        self.processes[name].wait()
        self.start(name, None if name == "worker-2" else self.chance.choice(CLOCKS))

    def keep(self):
        """Restarts processes that exited by themselves, as a supervisor does, and records them."""
        for name, process in list(self.processes.items()):
            if process.poll() is not None:
                self.by_themselves.append(f"{name} with {process.returncode}")
                self.start(name)

    def call(self, method, path, body=None, timeout=40, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        headers = {**(headers or {}), **({"Content-Type": "application/json"} if body else {})}
        connection.request(method, path, json.dumps(body) if body else None, headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read() or b"null")


def make_plan(chance, kills):
    plan = [KILLED[number % len(KILLED)] for number in range(kills)] + ["flush"] * 4 + ["failover"] * 2
    chance.shuffle(plan)
    return [(step, chance.uniform(2, 5)) for step in plan]


def carry_out(step, deployment, redis, postgres, chance):
    away = chance.uniform(0, 0.5)
    if step == "redis":
        redis.restart(away)
    elif step == "flush":
        redis.flush()
    elif step == "postgres":
        postgres.restart(away)
    elif step == "failover":
        postgres.fail_over()
    else:
        deployment.kill(step)


def follow(deployment, ids, patience):
    """Returns the last known record of each job."""
    records, until = {}, time.monotonic() + patience
    open_ids = set(ids)
    while open_ids and time.monotonic() < until:
        for job in list(open_ids):
            try:
                status, body = deployment.call("GET", f"/api/v1/read/jobs/{job}")
            except (OSError, ValueError, http.client.HTTPException):
                time.sleep(0.5)
                continue
            if status in (200, 404):
                records[job] = body
            if status == 404 or body.get("state") in ("complete", "failed"):
                open_ids.discard(job)
        time.sleep(0.3)
    return records


def drain_under_load(deployment, site_port):
    """Sends SIGTERM to every process during reads: started reads are answered, and all processes exit with 0."""
    answers, gate = collections.Counter(), threading.Barrier(61)

    def one(number):
        query = urllib.parse.urlencode({"url": page(site_port, "drain", number), "format": "json"})
        connection = http.client.HTTPConnection("127.0.0.1", deployment.port, timeout=60)
        connection.connect()
        gate.wait()
        try:
            connection.request("GET", f"/api/v1/read?{query}")
            answers[connection.getresponse().status] += 1
        except (OSError, http.client.HTTPException) as error:
            answers[type(error).__name__] += 1

    threads = [threading.Thread(target=one, args=(number,)) for number in range(60)]
    for thread in threads:
        thread.start()
    gate.wait()
    time.sleep(0.5)
    begun = time.monotonic()
    deployment.processes["web"].terminate()
    web_code = deployment.processes["web"].wait(GRACE_S + 10)
    web_seconds = time.monotonic() - begun
    for thread in threads:
        thread.join()
    codes = {"web": web_code}
    for name in ("worker-1", "worker-2", "scheduler"):
        deployment.processes[name].terminate()
    for name in ("worker-1", "worker-2", "scheduler"):
        codes[name] = deployment.processes[name].wait(GRACE_S + 10)
    print(f"SIGTERM with 60 reads in flight: answers {dict(answers)}, web ended after {web_seconds:.1f} s, codes {codes}")
    return all(code == 0 for code in codes.values()) and set(answers) == {200} and web_seconds <= GRACE_S + 1


def torment(arguments, chance, plan, deployment, redis, postgres, site_port):
    """Causes the faults while the callers run. Returns the accepted jobs and the reads."""
    poster = Poster(deployment, site_port, "job", arguments.job_pace)
    readers = Readers(deployment, site_port, "torment", arguments.read_pace)
    begun = time.monotonic()
    poster.start()
    readers.start()
    for step, pause in plan:
        time.sleep(pause)
        at = time.monotonic()
        carry_out(step, deployment, redis, postgres, chance)
        print(f"{at - begun:6.1f} s  {len(poster.accepted):4} accepted  {step} ({time.monotonic() - at:.1f} s)", flush=True)
        deployment.keep()
    time.sleep(5)
    poster.stop()
    readers.stop()
    for at, took, status in sorted(readers.reads):
        if took > 1.5:
            print(f"  slow: asked at {at - begun:6.1f} s, answered {status} after {took:.1f} s")
    return poster, readers, time.monotonic() - begun


def is_whole(arguments, deployment, postgres, accepted):
    """Checks that every job has exactly one effect, and that the database is consistent."""
    records = follow(deployment, accepted, 180)
    states = collections.Counter(record.get("state", "unknown") for record in records.values())
    attempts = collections.Counter(record.get("attempts") for record in records.values())
    print(f"{len(accepted)} jobs answered 202: {dict(states)}, starts {dict(sorted(attempts.items()))}")
    for record in records.values():
        if record.get("state") != "complete":
            print("not complete:", json.dumps(record))
    rows = postgres.ask("select count(*), count(distinct url) from read_job where state = 'complete'")
    stuck = postgres.ask("select count(*) from job where state = 'running'")
    doctor = subprocess.run([arguments.program, "doctor"], env=deployment.environment, cwd=deployment.folder,
                            capture_output=True, text=True)
    print(f"rows: {rows} (complete read jobs | pages they are about), {stuck} jobs still running; "
          f"doctor: exit {doctor.returncode}, {(doctor.stdout + doctor.stderr).strip().splitlines()[-1:]}")
    number = len(accepted)
    return states == {"complete": number} and rows == f"{number}|{number}" and stuck == "0" and doctor.returncode == 0


def observe(arguments, chance, plan, deployment, redis, postgres, site_port):
    peace = Readers(deployment, site_port, "peace", arguments.read_pace)
    jobs_in_peace = Poster(deployment, site_port, "quiet", arguments.job_pace)
    peace.start()
    jobs_in_peace.start()
    time.sleep(arguments.peace)
    peace.stop()
    jobs_in_peace.stop()
    print(f"without faults: {peace.told()}; load {os.getloadavg()[0]:.1f}", flush=True)
    poster, readers, seconds = torment(arguments, chance, plan, deployment, redis, postgres, site_port)
    counts = collections.Counter(step for step, _ in plan)
    print(f"{len(plan)} faults in {seconds:.0f} s: {dict(counts)}; load {os.getloadavg()[0]:.1f}")
    print(f"clocks: {dict(sorted(deployment.clocks.items()))}")
    print(f"under faults: {readers.told()}")
    before, outages = quantile(peace.seconds(), 0.99), postgres.outages
    print(f"p99 under faults is {quantile(readers.seconds(), 0.99) - before:.2f} s more, with leases of {arguments.lease} s; "
          f"{quantile(readers.seconds(outages), 0.99) - before:.2f} s more beside the {len(outages)} times that no primary was "
          f"there, {sum(end - start for start, end in outages):.1f} s in all, the longest {max(e - s for s, e in outages):.1f} s")
    print(f"jobs asked again: {dict(poster.refused)}; processes that ended by themselves: {deployment.by_themselves}")
    whole = is_whole(arguments, deployment, postgres, jobs_in_peace.accepted + poster.accepted)
    return drain_under_load(deployment, site_port) and whole


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kills", type=int, default=52, help="kill -9, in turns of what there is (52)")
    parser.add_argument("--lease", type=int, default=3, help="CARREL_LEASE_SECONDS (3; the service's default is 30)")
    parser.add_argument("--read-pace", type=float, default=4, help="waiting reads a second (4)")
    parser.add_argument("--job-pace", type=float, default=1, help="jobs posted a second (1)")
    parser.add_argument("--peace", type=float, default=60, help="seconds without faults at the beginning (60)")
    parser.add_argument("--keep-logs", metavar="FOLDER", help="copy what the processes logged there")
    parser.add_argument("--true-clocks", action="store_true", help="do without libfaketime")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--program", default=str(ROOT / "target/release/carrel"))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    chance = random.Random(arguments.seed)
    plan = make_plan(chance, arguments.kills)
    with tempfile.TemporaryDirectory(prefix="carrel-faults.") as folder:
        os.chmod(folder, 0o711)
        site_port = free_port()
        postgres, redis = ReplicatedPostgres(folder), Redis(folder)
        SlowSite(site_port)
        deployment = Deployment(arguments, chance, folder, postgres.url, redis.url, site_port)
        try:
            good = observe(arguments, chance, plan, deployment, redis, postgres, site_port)
        finally:
            for process in deployment.processes.values():
                process.kill()
            redis.kill()
            postgres.stop()
            if arguments.keep_logs:
                subprocess.run(f"cp {folder}/*.log {arguments.keep_logs}", shell=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
