//! Text functions for feeds: resolve references, detect markup, remove control characters, convert markup to
//! plain text.

use std::borrow::Cow;

use html5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};

/// True if the character may occur in stored text: no C0 or C1 controls except tab and line breaks, no
/// bidirectional overrides or isolates, no byte order marks, no noncharacters.
pub(super) fn is_clean(character: char) -> bool {
    !matches!(character,
        '\u{0}'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{7F}'..='\u{9F}'
        | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}')
}

/// Removes every character that [`is_clean`] rejects. C1 controls are the result of decoding Windows-1252
/// text as Latin-1. They are converted to the quotes and dashes of Windows-1252.
pub(super) fn clean(text: &str) -> Cow<'_, str> {
    if is_all_clean(text) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(from_windows).filter(|&character| is_clean(character)).collect())
}

/// Checks runs of ASCII in chunks, and other text character by character.
fn is_all_clean(text: &str) -> bool {
    const STRETCH: usize = 64;
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r');
    let mut rest = text;
    while !rest.is_empty() {
        // The fold has no early exit inside a chunk, so that the compiler can vectorise it.
        let plain = rest
            .as_bytes()
            .chunks(STRETCH)
            .take_while(|stretch| stretch.iter().fold(true, |all, &byte| all & is_plain(byte)))
            .map(<[u8]>::len)
            .sum::<usize>();
        // The end of an ASCII run is a character boundary.
        rest = &rest[plain..];
        let next = rest.char_indices().map(|(at, _)| at).find(|&at| at >= STRETCH).unwrap_or(rest.len());
        if !rest[..next].chars().all(is_clean) {
            return false;
        }
        rest = &rest[next..];
    }
    true
}

fn from_windows(character: char) -> char {
    match u32::from(character) {
        code @ 0x80..0xA0 => windows_1252(code).unwrap_or(character),
        _ => character,
    }
}

fn windows_1252(code: u32) -> Option<char> {
    C1_REPLACEMENTS.get(usize::try_from(code.checked_sub(0x80)?).ok()?).copied().flatten()
}

/// Collapses white space to single spaces and trims the text.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// Cuts to at most `limit` code points, at the end of a word if one is near, and adds an ellipsis.
pub(super) fn cut(text: &str, limit: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(limit) else {
        return text.to_owned();
    };
    let prefix = text.char_indices().nth(limit.saturating_sub(1)).map_or(&text[..end], |(at, _)| &text[..at]);
    let prefix = match prefix.rfind(char::is_whitespace) {
        Some(space) if space * 5 > prefix.len() * 4 => &prefix[..space],
        _ => prefix,
    };
    format!("{}…", prefix.trim_end())
}

/// Resolves references in one pass: the five names of XML, the names of HTML, and decimal and hexadecimal
/// numbers. The numbers 128–159 are read as Windows-1252. Other text is unchanged.
pub(super) fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (characters, length) = reference(rest).unwrap_or_else(|| ("&".to_owned(), 1));
        out.push_str(&characters);
        rest = &rest[length..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Decodes the character reference at the start of `text`. Returns its characters and its length in bytes.
fn reference(text: &str) -> Option<(String, usize)> {
    let inside = &text[1..];
    let window = inside.as_bytes().get(..inside.len().min(32))?;
    let end = window
        .iter()
        .position(|&byte| !(byte.is_ascii_alphanumeric() || byte == b'#'))
        .unwrap_or(window.len());
    let name = &inside[..end];
    let closed = inside[end..].starts_with(';');
    let length = 1 + end + usize::from(closed);
    if let Some(number) = name.strip_prefix('#') {
        return code_point(number).map(|character| (character.to_string(), length));
    }
    if !closed {
        return None;
    }
    let (first, second) = *NAMED_ENTITIES.get(format!("{name};").as_str())?;
    let characters: String =
        [first, second].into_iter().filter(|&code| code != 0).filter_map(char::from_u32).collect();
    (!characters.is_empty()).then_some((characters, length))
}

fn code_point(number: &str) -> Option<char> {
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok()?,
        None => number.parse().ok()?,
    };
    if (0x80..0xA0).contains(&code) {
        return windows_1252(code).or_else(|| char::from_u32(code));
    }
    Some(char::from_u32(code).unwrap_or('\u{FFFD}'))
}

