"""A site of 500 pages of 30 kB: `/page/N-…` changes at each request, `/static/N-…` never changes and has an ETag.

Any number after N results in a separate page. `/counts` returns, as JSON, the number of answered requests of each kind,
and the number of 304 answers among them. It is cheap, because it shares the machine with the measured programs.
"""

import asyncio
import json
import random

PAGES = 500
BYTES = 30 * 1024
WORDS = ("carrel reading room shelf margin note index folio quire leaf spine catalogue borrow return renew edition "
         "print copy reader desk lamp quiet term paper").split()


def rows(page):
    chance, out, size = random.Random(page), [], 0
    while size < BYTES:
        words = " ".join(chance.choices(WORDS, k=60))
        row = f"<div class=row><h3>Item {page}-{len(out)}</h3><p>{words}</p><a href=/i/{len(out)}>more</a></div>\n"
        out.append(row)
        size += len(row)
    return "".join(out)


class Site:
    def __init__(self):
        self.bodies = [f"{rows(page)}</main>".encode() for page in range(PAGES)]
        self.turns, self.counts = {}, {"page": 0, "static": 0, "not_modified": 0}

    def answer(self, head):
        path = head.split(b" ", 2)[1].decode()
        if path == "/counts":
            return "200 OK\r\nContent-Type: application/json", json.dumps(self.counts).encode()
        kind, _, number = path.strip("/").partition("/")
        page = number.partition("-")[0]
        if kind not in ("page", "static") or not page.isdigit():
            return "404 Not Found", b""
        self.counts[kind] += 1
        page, turn, extra = int(page) % PAGES, 0, ""
        if kind == "page":
            turn = self.turns[path] = self.turns.get(path, 0) + 1
        else:
            tag = f'"s{page}"'
            extra = f"\r\nETag: {tag}"
            if f"if-none-match: {tag}".encode() in head.lower():
                self.counts["not_modified"] += 1
                return f"304 Not Modified{extra}", None
        price = f"<h2>Price {10 + (turn * 37 + page) % 900}.{turn % 100:02d} EUR</h2>"
        top = f"<!doctype html><title>Page {page}</title><main><h1>Page {page}</h1>{price}".encode()
        return f"200 OK\r\nContent-Type: text/html; charset=utf-8{extra}", top + self.bodies[page]

    async def accept(self, reader, writer):
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                status, body = self.answer(head)
                length = "" if body is None else f"\r\nContent-Length: {len(body)}"
                writer.write(f"HTTP/1.1 {status}{length}\r\n\r\n".encode() + (body or b""))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


def serve(port):
    async def run():
        server = await asyncio.start_server(Site().accept, "0.0.0.0", port, backlog=1024)
        await server.serve_forever()

    asyncio.run(run())
