//! Agent that maintains a briefing with a consumer, and the feeds and watched pages of the briefing. The
//! agent lists updates, records them with their cursor, and marks them. Interrupted steps are repeated.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Reply;
use super::monitoring::page;

/// Number of followed feeds, and number of watched pages.
pub(crate) const FEEDS: usize = 60;
pub(crate) const MONITORS: usize = 30;
/// Number of rounds: six on each of seven days.
pub(crate) const ROUNDS: usize = 7 * 6;
/// Name of the consumer.
pub(crate) const CONSUMER: &str = "briefing";
/// Address of the tools, with structured content.
pub(crate) const TOOLS: &str = "/mcp?output=structured";
/// News on the watched pages, one after the other.
const NEWS: [&str; 4] =
    ["It begins.", "A storm comes.", "The ferry is late today.", "The market closes at noon."];
/// Statement that counts the updates of all feeds and watched pages.
pub(crate) const COUNT_UPDATES: &str = "SELECT COUNT(*) FROM feed_event WHERE kind = 'entry.discovered'";

/// Feeds and watched pages, with the number of their published updates.
#[derive(Default)]
pub(crate) struct Sources {
    /// Number of published updates by the name of the source.
    published: BTreeMap<String, usize>,
}

impl Sources {
    /// Feeds and watched pages that publish in a round, cyclically.
    pub(crate) fn of_round(round: usize) -> ([usize; 3], [usize; 2]) {
        (
            [0, 1, 2].map(|number| (3 * round + number) % FEEDS),
            [0, 1].map(|number| (2 * round + number) % MONITORS),
        )
    }

    /// Publishes one more entry of a feed, and returns its document.
    pub(crate) fn publish_entry(&mut self, feed: usize) -> Reply {
        let count = self.published.entry(feed_name(feed)).or_default();
        *count += 1;
        feed_document(feed, *count)
    }

    /// Publishes a change of a watched page, and returns the page.
    pub(crate) fn publish_change(&mut self, monitor: usize) -> Reply {
        let count = self.published.entry(monitor_name(monitor)).or_default();
        *count += 1;
        watched_page(monitor, *count)
    }

    /// Number of published updates.
    pub(crate) fn total(&self) -> i64 {
        i64::try_from(self.published.values().sum::<usize>()).expect("the number of updates is small")
    }
}

pub(crate) fn feed_name(feed: usize) -> String {
    format!("Feed {feed}")
}

pub(crate) fn monitor_name(monitor: usize) -> String {
    format!("Pier {monitor}")
}

/// Document of a feed with its first entry and `count` further entries.
pub(crate) fn feed_document(feed: usize, count: usize) -> Reply {
    let item = |number: usize| {
        format!(
            "<item><title>Note {number} of feed {feed}</title><link>https://example.org/{feed}/{number}</link>\
             <guid isPermaLink=\"false\">{feed}-{number}</guid><description>Words {number} of {feed}.</description></item>"
        )
    };
    let items: String = (0..=count).map(item).collect();
    let document = format!("<rss version=\"2.0\"><channel><title>Feed</title>{items}</channel></rss>");
    Reply::bytes("application/rss+xml", document.into_bytes())
}

/// A watched page after `count` changes.
pub(crate) fn watched_page(monitor: usize, count: usize) -> Reply {
    let news = NEWS.get(count).expect("a page changes less often than there are news");
    page(&format!("{news} So says the board of pier {monitor}."))
}

/// Updates that the agent has recorded.
#[derive(Default)]
pub(crate) struct Briefing {
    /// Id and source of each update.
    rows: Vec<(String, String)>,
    /// Cursor of the last written answer, until it is marked.
    unmarked: Option<String>,
}

impl Briefing {
    /// Writes the updates of an answer with its cursor. Returns their number.
    pub(crate) fn write(&mut self, answer: &Value) -> usize {
        let results = answer["results"].as_array().expect("the answer has results");
        for row in results {
            assert_eq!(row["event"], "entry.discovered", "{row}");
            let text = |name: &str| row[name].as_str().expect("the row has texts").to_owned();
            self.rows.push((text("id"), text("source")));
        }
        if !results.is_empty() {
            self.unmarked = answer["nextCursor"].as_str().map(str::to_owned);
        }
        results.len()
    }

    /// Arguments of the call that marks the written updates, if that was not done.
    pub(crate) fn mark_arguments(&self) -> Option<Value> {
        self.unmarked.as_ref().map(|cursor| json!({ "consumer": CONSUMER, "cursor": cursor }))
    }

    /// Records that the written updates are marked.
    pub(crate) fn set_marked(&mut self) {
        self.unmarked = None;
    }

    /// Number of written updates.
    pub(crate) fn count(&self) -> usize {
        self.rows.len()
    }

    /// Asserts that every published update was written once, in the order of discovery.
    pub(crate) fn assert_complete(&self, sources: &Sources) {
        let number = |id: &str| -> i64 {
            id.strip_prefix("entry:").and_then(|id| id.parse().ok()).expect("the id is one of an entry")
        };
        let ids: Vec<i64> = self.rows.iter().map(|(id, _)| number(id)).collect();
        assert!(ids.is_sorted_by(|one, next| one < next), "doubled or out of order: {ids:?}");
        let mut written: BTreeMap<String, usize> = BTreeMap::new();
        for (_, source) in &self.rows {
            *written.entry(source.clone()).or_default() += 1;
        }
        assert_eq!(written, sources.published);
    }
}
