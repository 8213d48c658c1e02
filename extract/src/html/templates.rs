//! How the kept text of a type of page is joined: the posts of a forum as sections under their authors and dates, the
//! cards of a listing or a collection as items of a list.

mod cards;
mod posts;

use std::collections::{HashMap, HashSet};

use super::{
    main_part::{PageType, Types},
    tree::{Id, Page},
};

pub(super) use self::cards::item;

/// Pages that are at least this probably of a type are joined as its pages are, when they are built like it too.
const PROBABLE: f32 = 0.4;

/// Nodes that are looked at for posts or cards: things within things are looked at once a level.
const MOST_LOOKED_AT: usize = 3_000_000;

/// What the walk to blocks does at some elements of a page.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// The heading to put before each post.
    pub(super) posts: HashMap<Id, String>,
    /// Elements that become one item each.
    pub(super) cards: HashSet<Id>,
}

/// Looks for posts and cards among what is kept. What a heading says of a post is kept no longer in its text.
pub(crate) fn plan(page: &Page, types: &Types, keep: &mut [bool]) -> Plan {
    let mut plan = Plan::default();
    if types.share(&[PageType::Forum]) >= PROBABLE {
        plan.posts = posts::find(page, keep);
    } else if types.share(&[PageType::Listing, PageType::Collection]) >= PROBABLE {
        plan.cards = cards::find(page, keep);
    }
    plan
}

/// Tag and first class, by which repeated things are known.
fn form(page: &Page, id: Id) -> (&str, &str) {
    let class = page.attribute(id, "class").and_then(|class| class.split_ascii_whitespace().next());
    (page.tag(id), class.unwrap_or(""))
}

/// The words that classes and the id are made of: `PostHeader__author-name` has four.
fn says(page: &Page, id: Id, words: &[&str]) -> bool {
    ["class", "id", "itemprop", "data-testid"].iter().filter_map(|name| page.attribute(id, name)).any(
        |value| {
            let mut start = 0;
            let bytes = value.as_bytes();
            (0..=bytes.len()).any(|at| {
                let ends = at == bytes.len()
                    || !bytes[at].is_ascii_alphanumeric()
                    || at > start && bytes[at].is_ascii_uppercase() && !bytes[at - 1].is_ascii_uppercase();
                if !ends {
                    return false;
                }
                let word = value.get(start..at).unwrap_or("");
                start = if bytes.get(at).is_some_and(u8::is_ascii_alphanumeric) { at } else { at + 1 };
                words.iter().any(|known| word.eq_ignore_ascii_case(known))
            })
        },
    )
}

#[cfg(test)]
mod tests;
