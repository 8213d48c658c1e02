//! Older form of snapshots: without marks in texts, and without controls and asides. When a stored snapshot
//! in this form is first compared with a new snapshot, the new snapshot is converted, so that an update of
//! the program is not reported as a change.

use super::{
    line_text::tidy,
    marks,
    operation::Kind,
    snapshot::{ExtractedItem, FieldValue, Snapshot, SnapshotBlock},
    value_store::cut,
};
use crate::{
    lexer::{TokenClass, split},
    text_hash::hash,
};

/// Maximum number of characters in a stored value in the older form.
const MAX_VALUE_CHARS: usize = 4_000;

impl Snapshot {
    /// Converts the snapshot to the form in which older versions of the program stored it.
    #[must_use]
    pub fn in_older_form(&self) -> Self {
        match self {
            Self::Blocks(blocks) => {
                let stored = blocks.iter().filter(|block| !block.is_marginal);
                Self::Blocks(stored.map(older_block).filter(|block| !block.text.is_empty()).collect())
            }
            Self::Urls(urls) => Self::Urls(urls.clone()),
            Self::Items(items) => Self::Items(items.iter().map(older_item).collect()),
        }
    }

    /// True if both snapshots have the same words and numbers, in any order.
    pub fn has_words_of(&self, other: &Self) -> bool {
        sorted_words(self) == sorted_words(other)
    }
}

fn older_block(block: &SnapshotBlock) -> SnapshotBlock {
    let text = older_text(&block.text);
    let is_value = matches!(block.kind, Kind::Value | Kind::ListItem);
    SnapshotBlock { text: if is_value { cut(&text, MAX_VALUE_CHARS) } else { text }, ..block.clone() }
}

fn older_item(item: &ExtractedItem) -> ExtractedItem {
    let field = |field: &FieldValue| FieldValue {
        name: field.name.clone(),
        value: field.value.as_deref().map(|value| cut(&older_text(value), MAX_VALUE_CHARS)),
    };
    ExtractedItem {
        key: older_text(&item.key),
        title: older_text(&item.title),
        link: item.link.clone(),
        fields: item.fields.iter().map(field).collect(),
    }
}

/// Removes the marks from a text.
fn older_text(text: &str) -> String {
    let text = marks::unmarked(text).replace(marks::DISABLED, "");
    let digit = |c: char| marks::RAISED.iter().zip('0'..='9').find(|(raised, _)| **raised == c);
    tidy(&text.chars().map(|c| digit(c).map_or(c, |(_, digit)| digit)).collect::<String>())
}

fn sorted_words(snapshot: &Snapshot) -> Vec<u64> {
    let texts: Vec<&str> = match snapshot {
        Snapshot::Blocks(blocks) => blocks.iter().map(|block| block.text.as_str()).collect(),
        Snapshot::Urls(urls) => urls.iter().map(|entry| entry.url.as_str()).collect(),
        Snapshot::Items(items) => {
            let fields = items.iter().flat_map(|item| &item.fields);
            fields.filter_map(|field| field.value.as_deref()).collect()
        }
    };
    let words = texts.into_iter().flat_map(|text| {
        let tokens = split(text).into_iter().filter(|token| token.class != TokenClass::Symbol);
        tokens.map(|token| hash(&text[token.range]))
    });
    let mut words: Vec<u64> = words.collect();
    words.sort_unstable();
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(text: &str) -> SnapshotBlock {
        SnapshotBlock { text: text.to_owned(), ..SnapshotBlock::default() }
    }

    #[test]
    fn older_snapshot_form_omits_marks_and_controls() {
        let button = SnapshotBlock { is_marginal: true, ..block("Buy [disabled]") };
        let now = Snapshot::Blocks(vec![block("~~129 €~~ 89⁹⁹ €"), block("S · M [disabled]"), button]);
        let before = Snapshot::Blocks(vec![block("129 € 8999 €"), block("S · M")]);
        assert_eq!(now.in_older_form(), before);
        assert_eq!(before.in_older_form(), before);
    }

    #[test]
    fn older_snapshot_form_truncates_long_values() {
        let field = |value: String| FieldValue { name: "text".to_owned(), value: Some(value) };
        let item = |value: String| {
            let fields = vec![field(value)];
            Snapshot::Items(vec![ExtractedItem {
                key: String::new(),
                title: String::new(),
                link: None,
                fields,
            }])
        };
        let long = "word ".repeat(2_000);
        let stored = item(cut(&tidy(&long), MAX_VALUE_CHARS));
        assert_eq!(item(tidy(&long)).in_older_form(), stored);
    }

    #[test]
    fn snapshots_with_the_same_words_match_in_any_order() {
        let of = |texts: &[&str]| Snapshot::Blocks(texts.iter().map(|text| block(text)).collect());
        assert!(of(&["a: 1", "b: 2"]).has_words_of(&of(&["b: 2", "a: 1"])));
        assert!(of(&["| 1 | Ada |"]).has_words_of(&of(&["1 | Ada"])));
        assert!(!of(&["a: 1", "b: 2"]).has_words_of(&of(&["a: 2", "b: 2"])));
    }
}
