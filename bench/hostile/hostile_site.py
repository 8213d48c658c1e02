#!/usr/bin/env python3
"""Hostile website: every page is an attack on its reader.

Run it alone with `python3 hostile_site.py PORT` and open http://127.0.0.1:PORT/NAME, or use it through `run.py`. It
listens at 127.0.0.1 to 127.0.0.60, so that the host budget of the reader does not hide the effect of many concurrent
hosts. Only the standard library is needed. `CASES` maps each name to the function that handles the connection.
"""

import asyncio
import base64
import json
import socket
import struct
import sys
import zlib

HOSTS = 60
HTML = "text/html; charset=utf-8"
MIB = 1 << 20

# 1 GiB of zeros as Brotli (window 22), compressed again with zlib to fit into this file.
BROTLI_GIB = zlib.decompress(base64.b64decode(
    "eNo7/f+/PYMKw6ONDkXv///4/5+9gcVBRqzh3V/5////M0xg6DjMdGHv/8f//8szCDEURjDs+l7/5/9/ZgcmBT5uh+//+v//r2fw"
    "YDiSyPji3v+P///zM3A2WOgw3P1t/+//f0YFRoF21gXV/49DLdnAUDJqyaglo5aMWjJqyfC0xBwAxBQ9aA=="))


def head(status="200 OK", kind=HTML, length=None, **more):
    lines = [f"HTTP/1.1 {status}"]
    if kind:
        lines.append(f"Content-Type: {kind}")
    if length is not None:
        lines.append(f"Content-Length: {length}")
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in more.items()]
    return ("\r\n".join(lines) + "\r\nConnection: close\r\n\r\n").encode("latin-1")


class Gone(Exception):
    """The reader closed the connection, which is the usual end of an attack."""


class Wire:
    """One connection."""

    def __init__(self, writer, target, host):
        self.writer, self.target, self.host = writer, target, host

    async def send(self, data):
        if self.writer.is_closing():
            raise Gone
        self.writer.write(data)
        await self.writer.drain()

    async def page(self, body, kind=HTML, **more):
        """An ordinary answer."""
        if isinstance(body, str):
            body = body.encode()
        await self.send(head(kind=kind, length=len(body), **more))
        for at in range(0, len(body), MIB):
            await self.send(body[at:at + MIB])

    async def stream(self, chunks, kind=HTML, **more):
        """An answer that ends with the connection."""
        await self.send(head(kind=kind, **more))
        for chunk in chunks:
            await self.send(chunk)

    async def redirect(self, location, status="302 Found"):
        await self.send(head(status, length=0, Location=location))

    def reset(self):
        """Ends the connection with RST."""
        sock = self.writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()


CASES = {}


def case(function):
    CASES[function.__name__.replace("_", "-")] = function
    return function


def article(words="The quiet desk by the window was the best place to read. "):
    paragraphs = "".join(f"<p>{number}. {words * 6}</p>" for number in range(12))
    return f"<!doctype html><title>A page</title><article><h1>A page</h1>{paragraphs}</article>"


# --- a normal page, to check that the service still reads

@case
async def honest(wire):
    await wire.page(article())


# --- bombs

