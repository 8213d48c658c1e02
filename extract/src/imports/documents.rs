//! Files that are read as a whole: references, clippings, annotations, and lists of URLs.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::mapping::{self, checked};
use super::markup::{element, element_text};
use super::row::{ImportRow, ImportedHighlight, InvalidRow, RowResult};
use super::values;

/// Maximum number of bytes of a file.
const MAX_DOCUMENT_BYTES: usize = 32 * 1024 * 1024;

/// Maximum number of values of a RIS reference. Several authors, keywords, or notes count as one value.
const MAX_VALUES: usize = 1_000;

/// Words that mean "note" in the clippings of a Kindle.
const NOTE_WORDS: [&str; 7] = ["note", "notiz", "nota", "notitie", "заметка", "anteckning", "notatka"];

/// Words that mean "note" in languages without spaces between words.
const UNSPACED_NOTE_WORDS: [&str; 4] = ["メモ", "笔记", "筆記", "메모"];

/// Reads the rows of a text.
pub(super) type ReadText = fn(&str, &mut dyn FnMut(RowResult));

/// Reads the rows of a file that is not text.
pub(super) type ReadBytes = fn(&[u8], &mut dyn FnMut(RowResult));

/// Buffers a file that is read as a whole.
#[derive(Default)]
pub(super) struct WholeFile {
    bytes: Vec<u8>,
    is_too_long: bool,
}

impl WholeFile {
    pub(super) fn push(&mut self, piece: &[u8]) {
        if self.is_too_long || self.bytes.len() + piece.len() > MAX_DOCUMENT_BYTES {
            self.is_too_long = true;
            self.bytes = Vec::new();
        } else {
            self.bytes.extend_from_slice(piece);
        }
    }

    pub(super) fn finish(&mut self, read: ReadText, visit: &mut dyn FnMut(RowResult)) {
        if self.is_too_long {
            return visit(Err(InvalidRow::TooLong));
        }
        let text = String::from_utf8_lossy(&std::mem::take(&mut self.bytes)).replace("\r\n", "\n");
        read(text.trim_start_matches('\u{feff}'), visit);
    }

    pub(super) fn finish_bytes(&mut self, read: ReadBytes, visit: &mut dyn FnMut(RowResult)) {
        if self.is_too_long {
            return visit(Err(InvalidRow::TooLong));
        }
        read(&std::mem::take(&mut self.bytes), visit);
    }
}

/// Reads one URL per line: alone, followed by a title, or as a Markdown link, with or without a bullet.
/// Markdown headings are folders.
pub(super) fn url_list(text: &str, visit: &mut dyn FnMut(RowResult)) {
    let mut folder = None;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if let Some(name) = list_heading(line) {
            folder = values::text(name);
            continue;
        }
        let row = listed(line).ok_or(InvalidRow::Malformed);
        visit(row.map(|row| ImportRow {
            folders: folder.iter().cloned().map(|name| vec![name]).collect(),
            ..row
        }));
    }
}

/// Text of a Markdown heading.
pub(super) fn list_heading(line: &str) -> Option<&str> {
    line.trim().strip_prefix('#').and_then(|rest| rest.trim_start_matches('#').strip_prefix(' '))
}

