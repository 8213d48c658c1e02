"""The sequences of `sequences.py`: pages at one address, a monitor for each tool, and the alerts that a reader wants.

`wanted` has a character for each step after the first: `1` an alert, `0` none, `?` open. `says` and `never` are words
of the messages of a step. A page may be a function of the request, for content that differs in each response.
"""

import collections
import dataclasses
import gzip
import itertools
import json

Request = collections.namedtuple("Request", "number method headers body")
HTML = "text/html; charset=utf-8"


@dataclasses.dataclass
class Page:
    # Text, bytes, or a function of the request that returns a page or its text.
    body: object
    status: int = 200
    kind: str = HTML
    headers: dict = dataclasses.field(default_factory=dict)
    # Number of bytes that are announced but never sent.
    lost_bytes: int = 0
    # Pages below the address.
    parts: dict = dataclasses.field(default_factory=dict)

    def answer(self, request):
        answer = self.body(request)
        return answer if isinstance(answer, Page) else dataclasses.replace(self, body=answer)


@dataclasses.dataclass
class Step:
    page: Page
    wanted: str = "0"
    checks: int = 1
    says: list = dataclasses.field(default_factory=list)
    never: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Sequence:
    name: str
    steps: list
    carrel: dict
    # None if it has no counterpart.
    peer: dict


TABLE = []


def watch(name, pages, wanted, monitor=({}, {}), checks=None, says=None, never=()):
    """Adds a sequence. `checks` and `says` are by step, the first has the number 0."""
    assert len(pages) == len(wanted) + 1, name
    assert name not in {sequence.name for sequence in TABLE}, name
    steps = []
    for at, (page, want) in enumerate(zip(pages, "0" + wanted)):
        page = page if isinstance(page, Page) else Page(page)
        words = (says or {}).get(at, [])
        steps.append(Step(page, want, (checks or {}).get(at, 1), [words] if isinstance(words, str) else words,
        list(never)))
    TABLE.append(Sequence(name, steps, *monitor))


# Monitors: the definition for Carrel, and the one for changedetection.io.
WHOLE = ({}, {})


def part(selector, **more):
    return {"selector": selector, **more}, {"include_filters": [selector]}


def appears(text, selector=None, peer=None):
    own = {"trigger": {"kind": "text_appears", "value": text}}
    other = {"trigger_text": [peer or text]}
    if selector:
        own["selector"], other["include_filters"] = selector, [selector]
    return own, other


def disappears(text, selector=None):
    own, other = {"trigger": {"kind": "text_disappears", "value": text}}, {"text_should_not_be_present": [text]}
    if selector:
        own["selector"], other["include_filters"] = selector, [selector]
    return own, other


def compares(kind, limit, selector=".price"):
    sign = {"below": "<", "above": ">"}[kind]
    rule = {"field": "extracted_number", "operator": sign, "value": str(limit)}
    return ({"selector": selector, "trigger": {"kind": kind, "value": limit}},
            {"include_filters": [selector], "conditions": [rule]})


def below(limit, selector=".price"):
    return compares("below", limit, selector)


def above(limit, selector=".price"):
    return compares("above", limit, selector)


def field(name, selector="", **more):
    return {"name": name, "selector": selector, **more}


def items(selector, *fields, trigger=None, **more):
    """Watches a list by its items. The other tool watches their text, and may be limited to added or removed lines."""
    own = {"targetType": "extract", "items": selector, "fields": list(fields) or [field("item", key=True)], **more}
    other = {"include_filters": [selector]}
    if trigger:
        own["trigger"] = {"kind": trigger}
        other |= {f"filter_text_{kind}": kind == trigger for kind in ("added", "removed", "replaced")}
    return own, other


def only(kind, value=None, selector=None):
    trigger = {"kind": kind, "value": value} if value else {"kind": kind}
    own, other = {"trigger": trigger}, {f"filter_text_{word}": word == kind for word in ("added", "removed",
      "replaced")}
    if value:
        other["trigger_text"] = [value]
    if selector:
        own["selector"], other["include_filters"] = selector, [selector]
    return own, other


def test(kind, value=None, **more):
    return {"test": kind, **({} if value is None else {"value": value}), **more}


def when(*tests, join="all", groups=None, target=None, peer=None):
    groups = groups or [{"join": join, "tests": list(tests)}]
    trigger = {"kind": "condition", "condition": {"join": "all", "groups": groups}}
    return {**(target or {"selector": ".price"}), "trigger": trigger}, peer


def rules(*triples, selector=".price", join="ALL"):
    conditions = [dict(zip(("field", "operator", "value"), triple)) for triple in triples]
    return {"include_filters": [selector], "conditions": conditions, "conditions_match_logic": join}


def alone(**own):
    """Monitor without a counterpart."""
    return own, None


# Pages.
SENTENCES = """The shop is in the old ropewalk near the ferry stage, and it opens on six days of the week.
Everything on these shelves was chosen by people who use it themselves and who repair what breaks.
Parcels leave the house in the afternoon and are with most customers two working days afterwards.
The brass is cast in a small foundry in the hills, and the glass comes from a works on the lake.
A wick lasts for one winter if it is trimmed, and spare ones hang next to the counter.
Questions are answered by Ada and Jonas, who have stood behind this counter for many years.
The workshop smells of oil and wood, and children may turn the large grindstone on market days.
Returns are accepted if the box is whole, and the money is sent back in the same way it came.
The reading group meets upstairs where the nets were dried, and there is tea and plain cake.
Our van drives along the coast road every week and stops at each school and at the lighthouse.
The club was founded by eleven rowers who shared two boats and one very long jetty.
Members borrow tools against a signature, and nothing has been lost that did not come back.
The council thanks everybody who brought chairs, songs and good ideas to the last assembly.
Please leave the path as you found it, close the gate, and keep dogs away from the sheep.
The archive holds letters, maps and logbooks, and a helper will fetch them from the cellar.
In the garden grow beans, quinces and a mulberry that is older than the house behind it.
The hall was painted in grey and green, which the painters had left over from the harbour cranes.
Tickets for the ferry are sold on board, and bicycles travel free of charge in the bow.
The choir sings what the members bring along, from sea songs to the masses of old masters.
A guide in large print lies at the entrance, and the staff gladly read it out aloud.
The stove in the waiting hut is lit by whoever comes first, and the wood is stacked outside.
The course begins with knots and ends with a night at sea under sail and without any engine.
The clock above the door has stopped so often that the village tells the time by the baker.
Letters to the editors are printed without cuts if they are signed and shorter than a page.""".split("\n")
_NUMBERS = itertools.count()


def filler(seed, count=7):
    return "".join(f"<p>{SENTENCES[(seed * 5 + at * 7) % len(SENTENCES)]}</p>" for at in range(count))


def shell(main, seed=0, title="The Ropewalk", head="", before="", after="", lang="en", count=7):
    return (f"<!doctype html><html lang={lang}><head><meta charset=utf-8><title>{title}</title>{head}</head><body>"
            "<header><nav><a href=/>Start</a> <a href=/news>News</a> <a href=/contact>Contact</a></nav></header>"
            f"{before}"
            f"<main><h1>{title}</h1>{main}{filler(seed, count)}</main>{after}"
            f"<footer><p>Imprint</p></footer></body></html>")


