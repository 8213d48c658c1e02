//! Converts the HTML of the reading page to XHTML. That HTML is clean, but its void elements are not closed,
//! and its URLs are unchanged from the source.

use std::collections::HashMap;

use url::Url;

/// For each id, the name of the file that contains it.
pub(super) type FilesById = HashMap<String, String>;

/// Ids in a piece of markup.
pub(super) fn ids(html: &str) -> impl Iterator<Item = &str> {
    html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next())
}

/// Converts HTML to XHTML for `file`. A link within the text is changed to the file that contains its target.
pub(super) fn of_html(html: &str, file: &str, files_by_id: &FilesById) -> String {
    let mut out = String::with_capacity(html.len() + 64);
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        out.push_str(&text(&rest[..start]));
        let end = end_of_tag(&rest[start..]);
        out.push_str(&tag(&rest[start..start + end], file, files_by_id));
        rest = &rest[start + end..];
    }
    out.push_str(&text(rest));
    out
}

/// Length of a tag in bytes. Attribute values in the tag may contain `>`.
fn end_of_tag(tag: &str) -> usize {
    let mut quoted = false;
    for (at, byte) in tag.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b'>' if !quoted => return at + 1,
            _ => {}
        }
    }
    tag.len()
}

fn tag(tag: &str, file: &str, files_by_id: &FilesById) -> String {
    let inside = tag.trim_start_matches('<').trim_end_matches('>').trim_end_matches('/');
    if inside.starts_with('/') {
        return format!("<{}>", inside.trim_end());
    }
    let (name, mut rest) = inside.split_at(inside.find(' ').unwrap_or(inside.len()));
    let mut out = format!("<{name}");
    while let Some((attribute, after)) = rest.trim_start().split_once("=\"") {
        let (value, after) = after.split_once('"').unwrap_or((after, ""));
        rest = after;
        let value = match attribute {
            "href" => address(value, file, files_by_id),
            _ => Some(text(value)),
        };
        if let Some(value) = value {
            out.push_str(&format!(" {attribute}=\"{value}\""));
        }
    }
    out.push_str(if matches!(name, "br" | "hr" | "col" | "wbr") { "/>" } else { ">" });
    out
}

/// URL in a form that is valid in a book. `None` if the value is not a URL.
fn address(value: &str, file: &str, files_by_id: &FilesById) -> Option<String> {
    if let Some(id) = value.strip_prefix('#') {
        let target_file = files_by_id.get(id)?;
        return Some(if target_file == file { format!("#{id}") } else { format!("{target_file}#{id}") });
    }
    let written = value.replace("&quot;", "\"").replace("&nbsp;", "\u{a0}").replace("&amp;", "&");
    let url = Url::parse(&written).ok().filter(|url| url.scheme() == "mailto" || url.has_host())?;
    Some(escaped(url.as_str()))
}

/// Converts text that is escaped for HTML to XML text. The result contains neither named entities nor
/// characters that XML does not allow.
fn text(html: &str) -> String {
    html.replace("&nbsp;", "&#160;")
        .replace('<', "&lt;")
        .chars()
        .filter(|character| is_xml_char(*character))
        .collect()
}

/// Escapes a text for XML.
pub(super) fn escaped(text: &str) -> String {
    crate::render::escape(text).chars().filter(|character| is_xml_char(*character)).collect()
}

/// True if XML allows the character.
fn is_xml_char(character: char) -> bool {
    let is_control = character.is_control() && !matches!(character, '\t' | '\n' | '\r' | '\u{85}');
    !is_control && !matches!(character, '\u{fffe}' | '\u{ffff}')
}
