//! Selects units from their features. The first pass scores each unit alone. The second pass adds the first
//! scores of neighbours and siblings and the page type. The threshold maximises the expected balance of
//! missed and excess text.

use super::{
    features::Table,
    gbdt::{self, Round},
    page_type::Types,
    siblings::Siblings,
};

/// Radii of the windows over which first-pass scores are averaged, in units to each side.
const REACHES: [usize; 3] = [4, 10, 25];
/// Range of the threshold.
const CUT: (f32, f32) = (0.12, 0.72);

/// For each unit, whether it is selected. `words` is the weight of each unit.
pub(super) fn keep(table: &Table, words: &[f32], siblings: &Siblings, types: &Types) -> Option<Vec<bool>> {
    let [first, second, ..] = gbdt::rounds() else { return None };
    if words.is_empty() || first.features() != table.width {
        return None;
    }
    let rows: Vec<&[f32]> = (0..words.len()).map(|unit| table.row(unit)).collect();
    let alone = first.probabilities(&rows);
    let judged = again(table, second, &Around::new(&alone, words, siblings), types)?;
    let cut = cut(&judged, words);
    // If no unit is probable, the most probable ones are the text: a page with text yields a result.
    let most = judged.iter().copied().fold(0.0, f32::max);
    let cut = if most > cut { cut } else { most / 2.0 };
    Some(judged.iter().map(|&probability| probability > cut).collect())
}

/// Second pass.
fn again(table: &Table, round: &Round, around: &Around<'_>, types: &Types) -> Option<Vec<f32>> {
    let count = around.alone.len();
    let mut wide = Vec::with_capacity(round.features() * count);
    for unit in 0..count {
        wide.extend_from_slice(table.row(unit));
        around.describe(unit, &mut wide);
        wide.extend(types.probabilities);
    }
    let rows: Vec<&[f32]> = wide.chunks(round.features()).collect();
    (wide.len() == round.features() * count).then(|| round.probabilities(&rows))
}

/// Running sums of the first-pass scores, in page order and per sibling group.
struct Around<'a> {
    alone: &'a [f32],
    siblings: &'a Siblings,
    /// Per sibling group: units, sum of probabilities, words, sum of products.
    groups: Vec<[f64; 4]>,
    /// Up to each unit: sum of probabilities, words, sum of products.
    sums: Vec<[f64; 3]>,
    most: f32,
    /// First and last unit with a probability above one half.
    ends: (usize, usize),
}

impl<'a> Around<'a> {
    fn new(alone: &'a [f32], words: &[f32], siblings: &'a Siblings) -> Self {
        let mut sums = vec![[0.0; 3]];
        let mut sum = [0.0; 3];
        let mut groups = vec![[0.0; 4]; siblings.count];
        for ((&probability, &words), places) in alone.iter().zip(words).zip(&siblings.groups) {
            let (probability, words) = (f64::from(probability), f64::from(words));
            sum = [sum[0] + probability, sum[1] + words, sum[2] + probability * words];
            sums.push(sum);
            for &place in places {
                for (sum, value) in
                    groups[place].iter_mut().zip([1.0, probability, words, probability * words])
                {
                    *sum += value;
                }
            }
        }
        let is_kept = |probability: &f32| *probability > 0.5;
        let ends =
            (alone.iter().position(is_kept).unwrap_or(0), alone.iter().rposition(is_kept).unwrap_or(0));
        Self { alone, siblings, groups, sums, most: alone.iter().copied().fold(0.0, f32::max), ends }
    }

    fn describe(&self, unit: usize, row: &mut Vec<f32>) {
        let near = |offset: isize| unit.checked_add_signed(offset).and_then(|at| self.alone.get(at)).copied();
        row.push(self.alone[unit]);
        row.extend([-3, -2, -1, 1, 2, 3].map(|offset| near(offset).unwrap_or(-0.1)));
        for reach in REACHES {
            let (from, to) = (unit.saturating_sub(reach), self.alone.len().min(unit + reach + 1));
            let [probabilities, words, products] = self.between(from, to);
            row.push(narrow(products / (words + 1e-6)));
            row.push(narrow(probabilities) / narrow_count(to - from));
        }
        let [_, words, total] = self.between(0, self.alone.len());
        let before = self.between(0, unit + 1)[2];
        row.extend([
            narrow(total.ln_1p()),
            narrow(total / (words + 1e-6)),
            self.most,
            narrow(before / (total + 1e-6)),
        ]);
        for place in self.siblings.groups[unit] {
            let [units, probabilities, words, products] = self.groups[place];
            row.extend([
                narrow(units.ln_1p()),
                narrow(probabilities / units),
                narrow(products / (words + 1e-6)),
            ]);
        }
        let [_, own_words, own] = self.between(unit, unit + 1);
        for (from, to) in self.siblings.kin[unit] {
            let [_, words, products] = self.between(from, to);
            row.push(narrow((products - own) / (words - own_words + 1e-6)));
            row.push(narrow((products - own) / (total + 1e-6)));
        }
        let from = |end: usize| (narrow_count(unit) - narrow_count(end)).clamp(-30.0, 30.0);
        row.extend([from(self.ends.0), from(self.ends.1)]);
    }

    fn between(&self, from: usize, to: usize) -> [f64; 3] {
        let (low, high) = (self.sums[from], self.sums[to]);
        [high[0] - low[0], high[1] - low[1], high[2] - low[2]]
    }
}

/// Probability threshold with the best expected F-score over words.
fn cut(judged: &[f32], words: &[f32]) -> f32 {
    let mut order: Vec<usize> = (0..judged.len()).collect();
    order.sort_by(|&one, &other| judged[other].total_cmp(&judged[one]));
    let expected: f32 = judged.iter().zip(words).map(|(probability, words)| probability * words).sum();
    let (mut right, mut taken, mut best, mut cut) = (0.0, 0.0, -1.0, CUT.1);
    for unit in order {
        right += judged[unit] * words[unit];
        taken += words[unit];
        let score = 2.0 * right / (taken + expected + 1e-9);
        if score > best {
            best = score;
            cut = judged[unit];
        }
    }
    cut.clamp(CUT.0, CUT.1) - 1e-6
}

#[expect(clippy::cast_possible_truncation, reason = "features are compared, not counted with")]
fn narrow(value: f64) -> f32 {
    value as f32
}

#[expect(clippy::cast_precision_loss, reason = "a count of units")]
fn narrow_count(count: usize) -> f32 {
    count as f32
}
