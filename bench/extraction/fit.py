#!/usr/bin/env python3
"""Fits the judges of a page's main part and type and writes extract/src/html/main_part/gbdt.bin.

  fit.py --pages PAGES.jsonl --truth TRUTH.jsonl --out TREES.bin [--folds]

PAGES.jsonl is what `cargo run --release -p carrel-extract --example units` prints for questions of the
benchmark's protocol: {"id", "columns": names of the features, "units": [[text, features, siblings], ...], "page": features}. TRUTH.jsonl has one
object a page: {"id", "text"} where the whole text is known, or {"id", "with": [...], "without": [...]} where
only snippets are; "type" where the page's type is known. None of these belong into the repository. With
--folds the pages are parted in two by their id, and what a judge fitted on one half gives on the other is
printed; the judge that is written is always fitted on all pages given. The example `jsonl TREES.bin` answers
the benchmark's questions by a judge that is not compiled in.

Needs numpy and lightgbm. The judge has two rounds: the second one knows what the first thought of the units
round each unit and of its siblings, and what type the page is probably of. It is fitted on first judgements and
types of pages that the first and the judge of types had not seen.
"""
import argparse, collections, hashlib, json, re, struct

import lightgbm
import numpy

WORD = re.compile(r"\w+", re.UNICODE)
FIRST = (dict(num_leaves=16, learning_rate=0.07), 220)
SECOND = (dict(num_leaves=12, learning_rate=0.06), 130)
TYPES = ["article", "forum", "product", "listing", "collection", "documentation", "service"]
TYPE_ROUNDS = 60
OF_TYPES = dict(objective="multiclass", num_class=len(TYPES), num_leaves=6, learning_rate=0.08, min_data_in_leaf=8, feature_fraction=0.2,
                bagging_fraction=0.8, bagging_freq=1, lambda_l2=5, seed=3, deterministic=True, verbose=-1, num_threads=2)
SHARED = dict(objective="binary", min_data_in_leaf=60, feature_fraction=0.35, bagging_fraction=0.7, bagging_freq=1, lambda_l2=20,
              max_depth=7, min_sum_hessian_in_leaf=0.02, seed=7, deterministic=True, verbose=-1, num_threads=2)


def fold_space(text):
    return re.sub(r"\s+", " ", text or "").strip()


def unmarked(line):
    return re.sub(r"^([-*•]|\d+[.)])\s+", "", line)


def labels_of_text(units, text):
    """How much of each unit the known text holds, by runs of four words; short units by whole lines."""
    lines = collections.Counter()
    for line in text.lower().split("\n"):
        line = fold_space(line)
        if line:
            lines[line] += 1
            if unmarked(line) != line:
                lines[unmarked(line)] += 1
    words = WORD.findall(text.lower())
    runs = {n: set(zip(*(words[i:] for i in range(n)))) for n in (3, 4)}
    whole = fold_space(text.lower())
    label = numpy.full(len(units), -1.0)
    short = collections.defaultdict(list)
    for i, (unit, _) in enumerate(units):
        own = WORD.findall(unit.lower())
        line = unmarked(fold_space(unit.lower()))
        if not own:
            label[i] = numpy.nan
        elif len(own) > 5:
            grams = list(zip(*(own[k:] for k in range(4))))
            label[i] = sum(gram in runs[4] for gram in grams) / len(grams)
        elif line in lines:
            short[line].append(i)
        elif len(own) >= 2 and any(known.startswith(line) or known.endswith(line) for known in lines):
            short["~" + line].append(i)
        elif len(own) >= 3 and tuple(own[:4]) in runs[min(len(own), 4)]:
            short["~" + line].append(i)
        else:
            label[i] = 0.0
    for line, places in short.items():
        known = whole.count(line[1:]) if line[0] == "~" else lines[line]
        if len(places) <= known:
            label[places] = 1.0
            continue
        # The page has it more often than the text: those among kept units are meant.
        def nearness(i):
            near = [(label[j], 1 / abs(j - i)) for j in range(max(0, i - 8), min(len(units), i + 9)) if j != i and label[j] >= 0]
            return sum(value * weight for value, weight in near) / sum(weight for _, weight in near) if near else 0.0
        for rank, i in enumerate(sorted(places, key=nearness, reverse=True)):
            label[i] = 1.0 if rank < known and nearness(i) > 0.15 else 0.0
    return label


