#!/usr/bin/env python3
"""Alerts for pages that change step by step, of Carrel and of changedetection.io in the same run: right, missed, false.

    cargo build --release
    python3 bench/monitors/sequences.py [--program PATH] [--peer PATH] [--only TEXT] [--out FILE]

The sequences are in `sequence_table.py`. With `--peer`, the `changedetection.io` of a virtual environment in which pip
installed it watches the same pages. Both run on this machine with a database of their own and are asked for each check,
so no interval is waited for. Carrel refuses a second check of a monitor within 15 seconds, so all sequences advance in
parallel. A step may take several checks of the same page, because doubtful content must be confirmed.

An alert is right if it is wanted at its step and has the words that the step asks for. It is false if it is not wanted,
or contains a word that would be untrue. A sequence is exact if nothing is missed and nothing is false.
"""

import argparse
import collections
import concurrent.futures
import http.server
import json
import os
import pathlib
import socketserver
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "faults"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import sequence_table  # noqa: E402
from run import ROOT  # noqa: E402
from servers import free_port, wait_for  # noqa: E402

# Carrel refuses an earlier check of the same monitor.
GAP_S = 15.5
PATIENCE_S = 90
THREADS = 6
TIERS = """[pro]
web_monitors = 100000
web_monitor_monthly_credits = 10000000
operations_per_minute = 10000000
operations_per_day = 100000000
fresh_extractions_per_minute = 10000000
fresh_extractions_per_day = 100000000
"""


class Site(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """Serves the current page of each sequence, at `/NAME`, on every address of the machine."""

    daemon_threads = True
    request_queue_size = 512

    def __init__(self):
        super().__init__(("0.0.0.0", 0), Answerer)
        self.pages, self.requests = {}, collections.Counter()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        pass


class Answerer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.close_connection = True
        name, _, part = self.path.strip("/").partition("/")
        page = self.server.pages.get(name)
        length = int(self.headers.get("Content-Length") or 0)
        here = f"http://{self.headers['Host']}/{name}"
        counter = (self.headers["Host"], name)
        self.server.requests[counter] += 1
        if page is not None and part:
            page = page.parts.get(part)
        if page is not None and callable(page.body):
            request = sequence_table.Request(self.server.requests[counter], self.command, self.headers,
                                             self.rfile.read(length).decode())
            page = page.answer(request)
        if page is None:
            page = sequence_table.Page("", status=404)
        body = page.body if isinstance(page.body, bytes) else page.body.replace("{here}", here).encode()
        self.send_response(page.status)
        for header, value in page.headers.items():
            self.send_header(header, value.replace("{here}", here))
        if page.kind:
            self.send_header("Content-Type", page.kind)
        self.send_header("Content-Length", str(len(body) + page.lost_bytes))
        self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_POST = do_HEAD = do_GET


def ask(method, url, body=None, headers=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json", **(headers or {})},
      method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        text = answer.read().decode()
    try:
        return json.loads(text)
    except ValueError:
        return text


class Refused(Exception):
    """The tool does not accept the definition."""


class Tool:
    """Monitors of one tool. `messages[name]` has the texts of the alerts of each check."""

    def __init__(self, site, net):
        self.site, self.net, self.ids, self.refusals, self.errors = site, net, {}, {}, {}
        self.messages = collections.defaultdict(list)

    def url(self, number, name):
        return f"http://127.{self.net}.{1 + number // 200}.{1 + number % 200}:{self.site.server_port}/{name}"

    def create(self, sequences):
        def one(numbered):
            number, sequence = numbered
            try:
                self.ids[sequence.name] = self.make(self.url(number, sequence.name), sequence)
            except Refused as refusal:
                self.refusals[sequence.name] = str(refusal)

        with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(one, enumerate(sequences)))

    def check_all(self, names):
        def one(name):
            try:
                self.messages[name].append(self.check(self.ids[name]))
            except (OSError, TimeoutError) as error:
                self.messages[name].append([])
                self.errors[name] = f"check {len(self.messages[name])}: {error}"

        with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(one, [name for name in names if name in self.ids]))


