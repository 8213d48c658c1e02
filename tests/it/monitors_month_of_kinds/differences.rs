//! Rows for triggers without a condition, for each kind of target, and for filters and ignored texts.

use fastrand::Rng;
use serde_json::{Value, json};

use super::plan::{
    DAYS, NAMES, Plan, Row, SetChange, arrivals_of, calendar_file, changes_of, days_after, departures_of,
    entries, entry, evolve, list, month, offer, page, pick, product_page, sentence, sets, with, with_trigger,
};
use crate::support::Reply;

pub(super) const ROWS: &[Row] = &[
    Row { name: "page", plan: whole_page },
    Row { name: "page, CSS", plan: selected_part },
    Row { name: "page, XPath", plan: xpath },
    Row { name: "page, two selectors", plan: two_selectors },
    Row { name: "page, added", plan: added_blocks },
    Row { name: "page, removed", plan: removed_blocks },
    Row { name: "page with outages", plan: outages },
    Row { name: "page that appears", plan: awaited_page },
    Row { name: "filters keep and drop", plan: filtered_lines },
    Row { name: "filters replace, unique, and sort", plan: rewritten_lines },
    Row { name: "ignored expression", plan: ignored_expression },
    Row { name: "sitemap", plan: sitemap_urls },
    Row { name: "sitemap, added, include", plan: sitemap_added },
    Row { name: "sitemap, removed", plan: sitemap_removed },
    Row { name: "sitemap, dates", plan: sitemap_dates },
    Row { name: "extract", plan: items },
    Row { name: "extract, added", plan: items_added },
    Row { name: "extract, added with a text", plan: items_added_with_text },
    Row { name: "extract, removed", plan: items_removed },
    Row { name: "extract, share", plan: items_share },
    Row { name: "extract, JSON", plan: json_items },
    Row { name: "page, JSONPath", plan: json_value },
    Row { name: "page, jq", plan: jq_lines },
    Row { name: "page, CSV", plan: csv_table },
    Row { name: "page, XML", plan: xml_document },
    Row { name: "page, plain text", plan: plain_text },
    Row { name: "product", plan: product },
    Row { name: "product, microdata", plan: product_microdata },
    Row { name: "calendar", plan: calendar },
    Row { name: "file", plan: file },
    Row { name: "image", plan: image },
    Row { name: "headers", plan: headers },
];

fn document(media_type: &str, text: &str) -> Reply {
    Reply::bytes(media_type, text.as_bytes().to_vec())
}

fn data(value: &Value) -> Reply {
    document("application/json", &value.to_string())
}

fn whole_page(rng: &mut Rng) -> Plan {
    let states = month(rng, sentence);
    let news = |words: &String| page(&format!("<h2>News</h2><p>{words}</p>"));
    Plan::of(json!({}), &states, news, changes_of(&states))
}

fn selected_part(rng: &mut Rng) -> Plan {
    let states = month(rng, sentence);
    Plan::of(json!({"selector": ".offer"}), &states, |words| offer(words), changes_of(&states))
}

fn xpath(rng: &mut Rng) -> Plan {
    let states = month(rng, sentence);
    let body = json!({"selector": "//p[@class='offer']"});
    Plan::of(body, &states, |words| offer(words), changes_of(&states))
}

/// The note on the page appears and disappears.
fn two_selectors(rng: &mut Rng) -> Plan {
    let states = month(rng, |rng| if rng.bool() { sentence(rng) } else { String::new() });
    let parts = |note: &String| {
        let note = if note.is_empty() { String::new() } else { format!("<p class=note>{note}</p>") };
        page(&format!("<p class=offer>The shop is in the old ropewalk near the ferry stage.</p>{note}"))
    };
    Plan::of(json!({"selector": ".offer\n.note"}), &states, parts, changes_of(&states))
}