def pages(*mains, **more):
    """Pages that differ only in these parts."""
    seed = next(_NUMBERS)
    return [shell(main, seed, **more) for main in mains]


def interrupted(other, before, after, **more):
    """The page, a different page in its place, the page again, and the page with a change."""
    first, last = pages(before, after, **more)
    return [first, other, first, last]


def priced(*prices, tag="p"):
    return pages(*[f"<{tag} class=price>{price}</{tag}><p>Article 40, boxed.</p>" for price in prices],
      title="Ship's lamp")


def listing(*lists, kind="ul", name="stock"):
    cells = lambda entries: "".join(f"<li class=entry>{entry}</li>" for entry in entries)  # noqa: E731
    return pages(*[f"<{kind} class={name}>{cells(entries)}</{kind}>" for entries in lists])


def documents(kind, *bodies, **more):
    return [Page(body, kind=kind, **more) for body in bodies]


def data(*values):
    return documents("application/json", *[json.dumps(value, ensure_ascii=False) for value in values])


# Words for availability.
watch("stock-comes-thrice", pages(*[f"<p class=stock>{word}</p>" for word in
      ["Sold out", "In stock", "Sold out", "In stock", "Sold out", "In stock"]]), "10101",
      appears("In stock", peer="In stock"))
watch("stock-negated", pages("<p class=stock>Currently not in stock</p>",
      "<p class=stock>Not in stock until spring</p>",
                             "<p class=stock>In stock</p>"), "01", appears("in stock"))
watch("stock-negated-german", pages("<p>Derzeit nicht verfügbar</p>", "<p>Leider nicht verfügbar</p>",
                                    "<p>Sofort verfügbar</p>", lang="de"), "01", appears("verfügbar"))
watch("stock-unavailable-word", pages("<p>This item is unavailable.</p>", "<p>This item is unavailable today.</p>",
                                      "<p>This item is available.</p>"), "01", appears("available"))
watch("stock-gone-of-sold-out", pages("<p>Size 42: sold out</p>", "<p>Size 42: sold out, more in May</p>",
                                      "<p>Size 42: 3 pairs</p>"), "01", disappears("sold out"))
watch("stock-gone-behind-403", interrupted(Page("Forbidden", status=403), "<p>Sold out</p>",
                                           "<p>Ready to ship</p>"), "001", disappears("Sold out"))
watch("stock-gone-behind-robot-check",
      interrupted(shell("<p>Verify you are human to continue.</p>", title="Just a moment...", count=0),
      "<p>Sold out</p>",
                  "<p>Ready to ship</p>"), "001", disappears("Sold out"))
watch("stock-beside-another", listing(["Boot A — in stock", "Boot B — sold out"],
      ["Boot A — in stock", "Boot B — in stock"],
                                      ["Boot A — in stock", "Boot B — sold out"],
                                      ["Boot A — in stock", "Boot B — in stock"]),
      "101", ({"targetType": "extract", "items": "li.entry", "fields": [field("boot")],
               "trigger": {"kind": "text_appears", "value": "in stock", "field": "boot"}},
              {"include_filters": ["li.entry:nth-of-type(2)"], "trigger_text": ["in stock"]}))
watch("stock-button", pages("<button disabled>Sold out</button>", "<button>Add to basket</button>"), "1",
      appears("Add to basket"))
watch("stock-button-leaves", pages("<form><button>Buy now</button></form>", "<form></form>"), "1",
      disappears("Buy now"))
watch("stock-japanese", pages("<p>在庫切れです。</p>",
                              "<p>在庫あり。本日発送できます。</p>", lang="ja"), "1",
      appears("在庫あり"))


def offer(price, availability, currency="EUR", name="Ship's lamp"):
    offers = {"@type": "Offer", "price": price, "priceCurrency": currency,
              "availability": f"https://schema.org/{availability}"}
    value = {"@context": "https://schema.org", "@type": "Product", "name": name, "offers": offers}
    return f"<script type=application/ld+json>{json.dumps(value)}</script>"


PRODUCT = {"targetType": "product"}
watch("product-stock", pages(*[f"{offer('49.00', word)}<p>Ask us for this lamp.</p>" for word in
      ["OutOfStock", "OutOfStock", "InStock", "OutOfStock", "InStock"]]), "0101",
      ({**PRODUCT, "trigger": {"kind": "text_appears", "value": "in stock", "field": "availability"}},
       {"processor": "restock_diff", "processor_config_restock_diff": {"in_stock_processing": "in_stock_only"}}))
watch("product-price", pages(*[f"{offer(price, 'InStock')}<p>Ask us for this lamp.</p>" for price in
      ["49.00", "49.00", "45.50", "49.00"]]), "011", (PRODUCT, {"processor": "restock_diff"}), says={2: "45"})
watch("product-price-below", pages(*[f"{offer(price, 'InStock', 'USD')}<p>Ask us.</p>" for price in
      ["1249.00", "1199.00", "949.00"]]), "01",
      ({**PRODUCT, "trigger": {"kind": "below", "value": 1000, "field": "price"}},
       {"processor": "restock_diff",
        "processor_config_restock_diff": {"follow_price_changes": True, "price_change_min": 1000,
        "price_change_max": 100000}}))
MICRODATA = ("<div itemscope itemtype=https://schema.org/Product><p itemprop=name>Compass</p>"
             "<div itemprop=offers itemscope itemtype=https://schema.org/Offer>"
             "<span itemprop=price content={0}>{0} €</span>"
             "<meta itemprop=priceCurrency content=EUR>"
             "<link itemprop=availability href=https://schema.org/{1}></div></div>")
watch("product-microdata", pages(*[MICRODATA.format(*pair) for pair in
      [("120.00", "InStock"), ("120.00", "InStock"), ("99.00", "InStock")]]), "01",
      (PRODUCT, {"processor": "restock_diff"}))
VARIANTS = [json.dumps({"@context": "https://schema.org", "@type": "ProductGroup", "name": "Boot", "hasVariant": [
    {"@type": "Product", "sku": sku, "name": f"Boot {sku}",
      "offers": {"@type": "Offer", "price": "90", "priceCurrency": "EUR",
     "availability": f"https://schema.org/{word}"}} for sku, word in pair]}) for pair in
    ((("41", "InStock"), ("42", "OutOfStock")), (("42", "OutOfStock"), ("41", "InStock")),
      (("41", "InStock"), ("42", "InStock")))]
watch("product-variants", pages(*[f"<script type=application/ld+json>{text}</script>" for text in VARIANTS]), "01",
      alone(**PRODUCT), says={2: "42"})
watch("product-recommended-list", pages(*[
      f"{offer('49.00', 'InStock')}<h2>Others also bought</h2><p>Rope {price} €</p>" for price in (12, 14, 15)]),
      "00", (PRODUCT, {"processor": "restock_diff"}))

