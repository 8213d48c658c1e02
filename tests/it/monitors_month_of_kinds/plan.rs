//! Plan of a monitor for a month: the pages of its source, and the days on which a change is reported. Both are
//! derived from the same hidden states (texts, numbers, sets), by the definitions of the documentation.

use std::ops::RangeInclusive;

use fastrand::Rng;
use serde_json::{Value, json};

use crate::support::Reply;

/// Simulated days. The baseline is read on the first of them, which has the number 0.
pub(super) const DAYS: usize = 30;

/// Kind of monitor, with a generator of plans.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) plan: fn(&mut Rng) -> Plan,
}

/// Monitor to create, and its source.
pub(super) struct Plan {
    /// Definition without name and address.
    pub(super) body: Value,
    /// Response of the source on each day.
    pub(super) pages: Vec<Reply>,
    /// Days on which a change is reported.
    pub(super) expected: Vec<usize>,
}

impl Plan {
    /// Creates a plan whose page on each day depends on the state of the day.
    pub(super) fn of<T>(
        body: Value,
        states: &[T],
        page: impl FnMut(&T) -> Reply,
        expected: Vec<usize>,
    ) -> Self {
        Self { body, pages: states.iter().map(page).collect(), expected }
    }
}

const ADJECTIVES: [&str; 10] =
    ["red", "green", "narrow", "old", "wooden", "heavy", "broad", "painted", "striped", "tall"];
const OBJECTS: [&str; 10] =
    ["boat", "ladder", "barrel", "lantern", "basket", "kettle", "bench", "saddle", "mirror", "drum"];
const LOCATIONS: [&str; 8] = ["mill", "bridge", "chapel", "quarry", "orchard", "tower", "bakery", "school"];

/// Names of wares, in alphabetical order. No name is a prefix of another name.
pub(super) const NAMES: [&str; 16] = [
    "Anchor", "Bollard", "Compass", "Dinghy", "Ensign", "Fender", "Gangway", "Halyard", "Icebox", "Keel",
    "Mooring", "Oar", "Paddle", "Rudder", "Sail", "Tiller",
];

/// Returns one of the words.
pub(super) fn pick(rng: &mut Rng, words: &[&'static str]) -> &'static str {
    words[rng.usize(..words.len())]
}

/// Returns a random sentence without numbers.
pub(super) fn sentence(rng: &mut Rng) -> String {
    let (adjective, thing, location) = (pick(rng, &ADJECTIVES), pick(rng, &OBJECTS), pick(rng, &LOCATIONS));
    format!("The {adjective} {thing} stands behind the {location}.")
}

/// Returns a sentence for each day. No sentence occurs twice.
pub(super) fn daily_sentences(rng: &mut Rng) -> Vec<String> {
    let location = pick(rng, &LOCATIONS);
    let sentence = |day: usize| {
        let (adjective, thing) = (ADJECTIVES[day % ADJECTIVES.len()], OBJECTS[day / ADJECTIVES.len()]);
        format!("The {adjective} {thing} stands behind the {location}.")
    };
    (0..DAYS).map(sentence).collect()
}

/// Returns a state for each day. On two of five days on average, the state is replaced by a new one.
pub(super) fn month<T: Clone>(rng: &mut Rng, mut create: impl FnMut(&mut Rng) -> T) -> Vec<T> {
    let first = create(rng);
    evolve(rng, first, |rng, _| create(rng))
}

/// Returns a state for each day. On two of five days on average, the state is derived from the previous one.
pub(super) fn evolve<T: Clone>(rng: &mut Rng, first: T, mut next: impl FnMut(&mut Rng, &T) -> T) -> Vec<T> {
    let mut states = vec![first];
    while states.len() < DAYS {
        let last = states[states.len() - 1].clone();
        let state = if rng.u8(..5) < 2 { next(rng, &last) } else { last };
        states.push(state);
    }
    states
}

/// Returns a number for each day. Each number is near the previous one.
pub(super) fn numbers(rng: &mut Rng, first: i64, range: &RangeInclusive<i64>) -> Vec<i64> {
    evolve(rng, first, |rng, last| (last + rng.i64(-15..=15)).clamp(*range.start(), *range.end()))
}

/// Changes to a set on one day.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SetChange {
    /// A name is added or removed.
    Single,
    /// A name is removed and another name is added, or only one of these happens.
    Several,
}

/// Returns a sorted set of at least four names for each day.
pub(super) fn sets(rng: &mut Rng, change: SetChange) -> Vec<Vec<&'static str>> {
    let mut first = NAMES.to_vec();
    rng.shuffle(&mut first);
    first.truncate(6);
    first.sort_unstable();
    evolve(rng, first, |rng, last| {
        let mut set = last.clone();
        let is_removed = rng.bool() && set.len() > 4;
        if is_removed {
            set.remove(rng.usize(..set.len()));
        }
        if !is_removed || change == SetChange::Several && rng.bool() {
            let absent: Vec<&'static str> = NAMES.into_iter().filter(|name| !last.contains(name)).collect();
            set.extend(rng.choice(absent));
        }
        set.sort_unstable();
        set
    })
}