fn names(set: &[&'static str]) -> Reply {
    list(set.iter().map(|name| format!("{name} of the old harbour")))
}

fn added_blocks(rng: &mut Rng) -> Plan {
    let states = sets(rng, SetChange::Single);
    let body = with_trigger(json!({"selector": ".stock"}), "added");
    Plan::of(body, &states, |set| names(set), arrivals_of(&states, |_| true))
}

fn removed_blocks(rng: &mut Rng) -> Plan {
    let states = sets(rng, SetChange::Single);
    let body = with_trigger(json!({"selector": ".stock"}), "removed");
    Plan::of(body, &states, |set| names(set), departures_of(&states))
}

/// On some days, the source returns an error. The next page is compared with the last page that was read.
fn outages(rng: &mut Rng) -> Plan {
    let states = month(rng, sentence);
    let is_down: Vec<bool> = (0..DAYS).map(|day| day % 3 == 1 && rng.bool()).collect();
    let replies = states
        .iter()
        .zip(&is_down)
        .map(|(words, down)| if *down { Reply::status(500) } else { offer(words) });
    let pages = replies.collect();
    let (mut expected, mut last) = (Vec::new(), &states[0]);
    for (day, words) in states.iter().enumerate().filter(|(day, _)| !is_down[*day]) {
        if words != last {
            expected.push(day);
            last = words;
        }
    }
    Plan { body: json!({"selector": ".offer"}), pages, expected }
}

/// The first content of a page that did not exist is a change.
fn awaited_page(rng: &mut Rng) -> Plan {
    let states = month(rng, sentence);
    let first = rng.usize(2..12);
    let pages = states.iter().enumerate();
    let pages =
        pages.map(|(day, words)| if day < first { Reply::status(404) } else { offer(words) }).collect();
    let expected = std::iter::once(first).chain(changes_of(&states).into_iter().filter(|day| *day > first));
    Plan { body: json!({"selector": ".offer"}), pages, expected: expected.collect() }
}

/// The line about the ferry is retained, unless it is an advertisement.
fn filtered_lines(rng: &mut Rng) -> Plan {
    let states = month(rng, |rng| (sentence(rng), pick(rng, &["a bell", "a flag", "two lamps"])));
    let mut other = rng.fork();
    let lines = |(_, sign): &(String, &str)| {
        let (words, advert) = (sentence(&mut other), sentence(&mut other));
        let lines = format!("<p class=line>{words}</p><p class=line>Advert for the ferry: {advert}</p>");
        page(&format!("{lines}<p class=line>The ferry shows {sign} when it leaves the stage.</p>"))
    };
    let expected = days_after(&states, |(_, before), (_, now)| before != now);
    let filters = json!([{"kind": "keep", "pattern": "(?i)ferry"}, {"kind": "drop", "pattern": "^Advert"}]);
    Plan::of(json!({"selector": "p.line", "filters": filters}), &states, lines, expected)
}

/// Lines are shuffled and repeated each day, with other numbers. Only their set matters.
fn rewritten_lines(rng: &mut Rng) -> Plan {
    let states = sets(rng, SetChange::Several);
    let mut other = rng.fork();
    let lines = |set: &Vec<&'static str>| {
        let mut lines = set.clone();
        lines.push(set[other.usize(..set.len())]);
        other.shuffle(&mut lines);
        let line =
            |name: &&str| format!("<p class=line>{name}, looked at by {} guests</p>", other.u32(10..99));
        page(&lines.iter().map(line).collect::<Vec<_>>().concat())
    };
    let filters = json!([
        {"kind": "replace", "pattern": ", looked at by \\d+ guests$"},
        {"kind": "unique"},
        {"kind": "sort"},
    ]);
    let body = json!({"selector": "p.line", "filters": filters});
    Plan::of(body, &states, lines, changes_of(&states))
}

fn ignored_expression(rng: &mut Rng) -> Plan {
    let states = month(rng, sentence);
    let mut other = rng.fork();
    let parts = |words: &String| offer(&format!("{words} Ticket {} is called.", other.u32(100..999)));
    let body = json!({"selector": ".offer", "ignore": [{"regex": "Ticket \\d+"}]});
    Plan::of(body, &states, parts, changes_of(&states))
}

fn sitemap(urls: impl Iterator<Item = String>) -> Reply {
    let urls: Vec<String> = urls.map(|url| format!("<url>{url}</url>")).collect();
    let urls = urls.concat();
    let schema = "http://www.sitemaps.org/schemas/sitemap/0.9";
    document("application/xml", &format!("<?xml version=\"1.0\"?><urlset xmlns=\"{schema}\">{urls}</urlset>"))
}

