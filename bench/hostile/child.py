#!/usr/bin/env python3
"""Sends hostile files one after the other, each to a new extraction process, and prints the resources used.

    cargo build --release
    python3 bench/hostile/child.py [--program 'PATH extract-child'] [--only WORD]

The process has the same limits as under a worker (512 MiB of address space, 10 s of elapsed time) and is killed when
the time is up. For each file, prints the outcome, the processor time in seconds, and the peak resident memory. Memory
is compared with `idle`, a process that has read a page of one line (mostly the tables of the tokenizer). The exit code
is 1 if a process exits without an answer for a reason other than these limits, or if a file takes longer than the time
limit.
"""

import argparse
import io
import json
import os
import pathlib
import select
import struct
import subprocess
import sys
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
WALL_S = 10.0
MEMORY = 512 << 20
HTML = "text/html; charset=utf-8"
MIB = 1 << 20


def epub(part):
    """Creates a book whose only part is `part`, a stream of chunks."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("META-INF/container.xml", "<container><rootfiles><rootfile full-path='p.opf'/></rootfiles></container>")
        book.writestr("p.opf", "<package><manifest><item id='a' href='a.xhtml' media-type='application/xhtml+xml'/></manifest>"
                               "<spine><itemref idref='a'/></spine></package>")
        with book.open("a.xhtml", "w", force_zip64=True) as entry:
            for piece in part:
                entry.write(piece)
    return out.getvalue()


def docx(body):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("word/document.xml", body)
    return out.getvalue()


def feed(items):
    return f"<?xml version='1.0'?><rss version='2.0'><channel><title>t</title>{items}</channel></rss>"


LAUGHS = ("<?xml version='1.0'?><!DOCTYPE r [<!ENTITY a 'ha'>" +
          "".join(f"<!ENTITY {chr(98 + i)} '{('&' + chr(97 + i) + ';') * 10}'>" for i in range(9)) +
          "]>" + feed("<item><title>&j;</title><description>x</description></item>").split("?>", 1)[1])

CASES = {
    "idle (one line)": (HTML, lambda: "<p>One line of text."),
    "nested div 600": (HTML, lambda: "<div>" * 600 + "text"),
    "nested div 5,000": (HTML, lambda: "<div>" * 5000 + "text"),
    "nested div 20,000": (HTML, lambda: "<div>" * 20000 + "text"),
    "nested div 100,000": (HTML, lambda: "<div>" * 100000 + "text"),
    "`<ul><li>` x 10,000": (HTML, lambda: "<ul><li>" * 10000 + "text"),
    "nested tables x 600": (HTML, lambda: "<table><tr><td>" * 600 + "text"),
    "`<b>` x 20,000": (HTML, lambda: "<b>" * 20000 + "text"),
    "20,000 attributes in one tag": (HTML, lambda: "<p " + " ".join(f"a{i}=1" for i in range(20000)) + ">text"),
    "100,000 attributes in one tag": (HTML, lambda: "<p " + " ".join(f"a{i}=1" for i in range(100000)) + ">text"),
    "900 attributes in each of 2,000 tags": (HTML, lambda: ("<p " + " ".join(f"a{i}=1" for i in range(900)) + ">text") * 2000),
    "short character references, 6 MB": (HTML, lambda: "<p>" + "&amp;&#x41;" * 545454),
    "one text node, 9 MB": (HTML, lambda: "<p>" + "word " * 1800000),
    "one text node, 50 MB": (HTML, lambda: "<p>" + "word " * 10000000),
    "300,000 short paragraphs, 6.7 MB": (HTML, lambda: "<p>some words here</p>" * 300000),
    "60,000 paragraphs, 500 deep": (HTML, lambda: "<div>" * 500 + "<p>some words here</p>" * 60000),
    "60,000 spans in 450 spans": (HTML, lambda: "<p>" + "<span>" * 450 + "<span>Some words</span><span>Here.</span>" * 60000),
    "cards in cards, 160 levels": (
        HTML,
        lambda: "<h1>Jobs</h1>" + "<div class=c><a href=/a>One</a><p>x</p></div><div class=c><a href=/b>Two</a><p>y</p></div><div class=c>" * 160
        + "<p><a href=/c>some words</a></p>" * 50000,
    ),
    "posts in posts, 250 levels": (
        HTML,
        lambda: "<title>Forum</title><h1>Thread</h1>"
        + "".join(f"<div class='c{i // 2} comment'><b class=author>Ann</b><p>Some words that answer.</p>" for i in range(250))
        + "<p class=user-post>some words</p>" * 50000,
    ),
    "100,000 short paragraphs": (HTML, lambda: "<p>some words here</p>" * 100000),
    "3 M `<`": (HTML, lambda: "<" * 3000000),
    "`&nbsp;<br>` x 200,000": (HTML, lambda: "&nbsp;<br>" * 199000),
    "NUL bytes": (HTML, lambda: b"<p>" + b"a\0b \0" * 200000),
    "bad UTF-8": (HTML, lambda: b"<p>" + b"\xff\xfe\xc3( " * 400000),
    "an open comment": (HTML, lambda: "<p>text<!--" + "x" * 3000000),
    "an open quote": (HTML, lambda: "<p>text<a href=\"" + "x" * 3000000),
    "colspan 1,000,000 x 2,000": (HTML, lambda: "<table>" + "<tr><td colspan=1000000>a<td>b" * 2000),
    "JSON-LD 100,000 deep": (HTML, lambda: "<script type=application/ld+json>" + "[" * 100000 + "</script><p>text"),
    "feed: a billion laughs": ("application/rss+xml", lambda: LAUGHS),
    "feed: XXE": ("application/rss+xml", lambda: "<!DOCTYPE r [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>" +
                  feed("<item><title>&x;</title></item>").split("?>", 1)[1]),
    "feed: 100,000 deep": ("application/rss+xml", lambda: feed("<item>" + "<a>" * 100000 + "</item>")),
    "feed: 100,000 attributes": ("application/rss+xml", lambda: feed("<item " + " ".join(f"a{i}='1'" for i in range(100000)) + "/>")),
    "feed: 200,000 items, 16 MB": ("application/rss+xml", lambda: feed("<item><title>some title</title><guid>1</guid><link>http://a.example/</link></item>" * 200000)),
    "feed: description of 10 MB": ("application/rss+xml", lambda: feed("<item><title>t</title><description>" + "word " * 2000000 + "</description></item>")),
    "EPUB: a part of 1 GB packed to 1 MB": ("application/epub+zip", lambda: epub(b"a" * MIB for _ in range(1024))),
    "EPUB: a part of 20 MB": ("application/epub+zip", lambda: epub((b"<p>some words here</p>" * 47662) for _ in range(20))),
    "EPUB: a part of 100,000 nested div": ("application/epub+zip", lambda: epub([b"<div>" * 100000])),
    "DOCX: 1 M paragraphs": ("application/zip", lambda: docx("<w:document xmlns:w='w'><w:body>" + "<w:p><w:r><w:t>word</w:t></w:r></w:p>" * 1000000)),
    "DOCX: 100,000 nested tables": ("application/zip", lambda: docx("<w:document xmlns:w='w'><w:body>" + "<w:tbl><w:tr><w:tc>" * 100000)),
    "Markdown: 100,000 nested quotes": ("text/markdown", lambda: ">" * 100000 + " text"),
    "Markdown: 200,000 open brackets": ("text/markdown", lambda: "[" * 200000 + "text"),
    "plain text, 9 MB in one line": ("text/plain", lambda: "word " * 1800000),
    "plain text, 9 MB without a space": ("text/plain", lambda: "w" * 9000000),
}


class Child:
    def __init__(self, program):
        self.process = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.send(json.dumps({"memory_bytes": MEMORY, "wall_ms": int(WALL_S * 1000), "nice": 5}).encode())
        if self.answer(30) is None:
            sys.exit("the child does not answer")

    def send(self, frame):
        self.process.stdin.write(struct.pack("<I", len(frame)) + frame)
        self.process.stdin.flush()

    def answer(self, patience):
        """Reads a frame. None if the process exits or the time is up."""
        data, until, pipe = b"", time.monotonic() + patience, self.process.stdout.fileno()
        while (left := until - time.monotonic()) > 0:
            if not select.select([pipe], [], [], left)[0]:
                return None
            piece = os.read(pipe, MIB)
            if not piece:
                return None
            data += piece
            if len(data) >= 4 and len(data) >= 4 + struct.unpack("<I", data[:4])[0]:
                return data[4:]
        return None

    def cpu_s(self):
        fields = open(f"/proc/{self.process.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def peak_mib(self):
        for line in open(f"/proc/{self.process.pid}/status"):
            if line.startswith("VmHWM"):
                return int(line.split()[1]) / 1024
        return 0.0


def told(answer):
    """Describes an answer in a few words."""
    if answer[:1] == b"P":
        return "the reader panicked; the page is refused"
    found = json.loads(answer[1:])
    if isinstance(found, dict) and "document" in found:
        return f"{len(found['document']['blocks'])} blocks"
    if "too_complex" in found:
        return "refused: " + found["too_complex"]["reason"]
    return "no text" if "no_text" in found else "no reader: " + found["unsupported"]["mime"]


def run(program, kind, body):
    body = body.encode() if isinstance(body, str) else body
    child = Child(program)
    before, start = child.cpu_s(), time.monotonic()
    head = json.dumps({"Page": {"content_type": kind, "url": "https://site.example/page"}}).encode()
    try:
        child.send(struct.pack("<I", len(head)) + head + body)
        answer = child.answer(WALL_S)
    except BrokenPipeError:
        answer = None
    wall = time.monotonic() - start
    try:
        cpu, peak = child.cpu_s() - before, child.peak_mib()
    except (OSError, IndexError):
        cpu, peak = float("nan"), float("nan")
    child.process.kill()
    code = child.process.wait()
    if answer is not None:
        return told(answer), cpu, peak, True
    by_clock = wall >= WALL_S
    return ("ended by the clock" if by_clock else f"ended by its memory limit (exit {code})"), cpu, peak, by_clock or code in (-6, -9, -11)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=f"{ROOT}/target/release/carrel extract-child")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    good = True
    print("| file | size | what came of it | CPU s | peak MiB |\n|---|---|---|---|---|")
    for name, (kind, make) in CASES.items():
        if options.only not in name:
            continue
        body = make()
        outcome, cpu, peak, fine = run(options.program.split(), kind, body)
        good &= fine
        print(f"| {name} | {len(body) / 1e6:.2f} MB | {outcome} | {cpu:.2f} | {peak:.0f} |", flush=True)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
