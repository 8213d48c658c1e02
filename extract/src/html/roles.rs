//! Roles of blocks that are not the main text: captions and credits of images, editorial notes, reader
//! comments, links to other texts, and standfirsts.
//!
//! Some roles are derived from elements, before the conversion to blocks, and others from the words of blocks,
//! after the conversion.

use std::{collections::HashMap, ops::Range, sync::LazyLock};

use aho_corasick::AhoCorasick;

use super::{
    main_part::{
        is_non_text,
        markers::{self, Marker},
    },
    site_notices,
};
use crate::{
    clean,
    document::{Block, BlockKind, Role},
    page::{Id, Page, PageType, Types},
};

/// Maximum number of words in a caption.
const CAPTION_WORDS: usize = 120;
/// Maximum number of words in a credit.
const CREDIT_WORDS: usize = 25;
/// Maximum number of words in an editorial note.
const NOTE_WORDS: usize = 70;
/// Maximum number of words in a teaser.
const TEASER_WORDS: usize = 30;
/// Maximum number of words in a standfirst.
const STANDFIRST_WORDS: usize = 90;
/// Minimum number of captions of a gallery.
const GALLERY_CAPTIONS: usize = 3;
/// Minimum ratio of words in captions to other words of a gallery.
const GALLERY_SHARE: usize = 2;
/// Minimum number of words in a text before its comments.
const COMMENTED_WORDS: usize = 40;
/// Number of ancestors of a caption that are searched for its image.
const PICTURE_ANCESTORS: usize = 2;
/// Minimum probability for a page to be treated as a forum, listing, collection or product page. Such a page
/// has no main text.
const PROBABLE: f32 = 0.5;
/// Number of leading blocks among which a standfirst is recognised.
const FIRST_BLOCKS: usize = 6;
/// Class names of standfirsts.
const STANDFIRSTS: [&str; 17] = [
    "standfirst", "dek", "deck", "subtitle", "subheadline", "subhead", "chapo", "lede", "ingress",
    "vorspann", "bajada", "entradilla", "copete", "sommaire", "sottotitolo", "undertitel", "teaserlead",
];

/// Class names and ids of comment sections.
const COMMENTS: [&str; 9] = [
    "comments", "comment-list", "commentlist", "comments-area", "comments-list", "comment-section",
    "comments-section", "disqus_thread", "respond",
];

/// Finds elements whose blocks have a role. Also selects captions and credits that are between selected
/// texts.
pub(super) fn find(page: &Page, types: &Types, hidden: &[bool], keep: &mut [bool]) -> HashMap<Id, Role> {
    let mut roles = HashMap::new();
    if !has_single_text(types) {
        return roles;
    }
    let text = |id: Id| keep[id] && page.is_nonblank_text(id);
    let (first, last) = ((1..page.len()).find(|&id| text(id)), (1..page.len()).rfind(|&id| text(id)));
    let span = first.unwrap_or(0)..last.unwrap_or(0);
    let text_end = commented_text_end(page, keep);
    let mut id = 1;
    while id < page.len() {
        let inner = page.subtree(id);
        match role_of(page, id, text_end) {
            Some(role) => {
                if matches!(role, Role::Caption | Role::Credit)
                    && span.contains(&id)
                    && is_within_text(page, id, keep)
                {
                    select_visible(page, inner.clone(), hidden, keep);
                }
                roles.insert(id, role);
                // The elements in a caption are checked, too, because it may contain its credit.
                id = if role == Role::Caption { id + 1 } else { inner.end };
            }
            None => id += 1,
        }
    }
    roles
}

/// True if the page has a single main text by one author.
fn has_single_text(types: &Types) -> bool {
    types.share(&[PageType::Forum, PageType::Listing, PageType::Collection, PageType::Product]) < PROBABLE
}

/// Role of an element, judging by its tag and names.
fn role_of(page: &Page, id: Id, text_end: Option<Id>) -> Option<Role> {
    if !page.is_element(id) || matches!(page.tag(id), "html" | "body" | "main" | "img" | "table" | "caption")
    {
        return None;
    }
    let is_figcaption = page.is(id, "figcaption");
    // Most elements have no attributes.
    if !is_figcaption && page.attributes(id).next().is_none() {
        return None;
    }
    let (says_caption, is_credit) = named_roles(page, id);
    let is_caption = is_figcaption || says_caption;
    let words = || words_in(page, page.descendants(id));
    if is_credit && !holds_heading(page, id) && near_picture(page, id) && words() <= CREDIT_WORDS {
        return Some(Role::Credit);
    }
    if is_caption && near_picture(page, id) && words() <= CAPTION_WORDS {
        return Some(Role::Caption);
    }
    if is_comments(page, id) && follows_text(page, id, text_end) {
        return Some(Role::Comment);
    }
    let is_standfirst = is_called_standfirst(page, id) && is_line(page, id);
    (is_standfirst && words() <= STANDFIRST_WORDS).then_some(Role::Standfirst)
}

