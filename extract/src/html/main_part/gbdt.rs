//! The fitted classifiers: rounds of decision trees as `bench/extraction/fit.py` writes them. The first two judge the units of
//! a page, each of the others how much the page is of one type.
//!
//! A file of trees begins with `CMP1` and the number of rounds. A round is its number of features and of trees; a tree
//! its number of splits, its splits (feature, threshold, the two ways on) and the values of its leaves. A way is the
//! index of a split, or below zero that of a leaf, counted from one. Values up to the threshold go the first way.

use std::sync::{LazyLock, OnceLock};

static JUDGE: LazyLock<Option<Vec<Round>>> = LazyLock::new(|| parse(include_bytes!("gbdt.bin")));

/// A classifier that is tried out in place of the one compiled in.
static TRIED: OnceLock<Vec<Round>> = OnceLock::new();

/// One round of trees.
pub(super) struct Round {
    features: usize,
    trees: Vec<Tree>,
}

struct Tree {
    /// The splits, then the leaves, then nothing.
    nodes: [Node; PLACES],
    /// Steps from the root to the farthest leaf.
    depth: usize,
}

/// Places for the nodes of a tree, a power of two: an index below it needs no check.
const PLACES: usize = 64;

/// A split, or a leaf that leads to itself.
#[derive(Clone, Copy, Default)]
struct Node {
    /// The threshold of a split, the value of a leaf.
    value: f32,
    feature: u8,
    /// Where values up to the threshold go on, and the others; within the tree.
    ways: [u8; 2],
}

/// Units that go down a tree side by side: their ways do not wait for each other.
const ABREAST: usize = 16;

/// The rounds that are compiled in, or those that are tried out.
pub(super) fn rounds() -> &'static [Round] {
    TRIED.get().map(Vec::as_slice).or(JUDGE.as_deref()).unwrap_or_default()
}

/// Judges by the trees of a file in place of those compiled in, from now on, to see what they are worth. False when they
/// cannot be read, or when others were chosen before.
pub(crate) fn load_override(bytes: &[u8]) -> bool {
    parse(bytes).is_some_and(|rounds| TRIED.set(rounds).is_ok())
}

impl Round {
    pub(super) fn features(&self) -> usize {
        self.features
    }

    /// For each row of features, the probability that its unit belongs to the main part.
    pub(super) fn probabilities(&self, rows: &[&[f32]]) -> Vec<f32> {
        self.scores(rows).into_iter().map(|score| 1.0 / (1.0 + (-score).exp())).collect()
    }

    /// For each row of features, what the trees add up to.
    pub(super) fn scores(&self, rows: &[&[f32]]) -> Vec<f32> {
        let mut sums = vec![0.0_f32; rows.len()];
        // As wide as the number of a feature can tell: it needs no check either.
        let mut wide = [[0.0_f32; 1 << u8::BITS]; ABREAST];
        for (rows, sums) in rows.chunks(ABREAST).zip(sums.chunks_mut(ABREAST)) {
            for (wide, row) in wide.iter_mut().zip(rows) {
                wide.iter_mut().zip(*row).for_each(|(wide, value)| *wide = *value);
            }
            for tree in &self.trees {
                let mut at = [0_u8; ABREAST];
                for _ in 0..tree.depth {
                    let mut moved = 0;
                    for (row, at) in wide.iter().zip(&mut at) {
                        let node = &tree.nodes[usize::from(*at) % PLACES];
                        let next = node.ways[usize::from(row[usize::from(node.feature)] > node.value)];
                        moved |= next ^ *at;
                        *at = next;
                    }
                    // Few units need the longest way.
                    if moved == 0 {
                        break;
                    }
                }
                for (sum, at) in sums.iter_mut().zip(at) {
                    *sum += tree.nodes[usize::from(at) % PLACES].value;
                }
            }
        }
        sums
    }
}

/// Reads a file of trees; nothing when it is not one.
fn parse(bytes: &[u8]) -> Option<Vec<Round>> {
    let mut reader = Reader { rest: bytes.strip_prefix(b"CMP1")? };
    let count = reader.byte()?;
    let rounds: Option<Vec<Round>> = (0..count).map(|_| round(&mut reader)).collect();
    rounds.filter(|_| reader.rest.is_empty())
}

fn round(reader: &mut Reader<'_>) -> Option<Round> {
    let features = usize::from(u16::from_le_bytes(reader.take()?));
    let count = u16::from_le_bytes(reader.take()?);
    let mut round = Round { features, trees: Vec::new() };
    for _ in 0..count {
        let splits = reader.byte()?;
        // Leaves follow the splits, one more than these.
        if splits == 0 || usize::from(splits) * 2 + 1 > PLACES {
            return None;
        }
        let mut nodes = Vec::with_capacity(PLACES);
        let mut depths = vec![0_usize; usize::from(splits)];
        let mut depth = 0;
        for index in 0..splits {
            let feature = reader.byte()?;
            let value = f32::from_le_bytes(reader.take()?);
            let ways = [reader.byte()?, reader.byte()?].map(u8::cast_signed);
            let below = depths[usize::from(index)] + 1;
            depth = depth.max(below);
            let mut leads = [0; 2];
            for (lead, way) in leads.iter_mut().zip(ways) {
                *lead = match u8::try_from(way) {
                    Ok(next) if next > index && next < splits => {
                        depths[usize::from(next)] = below;
                        next
                    }
                    Err(_) if way.unsigned_abs() <= splits + 1 => splits + way.unsigned_abs() - 1,
                    Ok(_) | Err(_) => return None,
                };
            }
            if usize::from(feature) >= features {
                return None;
            }
            nodes.push(Node { value, feature, ways: leads });
        }
        for leaf in 0..=splits {
            let value = f32::from_le_bytes(reader.take()?);
            nodes.push(Node { value, feature: 0, ways: [splits + leaf; 2] });
        }
        nodes.resize(PLACES, Node::default());
        round.trees.push(Tree { nodes: nodes.try_into().ok()?, depth });
    }
    Some(round)
}

struct Reader<'b> {
    rest: &'b [u8],
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(*taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compiled_trees_can_be_read() {
        assert_eq!(rounds().len(), 9);
    }

    #[test]
    fn broken_trees_are_refused() {
        assert!(parse(b"").is_none());
        assert!(parse(b"CMP1\x01\x01\x00\x01\x00\x01\x00\0\0\0\0\x00\x00").is_none());
        let whole = include_bytes!("gbdt.bin");
        assert!(parse(&whole[..whole.len() - 1]).is_none());
    }
}
