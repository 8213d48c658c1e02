#!/usr/bin/env python3
"""Compares the expected values in test suites of other parsers with the output of `carrel feed --jsonl` for their files.

    python3 peer_suites.py DIR [-v] -- PATH/carrel feed --jsonl

DIR has one folder for each suite, unpacked from its package: `feedparser`, `podcastparser` and `reader` (source
distributions of PyPI), `rss-parser` (npm, 2.10.8 is the last with tests), `gofeed` and `rome` (Debian sources),
`feed-rs`, `rss` and `atom_syndication` (crates), `node-feedparser` (npm, 1.1.3 is the last with tests). A missing
folder is skipped.

The comparison covers titles and links of feeds, and the title, link, id, author, dates, summary, content and enclosures
of entries. Texts are compared without markup and white space, and addresses without tracking parameters. The last four
suites are only parsed.
"""
import ast, calendar, datetime, email.utils, glob, html, json, os, re, subprocess, sys, types
from urllib.parse import urljoin, urlsplit

from hard_feeds import link, ours_stamp, plain

BASE = "http://127.0.0.1:8097/tests/"


class Case:
    """File with its expected values: pairs of path and value. The first part of a path is `feed` or an index."""

    def __init__(self, path, values, base=BASE, headers=None):
        self.path, self.values, self.base, self.headers = path, values, base, headers or {}


def text_of(path):
    return open(path, "rb").read().decode("utf-8", "replace")


def instant(value):
    if value in (None, "", 0): return None
    if isinstance(value, (int, float)): return int(value)
    if isinstance(value, tuple): return calendar.timegm(value)
    if isinstance(value, datetime.datetime): return int(value.timestamp())
    try: return ours_stamp(re.sub(r"(\.\d{6})\d+", r"\1", value))
    except ValueError: pass
    try: return int(email.utils.parsedate_to_datetime(value).timestamp())
    except (TypeError, ValueError): return None


# feedparser: a Python condition in a comment of each file.

FEEDPARSER = {
    "title": "title", "title_detail.value": "title", "link": "link", "id": "id", "guid": "id", "author": "author",
    "author_detail.name": "author", "published_parsed": "published",
    "updated_parsed": "updated", "date_parsed": "updated", "modified_parsed": "updated", "issued_parsed": "published",
    "summary": "summary", "description": "summary", "summary_detail.value": "summary", "content.0.value": "content",
    "enclosures.0.href": "enclosure", "enclosures.1.href": "enclosure", "media_content.0.url": "enclosure",
}


def subject(node):
    """`entries[0]['title']` as ("entries", 0, "title")."""
    if isinstance(node, ast.Name): return (node.id,)
    if isinstance(node, ast.Attribute): return subject(node.value) + (node.attr,)
    if isinstance(node, ast.Subscript):
        try: return subject(node.value) + (ast.literal_eval(node.slice),)
        except ValueError: pass
    return ("?",)


def conditions(node):
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        for part in node.values: yield from conditions(part)
    elif isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq):
        try: value = ast.literal_eval(node.comparators[0])
        except ValueError: return
        left = node.left
        if isinstance(left, ast.Call) and getattr(left.func, "id", "") == "len":
            if subject(left.args[0]) == ("entries",): yield ("count",), value
            return
        path = subject(left)
        if path[0] == "entries" and len(path) > 2:
            name = FEEDPARSER.get(".".join(map(str, path[2:])))
            if name: yield (path[1], name), value
        elif path[0] == "feed" and path[1:] in (("title",), ("link",), ("title_detail", "value")):
            yield ("feed", path[1].split("_")[0]), value


