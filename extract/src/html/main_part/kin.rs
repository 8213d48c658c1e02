//! Units that stand at the same place of repeated things: all bylines of a forum, all prices of a list. What is thought of
//! one is worth knowing for the others.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};

use super::units::Unit;
use crate::html::tree::{Id, Page, is_inline};

/// Blocks above a unit that make up its near place.
const NEAR: usize = 3;

/// For each unit, its group by the whole way from the root, and its group by the last steps of it.
pub(super) struct Kin {
    pub(super) groups: Vec<[usize; 2]>,
    /// How many groups there are.
    pub(super) count: usize,
}

impl Kin {
    pub(super) fn of(page: &Page, units: &[Unit]) -> Self {
        let forms: Vec<u64> =
            (0..page.len()).map(|id| if page.is_element(id) { form(page, id) } else { 0 }).collect();
        let mut known: HashMap<(u8, u64), usize> = HashMap::new();
        let mut groups = Vec::with_capacity(units.len());
        for unit in units {
            let inner = unit.texts.first().map_or(unit.container, |&text| page.parent(text));
            let (mut whole, mut near) = (DefaultHasher::new(), DefaultHasher::new());
            forms[inner].hash(&mut near);
            let mut blocks = 0;
            for above in std::iter::once(unit.container).chain(page.ancestors(unit.container)) {
                if is_inline(page.tag(above)) {
                    continue;
                }
                forms[above].hash(&mut whole);
                if blocks < NEAR {
                    forms[above].hash(&mut near);
                }
                blocks += 1;
            }
            let next = known.len();
            let one = *known.entry((0, whole.finish())).or_insert(next);
            let next = known.len();
            let other = *known.entry((1, near.finish())).or_insert(next);
            groups.push([one, other]);
        }
        Self { groups, count: known.len() }
    }
}

/// Tag and first class.
fn form(page: &Page, id: Id) -> u64 {
    let mut hasher = DefaultHasher::new();
    page.tag(id).hash(&mut hasher);
    page.attribute(id, "class").and_then(|class| class.split_ascii_whitespace().next()).hash(&mut hasher);
    hasher.finish()
}