Page = collections.namedtuple("Page", "id columns table label weight siblings features type")


def load(pages, truth):
    known = {entry["id"]: entry for entry in map(json.loads, open(truth, encoding="utf8"))}
    rows = []
    for line in open(pages, encoding="utf8"):
        page = json.loads(line)
        units, entry = page["units"], known.get(page["id"])
        if not units or entry is None:
            continue
        texts = [(text, features) for text, features, _ in units]
        words = numpy.array([len(WORD.findall(text)) for text, _ in texts], float)
        if entry.get("text") is not None:
            label = labels_of_text(texts, entry["text"])
            size = max(1, len(WORD.findall(entry["text"])))
            weight = numpy.minimum(1.0, words / (0.5 * size + 0.5 * min(size, words.sum()) + 60)) * entry.get("weight", 1.0)
        else:
            label, weight = numpy.full(len(texts), numpy.nan), numpy.zeros(len(texts))
            for i, (unit, _) in enumerate(texts):
                text = fold_space(unit)
                hit = any(fold_space(s) in text for s in entry["with"]), any(fold_space(s) in text for s in entry["without"])
                if any(hit):
                    label[i], weight[i] = float(hit[0]), 0.12
        table = numpy.array([features for _, features in texts], numpy.float32)
        siblings = numpy.array([groups for _, _, groups in units])
        rows.append(Page(page["id"], page["columns"], table, label, weight, siblings, numpy.array(page["page"], numpy.float32), entry.get("type")))
    return rows


def train(tables, labels, weights, parameters, rounds):
    x, y, w = numpy.concatenate(tables), numpy.concatenate(labels), numpy.concatenate(weights)
    used = ~numpy.isnan(y) & (w > 0)
    x, y, w = x[used], numpy.clip(y[used], 0, 1), w[used]
    partly = (y > 0) & (y < 1)
    x = numpy.concatenate([x, x[partly]])
    w = numpy.concatenate([numpy.where(partly, w * y, w), (w * (1 - y))[partly]])
    y = numpy.concatenate([numpy.where(partly, 1, y), numpy.zeros(partly.sum())])
    return lightgbm.train({**SHARED, **parameters}, lightgbm.Dataset(x, y, weight=w * 100), rounds)


def around(judged, words, siblings, types):
    """What `classify.rs` calls the same."""
    count = len(judged)
    padded = numpy.pad(judged, 3, constant_values=-0.1)
    columns = [judged] + [padded[3 + d:3 + d + count] for d in (-3, -2, -1, 1, 2, 3)]
    for reach in (4, 10, 25):
        window = lambda values: numpy.array([values[max(0, i - reach):i + reach + 1].sum() for i in range(count)])
        columns += [window(judged * words) / (window(words) + 1e-6), window(judged) / window(numpy.ones(count))]
    total = (judged * words).sum()
    columns += [numpy.full(count, numpy.log1p(total)), numpy.full(count, total / (words.sum() + 1e-6)),
                numpy.full(count, judged.max()), numpy.cumsum(judged * words) / (total + 1e-6)]
    for places in siblings.T:
        units, probabilities, sizes, products = (numpy.bincount(places, values)[places] for values in (None, judged, words, judged * words))
        columns += [numpy.log1p(units), probabilities / units, products / (sizes + 1e-6)]
    return numpy.hstack([numpy.stack(columns, 1), numpy.repeat(types[None, :], count, 0)]).astype(numpy.float32)


def words_of(row):
    return numpy.expm1(row.table[:, row.columns.index("words")])


def weights_of(row):
    return words_of(row).astype(float) + 0.01


