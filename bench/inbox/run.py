#!/usr/bin/env python3
"""Sends generated newsletters to the mail listener of a release build, and compares the texts of the items with the
known texts.

    cargo build --release
    python3 bench/inbox/run.py [--program PATH] [--rate-messages 4000] [--connections 8 32]

A fresh SQLite file and `carrel serve`. First the 200 newsletters of `newsletters.py` (bar: F1 of words at least .95 for
each kind and for all, none lost or repeated), then abuse: relaying, header injection, guessing of addresses, bombs,
and 1,000 nested parts (bar: refused or saved, bounded memory), then the rate of confirmed messages of 2 KB for each
number of connections (bar: 200 a second), while the messages are also processed. Exits with 1 if a bar is missed.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.dont_write_bytecode = True
from newsletters import all_messages  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOMAIN = "in.example.org"
F1_BAR, RATE_BAR, MEMORY_MIB = 0.95, 200, 600
# The rate is measured for at most this time.
RATE_SECONDS = 60


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Service:
    """`carrel serve` with one account on the plan `pro`."""

    def __init__(self, program, folder):
        self.program, self.port, self.mail = program, free_port(), free_port()
        (folder / "tiers.toml").write_text("[pro]\ninbox_messages_per_day = 10000000\noperations_per_minute = 1000000\n"
                                           "operations_per_day = 100000000\n")
        self.environment = {
            "PATH": os.environ["PATH"], "DATABASE_URL": f"sqlite://{folder}/carrel.db?mode=rwc",
            "CARREL_FILES": f"{folder}/files", "CARREL_LISTEN": f"127.0.0.1:{self.port}",
            "CARREL_INBOX_LISTEN": f"127.0.0.1:{self.mail}", "CARREL_INBOX_DOMAIN": DOMAIN,
            "CARREL_TIERS_FILE": f"{folder}/tiers.toml", "CARREL_READER_LIMITS": "off", "CARREL_LOG": "warn",
        }
        self.log = open(folder / "log", "w")
        self.process = subprocess.Popen([program, "serve"], env=self.environment, cwd=folder, stdout=self.log, stderr=self.log)
        self.wait()
        self.command("account", "create", "me@example.org", given="correct horse battery staple\n")
        self.command("account", "set-tier", "me@example.org", "pro")
        self.key = self.command("key", "create", "--name", "bench", "me@example.org").split()[-1]

    def wait(self):
        for _ in range(300):
            try:
                socket.create_connection(("127.0.0.1", self.mail), 1).close()
                return
            except OSError:
                time.sleep(0.1)
        raise SystemExit("the service does not start")

    def command(self, *args, given=""):
        done = subprocess.run([self.program, *args], env=self.environment, cwd=self.environment["CARREL_FILES"] + "/..",
                              input=given, capture_output=True, text=True, check=True)
        return done.stdout

    def call(self, path, body=None):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers={"x-api-key": self.key})
        if body is not None:
            request.data, request.headers["Content-type"] = json.dumps(body).encode(), "application/json"
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def address(self, name):
        return self.call("/v1/inbox/addresses", {"name": name})["address"]["address"]

    def items(self):
        found, cursor = [], ""
        while True:
            page = self.call(f"/v1/library/items?limit=100&cursor={cursor}")
            found += page["items"]
            cursor = page.get("nextCursor") or ""
            if not cursor:
                return found

    def drain(self, count, seconds=300):
        """Waits until `count` messages are processed."""
        start = time.time()
        while time.time() - start < seconds:
            if len(self.items()) >= count:
                return
            time.sleep(0.5)

    def memory_mib(self):
        """Peak of the service, without its extraction processes."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) // 1024

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)


class Mail:
    """Connection to the listener."""

    def __init__(self, port, greeting="LHLO bench"):
        self.socket = socket.create_connection(("127.0.0.1", port), 60)
        self.file = self.socket.makefile("rb")
        self.reply()
        self.say(greeting)

    def reply(self):
        lines = []
        while True:
            line = self.file.readline()
            lines.append(line)
            if not line or line[3:4] != b"-":
                return b"".join(lines).decode(errors="replace")

    def say(self, command):
        self.socket.sendall(command.encode() + b"\r\n")
        return self.reply()

    def deliver(self, to, raw):
        self.socket.sendall(f"MAIL FROM:<bounce@lamps.example>\r\nRCPT TO:<{to}>\r\nDATA\r\n".encode())
        replies = [self.reply(), self.reply(), self.reply()]
        if not replies[2].startswith("354"):
            return replies[1]
        stuffed = re.sub(rb"(?m)^\.", b"..", raw)
        self.socket.sendall(stuffed + (b"" if stuffed.endswith(b"\r\n") else b"\r\n") + b".\r\n")
        return self.reply()


