#!/usr/bin/env python3
"""Trains the models of a page's main part and type, and writes extract/src/html/main_part/gbdt.bin.

  cargo build --release -p carrel-extract --examples
  fit.py --corpora FOLDER --out extract/src/html/main_part/gbdt.bin
  fit.py --corpora FOLDER --folds 5 [--answers ANSWERS.json] [--trees TREES]

FOLDER contains the public corpora that `corpora.py` reads; none of them belongs in the repository. With --folds, no
model is written: the pages are split by site, so that no site is in two parts, and each part is answered by a model
that was trained on the other parts. One score per corpus is printed and, with --present, the scores of the compiled-in
model. The same pages and the same versions result in the same bytes: one thread, fixed seeds, pages in the order of
their ids.

Needs numpy and lightgbm (requirements.txt). The model has two rounds: the second round also receives the scores that
the first round gave to the neighbours and siblings of a unit, and the predicted type of the page. It is trained on
first-round scores and predicted types of pages from sites that were not in the training data of the first round and of
the type model.
"""
import argparse, collections, hashlib, json, pathlib, re, struct, tempfile

import lightgbm
import numpy

import corpora
from corpora import WORD, ask

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "target" / "release" / "examples"
# Weight of a page of each corpus. The text that Mozilla's program extracts is an opinion, not a reference.
WEIGHTS = {"wcxb": 1.0, "news": 2.0, "trafilatura": 1.0, "mozilla": 0.6}
# Maximum number of units of a page that are used for training.
UNITS = 300
# Number of folds whose models compute the first-round scores for training the second round.
ROUNDS = 2
FIRST = (dict(num_leaves=24, learning_rate=0.05), 300)
SECOND = (dict(num_leaves=16, learning_rate=0.05), 200)
TYPES = ["article", "forum", "product", "listing", "collection", "documentation", "service"]
TYPE_ROUNDS = 60
OF_TYPES = dict(objective="multiclass", num_class=len(TYPES), num_leaves=6, learning_rate=0.08, min_data_in_leaf=8, feature_fraction=0.2,
                bagging_fraction=0.8, bagging_freq=1, lambda_l2=5, seed=3, deterministic=True, force_row_wise=True, verbose=-1, num_threads=1)
SHARED = dict(objective="binary", min_data_in_leaf=40, feature_fraction=0.35, bagging_fraction=0.7, bagging_freq=1, lambda_l2=20,
              max_depth=9, min_sum_hessian_in_leaf=0.02, seed=7, max_bin=127, deterministic=True, force_row_wise=True, verbose=-1, num_threads=1)


def fold_space(text):
    return re.sub(r"\s+", " ", text or "").strip()


def unmarked(line):
    return re.sub(r"^([-*•]|\d+[.)])\s+", "", line)


def labels_of_text(units, text):
    """Returns the share of each unit that the reference text contains, by runs of four words, and for short units by
    whole lines."""
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
        # The page contains it more often than the text: occurrences near selected units are labelled.
        def nearness(i):
            near = [(label[j], 1 / abs(j - i)) for j in range(max(0, i - 8), min(len(units), i + 9)) if j != i and label[j] >= 0]
            return sum(value * weight for value, weight in near) / sum(weight for _, weight in near) if near else 0.0
        for rank, i in enumerate(sorted(places, key=nearness, reverse=True)):
            label[i] = 1.0 if rank < known and nearness(i) > 0.15 else 0.0
    return label


Row = collections.namedtuple("Row", "id columns table label weight siblings kin features type site learnt")


def hashed(text, parts):
    return int(hashlib.md5(text.encode()).hexdigest(), 16) % parts


def learnt_of(page, count):
    """Returns the units of a page that are used for training."""
    every = numpy.arange(count)
    return every if count <= UNITS else numpy.sort(numpy.random.RandomState(hashed(page.id, 2**31)).permutation(every)[:UNITS])


