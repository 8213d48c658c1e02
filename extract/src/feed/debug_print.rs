//! Prints a feed for a terminal.

use std::fmt::Write;

use super::jsonl::time;
use super::{FeedFound, FeedKind};

/// Title, format and entries of the feed as plain lines, in the order of the feed.
pub fn debug_print(found: &FeedFound) -> String {
    let Some(kind) = found.kind else { return "Not a feed.\n".to_owned() };
    let mut out = String::new();
    let _ = writeln!(out, "{}", found.title.as_deref().unwrap_or("(no title)"));
    let _ = writeln!(
        out,
        "{}, {} {}{}{}",
        match kind {
            FeedKind::Rss => "RSS",
            FeedKind::Rdf => "RSS 1.0",
            FeedKind::Atom => "Atom",
            FeedKind::Json => "JSON Feed",
        },
        found.entries.len(),
        if found.entries.len() == 1 { "entry" } else { "entries" },
        if found.repaired { ", repaired" } else { "" },
        if found.dropped > 0 { ", older entries left out" } else { "" },
    );
    for line in [&found.description, &found.site_url].into_iter().flatten() {
        let _ = writeln!(out, "{line}");
    }
    for hub in &found.hub.hubs {
        let _ = writeln!(out, "WebSub hub: {hub}");
    }
    for entry in &found.entries {
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
