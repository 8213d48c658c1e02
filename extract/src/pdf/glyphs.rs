//! Collects the glyphs of a page, with their positions and marked content.

use std::{collections::HashMap, ops::Range};

use pdf_extract::{ColorSpace, MediaBox, OutputDev, OutputError, Path, PathOp, Transform};
use unicode_normalization::UnicodeNormalization;

use super::{
    bidi,
    marked_content::{self, States},
};

/// Character that represents a dot that is painted as a shape. Many programs paint bullets in this way.
pub(super) const DOT: char = '\u{e002}';
/// Range of the diameter of such a dot, in points.
const DOTS: std::ops::Range<f64> = 1.0..8.0;
/// Text size assigned to a dot, as a multiple of its diameter.
const DOT_SIZE: f64 = 3.1;
/// Distance from the centre of a dot down to its base line, as a multiple of its diameter.
const DOT_RISE: f64 = 1.1;
/// Maximum number of drawing operations in the outline of a dot.
const MAX_DOT_STEPS: usize = 40;

/// Rendered character. Distances are in points. `y` is the base line and grows downwards.
#[derive(Debug, Clone, Copy)]
pub(super) struct Glyph {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) width: f32,
    pub(super) size: f32,
    pub(super) character: char,
    pub(super) mono: bool,
    pub(super) bold: bool,
}

/// Content of a page, in the order in which it is rendered.
#[derive(Default)]
pub(super) struct PageGlyphs {
    pub(super) height: f64,
    pub(super) glyphs: Vec<Glyph>,
    /// Ranges of `glyphs`, by the id of their marked content.
    pub(super) contents: HashMap<i64, Vec<Range<usize>>>,
    /// True if the page has more glyphs than the limit. Further glyphs are missing.
    pub(super) full: bool,
}

/// Collects glyphs and their positions as they are rendered.
pub(super) struct GlyphCollector {
    page: PageGlyphs,
    states: States,
    state: usize,
    limit: usize,
    lowest: f64,
}

impl GlyphCollector {
    pub(super) fn new(states: States, limit: usize) -> Self {
        Self { page: PageGlyphs::default(), states, state: 0, limit, lowest: 0.0 }
    }

    pub(super) fn finish(self) -> PageGlyphs {
        self.page
    }

    fn push(&mut self, glyph: Glyph) {
        if self.page.glyphs.len() >= self.limit {
            self.page.full = true;
            return;
        }
        let at = self.page.glyphs.len();
        if let Some(content) = self.states.get(self.state).and_then(|state| state.content) {
            let ranges = self.page.contents.entry(content).or_default();
            match ranges.last_mut() {
                Some(last) if last.end == at => last.end = at + 1,
                _ => ranges.push(at..at + 1),
            }
        }
        self.page.glyphs.push(glyph);
    }

    /// Collects a shape as a dot, if it is small and as wide as it is high.
    #[expect(clippy::cast_possible_truncation, reason = "positions on a page")]
    fn dot(&mut self, matrix: &Transform, path: &Path) {
        let mut bounds = [f64::MAX, f64::MAX, f64::MIN, f64::MIN];
        let mut add = |x: f64, y: f64| {
            let at =
                (matrix.m11 * x + matrix.m21 * y + matrix.m31, matrix.m12 * x + matrix.m22 * y + matrix.m32);
            bounds = [bounds[0].min(at.0), bounds[1].min(at.1), bounds[2].max(at.0), bounds[3].max(at.1)];
        };
        for operation in path.ops.iter().take(MAX_DOT_STEPS) {
            match *operation {
                PathOp::MoveTo(x, y) | PathOp::LineTo(x, y) | PathOp::CurveTo(_, _, _, _, x, y) => add(x, y),
                PathOp::Rect(x, y, width, height) => {
                    add(x, y);
                    add(x + width, y + height);
                }
                PathOp::Close => {}
            }
        }
        let (width, height) = (bounds[2] - bounds[0], bounds[3] - bounds[1]);
        let round = DOTS.contains(&width) && (width - height).abs() < width * 0.2;
        if round && path.ops.len() < MAX_DOT_STEPS && bounds[0].is_finite() && bounds[1].is_finite() {
            let middle = f64::midpoint(bounds[1], bounds[3]);
            self.push(Glyph {
                x: bounds[0] as f32,
                y: (self.page.height + self.lowest - middle + width * DOT_RISE) as f32,
                width: width as f32,
                size: (width * DOT_SIZE) as f32,
                character: DOT,
                mono: false,
                bold: false,
            });
        }
    }

