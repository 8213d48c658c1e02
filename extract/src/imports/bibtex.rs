//! References in BibTeX: entries, macros, and the commands of TeX in values.

use std::collections::HashMap;

use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use super::mapping;
use super::row::{InvalidRow, MAX_ROW_BYTES, RowResult};
use crate::clean;

/// Maximum size of an entry's kind, in bytes.
const MAX_KIND_BYTES: usize = 40;
/// Maximum size of a macro's value, in bytes.
const MAX_MACRO_BYTES: usize = 1_000;
/// Maximum number of macros.
const MAX_MACROS: usize = 10_000;
/// Maximum total size of the macro values that a file uses, in bytes.
const MAX_MACRO_USES_BYTES: usize = 32 * 1024 * 1024;

/// Reads entries: `@kind{key, name = {value}, name = "value", name = macro # "value"}`.
pub(super) fn bibtex(text: &str, visit: &mut dyn FnMut(RowResult)) {
    let (mut macros, mut reads_parentheses) = (Macros::default(), true);
    let mut rest = text;
    while let Some(at) = rest.find('@') {
        rest = &rest[at + 1..];
        let opening = rest.bytes().take(MAX_KIND_BYTES).position(|byte| matches!(byte, b'{' | b'('));
        let Some(opening) = opening else { continue };
        let (kind, after) = (rest[..opening].trim(), &rest[opening + 1..]);
        let is_brace = rest.as_bytes().get(opening) == Some(&b'{');
        if kind.is_empty() || !kind.chars().all(char::is_alphanumeric) || !(is_brace || reads_parentheses) {
            continue;
        }
        let Some(end) = closing(after, if is_brace { b'}' } else { b')' }) else {
            if is_brace {
                return visit(Err(InvalidRow::Truncated));
            }
            // Outside of entries, text in parentheses may follow an e-mail address.
            reads_parentheses = false;
            continue;
        };
        rest = &after[end + 1..];
        match kind.to_lowercase().as_str() {
            "comment" | "preamble" => {}
            "string" => macros.add(&after[..end]),
            _ => visit(entry(kind, &after[..end], &mut macros)),
        }
    }
}

/// Finds the byte that closes the group that is open at the start of the text. Returns its position.
fn closing(text: &str, close: u8) -> Option<usize> {
    let (mut braces, mut parentheses, mut is_escaped) = (0_usize, 0_usize, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            _ if byte == close && braces == 0 && parentheses == 0 => return Some(at),
            b'{' => braces += 1,
            b'}' => braces = braces.saturating_sub(1),
            b'(' if close == b')' && braces == 0 => parentheses += 1,
            b')' if close == b')' && braces == 0 => parentheses -= 1,
            _ => {}
        }
    }
    None
}

/// Values of macros by their names in lower case.
#[derive(Default)]
struct Macros {
    values: HashMap<String, String>,
    used_bytes: usize,
}

impl Macros {
    /// Adds the macro `name = value`.
    fn add(&mut self, definition: &str) {
        let Some((name, after)) = definition.split_once('=') else { return };
        let (value, _) = value(after, self);
        if value.len() <= MAX_MACRO_BYTES && self.values.len() < MAX_MACROS {
            self.values.insert(name.trim().to_lowercase(), value);
        }
    }

    /// Returns the value of a macro. A word that is not the name of a macro is returned unchanged.
    fn value(&mut self, word: &str) -> String {
        let value = self.values.get(&word.to_lowercase()).filter(|_| self.used_bytes < MAX_MACRO_USES_BYTES);
        let Some(value) = value else { return word.to_owned() };
        self.used_bytes += value.len();
        value.clone()
    }
}

fn entry(kind: &str, entry: &str, macros: &mut Macros) -> RowResult {
    let Some((key, mut rest)) = entry.split_once(',') else { return Err(InvalidRow::Malformed) };
    let mut members: Vec<(String, Value)> =
        vec![("id".to_owned(), key.trim().into()), ("type".to_owned(), kind.into())];
    let mut bytes = 0;
    while let Some((name, after)) = rest.split_once('=') {
        let (value, next) = value(after, macros);
        rest = next;
        bytes += value.len();
        if bytes > MAX_ROW_BYTES {
            return Err(InvalidRow::TooLong);
        }
        let name = name.trim().trim_start_matches(',').trim().to_lowercase();
        let value = match name.as_str() {
            "author" | "editor" => plain_tex(&people(&value)),
            "url" | "doi" | "file" | "eprint" => plain_url(&value),
            _ => plain_tex(&value),
        };
        members.push((name, value.into()));
    }
    add_url(&mut members);
    mapping::reference(mapping::REFERENCE, members)
}

/// Adds a `url` to an entry without one, if another field contains it.
fn add_url(members: &mut Vec<(String, Value)>) {
    if members.iter().any(|(name, _)| name == "url") {
        return;
    }
    let published = members.iter().find(|(name, _)| name == "howpublished");
    let published = published.and_then(|(_, value)| value.as_str()).unwrap_or_default();
    if published.starts_with("http") && !published.contains(char::is_whitespace) {
        members.push(("url".to_owned(), published.to_owned().into()));
    }
}

