//! Text that a page carries as data: JSON-LD bodies and descriptions, and the state that its scripts would draw.
//!
//! Asked only when the markup itself holds next to nothing.

use serde_json::Value;

use super::{
    script_state,
    tree::{Id, Page},
};
use crate::{clean, document::Block, metadata};

/// Words below which the markup is taken for empty.
pub(super) const EMPTY_WORDS: usize = 40;
/// A string with fewer words is no text of its own.
const LEAST_WORDS: usize = 25;
const MAX_SCRIPT_BYTES: usize = 6 * 1024 * 1024;
const MAX_STRINGS: usize = 200_000;

/// Members of data that hold what others said of the page's subject, or what else there is.
const OTHERS: [&str; 7] =
    ["review", "reviews", "comment", "comments", "isRelatedTo", "recommendations", "relatedArticles"];

/// The longest text in the page's data, as blocks.
pub(super) fn whole_text(page: &Page) -> Option<Vec<Block>> {
    let linked = linked(page);
    let stated = linked.iter().find_map(|value| {
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

/// The page's JSON-LD.
pub(super) fn linked(page: &Page) -> Vec<Value> {
    data(page, is_json_ld)
}

fn is_json_ld(page: &Page, id: Id) -> bool {
    page.attribute(id, "type").is_some_and(|kind| kind.to_ascii_lowercase().contains("ld+json"))
}

/// `__NEXT_DATA__` and its relatives.
fn is_state(page: &Page, id: Id) -> bool {
    page.attribute(id, "type").is_some_and(|kind| kind.to_ascii_lowercase().contains("json"))
        && !is_json_ld(page, id)
}

/// The scripts that are no data of themselves.
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

fn data(page: &Page, wanted: fn(&Page, Id) -> bool) -> Vec<Value> {
    (1..page.len())
        .filter(|&id| page.is(id, "script") && wanted(page, id))
        .filter_map(|id| {
            let text: String = page.children(id).filter_map(|child| page.text(child)).collect();
            (text.len() <= MAX_SCRIPT_BYTES).then(|| metadata::parse_data(&text))?
        })
        .collect()
}

/// The first value of the surest of these names, wherever it stands.
fn longest_named(value: &Value, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| {
        let mut best: Option<&str> = None;
        walk(value, &mut |key, text| {
            if key == *name
                && clean::words(text) >= LEAST_WORDS
                && best.is_none_or(|best| best.len() < text.len())
            {
                best = Some(text);
            }
        });
        best.map(str::to_owned)
    })
}

/// The longest string that reads like text.
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
    words >= LEAST_WORDS && sentences * 60 >= words && code * 8 <= words + text.matches('<').count() * 8
}

/// All strings with their names, without recursion: data may be nested as deep as its author likes.
fn walk<'v>(value: &'v Value, visit: &mut impl FnMut(&'v str, &'v str)) {
    let mut queue: Vec<(&'v str, &'v Value)> = vec![("", value)];
    let mut seen = 0;
    while let Some((key, value)) = queue.pop() {
        seen += 1;
        if seen > MAX_STRINGS {
            return;
        }
        match value {
            Value::String(text) => visit(key, text),
            Value::Array(list) => queue.extend(list.iter().rev().map(|item| (key, item))),
            Value::Object(map) => {
                let own = map.iter().rev().filter(|(key, _)| !OTHERS.contains(&key.as_str()));
                queue.extend(own.map(|(key, item)| (key.as_str(), item)));
            }
            _ => {}
        }
    }
}

/// Text or markup as blocks. References that were escaped twice are undone once.
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
