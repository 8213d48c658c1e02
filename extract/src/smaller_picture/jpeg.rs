//! Writes JPEG pictures with quarter-size colour (4:2:0), like most pictures on the web.

use jpeg_encoder::{ColorType, Encoder, SamplingFactor};

use super::exif::Orientation;
use super::scale::Pixels;

/// Quality on the scale of libjpeg, from 1 to 100.
const QUALITY: u8 = 80;
/// Number of the application segment that contains Exif metadata.
const EXIF_SEGMENT: u8 = 1;

/// Encodes an opaque picture. `None` if its size or its profile is too large for the format.
pub(super) fn encode(pixels: &Pixels, orientation: Orientation, profile: Option<&[u8]>) -> Option<Vec<u8>> {
    let (width, height) = (u16::try_from(pixels.width).ok()?, u16::try_from(pixels.height).ok()?);
    let mut out = Vec::new();
    let mut encoder = Encoder::new(&mut out, QUALITY);
    encoder.set_sampling_factor(SamplingFactor::F_2_2);
    if orientation != Orientation::NORMAL {
        encoder.add_app_segment(EXIF_SEGMENT, orientation.segment()).ok()?;
    }
    if let Some(profile) = profile {
        encoder.add_icc_profile(profile).ok()?;
    }
    encoder.encode(pixels.rgba.as_flattened(), width, height, ColorType::Rgba).ok()?;
    Some(out)
}