def feedparser(folder):
    for path in sorted(glob.glob(f"{folder}/tests/wellformed/**/*.xml", recursive=True)):
        data = open(path, "rb").read()
        for encoding in ("utf-8", "utf-16", "utf-32"):
            head = data.decode(encoding, "replace")
            stated = re.search(r"Expect:\s*(.*?)\s*-->", head, re.S)
            if stated: break
        headers = {k.lower(): v.strip() for k, v in re.findall(r"^Header:\s+([^:]+):(.+)$", head, re.M)}
        values = []
        if stated and not re.search(r"Skip\w*:", head):
            try: values = list(conditions(ast.parse(stated[1].strip(), mode="eval").body))
            except SyntaxError: pass
        yield Case(path, values, BASE + os.path.relpath(path, f"{folder}/tests"), headers)
    for path in sorted(glob.glob(f"{folder}/tests/illformed/*.xml")):
        yield Case(path, [])


# gofeed: a JSON document next to each file.

def gofeed_item(n, item):
    for author in item.get("authors") or [item.get("author")]:
        if isinstance(author, str): yield (n, "author"), author
        elif author: yield (n, "author"), author.get("name") or author.get("email")
    for name in ("title", "link", "published", "updated", "content"): yield (n, name), item.get(name)
    for pair in ("pubDateParsed", "published"), ("publishedParsed", "published"), ("updatedParsed", "updated"):
        yield (n, pair[1]), item.get(pair[0])
    guid = item.get("guid", item.get("id"))
    yield (n, "id"), guid.get("value") if isinstance(guid, dict) else guid
    summary = item.get("description", item.get("summary"))
    yield (n, "summary"), summary
    content = item.get("content")
    if isinstance(content, dict): yield (n, "content"), content.get("value")
    files = item.get("enclosures") or [item["enclosure"]] if item.get("enclosure") else item.get("enclosures") or []
    for file in files: yield (n, "enclosure"), file.get("url")
    for number, target in enumerate(item.get("links") or []):
        if isinstance(target, dict) and number == 0: yield (n, "links"), target.get("href")


def gofeed(folder):
    for path in sorted(glob.glob(f"{folder}/testdata/**/*.*", recursive=True)):
        stem = os.path.splitext(path)[0]
        if stem.endswith("_expected") or "/invalid" in path: continue
        expected = stem + (".json" if path.endswith(".xml") else "_expected.json")
        if path.endswith(".json") and not os.path.exists(expected): continue
        values = []
        if os.path.exists(expected):
            stated = json.loads(text_of(expected))
            values = [(("feed", "title"), stated.get("title"))]
            if isinstance(stated.get("link"), str): values.append((("feed", "link"), stated["link"]))
            for n, item in enumerate(stated.get("items") or stated.get("entries") or []): values += gofeed_item(n, item)
        yield Case(path, [(k, v) for k, v in values if not isinstance(v, dict)])


# Others.

def rss_parser(folder):
    for path in sorted(glob.glob(f"{folder}/test/input/*")):
        expected = f"{folder}/test/output/{os.path.basename(path).rsplit('.', 1)[0]}.json"
        values = []
        if os.path.exists(expected) and "customfields" not in path:
            stated = json.loads(text_of(expected))["feed"]
            values = [(("feed", "title"), stated.get("title")), (("feed", "link"), stated.get("link"))]
            for n, entry in enumerate(stated["entries"]):
                names = {"title": "title", "link": "link", "isoDate": "published", "content": "text", "guid": "id",
                         "creator": "author", "author": "author", "content:encoded": "text"}
                values += [((n, ours), entry.get(theirs)) for theirs, ours in names.items()]
                values.append(((n, "enclosure"), (entry.get("enclosure") or {}).get("url")))
        yield Case(path, values)


