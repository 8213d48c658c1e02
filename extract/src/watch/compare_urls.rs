//! Compares sitemaps: URLs that were added or removed, or have another date.

use super::{
    comparison::{Comparison, anchor},
    normalize::CompiledRules,
    operation::{Kind, Op, Operation},
    pair::percent,
    snapshot::UrlEntry,
};

/// Compares two sorted lists of URLs.
pub(super) fn compare(before: &[UrlEntry], after: &[UrlEntry], lens: &CompiledRules<'_>) -> Comparison {
    let mut comparison = Comparison::default();
    let compared = |entries: &'_ [UrlEntry]| -> Vec<usize> {
        (0..entries.len()).filter(|&at| lens.is_compared(&entries[at].url)).collect()
    };
    let (old, new) = (compared(before), compared(after));
    let is_dated = lens.are_dated(before) || lens.are_dated(after);
    let key = |entry: &UrlEntry| lens.url_key(entry, is_dated);
    let (mut one, mut other) = (0, 0);
    while one < old.len() || other < new.len() {
        let order = match (old.get(one), new.get(other)) {
            (Some(&old), Some(&new)) => before[old].url.cmp(&after[new].url),
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, _) => std::cmp::Ordering::Greater,
        };
        if order.is_lt() {
            comparison.push(new_operation(Op::Removed, old[one], &before[old[one]].url), lens.words());
        } else if order.is_gt() {
            comparison.push(new_operation(Op::Added, new[other], &after[new[other]].url), lens.words());
        } else if key(&before[old[one]]) != key(&after[new[other]]) {
            let mut operation = new_operation(Op::Changed, new[other], &after[new[other]].url);
            operation.from = Some(anchor(old[one]));
            operation.before.clone_from(&before[old[one]].lastmod);
            operation.after.clone_from(&after[new[other]].lastmod);
            comparison.push(operation, lens.words());
        }
        one += usize::from(order.is_le());
        other += usize::from(order.is_ge());
    }
    let changed = comparison.added.max(comparison.removed) + comparison.modified;
    let changed = usize::try_from(changed).unwrap_or(usize::MAX);
    comparison.share_percent = percent(changed, old.len().max(new.len()));
    comparison
}

fn new_operation(op: Op, at: usize, url: &str) -> Operation {
    let mut operation = Operation::new(op, Kind::Url, anchor(at));
    operation.link = Some(url.to_owned());
    match op {
        Op::Added => operation.after = Some(url.to_owned()),
        Op::Removed => operation.before = Some(url.to_owned()),
        Op::Changed | Op::Moved => {}
    }
    operation
}
