#!/usr/bin/env python3
"""Kills everything that Carrel stands on while it works, and counts what was lost.

    cargo build --release
    python3 bench/faults/run.py [--jobs 200] [--kills 12] [--seed N] [--program PATH]

Private PostgreSQL and Redis, `web`, two `worker`s and a `scheduler` from the release build, and a slow local site. While
read jobs are posted, workers, web and scheduler are killed -9 at random, Redis is killed -9 and restarted empty, FLUSHALL
is run and PostgreSQL is stopped in immediate mode and restarted. Every job that was answered 202 must end `complete`.
At the end each process gets SIGTERM under load: exit 0 within the grace time, and no 5xx. The seed is printed; the
same seed makes the same plan. Ends with 1 when anything was lost.
"""

import argparse
import collections
import glob
import http.client
import http.server
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOSTS = 40
GRACE_S = 20


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class SlowSite(http.server.ThreadingHTTPServer):
    """Articles that take a while, at 127.0.0.1 to 127.0.0.40."""

    daemon_threads = True
    request_queue_size = 512

    class RequestHandlerClass(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            if self.path == "/robots.txt":
                self.send_error(404)
                return
            time.sleep(0.3)
            words = "A desk in a quiet corner, a lamp, and a book that nobody had opened for years. " * 4
            body = f"<title>{self.path}</title><article><h1>{self.path}</h1>{f'<p>{words}</p>' * 10}</article>".encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    def __init__(self, port):
        super().__init__(("0.0.0.0", port), self.RequestHandlerClass)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        pass


class Postgres:
    def __init__(self, folder):
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
        initdb = shutil.which("initdb") or (found and found[-1])
        if not initdb:
            sys.exit("PostgreSQL is needed: apt-get install postgresql")
        self.bin = str(pathlib.Path(initdb).resolve().parent)
        self.data, self.port = f"{folder}/postgres", free_port()
        os.mkdir(self.data)
        self.before = []
        if os.getuid() == 0:
            shutil.chown(self.data, "postgres")
            self.before = ["runuser", "-u", "postgres", "--"]
        self.call("initdb", "-D", self.data, "-U", "carrel", "-A", "trust", "-E", "UTF8", "--no-locale")
        self.start()
        self.url = f"postgres://carrel@127.0.0.1:{self.port}/postgres"

    def call(self, program, *arguments):
        subprocess.run([*self.before, f"{self.bin}/{program}", *arguments], cwd="/", check=True,
                       stdout=subprocess.DEVNULL)

    def start(self):
        options = f"-p {self.port} -k {self.data} -c listen_addresses=127.0.0.1 -c max_connections=200"
        self.call("pg_ctl", "-D", self.data, "-s", "-w", "-l", f"{self.data}/log", "-o", options, "start")

    def stop(self):
        self.call("pg_ctl", "-D", self.data, "-s", "-m", "immediate", "stop")

    def ask(self, sql):
        answer = subprocess.run([f"{self.bin}/psql", self.url, "-Atc", sql], capture_output=True, text=True, check=True)
        return answer.stdout.strip()


class Redis:
    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        self.start()

    def start(self):
        self.child = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
             "--dir", self.folder], stdout=subprocess.DEVNULL)
        wait_for(self.port)

    def kill(self):
        self.child.kill()
        self.child.wait()

    def flush(self):
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            connection.sendall(b"FLUSHALL\r\n")
            connection.recv(100)


def wait_for(port, patience=60):
    until = time.monotonic() + patience
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    sys.exit(f"nothing answers at port {port}")


class Deployment:
    """web, two workers and a scheduler."""

    ROLES = {"web": "web", "worker-1": "worker", "worker-2": "worker", "scheduler": "scheduler"}

    def __init__(self, program, folder, database_url, redis_url, site_port):
        self.program, self.folder, self.port = program, folder, free_port()
        self.environment = {
            "PATH": os.environ["PATH"], "DATABASE_URL": database_url, "REDIS_URL": redis_url,
            "CARREL_LISTEN": f"127.0.0.1:{self.port}", "CARREL_FETCH_ALLOW": f"127.0.0.0/8:{site_port}",
            "CARREL_READER_LIMITS": "off", "CARREL_LEASE_SECONDS": "3", "CARREL_READ_JOB_CONCURRENCY": "4",
            "CARREL_EXTRACTION_CONCURRENCY": "4", "CARREL_SHUTDOWN_SECONDS": str(GRACE_S), "CARREL_LOG": "warn",
        }
        self.processes = {}
        subprocess.run([program, "migrate"], env=self.environment, cwd=folder, check=True)
        for name in self.ROLES:
            self.start(name)
        wait_for(self.port)

    def start(self, name):
        log = open(f"{self.folder}/{name}.log", "a")
        self.processes[name] = subprocess.Popen([self.program, self.ROLES[name]], env=self.environment,
                                                cwd=self.folder, stdout=log, stderr=log)

    def kill(self, name):
        self.processes[name].kill()
        self.processes[name].wait()
        self.start(name)

    def ended(self):
        return {name: process.poll() for name, process in self.processes.items() if process.poll() is not None}

    def call(self, method, path, body=None, timeout=40):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        headers = {"Content-Type": "application/json"} if body else {}
        connection.request(method, path, json.dumps(body) if body else None, headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read() or b"null")


