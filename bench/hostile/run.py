#!/usr/bin/env python3
"""Runs a release build of Carrel against the hostile site, and prints the outcome of every attack.

    cargo build --release
    python3 bench/hostile/run.py [--only WORD] [--program PATH]

It starts the site, a canary (a port that no redirect may ever reach) and `carrel serve` on a fresh SQLite file, with
the guard opened for the site's port alone and the reader's limits off. For each page: status, code, seconds, the peak
of memory of the service and of the largest extraction process, and the slowest answer of /healthz meanwhile. A row
passes if the answer is a valid text or problem within the reader's deadline, memory stays below the bounds in this
file, and no answer of /healthz takes longer than a second. The exit code is 1 if a row fails.
"""

import argparse
import asyncio
import http.client
import json
import multiprocessing
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.dont_write_bytecode = True
import hostile_site  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEADLINE_S = 27.0
SERVICE_MIB = 400
CHILD_MIB = 520
HEALTH_S = 1.0
# Codes that would indicate an error of this service and not of the page.
OURS = {"service_unavailable", "invalid_parameter", None}
# Pages that must be read although they are unusual.
MUST_READ = {"honest", "attributes-one-value", "json-ld-deep", "json-ld-objects", "base-hostile", "redirect-bomb"}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def run_site(port, names):
    asyncio.run(hostile_site.main(port, names))


class Canary(threading.Thread):
    """Port on this machine to which no redirect may lead."""

    def __init__(self):
        super().__init__(daemon=True)
        self.listener = socket.create_server(("", 0), family=socket.AF_INET6, dualstack_ipv6=True)
        self.port = self.listener.getsockname()[1]
        self.hits = 0

    def run(self):
        while True:
            connection, _ = self.listener.accept()
            self.hits += 1
            connection.close()


