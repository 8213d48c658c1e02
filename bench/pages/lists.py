"""Times the lists of a large account: many subscriptions with many entries, and a large library.

    bench/pages/lists.py [--subscriptions 2500] [--entries 1000000] [--items 100000] [--turns 60]
                         [--postgres postgres://…] [--folder FOLDER] [--only EXPRESSION]

CARREL names the executable (default: target/release/carrel). It runs on SQLite in a folder that is deleted
afterwards, or on an empty PostgreSQL database. Feeds are written into the database, items are imported as
bookmarks; then each page is requested over one connection, one request at a time. The output contains the milliseconds
that the service logs for each answer, the processor time of the service alone, and the size of the page
after gzip. A Python SQLite older than 3.43 cannot write the index of words: install
`pysqlite3-binary`. PostgreSQL is accessed with `psycopg`.
"""

import argparse
import contextlib
import gzip
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import time
import urllib.parse
import urllib.request

try:
    import pysqlite3 as sqlite3
except ImportError:
    import sqlite3

ROOT = pathlib.Path(__file__).resolve().parents[2]
PERSON, PASSWORD = "me@example.org", "correct horse battery"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--subscriptions", type=int, default=2500)
    parser.add_argument("--entries", type=int, default=1_000_000)
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--postgres", help="the address of an empty database, in place of SQLite")
    parser.add_argument("--folder", help="filled the first time and kept; measured as it is when it is filled")
    parser.add_argument("--only", help="pages whose address this expression is found in, no others")
    return parser.parse_args()


class Database:
    """Writes rows in bulk into a SQLite file or into PostgreSQL."""

    def __init__(self, address):
        self.is_postgres = str(address).startswith("postgres")
        if self.is_postgres:
            import psycopg

            self.connection = psycopg.connect(address)
            return
        self.connection = sqlite3.connect(address, timeout=60)
        # The database's own index names a function that older SQLite does not have.
        self.connection.create_function(
            "octet_length", 1, lambda text: None if text is None else len(text.encode()), deterministic=True
        )

    def all(self, sql):
        return self.connection.execute(sql).fetchall()

    def insert(self, table, columns, rows):
        """Writes rows whose columns are named in `columns`, each a tuple."""
        names = ", ".join(columns)
        if not self.is_postgres:
            places = ", ".join("?" * len(columns))
            self.connection.executemany(f"INSERT INTO {table} ({names}) VALUES ({places})", rows)
            return
        with self.connection.cursor().copy(f"COPY {table} ({names}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)

    def close(self):
        """Finishes writing. Subsequent row numbers follow the written ones."""
        if self.is_postgres:
            for table in ("feed", "feed_entry"):
                self.connection.execute(
                    f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT MAX(id) FROM {table}))"
                )
        self.connection.commit()
        if self.is_postgres:
            self.connection.autocommit = True
            self.connection.execute("VACUUM ANALYZE")
        self.connection.close()


