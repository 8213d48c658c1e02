//! Elements of XML and HTML files of known services, read without building a tree.

use super::values;
use crate::{clean, metadata};

/// Content of the first element with this name, and the text after it.
pub(super) fn element<'t>(text: &'t str, name: &str) -> Option<(&'t str, &'t str)> {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let mut rest = text;
    loop {
        let (_, after) = rest.split_once(&open)?;
        // A longer name begins in the same way.
        if after.starts_with(|c: char| c == '>' || c.is_whitespace()) {
            let (_, content) = after.split_once('>')?;
            return content.split_once(&close);
        }
        rest = after;
    }
}

/// Text of the first element with this name. `None` if it is blank.
pub(super) fn element_text(text: &str, name: &str) -> Option<String> {
    element(text, name).and_then(|(content, _)| values::text(&metadata::unescape(content)))
}

/// Contents of all elements with this name.
pub(super) fn elements<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    let (mut contents, mut rest) = (Vec::new(), text);
    while let Some((content, after)) = element(rest, name) {
        contents.push(content);
        rest = after;
    }
    contents
}

/// Value of a quoted attribute of a tag.
pub(super) fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, after) = tag.split_once(&format!("{name}=\""))?;
    let (value, _) = after.split_once('"')?;
    values::text(&metadata::unescape(value))
}

/// Text of a piece of markup, in one line.
pub(super) fn plain_text(markup: &str) -> String {
    let mut text = String::with_capacity(markup.len());
    let mut rest = markup;
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        text.push(' ');
        rest = after.split_once('>').map_or("", |(_, next)| next);
    }
    text.push_str(rest);
    clean::fold(&metadata::unescape(&text))
}