def deflated(total, window):
    packer = zlib.compressobj(9, zlib.DEFLATED, window)
    zeros = bytes(MIB)
    for _ in range(total // MIB):
        if data := packer.compress(zeros):
            yield data
    yield packer.flush()


def zstd_frames(total, window_log=17):
    """Run-length blocks: four bytes for 128 KiB."""
    yield b"\x28\xb5\x2f\xfd" + bytes([0x00, (window_log - 10) << 3])
    block = ((1 << 17) << 3 | 1 << 1).to_bytes(3, "little") + b"a"
    for _ in range(total // (1 << 17) // 256):
        yield block * 256
    yield (1).to_bytes(3, "little")


@case
async def gzip_bomb(wire):
    await wire.stream(deflated(10 << 30, 31), Content_Encoding="gzip")


@case
async def zlib_bomb(wire):
    await wire.stream(deflated(10 << 30, 15), Content_Encoding="deflate")


@case
async def raw_deflate_bomb(wire):
    await wire.stream(deflated(10 << 30, -15), Content_Encoding="deflate")


@case
async def brotli_bomb(wire):
    await wire.page(BROTLI_GIB, Content_Encoding="br")


@case
async def zstd_bomb(wire):
    await wire.stream(zstd_frames(10 << 30), Content_Encoding="zstd")


@case
async def zstd_wide_window(wire):
    await wire.stream(zstd_frames(1 << 30, window_log=31), Content_Encoding="zstd")


@case
async def gzip_in_gzip(wire):
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    inner = b"".join(packer.compress(part) for part in deflated(256 * MIB, 31)) + packer.flush()
    await wire.page(inner, Content_Encoding="gzip, gzip")


@case
async def gzip_members(wire):
    """Ten thousand small bombs one after the other."""
    member = b"".join(deflated(MIB, 31))
    await wire.stream((member for _ in range(10_000)), Content_Encoding="gzip")


@case
async def gzip_noise(wire):
    await wire.page(b"\x1f\x8b\x08" + bytes(range(256)) * 100, Content_Encoding="gzip")


@case
async def gzip_cut(wire):
    whole = b"".join(deflated(4 * MIB, 31))
    await wire.page(whole[:len(whole) // 2], Content_Encoding="gzip")


@case
async def coding_unknown(wire):
    await wire.page(article(), Content_Encoding="x-unheard-of")


# --- endless bodies

def forever(data):
    while True:
        yield data


@case
async def endless_body(wire):
    await wire.stream(forever(b"<p>more text to come</p>\n" * 2600))


@case
async def endless_chunks(wire):
    await wire.stream(forever(b"1\r\nx\r\n" * 4000), Transfer_Encoding="chunked")


@case
async def endless_plain(wire):
    await wire.stream(forever(b"a line of text\n" * 4000), kind="text/plain")


@case
async def endless_pdf(wire):
    await wire.stream(forever(b"%PDF-1.7\n" + b"0 0 obj\n" * 8000), kind="application/pdf")


@case
async def length_100_gb(wire):
    await wire.send(head(length=100 << 30))
    for part in forever(b"x" * 65536):
        await wire.send(part)


@case
async def chunk_extensions(wire):
    await wire.stream(forever(b"1;" + b"a=b;" * 15000 + b"\r\nx\r\n"), Transfer_Encoding="chunked")


@case
async def trailers(wire):
    await wire.send(head(Transfer_Encoding="chunked") + b"3\r\n<p>\r\n0\r\n")
    for part in forever(b"".join(b"X-T%d: y\r\n" % number for number in range(2000))):
        await wire.send(part)


# --- slowness

async def drip(wire, data, seconds):
    for byte in data:
        await wire.send(bytes([byte]))
        await asyncio.sleep(seconds)


@case
async def drip_body(wire):
    await wire.send(head(length=1_000_000))
    await drip(wire, b"<p>slow</p>" * 90_000, 1)


@case
async def drip_head(wire):
    await drip(wire, head() * 100, 1)


@case
async def drip_chunks(wire):
    await wire.send(head(Transfer_Encoding="chunked"))
    for part in forever(b"1\r\nx\r\n"):
        await wire.send(part)
        await asyncio.sleep(1)


@case
async def silent(wire):
    await asyncio.sleep(120)


@case
async def stalled(wire):
    await wire.send(head(length=100_000) + article().encode()[:3000])
    await asyncio.sleep(120)


@case
async def drip_redirects(wire):
    """Each hop takes three seconds: the deadline counts for all of them together."""
    await asyncio.sleep(3)
    number = int(wire.target.rpartition("=")[2] or 0) if "=" in wire.target else 0
    await wire.redirect(f"/drip-redirects?n={number + 1}")


# --- heads

@case
async def interim_flood(wire):
    for part in forever(b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n" * 500):
        await wire.send(part)


@case
async def header_4_mb(wire):
    await wire.page("<p>x", X_Long="y" * (4 * MIB))


@case
async def headers_5000(wire):
    await wire.page("<p>x", **{f"X_{number}": "y" for number in range(5000)})


@case
async def headers_endless(wire):
    await wire.send(b"HTTP/1.1 200 OK\r\n")
    for part in forever(b"X-More: " + b"y" * 50 + b"\r\n"):
        await wire.send(part * 200)


@case
async def head_garbage(wire):
    await wire.send(bytes(range(256)) * 1000)


@case
async def http_0_9(wire):
    await wire.send(b"<html><p>no head at all</p>")


@case
async def length_and_chunked(wire):
    await wire.send(head(length=3, Transfer_Encoding="chunked") + b"7\r\n<p>body\r\n0\r\n\r\n")


@case
async def two_lengths(wire):
    await wire.send(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 300\r\n\r\n<p>")


@case
async def short_body(wire):
    await wire.send(head(length=100_000) + article().encode()[:3000])


@case
async def reset_half_way(wire):
    await wire.send(head(length=100_000) + article().encode()[:3000])
    await asyncio.sleep(0.05)
    wire.reset()


@case
async def reset_at_once(wire):
    wire.reset()


@case
async def control_in_head(wire):
    await wire.send(b"HTTP/1.1 200 OK\r\nX-A: a\0b\x01c\r\nContent-Type: text/html\r\n\r\n<p>x")


@case
async def kind_long(wire):
    await wire.page(article(), kind="text/html; charset=" + "x" * 60_000)


@case
async def links_flood(wire):
    lines = "".join(f"Link: <https://example.com/{'x' * 300}{n}>; rel=next\r\n" for n in range(100))
    body = article().encode()
    await wire.send(f"HTTP/1.1 200 OK\r\nContent-Type: {HTML}\r\n{lines}Content-Length: {len(body)}\r\n\r\n".encode() + body)


# --- redirects

@case
async def redirect_loop(wire):
    await wire.redirect("/redirect-loop")


@case
async def redirect_ping(wire):
    await wire.redirect("/redirect-pong")


@case
async def redirect_pong(wire):
    await wire.redirect("/redirect-ping")


@case
async def redirect_50(wire):
    number = int(wire.target.rpartition("=")[2]) if "=" in wire.target else 0
    await (wire.redirect(f"/redirect-50?n={number + 1}") if number < 50 else wire.page(article()))


@case
async def redirect_growing(wire):
    await wire.redirect(wire.target + "/redirect-growing" * 200)


@case
async def redirect_long(wire):
    await wire.redirect("/" + "a" * 200_000)


@case
async def redirect_bomb(wire):
    await wire.send(head("302 Found", Location="/honest"))
    for part in forever(b"x" * 65536):
        await wire.send(part)


@case
async def redirect_nowhere(wire):
    await wire.redirect("http://")


@case
async def redirect_two(wire):
    await wire.send(b"HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\nLocation: /honest\r\nContent-Length: 0\r\n\r\n")


REDIRECTS = {
    "private-10": "http://10.0.0.1/", "private-172": "http://172.16.0.1/", "private-192": "http://192.168.0.1/",
    "metadata": "http://169.254.169.254/latest/meta-data/", "metadata-oracle": "http://192.0.0.192/",
    "loopback": "http://127.0.0.1:{canary}/", "loopback-decimal": "http://2130706433:{canary}/",
    "loopback-octal": "http://0177.0.0.1:{canary}/", "loopback-short": "http://127.1:{canary}/",
    "loopback-v6": "http://[::1]:{canary}/", "mapped-v6": "http://[::ffff:127.0.0.1]:{canary}/",
    "nat64": "http://[64:ff9b::7f00:1]:{canary}/", "localhost": "http://localhost:{canary}/",
    "zero": "http://0.0.0.0:{canary}/", "userinfo": "http://user:pass@127.0.0.1:{canary}/",
    "backslash": "http:\\\\127.0.0.1:{canary}\\", "itself": "http://{reader}/healthz",
    "file": "file:///etc/passwd", "gopher": "gopher://127.0.0.1:{canary}/", "data": "data:text/html,<p>hi",
    "javascript": "javascript:alert(1)", "redis-port": "http://127.0.0.1:6379/",
}


# --- text that is expensive to parse

@case
async def nested_div_100000(wire):
    await wire.page("<div>" * 100_000 + "deep")


@case
async def nested_div_5000_closed(wire):
    await wire.page("<div>" * 5000 + "deep" + "</div>" * 5000)


@case
async def nested_lists_10000(wire):
    await wire.page("<ul><li>" * 10_000 + "deep")


@case
async def nested_tables_600(wire):
    await wire.page("<table><tr><td>" * 600 + "deep")


@case
async def nested_bold_20000(wire):
    await wire.page("<b>" * 20_000 + "deep")


@case
async def nested_mixed(wire):
    await wire.page("<p><a><b><i><font><table>" * 10_000 + "deep")


@case
async def nested_svg(wire):
    await wire.page("<svg><g>" * 50_000 + "deep")


@case
async def misnested_formatting(wire):
    await wire.page("<a><b><i><u><p>x</a></b></i></u>" * 20_000)


@case
async def attributes_150000(wire):
    await wire.page("<p " + " ".join(f"a{number}=1" for number in range(150_000)) + ">text")


@case
async def attributes_one_value(wire):
    await wire.page("<p title='" + "x" * (9 * MIB) + "'>text")


@case
async def attributes_900_a_tag(wire):
    tag = "<p " + " ".join(f"a{number}=1" for number in range(900)) + ">text</p>"
    await wire.page(tag * 700)


@case
async def angles_4_mb(wire):
    await wire.page("<" * 4_000_000)


@case
async def references_6_mb(wire):
    await wire.page("<p>" + "&amp;&#x41;" * 545_454)


@case
async def references_spread(wire):
    await wire.page("".join("<p>" + "&amp;&#x41;" * 900 for _ in range(600)))


@case
async def text_50_mb(wire):
    await wire.page("<p>" + "word " * 10_000_000)


@case
async def text_9_mb(wire):
    await wire.page("<p>" + "word " * 1_900_000)


@case
async def text_no_space_9_mb(wire):
    await wire.page("<p>" + "a" * 9_000_000)


@case
async def paragraphs_300000(wire):
    await wire.page("<p>A short one.\n" * 300_000)


@case
async def paragraphs_150000(wire):
    await wire.page("<article>" + "<p>A short one.\n" * 150_000)


@case
async def breaks_200000(wire):
    await wire.page("<p>" + "&nbsp;<br>" * 190_000)


@case
async def colspan(wire):
    await wire.page("<table>" + "<tr><td colspan=1000000 rowspan=65534>x" * 2000)


@case
async def table_wide(wire):
    await wire.page("<table>" + ("<tr>" + "<td>cell" * 60) * 3000)


@case
async def links_100000(wire):
    await wire.page("<article>" + "".join(f"<p>Words and <a href=/x{n}>a link {n}</a> here." for n in range(60_000)))


@case
async def comments(wire):
    await wire.page("<!-- x -->" * 500_000 + "<p>text")


@case
async def comment_open(wire):
    await wire.page("<p>text<!--" + "-" * (9 * MIB))


@case
async def quotes_open(wire):
    await wire.page("<p title=\"" + "x>" * (4 * MIB))


@case
async def script_9_mb(wire):
    await wire.page("<script>" + "</scrip" * (9 * MIB // 7))


@case
async def templates(wire):
    await wire.page("<template>" * 20_000 + "deep")


@case
async def selects(wire):
    await wire.page("<select><option>" * 60_000)


@case
async def frameset(wire):
    await wire.page("<frameset>" * 50_000)


@case
async def nul_bytes(wire):
    await wire.page(b"<p>" + b"a\0b\x01\x02" * MIB)


@case
async def bad_utf8(wire):
    await wire.page(b"<p>" + b"\xff\xfe\xc3\x28 " * MIB)


@case
async def utf16(wire):
    await wire.page(b"\xff\xfe" + ("<p>" + "odd words " * 400_000).encode("utf-16-le"))


@case
async def utf7(wire):
    await wire.page("+ADw-script+AD4-alert(1)+ADw-/script+AD4-" * 1000, kind="text/html; charset=utf-7")


@case
async def combining(wire):
    await wire.page("<p>a" + "\u0301" * 2_000_000)


@case
async def bidi(wire):
    await wire.page("<article>" + "<p>\u202e\u2066reversed words\u2069\u202c and more of them.</p>" * 50_000)


@case
async def json_ld_deep(wire):
    await wire.page(f'<script type="application/ld+json">{"[" * 500_000}</script>{article()}')


@case
async def json_ld_objects(wire):
    deep = '{"a":' * 200_000
    await wire.page(f'<script type="application/ld+json">{deep}</script>{article()}')


@case
async def json_ld_wide(wire):
    things = json.dumps([{"@type": "Article", "headline": "x" * 50, "articleBody": "words " * 50}] * 15_000)
    await wire.page(f'<script type="application/ld+json">{things}</script>{article()}')


@case
async def meta_flood(wire):
    await wire.page("".join(f"<meta name=author content='a {n}'>" for n in range(150_000)) + article())


@case
async def base_hostile(wire):
    await wire.page("<base href='javascript:alert(1)//'>" + article() + "<a href='x'>y</a><img src=x onerror=alert(1)>")


# --- other formats

@case
async def markdown_nested(wire):
    await wire.page(">" * 500_000 + " deep", kind="text/markdown")


@case
async def markdown_brackets(wire):
    await wire.page("[" * 500_000 + "](" * 500_000, kind="text/markdown")


@case
async def markdown_emphasis(wire):
    await wire.page("*a **b _c " * 400_000, kind="text/markdown")


@case
async def markdown_backticks(wire):
    await wire.page("".join("`" * (1 + n % 300) + "x " for n in range(40_000)), kind="text/markdown")


@case
async def markdown_lists(wire):
    await wire.page("\n".join("  " * n + "- deep" for n in range(1500)), kind="text/markdown")


@case
async def markdown_table(wire):
    await wire.page("|a" * 20_000 + "\n" + "|-" * 20_000 + "\n" + "|\n" * 20_000, kind="text/markdown")


@case
async def markdown_references(wire):
    text = "".join(f"[r{n}]: /x 't'\n" for n in range(60_000)) + "[r1] " * 100_000
    await wire.page(text, kind="text/markdown")


@case
async def markdown_html(wire):
    await wire.page("<div>" * 200_000 + "\n\n<a " + "x " * 200_000, kind="text/markdown")


@case
async def plain_lines(wire):
    await wire.page("x\n\n" * 3_000_000, kind="text/plain")


@case
async def json_deep(wire):
    await wire.page("[" * 5_000_000, kind="application/json")


def pdf(objects, root=1):
    body = b"%PDF-1.7\n"
    offsets = []
    for number, data in enumerate(objects, 1):
        offsets.append(len(body))
        body += b"%d 0 obj\n" % number + data + b"\nendobj\n"
    start = len(body)
    body += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    body += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return body + b"trailer<</Size %d/Root %d 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, root, start)


def pdf_page(content, extra=b""):
    return pdf([
        b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
        b"<</Length %d%s>>stream\n" % (len(content), extra) + content + b"\nendstream",
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"])


@case
async def pdf_bomb(wire):
    content = b"".join(deflated(512 << 20, 15))
    await wire.page(pdf_page(content, b"/Filter/FlateDecode"), kind="application/pdf")


@case
async def pdf_bomb_chain(wire):
    content = zlib.compress(b"".join(deflated(256 << 20, 15)), 9)
    await wire.page(pdf_page(content, b"/Filter[/FlateDecode/FlateDecode]"), kind="application/pdf")


@case
async def pdf_loop(wire):
    await wire.page(pdf([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 9>>"]),
                    kind="application/pdf")


@case
async def pdf_nested(wire):
    await wire.page(b"%PDF-1.7\n1 0 obj\n" + b"[" * 2_000_000 + b"\nendobj\ntrailer<</Root 1 0 R>>",
                    kind="application/pdf")


@case
async def pdf_operators(wire):
    await wire.page(pdf_page(b"BT /F 12 Tf " + b"(words) Tj 1 0 Td " * 400_000 + b"ET"), kind="application/pdf")


@case
async def pdf_save_states(wire):
    await wire.page(pdf_page(b"q " * 3_000_000), kind="application/pdf")


@case
async def pdf_noise(wire):
    await wire.page(b"%PDF-1.4\n" + bytes((n * 7919) % 251 for n in range(3 * MIB)), kind="application/pdf")


@case
async def pdf_references(wire):
    objects = [b"<</Type/Catalog/Pages 2 0 R>>"] + [b"%d 0 R" % (n + 3) for n in range(50_000)]
    await wire.page(pdf(objects), kind="application/pdf")


# --- robots.txt, on separate hosts (see `ROBOTS`)

async def robots_flood(wire):
    await wire.stream(forever(b"User-agent: *\nDisallow: /never\n" * 2000), kind="text/plain")


async def robots_stars(wire):
    rules = "".join(f"Disallow: /{'*a' * 200}{n}$\n" for n in range(1000))
    await wire.page("User-agent: *\n" + rules, kind="text/plain")


async def robots_drip(wire):
    await wire.send(head(kind="text/plain"))
    await drip(wire, b"User-agent: *\n" * 1000, 1)


async def robots_bomb(wire):
    await wire.stream(deflated(10 << 30, 31), kind="text/plain", Content_Encoding="gzip")


async def robots_loop(wire):
    await wire.redirect("/robots.txt")


async def robots_private(wire):
    await wire.redirect("http://169.254.169.254/robots.txt")


async def robots_500(wire):
    await wire.send(head("500 Oh No", length=0))


async def robots_line(wire):
    await wire.page("User-agent: *\nDisallow: /" + "x" * 400_000, kind="text/plain")


ROBOTS = {50: robots_flood, 51: robots_stars, 52: robots_drip, 53: robots_bomb, 54: robots_loop, 55: robots_private,
          56: robots_500, 57: robots_line}


async def serve(reader, writer, names):
    peer_host = writer.get_extra_info("sockname")[0]
    try:
        request = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30)
        target = request.split(b" ", 2)[1].decode("latin-1")
        wire = Wire(writer, target, peer_host)
        name = target.lstrip("/").split("?")[0].split("/")[0]
        if name == "robots.txt":
            hostile = ROBOTS.get(int(peer_host.rsplit(".", 1)[1]))
            await (hostile(wire) if hostile else wire.send(head("404 Not Found", length=0)))
        elif name.startswith("to-"):
            await wire.redirect(REDIRECTS[name[3:]].format(**names))
        elif name in CASES:
            await CASES[name](wire)
        else:
            await wire.send(head("404 Not Found", length=0))
    except (Gone, ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError):
        pass
    finally:
        writer.close()


async def main(port, names):
    servers = []
    for number in range(1, HOSTS + 1):
        servers.append(await asyncio.start_server(
            lambda reader, writer: serve(reader, writer, names), f"127.0.0.{number}", port, backlog=512))
    await asyncio.gather(*(server.serve_forever() for server in servers))


if __name__ == "__main__":
    known = dict(pair.split("=", 1) for pair in sys.argv[2:])
    asyncio.run(main(int(sys.argv[1]), {"canary": "1", "reader": "127.0.0.1:8080", **known}))