class Poster(threading.Thread):
    """Posts jobs at an even pace; what is not answered 202 is posted again."""

    def __init__(self, deployment, site_port, jobs, seconds):
        super().__init__(daemon=True)
        self.deployment, self.site_port, self.jobs, self.seconds = deployment, site_port, jobs, seconds
        self.accepted, self.refused = [], collections.Counter()

    def run(self):
        for number in range(self.jobs):
            url = f"http://127.0.0.{1 + number % HOSTS}:{self.site_port}/page-{number}"
            while True:
                try:
                    status, body = self.deployment.call("POST", "/api/v1/read/jobs", {"url": url})
                except (OSError, ValueError, http.client.HTTPException) as error:
                    status, body = type(error).__name__, {}
                if status == 202:
                    self.accepted.append(body["job_id"])
                    break
                self.refused[f"{status} {body.get('code', '')}".strip()] += 1
                time.sleep(0.2)
            time.sleep(self.seconds / self.jobs)


def make_plan(chance, kills):
    plan = ["worker-1", "worker-2"] * ((kills + 1) // 2)
    plan = plan[:kills] + ["redis"] * 3 + ["flush"] * 3 + ["postgres"] * 2 + ["web"] * 2 + ["scheduler"] * 2
    chance.shuffle(plan)
    return [(step, chance.uniform(1.5, 4.5)) for step in plan]


def carry_out(step, deployment, redis, postgres, chance):
    if step == "redis":
        redis.kill()
        time.sleep(chance.uniform(0.2, 3))
        redis.start()
    elif step == "flush":
        redis.flush()
    elif step == "postgres":
        postgres.stop()
        time.sleep(chance.uniform(0.2, 3))
        postgres.start()
    else:
        deployment.kill(step)


def follow(deployment, ids, patience):
    """The last known record of each job."""
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
    """SIGTERM to every process with reads in flight: what was begun is answered, and everything exits with 0."""
    answers, gate = collections.Counter(), threading.Barrier(61)

    def one(number):
        url = f"http://127.0.0.{1 + number % HOSTS}:{site_port}/drain-{number}"
        query = urllib.parse.urlencode({"url": url, "format": "json"})
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--jobs", type=int, default=200)
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--program", default=str(ROOT / "target/release/carrel"))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    chance = random.Random(arguments.seed)
    plan = make_plan(chance, arguments.kills)
    with tempfile.TemporaryDirectory(prefix="carrel-faults.") as folder:
        os.chmod(folder, 0o711)
        site_port = free_port()
        SlowSite(site_port)
        postgres, redis = Postgres(folder), Redis(folder)
        deployment = Deployment(arguments.program, folder, postgres.url, redis.url, site_port)
        try:
            good = torment(arguments, chance, plan, deployment, redis, postgres, site_port)
        finally:
            for process in deployment.processes.values():
                process.kill()
            redis.kill()
            postgres.stop()
    return 0 if good else 1


def torment(arguments, chance, plan, deployment, redis, postgres, site_port):
    poster = Poster(deployment, site_port, arguments.jobs, sum(pause for _, pause in plan))
    begun = time.monotonic()
    poster.start()
    for step, pause in plan:
        time.sleep(pause)
        print(f"{time.monotonic() - begun:6.1f} s  {len(poster.accepted):4} accepted  {step}", flush=True)
        carry_out(step, deployment, redis, postgres, chance)
    poster.join()
    records = follow(deployment, poster.accepted, 180)
    seconds = time.monotonic() - begun
    states = collections.Counter(record.get("state", "unknown") for record in records.values())
    attempts = collections.Counter(record.get("attempts") for record in records.values())
    print(f"{len(poster.accepted)} jobs answered 202 in {seconds:.0f} s under {len(plan)} faults: {dict(states)}, "
          f"starts {dict(sorted(attempts.items()))}; answers that were not 202: {dict(poster.refused)}")
    for record in records.values():
        if record.get("state") != "complete":
            print("not complete:", json.dumps(record))
    stuck = postgres.ask("select count(*) from job where state = 'running'")
    rows = postgres.ask("select count(*) from read_job where state = 'complete'")
    print(f"rows: {rows} complete read jobs, {stuck} jobs still running; processes that ended by themselves: "
          f"{deployment.ended()}")
    ended = deployment.ended()
    drained = drain_under_load(deployment, site_port)
    return states == {"complete": arguments.jobs} and stuck == "0" and not ended and drained


if __name__ == "__main__":
    sys.exit(main())
