//! Differences between two sequences, computed with Myers' algorithm.
//!
//! `similar` is generic, and compiling it takes 5 s per item type. Items are numbered first, so that the
//! algorithm is compiled only for numbers.

use std::{collections::HashMap, hash::Hash, time::Instant};

use similar::{Algorithm, capture_diff_slices_deadline, diff_ratio};
pub use similar::{DiffOp, DiffTag};

/// Operations that change `old` to `new`. If `deadline` passes, the remaining items become one replacement.
pub fn diff<Item: Eq + Hash>(old: &[Item], new: &[Item], deadline: Option<Instant>) -> Vec<DiffOp> {
    let mut numbers: HashMap<&Item, u32> = HashMap::with_capacity(old.len());
    let mut number = |item| {
        let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        *numbers.entry(item).or_insert(next)
    };
    let old: Vec<u32> = old.iter().map(&mut number).collect();
    let new: Vec<u32> = new.iter().map(&mut number).collect();
    diff_numbers(&old, &new, deadline)
}

/// Operations that change `old` to `new`, as in [`diff`], for items that are already numbers.
#[inline(never)]
pub fn diff_numbers(old: &[u32], new: &[u32], deadline: Option<Instant>) -> Vec<DiffOp> {
    capture_diff_slices_deadline(Algorithm::Myers, old, new, deadline)
}

/// Share of items that are equal in both sequences, from 0 to 1.
pub fn equal_share(operations: &[DiffOp], old_len: usize, new_len: usize) -> f32 {
    diff_ratio(operations, old_len, new_len)
}
