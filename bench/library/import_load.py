#!/usr/bin/env python3
"""Import of one large file by one account while others work: rows per second, memory, and latency of the others.

    cargo build --release
    python3 bench/library/import_load.py [--rows 100000] [--format pocket|chrome] [--others 20] [--alone 30]
        [--program PATH] [--postgres URL]
    bin/with-servers python3 bench/library/import_load.py      # on SQLite, then on PostgreSQL

One process on SQLite in a temporary folder. With CARREL_TEST_POSTGRES_URL, as `bin/with-servers` sets it, also one on
that empty database; with `--postgres` only on the named one. The other accounts list, search and save continuously, two
requests per second each, first alone, then during the import. Memory is that of the process with its children
(proportional set size), and its growth is limited by a bar. The saved items have contents, so that no text is fetched
for them; the imported URLs are on hosts that do not exist. Exits with 1 if a bar is missed.
"""

import argparse
import html
import http.client
import json
import os
import pathlib
import random
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORDS = "harbour ferry lamp keeper boat tide quay north wind rope anchor gull fog brot straße łódź 日本 море café".split()
BARS = {"rows": 3000, "memory": 150, "ratio": 3}
PACE_SECONDS = 0.5
ITEMS_BEFORE = 30


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--format", choices=("pocket", "chrome"), default="pocket")
    parser.add_argument("--others", type=int, default=20)
    parser.add_argument("--alone", type=float, default=30, help="seconds that the others work alone")
    parser.add_argument("--program", default=str(ROOT / "target/release/carrel"))
    parser.add_argument("--postgres", help="URL of an empty database")
    return parser.parse_args()


def title(number):
    chosen = random.Random(number)
    return " ".join(chosen.choices(WORDS, k=6)) + f" {number}"


def pocket(rows):
    lines = ["title,url,time_added,tags,status"]
    for number in range(rows):
        tags = f"{WORDS[number % 17]}|list {number % 40}" if number % 3 == 0 else ""
        status = "archive" if number % 2 else "unread"
        url = f"https://site-{number % 5000}.invalid/{number}"
        lines.append(f"{title(number)},{url},{1_500_000_000 + number},{tags},{status}")
    return "\n".join(lines).encode()


def chrome(rows):
    parts = ["<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>\n<DL><p>"]
    for number in range(rows):
        if number % 250 == 0:
            parts.append(("</DL><p>" if number else "") + f"<DT><H3>Folder {number // 250}</H3><DL><p>")
        url = f"https://site-{number % 5000}.invalid/{number}"
        name = html.escape(title(number))
        parts.append(f'<DT><A HREF="{url}" ADD_DATE="{1_500_000_000 + number}">{name}</A>')
    return "\n".join([*parts, "</DL><p></DL><p>"]).encode()


class Service:
    """A running `carrel` with its folder and command line."""

    def __init__(self, program, postgres, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        settings = {"CARREL_LISTEN": f"127.0.0.1:{self.port}", "CARREL_READER_LIMITS": "off"}
        # Settings of the caller, such as another database, are not passed on.
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("CARREL_")}
        inherited.pop("DATABASE_URL", None)
        if postgres:
            settings["DATABASE_URL"] = postgres
        self.program, self.folder, self.environment = program, folder, inherited | settings
        log = open(pathlib.Path(folder) / "log", "wb")
        self.process = subprocess.Popen([program], cwd=folder, env=self.environment, stdout=log, stderr=log)
        self.until_ready()

    def until_ready(self):
        while self.process.poll() is None:
            try:
                if Client(self.port).request("GET", "/readyz")[0] == 200:
                    return
            except OSError:
                pass
            time.sleep(0.2)
        sys.exit((pathlib.Path(self.folder) / "log").read_text())

    def command(self, *words, typed=""):
        done = subprocess.run([self.program, *words], cwd=self.folder, env=self.environment, input=typed,
                              capture_output=True, text=True, check=True)
        return done.stdout.split()

    def account(self, name):
        """Creates an account on the largest plan. Returns the key."""
        email = f"{name}@example.org"
        self.command("account", "create", email, "--password-stdin", typed="a lamp by the harbour wall\n")
        self.command("account", "set-tier", email, "pro")
        return self.command("key", "create", email, "--name", "bench")[-1]

    def memory_mib(self):
        total = 0
        for pid in family(self.process.pid):
            try:
                text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
            except OSError:
                continue
            total += int(re.search(r"^Pss:\s+(\d+)", text, re.MULTILINE)[1])
        return total / 1024

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def family(pid):
    pids = [pid]
    for path in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            pids += [member for child in path.read_text().split() for member in family(int(child))]
        except OSError:
            continue
    return pids


class Client:
    """Connection of an account."""

    def __init__(self, port, key=None):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self.headers = {"Authorization": f"Bearer {key}"} if key else {}

    def request(self, method, path, body=None, kind="application/json"):
        headers = dict(self.headers, **({"Content-Type": kind} if body is not None else {}))
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def save(self, number):
        content = " ".join(random.Random(-number).choices(WORDS, k=200))
        body = json.dumps({"title": title(number), "content": content, "mimeType": "text/plain"})
        return self.request("POST", "/v1/library/items", body)

    def upload(self, file):
        mark = "bench-part"
        head = f'--{mark}\r\nContent-Disposition: form-data; name="dryRun"\r\n\r\nfalse\r\n' \
               f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="export"\r\n\r\n'
        body = head.encode() + file + f"\r\n--{mark}--\r\n".encode()
        status, answer = self.request("POST", "/v1/library/imports", body, f"multipart/form-data; boundary={mark}")
        if status != 202:
            sys.exit(f"the import was refused: {status} {answer.decode()}")
        return json.loads(answer)["import"]["id"]


