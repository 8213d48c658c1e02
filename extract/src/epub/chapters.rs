//! Splits a text into chapters, at headings of the highest level that occurs at least twice.

use std::collections::HashMap;

use super::book::Book;
use super::xhtml::{self, FilesById};
use crate::document::{Block, BlockKind};
use crate::render;

/// Maximum number of chapters in a book. The last chapter contains all further text.
const MAX_CHAPTERS: usize = 500;

#[derive(Debug)]
pub(super) struct Chapter {
    /// Name of the chapter's file within the book.
    pub(super) file: String,
    pub(super) title: String,
    /// Text of the chapter as well-formed XHTML.
    pub(super) body: String,
}

/// Splits a book into at least one chapter.
pub(super) fn from_book(book: &Book<'_>) -> Vec<Chapter> {
    let parts = split(book.blocks);
    let file = |number: usize| format!("chapter{}.xhtml", number + 1);
    let rendered: Vec<String> = parts.iter().map(|blocks| render::html(blocks)).collect();
    let mut files_by_id: FilesById = HashMap::new();
    for (number, html) in rendered.iter().enumerate() {
        files_by_id.extend(xhtml::ids(html).map(|id| (id.to_owned(), file(number))));
    }
    let title = |blocks: &[Block]| {
        let heading = blocks.first().filter(|block| block.kind == BlockKind::Heading).map(Block::title);
        let heading = heading.map(|title| title.split_whitespace().collect::<Vec<_>>().join(" "));
        heading.filter(|title| !title.is_empty()).unwrap_or_else(|| book.title.to_owned())
    };
    let chapters = parts.iter().zip(&rendered).enumerate().map(|(number, (blocks, html))| {
        let file = file(number);
        Chapter { title: title(blocks), body: xhtml::of_html(html, &file, &files_by_id), file }
    });
    chapters.collect()
}

fn split(blocks: &[Block]) -> Vec<&[Block]> {
    let level_of = |block: &Block| match block.kind {
        BlockKind::Heading if !block.continued => Some(block.level.unwrap_or(2)),
        _ => None,
    };
    let mut levels: Vec<u8> = blocks.iter().filter_map(level_of).collect();
    levels.sort_unstable();
    let repeated_level = levels.windows(2).find(|two| two[0] == two[1]).map(|two| two[0]);
    let Some(level) = repeated_level else { return vec![blocks] };
    let is_start =
        |at: &usize| *at > 0 && level_of(&blocks[*at]).is_some_and(|heading_level| heading_level <= level);
    let mut starts: Vec<usize> = std::iter::once(0).chain((0..blocks.len()).filter(is_start)).collect();
    starts.truncate(MAX_CHAPTERS);
    let next_starts = starts.iter().skip(1).copied().chain([blocks.len()]);
    starts.iter().zip(next_starts).map(|(start, end)| &blocks[*start..end]).collect()
}
