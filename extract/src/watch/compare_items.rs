//! Compares extracts: items that were added, removed or moved, and values that changed.

use std::{
    collections::{HashMap, HashSet},
    time::Instant,
};

use super::{
    align::align,
    comparison::{Comparison, anchor, write_texts},
    excerpt::displayed,
    normalize::CompiledRules,
    operation::{Kind, Op, Operation},
    pair::{self, percent},
    snapshot::{ExtractedItem, FieldValue},
};
use crate::text_hash::hash;

/// Compares two lists of items by their keys.
pub(super) fn compare(
    before: &[ExtractedItem],
    after: &[ExtractedItem],
    rules: &CompiledRules<'_>,
    deadline: Instant,
) -> Comparison {
    let mut comparison = Comparison::default();
    let by_key = |items: &'_ [ExtractedItem]| -> HashMap<u64, usize> {
        items.iter().enumerate().map(|(at, item)| (hash(&item.key), at)).collect()
    };
    let (old, new) = (by_key(before), by_key(after));
    let moved = if rules.ordered() { moved(before, after, deadline) } else { HashSet::new() };
    let mut touched = 0;
    for (at, item) in before.iter().enumerate() {
        if !new.contains_key(&hash(&item.key)) {
            comparison.push(new_operation(Op::Removed, at, item, rules), rules.words());
        }
    }
    for (at, item) in after.iter().enumerate() {
        match old.get(&hash(&item.key)) {
            None => {
                comparison.push(new_operation(Op::Added, at, item, rules), rules.words());
            }
            Some(&from) => {
                let counted = comparison.modified;
                if moved.contains(&at) {
                    let mut operation = new_operation(Op::Moved, at, item, rules);
                    operation.from = Some(anchor(from));
                    comparison.push(operation, rules.words());
                }
                changed(&mut comparison, (from, &before[from]), (at, item), rules, deadline);
                touched += usize::from(comparison.modified > counted);
            }
        }
    }
    touched += usize::try_from(comparison.added.max(comparison.removed)).unwrap_or(usize::MAX);
    comparison.share_percent = percent(touched, before.len().max(after.len()));
    comparison
}

/// Indexes of the items that occur on both sides and changed their position.
fn moved(before: &[ExtractedItem], after: &[ExtractedItem], deadline: Instant) -> HashSet<usize> {
    let keys = |items: &[ExtractedItem]| items.iter().map(|item| hash(&item.key)).collect::<Vec<u64>>();
    let (old, new) = (keys(before), keys(after));
    let known: HashSet<u64> = old.iter().copied().collect();
    let mut moved: HashSet<usize> = (0..new.len()).filter(|&at| known.contains(&new[at])).collect();
    // Keys are unique, so the alignment is fast. If the deadline still passes, all common items are
    // treated as moved.
    for (_, at) in align(&old, &new, deadline).unwrap_or_default() {
        moved.remove(&at);
    }
    moved
}

fn new_operation(op: Op, at: usize, item: &ExtractedItem, rules: &CompiledRules<'_>) -> Operation {
    let mut operation = Operation::new(op, Kind::Item, anchor(at));
    operation.item = Some(item.title.clone());
    operation.link.clone_from(&item.link);
    let values =
        item.fields.iter().filter_map(|field| Some(format!("{}: {}", field.name, field.value.as_ref()?)));
    let text = displayed(&values.collect::<Vec<_>>().join(" · "), rules.words());
    match op {
        Op::Removed => operation.before = Some(text),
        Op::Added => operation.after = Some(text),
        Op::Changed | Op::Moved => {
            operation.before = Some(text.clone());
            operation.after = Some(text);
        }
    }
    operation
}

/// Adds one operation for each value that changed.
fn changed(
    comparison: &mut Comparison,
    (from, old): (usize, &ExtractedItem),
    (at, new): (usize, &ExtractedItem),
    rules: &CompiledRules<'_>,
    deadline: Instant,
) {
    let nothing = FieldValue { name: String::new(), value: None };
    let named = |item: &'_ ExtractedItem, name: &str| item.fields.iter().position(|field| field.name == name);
    let names = new.fields.iter().chain(old.fields.iter().filter(|field| named(new, &field.name).is_none()));
    for name in names.map(|field| field.name.as_str()) {
        let before = named(old, name).map_or(&nothing, |at| &old.fields[at]).value.as_deref();
        let after = named(new, name).map_or(&nothing, |at| &new.fields[at]).value.as_deref();
        if rules.value_key(before) == rules.value_key(after) {
            continue;
        }
        let mut operation = Operation::new(Op::Changed, Kind::Field, anchor(at));
        operation.from = Some(anchor(from));
        operation.item = Some(new.title.clone()).filter(|title| !title.is_empty());
        operation.field = Some(name.to_owned());
        operation.link.clone_from(&new.link);
        match (before, after) {
            (Some(before), Some(after)) => {
                operation.spans = pair::spans((before, &[]), (after, &[]), deadline);
                write_texts(&mut operation, (before, after), None, rules.words());
            }
            (before, after) => {
                operation.before = before.map(|text| displayed(text, rules.words()));
                operation.after = after.map(|text| displayed(text, rules.words()));
            }
        }
        comparison.push(operation, rules.words());
    }
}