def seed_feeds(address, subscriptions, entries):
    """Writes feeds in twenty folders. The newest tenth of their entries is unread."""
    database = Database(address)
    account = database.all("SELECT id FROM account")[0][0]
    now = int(time.time() * 1000)
    later = now + 7 * 86_400_000
    database.insert(
        "rss_collection",
        ("account_id", "name", "name_key", "kind", "created_at"),
        ((account, f"Folder {number}", f"folder {number}", "blogs", now) for number in range(20)),
    )
    folders = [row[0] for row in database.all("SELECT id FROM rss_collection ORDER BY id")]
    numbers = range(1, subscriptions + 1)
    feed_columns = (
        "id", "url", "host", "kind", "site_url", "title", "trust_guid", "trust_url", "next_poll_at", "gone",
        "created_at", "last_fetched_at",
    )
    database.insert(
        "feed",
        feed_columns,
        (
            (
                number, f"https://site{number}.example/feed.xml", f"site{number}.example", "rss",
                f"https://site{number}.example/", f"Site {number}", True, True, later, False, now, now,
            )
            for number in numbers
        ),
    )
    addresses = ((f"https://site{number}.example/feed.xml", number) for number in numbers)
    database.insert("feed_address", ("url", "feed_id"), addresses)
    database.insert(
        "rss_subscription",
        ("account_id", "feed_id", "collection_id", "full_text", "read_through", "created_at"),
        ((account, number, folders[number % len(folders)], False, entries * 9 // 10, now) for number in numbers),
    )
    start = now - entries * 1000
    content = "<p>" + "A paragraph about boats and walls. " * 8 + "</p>"
    rows = (
        (
            number, (number % subscriptions) + 1, number, number, number, number, number, number,
            f"https://site{(number % subscriptions) + 1}.example/{number}", f"Entry {number} about boats",
            "A summary of a line or two about boats, walls and the sea.", start + number * 1000,
            content, (start + number * 1000) * 1000, f" entry {number} about boats ",
        )
        for number in range(1, entries + 1)
    )
    entry_columns = (
        "id", "feed_id", "entry_key", "mark_guid", "mark_url", "mark_title", "mark_published", "fingerprint",
        "url", "title", "summary", "published_at", "content", "discovered_us", "search_text",
    )
    database.insert("feed_entry", entry_columns, rows)
    database.close()


def import_items(base, key, items):
    """Imports a file of bookmarks, in parts that fit into one upload."""
    step = 20_000
    for first in range(0, items, step):
        lines = ["<!DOCTYPE NETSCAPE-Bookmark-file-1>", "<DL><p>"]
        for number in range(first, min(items, first + step)):
            lines.append(
                f'<DT><A HREF="https://site{number % 900}.example/page/{number}" '
                f'ADD_DATE="{1_600_000_000 + number * 60}" TAGS="tag{number % 40}">Page {number} about boats</A>'
            )
        body = "\n".join(lines + ["</DL><p>"]).encode()
        call(f"{base}/v1/library/imports", key, body)


def call(address, key, file):
    """Uploads a file of bookmarks, and waits until all of it is in the library."""
    mark = "----bookmarks"
    parts = f'--{mark}\r\nContent-Disposition: form-data; name="dryRun"\r\n\r\nfalse\r\n'.encode()
    parts += (
        f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="bookmarks.html"\r\n'
        "Content-Type: text/html\r\n\r\n"
    ).encode() + file + f"\r\n--{mark}--\r\n".encode()
    headers = {"X-API-Key": key, "Content-Type": f"multipart/form-data; boundary={mark}"}
    told = json.load(urllib.request.urlopen(urllib.request.Request(address, data=parts, headers=headers)))["import"]
    while told["state"] not in ("complete", "failed", "cancelled"):
        time.sleep(0.5)
        again = urllib.request.Request(f"{address}/{told['id']}", headers=headers)
        told = json.load(urllib.request.urlopen(again))["import"]
    print("import:", told["state"], told["created"], "created,", told["failed"], "failed", flush=True)


class Browser:
    """One signed-in person on one connection."""

    def __init__(self, port):
        self.port, self.cookies, self.location = port, {}, None
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(self, method, path, form=None):
        """Sends the fields of a form, or a body with its media type."""
        headers = {"Accept-Encoding": "gzip", "Cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items())}
        body = None
        if form is not None:
            if isinstance(form, dict):
                form = urllib.parse.urlencode(form), "application/x-www-form-urlencoded"
            body, media_type = form
            headers |= {"Content-Type": media_type, "Origin": f"http://127.0.0.1:{self.port}"}
        began = time.perf_counter()
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        data = answer.read()
        self.location = answer.getheader("Location")
        elapsed = (time.perf_counter() - began) * 1000
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                cookie, _, content = value.split(";")[0].partition("=")
                self.cookies[cookie] = content
        size = len(data)
        text = gzip.decompress(data) if answer.getheader("Content-Encoding") == "gzip" else data
        return answer.status, text.decode("utf-8", "replace"), size, elapsed

    def sign_in(self):
        _, text, _, _ = self.ask("GET", "/sign-in")
        token = re.search(r'name="token" value="([^"]*)"', text)[1]
        status, _, _, _ = self.ask(
            "POST", "/sign-in", {"token": token, "next": "/today", "email": PERSON, "password": PASSWORD}
        )
        if status != 303:
            raise SystemExit(f"signing in answered {status}")


def percentile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * part))]