/// Days on which `is_reported` holds for the state of the previous day and the state of the day.
pub(super) fn days_after<T>(states: &[T], is_reported: impl Fn(&T, &T) -> bool) -> Vec<usize> {
    (1..states.len()).filter(|&day| is_reported(&states[day - 1], &states[day])).collect()
}

/// Days on which the state differs from that of the previous day.
pub(super) fn changes_of<T: PartialEq>(states: &[T]) -> Vec<usize> {
    days_after(states, |before, now| before != now)
}

/// Days on which `holds` becomes true.
pub(super) fn starts_of<T>(states: &[T], holds: impl Fn(&T) -> bool) -> Vec<usize> {
    days_after(states, |before, now| !holds(before) && holds(now))
}

/// Days on which a state has an element that the state of the previous day does not have.
pub(super) fn arrivals_of<T: PartialEq>(sets: &[Vec<T>], counts: impl Fn(&T) -> bool) -> Vec<usize> {
    days_after(sets, |before, now| now.iter().any(|element| counts(element) && !before.contains(element)))
}

/// Days on which the state of the previous day has an element that the current state does not have.
pub(super) fn departures_of<T: PartialEq>(sets: &[Vec<T>]) -> Vec<usize> {
    days_after(sets, |before, now| before.iter().any(|element| !now.contains(element)))
}

/// Creates a page with eight paragraphs that never change, below `part`.
pub(super) fn page(part: &str) -> Reply {
    let sentences = [
        "Parcels leave the house in the afternoon and are with most customers two working days afterwards.",
        "The brass is cast in a small foundry in the hills, and the glass comes from a works on the lake.",
        "A wick lasts for one winter if it is trimmed, and spare ones hang next to the counter.",
        "Questions are answered by Ada and Jonas, who have stood behind this counter for many years.",
        "The reading group meets upstairs where the nets were dried, and there is tea and plain cake.",
        "Members borrow tools against a signature, and nothing has been lost that did not come back.",
        "The archive holds letters, maps and logbooks, and a helper will fetch them from the cellar.",
        "In the garden grow beans, quinces and a mulberry that is older than the house behind it.",
    ];
    let paragraphs: Vec<String> = sentences.iter().map(|sentence| format!("<p>{sentence}</p>")).collect();
    let paragraphs = paragraphs.concat();
    Reply::html(format!(
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>The Ropewalk</title></head><body><main>\
         <h1>The Ropewalk</h1>{part}{paragraphs}</main></body></html>"
    ))
}

/// Creates a page with an offer.
pub(super) fn offer(text: &str) -> Reply {
    page(&format!("<p class=offer>{text}</p>"))
}

/// Creates a page with a price in euros.
pub(super) fn price(euros: i64) -> Reply {
    page(&format!("<p class=price>{euros} €</p><p>It comes in a box.</p>"))
}

/// Creates a page with a list of entries.
pub(super) fn list(entries: impl IntoIterator<Item = String>) -> Reply {
    let entries: Vec<String> =
        entries.into_iter().map(|entry| format!("<li class=entry>{entry}</li>")).collect();
    page(&format!("<ul class=stock>{}</ul>", entries.concat()))
}

/// Creates the definition of the entries of [`list`], with a name and one other field.
pub(super) fn entries(field: &str) -> Value {
    json!({"targetType": "extract", "items": "li.entry",
        "fields": [{"name": "name", "selector": "b", "key": true}, {"name": field, "selector": "i"}]})
}

/// Creates an entry of a list with a name and one other field.
pub(super) fn entry(name: &str, value: &str) -> String {
    format!("<b>{name}</b> <i>{value}</i>")
}

/// Adds a member to a definition.
pub(super) fn with(mut body: Value, name: &str, value: Value) -> Value {
    body[name] = value;
    body
}

/// Adds a trigger without a value to a definition.
pub(super) fn with_trigger(body: Value, kind: &str) -> Value {
    with(body, "trigger", json!({ "kind": kind }))
}

/// Creates a page with a product, whose price is in euros.
pub(super) fn product_page(price: i64, is_available: bool) -> Reply {
    let stock = if is_available { "InStock" } else { "OutOfStock" };
    let data = json!({"@context": "https://schema.org", "@type": "Product", "name": "Ship's lamp",
        "offers": {"@type": "Offer", "price": format!("{price}.00"), "priceCurrency": "EUR",
            "availability": format!("https://schema.org/{stock}")}});
    page(&format!("<script type=application/ld+json>{data}</script><p>Ask us for this lamp.</p>"))
}

/// Creates a calendar with these events.
pub(super) fn calendar_file(events: &str) -> Reply {
    let text = format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{events}END:VCALENDAR\r\n");
    Reply::bytes("text/calendar", text.into_bytes())
}
