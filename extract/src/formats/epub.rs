//! EPUB books: the parts in the order of the spine, each read as the whole page it is.

use std::collections::HashMap;

use super::{
    archive::Files,
    xml::{self, Step, value},
};
use crate::{
    document::{Category, Input, Quality},
    draft::{Draft, Reading, Unread},
    html, metadata,
};

/// Parts that are read of one book.
const MAX_PARTS: usize = 1000;

/// Reads a book.
pub(super) fn read(input: &Input) -> Reading {
    read_book(&input.bytes).ok_or(Unread::Broken)
}

fn read_book(bytes: &[u8]) -> Option<Draft> {
    let mut files = Files::open(bytes)?;
    let package_name = package_name(&files.text("META-INF/container.xml")?)?;
    let package = Package::read(&files.text(&package_name)?);
    let folder = package_name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut draft = package.draft;
    let mut missing = package.spine.len() > MAX_PARTS;
    for id in package.spine.iter().take(MAX_PARTS) {
        let Some(address) = package.parts.get(id) else { continue };
        match files.text(&within(folder, address)) {
            Some(markup) => draft.blocks.extend(html::whole_page(&markup)),
            None => missing = true,
        }
    }
    draft.category = Some(Category::Document);
    draft.quality = Some(if missing { Quality::Partial } else { Quality::Complete });
    Some(draft)
}

fn package_name(container: &str) -> Option<String> {
    let mut name = None;
    xml::walk(container, |step| {
        if let Step::Open("rootfile", attributes) = step
            && name.is_none()
        {
            name = value(attributes, "full-path").map(str::to_owned);
        }
    });
    name
}

#[derive(Default)]
struct Package {
    draft: Draft,
    /// Addresses of text parts by their id.
    parts: HashMap<String, String>,
    spine: Vec<String>,
}

impl Package {
    fn read(text: &str) -> Self {
        let mut package = Self::default();
        let mut field = String::new();
        let mut gathered = String::new();
        xml::walk(text, |step| match step {
            Step::Open("item", attributes) => package.add_part(attributes),
            Step::Open("itemref", attributes) => {
                package.spine.extend(value(attributes, "idref").map(str::to_owned));
            }
            Step::Open(name, _) => {
                name.clone_into(&mut field);
                gathered.clear();
            }
            Step::Text(text) => gathered.push_str(text),
            Step::Close(name) => {
                if name == field {
                    package.add_field(name, crate::clean::fold(&gathered));
                }
                field.clear();
            }
        });
        package
    }

    fn add_part(&mut self, attributes: &[(String, String)]) {
        let (Some(id), Some(address)) = (value(attributes, "id"), value(attributes, "href")) else { return };
        let text = value(attributes, "media-type").is_some_and(|kind| kind.contains("html"));
        let contents = value(attributes, "properties").is_some_and(|properties| properties.contains("nav"));
        if text && !contents {
            self.parts.insert(id.to_owned(), address.to_owned());
        }
    }

    fn add_field(&mut self, name: &str, text: String) {
        let draft = &mut self.draft;
        if text.is_empty() {
            return;
        }
        match name {
            "title" => _ = draft.title.get_or_insert(text),
            "creator" => {
                let author = match draft.author.take() {
                    Some(others) => format!("{others}, {text}"),
                    None => text,
                };
                draft.author = Some(author);
            }
            "publisher" => _ = draft.publisher.get_or_insert(text),
            "language" => _ = draft.language.get_or_insert(text),
            "date" => {
                draft.published_at = draft.published_at.take().or_else(|| metadata::normal_date(&text));
            }
            _ => {}
        }
    }
}

/// An address within the archive, relative to the package.
fn within(folder: &str, address: &str) -> String {
    let address = percent_encoding::percent_decode_str(address.split('#').next().unwrap_or(address))
        .decode_utf8_lossy();
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in address.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    parts.join("/")
}
