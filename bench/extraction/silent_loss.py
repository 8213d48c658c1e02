#!/usr/bin/env python3
"""Checks that nothing is lost in tables, code and formulas that an answer contains.

  silent_loss.py --corpora FOLDER [--carrel PROGRAM] [--worst 20]

For each page of the public corpora, the words of each data table, of each block of code and of each formula are
compared with those of the answer. An element counts as selected if at least half of its runs of three words are in the
answer. Its loss is the share of its words that are missing in the answer. Printed are the number of selected elements,
the pages with a loss above 2 %, and the worst ones. Elements that the page hides, tables of one row or column, and
tables that contain tables do not count. An element is not selected if its runs are in the answer only because another
element of the page has them. Text for screen readers, controls for ratings, and footnote marks are not part of an
element.

Needs lxml (requirements.txt).
"""
import argparse, collections, json, re, subprocess, tempfile, unicodedata

import lxml.html

import corpora

LIMIT = 0.02
KINDS = {"table": "table", "code": "pre", "formula": "math"}
HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
# Class names of text for screen readers, of controls for ratings, and of footnote marks.
OTHER = re.compile(r"(^|\s)(sr-only|visually-?hidden|screen-reader-text|ratingstars|stars|reference)(\s|$)", re.I)
SKIPPED = {"script", "style", "template", "noscript", "annotation", "annotation-xml", "button", "select", "svg"}


# Soft hyphens and zero-width characters, which do not separate words.
INVISIBLE = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")


def words(text):
    text = unicodedata.normalize("NFKC", INVISIBLE.sub("", text or ""))
    return corpora.WORD.findall(text.lower().replace("_", " "))


def is_hidden(element):
    return any(HIDDEN.search(above.get("style") or "") or above.get("hidden") is not None or above.get("aria-hidden") == "true"
               for above in (element, *element.iterancestors()))


def text_of(element):
    """Visible text, with a space between elements."""
    parts = []

    def add(node):
        if not isinstance(node.tag, str) or node.tag in SKIPPED:
            return
        is_other = OTHER.search(node.get("class") or "")
        if is_other or HIDDEN.search(node.get("style") or "") or node.get("hidden") is not None:
            return
        parts.append(node.text or "")
        for child in node:
            add(child)
            parts.append(child.tail or "")
            if child.tag in ("td", "th", "tr", "br", "p", "div", "li"):
                parts.append(" ")

    add(element)
    return "".join(parts)


def is_data_table(table):
    rows = [[cell for cell in row if cell.tag in ("td", "th")] for row in table.iter("tr")]
    is_layout = table.get("role") in ("presentation", "none") or next(table.iterdescendants("table"), None) is not None
    return not is_layout and len(rows) > 1 and max(map(len, rows)) > 1


def elements(markup):
    try:
        page = lxml.html.document_fromstring(markup)
    except (lxml.etree.ParserError, ValueError):
        return
    for kind, tag in KINDS.items():
        for element in page.iter(tag):
            if is_hidden(element) or kind == "table" and not is_data_table(element):
                continue
            own = words(text_of(element))
            if len(own) >= 4:
                yield kind, own


def runs(own):
    return set(zip(own, own[1:], own[2:]))


def losses(markup, answer):
    """For each selected element: its kind, its words, and the share of its words that are missing in the answer."""
    known, known_runs, joined = collections.Counter(answer), runs(answer), "".join(answer)
    found = []
    for kind, own in elements(markup):
        # A word that is only part of a longer one was separated by a style sheet.
        missing = collections.Counter(own) - known
        lost = sum(count for word, count in missing.items() if word in known or word not in joined) / len(own)
        found.append((kind, own, lost))
    whole = set().union(*(runs(own) for _, own, lost in found if lost <= LIMIT))
    for kind, own, lost in found:
        own_runs = runs(own) if lost <= LIMIT else runs(own) - whole
        if own_runs and len(own_runs & known_runs) * 2 >= len(own_runs):
            yield kind, own, lost


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--corpora", required=True)
    parser.add_argument("--carrel", default="target/release/carrel")
    parser.add_argument("--worst", type=int, default=20)
    options = parser.parse_args()
    pages = corpora.read(options.corpora, corpora.READERS)
    program = subprocess.Popen([options.carrel, "extract", "--jsonl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    counts, found, lossy = collections.Counter(), [], set()
    file = tempfile.NamedTemporaryFile("w", encoding="utf8", suffix=".html")
    for page in pages:
        markup = page.load()
        file.seek(0)
        file.truncate()
        file.write(markup)
        file.flush()
        question = {"id": page.id, "url": page.url, "html_path": file.name}
        program.stdin.write(json.dumps(question).encode() + b"\n")
        program.stdin.flush()
        answer = words(json.loads(program.stdout.readline()).get("text"))
        for kind, own, lost in losses(markup, answer):
            counts[kind] += 1
            if lost > LIMIT:
                lossy.add(page.id)
                found.append((lost, len(own), kind, page.id, " ".join(own[:8])))
    program.stdin.close()
    print("selected:", ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    print(f"pages with a loss above {LIMIT:.0%}: {len(lossy)} of {len(pages)}")
    for lost, size, kind, page, start in sorted(found, reverse=True)[:options.worst]:
        print(f"{lost:6.1%} of {size:5} words  {kind:7} {page}: {start}")


main()