/// URL of a Markdown link after its opening parenthesis, and the text after the link.
fn link_target(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => return Some((text[..at].split_whitespace().next()?, &text[at + 1..])),
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Row of one line of a list of URLs. `None` if the line has no URL.
pub(super) fn listed(line: &str) -> Option<ImportRow> {
    let line = line.trim().trim_start_matches(['-', '*', '\u{2022}']).trim_start();
    let link = line.strip_prefix('[').and_then(|rest| rest.split_once("]("));
    let ((url, note), title) = if let Some((title, rest)) = link {
        (link_target(rest)?, title)
    } else {
        let (url, title) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        ((url, ""), title)
    };
    let has_scheme = ["http://", "https://"]
        .iter()
        .any(|scheme| url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
    let unmarked = |text: &str| values::text(text.trim().trim_start_matches(['|', '-', '\u{2013}', ':']));
    let row = || ImportRow {
        url: Some(url.to_owned()),
        title: unmarked(title),
        note: unmarked(note),
        ..ImportRow::default()
    };
    has_scheme.then(row)
}

/// Reads clippings of a Kindle in any of its languages. A clipping consists of the title with the author, the
/// kind with position and time, and the text.
pub(super) fn clippings(text: &str, visit: &mut dyn FnMut(RowResult)) {
    let mut rows: Vec<ImportRow> = Vec::new();
    for clipping in text.split("==========").filter(|clipping| !clipping.trim().is_empty()) {
        match clipping_row(clipping) {
            Some(row) => rows.push(row),
            None => visit(Err(InvalidRow::Malformed)),
        }
    }
    for (note, passage) in notes_of_passages(&rows) {
        let noted = rows.get_mut(note).and_then(|row| row.highlights.pop());
        if let Some(marked) = rows.get_mut(passage).and_then(|row| row.highlights.first_mut()) {
            marked.note = noted.and_then(|noted| noted.note);
        }
    }
    for row in rows {
        match row.highlights.first() {
            // The note was moved to its highlight.
            None => {}
            Some(one) if one.quote.is_empty() && one.note.is_none() => visit(Err(InvalidRow::PageMark)),
            Some(_) => visit(Ok(row)),
        }
    }
}

/// Pairs of row indexes: a note, and its passage. The position of a note is the last position of its
/// passage, which is the previous passage, or else the only passage of the book with this last position.
fn notes_of_passages(rows: &[ImportRow]) -> Vec<(usize, usize)> {
    // Passages by their last positions. `None` if several passages have the same last position.
    let mut passages: HashMap<(Option<&str>, u64), Option<usize>> = HashMap::new();
    for (at, row) in rows.iter().enumerate() {
        let Some(passage) = row.highlights.first().filter(|one| !one.quote.is_empty()) else { continue };
        if let Some(position) = last_number(passage) {
            let key = (row.source_id.as_deref(), position);
            passages.entry(key).and_modify(|only| *only = None).or_insert(Some(at));
        }
    }
    let (mut pairs, mut taken) = (Vec::new(), HashSet::new());
    for (at, row) in rows.iter().enumerate() {
        let is_note = |one: &&ImportedHighlight| one.quote.is_empty() && one.note.is_some();
        let Some(noted) = row.highlights.first().filter(is_note) else { continue };
        let position = last_number(noted);
        let is_noted = |before: &usize| {
            let Some(before) = rows.get(*before) else { return false };
            let passage = before.highlights.first().filter(|one| !one.quote.is_empty());
            before.source_id == row.source_id && passage.is_some_and(|one| last_number(one) == position)
        };
        let only = || passages.get(&(row.source_id.as_deref(), position?)).copied().flatten();
        let passage = at.checked_sub(1).filter(is_noted).or_else(only);
        pairs.extend(passage.filter(|passage| taken.insert(*passage)).map(|passage| (at, passage)));
    }
    pairs
}

/// Last position of a clipping. Some devices omit the first digits of the second number: `1234-38`.
fn last_number(highlight: &ImportedHighlight) -> Option<u64> {
    let location = highlight.location.as_deref()?.trim_end_matches(|c: char| !c.is_ascii_digit());
    let range = location.rsplit(|c: char| !c.is_ascii_digit() && c != '-').next()?;
    let (start, stop) = range.rsplit_once('-').unwrap_or(("", range));
    let shared = start.get(..start.len().saturating_sub(stop.len())).unwrap_or_default();
    format!("{shared}{stop}").parse().ok()
}

fn clipping_row(clipping: &str) -> Option<ImportRow> {
    let mut lines = clipping.trim_start_matches(['\u{feff}', '\n', '\r']).lines();
    let book = lines.next()?.trim_matches(['\u{feff}', ' ']);
    let about = lines.next()?.trim().strip_prefix('-')?.trim();
    let words = lines.collect::<Vec<_>>().join("\n").trim().to_owned();
    let (title, author) = match book.strip_suffix(')').and_then(|book| book.rsplit_once('(')) {
        Some((title, author)) => (title.trim(), Some(author.trim().to_owned())),
        None => (book, None),
    };
    let mut parts: Vec<&str> = about.split('|').map(str::trim).collect();
    // The last part is the time. It begins with words such as "Added on".
    let time = if parts.len() > 1 { parts.pop() } else { None };
    let time = time.and_then(|time| {
        let digit = time.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
        // The words before the time could be read as part of it, such as `am` in German.
        values::time(&time[digit..]).or_else(|| values::time(time))
    });
    let kind = about.to_lowercase();
    let is_note = NOTE_WORDS.iter().any(|word| kind.split_whitespace().take(4).any(|part| part == *word))
        || UNSPACED_NOTE_WORDS.iter().any(|word| kind.contains(word));
    let (quote, note) = if is_note { (String::new(), values::text(&words)) } else { (words, None) };
    let highlight = ImportedHighlight {
        quote,
        note,
        created_at: time,
        location: values::text(&parts.join(", ")),
        ..ImportedHighlight::default()
    };
    Some(ImportRow {
        source_id: Some(format!("{title}\u{1f}{}", author.as_deref().unwrap_or_default())),
        title: values::text(title),
        author,
        highlights: vec![highlight],
        ..ImportRow::default()
    })
}

/// Reads annotations of Adobe Digital Editions: a publication, and its annotations with target and content.
pub(super) fn adobe_annotations(text: &str, visit: &mut dyn FnMut(RowResult)) {
    let publication = element(text, "publication").map_or("", |(publication, _)| publication);
    let (title, author) = (element_text(publication, "dc:title"), element_text(publication, "dc:creator"));
    let mut highlights = Vec::new();
    let mut rest = text;
    while let Some((annotation, after)) = element(rest, "annotation") {
        let target = element(annotation, "target").map_or("", |(target, _)| target);
        let content = element(annotation, "content").map_or("", |(content, _)| content);
        let highlight = ImportedHighlight {
            source_id: element_text(annotation, "dc:identifier"),
            quote: element_text(target, "text").unwrap_or_default(),
            note: element_text(content, "text")
                .or_else(|| values::text(content).filter(|text| !text.contains('<'))),
            created_at: element_text(annotation, "dc:date").and_then(|time| values::time(&time)),
            ..ImportedHighlight::default()
        };
        highlights.push(highlight);
        rest = after;
    }
    let is_cut = ["<annotation>", "<annotation "].iter().any(|open| rest.contains(open));
    visit(checked(ImportRow {
        source_id: element_text(publication, "dc:identifier").or_else(|| title.clone()),
        title,
        author,
        highlights,
        ..ImportRow::default()
    }));
    if is_cut {
        visit(Err(InvalidRow::Truncated));
    }
}

/// Reads references in RIS. Each line consists of a tag of two letters, a hyphen, and a value.
pub(super) fn ris(text: &str, visit: &mut dyn FnMut(RowResult)) {
    let mut members: Vec<(String, Value)> = Vec::new();
    let mut is_too_long = false;
    for line in text.lines() {
        let line = line.trim_start_matches('\u{feff}');
        let tagged = line.split_once("  -").filter(|(tag, _)| tag.trim().len() == 2);
        let Some((tag, value)) = tagged else {
            // A line without a tag continues the previous value.
            if let (Some((_, Value::String(value))), Some(more)) = (members.last_mut(), values::text(line)) {
                value.push(' ');
                value.push_str(&more);
            }
            continue;
        };
        match (tag.trim(), value.trim()) {
            ("ER", _) => {
                let members = std::mem::take(&mut members);
                let is_readable = !std::mem::take(&mut is_too_long);
                let reference = || mapping::reference(mapping::REFERENCE, members);
                visit(if is_readable { reference() } else { Err(InvalidRow::TooLong) });
            }
            (tag, value) if members.len() < MAX_VALUES => add_value(&mut members, tag, value),
            _ => is_too_long = true,
        }
    }
    if !members.is_empty() {
        visit(Err(InvalidRow::Truncated));
    }
}

/// Adds a value. Several authors, keywords, or notes become one text.
fn add_value(members: &mut Vec<(String, Value)>, tag: &str, value: &str) {
    let separator = match tag {
        "AU" | "A1" => "; ",
        "KW" | "N1" => "\n",
        _ => "",
    };
    let known = members.iter_mut().find(|(name, _)| name == tag && !separator.is_empty());
    match known {
        Some((_, Value::String(known))) => {
            known.push_str(separator);
            known.push_str(value);
        }
        _ => members.push((tag.to_owned(), value.into())),
    }
}
