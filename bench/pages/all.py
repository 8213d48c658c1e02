#!/usr/bin/env python3
"""Server time of every page for an account of usual size, on SQLite and on PostgreSQL.

    cargo build --release
    python3 bench/pages/all.py [--program PATH] [--database sqlite|postgres|both] [--turns 40] [--bar 60]
        [--feeds 50] [--entries 5000] [--items 2000]

One process in a temporary folder, on a private PostgreSQL if it is not SQLite. The account follows feeds of a local
site, has items with texts, highlights, notes, tags, monitors, folders and a team, and is an administrator. Pages are
discovered from the routes in `crates/web/src`, by `addresses.py`, and by the links of their pages, two of each pattern.
Each turn requests every page, one at a time; pages that redirect a signed-in person are requested without a session.
The times are those that the service logs for each answer. The output contains the ten slowest pages by p95,
the p95 of every route, and the reason if a route is not measured. Exits with 1 if the p95 of a page exceeds the bar, in
milliseconds, or if a route has neither a page nor a reason.
"""

import argparse
import concurrent.futures
import contextlib
import html
import http.server
import json
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from addresses import NEIGHBOUR, SETTINGS, UNMEASURED, further
from lists import PASSWORD, PERSON, ROOT, Browser, percentile

EACH = 2
MOST_PAGES = 500
WORDS = "harbour ferry lamp keeper boats tide quay north wind rope anchor gull fog bread prices market books".split()
LIMITS = "operations_per_minute operations_per_day fresh_extractions_per_minute fresh_extractions_per_day"
# Pages of other servers, pages that take their address as a parameter, and a stream.
SKIPPED = re.compile(r"/https?:|/read\?|/entries/live")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=str(ROOT / "target/release/carrel"))
    parser.add_argument("--database", choices=["sqlite", "postgres", "both"], default="both")
    parser.add_argument("--turns", type=int, default=40)
    parser.add_argument("--bar", type=float, default=60)
    parser.add_argument("--feeds", type=int, default=50)
    parser.add_argument("--entries", type=int, default=5000)
    parser.add_argument("--items", type=int, default=2000)
    return parser.parse_args()


def text(seed, words):
    """Paragraphs of 60 words; the first word of the text is `boats`."""
    chosen = ["boats"] + [WORDS[(seed * 7 + number * (number % 5 + 3)) % len(WORDS)] for number in range(words)]
    return [" ".join(chosen[first:first + 60]) + "." for first in range(0, len(chosen), 60)]


class LocalSite(http.server.ThreadingHTTPServer):
    """Feeds and pages at every address in 127.0.0.0/8, each of which is a host."""

    daemon_threads = True
    request_queue_size = 512

    def __init__(self, entries_per_feed):
        super().__init__(("0.0.0.0", 0), LocalPage)
        self.entries_per_feed, self.visits = entries_per_feed, 0
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def at(self, host, path):
        return f"http://127.0.1.{host}:{self.server_port}{path}"

    def feed(self, host):
        items = "".join(
            f"<item><title>Entry {number} about boats</title><link>{self.at(host, f'/entry/{number}')}</link>"
            f"<guid>{host}-{number}</guid><description>{'&lt;p&gt;'.join(text(number, 200))}</description>"
            f"<pubDate>{time.strftime('%a, %d %b %Y %H:%M:%S +0000', time.gmtime(time.time() - number * 3600))}</pubDate></item>"
            for number in range(1, self.entries_per_feed + 1)
        )
        return f'<rss version="2.0"><channel><title>Site {host}</title><link>{self.at(host, "/")}</link>{items}</channel></rss>'