def podcastparser(folder):
    for path in sorted(glob.glob(f"{folder}/tests/data/*.rss")):
        stem = path[:-4]
        values = []
        if os.path.exists(stem + ".json") and not os.path.exists(stem + ".param.json"):
            stated = json.loads(text_of(stem + ".json"))
            title = stated["title"] if stated["title"] != os.path.basename(stem) else None
            values = [(("feed", "title"), title), (("feed", "link"), stated.get("link"))]
            # It sorts entries by date, but we use the order of the document, so only files with one entry are comparable.
            for n, entry in enumerate(stated["episodes"] if len(stated["episodes"]) == 1 else []):
                names = {"title": "title", "link": "link", "published": "published", "guid": "id",
                         "itunes_author": "author", "description": "text", "description_html": "text"}
                values += [((n, ours), entry.get(theirs)) for theirs, ours in names.items()]
                values += [((n, "enclosure"), file["url"]) for file in entry["enclosures"]]
        values = [(k, v.replace("file://tests/", BASE) if isinstance(v, str) else v) for k, v in values]
        yield Case(path, values, f"{BASE}data/{os.path.basename(path)}")


def reader(folder):
    def stub(name):
        module = types.ModuleType(name)
        module.__getattr__ = lambda _: types.SimpleNamespace
        sys.modules[name] = module
    for name in ("reader", "reader._types", "reader.types"): stub(name)
    for path in sorted(glob.glob(f"{folder}/tests/data/*.*")):
        if not os.path.exists(path + ".py"): continue
        base = BASE
        space = {"url_base": base, "rel_base": base}
        exec(compile(text_of(path + ".py"), path, "exec"), space)
        feed = space["feed"].__dict__
        values = [(("feed", "title"), feed.get("title")), (("feed", "link"), feed.get("link"))]
        for n, entry in enumerate(space["entries"]):
            entry = entry.__dict__
            values += [((n, name), entry.get(name)) for name in ("title", "link", "id", "published", "updated", "summary")]
            values += [((n, "author"), author.__dict__.get("name")) for author in entry.get("authors") or ()]
            values += [((n, "enclosure"), file.__dict__["href"]) for file in entry.get("enclosures") or ()]
            values += [((n, "content"), content.__dict__["value"]) for content in (entry.get("content") or ())[:1]]
        yield Case(path, values, base=base + os.path.basename(path))


# feed-rs: its model as JSON next to each file. It generates missing ids and dates of entries.

def feed_rs_entry(n, entry, source):
    content = lambda text: (text or {}).get("content")
    for name in ("title", "summary"): yield (n, name), content(entry[name])
    for name in ("published", "updated"): yield (n, name), entry[name]
    if re.sub(r"\s", "", entry["id"]) in re.sub(r"\s|amp;", "", source): yield (n, "id"), entry["id"]
    for author in entry["authors"]: yield (n, "author"), author["name"] or author["email"]
    for target in entry["links"]: yield (n, "links"), target["href"]
    yield (n, "content"), (entry["content"] or {}).get("body")
    for media in entry["media"]:
        for file in media["content"]:
            if not (file["content_type"] or "").startswith("image/"): yield (n, "enclosure"), file["url"]


def feed_rs(folder):
    for path in sorted(glob.glob(f"{folder}/fixture/*/*")):
        if path.endswith(".serde.json") or "/fixture/xml/" in path: continue
        values, expected = [], os.path.splitext(path)[0] + ".serde.json"
        if os.path.exists(expected):
            stated, source = json.loads(text_of(expected)), html.unescape(text_of(path))
            values = [(("feed", "title"), (stated["title"] or {}).get("content"))]
            for n, entry in enumerate(stated["entries"]): values += feed_rs_entry(n, entry, source)
        yield Case(path, values)


def only_read(*patterns):
    def suite(folder):
        for pattern in patterns:
            for path in sorted(glob.glob(f"{folder}/{pattern}", recursive=True)):
                if re.search(r"<(rss|feed|\w+:feed|rdf:RDF)\b", text_of(path)): yield Case(path, [])
    return suite


SUITES = {
    "feedparser": feedparser, "gofeed": gofeed, "rss-parser": rss_parser, "podcastparser": podcastparser, "reader": reader,
    "feed-rs": feed_rs, "rome": only_read("**/src/test/**/*.xml"), "rss": only_read("tests/data/*.xml"),
    "atom_syndication": only_read("tests/data/*.xml"), "node-feedparser": only_read("test/feeds/*"),
}


