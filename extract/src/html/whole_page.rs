//! Conversion of markup that is all text, without selection of a main part.

use super::{blocks, hidden, templates::Plan};
use crate::{
    document::Block,
    limits,
    page::{Page, parse},
};

/// Blocks of markup that is all text, such as a chapter of a book or an entry of a feed. Empty if the markup
/// exceeds the limits.
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