def fill(carrel, folder, env, asked, base):
    """Creates an account on the largest plan with its feeds. Returns the key with which its items are imported."""

    def run(*words, **more):
        return subprocess.run([carrel, *words], cwd=folder, env=env, check=True, capture_output=True, text=True, **more)

    run("migrate")
    run("account", "create", PERSON, "--password-stdin", input=PASSWORD)
    run("account", "set-tier", PERSON, "pro")
    key = run("key", "create", PERSON, "--name", "bench").stdout.split()[-1]
    began = time.time()
    address = asked.postgres or next(pathlib.Path(folder).rglob("carrel.db"))
    seed_feeds(address, asked.subscriptions, asked.entries)
    print(f"feeds written in {time.time() - began:.0f} s", flush=True)
    return key


def main():
    asked = arguments()
    carrel = os.environ.get("CARREL", str(ROOT / "target/release/carrel"))
    with contextlib.ExitStack() as stack:
        folder = asked.folder or stack.enter_context(tempfile.TemporaryDirectory())
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        base = f"http://127.0.0.1:{port}"
        env = os.environ | {"CARREL_LISTEN": f"127.0.0.1:{port}", "CARREL_BASE_URL": base}
        if asked.postgres:
            env["DATABASE_URL"] = asked.postgres
        log = pathlib.Path(folder) / "log"
        key = None if log.exists() else fill(carrel, folder, env, asked, base)
        with open(log, "wb") as out:
            server = subprocess.Popen([carrel], cwd=folder, env=env, stdout=out, stderr=out)
        try:
            for _ in range(600):
                try:
                    urllib.request.urlopen(f"{base}/readyz")
                    break
                except OSError:
                    time.sleep(0.1)
            if key:
                import_items(base, key, asked.items)
            measure(Browser(port), log, asked, server.pid)
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(60)


def at_work(process):
    """Returns the processor time that a process has used, in milliseconds."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def measure(browser, log, asked, process):
    browser.sign_in()
    pages = ["/today", "/entries", "/subscriptions", "/library", "/monitors"]
    links = {}
    for page in ("/entries", "/subscriptions"):
        _, text, _, _ = browser.ask("GET", page)
        links |= dict.fromkeys(re.findall(r'href="(/(?:entries|subscriptions)[^"#]*)"', text))
    _, text, _, _ = browser.ask("GET", "/library")
    links |= dict.fromkeys(re.findall(r'href="(/library[^"#]*)"', text))
    kinds = {}
    for link in links:
        link = link.replace("&amp;", "&")
        kinds.setdefault(re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|(?<=kind=)\w+|(?<=cursor=)[^&]+|\d+", "N", link), link)
    pages += [link for link in list(kinds.values())[:40] if link not in pages]
    pages += ["/search?q=boats", "/library?q=boats"]
    pages = [page for page in pages if re.search(asked.only or "", page)]
    print("| page | status | least | p50 | p95 | at work, mean | KB after gzip |\n|---|---|---|---|---|---|---|")
    for page in pages:
        while browser.ask("GET", page)[0] == 429:
            time.sleep(5)
        before = log.stat().st_size
        began = at_work(process)
        for _ in range(asked.turns):
            status, _, size, _ = browser.ask("GET", page)
        worked = (at_work(process) - began) / asked.turns
        with open(log, "rb") as lines:
            lines.seek(before)
            path = page.split("?")[0]
            line = rf'path="{re.escape(path)}" status=\d+ ms=([\d.]+)'
            told = [float(found) for found in re.findall(line, lines.read().decode())]
        told = told or [float("nan")]
        if browser.ask("GET", page)[0] == 429:
            print("the account's operations of a minute were used up: fewer turns, please", flush=True)
        print(
            f"| `{page}` | {status} | {min(told):.1f} | {percentile(told, 0.5):.1f} "
            f"| {percentile(told, 0.95):.1f} | {worked:.1f} | {size / 1024:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
