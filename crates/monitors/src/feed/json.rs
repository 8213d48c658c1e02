//! JSON Feed 1.1 writer.

use serde_json::{Value, json};

use super::super::render::FeedItem;
use super::content::{FeedContent, SCREENSHOT_TYPE};
use kernel::rfc3339;

pub(super) fn write(content: &FeedContent<'_>) -> String {
    let feed = json!({
        "version": "https://jsonfeed.org/version/1.1",
        "title": content.title,
        "description": content.about,
        "home_page_url": content.site_url,
        "feed_url": content.self_url,
        "authors": [{"name": "Carrel"}],
        "items": content.items.iter().map(entry).collect::<Vec<Value>>(),
    });
    feed.to_string()
}

fn entry(item: &FeedItem) -> Value {
    let mut entry = json!({
        "id": item.guid,
        "url": item.link,
        "title": item.title,
        "summary": item.summary,
        "content_html": item.html,
        "date_published": rfc3339(item.at),
    });
    if !item.categories.is_empty() {
        entry["tags"] = json!(item.categories);
    }
    if let Some(screenshot) = &item.screenshot {
        let (url, size) = (&screenshot.url, screenshot.size_bytes);
        let attachment = json!({ "url": url, "mime_type": SCREENSHOT_TYPE, "size_in_bytes": size });
        entry["attachments"] = json!([attachment]);
    }
    entry
}
