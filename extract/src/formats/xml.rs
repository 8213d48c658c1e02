//! Reads XML as a sequence of events: tags and text. Entities that a document declares are not expanded, and
//! reading stops at the first error.

use quick_xml::{Reader, events::Event};

/// Maximum number of events of a document.
const MAX_STEPS: usize = 5_000_000;

/// Event of the reader: a tag or text. Names have no namespace prefix.
pub(crate) enum XmlEvent<'x> {
    Open(&'x str, &'x [(String, String)]),
    Close(&'x str),
    Text(&'x str),
}

/// Value of the attribute with this name. The name is without its namespace prefix.
pub(crate) fn value<'x>(attributes: &'x [(String, String)], name: &str) -> Option<&'x str> {
    attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
}

/// Local name and attributes of the root element, which may follow declarations and comments. `None` if the
/// text does not begin like XML.
pub(crate) fn root(text: &str) -> Option<(&str, &str)> {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let (_, after) = if rest.starts_with("<!--") {
            rest.split_once("-->")?
        } else if rest.starts_with("<?") {
            rest.split_once("?>")?
        } else if rest.starts_with("<!") {
            let (before, after) = rest.split_once('>')?;
            if before.contains('[') {
                rest.split_once("]>").or_else(|| rest.split_once("] >"))?
            } else {
                (before, after)
            }
        } else {
            break;
        };
        rest = after.trim_start();
    }
    let tag =
        rest.strip_prefix('<').filter(|tag| tag.starts_with(|c: char| c.is_alphabetic() || c == '_'))?;
    let tag = tag.split_once('>').map_or(tag, |(tag, _)| tag);
    let (name, attributes) =
        tag.split_at(tag.find(|c: char| c.is_whitespace() || c == '/').unwrap_or(tag.len()));
    Some((name.rsplit(':').next().unwrap_or(name), attributes))
}

/// Calls `visit` for each event of a document.
pub(crate) fn walk(text: &str, mut visit: impl FnMut(XmlEvent<'_>)) {
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = false;
    reader.config_mut().allow_unmatched_ends = true;
    for _ in 0..MAX_STEPS {
        match reader.read_event() {
            Ok(Event::Start(tag)) => {
                let attributes = attributes(&tag);
                visit(XmlEvent::Open(tag.local_name().as_ref(), &attributes));
            }
            Ok(Event::Empty(tag)) => {
                let attributes = attributes(&tag);
                visit(XmlEvent::Open(tag.local_name().as_ref(), &attributes));
                visit(XmlEvent::Close(tag.local_name().as_ref()));
            }
            Ok(Event::End(tag)) => visit(XmlEvent::Close(tag.local_name().as_ref())),
            Ok(Event::Text(text)) => visit(XmlEvent::Text(&text.xml10_content())),
            Ok(Event::CData(text)) => visit(XmlEvent::Text(&text.xml10_content())),
            Ok(Event::GeneralRef(reference)) => {
                let named: &str = &reference;
                let text = crate::metadata::unescape(&format!("&{named};"));
                visit(XmlEvent::Text(if text.starts_with('&') && text.len() > 1 { " " } else { &text }));
            }
            Ok(Event::Eof) | Err(_) => return,
            Ok(_) => {}
        }
    }
}

fn attributes(tag: &quick_xml::events::BytesStart<'_>) -> Vec<(String, String)> {
    tag.attributes()
        .with_checks(false)
        .flatten()
        .take(100)
        .map(|attribute| {
            let key: &str = attribute.key.local_name().into_inner();
            let value: &str = &attribute.value;
            (key.to_owned(), crate::metadata::unescape(value))
        })
        .collect()
}
