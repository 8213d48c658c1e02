//! How the kept text of a type of page is joined: the posts of a forum as sections under their authors and dates, the
//! cards of a listing or a collection as items of a list.

mod cards;
mod form;
mod posts;

use std::collections::{HashMap, HashSet};

use super::{
    main_part::{PageType, Types},
    tree::{Id, Page},
};
use crate::document::Role;

pub(super) use self::cards::item;

/// Pages that are at least this probably of a type are joined as its pages are, when they are built like it too.
const PROBABLE: f32 = 0.4;

/// What the walk to blocks does at some elements of a page.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// The heading to put before each post.
    pub(super) posts: HashMap<Id, String>,
    /// Elements that become one item each.
    pub(super) cards: HashSet<Id>,
    /// Elements whose blocks have a role.
    pub(super) roles: HashMap<Id, Role>,
}

/// Looks for posts and cards among what is kept, and keeps cards whole. What a heading says of a post is kept no longer in its
/// text.
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
