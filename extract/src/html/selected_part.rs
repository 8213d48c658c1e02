//! Converts the elements that a person selected, without selecting a main part.

use url::Url;

use super::{
    blocks::{self, Converted},
    disclosures::Disclosures,
    hidden,
    templates::LayoutPlan,
};
use crate::page::{Id, Page};

/// Blocks of these elements and their descendants, except hidden elements.
pub(crate) fn selected_blocks(page: &Page, selected: &[Id], base: Option<&Url>) -> Converted {
    let mut hidden = hidden::find(page);
    let plan = LayoutPlan { notes: Disclosures::open(page, &mut hidden).notes, ..LayoutPlan::default() };
    let mut keep = vec![false; page.len()];
    for &root in selected {
        page.flag_with_ancestors(root, &mut keep);
        for id in page.subtree(root) {
            keep[id] = !hidden[id];
        }
    }
    blocks::convert(page, 0, &keep, base, &plan)
}
