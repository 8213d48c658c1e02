//! Feed parsing: identity, repairs, texts, limits, OPML, discovery.

mod categories;
mod control_characters;
mod discovery;
mod episodes;
mod extensions;
mod files;
mod histories;
mod identity;
mod opml;
mod parsing;
mod people;
mod services;

use super::{EntryState, FeedInput, KnownEntry, ParsedFeed, parse};

fn parse_body(body: &str) -> ParsedFeed {
    parse(&FeedInput {
        body: body.as_bytes().to_vec(),
        base_url: Some("https://example.org/news/feed.xml".to_owned()),
        ..FeedInput::default()
    })
}

fn rss(items: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Harbour</title>\
         <link>https://example.org/</link><description>d</description>{items}</channel></rss>"
    )
}

/// Simulates a store across polls of one feed: each new entry gets the next id.
#[derive(Default)]
struct Store {
    known: Vec<KnownEntry>,
    trust: super::Trust,
    was_read: bool,
    fixed_through: i64,
}

impl Store {
    /// Polls `body` and returns the state of each entry.
    fn poll(&mut self, body: &str) -> Vec<EntryState> {
        let feed = parse(&FeedInput {
            body: body.as_bytes().to_vec(),
            base_url: Some("https://example.org/feed.xml".to_owned()),
            trust: self.trust,
            known: self.known.clone(),
            was_read: std::mem::replace(&mut self.was_read, true),
            fixed_through: self.fixed_through,
            ..FeedInput::default()
        });
        self.trust = feed.trust;
        for entry in &feed.older {
            match entry.state {
                EntryState::New => {
                    let id = -i64::try_from(self.known.len()).unwrap() - 1;
                    self.known.push(KnownEntry { id, marks: entry.marks });
                }
                EntryState::Remarked { id } | EntryState::Changed { id } => self.row(id).marks = entry.marks,
                EntryState::Same { .. } => {}
            }
        }
        for entry in &feed.entries {
            match entry.state {
                EntryState::New => {
                    let id = i64::try_from(self.known.len()).unwrap() + 1;
                    self.known.push(KnownEntry { id, marks: entry.marks });
                }
                EntryState::Remarked { id } | EntryState::Changed { id } => self.row(id).marks = entry.marks,
                EntryState::Same { .. } => {}
            }
        }
        feed.entries.iter().map(|entry| entry.state).collect()
    }

    fn row(&mut self, id: i64) -> &mut KnownEntry {
        self.known.iter_mut().find(|row| row.id == id).unwrap()
    }

    /// Number of stored entries, not counting entries beyond the limit.
    fn count(&self) -> usize {
        self.known.iter().filter(|row| row.id > 0).count()
    }
}