def words(text):
    spaced = re.sub(r"([\u3000-\u9fff\uac00-\ud7af])", r" \1 ", text)
    return collections.Counter(re.findall(r"\w+", spaced.lower()))


def f1(known, read):
    shared = sum((known & read).values())
    if not shared:
        return 0.0
    precision, recall = shared / sum(read.values()), shared / sum(known.values())
    return 2 * precision * recall / (precision + recall)


def newsletters(service):
    to, messages = service.address("Newsletters"), list(all_messages(7))
    mail = Mail(service.mail)
    for kind, raw, _ in messages:
        answer = mail.deliver(to, raw)
        if not answer.startswith("250"):
            print(f"refused: {kind} {answer.strip()}")
    service.drain(len(messages))
    items = {item["title"]: item["id"] for item in service.items()}
    scores, missing = collections.defaultdict(list), 0
    for number, (kind, _, texts) in enumerate(messages, 1):
        item_id = items.get(f"Issue {number}")
        if item_id is None:
            missing += 1
            continue
        article = service.call(f"/v1/library/items/{item_id}?includeContent=true")["item"].get("article") or {}
        score = f1(words(" ".join(texts)), words(article.get("textContent") or ""))
        scores[kind].append(score)
        if score < F1_BAR:
            print(f"  {kind} {number}: {score:.3f} {(article.get('textContent') or '')[:120]!r}")
    everything = [score for kind in scores.values() for score in kind]
    print(f"{'kind':12} messages  mean F1  least")
    for kind, values in [*scores.items(), ("all", everything)]:
        print(f"{kind:12} {len(values):8}  {sum(values) / len(values):7.4f}  {min(values):.4f}")
    doubled = len(service.items()) - len(items)
    print(f"lost {missing}, doubled {doubled}, peak of the service {service.memory_mib()} MiB")
    means = [sum(values) / len(values) for values in [*scores.values(), everything]]
    return missing == 0 and doubled == 0 and min(means) >= F1_BAR


def rate(service, count, connections):
    to, body = service.address(f"Rate {connections}"), "The lamp is lit. " * 100
    seconds_each, refused, lock = [], collections.Counter(), threading.Lock()

    def send(first):
        mail = Mail(service.mail)
        for number in range(first, count, connections):
            begin = time.time()
            if begin - start > RATE_SECONDS:
                return
            if (number - first) // connections % 900 == 899:  # a connection takes 1,000 messages
                mail = Mail(service.mail)
            name = f"{connections}-{number}"
            raw = f"From: a@b.example\r\nSubject: Rate {name}\r\nMessage-ID: <r{name}@b.example>\r\n\r\n{body}\r\n"
            answer = mail.deliver(to, raw.encode())
            with lock:
                if answer.startswith("250"):
                    seconds_each.append(time.time() - begin)
                else:
                    refused[answer.strip()] += 1

    threads = [threading.Thread(target=send, args=(first,)) for first in range(connections)]
    start = time.time()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.time() - start
    times = sorted(seconds_each) or [0.0]
    print(f"rate: {len(seconds_each)} of {count} confirmed in {seconds:.1f} s: {len(seconds_each) / seconds:.0f} a second over "
          f"{connections} connections; a message takes {times[len(times) // 2] * 1000:.0f} ms, "
          f"p95 {times[len(times) * 95 // 100] * 1000:.0f} ms")
    for answer, number in refused.items():
        print(f"  {number} times {answer}")
    return len(seconds_each) / seconds >= RATE_BAR and not refused


def nested(depth):
    raw = b"Content-Type: text/plain\r\n\r\ndeep\r\n"
    for level in range(depth):
        mark = f"b{level}".encode()
        raw = b"Content-Type: multipart/mixed; boundary=" + mark + b"\r\n\r\n--" + mark + b"\r\n" + raw + b"\r\n--" + mark + b"--\r\n"
    return b"From: a@b.example\r\nSubject: Nested\r\n" + raw