fn holds_heading(page: &Page, id: Id) -> bool {
    page.subtree(id).take(30).any(|inner| page.is_heading(inner))
}

/// True for an element with a few lines, without images and headings.
fn is_line(page: &Page, id: Id) -> bool {
    !page.is_inline(id)
        && page
            .descendants(id)
            .take(30)
            .all(|inner| !matches!(page.tag(inner), "img" | "h1" | "h2" | "h3" | "section" | "form"))
}

/// True if a word in the class or id is the name of a standfirst.
fn is_called_standfirst(page: &Page, id: Id) -> bool {
    ["class", "id"]
        .into_iter()
        .filter_map(|name| page.attribute(id, name))
        .flat_map(|value| value.as_bytes().split(|byte| !byte.is_ascii_alphanumeric()))
        .any(|word| STANDFIRSTS.iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes())))
}

/// Words in names of elements with captions and credits. The first word denotes captions, and the others
/// denote credits.
static ROLE_WORDS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let words = ["caption", "credit", "photographer", "copyright", "image-source", "photo-source"];
    AhoCorasick::builder().ascii_case_insensitive(true).build(words).ok()
});

/// Returns two flags. The first is true if a name of the element declares a caption, and the second if a name
/// declares a credit.
fn named_roles(page: &Page, id: Id) -> (bool, bool) {
    let Some(known) = &*ROLE_WORDS else { return (false, false) };
    ["class", "id", "data-testid", "itemprop"]
        .into_iter()
        .filter_map(|name| page.attribute(id, name))
        .flat_map(|value| known.find_overlapping_iter(value))
        .fold((false, false), |(caption, credit), hit| match hit.pattern().as_usize() {
            0 => (true, credit),
            _ => (caption, true),
        })
}

/// True if the class or id of the element denotes a comment section.
fn is_comments(page: &Page, id: Id) -> bool {
    ["class", "id"].iter().any(|name| {
        page.attribute(id, name).is_some_and(|value| {
            value
                .split_ascii_whitespace()
                .any(|word| COMMENTS.iter().any(|known| word.eq_ignore_ascii_case(known)))
        })
    })
}

/// True if the commented text is before the element and not in it. A wrapper of the whole page may also be
/// named like a comment section.
fn follows_text(page: &Page, id: Id, text_end: Option<Id>) -> bool {
    let holds_text = || {
        page.descendants(id).any(|inner| {
            matches!(page.tag(inner), "main" | "h1")
                || page.attribute(inner, "itemprop").is_some_and(|name| name.contains("articleBody"))
        })
    };
    text_end.is_some_and(|end| end < id) && !holds_text()
}

/// Text node at which the selected text becomes long enough to have comments.
fn commented_text_end(page: &Page, keep: &[bool]) -> Option<Id> {
    let mut words = 0;
    (1..page.len()).filter(|&id| keep[id]).find(|&id| {
        words += page.text(id).map_or(0, clean::words);
        words >= COMMENTED_WORDS
    })
}

/// True if an image is in the element, or next to it or to one of its nearest ancestors.
fn near_picture(page: &Page, id: Id) -> bool {
    page.self_and_ancestors(id).take(PICTURE_ANCESTORS + 2).any(|above| {
        page.is(above, "figure")
            || page
                .subtree(above)
                .take(60)
                .any(|inner| matches!(page.tag(inner), "img" | "picture" | "video" | "amp-img" | "iframe"))
    })
}

/// True if the element is between selected texts, and not in a list item, link or menu.
fn is_within_text(page: &Page, id: Id, keep: &[bool]) -> bool {
    let is_separator =
        |above: Id| matches!(page.tag(above), "a" | "li" | "nav" | "aside" | "footer" | "button" | "form");
    let mut unselected = page.ancestors(id).take_while(|&above| !keep[above]);
    !unselected.any(is_separator) && {
        let selected = page.ancestors(id).find(|&above| keep[above]);
        selected.is_some_and(|selected| !page.is(selected, "body") && !page.is(selected, "html"))
    }
}

/// Selects the visible texts of a range, and their ancestors.
fn select_visible(page: &Page, range: Range<Id>, hidden: &[bool], keep: &mut [bool]) {
    for id in range {
        let silent = page.ancestors(id).take(3).any(|above| is_non_text(page.tag(above)));
        if page.is_nonblank_text(id) && !hidden[id] && !silent {
            page.flag_with_ancestors(id, keep);
        }
    }
}

