//! Markdown file of an item for note-taking programs such as Obsidian and Logseq: front matter, notes, highlights in
//! the order of the text, and optionally the text of the item. Texts are escaped, so that text by other people cannot
//! change the structure of the file. A person can add text below the last line of the file.

use std::fmt::Write as _;

use entities::ids::ItemId;
use extract::render::markdown;
use extract::{Block, BlockKind, Container, Document};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::highlight_picture::HighlightPicture;
use crate::highlights::Highlight;
use crate::item::Item;
use crate::notes::Note;
use kernel::rfc3339;

/// Size of a file from which further notes, highlights, and texts are replaced by a link to the item, in bytes.
const MAX_FILE_BYTES: usize = 8 << 20;
/// Maximum length of the title in the name of a file, in bytes.
const MAX_SLUG_BYTES: usize = 80;
/// Number of bytes of a date such as 2026-01-31.
const DATE_BYTES: usize = 10;
/// Prefixes of the code block languages that Obsidian plugins execute.
const EXECUTED_LANGUAGES: [&str; 5] = ["dataview", "js-engine", "meta-bind", "query", "tasks"];

/// Markdown file of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkdownFile {
    pub item_id: ItemId,
    /// Name of the file, with the title and [`short_id`] of the item.
    pub name: String,
    pub markdown: String,
}

/// Returns the last group of an item's id, which is the suffix of its file name. The suffix, and not the
/// title, identifies the file.
pub fn short_id(id: ItemId) -> String {
    id.to_string().rsplit('-').next().unwrap_or_default().to_owned()
}

/// Returns the last line of the file of an item, below which a person can add text. Authors of other texts in the file
/// cannot know the id.
pub fn last_line(id: ItemId) -> String {
    format!("<!-- carrel {id}: everything below this line is yours -->")
}

/// Returns a file name for an item that is also valid on file systems that ignore case or reserve names.
fn file_name(title: &str, id: ItemId) -> String {
    let mut slug = String::new();
    for letter in title.nfc().flat_map(char::to_lowercase) {
        let letter = if is_letter(letter) { letter } else { '-' };
        if slug.len() + letter.len_utf8() > MAX_SLUG_BYTES {
            break;
        }
        if letter != '-' || !(slug.is_empty() || slug.ends_with('-')) {
            slug.push(letter);
        }
    }
    let slug = slug.trim_end_matches('-');
    format!("{}-{}.md", if slug.is_empty() { "item" } else { slug }, short_id(id))
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || is_combining_mark(letter)
}

/// File of an item that is being written.
pub(super) struct ItemFileWriter {
    item: Item,
    /// URL of the page of the item.
    link: String,
    out: String,
    is_full: bool,
}

impl ItemFileWriter {
    /// Writes the front matter and the title. `origin` is the origin of the pages of the library.
    pub(super) fn start(item: Item, origin: &str) -> Self {
        let link = format!("{origin}/library/{}", item.id);
        let mut out = front_matter(&item, &link);
        push_heading(&mut out, 1, &item.title);
        Self { item, link, out, is_full: false }
    }

    /// Returns true if the file contains a link to the item instead of further content.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    pub(super) fn note(&mut self, note: &Note) {
        let mut part = String::new();
        if let Some(title) = &note.row.title {
            push_heading(&mut part, 2, title);
        }
        push_paragraphs(&mut part, &note.row.text);
        let tags = tag_words(&note.tags);
        if !tags.is_empty() {
            _ = writeln!(part, "\n{}", hash_tags(&tags));
        }
        self.push(&part);
    }

    /// Writes a highlight as a quote. Its last line has the color as a link to the passage, and the tags.
    pub(super) fn highlight(&mut self, highlight: &Highlight) {
        let row = &highlight.row;
        let blocks = match HighlightPicture::of(row) {
            Some(HighlightPicture { url, alt }) => vec![Block {
                kind: BlockKind::Figure,
                src: Some(url),
                alt,
                text: one_line(&row.quote),
                within: vec![Container::Quote],
                ..Block::default()
            }],
            None => paragraphs(&row.quote, &[Container::Quote]),
        };
        let mut part = format!("\n{}", inert(&markdown(&blocks)));
        _ = write!(part, ">\n> [{}]({}#mark-{})", row.color.as_str(), self.link, row.id);
        for tag in tag_words(&highlight.tags) {
            _ = write!(part, " #{tag}");
        }
        part.push('\n');
        if let Some(note) = &row.note {
            push_paragraphs(&mut part, note);
        }
        self.push(&part);
    }

    pub(super) fn text(&mut self, document: &Document) {
        let mut blocks = document.blocks.clone();
        for block in &mut blocks {
            if block.language.as_deref().is_some_and(is_executed) {
                block.language = None;
            }
        }
        self.push(&format!("\n***\n\n{}", inert_text(&markdown(&blocks))));
    }

    fn push(&mut self, part: &str) {
        if self.is_full {
            return;
        }
        if self.out.len() + part.len() > MAX_FILE_BYTES {
            self.is_full = true;
            _ = writeln!(self.out, "\n[…]({})", self.link);
        } else {
            self.out.push_str(part);
        }
    }

    pub(super) fn finish(mut self) -> MarkdownFile {
        let id = self.item.id;
        _ = writeln!(self.out, "\n{}", last_line(id));
        MarkdownFile { item_id: id, name: file_name(&self.item.title, id), markdown: self.out }
    }
}

