//! Watches the appearance of a picture with a perceptual hash of 64 bits (dHash). Each bit is 1 if a cell of
//! a grid is darker than the next cell. The hashes of similar pictures differ in few bits, even if the files
//! differ.

use super::{
    comparison::Comparison,
    observation::{Observation, ObserveError},
    pair::percent,
    snapshot::{ExtractedItem, FieldValue, Snapshot},
    target::IMAGE_FIELD,
};
use crate::{charset, raster, raster::RasterError};

/// Minimum number of differing bits in the hashes of two pictures for the pictures to be treated as different.
pub const PICTURE_BITS: u32 = 8;
/// Columns and rows of the grid. The last cell of a row has no next cell, so a row has 8 bits.
const COLUMNS: usize = 9;
const ROWS: usize = 8;
/// Number of grey levels by which a cell must exceed another cell to be treated as brighter. Smaller
/// differences are noise.
const MIN_RISE: u64 = 2;

/// Reads the hash of a picture.
pub(super) fn read(bytes: &[u8], content_type: Option<&str>) -> Result<Observation, ObserveError> {
    let raster = raster::decode(bytes).map_err(|error| match error {
        RasterError::TooLarge => {
            ObserveError::TooComplex { reason: "the picture has too many pixels".to_owned() }
        }
        RasterError::Unsupported | RasterError::Damaged => {
            ObserveError::Unsupported { mime: content_type.map(charset::essence).unwrap_or_default() }
        }
    })?;
    let means = raster.means(COLUMNS, ROWS);
    let rises = means.chunks_exact(COLUMNS).flat_map(|row| row.windows(2));
    let hash = rises.fold(0_u64, |hash, pair| (hash << 1) | u64::from(pair[1] > pair[0] + MIN_RISE));
    let field = FieldValue { name: IMAGE_FIELD.to_owned(), value: Some(format!("{hash:016x}")) };
    let item = ExtractedItem { key: String::new(), title: String::new(), link: None, fields: vec![field] };
    Ok(Observation::of(Snapshot::Items(vec![item])))
}

/// Compares two pictures by their hashes, and adds the percentage of differing bits to `comparison`. Empty if
/// fewer than `least_bits` bits differ.
pub(super) fn with_picture_share(
    comparison: Comparison,
    (before, after): (&[ExtractedItem], &[ExtractedItem]),
    least_bits: u32,
) -> Comparison {
    let (Some(old), Some(new)) = (hash_of(before), hash_of(after)) else { return comparison };
    let bits = (old ^ new).count_ones();
    if bits < least_bits {
        return Comparison::default();
    }
    let mut comparison = comparison;
    comparison.share_percent = percent(usize::try_from(bits).unwrap_or(0), 64);
    for operation in &mut comparison.operations {
        operation.difference = None;
        if let Some(after) = &mut operation.after {
            after.push_str(&format!(" ({bits} of 64 bits differ)"));
        }
    }
    comparison
}

fn hash_of(items: &[ExtractedItem]) -> Option<u64> {
    let value = items.first()?.fields.first()?.value.as_deref()?;
    u64::from_str_radix(value, 16).ok()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::watch::{Rules, compare, render};

    const BASELINE: &[u8] = include_bytes!("../../tests/pictures/baseline.jpg");
    const OTHER: &[u8] = include_bytes!("../../tests/pictures/other.jpg");

    fn compared(before: &[u8], after: &[u8], least_bits: u32) -> Comparison {
        let snapshot = |bytes: &[u8]| read(bytes, None).unwrap().snapshot;
        let rules = Rules { picture_bits: Some(least_bits), ..Rules::default() };
        compare(&snapshot(before), &snapshot(after), &rules, Instant::now() + Duration::from_secs(20))
    }

    #[test]
    fn same_picture_in_another_format_is_unchanged() {
        for other in [
            &include_bytes!("../../tests/pictures/progressive.jpg")[..],
            include_bytes!("../../tests/pictures/grey.jpg"),
            include_bytes!("../../tests/pictures/interlaced.png"),
            include_bytes!("../../tests/pictures/palette.png"),
            include_bytes!("../../tests/pictures/interlaced.gif"),
            include_bytes!("../../tests/pictures/lossy.webp"),
            include_bytes!("../../tests/pictures/animated.webp"),
        ] {
            assert!(compared(BASELINE, other, PICTURE_BITS).is_empty());
        }
        assert!(compared(BASELINE, BASELINE, 1).is_empty());
    }

    #[test]
    fn different_picture_is_reported_with_its_share_of_bits() {
        let comparison = compared(BASELINE, OTHER, PICTURE_BITS);
        assert!((15.0..50.0).contains(&comparison.share_percent), "{}", comparison.share_percent);
        let summary = render::summary(&comparison);
        assert!(
            summary.starts_with("Picture changed from “") && summary.ends_with("of 64 bits differ)”"),
            "{summary}"
        );
        assert!(compared(BASELINE, OTHER, 40).is_empty());
    }

    #[test]
    fn html_and_damaged_picture_are_unsupported() {
        for bytes in [&b"<html><body>Busy</body></html>"[..], &BASELINE[..BASELINE.len() / 2]] {
            let mime = "text/html".to_owned();
            assert_eq!(
                read(bytes, Some("text/html; charset=utf-8")),
                Err(ObserveError::Unsupported { mime })
            );
        }
    }
}
