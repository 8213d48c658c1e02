//! Groups units at the same position of repeated elements, such as all bylines of a forum or all prices of a
//! list. The score of a unit is evidence for the other units of its group.

use std::collections::HashMap;

use super::units::{Units, units_in};
use crate::page::{Id, Page};

/// Number of blocks above a unit that define its near position.
const NEAR: usize = 3;

/// Distances from a unit to the blocks whose units form its sibling ranges, in number of blocks.
const LEVELS: [usize; RANGE_COUNT] = [1, 2, 3, 5];
/// Number of sibling ranges.
const RANGE_COUNT: usize = 4;
/// For each level, the index of the first unit in the block and the index after its last unit.
pub(super) type SiblingRanges = [(usize, usize); RANGE_COUNT];

/// Groups and ranges of each unit. The first group contains the units with the same full path from the root.
/// The second group contains the units whose paths have the same last steps.
pub(super) struct Siblings {
    pub(super) groups: Vec<[usize; 2]>,
    pub(super) ranges: Vec<SiblingRanges>,
    /// Number of groups of both kinds.
    pub(super) count: usize,
}

impl Siblings {
    pub(super) fn of(page: &Page, units: &Units, forms: &[u64]) -> Self {
        let paths = BlockPaths::of(page, forms);
        let mut known: HashMap<(bool, u64), usize> = HashMap::new();
        let mut groups = Vec::with_capacity(units.len());
        let mut ranges = Vec::with_capacity(units.len());
        for (at, unit) in units.iter().enumerate() {
            ranges.push(ranges_of(page, units, &paths, at));
            let inner = unit.texts.first().map_or(unit.container, |&text| page.parent(text));
            let mut near = forms[inner];
            let mut block = paths.blocks[unit.container];
            for _ in 0..NEAR {
                near = combine(near, forms[block]);
                block = paths.blocks[page.parent(block)];
            }
            let mut group = |key| {
                let next = known.len();
                *known.entry(key).or_insert(next)
            };
            groups.push([group((false, paths.hashes[unit.container])), group((true, near))]);
        }
        Self { groups, ranges, count: known.len() }
    }
}

/// Unit ranges of the blocks above a unit. Above the topmost block, the range contains only the unit itself.
fn ranges_of(page: &Page, units: &Units, paths: &BlockPaths, unit: usize) -> SiblingRanges {
    let mut block = paths.blocks[units[unit].container];
    let mut level = 0;
    LEVELS.map(|target| {
        while level < target && block != 0 {
            block = paths.blocks[page.parent(block)];
            level += 1;
        }
        let inside = units_in(page, units, block);
        if block == 0 { (unit, unit + 1) } else { (inside.start, inside.end) }
    })
}

/// For each node, the nearest enclosing block, and a hash of the forms (tags and classes) of all blocks from
/// the root to it. Both are derived from the values of the parent.
struct BlockPaths {
    blocks: Vec<Id>,
    hashes: Vec<u64>,
}

impl BlockPaths {
    fn of(page: &Page, forms: &[u64]) -> Self {
        let mut paths = Self { blocks: vec![0; page.len()], hashes: vec![0; page.len()] };
        for (id, &form) in forms.iter().enumerate().skip(1) {
            let parent = page.parent(id);
            (paths.blocks[id], paths.hashes[id]) = if !page.is_element(id) || page.is_inline(id) {
                (paths.blocks[parent], paths.hashes[parent])
            } else {
                (id, combine(paths.hashes[parent], form))
            };
        }
        paths
    }
}

/// Returns for each element the number of siblings with the same tag and first class, including the element
/// itself.
pub(super) fn count_alike(page: &Page, forms: &[u64]) -> Vec<u32> {
    let mut counts = vec![0; page.len()];
    let mut children: Vec<(u64, Id)> = Vec::new();
    for parent in 0..page.len() {
        children.clear();
        children.extend(page.element_children(parent).map(|child| (forms[child], child)));
        children.sort_unstable();
        for run in children.chunk_by(|one, other| one.0 == other.0) {
            for (_, child) in run {
                counts[*child] = u32::try_from(run.len()).unwrap_or(u32::MAX);
            }
        }
    }
    counts
}

/// Returns for each element a hash of its tag and first class. A collision that a page constructs affects
/// only that page.
pub(super) fn forms(page: &Page) -> Vec<u64> {
    let form = |id: Id| combine(hash(page.tag(id)), page.class_names(id).next().map_or(0, hash));
    (0..page.len()).map(|id| if page.is_element(id) { form(id) } else { 0 }).collect()
}

fn hash(word: &str) -> u64 {
    let (pieces, last) = word.as_bytes().as_chunks();
    let hash = pieces.iter().fold(word.len() as u64, |hash, piece| combine(hash, u64::from_le_bytes(*piece)));
    last.iter().fold(hash, |hash, byte| combine(hash, u64::from(*byte)))
}

/// Combines two hashes into the XOR of the halves of a product, so that every bit of both contributes.
fn combine(one: u64, other: u64) -> u64 {
    let factors = [one ^ 0x9e37_79b9_7f4a_7c15, other ^ 0x517c_c1b7_2722_0a95];
    let product = u128::from(factors[0]) * u128::from(factors[1]);
    let [low, high] =
        [product, product >> 64].map(|half| u64::try_from(half & u128::from(u64::MAX)).unwrap_or(0));
    low ^ high
}