def address(value):
    value = link(re.sub(r"([?&])utm_[^&#]*", r"\1", value or "")).rstrip("?&")
    parts = urlsplit(value)
    return (parts.netloc.lower(), (parts.path.rstrip("/"), parts.query, parts.fragment)) if parts.netloc else value


def agrees(name, stated, got, base):
    """Returns true if `got`, an entry or the feed, contains the expected values `stated`."""
    if name in ("published", "updated"):
        other = "updated" if name == "published" else "published"
        return instant(stated) in (ours_stamp(got[name]), ours_stamp(got[other]))
    if name in ("link", "enclosure", "links"):
        links = [got["link"], *(got.get("links", []) if name != "link" else [])]
        return address(urljoin(base, stated.strip())) in map(address, links)
    if name == "author":
        shown = plain(got["author"])
        return plain(stated) in shown or shown != "" and shown in (plain(re.sub(r"[(<].*[)>]", "", stated)), plain(stated.strip("()")))
    if name == "id": return re.sub(r"\s+", "", stated) == re.sub(r"\s+", "", got["id"])
    fields = {"summary": ("summary", "content"), "text": ("content", "summary"), "content": ("content", "summary")}.get(name, (name,))
    ours = [got.get(field) or "" for field in fields]
    forms = {form for text in ours for form in (plain(text), plain(html.escape(text)))}
    return any(plain(form) in forms for form in (stated, html.escape(stated)))


def disagreements(case, got):
    if not got["ok"]: return [(path, value, "not read: " + got["error"]) for path, value in case.values]
    out = []
    for path, value in case.values:
        if path == ("count",):
            if value != len(got["entries"]): out.append((path, value, len(got["entries"])))
            continue
        where = got if path[0] == "feed" else got["entries"][path[0]] if path[0] < len(got["entries"]) else None
        if where is None: out.append((path, value, "no such entry"))
        elif not agrees(path[1], value, where, case.base):
            shown = {"enclosure": "links", "text": "content"}.get(path[1], path[1])
            out.append((path, value, where.get(shown)))
    return out


def is_stated(path, value):
    if path == ("count",): return True
    if path[1] in ("published", "updated"): return instant(value) is not None
    return isinstance(value, str) and plain(value) != ""


def main(folder, command, verbose):
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    print("| suite | values agree | whole files | read |\n|---|---|---|---|")
    totals = [0] * 6
    for suite, cases in SUITES.items():
        if not os.path.isdir(f"{folder}/{suite}"): continue
        counts = [0] * 6
        for case in cases(f"{folder}/{suite}"):
            case.values = list(dict.fromkeys((k, v) for k, v in case.values if is_stated(k, v)))
            ask = {"id": 1, "path": os.path.abspath(case.path), "headers": case.headers, "base_uri": case.base}
            process.stdin.write(json.dumps(ask) + "\n"); process.stdin.flush()
            got = json.loads(process.stdout.readline())
            wrong = disagreements(case, got)
            here = [len(case.values) - len(wrong), len(case.values), bool(case.values) and not wrong, bool(case.values), got["ok"], 1]
            counts = [a + b for a, b in zip(counts, here)]
            if verbose:
                name = os.path.relpath(case.path, folder)
                if not got["ok"]: print("NOT READ", name, got["error"], file=sys.stderr)
                else:
                    for path, value, ours in wrong: print(f"{name} {path}\n    stated {value!r:.300}\n    ours   {ours!r:.300}", file=sys.stderr)
        totals = [a + b for a, b in zip(totals, counts)]
        print("| {} | {}/{} | {}/{} | {}/{} |".format(suite, *counts), flush=True)
    print("| all | {}/{} | {}/{} | {}/{} |".format(*totals))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[sys.argv.index("--") + 1:], "-v" in sys.argv)
