//! Markup that is all text: no main part is looked for.

use super::{blocks, hidden, parse, templates::Plan, tree::Page};
use crate::{document::Block, limits};

/// Blocks of markup that is all text: a part of a book, an entry of a feed. Nothing when the limits refuse it.
pub(crate) fn whole_page(markup: &str) -> Vec<Block> {
    if limits::check(markup).is_err() {
        return Vec::new();
    }
    let Ok(document) = parse::parse(markup) else { return Vec::new() };
    let page = Page::take(document);
    let hidden = hidden::find(&page);
    let keep: Vec<bool> = hidden.iter().map(|hidden| !hidden).collect();
    blocks::walk(&page, 0, &keep, None, &Plan::default())
}
