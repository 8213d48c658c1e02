//! Rows for triggers with a condition, which is reported when it becomes true.

use std::ops::RangeInclusive;

use fastrand::Rng;
use serde_json::{Value, json};

use super::plan::{
    DAYS, NAMES, Plan, Row, SetChange, calendar_file, days_after, entries, entry, evolve, list, month,
    numbers, offer, page, pick, price, product_page, sentence, sets, starts_of, with,
};
use crate::support::Reply;

pub(super) const ROWS: &[Row] = &[
    Row { name: "text_appears", plan: text_appears },
    Row { name: "text_disappears", plan: text_disappears },
    Row { name: "above", plan: above },
    Row { name: "below, by item", plan: below_by_item },
    Row { name: "below, repeated", plan: below_repeated },
    Row { name: "below, product", plan: product_below },
    Row { name: "text_appears, product", plan: product_stock },
    Row { name: "text_appears, calendar", plan: event_cancelled },
    Row { name: "contains, any", plan: contains_any },
    Row { name: "contains, not", plan: contains_not },
    Row { name: "below and contains, or contains", plan: groups },
    Row { name: "below and contains of one item", plan: tests_of_one_item },
    Row { name: "equals text", plan: equals_text },
    Row { name: "equals number", plan: equals_number },
    Row { name: "equals, status", plan: equals_status },
    Row { name: "matches", plan: matches },
    Row { name: "between", plan: between },
    Row { name: "rises", plan: rises },
    Row { name: "rises by percent", plan: rises_by_percent },
    Row { name: "falls", plan: falls },
    Row { name: "falls by amount", plan: falls_by_amount },
    Row { name: "new_low", plan: new_low },
    Row { name: "new_high", plan: new_high },
    Row { name: "length_above", plan: length_above },
    Row { name: "length_below", plan: length_below },
    Row { name: "count_above", plan: count_above },
    Row { name: "count_below", plan: count_below },
    Row { name: "count_above, sitemap", plan: count_above_of_urls },
    Row { name: "similarity_below", plan: similarity_below },
];

/// Prices of the rows, in euros.
const PRICES: RangeInclusive<i64> = 60..=140;

fn prices(rng: &mut Rng) -> Vec<i64> {
    numbers(rng, 100, &PRICES)
}

/// Adds a condition of one group of tests to a definition.
fn when(body: Value, join: &str, tests: &Value) -> Value {
    let condition = json!({"groups": [{"join": join, "tests": tests}]});
    with(body, "trigger", json!({"kind": "condition", "condition": condition}))
}

/// Creates a monitor of a price with one test.
fn price_when(test: &Value, states: &[i64], expected: Vec<usize>) -> Plan {
    Plan::of(
        when(json!({"selector": ".price"}), "all", &json!([test])),
        states,
        |euros| price(*euros),
        expected,
    )
}

/// Creates a monitor of an offer with tests.
fn offer_when(join: &str, tests: &Value, states: &[String], expected: Vec<usize>) -> Plan {
    Plan::of(when(json!({"selector": ".offer"}), join, tests), states, |text| offer(text), expected)
}