fn words_in(page: &Page, range: Range<Id>) -> usize {
    range.filter_map(|id| page.text(id)).map(clean::words).sum()
}

/// Assigns roles by the text of blocks. Drops a line above the text that repeats the title. Captions are
/// treated as the main text if the page has no other text, as in a gallery or a list of items with images.
pub(super) fn assign_by_text(blocks: &mut Vec<Block>, types: &Types, title: &str) {
    if !has_single_text(types) || is_gallery(blocks) {
        for block in blocks.iter_mut().filter(|block| block.role == Some(Role::Caption)) {
            block.role = None;
        }
    }
    for block in blocks.iter_mut().filter(|block| block.role.is_none()) {
        let is_line = matches!(
            block.kind,
            BlockKind::Paragraph | BlockKind::ListItem | BlockKind::Heading | BlockKind::Quote
        );
        if is_line && site_notices::is_control_label(&block.text) {
            block.role = Some(Role::Note);
        }
    }
    if !has_single_text(types) {
        return;
    }
    for block in blocks.iter_mut().filter(|block| block.role.is_none()) {
        if matches!(block.kind, BlockKind::Paragraph | BlockKind::ListItem | BlockKind::Heading) {
            block.role = role_by_words(block);
        }
    }
    assign_to_links_below_labels(blocks);
    let mut has_standfirst = false;
    let mut at = 0;
    let title = clean::fold(title).to_lowercase();
    blocks.retain_mut(|block| {
        at += 1;
        if block.role == Some(Role::Standfirst) {
            if has_standfirst || at > FIRST_BLOCKS {
                block.role = None;
            }
            has_standfirst = true;
        }
        let repeats = at <= FIRST_BLOCKS && block.kind == BlockKind::Paragraph;
        !(repeats && !title.is_empty() && clean::fold(&block.text).to_lowercase() == title)
    });
}

/// Assigns a role to a label such as `Read more:` and to the links to other texts below it.
fn assign_to_links_below_labels(blocks: &mut [Block]) {
    let is_line = |block: &Block| matches!(block.kind, BlockKind::Paragraph | BlockKind::ListItem);
    let is_link = |block: &Block| {
        let linked: usize = block.links.iter().map(|link| link.text.trim().len()).sum();
        is_line(block) && block.role.is_none() && linked * 10 >= block.text.trim().len() * 9
    };
    let mut at = 0;
    while at < blocks.len() {
        let text = &blocks[at].text;
        let is_label = (is_line(&blocks[at]) || blocks[at].kind == BlockKind::Heading)
            && site_notices::may_be_label(text)
            && markers::scores(text)[Marker::Related as usize] >= 1.0;
        let links = blocks[at + 1..].iter().take_while(|block| is_link(block)).count();
        if is_label && links > 0 {
            for block in &mut blocks[at..=at + links] {
                block.role = Some(Role::Teaser);
            }
            at += links;
        }
        at += 1;
    }
}

/// True if most of the text is in captions.
fn is_gallery(blocks: &[Block]) -> bool {
    let captions = || blocks.iter().filter(|block| block.role == Some(Role::Caption));
    let words = |block: &Block| clean::words(&block.text);
    let other_texts = blocks.iter().filter(|block| block.is_main_text() && block.kind != BlockKind::Heading);
    captions().count() >= GALLERY_CAPTIONS
        && captions().map(words).sum::<usize>() >= GALLERY_SHARE * other_texts.map(words).sum::<usize>()
}

/// Role of a block, judging by its words.
fn role_by_words(block: &Block) -> Option<Role> {
    let text = block.text.trim();
    let words = clean::words(text);
    let cues = markers::scores(text);
    let begins = |marker: Marker| cues[marker as usize] >= 1.0;
    let is_notice = match block.kind {
        BlockKind::Paragraph => site_notices::is_notice(text),
        BlockKind::Heading => site_notices::begins_as_notice(text),
        _ => false,
    };
    if is_notice {
        return Some(Role::Note);
    }
    let linked: usize = block.links.iter().map(|link| link.text.len()).sum();
    if begins(Marker::Related) && words <= TEASER_WORDS && linked * 2 >= text.len() {
        return Some(Role::Teaser);
    }
    if block.kind == BlockKind::Heading {
        return None;
    }
    if begins(Marker::Credit) && words <= CREDIT_WORDS && text.contains([':', '©', '/']) {
        return Some(Role::Credit);
    }
    (begins(Marker::Agency) && words <= NOTE_WORDS && block.kind == BlockKind::Paragraph)
        .then_some(Role::Note)
}

#[cfg(test)]
mod tests;
