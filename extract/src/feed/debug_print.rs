//! Prints a feed for a terminal.

use std::fmt::Write;

use super::jsonl::time;
use super::{FeedKind, ParsedFeed};

/// Returns the title, the format and the entries of a feed as plain lines, in the order of the feed.
pub fn debug_print(feed: &ParsedFeed) -> String {
    let Some(kind) = feed.kind else { return "Not a feed.\n".to_owned() };
    let mut out = String::new();
    let _ = writeln!(out, "{}", feed.title.as_deref().unwrap_or("(no title)"));
    let _ = writeln!(
        out,
        "{}, {} {}{}{}",
        match kind {
            FeedKind::Rss => "RSS",
            FeedKind::Rdf => "RSS 1.0",
            FeedKind::Atom => "Atom",
            FeedKind::Json => "JSON Feed",
            FeedKind::Converted => "converted",
        },
        feed.entries.len(),
        if feed.entries.len() == 1 { "entry" } else { "entries" },
        if feed.repaired { ", repaired" } else { "" },
        if feed.dropped > 0 || feed.is_cut { ", older entries left out" } else { "" },
    );
    for line in [&feed.description, &feed.site_url].into_iter().flatten() {
        let _ = writeln!(out, "{line}");
    }
    for hub in &feed.hub.hubs {
        let _ = writeln!(out, "WebSub hub: {hub}");
    }
    for entry in &feed.entries {
        let _ = writeln!(out, "\n* {}", entry.title.as_deref().unwrap_or("(no title)"));
        let when = entry.published.or(entry.updated).and_then(time);
        let head: Vec<&str> = [when.as_deref(), entry.author.as_deref()].into_iter().flatten().collect();
        if !head.is_empty() {
            let _ = writeln!(out, "  {}", head.join(", "));
        }
        for line in [&entry.url, &entry.summary].into_iter().flatten() {
            let _ = writeln!(out, "  {}", super::text::cut(line, 300));
        }
    }
    out
}