fn is_executed(language: &str) -> bool {
    let language = language.to_lowercase();
    EXECUTED_LANGUAGES.iter().any(|executed| language.starts_with(executed))
}

fn front_matter(item: &Item, link: &str) -> String {
    let mut out = format!("---\ntitle: {}\n", quoted(&item.title));
    if item.url.starts_with("http") {
        _ = writeln!(out, "url: {}", quoted(&item.url));
    }
    let authors = item.author.as_deref().unwrap_or_default();
    push_list(&mut out, "authors", authors.split(',').map(str::trim).filter(|author| !author.is_empty()));
    if let Some(published_at) = &item.published_at {
        _ = writeln!(out, "published: {}", date(published_at));
    }
    _ = writeln!(out, "saved: {}\nstatus: {}", date(&rfc3339(item.saved_at)), item.status.as_str());
    push_list(&mut out, "tags", tag_words(&item.tags).iter().map(String::as_str));
    _ = writeln!(out, "id: {}\ncarrel: {}\n---", item.id, quoted(link));
    out
}

fn push_list<'a>(out: &mut String, name: &str, values: impl Iterator<Item = &'a str>) {
    for (index, value) in values.enumerate() {
        if index == 0 {
            _ = writeln!(out, "{name}:");
        }
        _ = writeln!(out, "  - {}", quoted(value));
    }
}

/// Formats a text as a quoted YAML scalar in one line. JSON strings are such scalars.
fn quoted(text: &str) -> String {
    let is_printable =
        |letter: &char| !letter.is_control() && !matches!(letter, '\u{feff}' | '\u{fffe}' | '\u{ffff}');
    let text: String = one_line(text).chars().filter(is_printable).collect();
    serde_json::Value::from(text).to_string()
}

