//! Content of one element that the tolerant [`reader`](super::reader) captured. It is interpreted as plain
//! text or as markup, depending on the declared type and on the actual content.

use data_encoding::BASE64_MIME_PERMISSIVE;

use super::builder::{Person, RichText, TextKind};
use super::names::Vocabulary;
use super::text;

/// Content between the start and end tag of an element.
#[derive(Default)]
pub(super) struct Captured {
    pieces: Vec<CapturedPiece>,
    has_tags: bool,
}

enum CapturedPiece {
    /// Text with resolved references.
    Text(String),
    /// Tag as written. `closes` is true for an end tag.
    Tag { written: String, name: String, closes: bool },
}

impl Captured {
    pub(super) fn text(&mut self, text: String) {
        self.pieces.push(CapturedPiece::Text(text));
    }

    pub(super) fn tag(&mut self, written: &str, name: &str, attributes: Option<&str>) {
        self.has_tags = true;
        let local = name.rsplit(':').next().unwrap_or(name);
        // Browsers ignore prefixes: `<xhtml:p>` is `<p>`.
        let mut written = if local == name { written.to_owned() } else { written.replacen(name, local, 1) };
        if is_empty_in_xml(&written) && !is_void(local) {
            // HTML ignores the slash.
            written.truncate(written.len() - "/>".len());
            written.extend([">", "</", local, ">"]);
        }
        self.pieces.push(CapturedPiece::Tag {
            written,
            name: local.to_owned(),
            closes: attributes.is_none(),
        });
    }

    /// Text without the tags.
    pub(super) fn plain(&self) -> String {
        let mut out = String::new();
        for piece in &self.pieces {
            if let CapturedPiece::Text(text) = piece {
                out.push_str(text);
            }
        }
        out
    }

    /// Text of the first child element with this local name.
    pub(super) fn child(&self, child_name: &str) -> Option<String> {
        let is_child = |name: &str| name.eq_ignore_ascii_case(child_name);
        let start = self.pieces.iter().position(
            |piece| matches!(piece, CapturedPiece::Tag { name, closes: false, .. } if is_child(name)),
        )?;
        let mut out = String::new();
        for piece in &self.pieces[start + 1..] {
            match piece {
                CapturedPiece::Text(text) => out.push_str(text),
                CapturedPiece::Tag { .. } => break,
            }
        }
        Some(out)
    }

    /// Persons in the `author` elements of the content.
    pub(super) fn authors(&self) -> Vec<Person> {
        let mut authors: Vec<Person> = Vec::new();
        let mut author: Option<Person> = None;
        let mut open_part = "";
        for piece in &self.pieces {
            match piece {
                CapturedPiece::Tag { name, closes, .. } if name.eq_ignore_ascii_case("author") => {
                    authors.extend(author.take());
                    author = (!closes).then(Person::default);
                }
                CapturedPiece::Tag { name, closes, .. } => {
                    open_part = if *closes { "" } else { name.as_str() }
                }
                CapturedPiece::Text(text) => {
                    let Some(author) = &mut author else { continue };
                    let part = match open_part {
                        "name" => &mut author.name,
                        "email" => &mut author.email,
                        _ => continue,
                    };
                    part.get_or_insert_default().push_str(text);
                }
            }
        }
        for author in &mut authors {
            for part in [&mut author.name, &mut author.email] {
                *part = part.take().map(|value| text::one_line(&value)).filter(|value| !value.is_empty());
            }
        }
        authors.retain(|author| author.display_name().is_some());
        authors
    }

    /// Returns the content with its syntax. The syntax depends on the declared `type` and `mode` (Atom 0.3),
    /// and on the default of the element.
    pub(super) fn rich(&self, kind: &str, mode: &str, default: TextKind) -> Option<RichText> {
        let kind = kind.to_ascii_lowercase();
        if mode.eq_ignore_ascii_case("base64") || is_binary(&kind) {
            let decoded = BASE64_MIME_PERMISSIVE.decode(self.plain().trim().as_bytes()).ok()?;
            let form = if kind.contains("html") { TextKind::Html } else { TextKind::Guess };
            return RichText::new(String::from_utf8(decoded).ok()?, form);
        }
        let is_xhtml = kind == "xhtml" || kind.ends_with("xhtml+xml");
        if self.has_tags || is_xhtml {
            return RichText::new(unwrap_div(&self.markup()).to_owned(), TextKind::Html);
        }
        let form = match kind.as_str() {
            "html" | "text/html" => TextKind::Html,
            "text" | "text/plain" if default != TextKind::Html => default,
            _ => default,
        };
        RichText::new(self.plain(), form)
    }

