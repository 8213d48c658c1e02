#!/usr/bin/env python3
"""Prints the pages with the lowest scores of each corpus, with their errors.

  worst.py --corpora FOLDER [--carrel PROGRAM] [--save ANSWERS.json] [--worst 20] [--lines 3]
  worst.py --corpora FOLDER --answers AFTER.json --before BEFORE.json

The answers are those of `carrel extract --jsonl`, or those of a file: `--save` and `fit.py --folds 5 --answers` write
such files. The latter come from models that were not trained on the site of the page. With `--before`, the pages that
were worst in that file are printed, with their scores then and now. Pages are ordered by F1; those of trafilatura, of
which only snippets are known, by the number of wrong snippets. `--lines` prints that many superfluous (`+`) and
missing (`-`) lines.
"""
import argparse, json, pathlib, statistics

import corpora


def answers_of(path):
    return json.loads(pathlib.Path(path).read_text("utf8"))


def ask(program, pages):
    answers = corpora.ask([program, "extract", "--jsonl"], pages)
    return {page.id: answer.get("text") or "" for page, answer in answers}


def badness(page, text):
    """Key that orders pages from the worst to the best."""
    _, much, missing = corpora._counts(page, text)
    worth = corpora.worth(page, text)
    return (-(much + missing), worth, page.id) if "with" in page.known else (worth, -(much + missing), page.id)


def differences(page, text):
    """Returns the superfluous and the missing lines or snippets."""
    if "with" in page.known:
        text = corpora._folded(text)
        much = [snippet for snippet in page.known["without"] if corpora._folded(snippet) in text]
        return much, [snippet for snippet in page.known["with"] if corpora._folded(snippet) not in text]

    def lines_without(lines, other):
        runs = corpora._runs(other.lower(), 3)
        for line in lines.split("\n"):
            own = corpora._runs(line.lower(), 3)
            if own and sum(run in runs for run in own) * 2 < len(own):
                yield line.strip()
    return list(lines_without(text, page.known["text"])), list(lines_without(page.known["text"], text))


def print_page(page, now, before, lines):
    right, much, missing = corpora._counts(page, now)
    score = f"{corpora.worth(page, now):.3f}"
    if before is not None:
        score = f"{corpora.worth(page, before):.3f} -> {score}"
    print(f"{score}  {right:6} right {much:6} too much {missing:6} missing  {page.known.get('type', ''):13} {page.id}  {page.url or ''}")
    for sign, wrong in zip("+-", differences(page, now)):
        for line in sorted(wrong, key=len, reverse=True)[:lines]:
            print(f"      {sign} {line[:160]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", required=True, help="the folder of the corpora")
    parser.add_argument("--only", default=",".join(corpora.READERS), help="names of corpora, with commas between them")
    parser.add_argument("--carrel", default="target/release/carrel", help="the executable that is asked")
    parser.add_argument("--answers", help="answers of all pages as JSON, instead of asking the executable")
    parser.add_argument("--before", help="earlier answers of all pages as JSON")
    parser.add_argument("--save", help="where the answers are written as JSON")
    parser.add_argument("--worst", type=int, default=20, help="how many pages of each corpus are printed")
    parser.add_argument("--lines", type=int, default=0, help="how many wrong lines of each page are printed")
    options = parser.parse_args()
    pages = corpora.read(options.corpora, options.only.split(","))
    now = answers_of(options.answers) if options.answers else ask(options.carrel, pages)
    before = answers_of(options.before) if options.before else None
    if options.save:
        pathlib.Path(options.save).write_text(json.dumps(now, ensure_ascii=False), "utf8")
    ranked = now if before is None else before
    for name in options.only.split(","):
        own = sorted((page for page in pages if page.corpus == name), key=lambda page: badness(page, ranked.get(page.id, "")))
        worst = own[:options.worst]
        if not worst:
            continue
        print(f"\n{name}: the worst {len(worst)} of {len(own)} pages")
        for page in worst:
            print_page(page, now.get(page.id, ""), before and before.get(page.id, ""), options.lines)
        for label, answers in (("before", before), ("now", now)):
            if answers is not None:
                mean = statistics.fmean(corpora.worth(page, answers.get(page.id, "")) for page in worst)
                print(f"mean F1 of these pages {label}: {mean:.3f}")


if __name__ == "__main__":
    main()