/// Returns the date of a time. If the text does not begin with a date, returns it as a quoted scalar.
fn date(text: &str) -> String {
    let is_date = |day: &&str| {
        let mut bytes = day.bytes().enumerate();
        bytes.all(|(index, byte)| if matches!(index, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() })
    };
    text.get(..DATE_BYTES).filter(is_date).map_or_else(|| quoted(text), str::to_owned)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns tags as note-taking programs accept them: words joined by hyphens, and not only digits. Tags without
/// a letter or digit are omitted.
fn tag_words(tags: &[String]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for tag in tags {
        let is_separator = |letter: char| !is_letter(letter) && !matches!(letter, '_' | '/');
        let parts: Vec<&str> = tag.split(is_separator).filter(|part| !part.is_empty()).collect();
        let word = parts.join("-");
        let word = word.trim_matches('/');
        if !word.contains(is_letter) {
            continue;
        }
        let is_number = !word.contains(|letter: char| letter.is_alphabetic() || letter == '_');
        let word = if is_number { format!("_{word}") } else { word.to_owned() };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

fn hash_tags(words: &[String]) -> String {
    let tags: Vec<String> = words.iter().map(|word| format!("#{word}")).collect();
    tags.join(" ")
}

fn push_heading(out: &mut String, level: u8, title: &str) {
    let heading =
        Block { kind: BlockKind::Heading, level: Some(level), text: one_line(title), ..Block::default() };
    _ = write!(out, "\n{}", inert(&markdown(&[heading])));
}

fn push_paragraphs(out: &mut String, text: &str) {
    _ = write!(out, "\n{}", inert(&markdown(&paragraphs(text, &[]))));
}

/// Returns the paragraphs of a text, which blank lines separate. Lines are trimmed, because indentation has a
/// meaning in Markdown.
fn paragraphs(text: &str, within: &[Container]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut continues = false;
    for line in text.replace("\r\n", "\n").split(['\n', '\r']).map(str::trim) {
        match blocks.last_mut() {
            _ if line.is_empty() => {}
            Some(block) if continues => {
                block.text.push('\n');
                block.text.push_str(line);
            }
            _ => {
                blocks.push(Block { text: line.to_owned(), within: within.to_vec(), ..Block::default() });
            }
        }
        continues = !line.is_empty();
    }
    blocks
}

/// Escapes syntax of Obsidian that is text in Markdown: comments, which hide the rest of a file, and tags.
fn inert(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut before = '\n';
    let mut letters = markdown.chars().peekable();
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied().unwrap_or('\n');
        let begins_tag = letter == '#' && before.is_whitespace() && !next.is_whitespace() && next != '#';
        let is_comment = letter == '%' && (before == '%' || next == '%');
        if begins_tag || is_comment {
            out.push('\\');
        }
        out.push(letter);
        before = letter;
    }
    out
}

/// Escapes comments of Obsidian in the text of an item, except in its code blocks.
fn inert_text(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut fence: Option<usize> = None;
    for line in markdown.split_inclusive('\n') {
        let content = line.trim_start_matches([' ', '>']).trim_end();
        let ticks = content.len() - content.trim_start_matches('`').len();
        let is_fence = ticks >= 3 && !content[ticks..].contains('`');
        if fence.is_none() && !is_fence {
            out.push_str(&line.replace("%%", "\\%\\%"));
            continue;
        }
        out.push_str(line);
        fence = match fence {
            None => Some(ticks),
            Some(open) if is_fence && ticks == open && content.len() == ticks => None,
            open => open,
        };
    }
    out
}

#[cfg(test)]
mod tests {
    use entities::ids::{AccountId, HighlightId, NoteId};
    use entities::library_words::{AnchorStatus, HighlightColor};
    use entities::{library_highlight, library_item, library_note};

    use super::*;
    use crate::item;

    const ORIGIN: &str = "https://carrel.example.org";

    fn id() -> ItemId {
        ItemId::from_u128(0x0193_a0b2_7c00_7000_8000_3f1e_2d4c_5b6a)
    }

    fn item_with(title: &str, tags: &[&str]) -> Item {
        let row = library_item::Model {
            url: "https://example.org/boats".to_owned(),
            title: title.to_owned(),
            author: Some("Ada Quill, Ben".to_owned()),
            published_at: Some("2026-01-31T10:00:00Z".to_owned()),
            ..item::blank(id(), AccountId::MAX, 1_704_067_200_000)
        };
        Item { row, tags: tags.iter().map(|tag| (*tag).to_owned()).collect() }
    }

    fn highlight(quote: &str, note: Option<&str>, picture: Option<&str>) -> Highlight {
        let row = library_highlight::Model {
            id: HighlightId::from_u128(1),
            account_id: AccountId::MAX,
            sequence: 0,
            item_id: Some(id()),
            detached_from: None,
            item_title: None,
            source_url: None,
            quote: quote.to_owned(),
            picture_url: picture.map(str::to_owned),
            picture_alt: None,
            prefix: String::new(),
            suffix: String::new(),
            hint: None,
            note: note.map(str::to_owned),
            color: HighlightColor::Yellow,
            anchor: None,
            end_anchor: None,
            start_offset: None,
            end_offset: None,
            page: None,
            anchor_status: AnchorStatus::Orphaned,
            external_id: None,
            review_day: None,
            review_step: 0,
            card: None,
            stored_bytes: 0,
            created_at: 0,
            updated_at: 0,
        };
        let tags = vec!["to learn".to_owned()];
        Highlight { row, tags, item_title: None, source_url: None, item_author: None }
    }

    fn note(title: Option<&str>, text: &str) -> Note {
        let row = library_note::Model {
            id: NoteId::from_u128(1),
            account_id: AccountId::MAX,
            sequence: 0,
            item_id: Some(id()),
            detached_from: None,
            title: title.map(str::to_owned),
            text: text.to_owned(),
            external_id: None,
            stored_bytes: 0,
            created_at: 0,
            updated_at: 0,
        };
        Note { row, tags: Vec::new() }
    }

    #[test]
    fn file_has_front_matter_notes_highlights_and_the_last_line() {
        let mut writer = ItemFileWriter::start(item_with("Boats & ships", &["to read", "2026"]), ORIGIN);
        writer.note(&note(Some("Idea"), "One.\n\nTwo\nlines."));
        writer.highlight(&highlight("The ferry\nleaves.", Some("Soon."), None));
        writer.highlight(&highlight("A map", None, Some("https://example.org/map.png")));
        let file = writer.finish();
        assert_eq!(file.name, "boats-ships-3f1e2d4c5b6a.md");
        let mark = "https://carrel.example.org/library/0193a0b2-7c00-7000-8000-3f1e2d4c5b6a\
                    #mark-00000000-0000-0000-0000-000000000001";
        let expected = format!(
            "---\ntitle: \"Boats & ships\"\nurl: \"https://example.org/boats\"\nauthors:\n  - \"Ada Quill\"\n  \
             - \"Ben\"\npublished: 2026-01-31\nsaved: 2024-01-01\nstatus: inbox\ntags:\n  - \"to-read\"\n  \
             - \"_2026\"\nid: 0193a0b2-7c00-7000-8000-3f1e2d4c5b6a\n\
             carrel: \"https://carrel.example.org/library/0193a0b2-7c00-7000-8000-3f1e2d4c5b6a\"\n---\n\n\
             # Boats & ships\n\n## Idea\n\nOne.\n\nTwo  \nlines.\n\n\
             > The ferry  \n> leaves.\n>\n> [yellow]({mark}) #to-learn\n\nSoon.\n\n\
             > ![](https://example.org/map.png)\n>\n> A map\n>\n> [yellow]({mark}) #to-learn\n\n\
             <!-- carrel 0193a0b2-7c00-7000-8000-3f1e2d4c5b6a: everything below this line is yours -->\n"
        );
        assert_eq!(file.markdown, expected);
    }

    #[test]
    fn hostile_texts_do_not_change_the_structure() {
        let evil = "---\nid: other\n---\n# Heading\n   > nested\n<!-- carrel -->\n%%\nwith #tag and [[link]]";
        let mut writer = ItemFileWriter::start(item_with(&format!("\"{evil}"), &["a\n---", "#++"]), ORIGIN);
        let head = writer.out.clone();
        assert_eq!(head.lines().filter(|line| *line == "---").count(), 2, "{head}");
        assert_eq!(head.lines().filter(|line| line.starts_with("id: ")).count(), 1, "{head}");
        assert!(head.contains("tags:\n  - \"a\"\nid: "), "{head}");
        writer.note(&note(None, evil));
        writer.highlight(&highlight(evil, Some(evil), None));
        let text = writer.finish().markdown.split_off(head.len());
        assert!(!text.contains("\n---") && !text.contains("\n# ") && !text.contains("%%"), "{text}");
        assert!(!text.contains("[[") && !text.contains(" #tag") && !text.contains("> >"), "{text}");
        assert_eq!(text.matches("\n<!--").count(), 1, "{text}");
    }

    #[test]
    fn name_is_bounded_and_safe_on_every_file_system() {
        let name = |title: &str| file_name(title, id());
        assert_eq!(name("CON"), "con-3f1e2d4c5b6a.md");
        assert_eq!(name("../../a\\b:c*?\"<>|\0"), "a-b-c-3f1e2d4c5b6a.md");
        assert_eq!(name("…"), "item-3f1e2d4c5b6a.md");
        assert_eq!(name("Cafe\u{301} 長い"), "café-長い-3f1e2d4c5b6a.md");
        assert!(name(&"長い ".repeat(500)).len() <= MAX_SLUG_BYTES + 16);
    }

    #[test]
    fn code_that_plugins_execute_has_no_language() {
        let code = |language: &str| Block {
            kind: BlockKind::Code,
            language: Some(language.to_owned()),
            text: "app.vault".to_owned(),
            ..Block::default()
        };
        let blocks = vec![code("DataviewJS"), code("rust"), code("query")];
        let mut writer = ItemFileWriter::start(item_with("Code", &[]), ORIGIN);
        writer.text(&Document { blocks, ..Document::default() });
        let text = writer.finish().markdown;
        assert_eq!(text.matches("\n```\napp.vault\n```").count(), 2, "{text}");
        assert!(text.contains("```rust\n") && !text.contains("```D") && !text.contains("```q"), "{text}");
    }

    #[test]
    fn comments_in_code_are_not_escaped() {
        let text = "a %% b\n\n```\n%% code\n```\n\n> ````\n> ```\n> %%\n> ````\n\n```a``` %%\n";
        let expected = "a \\%\\% b\n\n```\n%% code\n```\n\n> ````\n> ```\n> %%\n> ````\n\n```a``` \\%\\%\n";
        assert_eq!(inert_text(text), expected);
    }

    #[test]
    fn full_file_links_to_the_item() {
        let mut writer = ItemFileWriter::start(item_with("Long", &[]), ORIGIN);
        for _ in 0..9 {
            writer.note(&note(None, &"word ".repeat(200_000)));
        }
        assert!(writer.is_full());
        let text = writer.finish().markdown;
        assert_eq!(text.matches("\n[…](https://carrel.example.org/library/").count(), 1);
        assert!(text.len() < MAX_FILE_BYTES + 1_000);
    }
}
