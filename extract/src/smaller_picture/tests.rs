//! Smaller versions of pictures of each format, decoded again, and pictures without a smaller version.

use super::*;
use crate::raster;

const BASELINE: &[u8] = include_bytes!("../../tests/pictures/baseline.jpg");
const PROGRESSIVE: &[u8] = include_bytes!("../../tests/pictures/progressive.jpg");
const GREY: &[u8] = include_bytes!("../../tests/pictures/grey.jpg");
const CMYK: &[u8] = include_bytes!("../../tests/pictures/cmyk.jpg");
const INTERLACED_PNG: &[u8] = include_bytes!("../../tests/pictures/interlaced.png");
const PALETTE: &[u8] = include_bytes!("../../tests/pictures/palette.png");
const GREY16: &[u8] = include_bytes!("../../tests/pictures/grey16.png");
const INTERLACED_GIF: &[u8] = include_bytes!("../../tests/pictures/interlaced.gif");
const LOSSY_WEBP: &[u8] = include_bytes!("../../tests/pictures/lossy.webp");
const EXACT_WEBP: &[u8] = include_bytes!("../../tests/pictures/lossless.webp");
const ANIMATED: &[u8] = include_bytes!("../../tests/pictures/animated.webp");

type Decode = fn(&[u8], PictureInfo) -> Option<Samples>;

/// Creates a PNG of 200 by 100 pixels with a noisy pattern. Its pixels have the given opacity.
fn pattern(alpha: u8, profile: Option<Vec<u8>>) -> Vec<u8> {
    let level = |value: usize| u8::try_from(value % 251).unwrap();
    let rgba = (0..20_000).map(|at| [level(at * 7), level(at * at), level(at / 3), alpha]).collect();
    png(&Pixels { width: 200, height: 100, rgba }, profile).unwrap()
}

/// Creates an ICC profile with a colour space.
fn profile_of(space: &[u8]) -> Vec<u8> {
    [[0; 16].as_slice(), space, &[7; 108]].concat()
}

#[test]
fn every_format_is_reduced_to_nearly_the_same_picture() {
    let expected = raster::decode(INTERLACED_PNG).unwrap().means(9, 7);
    let all = [BASELINE, PROGRESSIVE, GREY, INTERLACED_PNG, PALETTE, GREY16, LOSSY_WEBP, EXACT_WEBP];
    for (at, bytes) in all.into_iter().enumerate() {
        let smaller = reduced(bytes, 45).unwrap();
        let info = picture::identify(&smaller).unwrap();
        assert_eq!((info.media_type, info.width, info.height), ("image/jpeg", 45, 35), "{at}");
        let means = raster::decode(&smaller).unwrap().means(9, 7);
        let furthest = means.iter().zip(&expected).map(|(mean, other)| mean.abs_diff(*other)).max();
        assert!(furthest.is_some_and(|furthest| furthest < 14), "{at}: {furthest:?}");
    }
}

#[test]
fn colours_of_a_jpeg_are_preserved() {
    for colour in [[250, 10, 20], [5, 240, 30], [20, 30, 235], [128, 128, 128], [255, 255, 255], [0, 0, 0]] {
        let [red, green, blue] = colour;
        // 19 by 21 pixels are not a multiple of the unit of 16 by 16 pixels.
        let pixels = Pixels { width: 19, height: 21, rgba: vec![[red, green, blue, 255]; 19 * 21] };
        let bytes = jpeg::encode(&pixels, Orientation::NORMAL, None).unwrap();
        let decoded = samples::jpeg(&bytes, picture::identify(&bytes).unwrap()).unwrap();
        assert_eq!((decoded.channels, decoded.bytes.len()), (3, 3 * 19 * 21));
        for pixel in decoded.bytes.chunks_exact(3) {
            let distance = pixel.iter().zip(colour).map(|(level, other)| level.abs_diff(other)).max();
            assert!(distance <= Some(6), "{colour:?} became {pixel:?}");
        }
    }
}