class LocalPage(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        kind, body = "text/html; charset=utf-8", None
        if self.path.startswith("/feed/"):
            kind, body = "application/rss+xml", self.server.feed(int(self.path.split("/")[2]))
        elif self.path != "/robots.txt":
            self.server.visits += self.path.startswith("/watched/")
            lines = "".join(f"<p>{line}</p>" for line in text(len(self.path), 400))
            body = f"<title>Page</title><article><h1>Page</h1><p>Line {self.server.visits}</p>{lines}</article>"
        content = (body or "").encode()
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


class Api:
    """The Developer API with a key of the account."""

    def __init__(self, base, key):
        self.base, self.key = base, key

    def send(self, method, path, body, media_type, also=()):
        """Returns the answer. `None` for a status of `also`, and for an empty answer."""
        headers = {"X-API-Key": self.key} | ({"Content-Type": media_type} if media_type else {})
        request = urllib.request.Request(self.base + path, body, headers, method=method)
        try:
            answer = urllib.request.urlopen(request, timeout=120).read()
            return json.loads(answer) if answer else None
        except urllib.error.HTTPError as error:
            if error.code in also:
                return None
            sys.exit(f"{method} {path} answered {error.code}: {error.read().decode()[:500]}")

    def post(self, path, body, also=()):
        return self.send("POST", path, json.dumps(body).encode(), "application/json", also)

    def post_all(self, path, bodies):
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            return list(pool.map(lambda body: self.post(path, body), bodies))

    def wait_until_idle(self):
        """Returns when no job has run for three seconds. Returns the number of entries."""
        idle = 0
        while idle < 3:
            time.sleep(1)
            metrics = urllib.request.urlopen(f"{self.base}/metrics").read().decode()
            running = re.findall(r"^carrel_(?:jobs_running|queue_depth)\{.*\} ([\d.e+]+)$", metrics, re.M)
            idle = 0 if any(float(count) for count in running) else idle + 1
        counted = re.search(r"^carrel_feed_entries_total (\d+)", metrics, re.M)
        return int(counted[1]) if counted else 0


def fill(api, site, asked):
    """Fills the account. Returns the ids of an item, a highlight, and a monitor."""
    began = time.time()
    api.post_all("/v1/rss/subscriptions",
                 ({"url": site.at(host, f"/feed/{host}")} for host in range(1, asked.feeds + 1)))
    for number in range(5):
        api.post("/v1/rss/collections", {"name": f"Folder {number}"})
    saved = api.post_all("/v1/library/items", (
        {
            "url": f"https://site{number % 90}.example/page/{number}", "title": f"Page {number} about boats",
            "content": "\n\n".join(text(number, 3000 if number % 20 == 0 else 300)), "tags": [f"tag{number % 40}"],
        }
        for number in range(asked.items)
    ))
    ids = [answer["item"]["id"] for answer in saved]
    marked = api.post_all("/v1/library/highlights",
                          ({"itemId": item, "quote": text(number, 300)[0][:40]} for number, item in list(enumerate(ids))[-20:]))
    api.post_all("/v1/library/notes", ({"itemId": item, "text": "A note about boats."} for item in ids[-100:]))
    made = api.post_all("/v1/monitors", (
        {"name": f"Monitor {number}", "targetUrl": site.at(200 + number, f"/watched/{number}"), "intervalMinutes": 1440}
        for number in range(30)
    ))
    api.wait_until_idle()
    for monitor in made:
        # 429: a monitor runs at most every 15 seconds.
        api.post(f"/v1/monitors/{monitor['monitor']['id']}/run", {}, also=[429])
    api.post("/v1/teams", {"name": "Family"})
    entries = api.wait_until_idle()
    print(f"{asked.feeds} feeds with {entries} entries, {len(ids)} items, {len(made)} monitors in {time.time() - began:.0f} s")
    return {"item": ids[0], "highlight": marked[0]["object"]["id"], "monitor": made[0]["monitor"]["id"]}


def routes():
    """Returns the routes of `GET` requests, with names of parameters."""
    pattern = re.compile(r'\.at\(\s*(?:"(/[^"]*)"|(\w+)::PATH),\s*(?:\w+\()?get\(')
    source = ROOT / "crates/web/src"

    def path_of(module):
        return re.search(r'const PATH: &str = "([^"]*)"', (source / f"{module}.rs").read_text())[1]

    found = (route for file in source.rglob("*.rs") for route in pattern.findall(file.read_text()))
    return sorted({path or path_of(module) for path, module in found})


def pattern_of(path):
    """Returns a path with ids and numbers replaced, and the names of its parameters."""
    path, _, query = path.partition("?")
    path = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|\d+", "N", path)
    return path, tuple(sorted(name for name, _ in urllib.parse.parse_qsl(query, keep_blank_values=True)))


def find_pages(signed_in, anonymous, addresses):
    """Follows the links of pages. Returns the pages, each with the browser that is asked for it."""
    waiting, link = list(addresses), re.compile(rf'(?:href|src)="(?:http://127\.0\.0\.1:{signed_in.port})?(/[^"#]*)')
    pages, counts, seen = [], {}, set()
    while waiting and len(pages) < MOST_PAGES:
        path = waiting.pop(0)
        pattern = pattern_of(path)
        if path in seen or SKIPPED.search(path) or counts.get(pattern, 0) >= EACH:
            continue
        seen.add(path)
        counts[pattern] = counts.get(pattern, 0) + 1
        for browser in (signed_in, anonymous):
            status, body, _, _ = browser.ask("GET", path)
            if status == 200:
                break
        if status != 200:
            if path in addresses:
                print(f"{path} answered {status}")
            continue
        pages.append((browser, path))
        if body.lstrip().lower().startswith("<!doctype html"):
            waiting += map(html.unescape, link.findall(body))
    return pages


def by_route(known, times):
    """Returns the times of each route. A page belongs to the matching route with the fewest parameters."""
    patterns = [(route, re.compile(re.sub(r":\w+", "[^/]+", route) + "$"))
                for route in sorted(known, key=lambda route: route.count(":"))]
    found = {}
    for path, values in times.items():
        route = next((route for route, pattern in patterns if pattern.match(path.split("?")[0])), None)
        found.setdefault(route, {})[path] = values
    found.pop(None, None)
    return found


class AnswerLog:
    """Times that the service logs, in the order of its answers."""

    def __init__(self, path):
        self.path, self.position = path, path.stat().st_size

    def times(self, count):
        """Returns the milliseconds of the next `count` answers."""
        for _ in range(200):
            with open(self.path, "rb") as lines:
                lines.seek(self.position)
                new = lines.read()
            found = re.findall(rb'answered method=\S+ path=.* status=\d+ ms=([\d.]+)', new)
            if len(found) >= count:
                break
            time.sleep(0.05)
        if len(found) != count:
            sys.exit(f"{len(found)} answers are logged, {count} were expected")
        self.position += len(new)
        return [float(ms) for ms in found]


def measure(pages, log, turns):
    """Returns the times of each page."""
    times, answers = {path: [] for _, path in pages}, AnswerLog(log)
    for _ in range(turns):
        for browser, path in pages:
            status, _, _, _ = browser.ask("GET", path)
            if status != 200:
                print(f"{path} answered {status}")
        for (_, path), ms in zip(pages, answers.times(len(pages))):
            times[path].append(ms)
    return times


def report(name, known, times, bar):
    ranked = sorted(((percentile(values, 0.95), path) for path, values in times.items()), reverse=True)
    everything = [ms for values in times.values() for ms in values]
    over = [path for p95, path in ranked if p95 > bar]
    routes_of = by_route(known, times)
    print(f"\n**{name}**: {len(times)} pages of {len(routes_of)} routes, p50 of all requests "
          f"{percentile(everything, 0.5):.1f} ms, p95 {percentile(everything, 0.95):.1f} ms; "
          f"pages with a p95 over {bar:g} ms: {len(over)}\n")
    print("| slowest pages | p50 ms | p95 ms | most ms |\n|---|---|---|---|")
    for p95, path in ranked[:10]:
        print(f"| `{path}` | {percentile(times[path], 0.5):.1f} | {p95:.1f} | {max(times[path]):.1f} |")
    print("\n| route | pages | p95 ms of its slowest page |\n|---|---|---|")
    for route, pages in sorted(routes_of.items()):
        print(f"| `{route}` | {len(pages)} | {max(percentile(values, 0.95) for values in pages.values()):.1f} |")
    print("\n| route without a measured page | reason |\n|---|---|")
    missing = [route for route in known if route not in routes_of]
    for route in missing:
        print(f"| `{route}` | {UNMEASURED.get(route, 'no page was found')} |")
    unexplained = [route for route in missing if route not in UNMEASURED]
    print(f"\nroutes without a page and without a reason: {', '.join(unexplained) or 'none'}", flush=True)
    return bool(over or unexplained)


@contextlib.contextmanager
def postgres(folder):
    sys.path.append(str(ROOT / "bench/faults"))
    from servers import Postgres

    pathlib.Path(folder).chmod(0o711)
    server = Postgres(folder)
    try:
        yield server
    finally:
        server.stop()


def run(name, asked):
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        server = stack.enter_context(postgres(folder)) if name == "postgres" else None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        site = LocalSite(-(-asked.entries // asked.feeds))
        stack.callback(site.server_close)
        stack.callback(site.shutdown)
        limits = "".join(f"{limit} = 100000000\n" for limit in LIMITS.split())
        pathlib.Path(folder, "tiers.toml").write_text(f"[pro]\n{limits}")
        env = {
            "CARREL_LISTEN": f"127.0.0.1:{port}", "CARREL_BASE_URL": f"http://127.0.0.1:{port}",
            "CARREL_FETCH_ALLOW": f"127.0.0.0/8:{site.server_port}", "CARREL_READER_LIMITS": "off",
            "CARREL_TIERS_FILE": f"{folder}/tiers.toml", "CARREL_RENDERER": "off",
        } | SETTINGS | ({"DATABASE_URL": server.url} if server else {})

        def call(*words, **more):
            done = subprocess.run([asked.program, *words], cwd=folder, env=env, check=True, capture_output=True, text=True, **more)
            return done.stdout

        call("migrate")
        for account in (PERSON, NEIGHBOUR):
            call("account", "create", account, "--password-stdin", input=PASSWORD)
            call("account", "set-tier", account, "pro")
        call("account", "set-admin", PERSON, "on")
        keys = [call("key", "create", account, "--name", "bench").split()[-1] for account in (PERSON, NEIGHBOUR)]
        log = pathlib.Path(folder, "log")
        with open(log, "wb") as out:
            process = subprocess.Popen([asked.program, "serve"], cwd=folder, env=env, stdout=out, stderr=out)
        stack.callback(process.wait, 60)
        stack.callback(process.terminate)
        api, neighbour = (Api(env["CARREL_BASE_URL"], key) for key in keys)
        wait_until_ready(api.base)
        made = fill(api, site, asked)
        signed_in, anonymous = Browser(port), Browser(port)
        signed_in.sign_in()
        addresses = further(api, neighbour, signed_in, made)
        if server:
            server.ask("VACUUM ANALYZE")
        known = routes()
        named = {address.split("?")[0] for address in addresses} | set(UNMEASURED)
        addresses += [route for route in known if ":" not in route and route not in named]
        pages = find_pages(signed_in, anonymous, addresses)
        api.wait_until_idle()
        time.sleep(1)
        times = measure(pages, log, asked.turns)
        return report(name, known, times, asked.bar)


def wait_until_ready(base):
    for _ in range(600):
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"{base}/readyz")
            return
        time.sleep(0.1)
    sys.exit("the service does not become ready")


def main():
    asked = arguments()
    names = ["sqlite", "postgres"] if asked.database == "both" else [asked.database]
    sys.exit(1 if any([run(name, asked) for name in names]) else 0)


if __name__ == "__main__":
    main()