/// Replaces the separator `and` between names of people with a semicolon. An `and` in braces remains.
fn people(value: &str) -> String {
    let (mut names, mut depth) = (String::with_capacity(value.len()), 0_usize);
    for word in value.split_inclusive(char::is_whitespace) {
        if depth == 0 && word.trim_end() == "and" {
            names.truncate(names.trim_end().len());
            names.push_str("; ");
            continue;
        }
        let count = |mark: char| word.matches(mark).count();
        depth = (depth + count('{')).saturating_sub(count('}'));
        names.push_str(word);
    }
    names
}

/// Reads the value at the start of the text, which may have several parts. Returns it with the text after it.
fn value<'t>(text: &'t str, macros: &mut Macros) -> (String, &'t str) {
    let (mut value, mut rest) = (String::new(), text);
    loop {
        rest = rest.trim_start();
        let (part, next) = match rest.as_bytes().first() {
            Some(b'{') => group(rest, b'}'),
            Some(b'"') => group(rest, b'"'),
            _ => {
                let end = rest.find([',', '#', '\n']).unwrap_or(rest.len());
                (macros.value(rest[..end].trim()), &rest[end..])
            }
        };
        value.push_str(&part);
        rest = next.trim_start();
        match rest.strip_prefix('#') {
            Some(more) => rest = more,
            None => return (value, rest.strip_prefix(',').unwrap_or(rest)),
        }
    }
}

/// Reads the group at the start of the text. Returns its content and the text after it.
fn group(text: &str, close: u8) -> (String, &str) {
    let inner = &text[1..];
    match closing(inner, close) {
        Some(end) => (inner[..end].to_owned(), &inner[end + 1..]),
        None => (inner.to_owned(), ""),
    }
}

/// Removes the braces and the escapes of TeX from a URL.
fn plain_url(value: &str) -> String {
    let value = value.trim();
    let value = value.strip_prefix("\\url").unwrap_or(value);
    value
        .chars()
        .filter(|character| !matches!(character, '{' | '}' | '\\'))
        .collect::<String>()
        .trim()
        .to_owned()
}

/// Removes the braces of TeX from a text, and replaces its commands.
fn plain_tex(value: &str) -> String {
    let (mut plain, mut accent) = (String::with_capacity(value.len()), None);
    let mut rest = value;
    while let Some(character) = rest.chars().next() {
        rest = &rest[character.len_utf8()..];
        match character {
            '{' | '}' => {}
            '\\' => rest = command(rest, &mut plain, &mut accent),
            '-' if rest.starts_with('-') => {
                let is_long = rest.starts_with("--");
                plain.push(if is_long { '\u{2014}' } else { '\u{2013}' });
                rest = &rest[if is_long { 2 } else { 1 }..];
            }
            // A blank may precede the base letter: `\c c`.
            other if other.is_whitespace() && accent.is_some() => {}
            other => {
                plain.push(if other.is_whitespace() || other == '~' { ' ' } else { other });
                plain.extend(accent.take());
            }
        }
    }
    clean::fold(&plain.as_str().nfc().collect::<String>())
}

/// Reads the command after a backslash. Returns the text after it.
fn command<'t>(text: &'t str, plain: &mut String, accent: &mut Option<char>) -> &'t str {
    let letters = text.len() - text.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
    let (name, after) = text.split_at(letters);
    if name.is_empty() {
        let Some(sign) = text.chars().next() else { return text };
        match accent_of_sign(sign) {
            Some(mark) => *accent = Some(mark),
            None if matches!(sign, '-' | '/') => {}
            None => plain.push(if matches!(sign, '\\' | ',' | ';' | ':') { ' ' } else { sign }),
        }
        return &text[sign.len_utf8()..];
    }
    if let Some(mark) = accent_of_letter(name) {
        *accent = Some(mark);
        return after;
    }
    if let Some(symbol) = symbol(name) {
        plain.push_str(symbol);
        if !symbol.is_empty() {
            plain.extend(accent.take());
        }
        after.trim_start_matches(' ')
    } else {
        plain.push('\\');
        plain.push_str(name);
        after
    }
}

/// Returns the combining character of an accent whose command is a symbol.
fn accent_of_sign(sign: char) -> Option<char> {
    Some(match sign {
        '"' => '\u{308}',
        '\'' => '\u{301}',
        '`' => '\u{300}',
        '^' => '\u{302}',
        '~' => '\u{303}',
        '=' => '\u{304}',
        '.' => '\u{307}',
        _ => return None,
    })
}

/// Returns the combining character of an accent whose command is a letter.
fn accent_of_letter(name: &str) -> Option<char> {
    Some(match name {
        "c" => '\u{327}',
        "v" => '\u{30c}',
        "u" => '\u{306}',
        "H" => '\u{30b}',
        "k" => '\u{328}',
        "r" => '\u{30a}',
        "d" => '\u{323}',
        "b" => '\u{331}',
        _ => return None,
    })
}