/// Address of a name. Every second name is a job.
fn address(name: &str) -> String {
    let folder = if is_job(name) { "jobs" } else { "wares" };
    format!("https://rope.example/{folder}/{}", name.to_lowercase())
}

fn is_job(name: &str) -> bool {
    NAMES.iter().position(|other| *other == name).is_some_and(|at| at % 2 == 0)
}

fn sitemap_of(set: &[&'static str]) -> Reply {
    sitemap(set.iter().map(|name| format!("<loc>{}</loc>", address(name))))
}

fn sitemap_urls(rng: &mut Rng) -> Plan {
    let states = sets(rng, SetChange::Several);
    Plan::of(json!({"targetType": "sitemap"}), &states, |set| sitemap_of(set), changes_of(&states))
}

/// Only jobs are watched. A sitemap without jobs would be doubted, so one job is always present.
fn sitemap_added(rng: &mut Rng) -> Plan {
    let states = sets(rng, SetChange::Several);
    let pages = |set: &Vec<&'static str>| {
        let usual = "<loc>https://rope.example/jobs/usual</loc>".to_owned();
        let urls = set.iter().map(|name| format!("<loc>{}</loc>", address(name)));
        sitemap(urls.chain([usual]))
    };
    let body = with_trigger(json!({"targetType": "sitemap", "include": ["/jobs/"]}), "added");
    Plan::of(body, &states, pages, arrivals_of(&states, |name| is_job(name)))
}

fn sitemap_removed(rng: &mut Rng) -> Plan {
    let states = sets(rng, SetChange::Several);
    let body = with_trigger(json!({"targetType": "sitemap"}), "removed");
    Plan::of(body, &states, |set| sitemap_of(set), departures_of(&states))
}

/// The date of one URL changes.
fn sitemap_dates(rng: &mut Rng) -> Plan {
    let mut number = 0;
    let states = evolve(rng, [0_usize; 6], |rng, last| {
        let mut dates = *last;
        number += 1;
        dates[rng.usize(..dates.len())] = number;
        dates
    });
    let pages = |dates: &[usize; 6]| {
        let urls = NAMES.iter().zip(dates);
        sitemap(urls.map(|(name, date)| {
            format!("<loc>{}</loc><lastmod>2026-10-{:02}</lastmod>", address(name), date + 1)
        }))
    };
    Plan::of(json!({"targetType": "sitemap"}), &states, pages, changes_of(&states))
}

fn material(name: &str) -> &'static str {
    if is_job(name) { "brass" } else { "oak" }
}

fn wares(set: &[&'static str]) -> Reply {
    list(set.iter().map(|name| entry(name, material(name))))
}

/// Items whose values change, and whose order is random.
fn items(rng: &mut Rng) -> Plan {
    let states = evolve(rng, [40_i64, 50, 60, 70], |rng, last| {
        let mut prices = *last;
        prices[rng.usize(..prices.len())] += rng.i64(1..9);
        prices
    });
    let mut other = rng.fork();
    let pages = |prices: &[i64; 4]| {
        let mut listed: Vec<String> =
            NAMES.iter().zip(prices).map(|(name, price)| entry(name, &format!("{price} €"))).collect();
        other.shuffle(&mut listed);
        list(listed)
    };
    Plan::of(entries("price"), &states, pages, changes_of(&states))
}

fn items_added(rng: &mut Rng) -> Plan {
    let states = sets(rng, SetChange::Several);
    let body = with_trigger(entries("material"), "added");
    Plan::of(body, &states, |set| wares(set), arrivals_of(&states, |_| true))
}

fn items_added_with_text(rng: &mut Rng) -> Plan {
    let states = sets(rng, SetChange::Several);
    let body = with(entries("material"), "trigger", json!({"kind": "added", "value": "brass"}));
    let expected = arrivals_of(&states, |name| material(name) == "brass");
    Plan::of(body, &states, |set| wares(set), expected)
}

fn items_removed(rng: &mut Rng) -> Plan {
    let states = sets(rng, SetChange::Several);
    let body = with_trigger(entries("material"), "removed");
    Plan::of(body, &states, |set| wares(set), departures_of(&states))
}

/// A share is measured from the last report: 3 of 10 items are 30 percent.
fn items_share(rng: &mut Rng) -> Plan {
    let states = evolve(rng, [10_i64; 10], |rng, last| {
        let mut prices = *last;
        for _ in 0..rng.usize(1..3) {
            prices[rng.usize(..prices.len())] += 1;
        }
        prices
    });
    let (mut expected, mut reported) = (Vec::new(), states[0]);
    for (day, prices) in states.iter().enumerate() {
        let different = prices.iter().zip(&reported).filter(|(now, before)| now != before).count();
        if different >= 3 {
            expected.push(day);
            reported = *prices;
        }
    }
    let pages = |prices: &[i64; 10]| {
        list(NAMES.iter().zip(prices).map(|(name, price)| entry(name, &format!("{price} €"))))
    };
    let body = with(entries("price"), "trigger", json!({"kind": "share", "value": "30"}));
    Plan::of(body, &states, pages, expected)
}

/// Returns for each day which of the names are open. The first name is always open.
fn open_names(rng: &mut Rng) -> Vec<[bool; 5]> {
    evolve(rng, [true, false, true, false, true], |rng, last| {
        let mut open = *last;
        let at = rng.usize(1..open.len());
        open[at] = !open[at];
        open
    })
}

fn state(open: bool) -> &'static str {
    if open { "open" } else { "shut" }
}

