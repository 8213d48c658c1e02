//! Converts markup that consists entirely of content, without selecting a main part.

use url::Url;

use super::{
    blocks::{self, Converted},
    disclosures::Disclosures,
    hidden, pictures,
    templates::LayoutPlan,
};
use crate::{
    document::Block,
    limits,
    page::{Page, parse},
};

/// Blocks of markup that consists entirely of content, such as an entry of a feed. Empty if the markup exceeds
/// a limit.
pub(crate) fn whole_page(markup: &str) -> Vec<Block> {
    read_whole_page(markup, None).unwrap_or_default().blocks
}

/// Blocks of markup that consists entirely of content, such as a chapter of a book. Links are relative to
/// `base`. The error names the exceeded limit.
pub(crate) fn read_whole_page(markup: &str, base: Option<&Url>) -> Result<Converted, String> {
    limits::check(markup)?;
    Ok(convert(&Page::take(parse::parse(markup)?), base))
}

/// Blocks of the HTML of a message, and the number of its tracking pixels. The error names the exceeded limit.
pub(crate) fn read_mail(markup: &str, base: Option<&Url>) -> Result<(Converted, u32), String> {
    limits::check(markup)?;
    let page = Page::take(parse::parse(markup)?);
    Ok((convert(&page, base), pictures::count_tracking_pixels(&page)))
}

fn convert(page: &Page, base: Option<&Url>) -> Converted {
    let mut hidden = hidden::find(page);
    let plan = LayoutPlan { notes: Disclosures::open(page, &mut hidden).notes, ..LayoutPlan::default() };
    let keep: Vec<bool> = hidden.iter().map(|hidden| !hidden).collect();
    blocks::convert(page, 0, &keep, base, &plan)
}
