//! Rules that all bookmark apps share: an archived item has the status `archive`, and a starred or marked
//! item has the tag `favorite`.

use std::collections::BTreeSet;

use kernel::bounds::{OBJECT_TAGS, TAG_CHARS};
use kernel::tag::Tag;
use kernel::{AccountId, Domain, Error};
use library::{FAVORITE, Item, ItemStatus};

/// Maximum number of parts of a list of tags.
const MAX_PARTS: usize = OBJECT_TAGS * TAG_CHARS;
/// Maximum number of names per request for which tags that contain commas are searched.
const MAX_LOOKUPS: usize = OBJECT_TAGS * 4;
/// Maximum number of tags per name that may continue after a comma.
const KNOWN_TAGS: u32 = 100;

/// Returns true if the item has the tag `favorite`.
pub(super) fn is_favorite(item: &Item) -> bool {
    item.tags.iter().any(|tag| is_same_tag(tag, FAVORITE))
}

/// Returns true if both names identify the same tag.
pub(super) fn is_same_tag(one: &str, other: &str) -> bool {
    Tag::of(one).map(|tag| tag.key) == Tag::of(other).map(|tag| tag.key)
}

/// Splits names at commas. The name of a known tag may itself contain commas.
pub(super) fn split_tags(names: &str, known: &[String]) -> Vec<String> {
    let parts: Vec<&str> = split_at_commas(names).collect();
    let known = known.iter().map(|name| (name, split_at_commas(name).collect::<Vec<&str>>()));
    // Callers refuse longer lists.
    let known: Vec<(&String, Vec<&str>)> =
        known.filter(|(_, own)| own.len() > 1 && parts.len() <= MAX_PARTS).collect();
    let (mut tags, mut rest) = (Vec::new(), parts.as_slice());
    while let Some(first) = rest.first() {
        let named = known.iter().filter(|(_, own)| is_start(rest, own)).max_by_key(|(_, own)| own.len());
        let (name, count) = named.map_or((*first, 1), |(name, own)| (name.as_str(), own.len()));
        tags.push(name.to_owned());
        rest = rest.get(count..).unwrap_or_default();
    }
    tags
}

/// Returns the tags of the library that contain commas and may be in `lists`, which are names separated by
/// commas.
pub(super) async fn known_tags(
    domain: &Domain,
    account_id: AccountId,
    lists: &[&str],
) -> Result<Vec<String>, Error> {
    let lists = lists.iter().copied().filter(|names| names.contains(','));
    let parts: BTreeSet<&str> = lists.flat_map(split_at_commas).take(MAX_PARTS).collect();
    let mut known = Vec::new();
    for part in parts.into_iter().take(MAX_LOOKUPS) {
        let tags = library::list_tags(domain, account_id, Some(part), None, KNOWN_TAGS).await?;
        known.extend(tags.into_iter().map(|tag| tag.name).filter(|name| name.contains(',')));
    }
    Ok(known)
}

/// Splits names at commas. Empty names are omitted.
pub(super) fn split_at_commas(names: &str) -> impl Iterator<Item = &str> {
    names.split(',').map(str::trim).filter(|name| !name.is_empty())
}

fn is_start(parts: &[&str], own: &[&str]) -> bool {
    parts.len() >= own.len() && parts.iter().zip(own).all(|(part, own)| is_same_tag(part, own))
}

/// Returns the new status of an item that is moved into or out of the archive. `None` if the status does not
/// change.
pub(super) fn status_after(item: &Item, archived: Option<bool>) -> Option<ItemStatus> {
    if archived? {
        return Some(ItemStatus::Archive);
    }
    (item.status == ItemStatus::Archive).then_some(ItemStatus::Inbox)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_tag_with_commas_is_one_name() {
        let known = ["Reisen,S\u{fc}den", "Reisen, S\u{fc}den, See", "a"].map(str::to_owned);
        assert_eq!(split_tags("a, reisen, s\u{fc}den,,b", &known), ["a", "Reisen,S\u{fc}den", "b"]);
        assert_eq!(split_tags("Reisen, S\u{fc}den, See", &known), ["Reisen, S\u{fc}den, See"]);
        assert_eq!(split_tags("Reisen, See", &known), ["Reisen", "See"]);
        assert!(split_tags(" , ", &known).is_empty());
    }
}