def bombs():
    head = b"From: a@b.example\r\nSubject: Bomb\r\n"
    yield "1,000 nested parts", nested(1000)
    yield "200,000 parts", head + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n\r\nx\r\n" * 200_000 + b"--b--\r\n"
    yield "a header of 20 MB", head + b"X-Long: " + b"a " * 10_000_000 + b"\r\n\r\ntext\r\n"
    yield "500,000 fields", head + b"X-A: b\r\n" * 500_000 + b"\r\ntext\r\n"
    yield "deep HTML", head + b"Content-Type: text/html\r\n\r\n" + b"<div>" * 1_000_000 + b"x\r\n"
    yield "nested messages", b"Content-Type: message/rfc822\r\n\r\n" * 2000 + head + b"\r\ntext\r\n"
    gzip = zlib.compress(bytes(50_000_000), 9)
    yield "compressed zeros", head + b"Content-Type: application/zip\r\nContent-Encoding: deflate\r\n\r\n" + gzip.replace(b"\n", b" ") + b"\r\n"
    yield "many encoded words", head + b"X-W: " + b"=?utf-8?b?QUFB?= " * 300_000 + b"\r\n\r\ntext\r\n"
    yield "26 MB", head + b"\r\n" + (b"x" * 998 + b"\r\n") * 26_300


def abuse(service):
    to, faults = service.address("Abuse"), []

    def check(name, is_good, detail):
        print(f"{'ok  ' if is_good else 'BAD '} {name}: {detail}")
        if not is_good:
            faults.append(name)

    mail = Mail(service.mail, "EHLO bench")
    mail.say("MAIL FROM:<a@b.example>")
    relayed = [mail.say(f"RCPT TO:<{other}>") for other in ("victim@elsewhere.example", f"victim%elsewhere.example@{DOMAIN}",
                                                            f"@{DOMAIN}:victim@elsewhere.example", f'"victim@elsewhere.example"@{DOMAIN}')]
    check("relaying", all(reply.startswith(("550", "501")) for reply in relayed), relayed[0].strip())
    injected = [Mail(service.mail).say(f"MAIL FROM:<a@b.example\r{text}>") for text in ("\nRCPT TO:<x@y>", "Bcc: x")]
    check("control characters in an address", all(reply[0] == "5" for reply in injected), injected[0].strip())
    start, answers, mail = time.time(), set(), Mail(service.mail)
    mail.say("MAIL FROM:<a@b.example>")
    for number in range(9):
        answers.add(mail.say(f"RCPT TO:<copper-meadow-{number:04}@{DOMAIN}>"))
    closed = mail.say(f"RCPT TO:<copper-meadow-9999@{DOMAIN}>") + mail.reply()
    check("guessing", len(answers) == 1 and "421" in closed, f"{10 / (time.time() - start):.1f} guesses a second, one answer, then closed")
    smuggled = b"From: a@b.example\r\nSubject: Smuggled\r\n\r\none\n.\nMAIL FROM:<x>\r\n\r.\r\ntwo\r\n"
    mail = Mail(service.mail, "EHLO bench")
    answer = mail.deliver(to, smuggled)
    check("smuggled end of data", answer.startswith("250") and mail.say("NOOP").startswith("250"), answer.strip())
    for name, raw in bombs():
        begin = time.time()
        answer = Mail(service.mail).deliver(to, raw).strip()
        waiting = True
        while waiting and time.time() - begin < 120:
            listed = service.call("/v1/inbox/messages?limit=100")["messages"]
            waiting = any(message["state"] == "received" for message in listed)
            time.sleep(0.2 if waiting else 0)
        expected = "552" if name == "26 MB" else "250"
        check(name, answer.startswith(expected) and not waiting, f"{answer[:40]}, {time.time() - begin:.1f} s, "
              f"peak {service.memory_mib()} MiB")
    check("memory", service.memory_mib() <= MEMORY_MIB, f"peak of the service {service.memory_mib()} MiB")
    return not faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "target/release/carrel"))
    parser.add_argument("--rate-messages", type=int, default=4000)
    parser.add_argument("--connections", type=int, nargs="+", default=[8, 32])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="inbox-bench-") as folder:
        folder = pathlib.Path(folder)
        (folder / "files").mkdir()
        service = Service(arguments.program, folder)
        try:
            met = [newsletters(service), abuse(service)]
            met += [rate(service, arguments.rate_messages, connections) for connections in arguments.connections]
        finally:
            service.stop()
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
