//! Selects units from their features. The first pass scores each unit alone. The second pass also uses the
//! first scores of neighbours and siblings, and the page type. The threshold maximises the expected F-score,
//! which balances missed and excess text.

use super::{
    features::FeatureTable,
    gbdt::{self, Round},
    siblings::Siblings,
};
use crate::page::Types;

/// Radii, in units to each side, of the windows over which first-pass scores are averaged.
const WINDOW_RADII: [usize; 3] = [4, 10, 25];
/// Minimum and maximum of the threshold.
const THRESHOLD_RANGE: (f32, f32) = (0.12, 0.72);

/// For each unit, returns true if it is selected. `words` is the weight of each unit.
pub(super) fn keep(
    table: &FeatureTable,
    words: &[f32],
    siblings: &Siblings,
    types: &Types,
) -> Option<Vec<bool>> {
    let [first, second, ..] = gbdt::rounds() else { return None };
    if words.is_empty() || first.features() != table.width {
        return None;
    }
    let rows: Vec<&[f32]> = (0..words.len()).map(|unit| table.row(unit)).collect();
    let first_scores = first.probabilities(&rows);
    let scores = second_pass(table, second, &FirstPass::new(&first_scores, words, siblings), types)?;
    let best_threshold = best_threshold(&scores, words);
    // If no unit is above the threshold, the most probable units are selected, so that a page with text has a
    // result.
    let most = scores.iter().copied().fold(0.0, f32::max);
    let best_threshold = if most > best_threshold { best_threshold } else { most / 2.0 };
    Some(scores.iter().map(|&probability| probability > best_threshold).collect())
}

/// Scores the units with the features of both passes.
fn second_pass(
    table: &FeatureTable,
    round: &Round,
    first_pass: &FirstPass<'_>,
    types: &Types,
) -> Option<Vec<f32>> {
    let count = first_pass.scores.len();
    let mut wide = Vec::with_capacity(round.features() * count);
    for unit in 0..count {
        wide.extend_from_slice(table.row(unit));
        first_pass.append_features(unit, &mut wide);
        wide.extend(types.probabilities());
    }
    let rows: Vec<&[f32]> = wide.chunks(round.features()).collect();
    (wide.len() == round.features() * count).then(|| round.probabilities(&rows))
}

/// Running sums of the first-pass scores, in page order and per sibling group.
struct FirstPass<'a> {
    scores: &'a [f32],
    siblings: &'a Siblings,
    /// For each sibling group: number of units, sum of probabilities, words, and sum of probability × words.
    groups: Vec<[f64; 4]>,
    /// Up to each unit: sum of probabilities, words, and sum of probability × words.
    sums: Vec<[f64; 3]>,
    most: f32,
    /// Indices of the first and last unit with a probability above 0.5.
    probable_range: (usize, usize),
}

impl<'a> FirstPass<'a> {
    fn new(first_scores: &'a [f32], words: &[f32], siblings: &'a Siblings) -> Self {
        let mut sums = vec![[0.0; 3]];
        let mut sum = [0.0; 3];
        let mut groups = vec![[0.0; 4]; siblings.count];
        for ((&probability, &words), unit_groups) in first_scores.iter().zip(words).zip(&siblings.groups) {
            let (probability, words) = (f64::from(probability), f64::from(words));
            sum = [sum[0] + probability, sum[1] + words, sum[2] + probability * words];
            sums.push(sum);
            for &group in unit_groups {
                for (sum, value) in
                    groups[group].iter_mut().zip([1.0, probability, words, probability * words])
                {
                    *sum += value;
                }
            }
        }
        let is_probable = |probability: &f32| *probability > 0.5;
        let probable_range = (
            first_scores.iter().position(is_probable).unwrap_or(0),
            first_scores.iter().rposition(is_probable).unwrap_or(0),
        );
        Self {
            scores: first_scores,
            siblings,
            groups,
            sums,
            most: first_scores.iter().copied().fold(0.0, f32::max),
            probable_range,
        }
    }

    fn append_features(&self, unit: usize, row: &mut Vec<f32>) {
        let near =
            |offset: isize| unit.checked_add_signed(offset).and_then(|at| self.scores.get(at)).copied();
        row.push(self.scores[unit]);
        row.extend([-3, -2, -1, 1, 2, 3].map(|offset| near(offset).unwrap_or(-0.1)));
        for reach in WINDOW_RADII {
            let (from, to) = (unit.saturating_sub(reach), self.scores.len().min(unit + reach + 1));
            let [probabilities, words, products] = self.between(from, to);
            row.push(narrow(products / (words + 1e-6)));
            row.push(narrow(probabilities) / narrow_count(to - from));
        }
        let [_, words, total] = self.between(0, self.scores.len());
        let before = self.between(0, unit + 1)[2];
        row.extend([
            narrow(total.ln_1p()),
            narrow(total / (words + 1e-6)),
            self.most,
            narrow(before / (total + 1e-6)),
        ]);
        for group in self.siblings.groups[unit] {
            let [units, probabilities, words, products] = self.groups[group];
            row.extend([
                narrow(units.ln_1p()),
                narrow(probabilities / units),
                narrow(products / (words + 1e-6)),
            ]);
        }
        let [_, own_words, own] = self.between(unit, unit + 1);
        for (from, to) in self.siblings.ranges[unit] {
            let [_, words, products] = self.between(from, to);
            row.push(narrow((products - own) / (words - own_words + 1e-6)));
            row.push(narrow((products - own) / (total + 1e-6)));
        }
        let from = |end: usize| (narrow_count(unit) - narrow_count(end)).clamp(-30.0, 30.0);
        row.extend([from(self.probable_range.0), from(self.probable_range.1)]);
    }

    fn between(&self, from: usize, to: usize) -> [f64; 3] {
        let (low, high) = (self.sums[from], self.sums[to]);
        [high[0] - low[0], high[1] - low[1], high[2] - low[2]]
    }
}

/// Probability threshold with the highest expected F-score, in which units are weighted by words.
fn best_threshold(scores: &[f32], words: &[f32]) -> f32 {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&one, &other| scores[other].total_cmp(&scores[one]));
    let expected: f32 = scores.iter().zip(words).map(|(probability, words)| probability * words).sum();
    let (mut right, mut taken, mut best, mut best_threshold) = (0.0, 0.0, -1.0, THRESHOLD_RANGE.1);
    for unit in order {
        right += scores[unit] * words[unit];
        taken += words[unit];
        let score = 2.0 * right / (taken + expected + 1e-9);
        if score > best {
            best = score;
            best_threshold = scores[unit];
        }
    }
    best_threshold.clamp(THRESHOLD_RANGE.0, THRESHOLD_RANGE.1) - 1e-6
}

#[expect(clippy::cast_possible_truncation, reason = "features are compared, not counted with")]
fn narrow(value: f64) -> f32 {
    value as f32
}

#[expect(clippy::cast_precision_loss, reason = "a count of units")]
fn narrow_count(count: usize) -> f32 {
    count as f32
}
