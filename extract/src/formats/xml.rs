//! Reads XML as a sequence of steps: tags and text. Entities that a document declares are not expanded;
//! reading stops at the first error.

use quick_xml::{Reader, events::Event};

/// Maximum steps of a document.
const MAX_STEPS: usize = 5_000_000;

/// A tag or a text. Names have no prefix.
pub(crate) enum Step<'x> {
    Open(&'x str, &'x [(String, String)]),
    Close(&'x str),
    Text(&'x str),
}

/// Value of an attribute, by its name without prefix.
pub(crate) fn value<'x>(attributes: &'x [(String, String)], name: &str) -> Option<&'x str> {
    attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
}

/// Calls `visit` for each step of a document.
pub(crate) fn walk(text: &str, mut visit: impl FnMut(Step<'_>)) {
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = false;
    reader.config_mut().allow_unmatched_ends = true;
    for _ in 0..MAX_STEPS {
        match reader.read_event() {
            Ok(Event::Start(tag)) => {
                let attributes = attributes(&tag);
                visit(Step::Open(tag.local_name().as_ref(), &attributes));
            }
            Ok(Event::Empty(tag)) => {
                let attributes = attributes(&tag);
                visit(Step::Open(tag.local_name().as_ref(), &attributes));
                visit(Step::Close(tag.local_name().as_ref()));
            }
            Ok(Event::End(tag)) => visit(Step::Close(tag.local_name().as_ref())),
            Ok(Event::Text(text)) => visit(Step::Text(&text.xml10_content())),
            Ok(Event::CData(text)) => visit(Step::Text(&text.xml10_content())),
            Ok(Event::GeneralRef(reference)) => {
                let named: &str = &reference;
                let text = crate::metadata::unescape(&format!("&{named};"));
                visit(Step::Text(if text.starts_with('&') && text.len() > 1 { " " } else { &text }));
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
