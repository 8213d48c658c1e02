//! Removes bylines that only repeat the author and the dates of the metadata.

use std::collections::HashSet;

use crate::{
    clean,
    document::{Block, BlockKind},
    metadata::{self, PageMetadata},
};

/// Maximum number of words in a byline.
const BYLINE_WORDS: usize = 16;
/// Maximum index of a byline among the blocks.
const BYLINE_BLOCKS: usize = 12;
/// Maximum number of bylines below the text.
const CLOSING_BLOCKS: usize = 2;
/// Maximum number of words in a byline below the text.
const CLOSING_WORDS: usize = 8;
/// Minimum number of words in the paragraph below the bylines.
const PARAGRAPH_WORDS: usize = 25;

/// Words that accompany names and dates in bylines.
const FILLER_WORDS: &str = "by and written posted published publication updated update last modified created on at in of the am \
    pm a m p h est edt et pst pdt pt gmt utc bst cet min mins minute minutes read reading time date \
    author authors story words text von und um uhr veröffentlicht aktualisiert stand autor autorin \
    lesezeit minuten par le à publié mis jour por y e el de del em às publicado actualizado atualizado \
    di il pubblicato aggiornato door en op om gepubliceerd mon monday tue tues tuesday wed wednesday thu \
    thurs thursday fri friday sat saturday sun sunday montag dienstag mittwoch donnerstag freitag \
    samstag sonntag st nd rd th 文 作者 记者 記者 撰文 執筆 기자 글";

/// Removes the bylines above the first long paragraph, and those that name the author below the text.
pub(super) fn remove(blocks: &mut Vec<Block>, fields: &PageMetadata) {
    let names: HashSet<String> = fields.author.iter().flat_map(|author| words(author)).collect();
    let is_text =
        |block: &Block| block.kind == BlockKind::Paragraph && clean::words(&block.text) >= PARAGRAPH_WORDS;
    // If no text follows the bylines, they are the text of the page.
    let Some(above) = blocks.iter().take(BYLINE_BLOCKS).position(is_text) else { return };
    let mut at = 0;
    blocks.retain(|block| {
        at += 1;
        let is_line = matches!(block.kind, BlockKind::Paragraph | BlockKind::ListItem);
        let short = at <= above && is_line && clean::words(&block.text) <= BYLINE_WORDS;
        !(short && is_byline(&block.text, &names, fields))
    });
    // A date below the text may belong to it.
    let undated = PageMetadata::default();
    for _ in 0..CLOSING_BLOCKS {
        let is_closing = |block: &Block| {
            block.kind == BlockKind::Paragraph
                && clean::words(&block.text) <= CLOSING_WORDS
                && is_byline(&block.text, &names, &undated)
        };
        if blocks.len() > above + 1 && blocks.last().is_some_and(is_closing) {
            blocks.pop();
        }
    }
}

/// True for a line that consists of the author's names, handles, job titles, dates and filler words only.
fn is_byline(text: &str, names: &HashSet<String>, fields: &PageMetadata) -> bool {
    let dated = metadata::normal_date(text).is_some_and(|date| {
        [&fields.published_at, &fields.modified_at]
            .into_iter()
            .flatten()
            .any(|known| known.get(..10) == date.get(..10))
    });
    let mut has_name = false;
    for word in words(&without_handles(text)) {
        if names.contains(&word) {
            has_name = true;
        } else if !FILLER_WORDS.split(' ').any(|filler| filler == word)
            && !metadata::is_month(&word)
            && !metadata::is_title_word(&word)
        {
            return false;
        }
    }
    has_name || dated
}

/// Removes social network handles and e-mail addresses from a text.
fn without_handles(text: &str) -> String {
    text.split_whitespace().filter(|word| !word.contains('@')).fold(String::new(), |mut rest, word| {
        rest.push_str(word);
        rest.push(' ');
        rest
    })
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}