def row_of(page, told):
    units = told["units"]
    texts = [(text, features) for text, features, _, _ in units]
    words = numpy.array([len(WORD.findall(text)) for text, _ in texts], float)
    known = page.known
    if "text" in known:
        label = labels_of_text(texts, known["text"])
        size = max(1, len(WORD.findall(known["text"])))
        weight = numpy.minimum(1.0, words / (0.5 * size + 0.5 * min(size, words.sum()) + 60))
    else:
        label, weight = numpy.full(len(texts), numpy.nan), numpy.zeros(len(texts))
        for i, (unit, _) in enumerate(texts):
            text = fold_space(unit)
            hit = any(fold_space(s) in text for s in known["with"]), any(fold_space(s) in text for s in known["without"])
            if any(hit):
                label[i], weight[i] = float(hit[0]), 0.12
    table = numpy.array([features for _, features in texts], numpy.float32)
    siblings = numpy.array([groups for _, _, groups, _ in units])
    kin = numpy.array([kin for _, _, _, kin in units])
    return Row(page.id, told["columns"], table, label, weight * WEIGHTS[page.corpus], siblings, kin,
               numpy.array(told["page"], numpy.float32), known.get("type"), page.site, learnt_of(page, len(texts)))


def load(pages):
    return [row_of(page, told) for page, told in ask([EXAMPLES / "units"], pages) if told["units"]]


def train(tables, labels, weights, parameters, rounds):
    x, y, w = numpy.concatenate(tables), numpy.concatenate(labels), numpy.concatenate(weights)
    used = ~numpy.isnan(y) & (w > 0)
    x, y, w = x[used], numpy.clip(y[used], 0, 1), w[used]
    partly = (y > 0) & (y < 1)
    x = numpy.concatenate([x, x[partly]])
    w = numpy.concatenate([numpy.where(partly, w * y, w), (w * (1 - y))[partly]])
    y = numpy.concatenate([numpy.where(partly, 1, y), numpy.zeros(partly.sum())])
    return lightgbm.train({**SHARED, **parameters}, lightgbm.Dataset(x, y, weight=w * 100), rounds)


def around(judged, words, siblings, kin, types):
    """Returns the features of the second round, which `classify.rs` computes in the same way."""
    count = len(judged)
    padded = numpy.pad(judged, 3, constant_values=-0.1)
    columns = [judged] + [padded[3 + d:3 + d + count] for d in (-3, -2, -1, 1, 2, 3)]
    places = numpy.arange(count)

    def windows(reach):
        low, high = numpy.maximum(0, places - reach), numpy.minimum(count, places + reach + 1)

        def window(values):
            sums = numpy.concatenate([[0.0], numpy.cumsum(values)])
            return sums[high] - sums[low]
        return window

    for window in map(windows, (4, 10, 25)):
        columns += [window(judged * words) / (window(words) + 1e-6), window(judged) / window(numpy.ones(count))]
    total = (judged * words).sum()
    columns += [numpy.full(count, numpy.log1p(total)), numpy.full(count, total / (words.sum() + 1e-6)),
                numpy.full(count, judged.max()), numpy.cumsum(judged * words) / (total + 1e-6)]
    for places in siblings.T:
        units, probabilities, sizes, products = (numpy.bincount(places, values)[places] for values in (None, judged, words, judged * words))
        columns += [numpy.log1p(units), probabilities / units, products / (sizes + 1e-6)]
    products, sizes = (numpy.concatenate([[0.0], numpy.cumsum(values)]) for values in (judged * words, words))
    for low, high in kin.transpose(1, 2, 0):
        beside = products[high] - products[low] - judged * words
        columns += [beside / (sizes[high] - sizes[low] - words + 1e-6), beside / (total + 1e-6)]
    kept = numpy.flatnonzero(judged > 0.5)
    columns += [numpy.clip(numpy.arange(count) - end, -30, 30) for end in ((kept[0], kept[-1]) if len(kept) else (0, 0))]
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
    return judge.predict(row.features[None], num_threads=1)[0]