/// True if text that is declared as plain contains markup: an HTML end tag, `br`, `img` or `hr`, or an HTML
/// reference.
pub(super) fn looks_like_html(text: &str) -> bool {
    if !text.contains(['<', '&']) {
        return false;
    }
    let mut rest = text;
    let mut has_tag = false;
    while let Some(at) = rest.find('<') {
        let inside = &rest[at + 1..];
        let name = inside.trim_start_matches('/');
        let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
        if end > 0 {
            if !is_html_name(&name[..end]) {
                return false;
            }
            has_tag |= inside.starts_with('/') || matches!(&name[..end], "br" | "img" | "hr");
        }
        rest = inside;
    }
    has_tag || has_reference(text)
}

fn has_reference(text: &str) -> bool {
    text.match_indices('&').any(|(at, _)| {
        let tail = &text[at..];
        reference(tail).is_some_and(|(_, length)| tail.as_bytes().get(length - 1) == Some(&b';'))
    })
}

/// Names of the HTML elements that occur in feed texts, sorted.
#[rustfmt::skip]
const HTML_NAMES: &[&str] = &[
    "a", "abbr", "acronym", "address", "article", "aside", "audio", "b", "big", "blockquote", "br",
    "caption", "center", "cite", "code", "col", "dd", "del", "dfn", "div", "dl", "dt", "em", "embed",
    "fieldset", "figcaption", "figure", "font", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6",
    "header", "hr", "i", "iframe", "img", "ins", "kbd", "li", "mark", "nav", "object", "ol", "p",
    "param", "picture", "pre", "q", "s", "samp", "script", "section", "small", "span", "strike",
    "strong", "style", "sub", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "time", "tr", "tt",
    "u", "ul", "var", "video", "wbr",
];

pub(super) fn is_html_name(name: &str) -> bool {
    HTML_NAMES.binary_search(&name.to_ascii_lowercase().as_str()).is_ok()
}

/// Converts markup to plain text: removes tags, removes scripts and styles with their content, breaks lines
/// at each block, and resolves references. Runs in linear time and does not build a tree, so hostile markup
/// is cheap.
pub(super) fn plain(html: &str) -> String {
    let mut out = String::with_capacity(html.len() / 2);
    let mut tokens = super::tokens::MarkupTokens::new(html);
    let mut skipped_element: Option<&str> = None;
    while let Some(token) = tokens.next(None) {
        match token {
            super::tokens::MarkupToken::Start { name, empty, .. } => {
                if skipped_element.is_none() && !empty && is_skipped(name) {
                    skipped_element = Some(name);
                } else if is_block(name) {
                    out.push('\n');
                }
            }
            super::tokens::MarkupToken::End { name, .. } => {
                if skipped_element.is_some_and(|skipped_element| skipped_element.eq_ignore_ascii_case(name)) {
                    skipped_element = None;
                } else if is_block(name) {
                    out.push('\n');
                }
            }
            super::tokens::MarkupToken::Text(text) if skipped_element.is_none() => {
                out.push_str(&unescape(text));
            }
            super::tokens::MarkupToken::Cdata(text) if skipped_element.is_none() => out.push_str(text),
            super::tokens::MarkupToken::Text(_) | super::tokens::MarkupToken::Cdata(_) => {}
        }
    }
    out
}

fn is_skipped(name: &str) -> bool {
    ["script", "style", "noscript", "template"]
        .iter()
        .any(|skipped_element| skipped_element.eq_ignore_ascii_case(name))
}

fn is_block(name: &str) -> bool {
    const BLOCKS: &[&str] = &[
        "article", "blockquote", "br", "dd", "div", "dt", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr",
        "li", "ol", "p", "pre", "section", "table", "td", "tr", "ul",
    ];
    BLOCKS.iter().any(|block| block.eq_ignore_ascii_case(name))
}

/// Escapes text for use in markup.
pub(super) fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(['<', '>', '&']) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"))
}
