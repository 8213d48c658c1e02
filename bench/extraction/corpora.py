"""Public corpora on which the extraction models are trained and tested: their pages, the reference text of each page, and
the score of an answer by the measure of the corpus.

A folder of corpora contains the unpacked archives `wcxb`, `news`, `trafilatura` and `mozilla`. Missing archives are
skipped. A page has an id, an address, its site, its markup, and a reference: a whole text, or snippets that must or
must not occur in the answer.
"""
import collections, gzip, html.parser, json, pathlib, re, statistics, subprocess, tempfile, unicodedata, urllib.parse

WORD = re.compile(r"\w+", re.UNICODE)
# Second-level domains of countries under which sites register names.
SECOND_LEVEL = {"ac", "co", "com", "edu", "gob", "gov", "gouv", "ne", "net", "nom", "or", "org"}

Page = collections.namedtuple("Page", "corpus id url site load known")


def site_of(url, otherwise):
    """Returns the registrable domain of an address, approximated without a list of public suffixes."""
    labels = (urllib.parse.urlsplit(url or "").hostname or "").removeprefix("www.").split(".")
    if len(labels) < 2:
        return otherwise
    count = 3 if len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in SECOND_LEVEL else 2
    return ".".join(labels[-count:])


_DECLARED = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([a-zA-Z0-9_:.-]+)", re.I)


def decode(raw):
    for mark, name in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if raw.startswith(mark):
            return raw[len(mark):].decode(name, "replace")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        pass
    found = _DECLARED.search(raw[:4096])
    name = found.group(1).decode("ascii", "ignore").lower() if found else "windows-1252"
    name = "windows-1252" if name in ("iso-8859-1", "latin-1", "latin1", "us-ascii") else name
    try:
        return raw.decode(name, "replace")
    except LookupError:
        return raw.decode("utf-8", "replace")


def _page(corpus, name, url, path, known):
    read = gzip.open if path.suffix == ".gz" else open

    def load():
        with read(path, "rb") as file:
            return decode(file.read())
    url = url if re.match(r"https?://", url or "") else None
    return Page(corpus, f"{corpus}/{name}", url, site_of(url, name), load, known)


def _wcxb(root):
    for path in sorted((root / "dev" / "ground-truth").glob("*.json")):
        entry = json.loads(path.read_text("utf8"))
        kind = ((entry.get("_internal") or {}).get("page_type") or {}).get("primary") or "article"
        known = {"text": entry["ground_truth"].get("main_content") or "", "type": kind}
        yield _page("wcxb", path.stem, entry.get("url"), root / "dev" / "html" / f"{path.stem}.html.gz", known)


def _news(root):
    for line in (root / "manifest.jsonl").open(encoding="utf8"):
        entry = json.loads(line)
        yield _page("news", entry["id"], entry.get("url"), root / entry["html"], {"text": entry["text"], "type": "article"})


def _trafilatura(root):
    entries = json.loads((root / "tests" / "evaldata.json").read_text("utf8"))
    for index, (url, entry) in enumerate(entries.items()):
        paths = [root / "tests" / folder / entry["file"] for folder in ("cache", "eval")]
        path = next((path for path in paths if path.exists()), None)
        if path:
            yield _page("trafilatura", f"{index:04d}", url, path, {"with": entry["with"], "without": entry["without"]})


def _mozilla(root):
    for folder in sorted((root / "test" / "test-pages").iterdir()):
        if (folder / "source.html").exists():
            known = {"text": _text_of((folder / "expected.html").read_text("utf8"))}
            yield _page("mozilla", folder.name, None, folder / "source.html", known)


READERS = {"wcxb": _wcxb, "news": _news, "trafilatura": _trafilatura, "mozilla": _mozilla}


def read(folder, names):
    """Returns all pages of the corpora in a folder, in the order of their ids."""
    roots = ((name, pathlib.Path(folder) / name) for name in names)
    return sorted((page for name, root in roots if root.is_dir() for page in READERS[name](root)), key=lambda page: page.id)


