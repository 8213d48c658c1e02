//! Small SVG chart of the last hour, one value per minute, with a text alternative.

use std::fmt::Write;

use maud::{Markup, html};

use crate::language::text::Text;

const WIDTH: f64 = 112.0;
const HEIGHT: f64 = 26.0;
/// Margin above and below the curve, in pixels, for half of the curve's line width.
const MARGIN: f64 = 2.0;

/// Renders a chart of the completed jobs of a kind per minute, oldest first. `name` is the name of the kind.
pub(super) fn spark(name: &str, values: &[u64]) -> Markup {
    let most = values.iter().copied().max().unwrap_or(0);
    let (first, last) = (values.first().copied().unwrap_or(0), values.last().copied().unwrap_or(0));
    let label =
        Text("admin-spark").with("name", name).with("first", first).with("last", last).with("most", most);
    html! {
        svg.spark viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) preserveAspectRatio="none" role="img" aria-label=(label) {
            path.curve vector-effect="non-scaling-stroke" d=(path(values, most)) {}
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a point of a drawing")]
fn path(values: &[u64], most: u64) -> String {
    let step = WIDTH / values.len().saturating_sub(1).max(1) as f64;
    let scale = (HEIGHT - 2.0 * MARGIN) / most.max(1) as f64;
    let mut path = String::new();
    for (index, value) in values.iter().enumerate() {
        let (x, y) = (step * index as f64, HEIGHT - MARGIN - scale * *value as f64);
        let command = if index == 0 { 'M' } else { 'L' };
        // Writing to a string cannot fail.
        let _ = write!(path, "{command}{x:.1} {y:.1}");
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curve_spans_the_chart_and_has_a_text_alternative() {
        assert_eq!(path(&[0, 4, 2], 4), "M0.0 24.0L56.0 2.0L112.0 13.0");
        assert_eq!(path(&[0, 0], 0), "M0.0 24.0L112.0 24.0");
        assert_eq!(path(&[], 0), "");
        let markup = spark("Send mail", &[3, 1, 2]).into_string();
        assert!(
            markup.contains("Send mail, completed over the last hour: from 3 to 2 per minute, at most 3"),
            "{markup}"
        );
    }
}