def learnt(rows, name):
    return [getattr(row, name)[row.learnt] for row in rows]


def train_first(rows):
    return train(*(learnt(rows, name) for name in ("table", "label", "weight")), *FIRST)


def fit(rows):
    parts = numpy.array([hashed("round " + row.site, ROUNDS) for row in rows])
    unseen, types = [None] * len(rows), [None] * len(rows)
    for part in range(ROUNDS):
        some = [row for row, own in zip(rows, parts) if own != part]
        judge, judge_of_types = train_first(some), train_types(some)
        for i in numpy.flatnonzero(parts == part):
            unseen[i] = judge.predict(rows[i].table, num_threads=1)
            types[i] = types_of(judge_of_types, rows[i])
    wide = [numpy.hstack([row.table, around(judged, weights_of(row), row.siblings, row.kin, kind)])[row.learnt]
            for row, judged, kind in zip(rows, unseen, types)]
    return train_first(rows), train(wide, learnt(rows, "label"), learnt(rows, "weight"), *SECOND), train_types(rows)


def write(judges, path):
    first, second, of_types = (judge.dump_model() for judge in judges)
    rounds = [(first, first["tree_info"]), (second, second["tree_info"])]
    rounds += [(of_types, of_types["tree_info"][kind::len(TYPES)]) for kind in range(len(TYPES))]
    out = b"CMP1" + struct.pack("<B", len(rounds))
    for model, trees in rounds:
        # A tree without splits is a constant, which can be added to another tree.
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


def by_folds(pages, rows, count, scratch):
    """Returns the answers for all pages, each by a model that was not trained on the site of the page."""
    answers = {}
    for part in range(count):
        trees = pathlib.Path(scratch) / f"{part}.bin"
        write(fit([row for row in rows if hashed(row.site, count) != part]), trees)
        asked = [page for page in pages if hashed(page.site, count) == part]
        answers.update((page.id, told.get("text") or "") for page, told in ask([EXAMPLES / "jsonl", trees], asked))
        print("part", part + 1, "of", count, flush=True)
    return answers


def tell(pages, answers):
    for name, (precision, recall, score) in corpora.measure(pages, answers).items():
        parts = "" if precision is None else f" (precision {precision:.4f}, recall {recall:.4f})"
        print(f"{name:22} F1 {score:.4f}{parts}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", required=True, help="the folder of the corpora")
    parser.add_argument("--only", default=",".join(corpora.READERS), help="names of corpora, with commas between them")
    parser.add_argument("--out", help="where the judge is written that is fitted on all pages")
    parser.add_argument("--folds", type=int, default=0, help="how many parts the sites are parted in for a check")
    parser.add_argument("--present", action="store_true", help="tell what the judge is worth that the examples are built with")
    parser.add_argument("--trees", help="a folder where the judges of the parts are written, for by_folds.py")
    parser.add_argument("--answers", help="where the answers of the last check are written as JSON")
    options = parser.parse_args()
    pages = corpora.read(options.corpora, options.only.split(","))
    answers = None
    if options.present:
        answers = {page.id: told.get("text") or "" for page, told in ask([EXAMPLES / "jsonl"], pages)}
        tell(pages, answers)
    if options.folds or options.out:
        rows = load(pages)
    if options.folds:
        with tempfile.TemporaryDirectory() as scratch:
            if options.trees:
                pathlib.Path(options.trees).mkdir(parents=True, exist_ok=True)
            answers = by_folds(pages, rows, options.folds, options.trees or scratch)
        tell(pages, answers)
    if options.answers and answers is not None:
        pathlib.Path(options.answers).write_text(json.dumps(answers, ensure_ascii=False), "utf8")
    if options.out:
        write(fit(rows), options.out)


if __name__ == "__main__":
    main()