class Carrel(Tool):
    title = "Carrel"

    def __init__(self, program, folder, site):
        super().__init__(site, 101)
        port = free_port()
        tiers = pathlib.Path(folder, "tiers.toml")
        tiers.write_text(TIERS)
        environment = {
            "PATH": os.environ["PATH"], "DATABASE_URL": f"sqlite://{folder}/carrel.db?mode=rwc",
            "CARREL_FILES": f"{folder}/files", "CARREL_LISTEN": f"127.0.0.1:{port}", "CARREL_LOG": "warn",
            "CARREL_FETCH_ALLOW": f"127.0.0.0/8:{site.server_port}", "CARREL_TIERS_FILE": str(tiers),
        }

        def run(*arguments, **more):
            return subprocess.run([program, *arguments], env=environment, cwd=folder, text=True, check=True,
                                  stdout=subprocess.PIPE, **more).stdout

        run("migrate")
        run("account", "create", "a@example.org", "--tier", "pro", "--password-stdin",
        input="correct horse battery\n")
        key = run("key", "create", "a@example.org", "--name", "sequences").split()[-1]
        self.base, self.headers = f"http://127.0.0.1:{port}/v1/monitors", {"Authorization": f"Bearer {key}"}
        self.log = open(f"{folder}/carrel.log", "w")
        self.process = subprocess.Popen([program, "serve"], env=environment, cwd=folder, stdout=self.log,
        stderr=self.log)
        wait_for(port)
        self.known, self.begun, self.decisions = collections.defaultdict(set), {}, collections.defaultdict(list)

    def ask(self, method, path, body=None):
        return ask(method, self.base + path, body, self.headers)

    def make(self, url, sequence):
        body = {"name": sequence.name, "targetUrl": url, "intervalMinutes": 1440, "follow": False, **sequence.carrel}
        try:
            made = self.ask("POST", "", body)
        except urllib.error.HTTPError as error:
            raise Refused(error.read().decode()[:400]) from error
        return made["monitor"]["id"]

    def start(self, monitor):
        until = time.monotonic() + PATIENCE_S
        while True:
            time.sleep(max(0, self.begun.get(monitor, 0) + GAP_S - time.monotonic()))
            try:
                run = self.ask("POST", f"/{monitor}/run")["run"]
                self.begun[monitor] = time.monotonic()
                return run["id"]
            except urllib.error.HTTPError as error:
                if error.code not in (429, 503) or time.monotonic() > until:
                    raise
                time.sleep(float(error.headers.get("Retry-After") or 1))

    def check(self, monitor):
        run, until = self.start(monitor), time.monotonic() + PATIENCE_S
        while True:
            runs = [one for one in self.ask("GET", f"/{monitor}/runs?limit=5")["runs"] if one["id"] == run]
            if runs and runs[0]["finishedAt"]:
                break
            if time.monotonic() > until:
                raise TimeoutError("the run does not end")
            time.sleep(0.1)
        self.decisions[monitor].append(runs[0].get("errorCode") or runs[0].get("decision") or runs[0]["outcome"])
        changes = self.ask("GET", f"/{monitor}/changes?limit=20")["changes"]
        fresh = [change for change in changes if change["id"] not in self.known[monitor]]
        self.known[monitor].update(change["id"] for change in fresh)
        return [message_of(change) for change in reversed(fresh)]


def message_of(change):
    sides = [side for part in change["diff"] for side in (part["before"], part["after"], part["item"],
      part["url"]) if side]
    return "\n".join([change["title"], change["summary"], *sides])


