//! The same picture in several formats, and damaged files.

use super::samples::has_bounded_frames;
use super::*;

const BASELINE: &[u8] = include_bytes!("../../tests/pictures/baseline.jpg");
const PROGRESSIVE: &[u8] = include_bytes!("../../tests/pictures/progressive.jpg");
const GREY: &[u8] = include_bytes!("../../tests/pictures/grey.jpg");
const INTERLACED_PNG: &[u8] = include_bytes!("../../tests/pictures/interlaced.png");
const PALETTE: &[u8] = include_bytes!("../../tests/pictures/palette.png");
const INTERLACED_GIF: &[u8] = include_bytes!("../../tests/pictures/interlaced.gif");

const CMYK: &[u8] = include_bytes!("../../tests/pictures/cmyk.jpg");
const GREY16: &[u8] = include_bytes!("../../tests/pictures/grey16.png");
const LOSSY_WEBP: &[u8] = include_bytes!("../../tests/pictures/lossy.webp");
const EXACT_WEBP: &[u8] = include_bytes!("../../tests/pictures/lossless.webp");
/// Animation whose second frame differs from the first.
const ANIMATED: &[u8] = include_bytes!("../../tests/pictures/animated.webp");

const ALL: [&[u8]; 11] = [
    BASELINE, PROGRESSIVE, GREY, CMYK, INTERLACED_PNG, PALETTE, GREY16, INTERLACED_GIF, LOSSY_WEBP,
    EXACT_WEBP, ANIMATED,
];

#[test]
fn formats_of_one_picture_have_nearly_the_same_grey_levels() {
    let expected = decode(INTERLACED_PNG).unwrap().means(9, 8);
    assert!(
        expected.iter().any(|mean| *mean < 40) && expected.iter().any(|mean| *mean > 180),
        "{expected:?}"
    );
    for (at, bytes) in ALL.into_iter().enumerate() {
        let raster = decode(bytes).unwrap();
        assert_eq!((raster.width, raster.height), (90, 70), "{at}");
        let means = raster.means(9, 8);
        let furthest = means.iter().zip(&expected).map(|(mean, other)| mean.abs_diff(*other)).max();
        assert!(furthest.is_some_and(|furthest| furthest < 12), "{at}: {furthest:?}");
    }
}

#[test]
fn truncated_picture_is_rejected() {
    // Animations are omitted, because only their first frame is decoded.
    for (at, bytes) in ALL.into_iter().filter(|bytes| *bytes != ANIMATED).enumerate() {
        for end in (32..bytes.len() * 3 / 4).step_by(13) {
            assert!(decode(&bytes[..end]).is_err(), "{at}: {end}");
        }
    }
    assert_eq!(decode(&INTERLACED_PNG[..2_000]).err(), Some(RasterError::Damaged));
    assert_eq!(decode(&ANIMATED[..700]).err(), Some(RasterError::Damaged));
}

#[test]
fn changed_bytes_do_not_cause_a_panic() {
    for bytes in ALL {
        for at in (0..bytes.len()).step_by(13) {
            for value in [0x00, 0x7f, 0xff] {
                let mut changed = bytes.to_vec();
                changed[at] = value;
                let _ = decode(&changed);
            }
        }
    }
}

#[test]
fn avif_svg_and_empty_files_are_unsupported() {
    let avif = b"\0\0\0\x1cftypavif\0\0\0\0....ispe\0\0\0\0\0\0\0\x40\0\0\0\x30";
    for bytes in [&avif[..], b"<svg/>", b""] {
        assert_eq!(decode(bytes).err(), Some(RasterError::Unsupported));
    }
}

#[test]
fn picture_with_too_many_pixels_is_not_decoded() {
    let mut png = INTERLACED_PNG.to_vec();
    png[16..24].copy_from_slice(&[0, 0, 0x40, 0, 0, 0, 0x40, 0]);
    // 8192 × 4096 pixels.
    let jpeg = b"\xff\xd8\xff\xc0\0\x11\x08\x10\0\x20\0\x03";
    let webp = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\xff\x1f\0\xff\x0f\0";
    for bytes in [&png[..], jpeg, webp] {
        assert_eq!(decode(bytes).err(), Some(RasterError::TooLarge));
    }
}

#[test]
fn lossy_frame_larger_than_its_picture_is_rejected() {
    let info = picture::identify(LOSSY_WEBP).unwrap();
    assert!(has_bounded_frames(LOSSY_WEBP, info));
    let mut larger =
        [b"RIFF\0\x08\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x59\0\0\x45\0\0", &LOSSY_WEBP[12..]].concat();
    assert!(decode(&larger).is_ok());
    // Width in the frame header, which follows the 30 bytes of the file header.
    larger[45] = 0x3f;
    assert!(!has_bounded_frames(&larger, info));
    assert_eq!(decode(&larger).err(), Some(RasterError::Damaged));
}

#[test]
fn transparent_pixels_are_white() {
    assert_eq!([&[7][..], &[7, 0], &[0, 0, 0, 0], &[9, 9, 9, 255]].map(grey_level), [7, 255, 255, 9]);
}

#[test]
fn pixel_in_two_cells_contributes_to_each_in_proportion() {
    let raster = Raster { width: 3, height: 1, grey: vec![0, 90, 180] };
    assert_eq!(raster.means(2, 1), [30, 150]);
    assert_eq!(raster.means(6, 2), [0, 0, 90, 90, 180, 180].repeat(2));
}