# Prices as people write them: two above the limit, then one below it.
WRITINGS = """
eur-german      | 1.299,00 €         | 1.249,90 €         | 989,00 €          | 1000
eur-french      | 1_299,00_€         | 1_199,00_€         | 949,00_€          | 1000
eur-split       | 19€99              | 18€50              | 14€95             | 15
usd-code        | USD 1,299          | USD 1,199          | USD 949           | 1000
usd-thousands   | $12.9k             | $11.5k             | $9.9k             | 10000
gbp-pence       | 95p                | 90p                | 79p               | 80
huf             | 14.990 Ft          | 12.490 Ft          | 9.990 Ft          | 10000
try             | 12.990 TL          | 11.490 TL          | 9.990 TL          | 10000
idr-joined      | Rp1.499.000        | Rp1.249.000        | Rp999.000         | 1000000
idr-words       | Rp 1,5 juta        | Rp 1,2 juta        | Rp 950 ribu       | 1000000
rsd             | 12.990 din.        | 11.490 din.        | 9.490 din.        | 10000
inr-lakh        | ₹1,29,900          | ₹1,05,000          | ₹99,900           | 100000
jpy-word        | 12,800円（税込）   | 11,000円（税込）   | 9,800円（税込）   | 10000
jpy-wide        | １２，８００円     | １１，０００円     | ９，８００円      | 10000
jpy-man         | 1万2800円          | 1万1000円          | 9800円            | 10000
clp             | $129.990           | $119.990           | $94.990           | 100000
arabic          | ١٬٢٩٩ ر.س          | ١٬١٩٩ ر.س          | ٩٤٩ ر.س           | 1000
persian         | ۱۲۹۹۰ تومان        | ۱۱۴۹۰ تومان        | ۹۹۹۰ تومان        | 10000
"""
for line in WRITINGS.strip().split("\n"):
    # A blank that does not break is written as `_`, a narrow one as `^`.
    line = line.replace("_", "\u00a0").replace("^", "\u202f")
    title, high, still, low, limit = (cell.strip(" ") for cell in line.split("|"))
    watch(f"price-{title}", priced(high, still, low), "01", below(int(limit)))

watch("price-struck", priced("<del>129,00 €</del> <ins>119,00 €</ins>",
                             "<del>129,00 €</del> <ins>109,00 €</ins>",
                             "<del>129,00 €</del> <ins>89,00 €</ins>"), "01", below(100))
watch("price-struck-higher", priced("<s>$95</s> $89", "<s>$99</s> $89", "<s>$99</s> $79"), "01", below(80))
watch("price-sup", priced("<span>119</span><sup>99</sup> €", "<span>109</span><sup>99</sup> €",
                          "<span>89</span><sup>99</sup> €"), "01", below(100))
watch("price-fuel", priced("1.789 €/l", "1.719 €/l", "1.659 €/l"), "01", below(1.7))
watch("price-fuel-raised", priced("1.78<sup>9</sup> €", "1.71<sup>9</sup> €", "1.65<sup>9</sup> €"), "01",
      below(1.7))
watch("price-equals-limit", priced("110 €", "100 €", "99,99 €", "100 €", "99 €"), "0101", below(100))
watch("price-lower-still", priced("110 €", "95 €", "94 €", "96 €"), "100", below(100))
watch("price-above", priced("80 €", "95 €", "101 €", "104 €", "99 €", "102 €"), "01001", above(100))
watch("price-away-and-back", priced("90 €", "Price on request", "90 €", "120 €", "90 €"), "0001", below(100))
watch("price-currency-flips", priced("$119", "95 €", "$119", "$99"), "001", below(100))
watch("price-any", priced("49,90 €", "49,90 €", "44,90 €", "49,90 €"), "011", part(".price"),
      says={2: "44,90", 3: "49,90"})
watch("price-instalments", priced("12 x 99,90 €", "12 x 95,90 €", "12 x 89,90 €"), "01", below(90))
watch("price-model-number", priced("iPhone 15 1.049 €", "iPhone 15 1.029 €", "iPhone 15 899 €"), "01",
      below(1000))
watch("price-negative", priced("-2 °C", "1 °C", "-4 °C"), "01", below(-3))
watch("price-list-price", priced(*[f"UVP 149,99 € {now} €" for now in ("119,99", "109,99", "89,99")]), "01",
      below(100))
watch("price-saving", priced(*[f"Save $200 ${now}" for now in ("1,299", "1,199", "949")]), "01", below(1000))
watch("price-was-now", pages(*[f"<p class=price>was 149 €, now {now} €</p>" for now in (129, 109, 95)]), "01",
      ({"targetType": "extract", "fields": [field("price", ".price", number="last")],
        "trigger": {"kind": "below", "value": 100}}, {**below(100)[1], "extract_text": ["/now (\\d+)/"]}))
watch("price-split-tags", priced(*[
      f"<span>{whole}<span>.</span></span><span>{cents}</span><span>$</span>" for whole, cents in
      (("119", "99"), ("109", "99"), ("89", "99"))]), "01", below(100))

# JSON.
watch("json-value", data({"rate": 1.08, "at": 1}, {"rate": 1.08, "at": 2}, {"rate": 1.11, "at": 3}), "01",
      ({"selector": "$.rate"}, {"include_filters": ["json:$.rate"]}), says={2: "1.11"})
watch("json-key-order", documents("application/json", '{"a": 1, "b": [2, 3]}', '{"b": [2, 3], "a": 1}',
                                  '{"b": [2, 4], "a": 1}'), "01", ({"selector": "$"}, {}))
watch("json-key-order-nested", documents("application/json", '{"x": {"a": 1, "b": {"c": 1, "d": 2}}}',
                                         '{"x": {"b": {"d": 2, "c": 1}, "a": 1}}',
                                         '{"x": {"b": {"d": 2, "c": 5}, "a": 1}}'),
      "01", WHOLE)
watch("json-filter", data(*[[{"name": "north", "free": a}, {"name": "south", "free": b}] for a, b in
      ((3, 9), (3, 8), (2, 8))]), "01", ({"selector": "$[?@.name == 'north'].free"},
                                         {"include_filters": ["json:$[?(@.name == 'north')].free"]}))
watch("json-items-reordered", data([{"id": 1, "state": "open"}, {"id": 2, "state": "shut"}],
                                   [{"id": 2, "state": "shut"}, {"id": 1, "state": "open"}],
                                   [{"id": 2, "state": "open"}, {"id": 1, "state": "open"}]), "01",
      ({"targetType": "extract", "items": "$[*]",
      "fields": [field("id", "$.id", key=True), field("state", "$.state")]},
       {"include_filters": ["json:$[*]"]}))
watch("json-big-number", documents("application/json", '{"id": 9007199254740993}', '{"id": 9007199254740992}'), "1",
      WHOLE)
watch("json-same-number", documents("application/json", '{"v": 1.10}', '{"v": 1.1}', '{"v": 1.2}'), "01", WHOLE)
watch("json-long-value", data(*[{"text": " ".join(SENTENCES * 5) + end} for end in (" It is free.",
      " It is let.")]), "1",
      ({"selector": "$.text"}, {"include_filters": ["json:$.text"]}), says={1: "let"})
watch("json-lines", documents("application/x-ndjson", '{"n": 1}\n{"n": 2}\n', '{"n": 1}\n{"n": 2}\n{"n": 3}\n'),
      "1", WHOLE)
watch("json-below", data(*[{"quote": {"ask": ask}} for ask in (10.4, 10.1, 9.95)]), "01",
      ({"selector": "$.quote.ask", "trigger": {"kind": "below", "value": 10}},
       {**below(10)[1], "include_filters": ["json:$.quote.ask"]}))
