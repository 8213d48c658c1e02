//! Tests of feed parsing: identity, repairs, texts, limits, OPML, discovery.

mod control_characters;
mod discovery;
mod extensions;
mod files;
mod identity;
mod opml;
mod parsing;
mod people;

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
}

impl Store {
    /// Polls `body` and returns the state of each entry.
    fn poll(&mut self, body: &str) -> Vec<EntryState> {
        let feed = parse(&FeedInput {
            body: body.as_bytes().to_vec(),
            base_url: Some("https://example.org/feed.xml".to_owned()),
            trust: self.trust,
            known: self.known.clone(),
            ..FeedInput::default()
        });
        self.trust = feed.trust;
        for entry in &feed.entries {
            match entry.state {
                EntryState::New => {
                    let id = i64::try_from(self.known.len()).unwrap() + 1;
                    self.known.push(KnownEntry { id, marks: entry.marks });
                }
                EntryState::Changed { id } => {
                    let row = self.known.iter_mut().find(|row| row.id == id).unwrap();
                    row.marks = entry.marks;
                }
                EntryState::Same { .. } => {}
            }
        }
        feed.entries.iter().map(|entry| entry.state).collect()
    }

    fn count(&self) -> usize {
        self.known.len()
    }
}