def train_types(rows):
    known = [row for row in rows if row.type]
    data = lightgbm.Dataset(numpy.stack([row.features for row in known]), [TYPES.index(row.type) for row in known])
    return lightgbm.train(OF_TYPES, data, TYPE_ROUNDS)


def types_of(judge, row):
    return judge.predict(row.features[None])[0]


def fit(rows):
    parts = numpy.random.RandomState(1).randint(0, 4, len(rows))
    unseen, types = [None] * len(rows), [None] * len(rows)
    for part in range(4):
        some = [row for row, own in zip(rows, parts) if own != part]
        judge = train([row.table for row in some], [row.label for row in some], [row.weight for row in some], *FIRST)
        judge_of_types = train_types(some)
        for i in numpy.flatnonzero(parts == part):
            unseen[i] = judge.predict(rows[i].table)
            types[i] = types_of(judge_of_types, rows[i])
    tables, labels, weights = ([getattr(row, name) for row in rows] for name in ("table", "label", "weight"))
    first = train(tables, labels, weights, *FIRST)
    wide = [numpy.hstack([row.table, around(judged, weights_of(row), row.siblings, kind)]) for row, judged, kind in zip(rows, unseen, types)]
    return first, train(wide, labels, weights, *SECOND), train_types(rows)


def apply(judges, row):
    first, second, of_types = judges
    words = weights_of(row)
    judged = second.predict(numpy.hstack([row.table, around(first.predict(row.table), words, row.siblings, types_of(of_types, row))]))
    order = numpy.argsort(-judged, kind="stable")
    expected = 2 * numpy.cumsum((judged * words)[order]) / (numpy.cumsum(words[order]) + (judged * words).sum() + 1e-9)
    cut = min(0.62, max(0.12, judged[order][int(numpy.argmax(expected))])) - 1e-6
    return judged > cut


def write(judges, path):
    first, second, of_types = (judge.dump_model() for judge in judges)
    rounds = [(first, first["tree_info"]), (second, second["tree_info"])]
    rounds += [(of_types, of_types["tree_info"][kind::len(TYPES)]) for kind in range(len(TYPES))]
    out = b"CMP1" + struct.pack("<B", len(rounds))
    for model, trees in rounds:
        # A tree without splits is a constant, which another one can carry.
        constant = sum(tree["tree_structure"]["leaf_value"] for tree in trees if tree["num_leaves"] == 1)
        trees = [tree for tree in trees if tree["num_leaves"] > 1]
        out += struct.pack("<HH", model["max_feature_idx"] + 1, len(trees))
        for tree in trees:
            splits, leaves = [], []

            def visit(node):
                if "split_feature" not in node:
                    leaves.append(node["leaf_value"] + constant)
                    return -len(leaves)
                index = len(splits)
                splits.append(None)
                left, right = visit(node["left_child"]), visit(node["right_child"])
                splits[index] = (node["split_feature"], node["threshold"], left, right)
                return index

            visit(tree["tree_structure"])
            constant = 0.0
            out += struct.pack("<B", len(splits)) + b"".join(struct.pack("<Bfbb", *split) for split in splits)
            out += b"".join(struct.pack("<f", leaf) for leaf in leaves)
    with open(path, "wb") as file:
        file.write(out)


def score(judges, rows):
    """Mean over pages of the F-score by words, against the labels."""
    scores = []
    for row in rows:
        true, words = numpy.nan_to_num(row.label), words_of(row)
        kept = apply(judges, row)
        right = (true * words)[kept].sum()
        scores.append(2 * right / max(1e-9, words[kept].sum() + (true * words).sum()))
    return numpy.mean(scores)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("pages", "truth", "out"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--folds", action="store_true")
    options = parser.parse_args()
    rows = load(options.pages, options.truth)
    if options.folds:
        half = lambda row: int(hashlib.md5(row.id.encode()).hexdigest(), 16) % 2
        for part in (0, 1):
            judges = fit([row for row in rows if half(row) == part])
            print("fitted on half", part, "checked on the other:", round(score(judges, [row for row in rows if half(row) != part]), 4))
    write(fit(rows), options.out)


if __name__ == "__main__":
    main()
