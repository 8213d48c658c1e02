//! Notes in Markdown: files of Obsidian and Logseq, and pages of Notion.

use serde_json::Value;

use super::mapping::{self, checked};
use super::row::{ImportRow, InvalidRow, MAX_ROW_BYTES, RowContent, RowResult};
use super::values;

/// Maximum number of tags that are read from the text of a note.
const MAX_INLINE_TAGS: usize = 200;
/// Maximum length of the name of a property, in bytes.
const MAX_NAME_BYTES: usize = 60;

/// Reads a note, which may have front matter, properties of Logseq, and tags in the text.
pub(super) fn markdown(text: &str, visit: &mut dyn FnMut(RowResult)) {
    if text.len() > MAX_ROW_BYTES {
        return visit(Err(InvalidRow::TooLong));
    }
    let front = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---"));
    let (front, body) = match front {
        Some((front, body)) => (front, body.split_once('\n').map_or("", |(_, body)| body)),
        None => ("", text),
    };
    let mut members = front_matter(front);
    let body = take_properties(body, &mut members);
    // `source` is the URL of a clipped page.
    for (name, _) in members.iter_mut().filter(|(name, _)| name == "source") {
        "url".clone_into(name);
    }
    let mut row = mapping::values_of(mapping::ANY, members);
    row.title = row.title.or_else(|| heading(body));
    row.content = content(body);
    for tag in inline_tags(body) {
        if !row.tags.contains(&tag) {
            row.tags.push(tag);
        }
    }
    visit(checked(row));
}

/// Reads a page of Notion: a heading, properties, and a text.
pub(super) fn notion(text: &str, visit: &mut dyn FnMut(RowResult)) {
    if text.len() > MAX_ROW_BYTES {
        return visit(Err(InvalidRow::TooLong));
    }
    let body = text.trim_start();
    let after_heading = match body.strip_prefix("# ") {
        Some(rest) => rest.split_once('\n').map_or("", |(_, rest)| rest).trim_start_matches('\n'),
        None => body,
    };
    let (first, rest) = after_heading.split_once("\n\n").unwrap_or((after_heading, ""));
    let lines: Option<Vec<(&str, &str)>> = first.trim().lines().map(property).collect();
    let (members, rest) = match lines {
        Some(lines) if !lines.is_empty() => (lines, rest),
        _ => (Vec::new(), after_heading),
    };
    let mut row = notion_row(members.into_iter().map(|(name, value)| (name.to_owned(), value.into())));
    row.title = heading(body).or(row.title);
    row.content = content(rest);
    visit(checked(row));
}

/// Row with the properties of a page of Notion.
pub(super) fn notion_row(properties: impl Iterator<Item = (String, Value)>) -> ImportRow {
    let named = properties.map(|(name, value)| match mapping::plain(&name).as_str() {
        "createdtime" => ("created".to_owned(), value),
        "multiselect" | "tag" | "topics" => ("tags".to_owned(), value),
        _ => (name, value),
    });
    mapping::values_of(mapping::ANY, named)
}

/// Name and value of a line such as `Tags: a, b`.
fn property(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(": ")?;
    let is_name = !name.is_empty()
        && name.len() <= MAX_NAME_BYTES
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '/' | '(' | ')'));
    is_name.then(|| (name, value.trim()))
}

fn heading(body: &str) -> Option<String> {
    body.lines().find_map(|line| line.strip_prefix("# ")).and_then(values::text)
}

fn content(body: &str) -> Option<RowContent> {
    values::text(body).map(|text| RowContent { text, media_type: "text/markdown".to_owned() })
}

/// Members of the front matter of a note.
fn front_matter(front: &str) -> Vec<(String, Value)> {
    let mut members: Vec<(String, Value)> = Vec::new();
    for line in front.lines() {
        match (line.trim_start().strip_prefix("- "), line.split_once(':')) {
            // A list continues the previous value.
            (Some(value), _) => {
                if let Some((_, Value::Array(values))) = members.last_mut() {
                    values.push(unquoted(value).into());
                }
            }
            (None, Some((name, value))) if !name.starts_with([' ', '#']) => {
                let value = value.trim();
                let value = match value.strip_prefix('[').and_then(|value| value.strip_suffix(']')) {
                    Some(list) => values::list(list, ',').into(),
                    None if value.is_empty() => Value::Array(Vec::new()),
                    None => unquoted(value).into(),
                };
                members.push((name.trim().to_owned(), value));
            }
            (None, _) => {}
        }
    }
    members
}

/// Adds the properties that Logseq writes at the start of a page (`tags:: a, [[b c]]`), and returns the rest
/// of the text.
fn take_properties<'t>(body: &'t str, members: &mut Vec<(String, Value)>) -> &'t str {
    let mut rest = body;
    loop {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        let Some((name, value)) = line.trim_start_matches("- ").split_once(":: ") else { return rest };
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
        if !is_name {
            return rest;
        }
        let is_list = matches!(mapping::plain(name).as_str(), "tags" | "author" | "authors");
        let value = if is_list {
            values::list(value, ',').iter().map(|name| unlinked(name)).collect::<Vec<_>>().into()
        } else {
            Value::from(unlinked(value))
        };
        members.push((name.to_owned(), value));
        rest = after;
    }
}

/// Name of a page or a tag without `#` and brackets.
fn unlinked(name: &str) -> String {
    name.trim().trim_start_matches('#').trim_matches(['[', ']']).trim().to_owned()
}

/// Tags such as `#desk/oak` in the text, outside of blocks of code. A tag contains at least one character
/// that is not a digit.
fn inline_tags(body: &str) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    let mut is_code = false;
    for line in body.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        if is_code {
            continue;
        }
        for word in line.split_whitespace().filter_map(|word| word.strip_prefix('#')) {
            let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/');
            let tag = word.split(|c| !is_part(c)).next().unwrap_or_default().trim_end_matches('/');
            let is_tag = !tag.is_empty() && !tag.chars().all(|c| c.is_ascii_digit());
            if is_tag && tags.len() < MAX_INLINE_TAGS && !tags.iter().any(|known| known == tag) {
                tags.push(tag.to_owned());
            }
        }
    }
    tags
}

fn unquoted(value: &str) -> &str {
    let value = value.trim();
    ['"', '\''].iter().find_map(|quote| value.strip_prefix(*quote)?.strip_suffix(*quote)).unwrap_or(value)
}
