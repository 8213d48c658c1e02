//! Metadata of office files: title, authors and dates, link URLs, and heading levels by style name.

use std::collections::HashMap;

use crate::{
    clean,
    document::{Block, BlockKind, Category, Quality},
    draft::Draft,
    formats::xml::{self, XmlEvent, value},
    metadata,
    page::links,
};

/// Creates a draft from blocks and from the XML of the document properties.
pub(in crate::formats) fn draft(blocks: Vec<Block>, properties: &str) -> Draft {
    let mut draft = Draft {
        category: Some(Category::Document),
        quality: Some(Quality::Complete),
        blocks,
        ..Draft::default()
    };
    let mut buffer = String::new();
    xml::walk(properties, |step| match step {
        XmlEvent::Open(..) => buffer.clear(),
        XmlEvent::Text(text) => buffer.push_str(text),
        XmlEvent::Close(name) => {
            let text = clean::fold(&std::mem::take(&mut buffer));
            if text.is_empty() {
                return;
            }
            match name {
                "title" => draft.title = Some(text),
                "creator" | "initial-creator" => _ = draft.author.get_or_insert(text),
                "language" => draft.language = Some(text),
                "created" | "creation-date" => draft.published_at = metadata::normal_date(&text),
                "modified" | "date" => draft.modified_at = metadata::normal_date(&text),
                _ => {}
            }
        }
    });
    if draft.title.is_none() {
        let heading = draft.blocks.iter().find(|block| block.kind == BlockKind::Heading);
        draft.title = heading.map(Block::title);
    }
    draft
}

/// Link URLs by relationship id.
pub(super) fn link_urls(text: &str) -> HashMap<String, String> {
    let mut relations = HashMap::new();
    xml::walk(text, |step| {
        if let XmlEvent::Open("Relationship", attributes) = step
            && let (Some(id), Some(target)) = (value(attributes, "Id"), value(attributes, "Target"))
            && let Some(url) = links::resolve(None, target)
        {
            relations.insert(id.to_owned(), url);
        }
    });
    relations
}

/// Heading level of a style from its name, such as `heading 2`, `Title` or `Überschrift 2`, or from an id
/// such as `Heading2`. Programs translate some names and most ids, but the level number is the same in all
/// languages.
pub(in crate::formats) fn heading_level_of_name(style: &str) -> Option<u8> {
    // Aliases of a style follow its name after a comma.
    let style = style.split(',').next().unwrap_or(style).trim();
    if style.eq_ignore_ascii_case("title") {
        return Some(1);
    }
    let digit = style.chars().next_back()?.to_digit(10)?;
    let name = style.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end().to_lowercase();
    let is_heading = [
        "heading", "berschrift", "titre", "titolo", "ttulo", "título", "kop", "rubrik", "overskrift",
        "nagwek", "nagłówek", "nadpis", "otsikko", "başlık", "заголовок", "επικεφαλίδα", "标题", "標題",
        "見出し", "제목",
    ]
    .iter()
    .any(|word| name.ends_with(word));
    (is_heading && digit > 0).then(|| u8::try_from(digit.min(6)).unwrap_or(6))
}