/// Returns the text of a command without an argument. Commands that only change the font have an empty text.
fn symbol(name: &str) -> Option<&'static str> {
    Some(match name {
        "o" => "\u{f8}",
        "O" => "\u{d8}",
        "l" => "\u{142}",
        "L" => "\u{141}",
        "ss" => "\u{df}",
        "aa" => "\u{e5}",
        "AA" => "\u{c5}",
        "ae" => "\u{e6}",
        "AE" => "\u{c6}",
        "oe" => "\u{153}",
        "OE" => "\u{152}",
        "th" => "\u{fe}",
        "TH" => "\u{de}",
        "dh" => "\u{f0}",
        "DH" => "\u{d0}",
        "i" => "i",
        "j" => "j",
        "textendash" => "\u{2013}",
        "textemdash" => "\u{2014}",
        "textquoteright" => "\u{2019}",
        "textquoteleft" => "\u{2018}",
        "textquotedblleft" => "\u{201c}",
        "textquotedblright" => "\u{201d}",
        "ldots" | "dots" => "\u{2026}",
        "textasciitilde" => "~",
        "textunderscore" => "_",
        "euro" | "texteuro" => "\u{20ac}",
        "pounds" => "\u{a3}",
        "S" => "\u{a7}",
        "url" | "href" | "emph" | "textit" | "textbf" | "textsc" | "texttt" | "textrm" | "mathrm" | "it"
        | "bf" | "em" | "sc" | "tt" | "rm" | "mkbibquote" => "",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::imports::ImportRow;

    fn rows(text: &str) -> Vec<RowResult> {
        let mut rows = Vec::new();
        bibtex(text, &mut |row| rows.push(row));
        rows
    }

    fn first(text: &str) -> ImportRow {
        rows(text).remove(0).unwrap()
    }

    #[test]
    fn value_in_quotation_marks_may_contain_braces_and_macros() {
        let text = "@string{jd = \"Journal of Desks\"}\n@string(pub = {Oak})\n@comment{x}\n@Article{key1,\n\
            title = \"The {D}esk of {\\\"O}zg{\\\"u}r --- a study\",\n\
            author = {Ellison, Mary and {\\O}stergaard, S{\\o}ren and Fran{\\c c}ois {\\L}ukasz and {Desk and Oak}},\n\
            journal = jd # \" (new)\", year = 2019, month = mar, publisher = pub,\n\
            howpublished = {\\url{https://a.example/how--to}},\n note = {100\\% true \\& so}\n}\n";
        let row = first(text);
        assert_eq!(row.title.as_deref(), Some("The Desk of \u{d6}zg\u{fc}r \u{2014} a study"));
        let author = "Ellison, Mary; \u{d8}stergaard, S\u{f8}ren; Fran\u{e7}ois \u{141}ukasz; Desk and Oak";
        assert_eq!(row.author.as_deref(), Some(author));
        assert_eq!(
            (row.extra["journal"].as_str(), row.extra["publisher"].as_str()),
            (Some("Journal of Desks (new)"), Some("Oak"))
        );
        assert_eq!(row.note.as_deref(), Some("100% true & so"));
    }

    #[test]
    fn entry_in_parentheses_and_entry_without_a_url_are_read() {
        let text = "me@example (a friend\n@book(key2, title={A book (really)}, url={https://a.example/a_b~c}, keywords={a, b})\n\
            @misc{key3, title={No address}, author={Nobody}}\n@misc{}\n@misc{key4, howpublished={https://a.example/how}}";
        let rows = rows(text);
        assert_eq!((rows.len(), &rows[1]), (3, &Err(InvalidRow::Malformed)));
        let no_url = rows.iter().flatten().find(|row| row.title.as_deref() == Some("No address")).unwrap();
        assert_eq!((no_url.url.as_deref(), no_url.author.as_deref()), (None, Some("Nobody")));
        let how = rows.iter().flatten().find(|row| row.source_id.as_deref() == Some("key4")).unwrap();
        assert_eq!(how.url.as_deref(), Some("https://a.example/how"));
        let book =
            first("@book(key2, title={A book (really)}, url={https://a.example/a\\_b~c}, keywords={a, b})");
        assert_eq!((book.title.as_deref(), book.tags.len()), (Some("A book (really)"), 2));
        assert_eq!(book.url.as_deref(), Some("https://a.example/a_b~c"));
    }

    #[test]
    fn cost_of_nested_macros_is_bounded() {
        let mut text = "@string{a0 = {0123456789}}\n".to_owned();
        for number in 1..40 {
            text.push_str(&format!("@string{{a{number} = a{0} # a{0}}}\n", number - 1));
        }
        text.push_str("@misc{k, title = a39 # a6, url = {https://a.example/}}");
        let row = first(&text);
        assert!(row.title.unwrap().len() < 2 * MAX_MACRO_BYTES);
    }
}