/// The order of items, and of the members of an object, is random.
fn json_items(rng: &mut Rng) -> Plan {
    let states = open_names(rng);
    let mut other = rng.fork();
    let pages = |open: &[bool; 5]| {
        let mut wares: Vec<Value> = Vec::new();
        for (name, open) in NAMES.iter().zip(open) {
            let good = if other.bool() {
                json!({"name": name, "state": state(*open)})
            } else {
                json!({"state": state(*open), "name": name})
            };
            wares.push(good);
        }
        other.shuffle(&mut wares);
        data(&json!({ "wares": wares }))
    };
    let fields = json!([{"name": "name", "selector": "$.name", "key": true},
        {"name": "state", "selector": "$.state"}]);
    let body = json!({"targetType": "extract", "items": "$.wares[*]", "fields": fields});
    Plan::of(body, &states, pages, changes_of(&states))
}

fn json_value(rng: &mut Rng) -> Plan {
    let states = month(rng, sentence);
    let mut other = rng.fork();
    let pages = |words: &String| data(&json!({"notice": words, "guests": other.u32(..)}));
    Plan::of(json!({"selector": "$.notice"}), &states, pages, changes_of(&states))
}

fn jq_lines(rng: &mut Rng) -> Plan {
    let states = open_names(rng);
    let pages = |open: &[bool; 5]| {
        let wares = NAMES.iter().zip(open);
        let wares: Vec<Value> =
            wares.map(|(name, open)| json!({"name": name, "state": state(*open)})).collect();
        data(&json!({ "wares": wares }))
    };
    let body = json!({"selector": "jq:.wares[] | select(.state == \"open\") | .name"});
    Plan::of(body, &states, pages, changes_of(&states))
}

fn csv_table(rng: &mut Rng) -> Plan {
    let states = open_names(rng);
    let pages = |open: &[bool; 5]| {
        let rows = NAMES.iter().zip(open);
        let rows: Vec<String> =
            rows.map(|(name, open)| format!("{name},{},{}\n", material(name), state(*open))).collect();
        document("text/csv", &format!("name,material,state\n{}", rows.concat()))
    };
    Plan::of(json!({}), &states, pages, changes_of(&states))
}

fn xml_document(rng: &mut Rng) -> Plan {
    let states = open_names(rng);
    let pages = |open: &[bool; 5]| {
        let wares = NAMES.iter().zip(open);
        let good = |(name, open): (&&str, &bool)| {
            format!("<good>\n<name>{name}</name>\n<state>{}</state>\n</good>\n", state(*open))
        };
        document(
            "application/xml",
            &format!("<wares>\n{}</wares>\n", wares.map(good).collect::<Vec<_>>().concat()),
        )
    };
    Plan::of(json!({}), &states, pages, changes_of(&states))
}

