#!/usr/bin/env python3
"""Upgrades a database of the oldest release with many rows, while callers write and read, on both engines.

    cargo build --release
    bench/upgrade/run.py [--rows 100000] [--engine sqlite|postgres] [--from VERSION] [--program PATH]

The database starts as the fixture of the version (`tests/fixtures/releases`). Its rows are multiplied by SQL: `--rows`
(up to 1,000,000) in each of eleven large tables, of 200 accounts. Then `carrel migrate` runs, while six callers send
the statements of jobs, polls, runs, saves, and lists, and one holds reads for two seconds each. Printed are the steps
that took longest, the statements of the callers and their errors, the longest wait for a lock, the total time, and the
result of `carrel doctor`. The exit code is 1 if a caller got an error, waited for a lock longer than a second, or if
the doctor has findings.

A private PostgreSQL is started, without fsync. Needs the Python packages `psycopg[binary]` and, where Python's SQLite
is older than 3.43, `pysqlite3-binary`.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zipfile

try:
    import pysqlite3 as sqlite3
except ImportError:
    import sqlite3

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "tests/fixtures/releases"
OWNERS = 200
CALLERS = 6
PACE_S, SAMPLE_S, LONG_READ_S = 0.005, 0.005, 2
# A caller that waits longer for a lock gets an error.
LOCK_TIMEOUT_S = 5
MAX_LOCK_S = 1
# First number of generated rows; the ids of fixtures are smaller numbers, or random.
BASE = 1_000_000


class PostgresEngine:
    """A private server with one database."""

    name, lock_source = "postgres", "pg_locks"

    def __init__(self, folder):
        sys.path.append(str(ROOT / "bench/faults"))
        import psycopg
        from servers import Postgres

        folder.chmod(0o711)
        # Locks are measured, not the disk.
        Postgres.options = "-c fsync=off -c shared_buffers=256MB -c max_wal_size=4GB"
        self.psycopg, self.server = psycopg, Postgres(str(folder))
        self.url, self.error = self.server.url, psycopg.Error

    def restore(self, content):
        with self.connect() as connection:
            connection.execute(content.decode())

    def connect(self):
        connection = self.psycopg.connect(self.url, autocommit=True)
        connection.execute(f"SET lock_timeout = '{LOCK_TIMEOUT_S}s'")
        connection.execute("SET application_name = 'caller'")
        return connection

    @staticmethod
    def row_id(number):
        """The id of a generated row, by an expression or a number."""
        if isinstance(number, int):
            return f"CAST('{number:032x}' AS uuid)"
        return f"CAST(LPAD(TO_HEX(CAST({number} AS bigint)), 32, '0') AS uuid)"

    @staticmethod
    def hash_of(number):
        return f"DECODE(LPAD(TO_HEX(CAST({number} AS bigint)), 64, '0'), 'hex')"

    @staticmethod
    def series(count):
        return f"generate_series(CAST(1 AS bigint), {count}) AS series (i)"

    def columns(self, connection, table):
        sql = ("SELECT column_name::text FROM information_schema.columns WHERE table_schema = 'public' AND table_name = %s "
               "AND is_generated = 'NEVER' AND (column_default IS NULL OR column_default NOT LIKE 'nextval%%')")
        return [name for (name,) in connection.execute(sql, [table]).fetchall()]

    def waits(self, connection):
        """Returns the seconds for which callers have been waiting for a lock."""
        sql = ("SELECT EXTRACT(EPOCH FROM clock_timestamp() - l.waitstart) FROM pg_locks l JOIN pg_stat_activity a USING (pid) "
               "WHERE NOT l.granted AND l.waitstart IS NOT NULL AND a.application_name = 'caller'")
        return [float(wait) for (wait,) in connection.execute(sql).fetchall()]

    def stop(self):
        self.server.stop()


class SqliteEngine:
    """One file."""

    name, lock_source = "sqlite", "longest statement"

    def __init__(self, folder):
        self.file, self.error = folder / "carrel.db", sqlite3.Error
        self.url = f"sqlite://{self.file}?mode=rwc"

    def restore(self, content):
        self.file.write_bytes(content)
        with self.connect() as connection:
            # As the service opens it.
            connection.execute("PRAGMA journal_mode = WAL")

    def connect(self):
        connection = sqlite3.connect(self.file, timeout=LOCK_TIMEOUT_S, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.create_function("row_id", 1, lambda number: number.to_bytes(16, "big"), deterministic=True)
        connection.create_function("hash_of", 1, lambda number: number.to_bytes(32, "big"), deterministic=True)
        return connection

    @staticmethod
    def row_id(number):
        return f"X'{number:032x}'" if isinstance(number, int) else f"row_id({number})"

    @staticmethod
    def hash_of(number):
        return f"hash_of({number})"

    @staticmethod
    def series(count):
        return f"(WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < {count}) SELECT i FROM c) AS series"

    def columns(self, connection, table):
        rows = connection.execute(f"PRAGMA table_xinfo({table})").fetchall()
        keys = [row for row in rows if row[5]]
        # The only key of type INTEGER is numbered by the engine.
        numbered = keys[0][1] if len(keys) == 1 and keys[0][2].upper() == "INTEGER" else None
        return [row[1] for row in rows if row[6] == 0 and row[1] != numbered]

    def waits(self, _):
        return []

    def stop(self):
        pass


class Filler:
    """Multiplies rows of the fixture."""

    def __init__(self, engine, rows):
        self.engine, self.rows, self.connection = engine, rows, engine.connect()
        self.counts = {}

    def insert(self, table, count, given, which="TRUE"):
        """Inserts `count` copies of a row that satisfies `which`, with the expressions in `given` (of the number `i`)."""
        columns = self.engine.columns(self.connection, table)
        values = [given.get(column, f"template.{column}") for column in columns]
        columns += [column for column in given if column not in columns]
        values += [given[column] for column in columns[len(values):]]
        sql = (f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(values)} FROM "
               f"(SELECT * FROM {table} WHERE {which} LIMIT 1) AS template, {self.engine.series(count)}")
        self.counts[table] = self.connection.execute(sql).rowcount

    def fill(self):
        row_id, own, rows = self.engine.row_id, min(OWNERS, self.rows), self.rows
        owner, per_owner = row_id(f"i % {own} + 1 + {BASE}"), f"(i / {own} + 1)"
        owner_id, new_id = row_id(f"i + {BASE}"), row_id(f"i + {BASE}")
        feed, entry = f"i % {own} + 1 + {BASE}", f"i + {BASE}"
        item = "url LIKE 'https://example.org/%' AND asset_blob IS NULL"
        # Due times of active monitors and feeds are in the future.
        due = str(int(time.time() * 1000) + 30 * 86_400_000)
        insert = self.insert
        insert("account", own, {"id": owner_id, "email": "'reader' || i || '@example.org'"})
        insert("library_account", own, {"account_id": owner_id, "last_sequence": str(rows), "stored_bytes": "0",
                                        "reserved_bytes": "0", "purged_sequence": "0"})
        insert("library_item", rows, {"id": new_id, "account_id": owner, "sequence": per_owner, "external_id": "NULL",
                                      "url": "'https://example.org/' || i", "saved_at": "template.saved_at + i"}, item)
        insert("library_change", rows, {"account_id": owner, "object_id": new_id, "sequence": per_owner}, "kind = 'item'")
        insert("library_key", rows, {"account_id": owner, "hash": self.engine.hash_of(f"i + {BASE}"), "item_id": new_id})
        insert("library_text", rows, {"account_id": owner, "item_id": new_id})
        insert("library_tagged", rows, {"account_id": owner, "object_id": new_id}, "kind = 'item'")
        search = {"id": entry, "account_id": owner, "object_id": new_id}
        insert("library_search", rows, search, "kind = 'item'")
        if self.engine.name == "sqlite":
            sql = f"INSERT INTO library_found (rowid, words) SELECT {entry}, 'desk lamp' || i % 5000 FROM {self.engine.series(rows)}"
            self.connection.execute(sql)
        insert("feed", own, {"id": f"i + {BASE}", "url": "'https://feeds.example.org/' || i", "next_poll_at": due}, "kind <> 'monitor'")
        insert("rss_collection", own, {"id": f"i + {BASE}", "account_id": owner_id, "name_key": "'key' || i"}, "kind <> 'unsorted'")
        insert("rss_subscription", own, {"id": f"i + {BASE}", "account_id": owner_id, "feed_id": f"i + {BASE}",
                                         "collection_id": f"i + {BASE}"})
        insert("feed_entry", rows, {"id": entry, "feed_id": feed, "entry_key": entry, "title": "'Entry ' || i",
                                    "discovered_us": "(SELECT MAX(discovered_us) FROM feed_entry) + i"})
        insert("feed_event", rows, {"sequence": entry, "feed_id": feed, "entry_id": entry})
        insert("rss_entry_mark", rows, {"account_id": owner, "feed_id": feed, "entry_id": entry})
        insert("monitor", own, {"id": owner_id, "account_id": owner_id, "identity": "'monitor' || i", "feed_token": "'token' || i",
                                "feed_id": "NULL", "baseline_hash": "NULL", "next_run_at": due})
        insert("monitor_run", rows, {"id": new_id, "account_id": owner, "monitor_id": owner, "due_at": entry})
        insert("credit_entry", rows, {"account_id": owner, "run_id": new_id, "monitor_id": owner}, "run_id IS NOT NULL")
        insert("credit_month", own, {"account_id": owner_id})
        self.connection.execute(
            f"INSERT INTO job (id, kind, key, payload, priority, run_at, state, attempts, fence, created_at, finished_at) SELECT "
            f"{new_id}, 'extraction', 'filled' || i, '[]', 0, 1, 'complete', 1, 1, 1, {due} FROM {self.engine.series(rows)}")
        self.counts["job"] = rows
        self.balance()
        self.connection.execute("ANALYZE")
        self.connection.close()

    def balance(self):
        """Sets the counters that the doctor compares."""
        run = self.connection.execute
        run("UPDATE library_account SET stored_bytes = (SELECT COALESCE(SUM(i.stored_bytes), 0) FROM library_item i WHERE "
            "i.account_id = library_account.account_id) + (SELECT COALESCE(SUM(n.stored_bytes), 0) FROM library_note n WHERE "
            "n.account_id = library_account.account_id) + (SELECT COALESCE(SUM(h.stored_bytes), 0) FROM library_highlight h "
            "WHERE h.account_id = library_account.account_id)")
        run("UPDATE credit_month SET granted = 0, used = allowance - COALESCE((SELECT SUM(e.amount) FROM credit_entry e WHERE "
            "e.account_id = credit_month.account_id AND e.month = credit_month.month), 0)")


class Load:
    """Callers that send statements that are valid in every schema since the oldest release."""

    def __init__(self, engine, rows):
        self.engine, self.rows, self.own = engine, rows, min(OWNERS, rows)
        self.stop, self.lock = threading.Event(), threading.Lock()
        self.answered, self.errors, self.longest, self.longest_wait = 0, [], (0.0, ""), 0.0
        jobs = [lambda number=number: self.call(number) for number in range(CALLERS)] + [self.read_long, self.sample]
        self.threads = [threading.Thread(target=job) for job in jobs]
        for thread in self.threads:
            thread.start()

    def statements(self, number, old):
        engine, new = self.engine, 10 * BASE + number
        owner, feed = engine.row_id(old % self.own + 1 + BASE), old % self.own + 1 + BASE
        row, entry = engine.row_id(new), old + BASE
        item = engine.row_id(entry)
        return [
            f"INSERT INTO job (id, kind, key, payload, priority, run_at, state, attempts, fence, created_at) VALUES "
            f"({row}, 'extraction', 'new{number}', '[]', 0, 1, 'ready', 0, 0, 1)",
            f"UPDATE job SET state = 'running', lease_until = 1, fence = 1, attempts = 1 WHERE id = {row} AND state = 'ready'",
            f"DELETE FROM job WHERE id = {row}",
            f"UPDATE feed SET last_fetched_at = {number} WHERE id = {feed}",
            f"UPDATE feed_entry SET title = 'Entry {number}' WHERE id = {entry}",
            f"SELECT id, title FROM feed_entry WHERE feed_id = {feed} ORDER BY id DESC LIMIT 20",
            f"UPDATE rss_entry_mark SET unread = NOT unread WHERE account_id = {owner} AND feed_id = {feed} AND entry_id = {entry}",
            f"UPDATE monitor SET last_run_at = {number} WHERE id = {owner}",
            f"INSERT INTO monitor_run (id, account_id, monitor_id, due_at, started_at, finished_at, outcome, added, removed, modified, "
            f"credits) VALUES ({row}, {owner}, {owner}, {new}, 1, 1, 'unchanged', 0, 0, 0, 0)",
            f"UPDATE library_item SET title = 'Item {number}' WHERE id = {item}",
            f"INSERT INTO library_tagged (account_id, object_id, tag_key, kind, position) VALUES "
            f"({owner}, {item}, 'new{number}', 'item', 1)",
            f"SELECT object_id FROM library_tagged WHERE account_id = {owner} AND tag_key = 'towns' LIMIT 20",
            f"SELECT id, title FROM library_item WHERE account_id = {owner} ORDER BY saved_at DESC LIMIT 20",
            f"SELECT tier FROM account WHERE id = {owner}",
        ]

    def call(self, caller):
        connection, count = self.engine.connect(), 0
        while not self.stop.is_set():
            count += 1
            for sql in self.statements(count * 10 + caller, (count * CALLERS + caller) % self.rows + 1):
                begin = time.monotonic()
                try:
                    cursor = connection.execute(sql)
                    if sql.startswith("SELECT"):
                        cursor.fetchall()
                    error = None
                except self.engine.error as failure:
                    error = f"{sql}: {failure}"
                took = time.monotonic() - begin
                with self.lock:
                    self.answered += error is None
                    self.errors += [error] if error else []
                    self.longest = max(self.longest, (took, sql))
                self.stop.wait(PACE_S)
        connection.close()

    def read_long(self):
        """Long reads, such as those of a backup or a report."""
        connection = self.engine.connect()
        while not self.stop.is_set():
            try:
                connection.execute("BEGIN")
                connection.execute("SELECT id FROM job LIMIT 1").fetchall()
                connection.execute("SELECT object_id FROM library_tagged LIMIT 1").fetchall()
                self.stop.wait(LONG_READ_S)
                connection.execute("COMMIT")
            except self.engine.error as failure:
                with self.lock:
                    self.errors.append(f"long read: {failure}")
                connection.rollback()
        connection.close()

    def sample(self):
        connection = self.engine.connect()
        while not self.stop.wait(SAMPLE_S):
            self.longest_wait = max([self.longest_wait, *self.engine.waits(connection)])
        connection.close()

    def end(self):
        self.stop.set()
        for thread in self.threads:
            thread.join()


def watch_steps(engine, process):
    """Runs until the process has exited. Returns the time at which each step was recorded."""
    connection, seen = engine.connect(), {}
    while process.poll() is None:
        for (step,) in connection.execute("SELECT version FROM seaql_migrations ORDER BY version").fetchall():
            seen.setdefault(step, time.monotonic())
        time.sleep(0.02)
    for (step,) in connection.execute("SELECT version FROM seaql_migrations ORDER BY version").fetchall():
        seen.setdefault(step, time.monotonic())
    connection.close()
    return seen


def drill(engine, arguments, folder):
    with zipfile.ZipFile(FIXTURES / arguments.version / f"{engine.name}.zip") as archive:
        archive.extractall(folder)
    engine.restore((folder / "database").read_bytes())
    begin = time.monotonic()
    filler = Filler(engine, arguments.rows)
    filler.fill()
    large = [table for table, count in filler.counts.items() if count >= arguments.rows]
    print(f"{engine.name}: schema of {arguments.version}, {arguments.rows:,} rows in {len(large)} tables "
          f"(filled in {time.monotonic() - begin:.0f} s)")
    environment = {"DATABASE_URL": engine.url, "CARREL_FILES": str(folder / "files")}
    load = Load(engine, arguments.rows)
    begin = time.monotonic()
    with open(folder / "log", "w") as log:
        process = subprocess.Popen([arguments.program, "migrate"], env=environment, cwd=folder, stdout=log, stderr=log)
        seen = watch_steps(engine, process)
    took = time.monotonic() - begin
    load.end()
    if process.returncode:
        sys.exit(f"carrel migrate failed: {(folder / 'log').read_text()[-2000:]}")
    times = sorted((at, step) for step, at in seen.items())
    steps = [(at - before, step) for (before, _), (at, step) in zip([(begin, "")] + times, times) if at - begin > 0.02]
    for duration, step in sorted(steps, reverse=True)[:5]:
        print(f"  {step:<44} {duration:6.2f} s")
    wait = load.longest_wait if engine.lock_source == "pg_locks" else load.longest[0]
    print(f"  migrated in {took:.1f} s; {load.answered:,} statements, {len(load.errors)} errors")
    print(f"  longest lock wait {wait * 1000:.0f} ms ({engine.lock_source})")
    print(f"  longest statement {load.longest[0] * 1000:.0f} ms: {load.longest[1][:100]}")
    for error in load.errors[:5]:
        print(f"  error: {error[:300]}")
    doctor = subprocess.run([arguments.program, "doctor"], env=environment, cwd=folder, capture_output=True, text=True)
    print(f"  doctor: {(doctor.stdout if doctor.returncode == 0 else doctor.stdout + doctor.stderr).strip()[:2000]}")
    return not load.errors and wait <= MAX_LOCK_S and doctor.returncode == 0


def main():
    sys.stdout.reconfigure(line_buffering=True)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    versions = sorted((path.parent.name for path in FIXTURES.glob("*/answers.json")), key=lambda name: [int(part) for part in name.split(".")])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--engine", choices=["sqlite", "postgres"])
    parser.add_argument("--from", dest="version", choices=versions, default=versions[0])
    parser.add_argument("--program", default=ROOT / "target/release/carrel", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.program = arguments.program.resolve()
    if not 1 <= arguments.rows <= 1_000_000:
        parser.error("--rows is 1 to 1000000")
    passed = True
    for kind in (SqliteEngine, PostgresEngine):
        if arguments.engine in (None, kind.name):
            folder = pathlib.Path(tempfile.mkdtemp(prefix="carrel-upgrade."))
            engine = kind(folder)
            try:
                passed = drill(engine, arguments, folder) and passed
            finally:
                engine.stop()
                shutil.rmtree(folder)
    sys.exit(0 if passed else 1)


if __name__ == "__main__":
    main()