    /// Replacement text of a glyph, or else its own text. If several glyphs share a replacement text, only
    /// the first glyph gets it.
    fn text(&mut self, raw: &str) -> String {
        match self.states.get_mut(self.state).map(|state| &mut state.actual) {
            Some(Some(actual)) => std::mem::take(&mut actual.text),
            _ => raw.chars().take(8).collect(),
        }
    }
}

impl OutputDev for GlyphCollector {
    fn begin_page(
        &mut self,
        _: u32,
        media_box: &MediaBox,
        _: Option<(f64, f64, f64, f64)>,
    ) -> Result<(), OutputError> {
        self.page.height = media_box.ury - media_box.lly;
        self.lowest = media_box.lly;
        Ok(())
    }

    fn end_page(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "positions on a page are finite and need no more precision"
    )]
    fn output_character(
        &mut self,
        matrix: &Transform,
        width: f64,
        _spacing: f64,
        font_size: f64,
        text: &str,
    ) -> Result<(), OutputError> {
        let scale = (matrix.m11 * matrix.m22 - matrix.m12 * matrix.m21).abs().sqrt();
        let size = font_size.abs() * scale;
        // Vertical text is usually a watermark or the label of a figure.
        let upright = matrix.m12.abs() < matrix.m11.abs() * 0.2;
        if !upright || !(0.5..10_000.0).contains(&size) || !matrix.m31.is_finite() || !matrix.m32.is_finite()
        {
            return Ok(());
        }
        let text = plain(&self.text(text));
        let count = text.chars().count().max(1) as f64;
        let (mono, bold) =
            self.states.get(self.state).map_or((false, false), |state| (state.mono, state.bold));
        let width = width.clamp(0.0, 4.0) * size / count;
        let mut characters: Vec<char> = text.chars().collect();
        // In a right-to-left script, the first character of a ligature is on its right side.
        if characters.first().is_some_and(|&character| bidi::is_rtl(character)) {
            characters.reverse();
        }
        for (index, character) in characters.into_iter().enumerate() {
            self.push(Glyph {
                x: (matrix.m31 + index as f64 * width) as f32,
                y: (self.page.height + self.lowest - matrix.m32) as f32,
                width: width as f32,
                size: size as f32,
                character,
                mono,
                bold,
            });
        }
        Ok(())
    }

    fn begin_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn fill(
        &mut self,
        matrix: &Transform,
        _: &ColorSpace,
        _: &[f64],
        path: &Path,
    ) -> Result<(), OutputError> {
        if let Some(state) = marked_content::state_of(path).filter(|&state| state < self.states.len()) {
            self.state = state;
        } else {
            self.dot(matrix, path);
        }
        Ok(())
    }

    fn stroke(
        &mut self,
        matrix: &Transform,
        _: &ColorSpace,
        _: &[f64],
        path: &Path,
    ) -> Result<(), OutputError> {
        self.dot(matrix, path);
        Ok(())
    }
}

/// Replaces ligatures and presentation forms by single letters, and drops invisible characters.
fn plain(raw: &str) -> String {
    let mut text = String::new();
    for c in raw.chars() {
        match c {
            '\u{fb00}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' => text.extend(std::iter::once(c).nfkc()),
            '\u{ad}' | '\u{200b}' | '\u{feff}' | '\u{e000}'..='\u{e002}' => {}
            c if c.is_control() => {}
            c => text.push(c),
        }
    }
    text
}
