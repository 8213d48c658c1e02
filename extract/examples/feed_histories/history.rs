//! Random history of a feed: entries arrive, and from time to time one mark of an entry changes. A minimal
//! store counts the entries that are lost, duplicated, or confused with another entry.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use super::{EntryState, FeedInput, KnownEntry, ParsedEntry, Trust, parse};

/// Pseudo-random generator; the same seed gives the same history.
struct HistoryRandom(u64);

impl HistoryRandom {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        u32::try_from((self.0 >> 16) % u64::from(limit.max(1))).unwrap_or(0)
    }

    fn is_one_in(&mut self, limit: u32) -> bool {
        self.below(limit) == 0
    }
}

/// Entry of the generated feed. The fields after `number` are the current versions of its marks: GUID, link,
/// title, and date.
#[derive(Clone, Copy)]
struct SimulatedItem {
    number: u32,
    guid: u32,
    address: u32,
    title: u32,
    hours: u32,
}

/// Marks that the entries of a generated feed have, and their order.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each mark is there or not")]
struct Shape {
    guids: bool,
    links: bool,
    dates: bool,
    texts: bool,
    same_titles: bool,
    oldest_first: bool,
    /// Maximum number of entries in a body of the feed.
    window: usize,
}

/// Number of entries that the parser classified incorrectly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FeedFaults {
    /// Listed entries that were never reported as new.
    pub(super) lost: usize,
    /// Entries that were reported as new more than once, or although they are older than the first read.
    pub(super) doubled: usize,
    /// Entries that were matched with the row of another entry.
    pub(super) confused: usize,
}

/// Generated feed, and the store of its reader.
pub(super) struct FeedHistory {
    random: HistoryRandom,
    shape: Shape,
    items: Vec<SimulatedItem>,
    /// Number of entries in the first body.
    initial: u32,
    known: Vec<KnownEntry>,
    /// Entry number by row id.
    numbers: HashMap<i64, u32>,
    listed: HashSet<u32>,
    new: HashMap<u32, usize>,
    trust: Trust,
    was_read: bool,
    confused: usize,
}

