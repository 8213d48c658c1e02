//! One picture in several files, and damaged files.

use super::*;

const BASELINE: &[u8] = include_bytes!("../../tests/pictures/baseline.jpg");
const PROGRESSIVE: &[u8] = include_bytes!("../../tests/pictures/progressive.jpg");
const GREY: &[u8] = include_bytes!("../../tests/pictures/grey.jpg");
const INTERLACED_PNG: &[u8] = include_bytes!("../../tests/pictures/interlaced.png");
const PALETTE: &[u8] = include_bytes!("../../tests/pictures/palette.png");
const INTERLACED_GIF: &[u8] = include_bytes!("../../tests/pictures/interlaced.gif");

const ALL: [&[u8]; 6] = [BASELINE, PROGRESSIVE, GREY, INTERLACED_PNG, PALETTE, INTERLACED_GIF];

#[test]
fn formats_of_one_picture_have_nearly_the_same_grey_levels() {
    let expected = decode(INTERLACED_PNG).unwrap().means(9, 8);
    assert!(
        expected.iter().any(|mean| *mean < 40) && expected.iter().any(|mean| *mean > 180),
        "{expected:?}"
    );
    for bytes in ALL {
        let means = decode(bytes).unwrap().means(9, 8);
        let furthest = means.iter().zip(&expected).map(|(mean, other)| mean.abs_diff(*other)).max();
        assert!(furthest.is_some_and(|furthest| furthest < 60), "{furthest:?}");
    }
    let sides = |bytes: &[u8]| decode(bytes).map(|raster| (raster.width, raster.height)).unwrap();
    assert_eq!((sides(INTERLACED_GIF), sides(PALETTE), sides(BASELINE)), ((90, 70), (90, 70), (12, 9)));
}

#[test]
fn truncated_picture_is_damaged() {
    // Of a progressive picture only the first scan is read.
    for bytes in ALL.into_iter().filter(|bytes| *bytes != PROGRESSIVE) {
        for end in (24..bytes.len() / 2).step_by(7) {
            assert!(decode(&bytes[..end]).is_err(), "{end}");
        }
    }
    assert_eq!(decode(&INTERLACED_PNG[..2_000]).err(), Some(RasterError::Damaged));
}

#[test]
fn changed_bytes_do_not_panic() {
    for bytes in ALL {
        for at in (0..bytes.len()).step_by(7) {
            for value in [0x00, 0x7f, 0xff] {
                let mut changed = bytes.to_vec();
                changed[at] = value;
                let _ = decode(&changed);
            }
        }
    }
}

#[test]
fn other_formats_are_unsupported() {
    let webp = b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\x3f\xc0\x3b\0";
    for bytes in [&webp[..], b"<svg/>", b""] {
        assert_eq!(decode(bytes).err(), Some(RasterError::Unsupported));
    }
}

#[test]
fn means_weigh_the_pixels_of_two_cells() {
    let raster = Raster { width: 3, height: 1, grey: vec![0, 90, 180] };
    assert_eq!(raster.means(2, 1), [30, 150]);
    assert_eq!(raster.means(6, 2), [0, 0, 90, 90, 180, 180].repeat(2));
}
