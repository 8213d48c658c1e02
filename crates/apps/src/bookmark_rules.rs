//! Rules that all bookmark apps share: an archived item has the status `archive`, and a starred or marked
//! item has the tag `favorite`.

use std::collections::{BTreeSet, HashMap};

use kernel::bounds::{OBJECT_TAGS, TAG_CHARS};
use kernel::tag::Tag;
use kernel::{AccountId, Domain, Error};
use library::{FAVORITE, Item, ItemStatus};

/// Maximum number of parts in a tag list.
const MAX_PARTS: usize = OBJECT_TAGS * TAG_CHARS;
/// Maximum number of names per request that are searched for as starts of tags that contain commas.
const MAX_LOOKUPS: usize = OBJECT_TAGS * 4;
/// Maximum number of tags that are loaded per name.
const KNOWN_TAGS: u32 = 100;

/// Returns true if the item has the tag `favorite`.
pub(super) fn is_favorite(item: &Item) -> bool {
    item.tags.iter().any(|tag| is_same_tag(tag, FAVORITE))
}

/// Returns true if both names identify the same tag.
pub(super) fn is_same_tag(first: &str, second: &str) -> bool {
    Tag::of(first).map(|tag| tag.key) == Tag::of(second).map(|tag| tag.key)
}

/// Splits names at commas. The name of a known tag may itself contain commas.
pub(super) fn split_tags(names: &str, known: &[String]) -> Vec<String> {
    let parts: Vec<(&str, String)> = split_at_commas(names).map(|part| (part, key_of(part))).collect();
    // Callers refuse longer lists.
    let known: &[String] = if parts.len() > MAX_PARTS { &[] } else { known };
    let mut starting: HashMap<String, Vec<(&String, Vec<String>)>> = HashMap::new();
    for name in known {
        let keys: Vec<String> = split_at_commas(name).map(key_of).collect();
        if let Some(first) = keys.first().filter(|_| keys.len() > 1) {
            starting.entry(first.clone()).or_default().push((name, keys));
        }
    }
    let (mut tags, mut rest) = (Vec::new(), parts.as_slice());
    while let Some((first, key)) = rest.first() {
        let named = starting.get(key).into_iter().flatten().filter(|(_, keys)| is_start(rest, keys));
        let longest = named.max_by_key(|(_, keys)| keys.len());
        let (name, count) = longest.map_or((*first, 1), |(name, keys)| (name.as_str(), keys.len()));
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

/// Returns the key of a tag. Empty if the name is not a tag.
fn key_of(name: &str) -> String {
    Tag::of(name).map(|tag| tag.key).unwrap_or_default()
}

fn is_start(parts: &[(&str, String)], keys: &[String]) -> bool {
    parts.len() >= keys.len() && parts.iter().zip(keys).all(|((_, part), key)| part == key)
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
    fn known_tag_that_contains_commas_is_not_split() {
        let known = ["Reisen,S\u{fc}den", "Reisen, S\u{fc}den, See", "a"].map(str::to_owned);
        assert_eq!(split_tags("a, reisen, s\u{fc}den,,b", &known), ["a", "Reisen,S\u{fc}den", "b"]);
        assert_eq!(split_tags("Reisen, S\u{fc}den, See", &known), ["Reisen, S\u{fc}den, See"]);
        assert_eq!(split_tags("Reisen, See", &known), ["Reisen", "See"]);
        assert!(split_tags(" , ", &known).is_empty());
        let many: Vec<String> = (0..10_000).map(|number| format!("a, {number}")).collect();
        let names = "a,".repeat(MAX_PARTS);
        assert_eq!(split_tags(&names, &many).len(), MAX_PARTS);
        assert_eq!(split_tags("a, 9999", &many), ["a, 9999"]);
    }
}
