//! Layout of special page types: forum posts become sections with author and date, cards of a listing or
//! collection become list items.

mod cards;
mod form;
mod posts;

use std::collections::{HashMap, HashSet};

use crate::{
    document::Role,
    page::{Id, Page, PageType, Types},
};

pub(super) use self::cards::join_as_item;

/// Probability of a page type from which its layout is applied, if the page is also built like it.
const PROBABLE: f32 = 0.4;

/// Treatment of elements in the conversion to blocks.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// Heading to insert before each post.
    pub(super) posts: HashMap<Id, String>,
    /// Elements that become one item each.
    pub(super) cards: HashSet<Id>,
    /// Elements whose blocks have a role.
    pub(super) roles: HashMap<Id, Role>,
}

/// Finds posts and cards in the selected part and selects cards completely. Text that moves to the heading of
/// a post is deselected.
pub(crate) fn plan(page: &Page, types: &Types, hidden: &[bool], keep: &mut [bool]) -> Plan {
    let mut plan = Plan::default();
    if types.share(&[PageType::Forum]) >= PROBABLE {
        plan.posts = posts::find(page, keep);
    } else if types.share(&[PageType::Listing, PageType::Collection]) >= PROBABLE {
        cards::complete(page, hidden, keep);
        plan.cards = cards::find(page, keep);
    }
    plan
}

#[cfg(test)]
mod tests;