NEXT = "<script id=__NEXT_DATA__ type=application/json>{}</script><div id=root></div>"
watch("json-in-page", pages(*[NEXT.format(json.dumps({"props": {"seats": seats}})) for seats in (4, 4, 2)]), "01",
      ({"selector": "$.__NEXT_DATA__.props.seats"}, {"include_filters": ["json:$.props.seats"]}))
watch("json-ld-in-page", pages(*[offer(price, "InStock") for price in ("80.00", "80.00", "75.00")]), "01",
      ({"selector": "$['ld+json'][0].offers.price"}, {"include_filters": ["json:$.offers.price"]}), says={2: "75"})

# Lists: arrivals and departures.
A, B, C, D = "Mon 9:00 Dr Abel", "Tue 11:30 Dr Berg", "Wed 8:15 Dr Cho", "Thu 16:45 Dr Dahl"
watch("list-added-returns", listing([A, B], [A, B, C], [A, B], [A, B, C], [A, B], [A, B, C]), "10101",
      items("li.entry", trigger="added"), says={1: "Cho", 3: "Cho", 5: "Cho"})
watch("list-removed-returns", listing([A, B, C], [A, B], [A, B, C], [A, B]), "101",
      items("li.entry", trigger="removed"),
      says={1: "Cho", 3: "Cho"})
watch("list-added-page-word", listing([A, B], [A, B, D], [A, B, C, D], [A, B, D], [A, B, C, D]), "0101",
      only("added", "Cho"))
watch("list-removed-page", listing([A, B, C], [A, B], [A, B, C], [A, B]), "101", only("removed"))
watch("list-added-others-leave", listing([A, B], [C], [A, B, C]), "11", items("li.entry", trigger="added"))
watch("list-empty-to-full", listing([], [A], [], [A]), "1?1", items("li.entry", trigger="added", allowEmpty=True))
watch("list-empty-by-mistake", listing([A, B, C], [], [A, B, C], [A, B, C, D]), "001", items("li.entry"))
watch("list-sold-out-stays", listing([A, B, C], []), "1", items("li.entry"), checks={1: 3})
watch("list-reordered-page", listing([A, B, C], [C, A, B], [C, A, B, D]), "01",
      ({}, {"sort_text_alphabetically": True}))
watch("list-order-counts", listing([A, B, C], [B, A, C]), "1",
      ({**items("li.entry")[0], "ordered": True}, {"include_filters": ["li.entry"]}))
watch("list-value-of-item", listing(["Cod <b>12</b>", "Eel <b>20</b>"], ["Eel <b>20</b>", "Cod <b>12</b>"],
                                    ["Eel <b>25</b>", "Cod <b>12</b>"]), "01",
      ({"targetType": "extract", "items": "li.entry", "fields": [field("fish", key=True), field("price", "b")]},
       {"include_filters": ["li.entry"], "sort_text_alphabetically": True}), says={2: ["Eel", "25"]})
watch("list-share", listing(*[[f"{word} {number}" for number in range(12)] for word in ("Plot", "Plot")],
                            [f"{'Let' if number < 1 else 'Plot'} {number}" for number in range(12)],
                            [f"{'Let' if number < 7 else 'Plot'} {number}" for number in range(12)]), "001",
      ({"selector": "ul.stock", "trigger": {"kind": "share", "value": 30}}, None))
watch("list-new-entry-word", listing(["Jobs at the pier", "Baker wanted"],
      ["Jobs at the pier", "Baker wanted", "Cook wanted"],
                                     ["Jobs at the pier", "Baker wanted", "Cook wanted", "Engineer wanted"]), "01",
      only("added", "Engineer"))

# A different page with status 200, then the page again, then a change.
OTHERS = {
    "robot-check": ("Just a moment...", "<p>Checking your browser before accessing the site.</p>"),
    "robot-check-german": ("Sicherheitsüberprüfung", "<p>Bitte bestätigen Sie, dass Sie kein Roboter sind.</p>"),
    "captcha": ("Attention Required!", "<p>Please complete the captcha to prove that you are not a robot.</p>"),
    "consent": ("Before you continue", "<p>We use cookies and similar technologies. Accept all cookies?</p>"),
    "sign-in": ("Sign in", "<form><input name=u><input type=password name=p><button>Sign in</button></form>"),
    "sign-in-session": ("The Ropewalk", "<p>Your session has expired. Please log in again.</p><form><input name=u>"
                                        "<input type=password name=p></form>"),
    "back-soon": ("The Ropewalk", "<p>We'll be back soon! The site is down for maintenance.</p>"),
    "maintenance-german": ("Wartungsarbeiten",
      "<p>Wegen Wartungsarbeiten ist die Seite vorübergehend nicht erreichbar.</p>"),
    "maintenance-japanese": ("メンテナンス中",
                             "<p>ただいまメンテナンス中です。しばらくお待ちください。</p>"),
    "503-title": ("503 Service Temporarily Unavailable", "<hr><center>nginx</center>"),
    "404-title": ("404 Not Found", "<p>The page you were looking for could not be found.</p>"),
    "php-error": ("", "<br><b>Fatal error</b>: Uncaught PDOException: SQLSTATE[HY000] [2002] "
                  "Connection refused in db.php:12"),
    "database-error": ("Database Error", "<h1>Error establishing a database connection</h1>"),
    "access-denied": ("Access Denied", "<p>You don't have permission to access this page. Reference #18.2f</p>"),
    "queue": ("Waiting room", "<p>You are now in line. Your estimated wait time is 4 minutes.</p>"),
    "country": ("The Ropewalk", "<p>This content is not available in your country.</p>"),
    "scripts-needed": ("The Ropewalk",
                       "<noscript>You need to enable JavaScript to run this app.</noscript><div id=app></div>"),
}
SPECIAL = ["<h2>Boat race</h2><p>The race starts at the pier, and {} crews have put their names down.</p>".format(count)
           for count in ("nine", "twelve")]
for number, (kind, (title, main)) in enumerate(OTHERS.items()):
    first, changed = (shell(main_part, number) for main_part in SPECIAL)
    other = f"<!doctype html><html><head><title>{title}</title></head><body>{main}</body></html>"
    watch(f"other-{kind}", [first, other, first, changed], "001", says={3: "twelve"})
# A short page, of which only few words can be missing.
SHORT = {
    "suspended": ("Account Suspended", "<p>This Account has been suspended. Contact your hosting provider.</p>"),
    "default": ("Welcome to nginx!", "<h1>Welcome to nginx!</h1><p>Further configuration is required.</p>"),
    "critical": ("The Ropewalk",
                 "<div class=wp-die-message><p>There has been a critical error on this website.</p></div>"),
    "rejected": ("Request Rejected", "The requested URL was rejected. Your support ID is: 12345"),
    "loading": ("Loading...", "<div id=app>Loading, please wait...</div>"),
    "chinese": ("访问受限", "<p>您的访问过于频繁，请完成验证后继续访问。</p>"),
}
for number, (kind, (title, main)) in enumerate(SHORT.items()):
    other = f"<!doctype html><html><head><title>{title}</title></head><body>{main}</body></html>"
    watch(f"other-short-{kind}", interrupted(other, *SPECIAL, count=2), "001", says={3: "twelve"})