class ChangeDetection(Tool):
    title = "changedetection.io"

    def __init__(self, program, folder, site):
        super().__init__(site, 102)
        port = free_port()
        environment = dict(os.environ, ALLOW_IANA_RESTRICTED_ADDRESSES="true", LISTEN_HOST="127.0.0.1",
        PORT=str(port),
                           FETCH_WORKERS="4", DISABLE_VERSION_CHECK="true")
        self.log = open(f"{folder}/changedetection.log", "w")
        store = pathlib.Path(folder, "changedetection")
        self.process = subprocess.Popen([program, "-d", str(store), "-C", "-l", "WARNING", "-p", str(port)],
                                        env=environment, stdout=self.log, stderr=self.log)
        wait_for(port, 120)
        self.base, self.headers = f"http://127.0.0.1:{port}/api/v1/watch", {"x-api-key": self.key(store)}
        self.checks, self.alerts = collections.Counter(), collections.Counter()

    @staticmethod
    def key(store):
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            for path in store.glob("*.json"):
                try:
                    return json.loads(path.read_text())["settings"]["application"]["api_access_token"]
                except (KeyError, ValueError, TypeError):
                    continue
            time.sleep(0.2)
        sys.exit("changedetection.io has no key")

    def ask(self, method, path, body=None):
        return ask(method, self.base + path, body, self.headers)

    def make(self, url, sequence):
        try:
            return self.ask("POST", "", {"url": url, "title": sequence.name, **sequence.peer})["uuid"]
        except urllib.error.HTTPError as error:
            raise Refused(error.read().decode()[:400]) from error

    def check(self, watch):
        until = time.monotonic() + PATIENCE_S
        if not self.checks[watch]:
            # The scheduler checks a new watch by itself.
            self.await_check(watch, until)
            time.sleep(1)
            self.checks[watch] = self.ask("GET", f"/{watch}")["check_count"]
            self.alerts[watch] = self.ask("GET", f"/{watch}")["history_n"]
            return []
        self.ask("GET", f"/{watch}?recheck=1")
        state = self.await_check(watch, until)
        self.checks[watch] = state["check_count"]
        before, self.alerts[watch] = self.alerts[watch], state["history_n"]
        # The first content is the baseline.
        count = state["history_n"] - max(1, before)
        if count <= 0:
            return []
        # If only added lines are watched, the content consists of these lines, and a repeated line causes no difference.
        texts = [self.ask("GET", f"/{watch}/{path}") for path in
                 ("difference/previous/latest?no_markup=true&changesOnly=true", "history/latest")]
        return ["\n".join(map(str, texts))] * count

    def await_check(self, watch, until):
        while time.monotonic() < until:
            state = self.ask("GET", f"/{watch}")
            if state.get("check_count", 0) > self.checks[watch]:
                return state
            time.sleep(0.25)
        raise TimeoutError("the check does not end")


class Score:
    def __init__(self, sequence, checks, is_refused):
        """`checks` has the messages of each check, without those of the baseline. Refused sequences count as missed."""
        self.right = self.missed = self.false = 0
        self.counts = ""
        at = 0
        for step in sequence.steps[1:]:
            messages = [message for check in checks[at:at + step.checks] for message in check]
            at += step.checks
            self.counts += str(len(messages))
            if step.wanted == "?":
                continue
            wanted = int(step.wanted)
            said = [message for message in messages if all(word in message for word in step.says)]
            self.right += min(len(said), wanted)
            self.missed += max(0, wanted - len(said))
            self.false += max(0, len(messages) - wanted)
            self.false += any(word in message for message in messages[:wanted] for word in step.never)
        if is_refused:
            self.missed = max(1, self.missed)

    @property
    def is_exact(self):
        return not self.missed and not self.false

    def verdict(self):
        parts = [f"{self.missed} missed"] * bool(self.missed) + [f"{self.false} false"] * bool(self.false)
        return ", ".join(parts) or "ok"


def score(tool, sequence):
    checks = tool.messages[sequence.name][1:] if sequence.name in tool.ids else []
    return Score(sequence, checks, sequence.name in tool.refusals)