impl FeedHistory {
    pub(super) fn new(seed: u64) -> Self {
        let mut random = HistoryRandom(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let (guids, links, dates) = [
            (true, true, true),
            (false, true, true),
            (false, true, false),
            (true, false, true),
            (true, true, false),
            (false, false, true),
        ][random.below(6) as usize];
        let texts = !random.is_one_in(4);
        let window = if random.is_one_in(100) { 600 } else { 5 + random.below(25) as usize };
        let shape = Shape {
            guids,
            links,
            dates,
            texts,
            same_titles: texts && random.is_one_in(4),
            oldest_first: random.is_one_in(3),
            window,
        };
        let initial = u32::try_from(window).unwrap_or(0);
        let items = (1..=initial).map(item).collect();
        Self {
            random,
            shape,
            items,
            initial,
            known: Vec::new(),
            numbers: HashMap::new(),
            listed: HashSet::new(),
            new: HashMap::new(),
            trust: Trust::default(),
            was_read: false,
            confused: 0,
        }
    }

    /// Number of entries that the feed has published.
    pub(super) fn entry_count(&self) -> usize {
        self.items.len()
    }

    /// Changes the feed, then parses it as a poll would.
    pub(super) fn poll(&mut self) {
        if self.was_read {
            for _ in 0..self.random.below(3) {
                self.items.push(item(u32::try_from(self.items.len()).unwrap_or(0) + 1));
            }
            self.change();
        }
        let start = self.items.len().saturating_sub(self.shape.window);
        let body = self.body(&self.items[start..]);
        self.listed.extend(self.items[start..].iter().map(|item| item.number));
        self.read(body);
    }

    /// Changes one mark of a random entry, if the entry can still be recognised by its other marks.
    fn change(&mut self) {
        let shape = self.shape;
        let window = u32::try_from(self.shape.window).unwrap_or(0);
        let Some(at) = self.items.len().checked_sub(1 + self.random.below(window) as usize) else { return };
        let kind = self.random.below(4);
        let item = &mut self.items[at];
        match kind {
            0 if shape.guids && (shape.links || shape.dates) => item.guid += 1,
            1 if shape.links && (shape.guids || shape.dates || shape.texts) => item.address += 1,
            2 if shape.guids || shape.links || (shape.dates && shape.texts) => item.title += 1,
            3 if shape.dates && (shape.guids || shape.links || shape.texts) => item.hours += 1,
            _ => {}
        }
    }

    fn body(&self, items: &[SimulatedItem]) -> String {
        let shape = self.shape;
        let mut parts: Vec<String> = items.iter().rev().map(|item| element(shape, *item)).collect();
        if shape.oldest_first {
            parts.reverse();
        }
        format!("<rss version=\"2.0\"><channel><title>Harbour</title>{}</channel></rss>", parts.concat())
    }

    fn read(&mut self, body: String) {
        let feed = parse(&FeedInput {
            body: body.into_bytes(),
            trust: self.trust,
            known: self.known.clone(),
            was_read: self.was_read,
            ..FeedInput::default()
        });
        self.trust = feed.trust;
        for entry in &feed.older {
            match entry.state {
                // Rows that stand for older entries have negative ids.
                EntryState::New => {
                    let id = -i64::try_from(self.known.len()).unwrap_or(0) - 1;
                    self.known.push(KnownEntry { id, marks: entry.marks });
                }
                EntryState::Remarked { id } | EntryState::Changed { id } => self.set_marks(id, entry.marks),
                EntryState::Same { .. } => {}
            }
        }
        for entry in &feed.entries {
            self.store(entry);
        }
        self.was_read = true;
    }

    fn store(&mut self, entry: &ParsedEntry) {
        let number = number_of(entry);
        match entry.state {
            EntryState::New => {
                let id = i64::try_from(self.known.len()).unwrap_or(0) + 1;
                self.known.push(KnownEntry { id, marks: entry.marks });
                self.numbers.insert(id, number);
                let is_old = self.was_read && number <= self.initial;
                *self.new.entry(number).or_default() += 1 + usize::from(is_old);
            }
            EntryState::Remarked { id } | EntryState::Changed { id } => {
                self.confused += usize::from(self.numbers.get(&id) != Some(&number));
                self.set_marks(id, entry.marks);
            }
            EntryState::Same { .. } => {}
        }
    }

    fn set_marks(&mut self, id: i64, marks: super::Marks) {
        if let Some(row) = self.known.iter_mut().find(|row| row.id == id) {
            row.marks = marks;
        }
    }

    pub(super) fn faults(&self) -> FeedFaults {
        let is_lost = |number: &&u32| **number > self.initial && !self.new.contains_key(*number);
        FeedFaults {
            lost: self.listed.iter().filter(is_lost).count(),
            doubled: self.new.values().filter(|count| **count > 1).count(),
            confused: self.confused,
        }
    }
}

fn item(number: u32) -> SimulatedItem {
    SimulatedItem { number, guid: 0, address: 0, title: 0, hours: number * 3 }
}

fn element(shape: Shape, item: SimulatedItem) -> String {
    let word = word(item.number);
    let mut out = String::from("<item>");
    let title = if shape.same_titles { "Power outage" } else { word.as_str() };
    let _ = write!(out, "<title>{title}{}</title>", " again".repeat(item.title as usize));
    if shape.guids {
        let _ = write!(out, "<guid isPermaLink=\"false\">{word}-{}</guid>", item.guid);
    }
    if shape.links {
        let _ = write!(out, "<link>https://example.org/{word}?s={}</link>", item.address);
    }
    if shape.dates {
        let (day, hour) = (item.hours / 24, item.hours % 24);
        let _ = write!(
            out,
            "<pubDate>20{:02}-{:02}-{:02}T{hour:02}:00:00Z</pubDate>",
            20 + day / 336,
            day / 28 % 12 + 1,
            day % 28 + 1
        );
    }
    if shape.texts {
        let _ = write!(out, "<description>The harbour of {word} is closed</description>");
    }
    out.push_str("</item>");
    out
}

/// Spells a number in letters, because numbers in texts may be masked.
fn word(number: u32) -> String {
    let letters = number.to_string().bytes().map(|digit| char::from(digit - b'0' + b'a')).collect::<String>();
    format!("zz{letters}")
}

fn number_of(entry: &ParsedEntry) -> u32 {
    let texts = [entry.title.as_deref(), entry.summary.as_deref()];
    let mut words = texts.into_iter().flatten().flat_map(str::split_whitespace);
    let letters = words.find_map(|word| word.strip_prefix("zz")).unwrap_or_default();
    letters.bytes().fold(0, |number, letter| number * 10 + u32::from(letter.saturating_sub(b'a')))
}