def status_kib(pid, field):
    try:
        for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith(field + ":"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0


def children(pid):
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            found += pathlib.Path(f"/proc/{pid}/task/{task}/children").read_text().split()
    except OSError:
        pass
    return found


class Watch(threading.Thread):
    """Samples memory every 20 ms and requests /healthz every 50 ms."""

    def __init__(self, pid, port):
        super().__init__(daemon=True)
        self.pid, self.port = pid, port
        self.reset()

    def reset(self):
        self.service = self.child = 0
        self.health = 0.0
        self.children = 0

    def run(self):
        threading.Thread(target=self.ask, daemon=True).start()
        while True:
            self.service = max(self.service, status_kib(self.pid, "VmRSS"))
            alive = children(self.pid)
            self.children = max(self.children, len(alive))
            for child in alive:
                self.child = max(self.child, status_kib(child, "VmRSS"))
            time.sleep(0.02)

    def ask(self):
        while True:
            begun = time.monotonic()
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
                connection.request("GET", "/healthz")
                good = connection.getresponse().read() == b'{"status":"ok"}'
                connection.close()
            except OSError:
                good = False
            self.health = max(self.health, time.monotonic() - begun if good else 99.0)
            time.sleep(0.05)


def read(port, url):
    """Returns status, code, and duration of one read, and the error in the format of its answer, if any."""
    begun = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    query = urllib.parse.urlencode({"url": url, "format": "json", "max_age": 0})
    try:
        connection.request("GET", f"/api/v1/read?{query}")
        response = connection.getresponse()
        body = json.loads(response.read())
    except (OSError, ValueError, http.client.HTTPException) as error:
        return 0, type(error).__name__, time.monotonic() - begun, "no clean answer"
    seconds = time.monotonic() - begun
    kind = response.headers.get("content-type", "")
    if response.status == 200:
        fault = "" if kind.startswith("application/json") and body.get("blocks") else "no blocks"
        return 200, f"{body.get('total_blocks')} blocks", seconds, fault
    code = body.get("code")
    whole = kind.startswith("application/problem+json") and body.get("detail") and body.get("resolution")
    fault = "" if whole and code not in OURS else "not a clean problem"
    return response.status, code, seconds, fault


def cases(only):
    site, here = hostile_site, []
    for name in site.CASES:
        here.append((name, f"http://127.0.0.1:{{port}}/{name}"))
    for name in site.REDIRECTS:
        here.append((f"to-{name}", f"http://127.0.0.1:{{port}}/to-{name}"))
    for number, function in site.ROBOTS.items():
        name = function.__name__.replace("_", "-")
        here.append((name, f"http://127.0.0.{number}:{{port}}/honest"))
    return [(name, url) for name, url in here if only in name]


class Report:
    def __init__(self, watch):
        self.watch, self.bad = watch, []
        self.worst = {"service": 0, "child": 0, "health": 0.0, "seconds": 0.0}
        print(f"{'case':28} {'status':>6}  {'code':24} {'seconds':>7} {'service':>8} {'child':>7} {'healthz':>8}")

    def row(self, name, status, code, seconds, fault):
        watch = self.watch
        service, child, health = watch.service // 1024, watch.child // 1024, watch.health
        reasons = [fault] if fault else []
        reasons += ["over the deadline"] if seconds > DEADLINE_S else []
        reasons += ["memory of the service"] if service > SERVICE_MIB else []
        reasons += ["memory of a child"] if child > CHILD_MIB else []
        reasons += ["slow /healthz"] if health > HEALTH_S else []
        reasons += ["must be read"] if name in MUST_READ and status != 200 else []
        for key, value in (("service", service), ("child", child), ("health", health), ("seconds", seconds)):
            self.worst[key] = max(self.worst[key], value)
        if reasons:
            self.bad.append((name, reasons))
        print(f"{name:28} {status:>6}  {str(code):24} {seconds:7.2f} {service:5} MiB {child:3} MiB {health * 1000:5.0f} ms"
              f"{'   <- ' + ', '.join(reasons) if reasons else ''}", flush=True)


def together(report, watch, port, site_port):
    """Forty slow bodies and six other slow attacks at the same time, each on a separate host."""
    slow = ["drip-head", "drip-chunks", "silent", "stalled", "drip-redirects", "interim-flood"]
    names = ["drip-body"] * 40 + slow
    answers = [None] * len(names)

    def one(number):
        answers[number] = read(port, f"http://127.0.0.{number + 1}:{site_port}/{names[number]}?n={number}")

    watch.reset()
    threads = [threading.Thread(target=one, args=(number,)) for number in range(len(names))]
    for thread in threads:
        thread.start()
    time.sleep(2)
    # The service still serves other callers.
    status, code, seconds, fault = read(port, f"http://127.0.0.60:{site_port}/honest?meanwhile")
    report.row("honest, meanwhile", status, code, seconds, fault)
    for thread in threads:
        thread.join()
    for name in ["drip-body", *slow]:
        of = [answers[number] for number, other in enumerate(names) if other == name]
        codes = sorted({f"{status} {code}" for status, code, _, _ in of})
        worst = max(seconds for _, _, seconds, _ in of)
        fault = next((fault for _, _, _, fault in of if fault), "")
        report.row(f"{len(of)} x {name}, at once", " ".join(code.split()[0] for code in codes),
                   " ".join(code.split(" ", 1)[1] for code in codes), worst, fault)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default="", help="cases whose name holds this word")
    parser.add_argument("--program", default=str(ROOT / "target/release/carrel"))
    parser.add_argument("--log", default="error", help="CARREL_LOG of the service")
    arguments = parser.parse_args()
    canary = Canary()
    canary.start()
    site_port, port = free_port(), free_port()
    names = {"canary": str(canary.port), "reader": f"127.0.0.1:{port}"}
    site = multiprocessing.Process(target=run_site, args=(site_port, names), daemon=True)
    site.start()
    with tempfile.TemporaryDirectory(prefix="carrel-hostile.") as folder:
        environment = {
            "PATH": os.environ["PATH"],
            "DATABASE_URL": f"sqlite://{folder}/carrel.db?mode=rwc",
            "CARREL_LISTEN": f"127.0.0.1:{port}",
            "CARREL_FETCH_ALLOW": f"127.0.0.0/8:{site_port}",
            "CARREL_READER_LIMITS": "off",
            "CARREL_LOG": arguments.log,
        }
        carrel = subprocess.Popen([arguments.program, "serve"], env=environment, cwd=folder)
        try:
            report = drive(arguments, carrel, port, site_port)
        finally:
            carrel.send_signal(signal.SIGTERM)
            code = carrel.wait(60)
            site.terminate()
    print(f"\nworst: {report.worst['seconds']:.1f} s, service {report.worst['service']} MiB, "
          f"child {report.worst['child']} MiB, /healthz {report.worst['health'] * 1000:.0f} ms; "
          f"at most {report.most_children} children; canary hits: {canary.hits}; exit code after SIGTERM: {code}")
    for name, reasons in report.bad:
        print(f"not good: {name}: {', '.join(reasons)}")
    return 1 if report.bad or canary.hits or code else 0


def drive(arguments, carrel, port, site_port):
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            break
        except OSError:
            time.sleep(0.1)
    watch = Watch(carrel.pid, port)
    watch.start()
    report = Report(watch)
    report.most_children = 0
    for name, url in cases(arguments.only):
        watch.reset()
        answer = read(port, url.format(port=site_port))
        time.sleep(0.06)
        report.row(name, *answer)
        report.most_children = max(report.most_children, watch.children)
    if arguments.only in "at once":
        together(report, watch, port, site_port)
    watch.reset()
    answer = read(port, f"http://127.0.0.59:{site_port}/honest?after")
    report.row("honest, after all", *answer)
    if carrel.poll() is not None:
        report.bad.append(("the service", ["it ended"]))
    return report


if __name__ == "__main__":
    sys.exit(main())