#[test]
fn transparent_parts_are_preserved_in_a_png() {
    let smaller = reduced(&pattern(90, None), 50).unwrap();
    let info = picture::identify(&smaller).unwrap();
    assert_eq!((info.media_type, info.width, info.height), ("image/png", 50, 25));
    let decoded = samples::png(&smaller, info).unwrap();
    assert_eq!(decoded.channels, 4);
    assert!(decoded.bytes.chunks_exact(4).all(|pixel| pixel[3] == 90));
    let opaque = reduced(&pattern(255, None), 50).unwrap();
    assert_eq!(picture::identify(&opaque).map(|info| info.media_type), Ok("image/jpeg"));
}

#[test]
fn colour_profile_is_preserved_if_it_is_for_rgb() {
    let profile = profile_of(b"RGB ");
    for (alpha, decode) in [(255, samples::jpeg as Decode), (90, samples::png as Decode)] {
        let smaller = reduced(&pattern(alpha, Some(profile.clone())), 50).unwrap();
        let decoded = decode(&smaller, picture::identify(&smaller).unwrap()).unwrap();
        assert_eq!(decoded.colour_profile.as_ref(), Some(&profile));
    }
    assert_eq!(reduced(&pattern(255, Some(profile_of(b"CMYK"))), 50), None);
    assert_eq!(reduced(&pattern(255, Some(vec![1, 2, 3])), 50), None);
}

#[test]
fn rotated_picture_has_the_maximum_width_when_displayed() {
    let turned = Orientation::of(b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0");
    let pixels = Pixels { width: 40, height: 80, rgba: vec![[9, 90, 200, 255]; 40 * 80] };
    let bytes = jpeg::encode(&pixels, turned, None).unwrap();
    let smaller = reduced(&bytes, 60).unwrap();
    let info = picture::identify(&smaller).unwrap();
    assert_eq!((info.width, info.height), (30, 60));
    let exif = samples::jpeg(&smaller, info).unwrap().exif.unwrap();
    assert_eq!(Orientation::of(&exif), turned);
    assert_eq!(reduced(&bytes, 80), None);
}

#[test]
fn picture_without_a_smaller_version_is_refused() {
    for bytes in [CMYK, INTERLACED_GIF, ANIMATED, b"<svg/>", b"", &BASELINE[..BASELINE.len() / 2]] {
        assert_eq!(reduced(bytes, 45), None);
    }
    assert!(reduced(BASELINE, 89).is_some());
    for max_width in [0, 90, 480] {
        assert_eq!(reduced(BASELINE, max_width), None, "{max_width}");
    }
    let mut many = INTERLACED_PNG.to_vec();
    many[16..24].copy_from_slice(&[0, 0, 0x17, 0, 0, 0, 0x17, 0]);
    assert_eq!(reduced(&many, 45), None, "5888 × 5888 pixels");
}

#[test]
fn smaller_version_with_almost_as_many_bytes_is_refused() {
    let input = |max_width| PictureInput { bytes: BASELINE.to_vec(), url: String::new(), max_width };
    assert_eq!(create(&input(89)), None);
    let smaller = create(&input(30)).unwrap().bytes().unwrap();
    assert!(smaller.len() * 100 <= BASELINE.len() * MAX_SIZE_PERCENT, "{}", smaller.len());
    assert_eq!(picture::identify(&smaller).map(|info| info.width), Ok(30));
}

#[test]
fn changed_bytes_do_not_cause_a_panic() {
    for bytes in [BASELINE, INTERLACED_PNG, EXACT_WEBP] {
        for at in (0..bytes.len()).step_by(37) {
            let mut changed = bytes.to_vec();
            changed[at] ^= 0xff;
            let _ = reduced(&changed, 45);
        }
    }
}

#[test]
fn only_wide_pictures_of_three_types_may_have_a_smaller_version() {
    for media_type in ["image/jpeg", "image/png", "image/webp"] {
        assert!(may_be_smaller(media_type, 481, 480) && !may_be_smaller(media_type, 480, 480));
    }
    for media_type in ["image/gif", "image/avif", "image/x-icon"] {
        assert!(!may_be_smaller(media_type, 4_000, 480));
    }
}
