//! Smaller versions of pictures, for small screens. JPEG, PNG and WebP pictures are decoded, reduced, and encoded as
//! JPEG, or as PNG if they have transparent parts. Colour profile and orientation are preserved. A picture has no
//! smaller version if it is animated, narrow, too large, or damaged, if its colours would change, or if the smaller
//! version would have almost as many bytes.

mod exif;
mod jpeg;
mod scale;

use std::borrow::Cow;

use data_encoding::BASE64;
use serde::{Deserialize, Serialize};

use self::exif::Orientation;
use self::scale::Pixels;
use crate::picture::{self, PictureInfo};
use crate::raster::samples::{self, MAX_COLOUR_PIXELS, Samples};

/// Maximum size of a smaller version, in percent of the bytes of the picture.
const MAX_SIZE_PERCENT: usize = 85;
/// Maximum size of a colour profile, in bytes. It fits into one segment of a JPEG.
const MAX_PROFILE_BYTES: usize = 64_000;

/// Original picture, from which a smaller version is created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictureInput {
    pub bytes: Vec<u8>,
    /// URL of the picture. The processes are shared fairly among sites.
    pub url: String,
    /// Maximum width of the displayed picture, in pixels.
    pub max_width: u32,
}

/// Smaller version of a picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SmallerPicture {
    /// Bytes of a JPEG or PNG in base64.
    content: String,
}

impl SmallerPicture {
    /// Bytes of the picture. `None` if the child did not send valid base64.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        BASE64.decode(self.content.as_bytes()).ok()
    }
}

/// True if a picture of this type and size may have a smaller version.
pub fn may_be_smaller(media_type: &str, width: u32, max_width: u32) -> bool {
    matches!(media_type, "image/jpeg" | "image/png" | "image/webp") && width > max_width
}

/// Creates a smaller version of a picture. `None` if there is no smaller version.
pub(crate) fn create(input: &PictureInput) -> Option<SmallerPicture> {
    let smaller = reduced(&input.bytes, input.max_width)?;
    let is_smaller = smaller.len() <= input.bytes.len() * MAX_SIZE_PERCENT / 100;
    is_smaller.then(|| SmallerPicture { content: BASE64.encode(&smaller) })
}

fn reduced(bytes: &[u8], max_width: u32) -> Option<Vec<u8>> {
    let info = picture::identify(bytes).ok()?;
    if u64::from(info.width) * u64::from(info.height) > MAX_COLOUR_PIXELS {
        return None;
    }
    let decode: fn(&[u8], PictureInfo) -> Option<Samples> = match info.media_type {
        "image/jpeg" => samples::jpeg,
        "image/png" => samples::png,
        "image/webp" => samples::webp,
        _ => return None,
    };
    let samples = decode(bytes, info)?;
    if samples.is_animated || !samples.has_exact_colours {
        return None;
    }
    let profile = samples.colour_profile.clone();
    if profile.as_ref().is_some_and(|profile| !is_usable(profile)) {
        return None;
    }
    let orientation = samples.exif.as_deref().map_or(Orientation::NORMAL, Orientation::of);
    let (columns, rows) = smaller_size(info, orientation, max_width)?;
    let (width, height) = (usize::try_from(info.width).ok()?, usize::try_from(info.height).ok()?);
    let pixels = scale::reduce(&samples, (width, height), (columns, rows))?;
    // The samples are no longer needed, and the encoders need memory as well.
    drop(samples);
    if pixels.is_opaque() {
        return jpeg::encode(&pixels, orientation, profile.as_deref());
    }
    // The orientation of a PNG is not read by every browser.
    if orientation == Orientation::NORMAL { png(&pixels, profile) } else { None }
}

/// True if the profile is for RGB samples and not too long. The colour space is at a fixed position.
fn is_usable(profile: &[u8]) -> bool {
    profile.get(16..20) == Some(b"RGB ".as_slice()) && profile.len() <= MAX_PROFILE_BYTES
}

/// Stored width and height of the smaller version. `None` if the displayed picture is not wider than `max_width`.
fn smaller_size(info: PictureInfo, orientation: Orientation, max_width: u32) -> Option<(usize, usize)> {
    let displayed_width = if orientation.is_turned() { info.height } else { info.width };
    if max_width == 0 || displayed_width <= max_width {
        return None;
    }
    let side = |pixels: u32| {
        let product = u64::from(pixels) * u64::from(max_width) + u64::from(displayed_width) / 2;
        usize::try_from((product / u64::from(displayed_width)).max(1)).ok()
    };
    Some((side(info.width)?, side(info.height)?))
}

fn png(pixels: &Pixels, profile: Option<Vec<u8>>) -> Option<Vec<u8>> {
    let (width, height) = (u32::try_from(pixels.width).ok()?, u32::try_from(pixels.height).ok()?);
    let mut info = png::Info::with_size(width, height);
    info.color_type = png::ColorType::Rgba;
    info.icc_profile = profile.map(Cow::Owned);
    let mut out = Vec::new();
    let mut writer = png::Encoder::with_info(&mut out, info).ok()?.write_header().ok()?;
    writer.write_image_data(pixels.rgba.as_flattened()).ok()?;
    writer.finish().ok()?;
    Some(out)
}

#[cfg(test)]
mod tests;
