//! Reads EPUB books. Parts are read in spine order, each as a whole page.

use std::collections::{HashMap, HashSet};

use super::{
    archive::ArchiveFiles,
    relations::resolve_path,
    xml::{self, XmlEvent, value},
};
use crate::{
    clean,
    document::{Block, BlockKind, Category, Input, Quality},
    draft::{Draft, DraftResult, ReadError},
    html::{self, Converted},
    metadata,
    page::xhtml,
};

/// Maximum number of parts that are read from a book.
const MAX_PARTS: usize = 1000;

pub(super) fn read(input: &Input) -> DraftResult {
    read_book(&input.bytes).ok_or(ReadError::Broken)
}

fn read_book(bytes: &[u8]) -> Option<Draft> {
    let mut files = ArchiveFiles::open(bytes)?;
    let package_name = package_name(&files.text("META-INF/container.xml")?)?;
    let package = EpubPackage::read(&files.text(&package_name)?);
    let folder = package_name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let titles = titles(&mut files, folder, &package);
    let mut draft = package.draft;
    let mut missing = package.spine.len() > MAX_PARTS;
    let mut is_any_partial = false;
    for id in package.spine.iter().take(MAX_PARTS) {
        let Some(address) = package.parts.get(id) else {
            missing |= !package.other_parts.contains(id);
            continue;
        };
        let name = resolve_path(folder, address);
        match files.text(&name) {
            // The text of an encrypted part is not markup.
            Some(markup) if markup.contains('<') => {
                let markup = xhtml::to_html(&markup);
                let part = html::read_whole_page(&markup, None);
                let Converted { blocks, is_partial } = part.unwrap_or_else(|_| {
                    missing = true;
                    Converted::default()
                });
                is_any_partial |= is_partial;
                if let Some(title) =
                    titles.get(&name).filter(|_| !blocks.is_empty() && !begins_with_title(&blocks))
                {
                    draft.blocks.push(heading(title));
                }
                draft.blocks.extend(blocks);
            }
            _ => missing |= !package.other_parts.contains(id),
        }
    }
    draft.category = Some(Category::Document);
    draft.quality = Some(Quality::Complete);
    if missing || is_any_partial {
        draft.report_missing_part();
    }
    Some(draft)
}

/// Heading for a chapter without one: the title of the chapter in the table of contents.
fn heading(title: &str) -> Block {
    Block { kind: BlockKind::Heading, level: Some(1), text: title.to_owned(), ..Block::default() }
}

/// True if one of the first blocks of a part is a heading.
fn begins_with_title(blocks: &[Block]) -> bool {
    blocks.iter().take(3).any(|block| block.kind == BlockKind::Heading)
}

/// Titles of parts by file name, from the table of contents. If a part has several entries, the first entry
/// is used.
fn titles(files: &mut ArchiveFiles<'_>, folder: &str, package: &EpubPackage) -> HashMap<String, String> {
    let mut titles = HashMap::new();
    let Some(contents) = &package.contents else { return titles };
    let name = resolve_path(folder, contents);
    let Some(text) = files.text(&name) else { return titles };
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let (mut address, mut buffer) = (None, String::new());
    let mut keep = |address: Option<String>, title: &str| {
        let title = clean::fold(title);
        if let Some(address) = address.filter(|_| !title.is_empty()) {
            titles.entry(resolve_path(folder, &address)).or_insert(title);
        }
    };
    xml::walk(&text, |step| match step {
        // An EPUB 3 navigation document contains links. An EPUB 2 table of contents contains labels, each
        // before its path.
        XmlEvent::Open("a", attributes) => {
            address = value(attributes, "href").map(str::to_owned);
            buffer.clear();
        }
        XmlEvent::Open("navPoint" | "text", _) => buffer.clear(),
        XmlEvent::Open("content", attributes) => keep(value(attributes, "src").map(str::to_owned), &buffer),
        XmlEvent::Close("a") => keep(address.take(), &buffer),
        XmlEvent::Text(text) => buffer.push_str(text),
        XmlEvent::Open(..) | XmlEvent::Close(_) => {}
    });
    titles
}

/// True for chapters and SVG pages, judging by the media type, or by the file name if the media type is generic.
fn is_text_part(media_type: &str, address: &str) -> bool {
    let is_page = || {
        let path = address.split('#').next().unwrap_or(address).to_ascii_lowercase();
        [".xhtml", ".html", ".htm"].iter().any(|ending| path.ends_with(ending))
    };
    match media_type {
        "application/x-dtbook+xml" | "text/x-oeb1-document" | "image/svg+xml" => true,
        "" | "application/octet-stream" | "text/plain" | "text/xml" | "application/xml" => is_page(),
        _ => media_type.contains("html"),
    }
}

fn package_name(container: &str) -> Option<String> {
    let mut name = None;
    xml::walk(container, |step| {
        if let XmlEvent::Open("rootfile", attributes) = step
            && name.is_none()
        {
            name = value(attributes, "full-path").map(str::to_owned);
        }
    });
    name
}

#[derive(Default)]
struct EpubPackage {
    draft: Draft,
    /// Paths of text parts by id.
    parts: HashMap<String, String>,
    /// Ids of parts that are known to have no text or may have none, and of the table of contents.
    other_parts: HashSet<String>,
    spine: Vec<String>,
    /// Path of the table of contents.
    contents: Option<String>,
}

impl EpubPackage {
    fn read(text: &str) -> Self {
        let mut package = Self::default();
        let mut field = String::new();
        let mut buffer = String::new();
        xml::walk(text, |step| match step {
            XmlEvent::Open("item", attributes) => package.add_part(attributes),
            XmlEvent::Open("itemref", attributes) => {
                package.spine.extend(value(attributes, "idref").map(str::to_owned));
            }
            XmlEvent::Open(name, _) => {
                name.clone_into(&mut field);
                buffer.clear();
            }
            XmlEvent::Text(text) => buffer.push_str(text),
            XmlEvent::Close(name) => {
                if name == field {
                    package.add_field(name, clean::fold(&buffer));
                }
                field.clear();
            }
        });
        package
    }

    fn add_part(&mut self, attributes: &[(String, String)]) {
        let (Some(id), Some(address)) = (value(attributes, "id"), value(attributes, "href")) else { return };
        let media_type = value(attributes, "media-type").unwrap_or_default();
        let text = is_text_part(media_type, address);
        let contents = value(attributes, "properties").is_some_and(|properties| properties.contains("nav"));
        let is_older_form = media_type == "application/x-dtbncx+xml";
        if contents || is_older_form && self.contents.is_none() {
            self.contents = Some(address.to_owned());
        }
        if text && !contents {
            self.parts.insert(id.to_owned(), address.to_owned());
        }
        if !text || contents || media_type == "image/svg+xml" {
            self.other_parts.insert(id.to_owned());
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