for kind in ("back-soon", "sign-in"):
    other = f"<!doctype html><html><head><title>{OTHERS[kind][0]}</title></head><body>{OTHERS[kind][1]}</body></html>"
    watch(f"other-{kind}-stays", [shell(SPECIAL[0]), other], "1", checks={1: 3})
watch("other-sign-in-redirect",
      [Page(shell(SPECIAL[0], 3)),
       Page("", status=302, headers={"Location": "{here}/sign-in"},
            parts={"sign-in": Page(shell("<form><input name=u><input type=password name=p></form>", title="Sign in",
            count=0))}),
       *[shell(main, 3) for main in SPECIAL]], "001")
watch("other-selector-sign-in", interrupted(shell(OTHERS["sign-in"][1], title="Sign in", count=0),
                                             "<p class=seats>12 seats</p>", "<p class=seats>11 seats</p>"), "001",
                                             part(".seats"))
HALF = shell("<h2>Programme</h2>" + "".join(f"<p>Evening {n}: {SENTENCES[n]}</p>" for n in range(12)), 5)
watch("half-page", [HALF, HALF[:len(HALF) // 2], HALF, HALF.replace("Evening 3", "Matinee 3")], "001")
watch("half-page-announced", [HALF, Page(HALF[:1500], lost_bytes=900), HALF,
      HALF.replace("Evening 3", "Matinee 3")], "001")
watch("half-list", listing(*[[f"Berth {n}" for n in range(count)] for count in (40, 1, 40, 41)]), "001",
      items("li.entry"), says={3: "40"})
watch("really-rewritten", [shell("<h2>Summer fair</h2>", 1, count=12),
                           shell("<h2>The fair is cancelled</h2><p>We are sorry.</p>", count=0)], "1", checks={1: 3},
      says={1: "cancelled"})
for status in (403, 404, 429, 500, 503):
    body = f"<title>{status}</title><p>Sorry, {status}.</p>"
    watch(f"status-{status}", interrupted(Page(body, status=status), *SPECIAL), "001")
watch("awaited", [Page("Not yet", status=404), Page("Not yet", status=404), *pages("<p>Registration is open.</p>")],
      "01",
      ({}, {"ignore_status_codes": True}), says={2: "Registration"})
watch("awaited-word", [Page("Not yet", status=404), *pages("<p>Soon.</p>", "<p>Registration is open.</p>")], "01",
      (appears("Registration")[0], {"ignore_status_codes": True, "trigger_text": ["Registration"]}))

# Pages that resemble a wall, but are the watched page.
REAL = {
    "house-number": ("404 Main Street", "<p>Three rooms to let from May. Rent {}.</p>",
      ("1,900 a month", "1,750 a month")),
    "error-codes": ("Error codes of the X200 washer", "<p>E13 means that the {}.</p>",
      ("door is open", "drain is blocked")),
    "cookie-bar": ("Oak table", "<div>We use cookies and similar technologies.</div><p>{}</p>",
      ("Sold out", "In stock")),
    "captcha-form": ("Enrolment", "<p>{}</p><form>Please complete the captcha below to enrol.<input name=n></form>",
                     ("The course is full.", "Two seats are free.")),
    "robot-forum": ("Am I a robot?", "<p>A forum about machines that say they are not a robot. {} posts today.</p>",
      ("No", "Many")),
    "sign-in-line": ("Club news", "<p>Please log in to comment.</p><p>{}</p>",
      ("Regatta on Sunday", "Regatta on Monday")),
    "maintenance-plan": ("Maintenance of the lift", "<p>The lift is down for maintenance until {}.</p>",
      ("Tuesday", "Friday")),
    "queue-page": ("Queue at the ferry", "<p>Waiting time for cars: {}</p>", ("one hour", "two hours")),
}
for kind, (title, main, (before, after)) in REAL.items():
    watch(f"real-{kind}", pages(main.format(before), main.format(after), title=title, count=2), "1", says={1: after})

# Elements with content whose names contain a word that usually marks other parts of a page.
for kind, (name, before, after) in {"share-price": ("share-price", "12.50 EUR", "13.10 EUR"),
                                    "vacancies": ("related-vacancies", "Cook wanted", "Cook and baker wanted"),
                                    "store": ("popup-store", "The pop-up opens in May",
                                    "The pop-up opens in June")}.items():
    watch(f"named-{kind}", pages(*[f"<div class={name}><p>{text}</p></div>" for text in (before, after)]), "1",
      says={1: after})

# Dates, clocks and counts that are content, and those that are not.
DATED = {
    "date-heading": ("<h2>Next free appointment</h2><p>{}</p>", "12 March 2026", "12 March 2026", "9 March 2026"),
    "date-bold": ("<b>Release date</b><br>{}", "12 March", "12 March", "2 April"),
    "date-div": ("<div>Start of sale</div><div>{}</div>", "12 March, 10:00", "12 March, 10:00", "14 March, 10:00"),
    "clock-heading": ("<h2>Next departure</h2><p>{}</p>", "14:30", "14:30", "15:10"),
    "hours-heading": ("<h2>Opening hours today</h2><p>{}</p>", "9:00 - 17:00", "9:00 - 17:00", "9:00 - 13:00"),
    "votes-heading": ("<h2>Result</h2><p>{}</p>", "52 votes", "52 votes", "61 votes"),
    "members-heading": ("<h2>Petition</h2><p>{}</p>", "1.204 members", "1.204 members", "1.298 members"),
    "date-term": ("<dl><dt>Deadline</dt><dd>{}</dd></dl>", "1 June 2026", "1 June 2026", "15 May 2026"),
    "value-after-date": ("<p>Rates as of 12 March: {} %</p>", "3.4", "3.4", "3.1"),
    "date-german": ("<h2>Nächster freier Termin</h2><p>{}</p>", "12.03.2026", "12.03.2026", "09.03.2026"),
}
for kind, (main, *values) in DATED.items():
    watch(f"content-{kind}", pages(*map(main.format, values)), "01")
watch("noise-updated", pages(*[f"<p>Last updated: {day} March 2026, 10:{day}</p>" for day in (11, 12, 13)]), "00",
      ({}, {"ignore_text": ["Last updated"]}))
watch("noise-minutes-ago", pages(*[f"<p>Boat on mooring 4</p><p>Posted {minutes} minutes ago</p>" for minutes in (3,
      8, 19)]), "00",
      ({}, {"ignore_text": ["minutes ago"]}))
watch("content-updated-selected", pages(*[f"<p class=u>Last updated: {day} March 2026</p>" for day in (11, 11,
      13)]), "01", part(".u"))

# Texts of alerts. Only Carrel writes sentences.
SAID = {
    "version": ("<table><tr><th>Version<td>{}</table>", "1.9", "1.10"),
    "deadline": ("<table><tr><th>Deadline<td>{}</table>", "12 March 2026", "9 March 2026"),
    "room": ("<p>Room {}</p>", "112", "98"),
    "hotline": ("<p>Hotline 030 {}</p>", "1234", "1299"),
    "account": ("<p>Account DE12 5001 0517 5407 3249 {}</p>", "90", "91"),
    "year": ("<h2>Budget {}</h2>", "2025", "2026"),
    "number": ("<dl><dt>Number<dd>{}</dl>", "12", "9"),
    "score": ("<p>Harbour United 2:{}</p>", "1", "2"),
    "paragraph": ("<p>See § {} of the by-laws.</p>", "14", "9"),
    "postcode": ("<p>Our office is in 2{} Port Amery.</p>", "4103", "1099"),
}
for kind, (main, before, after) in SAID.items():
    watch(f"said-{kind}", pages(main.format(before), main.format(after)), "1", alone(), says={1: after},
          never=["rose", "fell"])
watch("said-row", pages(*[("<table><tr><th>Train<th>Time<th>Track<tr><td>IC 8<td>08:15<td>{}"
                           "<tr><td>RE 2<td>08:40<td>4</table>").format(track) for track in (2, 5)]),
      "1", alone(), says={1: ["IC 8", "5"]})
watch("said-price", priced("49.00 €", "45.00 €"), "1", alone(), says={1: "45"})
watch("said-link", pages(*["<p>See the <a href={}>minutes</a>.</p>".format(link) for link in ("/m/1", "/m/2")]),
      "1", alone(),
      says={1: "/m/2"})

# Long texts: a changed word far from the start.
CLAUSES = " ".join(f"Clause {n}: item {n} is handed back in good order." for n in range(360))
EDITED = CLAUSES.replace("item 310 is handed back in good", "item 310 is handed back in perfect")
watch("long-paragraph", pages(f"<p>{CLAUSES}</p>", f"<p>{EDITED}</p>"), "1", says={1: "perfect"}, never=["Link"])
watch("long-paragraph-cut", pages(f"<p>{CLAUSES}</p>",
      f"<p>{CLAUSES.replace('Clause 305: item 305 is handed back in good order. ', '')}</p>"),
      "1", says={1: "305"}, never=["Link"])
watch("long-field", pages(f"<p class=t>{CLAUSES}</p>", f"<p class=t>{EDITED}</p>"), "1",
      ({"targetType": "extract", "fields": [field("terms", ".t")]}, {"include_filters": [".t"]}), says={1: "perfect"})
watch("long-trigger", pages(f"<p class=t>{CLAUSES}</p>", f"<p class=t>{EDITED}</p>"), "1", appears("perfect", ".t"),
      says={1: "perfect"})
watch("long-plain-text", documents("text/plain; charset=utf-8", CLAUSES.replace(". ", ".\n"),
      EDITED.replace(". ", ".\n")), "1",
      says={1: "perfect"})
watch("long-page", [shell("".join(f"<p>Berth {n}: {SENTENCES[n % 24]}</p>" for n in range(9000)) + f"<p>{end}</p>", 0)
                    for end in ("Berth 9000 is free.", "Berth 9000 is let.")], "1", says={1: "let"})

# Controls, asides and alerts.
watch("margin-button-selected", pages("<div class=buy><button disabled>Sold out</button></div>",
                                      "<div class=buy><button>Add to basket</button></div>"), "1", part(".buy"))
SIZES = "<select class=sizes><option>40<option>41{}</select>"
watch("margin-select", pages(SIZES.format(""), SIZES.format("<option>42")), "1", part(".sizes"), says={1: "42"})
watch("margin-input-value", pages("<div class=b><input type=submit value='Notify me'></div>",
                                  "<div class=b><input type=submit value='Buy it'></div>"), "1",
      ({"selector": ".b"}, {"include_filters": ["//div[@class='b']/input/@value"]}))
watch("margin-alert", [shell("<h2>Timetable</h2>", 4, before=f"<div role=alert>{text}</div>") for text in
                       ("School opens at eight.", "School is closed on Friday because of the storm.")], "1",
                       says={1: "storm"})
watch("margin-aside-word", [shell("<h2>Harbour</h2>", 4, after=f"<aside><p>{text}</p></aside>") for text in
                            ("The tide is low.", "The bridge is raised.")], "1", appears("bridge is raised"))
watch("margin-disabled-only", pages("<div class=buy><button disabled>Buy</button></div>",
                                    "<div class=buy><button>Buy</button></div>"), "1", alone(selector=".buy"))
watch("margin-struck", pages("<ul><li class=e>Folk night</ul>", "<ul><li class=e><s>Folk night</s></ul>"), "1",
      alone(selector=".e"))

# Differences that are not changes.
WORDS = "amber birch cedar delta ember fjord grove heron islet jetty knoll ledge".split()


def noisy(main, seed=6):
    def answer(request):
        n = request.number
        extra = (f"<div class=ad>Buy {WORDS[n % 12]} {WORDS[n * 5 % 12]} now</div>"
                 f"<p>{900 + n * 13} people are online</p>"
                 f"<input type=hidden name=csrf value=x{n * 7919}><p>Page made in 0.{100 + n * 17 % 800} seconds</p>")
        return shell(main + extra, seed)
    return Page(answer)


watch("noise-each-request", [noisy(f"<p>{line}</p>") for line in ("Nine crews", "Nine crews", "Ten crews",
      "Ten crews")], "010",
      ({}, {"subtractive_selectors": [".ad"], "ignore_text": ["people are online", "Page made in"]}))
watch("noise-each-request-unknown", [noisy(f"<p>{line}</p>") for line in ("Nine crews", "Ten crews", "Ten crews",
      "Two crews")], "101",
      says={1: "Ten", 3: "Two"})


def quoted(main):
    def answer(request):
        return shell(f"{main}<blockquote>{SENTENCES[request.number * 5 % 24]}</blockquote>", 8)
    return Page(answer)


watch("noise-quote", [quoted(f"<h2>{line}</h2>") for line in ("Choir on Friday", "Choir on Friday",
      "Choir on Sunday")], "01")


def linked(main, link):
    return Page(lambda request: shell(main + link(request.number), 10))


SEE = "<h3>See also</h3><ul>{}</ul>"
watch("noise-session-in-path", [linked(f"<h2>{line}</h2>",
      lambda n: f"<p><a href='/m;jsessionid={n * 7919:X}'>Map</a></p>")
                                for line in ("Nine crews", "Nine crews", "Ten crews")], "01")
watch("noise-related-links", [linked(f"<h2>{line}</h2>", lambda n: SEE.format("".join(
    f"<li><a href=/{WORDS[(n + at) % 12]}>{WORDS[(n + at) % 12]} notes</a>" for at in (0, 3, 6))))
                              for line in ("Nine crews", "Nine crews", "Ten crews")], "01")
watch("noise-ignored-part", pages(*[f"<p>{line}</p><p class=tip>Tip: {tip}</p>" for line, tip in
      (("Open", "take tea"), ("Open", "take soup"), ("Shut", "take milk"))]), "01",
      ({"ignore": [{"selector": ".tip"}]}, {"subtractive_selectors": [".tip"]}))
watch("noise-ignored-regex", pages(*[f"<p>{line}</p><p>Visitor no. {count}</p>" for line, count in
      (("Open", 4711), ("Open", 4790), ("Shut", 4801))]), "01",
      ({"ignore": [{"regex": "Visitor no\\. \\d+"}]}, {"ignore_text": ["/Visitor no\\. \\d+/"]}))
watch("noise-hidden", pages("<p>Pier</p><div style=display:none>x1</div>",
      "<p>Pier</p><div style=display:none>x2</div>",
                            "<p>Quay</p><div style=display:none>x3</div>"), "01")
watch("noise-white-space", pages("<p>Two  boats</p>", "<p>Two boats\n</p>", "<p>Two&nbsp;boats</p>"), "00")
watch("noise-same-tag", [Page(shell(f"<p>{line}</p>", 9), headers={"ETag": '"a"'}) for line in ("Pier", "Pier",
      "Quay")], "01")

# Selectors.
ROWS = "<table><tr class=r><td>North quay<td>{}<tr class=r><td>South quay<td>{}</table>"
watch("select-contains", pages(*[ROWS.format(*row) for row in ((4, 9), (4, 8), (3, 8))]), "01",
      ({"selector": "tr.r:contains('North')"}, {"include_filters": ["//tr[contains(., 'North')]"]}))
watch("select-has", pages(*[
      f"<div class=c><p>{word}</p></div><div class=c><img src=a.png alt=''><p>{other}</p></div>" for word, other in
      (("One", "Two"), ("Uno", "Two"), ("Uno", "Due"))]), "01",
      ({"selector": "div.c:has(img)"}, {"include_filters": ["div.c:has(img)"]}))
watch("select-gone-and-back", pages("<p class=q>Seats: 4</p>", "<p>Nothing here</p>", "<p class=q>Seats: 4</p>",
                                    "<p class=q>Seats: 3</p>"), "001", part(".q"))

# Sitemaps.


def sitemap(*entries, kind="urlset"):
    item = "url" if kind == "urlset" else "sitemap"
    rows = "".join(f"<{item}><loc>{address if '{' in address else 'https://rope.example' + address}</loc>"
                   f"<lastmod>{day}</lastmod></{item}>" for address, day in entries)
    return Page(f'<?xml version="1.0"?><{kind} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</{kind}>',
                kind="application/xml")


def plain(*addresses, day="2026-01-01"):
    return sitemap(*[(address, day) for address in addresses])


SITEMAP = {"targetType": "sitemap"}
ADDRESSES = {"include_filters": ["xpath://*[local-name()='loc']"], "sort_text_alphabetically": True}
MANY = [f"/p/{n}" for n in range(300)]
watch("sitemap-new", [plain("/a", "/b"), plain("/b", "/a"), plain("/a", "/b", "/c")], "01", (SITEMAP, ADDRESSES),
      says={2: "/c"})
watch("sitemap-lastmod-all", [plain(*MANY), plain(*MANY, day="2026-01-02"),
      plain(*MANY, "/p/new", day="2026-01-03")], "01",
      (SITEMAP, ADDRESSES), says={2: "/p/new"})
watch("sitemap-new-among-updates", [plain(*MANY),
      sitemap(*[(a, f"2026-02-{1 + n % 28:02}") for n, a in enumerate(MANY)],
                                                          ("/p/new", "2026-02-01"))], "1", (SITEMAP, ADDRESSES),
                                                          says={1: "/p/new"})
watch("sitemap-empty-once", [plain("/a", "/b"), plain(), plain("/a", "/b"), plain("/a", "/b", "/c")], "001",
      (SITEMAP, ADDRESSES))
watch("sitemap-truncated", [plain(*MANY), Page(plain(*MANY).body[:9000], kind="application/xml"), plain(*MANY),
                            plain(*MANY, "/c")], "001", (SITEMAP, ADDRESSES))
watch("sitemap-added-returns", [plain("/a"), plain("/a", "/b"), plain("/a"), plain("/a", "/b")], "101",
      ({**SITEMAP, "trigger": {"kind": "added"}}, {**ADDRESSES, **only("added")[1]}))
watch("sitemap-gzip", [Page(gzip.compress(plain(*addresses).body.encode(), mtime=0),
      kind="application/gzip") for addresses in
                       (("/a",), ("/a",), ("/a", "/b"))], "01", alone(**SITEMAP))
watch("sitemap-include", [plain("/a", "/jobs/1"), plain("/a", "/b", "/jobs/1"),
      plain("/a", "/b", "/jobs/1", "/jobs/2")], "01",
      alone(**SITEMAP, include=["/jobs/"]), says={2: "/jobs/2"})
watch("sitemap-ignored-dates", [sitemap(("/a", f"2026-01-0{day}"),
      ("/b", f"2026-01-{10 + day * (day > 1)}")) for day in (1, 2, 3)],
      "00", alone(**SITEMAP, ignore=[{"text": "lastmod"}]))


def index(*parts):
    page = sitemap(*[("{here}/" + name, "2026-01-01") for name, _ in parts], kind="sitemapindex")
    page.parts = dict(parts)
    return page


watch("sitemap-index", [index(("1.xml", plain("/a")), ("2.xml", plain("/b"))),
                        index(("1.xml", plain("/a")), ("2.xml", Page("", status=500))),
                        index(("1.xml", plain("/a")), ("2.xml", plain("/b", "/c")))], "01", alone(**SITEMAP),
                        says={2: "/c"})

# Other formats.
ICAL = ("BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nBEGIN:VEVENT\nUID:1\nDTSTART:20260312T100000Z\nSUMMARY:{}\n"
        "END:VEVENT\nEND:VCALENDAR\n")
RSS = ("<rss version='2.0'><channel><title>News</title><link>https://rope.example/</link>"
       "<lastBuildDate>{}</lastBuildDate>{}</channel></rss>")
ENTRY = "<item><title>{0}</title><link>https://rope.example/{0}</link><guid>{0}</guid></item>"
FEED = [RSS.format(f"Mon, {day} Mar 2026 10:00:00 GMT", "".join(map(ENTRY.format, names))) for day, names in
        (("02", ["Fair"]), ("09", ["Fair"]), ("16", ["Ball", "Fair"]))]
watch("format-csv", documents("text/csv", "id,name,state\n1,Ann,open\n2,Bob,open\n",
      "id,name,state\n1,Ann,open\n2,Bob,shut\n"), "1",
      says={1: ["Bob", "shut"]})
watch("format-xml", documents("application/xml", "<r><v>1</v></r>", "<r><v>2</v></r>"), "1")
watch("format-calendar", documents("text/calendar", ICAL.format("Choir"), ICAL.format("Choir, moved to hall B")),
      "1", says={1: "hall B"})
watch("format-script", documents("text/javascript", "export const version = '1.0';\n",
      "export const version = '1.1';\n"), "1")
watch("format-feed", documents("application/rss+xml", *FEED), "01",
      ({}, {"include_filters": ["xpath://item/title"]}), says={2: "Ball"})
watch("format-shift-jis", [Page(shell(f"<p>{word}</p>", 2).encode("shift_jis"), kind="text/html; charset=Shift_JIS")
                           for word in ("受付前", "受付前", "受付中")], "01", says={2: "受付中"})
watch("format-charset-moves", [Page(shell("<p>Café à côté</p>", 2).replace("utf-8", "latin1").encode("latin1"),
      kind="text/html"),
                               Page(shell("<p>Café à côté</p>", 2)), Page(shell("<p>Café fermé</p>", 2))], "01")
PICTURES = [b"P6 2 2 255 " + bytes([colour] * 12) for colour in (10, 240)]
watch("format-binary", documents("application/octet-stream",
      *[b"\x00\x01\x02\xff" * 40 + part for part in PICTURES]), "1", alone())

# Words.
watch("word-thai", pages("<p>สินค้าหมด</p>", "<p>มีสินค้าพร้อมส่งแล้ววันนี้</p>", lang="th"), "1",
      appears("พร้อมส่ง"))
watch("word-split-by-tags", pages("<p>Doors closed</p>", "<p>Tick<b>ets</b> on&nbsp;sale</p>"), "1",
      appears("Tickets on sale"))
watch("word-prefix", pages("<p>No news</p>", "<p>Tickets from noon</p>"), "1",
      ({"trigger": {"kind": "text_appears", "value": "Ticket*"}}, appears("Ticket")[1]))
watch("word-whole-only", pages("<p>The harbour</p>", "<p>The bar is shut</p>", "<p>The art fair opens</p>"), "01",
      ({"trigger": {"kind": "text_appears", "value": "art"}}, {"trigger_text": ["/\\bart\\b/"]}))
watch("word-punctuation", pages("<p>Course in Rust</p>", "<p>Course in C++ (evenings)</p>"), "1", appears("C++"))

# Conditions.
PRICE_RULES = rules(("extracted_number", "<", "100"), ("page_filtered_text", "in", "in stock"), selector=".offer")
OFFERS = ["119 € in stock", "95 € sold out", "95 € in stock", "96 € in stock"]
watch("when-all", pages(*[f"<p class=offer>{text}</p>" for text in OFFERS]), "010",
      when(test("below", 100), test("contains", "in stock"), target={"selector": ".offer"}, peer=PRICE_RULES))
watch("when-any", pages(*[f"<p class=offer>{text}</p>" for text in ("Chair, new", "Chair, used", "Chair, new",
      "Chair, damaged")]), "101",
      when(test("contains", "used"), test("contains", "damaged"), join="any", target={"selector": ".offer"},
           peer={"include_filters": [".offer"], "trigger_text": ["used", "damaged"]}))
watch("when-not", pages(*[f"<p class=offer>{text}</p>" for text in ("Fair, cancelled", "Fair, cancelled!",
      "Fair, Saturday")]), "01",
      when(test("contains", "cancelled", **{"not": True}), target={"selector": ".offer"},
           peer={"include_filters": [".offer"], "text_should_not_be_present": ["cancelled"]}))
watch("when-between", priced("120 €", "105 €", "95 €", "70 €"), "010",
      when(test("between", 90, upTo=100),
      peer=rules(("extracted_number", ">=", "90"), ("extracted_number", "<=", "100"))))
watch("when-regex", pages(*[f"<p class=offer>{text}</p>" for text in ("Gate A", "Gate B", "Gate B12")]), "01",
      when(test("matches", "B\\d+"), target={"selector": ".offer"},
           peer={"include_filters": [".offer"], "trigger_text": ["/B\\d+/"]}))
watch("when-falls", priced("100 €", "104 €", "99 €", "99 €", "95 €"), "0101", when(test("falls")))
watch("when-falls-percent", priced("100 €", "97 €", "94 €", "89 €", "88 €"), "0010",
      when(test("falls", "10%")))
watch("when-rises", priced("100 €", "96 €", "101 €", "108 €"), "011", when(test("rises")))
watch("when-new-low", priced("100 €", "110 €", "99 €", "104 €", "99 €", "98 €"), "01001",
      when(test("new_low", 30)))
watch("when-new-high", priced("100 m", "90 m", "101 m", "95 m", "101 m", "103 m"), "01001",
      when(test("new_high", 30)))
watch("when-groups", pages(*[f"<p class=offer>{text}</p>" for text in ("2 rooms, 900 €", "3 rooms, 900 €",
      "3 rooms, garden", "Loft, garden")]),
      "010", when(target={"selector": ".offer"}, groups=[
          {"join": "any", "tests": [test("contains", "3 rooms"), test("contains", "Loft")]},
          {"join": "all", "tests": [test("contains", "garden")]}]))
watch("when-count", listing(*[[f"Plot {n}" for n in range(count)] for count in (5, 4, 3, 2, 2)]), "0010",
      when(test("count_below", 3), target={"targetType": "extract", "items": "li.entry",
      "fields": [field("plot", key=True)]}))
watch("when-length", pages(*[f"<p class=offer>{'word ' * count}</p>" for count in (4, 6, 60)]), "01",
      when(test("length_above", 100), target={"selector": ".offer"},
      peer=rules(("page_filtered_text", "length_min", "101"),
                                                                                selector=".offer")))
watch("when-similarity", pages(*[f"<div class=offer>{''.join(f'<p>{line}</p>' for line in SENTENCES[at:at + 8])}</div>"
                                 for at in (0, 1, 12)]), "01",
      when(test("similarity_below", 40), target={"selector": ".offer"}))
CAR = "<li class=car><b>{}</b><i class=price>{} €</i><u>{}</u></li>"
CARS = ({"targetType": "extract", "items": "li.car",
      "fields": [field("name", "b", key=True), field("price", "i"), field("state", "u")]})
watch("when-same-item", pages(*[f"<ul>{CAR.format('Van', *van)}{CAR.format('Bus', *bus)}</ul>" for van, bus in
      ((("900", "new"), ("400", "used")), (("900", "new"), ("300", "used")), (("450", "new"), ("300", "used")))]),
      "01",
      when(test("below", 500, field="price"), test("contains", "new", field="state"), target=CARS), says={2: "Van"})

# Requests.


def guarded(words):
    def answer(request):
        if request.headers.get("X-Desk") != "7":
            return Page("Forbidden", status=403)
        return shell(f"<p>{words}</p>", 2)
    return Page(answer)


def posted(words):
    def answer(request):
        if request.method != "POST" or request.body != "day=friday":
            return Page("Method not allowed", status=405)
        return shell(f"<p>{words}</p>", 2)
    return Page(answer)


watch("request-header", [guarded(words) for words in ("Two desks", "Two desks", "One desk")], "01",
      ({"request": {"headers": [{"name": "X-Desk", "value": "7"}]}}, {"headers": {"X-Desk": "7"}}))
watch("request-post", [posted(words) for words in ("No courts", "No courts", "Court 3 at nine")], "01",
      ({"request": {"post": {"body": "day=friday"}}},
       {"method": "POST", "body": "day=friday", "headers": {"Content-Type": "application/x-www-form-urlencoded"}}))
watch("request-any-status", [Page(shell(f"<p>{words}</p>", 2), status=500) for words in ("All down", "All down",
      "All up")], "01",
      ({"request": {"anyStatus": True}}, {"ignore_status_codes": True}))


def remembered(words):
    def answer(request):
        if "seen=1" not in (request.headers.get("Cookie") or ""):
            return Page("", status=302, headers={"Location": "{here}", "Set-Cookie": "seen=1; Path=/"})
        return shell(f"<p>{words}</p>", 2)
    return Page(answer)


watch("request-cookies", [remembered(words) for words in ("Tide at two", "Tide at two", "Tide at three")], "01",
      alone(request={"cookies": True}))
watch("filter-order", [Page(shell("".join(f"<p>{line}</p>" for line in lines), 2)) for lines in
      (["Berth 1: free", "Berth 2: let", "Berth 1: free"], ["Berth 2: let", "Berth 1: free"],
      ["Berth 2: let (new)", "Berth 1: let"])], "01",
      alone(filters=[{"kind": "keep", "pattern": "^Berth"}, {"kind": "replace", "pattern": " \\(.*\\)", "with": ""},
                     {"kind": "unique"}, {"kind": "sort"}]), says={2: "Berth 1"})
