//! Compares sitemaps: URLs that were added or removed, or have another date.

use std::collections::HashMap;

use super::{
    comparison::{Comparison, anchor},
    normalize::CompiledRules,
    operation::{Kind, Op, Operation},
    pair::percent,
    snapshot::UrlEntry,
};

/// Minimum share of common URLs with the same new day, in percent, for the day to count as generated.
const MIN_STAMPED_PERCENT: usize = 90;
/// If there are fewer common URLs, all of them must have the same new day.
const FEW_URLS: usize = 10;
/// Length of a day in an ISO date.
const DAY_BYTES: usize = 10;

/// Compares two sorted lists of URLs. Added and removed URLs come first.
pub(super) fn compare(before: &[UrlEntry], after: &[UrlEntry], rules: &CompiledRules<'_>) -> Comparison {
    let mut comparison = Comparison::default();
    let compared = |entries: &'_ [UrlEntry]| -> Vec<usize> {
        (0..entries.len()).filter(|&at| rules.is_compared(&entries[at].url)).collect()
    };
    let (old, new) = (compared(before), compared(after));
    let mut common = Vec::new();
    let (mut one, mut other) = (0, 0);
    while one < old.len() || other < new.len() {
        let order = match (old.get(one), new.get(other)) {
            (Some(&old), Some(&new)) => before[old].url.cmp(&after[new].url),
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, _) => std::cmp::Ordering::Greater,
        };
        if order.is_lt() {
            comparison.push(new_operation(Op::Removed, old[one], &before[old[one]].url), rules.words());
        } else if order.is_gt() {
            comparison.push(new_operation(Op::Added, new[other], &after[new[other]].url), rules.words());
        } else {
            common.push((old[one], new[other]));
        }
        one += usize::from(order.is_le());
        other += usize::from(order.is_ge());
    }
    for (one, other) in updated(before, after, rules, &common) {
        let mut operation = new_operation(Op::Changed, other, &after[other].url);
        operation.from = Some(anchor(one));
        operation.before.clone_from(&before[one].lastmod);
        operation.after.clone_from(&after[other].lastmod);
        comparison.push(operation, rules.words());
    }
    let changed = comparison.added.max(comparison.removed) + comparison.modified;
    let changed = usize::try_from(changed).unwrap_or(usize::MAX);
    comparison.share_percent = percent(changed, old.len().max(new.len()));
    comparison
}

/// Index pairs of the common URLs whose date changed. If nearly all of them have the same new day, that day
/// was generated, and only URLs with another date count as updated.
fn updated(
    before: &[UrlEntry],
    after: &[UrlEntry],
    rules: &CompiledRules<'_>,
    common: &[(usize, usize)],
) -> Vec<(usize, usize)> {
    if !rules.has_dates() {
        return Vec::new();
    }
    let differs =
        |&&(one, other): &&(usize, usize)| rules.url_key(&before[one]) != rules.url_key(&after[other]);
    let mut updated: Vec<(usize, usize)> = common.iter().filter(differs).copied().collect();
    let day = |at: usize| after[at].lastmod.as_deref().and_then(|date| date.get(..DAY_BYTES));
    let mut days: HashMap<&str, usize> = HashMap::new();
    updated.iter().filter_map(|&(_, other)| day(other)).for_each(|day| *days.entry(day).or_default() += 1);
    let Some((stamp, count)) = days.into_iter().max_by_key(|&(day, count)| (count, day)) else {
        return updated;
    };
    let least = if common.len() < FEW_URLS { 100 } else { MIN_STAMPED_PERCENT };
    if common.len() > 1 && count * 100 >= common.len() * least {
        updated.retain(|&(_, other)| day(other) != Some(stamp));
    }
    updated
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
