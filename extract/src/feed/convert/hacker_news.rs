//! Stories and comments of Hacker News, from the search API of Algolia.

use serde_json::{Map, Value};

use super::super::bridges::page_address::PageAddress;
use super::super::builder::{RawEntry, RawFeed, RawLink};
use super::super::json::text;
use super::parts;

const PAGE: &str = "https://news.ycombinator.com/";

/// Converts the hits of a search.
pub(super) fn hits(source: &str, page: &PageAddress) -> Option<RawFeed> {
    let answer: Value = serde_json::from_str(source.trim()).ok()?;
    let mut feed = parts::feed(&title(page), PAGE);
    feed.entries = parts::objects(answer.get("hits"))?.filter_map(entry).collect();
    Some(feed)
}

/// Title of the feed of a search, from its tags and words.
fn title(page: &PageAddress) -> String {
    let tags = page.parameter("tags").unwrap_or_default();
    let user = tags.split(',').find_map(|tag| tag.strip_prefix("author_"));
    let thread = tags.split(',').find_map(|tag| tag.strip_prefix("story_"));
    let is_comments = tags.split(',').any(|tag| tag == "comment");
    match (page.parameter("query"), user, thread) {
        (Some(query), ..) => format!("Hacker News: {query}"),
        (None, Some(user), _) if is_comments => format!("Hacker News: comments of {user}"),
        (None, Some(user), _) => format!("Hacker News: submissions of {user}"),
        (None, None, Some(story)) => format!("Hacker News: comments on {story}"),
        (None, None, None) => match tags.as_str() {
            "ask_hn" => "Hacker News: Ask".to_owned(),
            "show_hn" => "Hacker News: Show".to_owned(),
            "job" => "Hacker News: jobs".to_owned(),
            _ => "Hacker News: newest".to_owned(),
        },
    }
}

fn entry(hit: &Map<String, Value>) -> Option<RawEntry> {
    let id = text(hit, "objectID")?;
    let item = format!("{PAGE}item?id={id}");
    let author = text(hit, "author");
    let comment = text(hit, "comment_text");
    let title = match (text(hit, "title"), &author, text(hit, "story_title")) {
        (Some(title), ..) => title,
        (None, Some(author), Some(story)) => format!("{author} on {story}"),
        (None, Some(author), None) => format!("Comment of {author}"),
        (None, None, story) => story?,
    };
    let page = text(hit, "url").filter(|_| comment.is_none()).unwrap_or_else(|| item.clone());
    let mut entry = RawEntry {
        authors: parts::author(author),
        published: text(hit, "created_at").and_then(|time| parts::time(&time)),
        ..parts::entry(item.clone(), &title, &page)
    };
    let markup = comment.or_else(|| text(hit, "story_text"));
    entry.content = markup.and_then(|markup| parts::markup(markup, &item));
    if page != item {
        entry.links.push(RawLink { rel: Some("replies".to_owned()), ..parts::link(&item) });
    }
    Some(entry)
}
