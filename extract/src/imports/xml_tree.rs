//! XML files as trees of elements, within limits on their number and depth. Entities that a file declares are
//! not expanded.

use super::row::InvalidRow;
use super::values;
use crate::metadata;

/// Maximum number of elements of a file.
const MAX_ELEMENTS: usize = 500_000;
/// Maximum nesting depth of elements.
const MAX_DEPTH: usize = 120;

/// Element of a file.
#[derive(Debug, Default)]
pub(super) struct XmlElement<'t> {
    /// Start tag without its brackets.
    tag: &'t str,
    /// Name in the start tag.
    name: &'t str,
    /// Text of the element, without the texts of its children.
    text: String,
    pub(super) children: Vec<XmlElement<'t>>,
}

/// Elements of a file.
#[derive(Debug)]
pub(super) struct XmlTree<'t> {
    /// Artificial element that contains the outermost element of the file.
    pub(super) root: XmlElement<'t>,
    /// True if the file stops before its outermost element is closed.
    pub(super) is_truncated: bool,
}

impl<'t> XmlElement<'t> {
    fn of(tag: &'t str) -> Self {
        let name = tag.split(char::is_whitespace).next().unwrap_or_default();
        Self { tag, name, ..Self::default() }
    }

    pub(super) fn name(&self) -> &'t str {
        self.name
    }

    /// Parses the attributes with their values.
    pub(super) fn attributes(&self) -> Vec<(&'t str, String)> {
        let (mut pairs, mut rest) = (Vec::new(), self.tag);
        while let Some((name, after)) = rest.split_once('=') {
            let name = name.split_whitespace().next_back().unwrap_or_default();
            let after = after.trim_start();
            let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''));
            let Some((value, next)) = quote.and_then(|quote| after[1..].split_once(quote)) else { break };
            pairs.push((name, metadata::unescape(value)));
            rest = next;
        }
        pairs
    }

    /// Returns the value of an attribute. `None` if it is missing or blank.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        self.attributes()
            .into_iter()
            .find(|(known, _)| *known == name)
            .and_then(|(_, value)| values::text(&value))
    }

    /// Returns the first child with this name.
    pub(super) fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.name() == name)
    }

    /// Returns the text of the element. `None` if it is blank.
    pub(super) fn text(&self) -> Option<String> {
        values::text(&self.text)
    }

    /// Returns the text of the first child with this name.
    pub(super) fn text_of(&self, name: &str) -> Option<String> {
        self.child(name)?.text()
    }
}

/// Reads a file. Elements that are still open at the end of the file are read as if they were closed.
///
/// # Errors
/// Returns an error if the file has too many elements, or if they are nested too deeply.
pub(super) fn parse(text: &str) -> Result<XmlTree<'_>, InvalidRow> {
    let mut open = vec![XmlElement::default()];
    let (mut rest, mut count, mut is_cut) = (text, 0, false);
    while let Some((before, after)) = rest.split_once('<') {
        add_text(&mut open, &metadata::unescape(before));
        if let Some(inner) = after.strip_prefix("![CDATA[") {
            let (content, next) = inner.split_once("]]>").unwrap_or((inner, ""));
            add_text(&mut open, content);
            rest = next;
            continue;
        }
        if let Some(inner) = after.strip_prefix("!--") {
            rest = inner.split_once("-->").map_or("", |(_, next)| next);
            continue;
        }
        let Some((tag, next)) = split_tag(after) else {
            is_cut = true;
            break;
        };
        rest = next;
        match tag.as_bytes().first() {
            Some(b'!' | b'?') => {}
            Some(b'/') => close(&mut open, tag[1..].trim()),
            _ => {
                count += 1;
                if count > MAX_ELEMENTS || open.len() > MAX_DEPTH {
                    return Err(InvalidRow::TooLong);
                }
                let inner = tag.strip_suffix('/');
                open.push(XmlElement::of(inner.unwrap_or(tag)));
                if inner.is_some() {
                    close_last(&mut open);
                }
            }
        }
    }
    let is_truncated = is_cut || open.len() > 1;
    while open.len() > 1 {
        close_last(&mut open);
    }
    Ok(XmlTree { root: open.pop().unwrap_or_default(), is_truncated })
}

fn add_text(open: &mut [XmlElement<'_>], text: &str) {
    if let Some(last) = open.last_mut() {
        last.text.push_str(text);
    }
}

/// Closes the last open element with this name, and the elements in it.
fn close(open: &mut Vec<XmlElement<'_>>, name: &str) {
    let at = open.iter().skip(1).rposition(|element| element.name() == name);
    let depth = at.map_or(open.len(), |at| at + 1);
    while open.len() > depth {
        close_last(open);
    }
}

fn close_last(open: &mut Vec<XmlElement<'_>>) {
    if let Some(last) = open.pop()
        && let Some(parent) = open.last_mut()
    {
        parent.children.push(last);
    }
}

/// Splits the text after the tag at its start. A bracket in a quoted value belongs to the tag.
fn split_tag(text: &str) -> Option<(&str, &str)> {
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return Some((&text[..at], &text[at + 1..])),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_have_texts_attributes_and_children() {
        let text = "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY x 'y'>]><!-- <b/> --><a><b c=\"1 > 0\" d='x &amp; y'/>\
            <e>one &lt; <![CDATA[<two>]]></e></a>";
        let tree = parse(text).unwrap();
        let a = tree.root.child("a").unwrap();
        let b = a.child("b").unwrap();
        assert_eq!(
            (b.attribute("c").as_deref(), b.attribute("d").as_deref()),
            (Some("1 > 0"), Some("x & y"))
        );
        assert_eq!(a.text_of("e").as_deref(), Some("one < <two>"));
        assert!(!tree.is_truncated && a.child("two").is_none());
    }

    #[test]
    fn truncated_file_is_read_and_hostile_file_is_refused() {
        let tree = parse("<a><b>x</b><b>y").unwrap();
        assert!(tree.is_truncated);
        assert_eq!(tree.root.child("a").unwrap().children.len(), 2);
        assert!(parse("<a><b c=\"").unwrap().is_truncated);
        assert_eq!(parse(&"<a>".repeat(1_000)).unwrap_err(), InvalidRow::TooLong);
        assert_eq!(parse(&"<a/>".repeat(MAX_ELEMENTS + 1)).unwrap_err(), InvalidRow::TooLong);
        assert_eq!(parse("</x></y>").unwrap().root.children.len(), 0);
        let long_name = format!("<a{}>{}", "x".repeat(1 << 20), "</b>".repeat(1 << 18));
        assert!(parse(&long_name).unwrap().is_truncated, "each closing tag is compared with the long name");
    }
}
