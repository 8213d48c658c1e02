//! Parsing of trees, and equality of batched sums with sums that walk each tree.

use super::*;

/// Trees of each round, as stored in the file.
fn trees(bytes: &[u8]) -> Vec<Vec<(Vec<SplitNode>, Vec<f32>)>> {
    let mut reader = ForestReader { rest: &bytes[4..] };
    let round = |reader: &mut ForestReader<'_>| {
        let features = usize::from(u16::from_le_bytes(reader.take().unwrap()));
        let count = u16::from_le_bytes(reader.take().unwrap());
        (0..count).map(|_| tree(reader, features).unwrap()).collect()
    };
    (0..reader.byte().unwrap()).map(|_| round(&mut reader)).collect()
}

/// Sum of the trees for a row, computed by walking each tree.
fn walked(trees: &[(Vec<SplitNode>, Vec<f32>)], row: &[f32]) -> f32 {
    trees.iter().fold(0.0, |sum, (nodes, values)| {
        let mut way = Branch::Split(0);
        loop {
            match way {
                Branch::Split(at) => {
                    let above = row[usize::from(nodes[at].feature)] > nodes[at].threshold;
                    way = nodes[at].branches[usize::from(above)];
                }
                Branch::Leaf(leaf) => return sum + values[leaf],
            }
        }
    })
}

/// Rows of feature values. Some features are constant, some change slowly, and some are NaN.
fn rows(features: usize, count: usize) -> Vec<Vec<f32>> {
    let mut state = 1_u32;
    let mut chance = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f32::from(u16::try_from(state >> 16).unwrap()) / 65_536.0
    };
    let constant: Vec<f32> = (0..features).map(|_| chance() * 6.0 - 1.0).collect();
    let row = |at: u16, chance: &mut dyn FnMut() -> f32| {
        let values = constant.iter().enumerate().map(|(feature, constant)| match feature % 7 {
            0 => *constant,
            1 => constant + f32::from(at / 40),
            2 => f32::from(u8::from(chance() > 0.5)),
            3 if chance() > 0.9 => f32::NAN,
            _ => chance() * 8.0 - 1.0,
        });
        values.collect()
    };
    (0..u16::try_from(count).unwrap()).map(|at| row(at, &mut chance)).collect()
}

#[test]
fn batched_sums_equal_sums_of_walked_trees() {
    let trees = trees(include_bytes!("../gbdt.bin"));
    for (at, round) in rounds().iter().enumerate() {
        for count in [1, 31, 33, 150] {
            let rows = rows(round.features(), count);
            let rows: Vec<&[f32]> = rows.iter().map(Vec::as_slice).collect();
            let scores: Vec<u32> = round.scores(&rows).into_iter().map(f32::to_bits).collect();
            let walked: Vec<u32> = rows.iter().map(|row| walked(&trees[at], row).to_bits()).collect();
            assert_eq!(scores, walked, "round {at}, {count} rows");
        }
    }
}

#[test]
fn embedded_decision_trees_are_parsed() {
    assert_eq!(rounds().len(), 9);
}

#[test]
fn broken_trees_are_rejected() {
    assert!(parse(b"").is_none());
    assert!(parse(b"CMP1\x01\x01\x00\x01\x00\x01\x00\0\0\0\0\x00\x00").is_none());
    let whole = include_bytes!("../gbdt.bin");
    assert!(parse(&whole[..whole.len() - 1]).is_none());
}
