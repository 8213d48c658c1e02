//! Layout of special page types. Forum posts become sections with author and date, and cards of a listing or
//! collection become list items.

mod cards;
mod form;
mod json_ld_posts;
mod post_heading;
mod post_markup;
mod posts;
mod ranking;
mod threads;

use std::collections::{HashMap, HashSet};

use super::disclosures::Disclosure;
use crate::{
    document::Role,
    page::{Id, Page, PageType, Types},
};

pub(super) use self::{cards::join_as_item, ranking::RankingEntry};
pub(crate) use self::{post_heading::PostHeading, post_markup::is_post_text};

/// Minimum probability of a page type for its layout to be applied, if the markup of the page also has the
/// structure of the layout.
const PROBABLE: f32 = 0.4;

/// Layout of certain elements in the conversion to blocks.
#[derive(Debug, Default)]
pub(crate) struct LayoutPlan {
    /// Headings to insert before posts and tab texts. The key is the element of the post or tab text.
    pub(super) posts: HashMap<Id, PostHeading>,
    /// Entries of numbered listings. The key is the table of the listing.
    pub(super) rankings: HashMap<Id, Vec<ranking::RankingEntry>>,
    /// Elements that become one list item each.
    pub(super) cards: HashSet<Id>,
    /// Elements whose blocks have a role.
    pub(super) roles: HashMap<Id, Role>,
    /// Footnote marks with the hidden footnotes that they reveal.
    pub(super) notes: Vec<Disclosure>,
}

impl LayoutPlan {
    /// Author of the first post.
    pub(super) fn first_author(&self) -> Option<String> {
        let (_, heading) = self.posts.iter().min_by_key(|(id, _)| **id)?;
        Some(heading.author.clone())
    }

    /// True if the element contains a post.
    pub(super) fn has_post_in(&self, page: &Page, id: Id) -> bool {
        self.posts.keys().any(|post| page.subtree(id).contains(post))
    }
}

/// Finds posts, cards and numbered listings in the selected part, and selects them completely. Author and
/// date that move to the heading of a post are excluded.
pub(crate) fn plan(page: &Page, types: &Types, hidden: &[bool], keep: &mut [bool]) -> LayoutPlan {
    let mut plan = LayoutPlan { posts: threads::find(page, hidden, keep), ..LayoutPlan::default() };
    if plan.posts.is_empty() {
        plan.posts = json_ld_posts::find(page, hidden, keep);
    }
    if !plan.posts.is_empty() {
        return plan;
    }
    plan.rankings = ranking::find(page, hidden, keep);
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