    fn markup(&self) -> String {
        let mut out = String::new();
        for piece in &self.pieces {
            match piece {
                CapturedPiece::Text(text) => out.push_str(&text::escape(text)),
                CapturedPiece::Tag { written, .. } => out.push_str(written),
            }
        }
        out
    }
}

/// True for an empty-element tag such as `<br/>`. A slash after an unquoted value belongs to the value.
fn is_empty_in_xml(tag: &str) -> bool {
    let Some(inside) = tag.strip_suffix("/>") else { return false };
    inside.ends_with(['"', '\'', ' ', '\n', '\t']) || !inside.contains('=')
}

fn is_binary(kind: &str) -> bool {
    kind.contains('/') && !kind.starts_with("text/") && !kind.ends_with("xml")
}

/// Removes the `div` that wraps XHTML in Atom and is not part of the content (RFC 4287, 3.1.1.3).
fn unwrap_div(markup: &str) -> &str {
    let trimmed = markup.trim();
    let Some(inside) = trimmed.strip_prefix("<div").and_then(|rest| rest.strip_suffix("</div>")) else {
        return trimmed;
    };
    let Some(close) = inside.find('>') else { return trimmed };
    let body = &inside[close + 1..];
    // `<div>a</div><div>b</div>` has no wrapper: its first `div` closes before the last one.
    let opens = body.matches("<div").count();
    let mut depth = 0_usize;
    let mut rest = body;
    while let Some(at) = rest.find("div") {
        let before = &rest[..at];
        if before.ends_with("</") {
            if depth == 0 {
                return trimmed;
            }
            depth -= 1;
        } else if before.ends_with('<') {
            depth += 1;
        }
        rest = &rest[at + 3..];
    }
    if inside[..close].ends_with('/') || opens > 10_000 { trimmed } else { body }
}

/// True for HTML elements without an end tag.
pub(super) fn is_void(name: &str) -> bool {
    const VOID: &[&str] = &[
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "wbr",
    ];
    let local = name.rsplit(':').next().unwrap_or(name);
    VOID.iter().any(|void| void.eq_ignore_ascii_case(local))
}

/// Elements of RSS, of Atom, or without a namespace whose text is read as a field.
const CORE_FIELDS: &[&str] = &[
    "title", "guid", "id", "published", "pubdate", "issued", "updated", "modified", "created",
    "lastbuilddate", "date", "description", "summary", "content", "abstract", "fullitem", "body", "subtitle",
    "tagline", "language", "logo", "icon", "category", "comments", "rights", "copyright", "generator", "ttl",
];

/// True if the text of the element is read as a field.
pub(super) fn is_field(vocabulary: Vocabulary, local: &str) -> bool {
    match vocabulary {
        Vocabulary::Core => CORE_FIELDS.contains(&local),
        Vocabulary::DublinCore => {
            matches!(
                local,
                "title"
                    | "creator"
                    | "author"
                    | "date"
                    | "description"
                    | "identifier"
                    | "language"
                    | "subject"
            )
        }
        Vocabulary::Terms => matches!(local, "issued" | "modified" | "created"),
        Vocabulary::Content => local == "encoded",
        Vocabulary::Itunes => matches!(
            local,
            "author"
                | "summary"
                | "subtitle"
                | "duration"
                | "keywords"
                | "season"
                | "episode"
                | "episodetype"
                | "explicit"
        ),
        Vocabulary::Media => matches!(local, "title" | "description" | "text" | "credit"),
        Vocabulary::Xhtml => matches!(local, "body" | "div"),
        Vocabulary::Syndication | Vocabulary::Podcast | Vocabulary::Other => false,
    }
}
