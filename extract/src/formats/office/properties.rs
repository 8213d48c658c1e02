//! Properties of office files: title, authors, dates, link URLs, style names.

use std::collections::HashMap;

use crate::{
    clean,
    document::{Block, BlockKind, Category, Quality},
    draft::Draft,
    formats::xml::{self, Step, value},
    metadata,
    page::links,
};

/// Creates a draft from blocks and document properties.
pub(in crate::formats) fn draft(blocks: Vec<Block>, properties: &str) -> Draft {
    let mut draft = Draft {
        category: Some(Category::Document),
        quality: Some(Quality::Complete),
        blocks,
        ..Draft::default()
    };
    let mut buffer = String::new();
    xml::walk(properties, |step| match step {
        Step::Open(..) => buffer.clear(),
        Step::Text(text) => buffer.push_str(text),
        Step::Close(name) => {
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

/// URLs of links by relation id.
pub(super) fn link_urls(text: &str) -> HashMap<String, String> {
    let mut relations = HashMap::new();
    xml::walk(text, |step| {
        if let Step::Open("Relationship", attributes) = step
            && let (Some(id), Some(target)) = (value(attributes, "Id"), value(attributes, "Target"))
            && let Some(url) = links::resolve(None, target)
        {
            relations.insert(id.to_owned(), url);
        }
    });
    relations
}

/// Heading level of a style such as `Heading2`, `berschrift2`, `Titre2` or `Title`. Style names are
/// translated, their numbers are not.
pub(super) fn heading_level(style: &str) -> Option<u8> {
    if style == "Title" {
        return Some(1);
    }
    let digit = style.chars().next_back()?.to_digit(10)?;
    let name = style.trim_end_matches(|c: char| c.is_ascii_digit()).to_lowercase();
    let named = [
        "heading", "berschrift", "titre", "titolo", "ttulo", "kop", "rubrik", "overskrift", "nagwek",
        "nadpis", "otsikko", "заголовок", "标题",
    ]
    .iter()
    .any(|word| name.contains(word));
    (named && (1..=6).contains(&digit)).then(|| u8::try_from(digit).unwrap_or(6))
}