def ask(command, pages):
    """Returns the answers of an extractor process for all pages."""
    with tempfile.TemporaryDirectory() as folder:
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        path = pathlib.Path(folder) / "page.html"
        for page in pages:
            path.write_text(page.load(), "utf8", newline="")
            child.stdin.write(json.dumps({"id": page.id, "url": page.url, "html_path": str(path)}).encode() + b"\n")
            child.stdin.flush()
            yield page, json.loads(child.stdout.readline())
        child.stdin.close()
        child.wait()


_BLOCKS = set("address article aside blockquote body br caption center dd details dialog div dl dt fieldset figcaption figure footer "
              "form h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol option p pre section summary table tbody td tfoot th thead "
              "title tr ul".split())


class _Text(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.out, self.mute = [], 0

    def handle_starttag(self, tag, attributes):
        self.mute += tag in ("script", "style", "template", "head")
        self.out.append("\n" if tag in _BLOCKS else "")

    def handle_endtag(self, tag):
        self.mute -= tag in ("script", "style", "template", "head") and self.mute > 0
        self.out.append("\n" if tag in _BLOCKS else "")

    def handle_data(self, data):
        if not self.mute:
            self.out.append(data)


def _text_of(markup):
    parser = _Text()
    parser.feed(markup)
    parser.close()
    lines = (re.sub(r"[ \t\r\f\v\xa0]+", " ", line).strip() for line in "".join(parser.out).split("\n"))
    return "\n".join(line for line in lines if line)


def _folded(text):
    return re.sub(r"\s+", " ", unicodedata.normalize("NFC", text or "")).strip()


def _runs(text, length):
    words = WORD.findall(text)
    return collections.Counter([tuple(words)] if 0 < len(words) <= length else zip(*(words[at:] for at in range(length))))


def _counts(page, text):
    """Returns the correct, superfluous, and missing parts of an answer."""
    known = page.known
    if "with" in known:
        text = _folded(text)
        right = sum(_folded(snippet) in text for snippet in known["with"])
        return right, sum(_folded(snippet) in text for snippet in known["without"]), len(known["with"]) - right
    low = (lambda text: text.lower()) if page.corpus == "wcxb" else (lambda text: text)
    length = 4 if page.corpus == "news" else 1
    true, told = _runs(low(known["text"]), length), _runs(low(text), length)
    right = sum((true & told).values())
    return right, sum(told.values()) - right, sum(true.values()) - right


def _f(precision, recall):
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def worth(page, text):
    """Returns the F-score of one answer. An empty answer is correct if the reference is empty."""
    right, much, missing = _counts(page, text)
    return _f(right / (right + much) if right + much else 0.0, right / (right + missing) if right + missing else 0.0) \
        if right + much + missing else 1.0


def measure(pages, answers):
    """Returns the (precision, recall, F) of each corpus and, for pages of a known type, the mean F-score of the type."""
    told = {}
    for name in READERS:
        own = [page for page in pages if page.corpus == name]
        if not own:
            continue
        if name == "wcxb":
            scores = [worth(page, answers.get(page.id, "")) for page in own]
            told[name] = (None, None, statistics.fmean(scores))
            for kind in sorted({page.known["type"] for page in own}):
                told[f"wcxb {kind}"] = None, None, statistics.fmean(
                    score for page, score in zip(own, scores) if page.known["type"] == kind)
            continue
        counts = [_counts(page, answers.get(page.id, "")) for page in own]
        if name == "trafilatura":
            right, much, missing = (sum(column) for column in zip(*counts))
            precision, recall = right / max(1, right + much), right / max(1, right + missing)
        else:
            precision = statistics.fmean(right / (right + much) for right, much, _ in counts if right + much)
            recall = statistics.fmean(right / (right + missing) for right, _, missing in counts if right + missing)
        told[name] = precision, recall, _f(precision, recall)
    return told
