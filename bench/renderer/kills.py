#!/usr/bin/env python3
"""Kills browsers, workers, and web processes while pages are rendered, and checks that every read ends and nothing is
left.

    cargo build --release
    python3 bench/renderer/kills.py [--kills 30] [--reads 8] [--seed N] [--program PATH]

Private PostgreSQL and Redis, one `web`, two `worker`s and one `scheduler` from the release build, and a local site
whose pages have no text until a script ran. `--reads` read jobs are always unfinished, and one page is read
synchronously at a time. Each kind of process is killed -9 `--kills` times. At the end each job must be complete or
failed with a code, and after the services have exited, no browser process and no profile may be left. The seed is
printed, and the same seed results in the same plan. Exits with 1 if a bar is missed.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "faults"))
from callers import SlowSite  # noqa: E402
from run import ROOT  # noqa: E402
from servers import Postgres, Redis, free_port, is_alive, wait_for  # noqa: E402

ROLES = ["web", "worker", "worker", "scheduler"]
# A job that was lost four times waits up to 450 s (one and a half times five minutes), then for the pages before it.
LAST_JOB_SECONDS = 600
LEFTOVER_SECONDS = 30


class ScriptSite(SlowSite):
    """Pages whose text a script writes after a request."""

    class RequestHandlerClass(SlowSite.RequestHandlerClass):
        def do_GET(self):
            if self.path == "/robots.txt":
                self.send_error(404)
                return
            if self.path.endswith("/text"):
                time.sleep(0.5)
                kind, body = "text/plain", ("The harbour wall was repaired before the first storm. " * 3).encode()
            else:
                kind = "text/html; charset=utf-8"
                body = (f"<!doctype html><title>{self.path}</title><div id=root></div>"
                        f"<script>fetch('{self.path}/text').then(a=>a.text()).then(t=>{{document.getElementById('root').innerHTML="
                        f"'<main><h1>Harbour</h1>'+('<p>'+t+'</p>').repeat(6)+'</main>'}})</script>").encode()
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)


class Services:
    """The processes of the service, with a folder for temporary files of their own."""

    def __init__(self, program, folder, postgres, redis, site_port):
        self.program, self.folder, self.port = program, folder, free_port()
        self.temporary = f"{folder}/temporary"
        os.mkdir(self.temporary)
        os.chmod(self.temporary, 0o1777)
        self.environment = {
            "PATH": os.environ["PATH"], "DATABASE_URL": postgres.url, "REDIS_URL": redis.url, "TMPDIR": self.temporary,
            "CARREL_LISTEN": f"127.0.0.1:{self.port}", "CARREL_FETCH_ALLOW": f"127.0.0.0/8:{site_port}",
            "CARREL_LEASE_SECONDS": "5", "CARREL_LOG": "warn", "CARREL_READER_LIMITS": "off",
        }
        subprocess.run([program, "migrate"], env=self.environment, cwd=folder, check=True, capture_output=True)
        self.running = [self.start(place) for place in range(len(ROLES))]
        wait_for(self.port)

    def start(self, place):
        log = open(f"{self.folder}/{ROLES[place]}-{place}.log", "a")
        return subprocess.Popen([self.program, ROLES[place]], env=self.environment, cwd=self.folder, stdout=log, stderr=log)

    def kill(self, role, chance):
        place = chance.choice([place for place, name in enumerate(ROLES) if name == role])
        self.running[place].kill()
        self.running[place].wait()
        self.running[place] = self.start(place)

    def browsers(self):
        """The main processes of browsers: those without a type."""
        return [process for process, line in self.browser_processes() if b"--type=" not in line]

    def browser_processes(self):
        processes = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                line = pathlib.Path(f"/proc/{name}/cmdline").read_bytes()
            except OSError:
                continue
            if self.temporary.encode() in line and is_alive(int(name)):
                processes.append((int(name), line))
        return processes

    def profiles(self):
        return [name for name in os.listdir(self.temporary) if name.startswith("carrel-browser-")]

    def stop(self):
        for process in self.running:
            process.send_signal(signal.SIGTERM)
        for process in self.running:
            process.wait(60)


class Reader:
    def __init__(self, services, site_port):
        self.address, self.site_port, self.made = f"http://127.0.0.1:{services.port}", site_port, 0
        self.lock, self.ended = threading.Lock(), threading.Event()
        self.synchronous = collections.Counter()

    def page(self):
        with self.lock:
            self.made += 1
            return f"http://127.0.0.{1 + self.made % 40}:{self.site_port}/page-{self.made}"

    def submit(self):
        """Submits a read job. Returns false if the web process was unavailable."""
        body = json.dumps({"url": self.page()}).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.address}/api/v1/read/jobs", body, headers)
        try:
            with urllib.request.urlopen(request, timeout=20) as response:
                return response.status == 202
        except urllib.error.HTTPError as error:
            sys.exit(f"a read job was refused: {error.read().decode()}")
        except OSError:
            return False

    def read_synchronously(self):
        while not self.ended.is_set():
            try:
                with urllib.request.urlopen(f"{self.address}/api/v1/read?url={self.page()}", timeout=120) as response:
                    self.synchronous[response.status] += 1
            except urllib.error.HTTPError as error:
                self.synchronous[error.code] += 1
                time.sleep(0.2)
            except TimeoutError:
                self.synchronous["no response"] += 1
            except OSError:
                self.synchronous["connection closed"] += 1
                time.sleep(0.2)


def unfinished(postgres):
    return int(postgres.ask("select count(*) from read_job where finished_at is null"))


def torment(arguments, chance, postgres, services, reader):
    plan = ["browser", "worker", "web"] * arguments.kills
    chance.shuffle(plan)
    begun, submitted, killed = time.monotonic(), 0, collections.Counter()
    next_kill = begun + 3
    while plan:
        while unfinished(postgres) < arguments.reads:
            submitted += reader.submit()
        if time.monotonic() >= next_kill:
            browsers = services.browsers()
            if plan[-1] != "browser":
                services.kill(plan[-1], chance)
                killed[plan.pop()] += 1
            elif browsers:
                os.kill(chance.choice(browsers), signal.SIGKILL)
                killed[plan.pop()] += 1
            next_kill = time.monotonic() + chance.uniform(1, 5)
        time.sleep(0.1)
    print(f"{time.monotonic() - begun:.0f} s: {submitted} read jobs, killed: {dict(killed)}", flush=True)
    until = time.monotonic() + LAST_JOB_SECONDS
    while unfinished(postgres) and time.monotonic() < until:
        time.sleep(0.5)
    reader.ended.set()


def check(arguments, postgres, services, reader):
    rows = postgres.ask("select state, coalesce(error_code, ''), count(*) from read_job group by 1, 2 order by 1, 2")
    print("read jobs by state and code:", rows.replace("\n", "; "))
    print("synchronous reads:", dict(reader.synchronous))
    good = True
    checks = {"read jobs that did not end": unfinished(postgres),
              "failed read jobs without a code": int(postgres.ask(
                  "select count(*) from read_job where state = 'failed' and error_code is null")),
              "synchronous reads without a response in 120 s": reader.synchronous["no response"]}
    services.stop()
    until = time.monotonic() + LEFTOVER_SECONDS
    while (services.browser_processes() or services.profiles()) and time.monotonic() < until:
        time.sleep(0.2)
    checks["browser processes left"] = len(services.browser_processes())
    checks["profiles left"] = len(services.profiles())
    for name, count in checks.items():
        good &= count == 0
        print(f"{'ok ' if count == 0 else 'BAD'} {name}: {count}")
    print(subprocess.run([services.program, "doctor"], env=services.environment, cwd=services.folder, text=True,
                         capture_output=True).stdout.strip())
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kills", type=int, default=30, help="of each kind of process")
    parser.add_argument("--reads", type=int, default=8, help="read jobs that are unfinished at a time")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--program", default=str(ROOT / "target/release/carrel"))
    arguments = parser.parse_args()
    if not shutil.which("chromium"):
        sys.exit("Chromium is needed: apt-get install chromium")
    print(f"seed {arguments.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="carrel-renderer.") as folder:
        os.chmod(folder, 0o711)
        site_port = free_port()
        ScriptSite(site_port)
        postgres, redis = Postgres(folder), Redis(folder)
        services = Services(arguments.program, folder, postgres, redis, site_port)
        reader = Reader(services, site_port)
        threading.Thread(target=reader.read_synchronously, daemon=True).start()
        try:
            torment(arguments, random.Random(arguments.seed), postgres, services, reader)
            good = check(arguments, postgres, services, reader)
        finally:
            reader.ended.set()
            for process in services.running:
                process.kill()
            redis.kill()
            postgres.stop()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