def drive(tools, sequences, site):
    """Advances all sequences by one page after another, and asks all tools for a check of each."""
    pages = {sequence.name: [step.page for step in sequence.steps for _ in range(step.checks)]
             for sequence in sequences}
    site.pages.update({name: steps[0] for name, steps in pages.items()})
    for tool in tools:
        tool.create([sequence for sequence in sequences if tool.title == Carrel.title or sequence.peer is not None])
    for at in range(max(map(len, pages.values()))):
        names = [name for name, steps in pages.items() if at < len(steps)]
        site.pages.update({name: pages[name][at] for name in names})
        begun = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(len(tools)) as pool:
            list(pool.map(lambda tool: tool.check_all(names), tools))
        print(f"check {at}: {len(names)} sequences, {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)


def total(scores):
    exact = sum(one.is_exact for one in scores)
    right, missed, false = (sum(getattr(one, part) for one in scores) for part in ("right", "missed", "false"))
    return f"{exact} of {len(scores)} | {right} | {missed} | {false}"


def report(tools, sequences, out):
    scores = {tool.title: {one.name: score(tool, one) for one in sequences
                           if tool.title == Carrel.title or one.peer is not None} for tool in tools}
    print("| sequence | wanted | " + " | ".join(f"{tool.title} | verdict" for tool in tools) + " |")
    print("|---|---|" + "---|---|" * len(tools))
    rows = []
    for sequence in sequences:
        wanted = "".join(step.wanted for step in sequence.steps[1:])
        cells, row = [], {"name": sequence.name, "wanted": wanted}
        for tool in tools:
            found = scores[tool.title].get(sequence.name)
            refusal = tool.refusals.get(sequence.name)
            if found is None:
                cells.append("not run | ")
                continue
            row[tool.title] = {"counts": found.counts, "exact": found.is_exact, "refusal": refusal,
                               "error": tool.errors.get(sequence.name), "messages": tool.messages[sequence.name]}
            if tool.title == Carrel.title:
                row[tool.title]["decisions"] = tool.decisions.get(tool.ids.get(sequence.name))
            cells.append(f"{'refused' if refusal else found.counts} | {found.verdict()}")
        rows.append(row)
        print(f"| {sequence.name} | {wanted} | " + " | ".join(cells) + " |")
    print("\n| tool | exact | right | missed | false |\n|---|---|---|---|---|")
    common = [one.name for one in sequences if one.peer is not None]
    for tool in tools:
        all_of = scores[tool.title]
        print(f"| {tool.title}, {len(common)} for both | {total([all_of[name] for name in common])} |")
    print(f"| {Carrel.title}, all | {total(list(scores[Carrel.title].values()))} |")
    if out:
        pathlib.Path(out).write_text(json.dumps(rows, indent=1, ensure_ascii=False))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=str(ROOT / "target/release/carrel"))
    parser.add_argument("--peer", help="changedetection.io, to watch the same pages")
    parser.add_argument("--only", default="", help="only sequences with this text in their names")
    parser.add_argument("--out", help="file for the messages of all sequences, as JSON")
    arguments = parser.parse_args()
    sequences = [sequence for sequence in sequence_table.TABLE if arguments.only in sequence.name]
    site = Site()
    with tempfile.TemporaryDirectory(prefix="carrel-sequences.", ignore_cleanup_errors=True) as folder:
        tools = [Carrel(arguments.program, folder, site)]
        try:
            if arguments.peer:
                tools.append(ChangeDetection(arguments.peer, folder, site))
            drive(tools, sequences, site)
        finally:
            for tool in tools:
                tool.process.terminate()
                try:
                    tool.process.wait(30)
                except subprocess.TimeoutExpired:
                    tool.process.kill()
                tool.log.close()
    report(tools, sequences, arguments.out)


if __name__ == "__main__":
    main()
