//! Removes running heads, running feet and page numbers.

use std::collections::HashMap;

use super::lines::GlyphLine;

/// Maximum difference between the heights of a running line on different pages, as a share of the page
/// height.
const MAX_DEVIATION: f32 = 0.02;
/// Height of the top and bottom margins that are searched for running lines, as a share of the page height.
const EDGE: f32 = 0.1;

/// Drops lines in the margins that are equal on many pages, except for their digits. If a running head
/// repeats a title, the title is retained, because it is larger or at another height.
pub(super) fn drop(lines: &mut Vec<GlyphLine>, pages: usize) {
    let edge = |line: &GlyphLine| line.height < EDGE || line.height > 1.0 - EDGE;
    let form = |line: &GlyphLine| line.text.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    let mut seen: HashMap<String, Vec<(f32, f32)>> = HashMap::new();
    for line in lines.iter().filter(|line| edge(line)) {
        seen.entry(form(line)).or_default().push((line.size, line.height));
    }
    let running: HashMap<String, (f32, f32)> = seen
        .into_iter()
        .filter(|(_, positions)| pages >= 2 && positions.len() >= 2 && positions.len() * 3 >= pages)
        .map(|(form, positions)| {
            let (sizes, heights) = positions.into_iter().unzip();
            (form, (middle(sizes), middle(heights)))
        })
        .collect();
    lines.retain(|line| {
        let number = line.text.chars().all(|c| c.is_ascii_digit() || matches!(c, ' ' | '-' | '–' | '/'));
        let repeated = running.get(&form(line)).is_some_and(|&(size, height)| {
            line.size <= size * 1.2 && (line.height - height).abs() <= MAX_DEVIATION
        });
        !(edge(line) && (number || repeated))
    });
}

fn middle(mut values: Vec<f32>) -> f32 {
    values.sort_by(f32::total_cmp);
    values.get((values.len().saturating_sub(1)) / 2).copied().unwrap_or_default()
}
