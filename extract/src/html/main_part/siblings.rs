//! Units that stand at the same place of repeated things: all bylines of a forum, all prices of a list. What is thought of
//! one is worth knowing for the others.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};

use super::units::{Unit, units_in};
use crate::html::tree::{Id, Page, is_inline};

/// Blocks above a unit that make up its near place.
const NEAR: usize = 3;

/// Blocks above a unit whose other units are its kin, by how many blocks they stand above.
const LEVELS: [usize; KIN] = [1, 2, 3, 5];
/// How many they are.
const KIN: usize = 4;
/// The first of the units of each block above a unit, and the one after the last.
pub(super) type Kin = [(usize, usize); KIN];

/// For each unit, its group by the whole way from the root, and its group by the last steps of it; and its kin.
pub(super) struct Siblings {
    pub(super) groups: Vec<[usize; 2]>,
    pub(super) kin: Vec<Kin>,
    /// How many groups there are.
    pub(super) count: usize,
}

impl Siblings {
    pub(super) fn of(page: &Page, units: &[Unit]) -> Self {
        let ways = Ways::of(page);
        let mut known: HashMap<(bool, u64), usize> = HashMap::new();
        let mut groups = Vec::with_capacity(units.len());
        let mut kin = Vec::with_capacity(units.len());
        for (at, unit) in units.iter().enumerate() {
            kin.push(kin_of(page, units, &ways, at));
            let inner = unit.texts.first().map_or(unit.container, |&text| page.parent(text));
            let mut near = DefaultHasher::new();
            ways.forms[inner].hash(&mut near);
            let mut block = ways.blocks[unit.container];
            for _ in 0..NEAR {
                ways.forms[block].hash(&mut near);
                block = ways.blocks[page.parent(block)];
            }
            let mut group = |key| {
                let next = known.len();
                *known.entry(key).or_insert(next)
            };
            groups.push([group((false, ways.whole[unit.container])), group((true, near.finish()))]);
        }
        Self { groups, kin, count: known.len() }
    }
}

/// The units of the blocks above a unit; above the last block it is alone.
fn kin_of(page: &Page, units: &[Unit], ways: &Ways, unit: usize) -> Kin {
    let mut block = ways.blocks[units[unit].container];
    let mut level = 0;
    LEVELS.map(|wanted| {
        while level < wanted && block != 0 {
            block = ways.blocks[page.parent(block)];
            level += 1;
        }
        let inside = units_in(page, units, block);
        if block == 0 { (unit, unit + 1) } else { (inside.start, inside.end) }
    })
}

/// Of each node, told from its parent's: what it looks like, the block it is or stands in, and the forms of all blocks
/// from the root to there.
struct Ways {
    forms: Vec<u64>,
    blocks: Vec<Id>,
    whole: Vec<u64>,
}

impl Ways {
    fn of(page: &Page) -> Self {
        let mut ways =
            Self { forms: vec![0; page.len()], blocks: vec![0; page.len()], whole: vec![0; page.len()] };
        for id in 1..page.len() {
            let parent = page.parent(id);
            if !page.is_element(id) {
                (ways.blocks[id], ways.whole[id]) = (ways.blocks[parent], ways.whole[parent]);
                continue;
            }
            ways.forms[id] = form(page, id);
            if is_inline(page.tag(id)) {
                (ways.blocks[id], ways.whole[id]) = (ways.blocks[parent], ways.whole[parent]);
            } else {
                let mut hasher = DefaultHasher::new();
                (ways.whole[parent], ways.forms[id]).hash(&mut hasher);
                (ways.blocks[id], ways.whole[id]) = (id, hasher.finish());
            }
        }
        ways
    }
}

/// For each element, how many siblings have its tag and its first class.
pub(super) fn alike(page: &Page) -> Vec<u32> {
    let mut counts: HashMap<(Id, &str, &str), usize> = HashMap::new();
    let form = |id: Id| {
        let class =
            page.attribute(id, "class").and_then(|class| class.split_ascii_whitespace().next()).unwrap_or("");
        (page.parent(id), page.tag(id), class)
    };
    let mut groups = vec![usize::MAX; page.len()];
    let mut sizes: Vec<u32> = Vec::new();
    for id in (1..page.len()).filter(|&id| page.is_element(id)) {
        let group = *counts.entry(form(id)).or_insert(sizes.len());
        if group == sizes.len() {
            sizes.push(0);
        }
        sizes[group] += 1;
        groups[id] = group;
    }
    groups.into_iter().map(|group| sizes.get(group).copied().unwrap_or(0)).collect()
}

/// Tag and first class.
fn form(page: &Page, id: Id) -> u64 {
    let mut hasher = DefaultHasher::new();
    page.tag(id).hash(&mut hasher);
    page.attribute(id, "class").and_then(|class| class.split_ascii_whitespace().next()).hash(&mut hasher);
    hasher.finish()
}
