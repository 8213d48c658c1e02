//! Text from the data in a page: JSON-LD bodies and descriptions, and the state from which scripts would
//! render the page.
//!
//! Used only if the markup contains almost no text.

use serde_json::Value;

use super::script_state;
use crate::{
    clean,
    document::Block,
    metadata,
    page::{Id, Page},
};

/// Markup with fewer words is treated as empty.
pub(super) const EMPTY_WORDS: usize = 40;
/// Minimum number of words for a string to be treated as text.
const MIN_WORDS: usize = 25;
const MAX_SCRIPT_BYTES: usize = 6 * 1024 * 1024;
const MAX_STRINGS: usize = 200_000;

/// Keys whose values are reviews, comments and other content that is not the subject of the page.
const UNRELATED_MEMBERS: [&str; 7] =
    ["review", "reviews", "comment", "comments", "isRelatedTo", "recommendations", "relatedArticles"];

/// Longest text in the data of the page, as blocks.
pub(super) fn longest_text(page: &Page) -> Option<Vec<Block>> {
    let json_ld = json_ld(page);
    let stated = json_ld.iter().find_map(|value| {
        longest_named(value, &["articleBody", "text", "reviewBody", "recipeInstructions", "description"])
    });
    let longest =
        |values: &[Value]| values.iter().filter_map(longest_prose).max_by_key(|text| clean::words(text));
    let best = stated
        .or_else(|| longest(&data(page, is_state)))
        .or_else(|| longest(&script_state::values(scripts(page))))?;
    let blocks = blocks_of(&best);
    let words: usize = blocks.iter().map(|block| clean::words(&block.text)).sum();
    (words >= EMPTY_WORDS).then_some(blocks)
}

pub(super) fn json_ld(page: &Page) -> Vec<Value> {
    data(page, is_json_ld)
}

fn is_json_ld(page: &Page, id: Id) -> bool {
    page.attribute(id, "type").is_some_and(|kind| kind.to_ascii_lowercase().contains("ld+json"))
}

/// True for JSON scripts other than JSON-LD, such as `__NEXT_DATA__`.
fn is_state(page: &Page, id: Id) -> bool {
    page.attribute(id, "type").is_some_and(|kind| kind.to_ascii_lowercase().contains("json"))
        && !is_json_ld(page, id)
}

/// Inline scripts that are not JSON.
fn scripts(page: &Page) -> impl Iterator<Item = &str> {
    (1..page.len())
        .filter(|&id| {
            page.is(id, "script")
                && page.attribute(id, "src").is_none()
                && !is_json_ld(page, id)
                && !is_state(page, id)
        })
        .flat_map(|id| page.children(id).filter_map(|child| page.text(child)))
        .filter(|text| text.len() <= MAX_SCRIPT_BYTES)
}

fn data(page: &Page, is_selected: fn(&Page, Id) -> bool) -> Vec<Value> {
    (1..page.len())
        .filter(|&id| page.is(id, "script") && is_selected(page, id))
        .filter_map(|id| {
            let text: String = page.children(id).filter_map(|child| page.text(child)).collect();
            (text.len() <= MAX_SCRIPT_BYTES).then(|| metadata::parse_data(&text))?
        })
        .collect()
}

/// Longest value, at any depth, of the first key in `names` that has a value.
fn longest_named(value: &Value, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| {
        let mut best: Option<&str> = None;
        walk(value, &mut |key, text| {
            if key == *name
                && clean::words(text) >= MIN_WORDS
                && best.is_none_or(|best| best.len() < text.len())
            {
                best = Some(text);
            }
        });
        best.map(str::to_owned)
    })
}

/// Longest string that reads like prose.
fn longest_prose(value: &Value) -> Option<String> {
    let mut best: Option<&str> = None;
    walk(value, &mut |_, text| {
        if best.is_none_or(|best| best.len() < text.len()) && reads_like_text(text) {
            best = Some(text);
        }
    });
    best.map(str::to_owned)
}

fn reads_like_text(text: &str) -> bool {
    let words = clean::words(text);
    let sentences = text.matches(['.', '!', '?', '。']).count();
    let code = text.matches(['{', '}', ';', '=']).count();
    words >= MIN_WORDS && sentences * 60 >= words && code * 8 <= words + text.matches('<').count() * 8
}

/// Visits all strings with their keys. The walk does not recurse, because data may be nested to any depth.
fn walk<'v>(value: &'v Value, visit: &mut impl FnMut(&'v str, &'v str)) {
    let mut queue: Vec<(&'v str, &'v Value)> = vec![("", value)];
    let mut count = 0;
    while let Some((key, value)) = queue.pop() {
        count += 1;
        if count > MAX_STRINGS {
            return;
        }
        match value {
            Value::String(text) => visit(key, text),
            Value::Array(list) => queue.extend(list.iter().rev().map(|item| (key, item))),
            Value::Object(map) => {
                let own = map.iter().rev().filter(|(key, _)| !UNRELATED_MEMBERS.contains(&key.as_str()));
                queue.extend(own.map(|(key, item)| (key.as_str(), item)));
            }
            _ => {}
        }
    }
}

/// Converts text or markup to blocks. If character references were escaped twice, one level is removed.
fn blocks_of(text: &str) -> Vec<Block> {
    let text =
        if text.contains("&lt;") && !text.contains('<') { metadata::unescape(text) } else { text.to_owned() };
    let markup = if text.contains("</") || text.contains("<br") || text.contains("<p") {
        text
    } else {
        let escaped = metadata::unescape(&text).replace('&', "&amp;").replace('<', "&lt;");
        format!("<p>{}</p>", escaped.replace('\n', "</p><p>"))
    };
    super::whole_page::whole_page(&markup)
}