fn plain_text(rng: &mut Rng) -> Plan {
    let states = open_names(rng);
    let pages = |open: &[bool; 5]| {
        let lines = NAMES.iter().zip(open);
        let lines: Vec<String> =
            lines.map(|(name, open)| format!("The shop {name} is {}.\n", state(*open))).collect();
        document("text/plain", &format!("Shops of the harbour\n\n{}", lines.concat()))
    };
    Plan::of(json!({}), &states, pages, changes_of(&states))
}

fn product(rng: &mut Rng) -> Plan {
    let states = month(rng, |rng| (rng.i64(40..60), rng.bool()));
    let pages = |(price, is_available): &(i64, bool)| product_page(*price, *is_available);
    Plan::of(json!({"targetType": "product"}), &states, pages, changes_of(&states))
}

fn product_microdata(rng: &mut Rng) -> Plan {
    let states = month(rng, |rng| (rng.i64(40..60), rng.bool()));
    let pages = |(price, is_available): &(i64, bool)| {
        let stock = if *is_available { "InStock" } else { "OutOfStock" };
        page(&format!(
            "<div itemscope itemtype=https://schema.org/Product><p itemprop=name>Compass</p>\
             <div itemprop=offers itemscope itemtype=https://schema.org/Offer>\
             <span itemprop=price content={price}.00>{price}.00 €</span><meta itemprop=priceCurrency content=EUR>\
             <link itemprop=availability href=https://schema.org/{stock}></div></div>"
        ))
    };
    Plan::of(json!({"targetType": "product"}), &states, pages, changes_of(&states))
}

/// Events are added, removed, and moved. Their time stamps differ each day.
fn calendar(rng: &mut Rng) -> Plan {
    let states = evolve(rng, [Some(10_u8), Some(12), None, Some(14)], |rng, last| {
        let mut hours = *last;
        let at = rng.usize(1..hours.len());
        hours[at] = if rng.u8(..3) == 0 { None } else { Some(rng.u8(10..20)) };
        hours
    });
    let mut other = rng.fork();
    let pages = |hours: &[Option<u8>; 4]| {
        let stamp = other.u32(100_000..235_959);
        let event = |(name, hour): (&&str, &Option<u8>)| {
            let Some(hour) = hour else { return String::new() };
            format!(
                "BEGIN:VEVENT\r\nUID:{name}\r\nDTSTAMP:20261101T{stamp}Z\r\nSUMMARY:Class {name}\r\n\
                 DTSTART:20270504T{hour}0000Z\r\nEND:VEVENT\r\n"
            )
        };
        calendar_file(&NAMES.iter().zip(hours).map(event).collect::<Vec<_>>().concat())
    };
    Plan::of(json!({"targetType": "calendar"}), &states, pages, changes_of(&states))
}

fn file(rng: &mut Rng) -> Plan {
    let states = month(rng, |rng| rng.u32(..));
    let pages = |number: &u32| Reply::bytes("application/zip", format!("PK\u{3}\u{4}{number}").into_bytes());
    Plan::of(json!({"targetType": "file"}), &states, pages, changes_of(&states))
}

/// Two files with the same picture, and a file with another picture.
fn image(rng: &mut Rng) -> Plan {
    let states = month(rng, |rng| rng.usize(..4));
    let pages = |number: &usize| {
        let bytes = match number {
            0 => include_bytes!("../../../extract/tests/pictures/baseline.jpg").to_vec(),
            1 => include_bytes!("../../../extract/tests/pictures/progressive.jpg").to_vec(),
            _ => include_bytes!("../../../extract/tests/pictures/other.jpg").to_vec(),
        };
        Reply::bytes("image/jpeg", bytes)
    };
    let is_other: Vec<bool> = states.iter().map(|number| *number > 1).collect();
    Plan::of(json!({"targetType": "image"}), &states, pages, changes_of(&is_other))
}

/// The status is also content.
fn headers(rng: &mut Rng) -> Plan {
    let states = month(rng, |rng| pick(rng, &["", "one", "two", "three"]));
    let mut other = rng.fork();
    let pages = |tag: &&str| match *tag {
        "" => Reply::status(404),
        tag => document("text/plain", "tide")
            .with("etag", &format!("\"{tag}\""))
            .with("x-request-id", &other.u32(..).to_string()),
    };
    let body = json!({"targetType": "headers", "fields": [{"name": "version", "selector": "ETag"}]});
    Plan::of(body, &states, pages, changes_of(&states))
}