/// Returns one of the texts for each day.
fn texts(rng: &mut Rng, among: &[&'static str]) -> Vec<String> {
    month(rng, |rng| pick(rng, among).to_owned())
}

/// True if the notice is present, and another text that changes.
type NoticeState = (bool, String);

/// Returns pages on which a text is present or missing, and another text changes.
fn notices(rng: &mut Rng, text: &str) -> (Vec<NoticeState>, impl FnMut(&NoticeState) -> Reply) {
    let states = month(rng, |rng| (rng.bool(), sentence(rng)));
    let text = text.to_owned();
    let pages = move |(is_present, words): &NoticeState| {
        let notice = if *is_present { text.as_str() } else { "The shelves were painted." };
        page(&format!("<h2>Notices</h2><p>{notice}</p><p>{words}</p>"))
    };
    (states, pages)
}

fn text_appears(rng: &mut Rng) -> Plan {
    let (states, pages) = notices(rng, "Fresh oranges are here.");
    let expected = starts_of(&states, |(is_present, _)| *is_present);
    Plan::of(json!({"trigger": {"kind": "text_appears", "value": "oranges"}}), &states, pages, expected)
}

fn text_disappears(rng: &mut Rng) -> Plan {
    let (states, pages) = notices(rng, "The lamps are sold out.");
    let expected = starts_of(&states, |(is_present, _)| !is_present);
    Plan::of(json!({"trigger": {"kind": "text_disappears", "value": "sold out"}}), &states, pages, expected)
}

fn above(rng: &mut Rng) -> Plan {
    let states = prices(rng);
    let body = json!({"selector": ".price", "trigger": {"kind": "above", "value": "105"}});
    let expected = starts_of(&states, |euros| *euros > 105);
    Plan::of(body, &states, |euros| price(*euros), expected)
}

/// Returns the prices of four items for each day.
fn item_prices(rng: &mut Rng) -> Vec<[i64; 4]> {
    evolve(rng, [100, 100, 100, 100], |rng, last| {
        let mut prices = *last;
        let at = rng.usize(..prices.len());
        prices[at] = rng.i64(PRICES);
        prices
    })
}

/// Days on which `holds` becomes true for at least one of the elements.
fn starts_of_any<T, const COUNT: usize>(states: &[[T; COUNT]], holds: impl Fn(&T) -> bool) -> Vec<usize> {
    days_after(states, |before, now| before.iter().zip(now).any(|(before, now)| !holds(before) && holds(now)))
}

fn below_by_item(rng: &mut Rng) -> Plan {
    let states = item_prices(rng);
    let pages = |prices: &[i64; 4]| {
        list(NAMES.iter().zip(prices).map(|(name, price)| entry(name, &format!("{price} €"))))
    };
    let trigger = json!({"kind": "below", "value": "90", "field": "price"});
    let expected = starts_of_any(&states, |price| *price < 90);
    Plan::of(with(entries("price"), "trigger", trigger), &states, pages, expected)
}

/// A condition that still holds is reported again after three days.
fn below_repeated(rng: &mut Rng) -> Plan {
    let states = prices(rng);
    let (mut expected, mut last) = (Vec::new(), 0);
    for (day, prices) in (1..).zip(states.windows(2)) {
        let (was_below, is_below) = (prices[0] < 95, prices[1] < 95);
        if is_below && (!was_below || day - last >= 3) {
            expected.push(day);
            last = day;
        }
    }
    let trigger = json!({"kind": "below", "value": "95", "repeatHours": 72});
    let body = json!({"selector": ".price", "trigger": trigger});
    Plan::of(body, &states, |euros| price(*euros), expected)
}

fn product_below(rng: &mut Rng) -> Plan {
    let states = prices(rng);
    let trigger = json!({"kind": "below", "value": "95", "field": "price"});
    let body = json!({"targetType": "product", "trigger": trigger});
    let expected = starts_of(&states, |euros| *euros < 95);
    Plan::of(body, &states, |euros| product_page(*euros, true), expected)
}

fn product_stock(rng: &mut Rng) -> Plan {
    let states = month(rng, |rng| (rng.i64(PRICES), rng.bool()));
    let trigger = json!({"kind": "text_appears", "value": "in stock", "field": "availability"});
    let body = json!({"targetType": "product", "trigger": trigger});
    let pages = |(euros, is_available): &(i64, bool)| product_page(*euros, *is_available);
    let expected = starts_of(&states, |(_, is_available)| *is_available);
    Plan::of(body, &states, pages, expected)
}

fn event_cancelled(rng: &mut Rng) -> Plan {
    let states = evolve(rng, [false; 3], |rng, last| {
        let mut cancelled = *last;
        let at = rng.usize(..cancelled.len());
        cancelled[at] = !cancelled[at];
        cancelled
    });
    let pages = |cancelled: &[bool; 3]| {
        let event = |(name, is_cancelled): (&&str, &bool)| {
            let status = if *is_cancelled { "CANCELLED" } else { "CONFIRMED" };
            format!(
                "BEGIN:VEVENT\r\nUID:{name}\r\nSUMMARY:Class {name}\r\nDTSTART:20270504T100000Z\r\n\
                 STATUS:{status}\r\nEND:VEVENT\r\n"
            )
        };
        calendar_file(&NAMES.iter().zip(cancelled).map(event).collect::<Vec<_>>().concat())
    };
    let trigger = json!({"kind": "text_appears", "value": "cancelled", "field": "status"});
    let expected = starts_of_any(&states, |is_cancelled| *is_cancelled);
    Plan::of(json!({"targetType": "calendar", "trigger": trigger}), &states, pages, expected)
}

fn contains_any(rng: &mut Rng) -> Plan {
    let states = texts(rng, &["Chair, sealed", "Chair, used", "Chair, polished", "Chair, damaged"]);
    let tests = json!([{"test": "contains", "value": "used"}, {"test": "contains", "value": "damaged"}]);
    let expected = starts_of(&states, |text| text.contains("used") || text.contains("damaged"));
    offer_when("any", &tests, &states, expected)
}

fn contains_not(rng: &mut Rng) -> Plan {
    let states = texts(rng, &["Fair, cancelled", "Fair, with music", "Fair, cancelled by the club"]);
    let tests = json!([{"test": "contains", "value": "cancelled", "not": true}]);
    let expected = starts_of(&states, |text| !text.contains("cancelled"));
    offer_when("all", &tests, &states, expected)
}

fn groups(rng: &mut Rng) -> Plan {
    let states = month(rng, |rng| {
        (rng.i64(PRICES), pick(rng, &["in stock", "sold out", "sold out, with a gift", "in stock, repaired"]))
    });
    let condition = json!({"join": "any", "groups": [
        {"join": "all", "tests": [{"test": "below", "value": "95"}, {"test": "contains", "value": "in stock"}]},
        {"join": "all", "tests": [{"test": "contains", "value": "gift"}]},
    ]});
    let body = json!({"selector": ".offer", "trigger": {"kind": "condition", "condition": condition}});
    let pages = |(euros, words): &(i64, &str)| offer(&format!("{euros} € {words}"));
    let holds = |(euros, words): &(i64, &str)| {
        *euros < 95 && words.starts_with("in stock") || words.ends_with("gift")
    };
    let expected = starts_of(&states, holds);
    Plan::of(body, &states, pages, expected)
}

/// A cheap item and a different item in good condition do not jointly meet the condition.
fn tests_of_one_item(rng: &mut Rng) -> Plan {
    let states = evolve(rng, [(100_i64, "used"); 4], |rng, last| {
        let mut items = *last;
        items[rng.usize(..items.len())] = (rng.i64(PRICES), pick(rng, &["used", "sealed"]));
        items
    });
    let pages = |items: &[(i64, &str); 4]| {
        let entry = |(name, (price, state)): (&&str, &(i64, &str))| {
            format!("<b>{name}</b> <i>{price} €</i> <u>{state}</u>")
        };
        list(NAMES.iter().zip(items).map(entry))
    };
    let tests = json!([{"test": "below", "field": "price", "value": "95"},
        {"test": "contains", "field": "state", "value": "sealed"}]);
    let fields = json!([{"name": "name", "selector": "b", "key": true}, {"name": "price", "selector": "i"},
        {"name": "state", "selector": "u"}]);
    let body = when(with(entries("price"), "fields", fields), "all", &tests);
    let expected = starts_of_any(&states, |(price, state)| *price < 95 && *state == "sealed");
    Plan::of(body, &states, pages, expected)
}

fn equals_text(rng: &mut Rng) -> Plan {
    let states = texts(rng, &["Open", "Open by request", "Shut"]);
    let tests = json!([{"test": "equals", "value": "open"}]);
    let expected = starts_of(&states, |text| text == "Open");
    offer_when("all", &tests, &states, expected)
}

fn equals_number(rng: &mut Rng) -> Plan {
    let states = month(rng, |rng| rng.i64(9..12) * 10);
    let expected = starts_of(&states, |euros| *euros == 110);
    price_when(&json!({"test": "equals", "value": "110"}), &states, expected)
}

fn equals_status(rng: &mut Rng) -> Plan {
    let states = month(rng, Rng::bool);
    let pages = |is_missing: &bool| if *is_missing { Reply::status(404) } else { offer("The page is here.") };
    let tests = json!([{"test": "equals", "field": "status", "value": "404"}]);
    let expected = starts_of(&states, |is_missing| *is_missing);
    Plan::of(when(json!({"targetType": "headers"}), "all", &tests), &states, pages, expected)
}

fn matches(rng: &mut Rng) -> Plan {
    let states = texts(rng, &["Gate B", "Gate A12", "Gate B7", "Gate B12", "Gate C"]);
    let tests = json!([{"test": "matches", "value": "B\\d+"}]);
    let expected = starts_of(&states, |text| text.starts_with("Gate B") && text.len() > "Gate B".len());
    offer_when("all", &tests, &states, expected)
}

fn between(rng: &mut Rng) -> Plan {
    let states = prices(rng);
    let expected = starts_of(&states, |euros| (90..=105).contains(euros));
    price_when(&json!({"test": "between", "value": "90", "upTo": "105"}), &states, expected)
}

/// Days on which a number is sufficiently below the highest number since the last report. Rises are falls of
/// negated numbers.
fn falls_of(numbers: &[i64], is_enough: impl Fn(i64, i64) -> bool) -> Vec<usize> {
    let (mut expected, mut highest) = (Vec::new(), numbers[0]);
    for (day, now) in numbers.iter().copied().enumerate() {
        if now < highest && is_enough(highest, now) {
            expected.push(day);
            highest = now;
        }
        highest = highest.max(now);
    }
    expected
}

fn negated(numbers: &[i64]) -> Vec<i64> {
    numbers.iter().map(|number| -number).collect()
}

fn rises(rng: &mut Rng) -> Plan {
    let states = prices(rng);
    let expected = falls_of(&negated(&states), |_, _| true);
    price_when(&json!({"test": "rises"}), &states, expected)
}

fn rises_by_percent(rng: &mut Rng) -> Plan {
    let states = prices(rng);
    let expected = falls_of(&negated(&states), |before, now| (before - now) * 100 >= before.abs() * 10);
    price_when(&json!({"test": "rises", "value": "10%"}), &states, expected)
}

fn falls(rng: &mut Rng) -> Plan {
    let states = prices(rng);
    let expected = falls_of(&states, |_, _| true);
    price_when(&json!({"test": "falls"}), &states, expected)
}

fn falls_by_amount(rng: &mut Rng) -> Plan {
    let states = prices(rng);
    let expected = falls_of(&states, |before, now| before - now >= 12);
    price_when(&json!({"test": "falls", "value": "12"}), &states, expected)
}

/// Days on which a number is below the numbers of the given number of days before.
fn lows_of(numbers: &[i64], days: usize) -> Vec<usize> {
    let is_low = |day: &usize| {
        let earlier = &numbers[day.saturating_sub(days)..*day];
        earlier.iter().all(|number| *number > numbers[*day])
    };
    (1..numbers.len()).filter(is_low).collect()
}

fn new_low(rng: &mut Rng) -> Plan {
    let states = prices(rng);
    price_when(&json!({"test": "new_low", "value": "7"}), &states, lows_of(&states, 7))
}

fn new_high(rng: &mut Rng) -> Plan {
    let states = prices(rng);
    price_when(&json!({"test": "new_high", "value": "30"}), &states, lows_of(&negated(&states), DAYS))
}

/// Returns texts of one to five sentences.
fn long_texts(rng: &mut Rng) -> Vec<String> {
    month(rng, |rng| (0..rng.usize(1..6)).map(|_| sentence(rng)).collect::<Vec<_>>().join(" "))
}

fn length_above(rng: &mut Rng) -> Plan {
    let states = long_texts(rng);
    let expected = starts_of(&states, |text| text.chars().count() > 120);
    offer_when("all", &json!([{"test": "length_above", "value": "120"}]), &states, expected)
}

fn length_below(rng: &mut Rng) -> Plan {
    let states = long_texts(rng);
    let expected = starts_of(&states, |text| text.chars().count() < 120);
    offer_when("all", &json!([{"test": "length_below", "value": "120"}]), &states, expected)
}

fn stock(set: &[&'static str]) -> Reply {
    list(set.iter().map(|name| entry(name, "oak")))
}

fn count_above(rng: &mut Rng) -> Plan {
    let states = sets(rng, SetChange::Single);
    let body = when(entries("material"), "all", &json!([{"test": "count_above", "value": "6"}]));
    Plan::of(body, &states, |set| stock(set), starts_of(&states, |set| set.len() > 6))
}

fn count_below(rng: &mut Rng) -> Plan {
    let states = sets(rng, SetChange::Single);
    let body = when(entries("material"), "all", &json!([{"test": "count_below", "value": "6"}]));
    Plan::of(body, &states, |set| stock(set), starts_of(&states, |set| set.len() < 6))
}

fn count_above_of_urls(rng: &mut Rng) -> Plan {
    let states = sets(rng, SetChange::Single);
    let pages = |set: &Vec<&'static str>| {
        let url = |name: &&str| format!("<url><loc>https://rope.example/{name}</loc></url>");
        let urls = set.iter().map(url).collect::<Vec<_>>().concat();
        Reply::bytes("application/xml", format!("<urlset>{urls}</urlset>").into_bytes())
    };
    let tests = json!([{"test": "count_above", "value": "6"}]);
    let body = when(json!({"targetType": "sitemap"}), "all", &tests);
    Plan::of(body, &states, pages, starts_of(&states, |set| set.len() > 6))
}

/// Texts on different subjects have few words in common, and texts on one subject differ in one word.
const SUBJECTS: [[&str; 2]; 3] = [
    [
        "Parcels leave our house each afternoon, carried by two strong riders on bicycles, and most customers",
        "receive them within two working days, wrapped in brown paper and sealed with green wax.",
    ],
    [
        "A choir sings beneath the glass roof, from sea songs to masses of old masters, while children dance",
        "across marble tiles before everybody shares soup, bread, cheese, and stories about winter storms.",
    ],
    [
        "Beans, quinces, cherries, mulberries: gardeners water everything at dawn, prune branches, sharpen",
        "sickles, repair fences, feed seven geese, then rest under an awning until lunch is called.",
    ],
];

/// The similarity is measured from the last report.
fn similarity_below(rng: &mut Rng) -> Plan {
    let subject = |rng: &mut Rng| (rng.usize(..SUBJECTS.len()), pick(rng, &["gladly", "slowly", "quietly"]));
    let states = month(rng, subject);
    let (mut expected, mut reported) = (Vec::new(), states[0].0);
    for (day, (subject, _)) in states.iter().enumerate() {
        if *subject != reported {
            expected.push(day);
            reported = *subject;
        }
    }
    let pages = |(subject, word): &(usize, &str)| {
        let [first, second] = SUBJECTS[*subject];
        offer(&format!("{first} {word} {second}"))
    };
    let tests = json!([{"test": "similarity_below", "value": "40"}]);
    Plan::of(when(json!({"selector": ".offer"}), "all", &tests), &states, pages, expected)
}