class Others:
    """Accounts that list, search and save until they are stopped."""

    def __init__(self, port, keys):
        self.times, self.refused, self.lock, self.is_over = {}, 0, threading.Lock(), threading.Event()
        self.threads = [threading.Thread(target=self.work, args=(port, key, at)) for at, key in enumerate(keys)]
        for thread in self.threads:
            thread.start()

    def work(self, port, key, at):
        client, number = Client(port, key), at * 1_000_000 + 1000
        time.sleep(PACE_SECONDS * at / max(len(self.threads), 1))
        while not self.is_over.is_set():
            number += 1
            word = WORDS[number % len(WORDS)]
            turns = [
                ("list", lambda: client.request("GET", "/v1/library/items?limit=50")),
                ("search", lambda: client.request("GET", f"/v1/library/objects?query={http_word(word)}")),
                ("save", lambda: client.save(number)),
            ]
            name, call = turns[number % 3]
            began = time.perf_counter()
            status, _ = call()
            took = time.perf_counter() - began
            with self.lock:
                self.refused += status >= 400
                for known in (name, "all"):
                    self.times.setdefault(known, []).append(took * 1000)
            self.is_over.wait(max(PACE_SECONDS - took, 0))

    def take(self):
        with self.lock:
            taken, self.times = self.times, {}
        return taken

    def stop(self):
        self.is_over.set()
        for thread in self.threads:
            thread.join()


def http_word(word):
    return "".join(f"%{byte:02X}" for byte in word.encode())


def percentile(times, share):
    ordered = sorted(times)
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)]


def import_rows(client, service, file):
    """Imports the file. Returns its final state, the seconds, and the samples of the memory."""
    began, sizes = time.monotonic(), []
    path = f"/v1/library/imports/{client.upload(file)}"
    while True:
        sizes.append(service.memory_mib())
        state = json.loads(client.request("GET", path)[1])["import"]
        if state["state"] in ("complete", "failed"):
            return state, time.monotonic() - began, sizes
        time.sleep(0.25)


def main():
    given = arguments()
    if not os.access(given.program, os.X_OK):
        sys.exit(f"{given.program} is no program: build it (cargo build --release), or name one with --program")
    file = {"pocket": pocket, "chrome": chrome}[given.format](given.rows)
    named, tested = given.postgres, os.environ.get("CARREL_TEST_POSTGRES_URL")
    databases = [named] if named else [None, *filter(None, [tested])]
    return max(measure_on(given, postgres, file) for postgres in databases)


def measure_on(given, postgres, file):
    print(f"## {'PostgreSQL' if postgres else 'SQLite'}", flush=True)
    with tempfile.TemporaryDirectory(prefix="carrel-import.") as folder:
        service = Service(str(pathlib.Path(given.program).resolve()), postgres, folder)
        try:
            return measure(given, service, file)
        finally:
            service.stop()


def measure(given, service, file):
    keys = [service.account(f"person-{at}") for at in range(given.others + 1)]
    for key in keys[1:]:
        client = Client(service.port, key)
        for number in range(ITEMS_BEFORE):
            client.save(number)
    others = Others(service.port, keys[1:])
    try:
        before = []
        stop = time.monotonic() + given.alone
        while time.monotonic() < stop:
            before.append(service.memory_mib())
            time.sleep(0.5)
        alone = others.take()
        state, seconds, sizes = import_rows(Client(service.port, keys[0]), service, file)
        during = others.take()
    finally:
        others.stop()
    if not alone.get("all") or not during.get("all"):
        sys.exit("the others sent no request alone or during the import: name more rows, or more others")
    speed = given.rows / seconds
    growth = max(sizes) - statistics.median(before)
    counts = {name: state[name] for name in ("created", "existing", "skipped", "failed")}
    print(f"{given.rows} rows ({given.format}, {len(file) >> 20} MiB): {seconds:.1f} s, {speed:.0f} rows/s, {state['state']} {counts}")
    print(f"memory with children: {statistics.median(before):.0f} MiB before, {max(sizes):.0f} MiB at most, growth {growth:.0f} MiB")
    print("| others | requests | p50 alone | p50 during | p99 alone | p99 during | ratio of p99 |\n|---|---|---|---|---|---|---|")
    for name in ("list", "search", "save", "all"):
        if not alone.get(name) or not during.get(name):
            continue
        values = [percentile(times[name], share) for share in (0.5, 0.99) for times in (alone, during)]
        ratio = values[3] / values[2]
        print(f"| {name} | {len(alone[name])}, {len(during[name])} | " + " | ".join(f"{value:.1f} ms" for value in values) + f" | {ratio:.1f} |")
    print(f"refused requests of the others: {others.refused}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    is_met = speed >= BARS["rows"] and growth <= BARS["memory"] and ratio <= BARS["ratio"] and state["created"] == given.rows
    print("bars met" if is_met else f"bars missed: {BARS}")
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
