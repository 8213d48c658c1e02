//! Watches the appearance of a page. A screenshot is reduced to square cells with their brightness, so that
//! two screenshots can be compared without their files. Differences of single pixels, which are invisible to
//! the eye, are not changes. The share of changed pixels is the share of changed cells.

use super::{
    comparison::{Comparison, whole_change},
    observation::{Observation, ObserveError},
    operation::{Kind, Op, Operation},
    pair::percent,
    snapshot::{ExtractedItem, FieldValue, Snapshot},
    target::IMAGE_FIELD,
};
use crate::{raster, raster::RasterError};

/// Share of the pixels, in hundredths of a percent, below which a change is invisible.
pub const VISIBLE_SHARE: u32 = 10;
/// Width and height of a cell, in pixels.
const CELL: usize = 4;
/// Brightness of a cell in 64 steps, one character for each.
const STEPS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/// Minimum difference in brightness of a changed cell, in steps.
const MIN_STEPS: u8 = 2;

/// Screenshot as cells.
#[derive(Debug, PartialEq, Eq)]
struct ScreenshotCells {
    /// Size in pixels: `1280x900`.
    size: String,
    columns: usize,
    /// Brightness in steps, row by row.
    steps: Vec<u8>,
}

/// Reads the cells of a screenshot in PNG.
pub(super) fn read(bytes: &[u8]) -> Result<Observation, ObserveError> {
    let unsupported = || ObserveError::Unsupported { mime: "image/png".to_owned() };
    let raster = raster::decode(bytes).map_err(|error| match error {
        RasterError::TooLarge => {
            ObserveError::TooComplex { reason: "the screenshot has too many pixels".to_owned() }
        }
        RasterError::Unsupported | RasterError::Damaged => unsupported(),
    })?;
    let (width, height) = raster.size();
    let levels = raster.cells(CELL);
    if levels.is_empty() {
        return Err(unsupported());
    }
    let steps: String = levels.iter().map(|level| char::from(STEPS[usize::from(level / 4)])).collect();
    let value = Some(format!("{width}x{height} {steps}"));
    let field = FieldValue { name: IMAGE_FIELD.to_owned(), value };
    let item = ExtractedItem { key: String::new(), title: String::new(), link: None, fields: vec![field] };
    Ok(Observation::of(Snapshot::Items(vec![item])))
}

/// Compares two screenshots. The comparison is empty if the share of changed pixels is below `min_share`, in
/// hundredths of a percent.
pub(super) fn compare(before: &[ExtractedItem], after: &[ExtractedItem], min_share: u32) -> Comparison {
    let (Some(old), Some(new)) = (ScreenshotCells::of(before), ScreenshotCells::of(after)) else {
        return whole_change(before.len(), after.len());
    };
    let share_percent = old.changed_share(&new);
    if share_percent == 0.0 || share_percent * 100.0 < f64::from(min_share) {
        return Comparison::default();
    }
    let mut operation = Operation::new(Op::Changed, Kind::Field, 1);
    operation.field = Some(IMAGE_FIELD.to_owned());
    operation.before = Some(format!("{} pixels", old.size));
    operation.after = Some(format!("{} pixels, {share_percent} % of them changed", new.size));
    Comparison { operations: vec![operation], modified: 1, share_percent, ..Comparison::default() }
}

/// Size of a screenshot in pixels from the value of its field: `1280x900`.
pub fn screenshot_size(value: &str) -> &str {
    value.split(' ').next().unwrap_or_default()
}

impl ScreenshotCells {
    fn of(items: &[ExtractedItem]) -> Option<Self> {
        let value = items.first()?.fields.first()?.value.as_deref()?;
        let (size, text) = value.split_once(' ')?;
        let width: usize = size.split_once('x')?.0.parse().ok()?;
        let step = |character: u8| STEPS.iter().position(|known| *known == character);
        let steps: Option<Vec<u8>> = text.bytes().map(|byte| u8::try_from(step(byte)?).ok()).collect();
        let columns = width / CELL;
        (columns > 0).then_some(Self { size: size.to_owned(), columns, steps: steps? })
    }

    fn rows(&self) -> usize {
        self.steps.len() / self.columns
    }

    /// Share of the cells that differ, in percent of the larger area.
    fn changed_share(&self, other: &Self) -> f64 {
        let columns = self.columns.min(other.columns);
        let mut same = 0;
        for (one, two) in self.steps.chunks(self.columns).zip(other.steps.chunks(other.columns)) {
            let pairs = one.iter().zip(two).take(columns);
            same += pairs.filter(|(one, two)| one.abs_diff(**two) < MIN_STEPS).count();
        }
        let total = self.columns.max(other.columns) * self.rows().max(other.rows());
        percent(total.saturating_sub(same), total)
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::watch::{Rules, compare as compare_snapshots, render};

    /// Screenshot in PNG whose pixels are grey levels.
    fn screenshot(width: u32, height: u32, level: impl Fn(u32, u32) -> u8) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Grayscale);
        let mut writer = encoder.write_header().unwrap();
        let pixels: Vec<u8> =
            (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| level(x, y)).collect();
        writer.write_image_data(&pixels).unwrap();
        writer.finish().unwrap();
        bytes
    }

    fn compared(before: &[u8], after: &[u8], min_share: u32) -> Comparison {
        let snapshot = |bytes: &[u8]| read(bytes).unwrap().snapshot;
        let rules = Rules { visible_share: Some(min_share), ..Rules::default() };
        compare_snapshots(
            &snapshot(before),
            &snapshot(after),
            &rules,
            Instant::now() + Duration::from_secs(20),
        )
    }

    /// White page with a dark square of `side` pixels at the upper left corner.
    fn page(side: u32) -> Vec<u8> {
        screenshot(80, 100, |x, y| if x < side && y < side { 20 } else { 250 })
    }

    #[test]
    fn share_of_changed_pixels_is_computed_from_changed_cells() {
        let comparison = compared(&page(0), &page(20), VISIBLE_SHARE);
        assert!((comparison.share_percent - 5.0).abs() < 0.01, "{}", comparison.share_percent);
        let operation = &comparison.operations[0];
        assert_eq!(operation.before.as_deref(), Some("80x100 pixels"));
        assert_eq!(operation.after.as_deref(), Some("80x100 pixels, 5 % of them changed"));
        assert!(render::summary(&comparison).contains("5 % of them changed"));
        assert!(compared(&page(0), &page(20), 501).is_empty(), "a smaller share is below the threshold");
    }

    #[test]
    fn screenshots_with_faint_or_no_differences_are_unchanged() {
        let faint = screenshot(80, 100, |_, _| 247);
        assert!(compared(&page(0), &faint, 0).is_empty());
        assert!(compared(&page(20), &page(20), 0).is_empty());
    }

    #[test]
    fn additional_part_of_a_longer_page_counts_as_changed() {
        let long = screenshot(80, 125, |_, _| 250);
        let comparison = compared(&page(0), &long, VISIBLE_SHARE);
        assert!((19.0..21.0).contains(&comparison.share_percent), "{}", comparison.share_percent);
        let shorter = compared(&long, &page(0), VISIBLE_SHARE);
        assert!((shorter.share_percent - comparison.share_percent).abs() < 0.01);
    }

    #[test]
    fn screenshots_that_are_html_damaged_or_tiny_are_unsupported() {
        let damaged = &page(20)[..60];
        for bytes in [&b"<html></html>"[..], damaged, &screenshot(3, 3, |_, _| 0)] {
            assert!(matches!(read(bytes), Err(ObserveError::Unsupported { .. })));
        }
    }
}
