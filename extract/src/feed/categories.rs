//! Categories of an entry: `category` of RSS and Atom, `dc:subject`, `media:keywords`, and the tags of JSON Feed.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::names::Vocabulary;
use super::text;

/// Maximum number of categories of an entry.
const MAX_CATEGORIES: usize = 32;
/// Maximum number of characters of a category. A longer one is cut, with an ellipsis.
const MAX_CHARS: usize = 100;

/// Categories of an entry, in the order of the feed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Categories {
    /// At most 32 lines of plain text of at most 100 characters. No two differ only in letter case.
    pub names: Vec<String>,
    /// Number of further categories that were omitted.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub omitted: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl Categories {
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns clean and distinct names, within the limits.
    pub(super) fn cleaned(stated: &[String]) -> Self {
        let (mut categories, mut known) = (Self::default(), HashSet::new());
        for name in stated.iter().filter_map(|one| line(one)) {
            if !known.insert(name.to_lowercase()) {
                continue;
            }
            if categories.names.len() < MAX_CATEGORIES {
                categories.names.push(name);
            } else {
                categories.omitted = categories.omitted.saturating_add(1);
            }
        }
        categories
    }
}

/// Plain text on one line. `None` if it is empty.
fn line(stated: &str) -> Option<String> {
    let plain =
        if text::looks_like_html(stated) { text::plain(stated).into() } else { text::unescape(stated) };
    let line = text::cut(&text::one_line(&text::clean(&plain)), MAX_CHARS);
    (!line.is_empty()).then_some(line)
}

/// True if an element states categories. `local` is in lower case.
pub(super) fn is_category(vocabulary: Vocabulary, local: &str) -> bool {
    matches!(
        (vocabulary, local),
        (Vocabulary::Core, "category")
            | (Vocabulary::DublinCore, "subject")
            | (Vocabulary::Media, "keywords")
    )
}

/// Adds the categories that an element states: its `label` or else its `term` attribute, or else its content.
/// Keywords of Media RSS are separated by commas.
pub(super) fn add_stated(
    categories: &mut Vec<String>,
    vocabulary: Vocabulary,
    attributes: &[(&str, &str)],
    content: &str,
) {
    if vocabulary == Vocabulary::Media {
        // A feed may have millions of commas. Blank and repeated names take no memory.
        let mut known = HashSet::new();
        let names = content.split(',').map(str::trim);
        let names = names.filter(|name| !name.is_empty() && known.insert(*name));
        categories.extend(names.map(str::to_owned));
        return;
    }
    let attribute = |name: &str| {
        let stated = attributes.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        let value = stated.map(|(_, value)| text::unescape(value).trim().to_owned());
        value.filter(|value| !value.is_empty())
    };
    let stated = attribute("label").or_else(|| attribute("term"));
    categories.push(stated.unwrap_or_else(|| content.to_owned()));
}
