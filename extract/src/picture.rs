//! Identifies a picture from its bytes. Supports the six formats that browsers display and that cannot run
//! scripts, and reads the dimensions. The media type that the server declares and all data after the header
//! are ignored.

/// Maximum number of pixels of a displayed picture. A browser needs four bytes per pixel.
pub const MAX_PIXELS: u64 = 50_000_000;
/// Maximum width and height, in pixels.
const MAX_SIDE: u32 = 32_767;
/// Number of leading bytes of an AVIF file that are searched for its dimensions.
const AVIF_HEAD: usize = 64 * 1024;

/// Format and dimensions of a picture that may be displayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureInfo {
    /// Media type: `image/jpeg`, `image/png`, `image/gif`, `image/webp`, `image/avif` or `image/x-icon`.
    pub media_type: &'static str,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// Reason why a picture is not displayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RejectedPicture {
    /// The bytes are not in one of the six formats, or the beginning is damaged.
    #[error("the file is not a JPEG, PNG, GIF, WebP, AVIF or ICO picture")]
    Unknown,
    /// The picture has more pixels than [`MAX_PIXELS`], or a side that is longer than the maximum.
    #[error("the picture has too many pixels")]
    TooManyPixels,
}

/// Identifies the format and the dimensions of a picture.
///
/// # Errors
/// Returns an error if the bytes are not a picture in one of the six formats, or if the picture has too many
/// pixels.
pub fn identify(bytes: &[u8]) -> Result<PictureInfo, RejectedPicture> {
    let (media_type, (width, height)) = kind(bytes).ok_or(RejectedPicture::Unknown)?;
    if width == 0 || height == 0 {
        return Err(RejectedPicture::Unknown);
    }
    if width.max(height) > MAX_SIDE || u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(RejectedPicture::TooManyPixels);
    }
    Ok(PictureInfo { media_type, width, height })
}

type Size = (u32, u32);

fn kind(bytes: &[u8]) -> Option<(&'static str, Size)> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        return Some(("image/png", png(bytes)?));
    }
    if bytes.starts_with(b"\xff\xd8\xff") {
        return Some(("image/jpeg", jpeg(bytes)?));
    }
    if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
        return Some(("image/gif", (little16(bytes, 6)?, little16(bytes, 8)?)));
    }
    if bytes.starts_with(b"\0\0\x01\0") {
        return Some(("image/x-icon", icon(bytes)?));
    }
    match (bytes.get(..4)?, bytes.get(4..8)?, bytes.get(8..12)?) {
        (b"RIFF", _, b"WEBP") => Some(("image/webp", webp(bytes)?)),
        (_, b"ftyp", b"avif" | b"avis") => Some(("image/avif", avif(bytes)?)),
        _ => None,
    }
}

/// Dimensions in the first chunk of a PNG.
fn png(bytes: &[u8]) -> Option<Size> {
    (bytes.get(12..16)? == b"IHDR").then_some(())?;
    Some((big32(bytes, 16)?, big32(bytes, 20)?))
}

/// Dimensions in the frame header of a JPEG, which may follow other segments.
fn jpeg(bytes: &[u8]) -> Option<Size> {
    let mut at = 2;
    loop {
        (*bytes.get(at)? == 0xff).then_some(())?;
        let marker = *bytes.get(at + 1)?;
        match marker {
            // Fill bytes, and markers without a segment.
            0xff => at += 1,
            0x01 | 0xd0..=0xd8 => at += 2,
            // Start of a frame. Three markers in this range denote tables or are reserved.
            0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => {
                return Some((big16(bytes, at + 7)?, big16(bytes, at + 5)?));
            }
            // The image data or the end of the file precedes any frame header.
            0xd9 | 0xda => return None,
            _ => {
                let length = usize::try_from(big16(bytes, at + 2)?).ok()?;
                (length >= 2).then_some(())?;
                at += 2 + length;
            }
        }
    }
}

/// Dimensions of a WebP file in one of its three variants.
fn webp(bytes: &[u8]) -> Option<Size> {
    match bytes.get(12..16)? {
        b"VP8 " => {
            (bytes.get(23..26)? == b"\x9d\x01\x2a").then_some(())?;
            Some((little16(bytes, 26)? & 0x3fff, little16(bytes, 28)? & 0x3fff))
        }
        b"VP8L" => {
            (*bytes.get(20)? == 0x2f).then_some(())?;
            let bits = little32(bytes, 21)?;
            Some(((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1))
        }
        b"VP8X" => Some((little24(bytes, 24)? + 1, little24(bytes, 27)? + 1)),
        _ => None,
    }
}

/// Dimensions of the largest picture in the directory of an ICO file. A side of 0 denotes 256 pixels.
fn icon(bytes: &[u8]) -> Option<Size> {
    let count = usize::try_from(little16(bytes, 4)?).ok()?;
    let directory = bytes.get(6..6 + 16 * count)?;
    let side = |byte: u8| if byte == 0 { 256 } else { u32::from(byte) };
    let sizes = directory.chunks_exact(16).map(|entry| (side(entry[0]), side(entry[1])));
    sizes.max_by_key(|(width, height)| width * height)
}

/// Largest dimensions that an AVIF file declares. The parts of a picture may declare their own dimensions.
fn avif(bytes: &[u8]) -> Option<Size> {
    let head = &bytes[..bytes.len().min(AVIF_HEAD)];
    let sizes = memchr::memmem::find_iter(head, b"ispe")
        .filter_map(|at| Some((big32(bytes, at + 8)?, big32(bytes, at + 12)?)));
    sizes.max_by_key(|(width, height)| u64::from(*width) * u64::from(*height))
}

pub(crate) fn big16(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 2).map(|two| u32::from(u16::from_be_bytes([two[0], two[1]])))
}

pub(crate) fn big32(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4).map(|four| u32::from_be_bytes([four[0], four[1], four[2], four[3]]))
}

pub(crate) fn little16(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 2).map(|two| u32::from(u16::from_le_bytes([two[0], two[1]])))
}

fn little24(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 3).map(|three| u32::from_le_bytes([three[0], three[1], three[2], 0]))
}

pub(crate) fn little32(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png_of(width: u32, height: u32) -> Vec<u8> {
        let sides = [width.to_be_bytes(), height.to_be_bytes()].concat();
        [b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".as_slice(), &sides, b"\x08\x06\0\0\0"].concat()
    }

    #[test]
    fn six_formats_are_identified_with_dimensions() {
        let jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc2\0\x11\x08\x01\x02\x03\x04\x03";
        let lossy = b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x40\x01\xf0\0";
        let vp8l = b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\x3f\xc0\x3b\0";
        let extended = b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0\x3f\x01\0\xef\0\0";
        let icon =
            b"\0\0\x01\0\x02\0\x10\x10\0\0\x01\0\x20\0....\x26\0\0\0\0\x30\0\0\x01\0\x20\0....\x26\0\0\0";
        let avif = b"\0\0\0\x1cftypavif\0\0\0\0....ispe\0\0\0\0\0\0\0\x40\0\0\0\x30ispe\0\0\0\0\0\0\x01\x40\0\0\0\xf0";
        for (bytes, media_type, width, height) in [
            (png_of(640, 480).as_slice(), "image/png", 640, 480),
            (b"GIF89a\x40\x01\xf0\0rest", "image/gif", 320, 240),
            (jpeg, "image/jpeg", 0x304, 0x102),
            (lossy, "image/webp", 320, 240),
            (vp8l, "image/webp", 64, 240),
            (extended, "image/webp", 320, 240),
            (avif, "image/avif", 320, 240),
            (icon, "image/x-icon", 256, 48),
        ] {
            assert_eq!(identify(bytes), Ok(PictureInfo { media_type, width, height }));
        }
    }

    #[test]
    fn scripts_vector_drawings_and_other_files_are_rejected() {
        for bytes in [
            b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>".as_slice(),
            b"<?xml version=\"1.0\"?><svg/>",
            b"<!doctype html><script>alert(1)</script>",
            b"alert(document.cookie)",
            b"BM\0\0\0\0\0\0\0\0",
            b"%PDF-1.7",
            b"PK\x03\x04",
            b"\0\0\0\x18ftypheic",
            b"\0\0\x01\0\x01\0",
            b"\x1f\x8b\x08",
            b"",
            b"\xef\xbb\xbf\x89PNG\r\n\x1a\n",
            b" GIF89a\x40\x01\xf0\0",
        ] {
            assert_eq!(
                identify(bytes),
                Err(RejectedPicture::Unknown),
                "{:?}",
                String::from_utf8_lossy(bytes)
            );
        }
    }

    /// A picture that is also a valid script is identified only as a picture.
    #[test]
    fn polyglot_file_is_identified_as_picture() {
        let both = b"GIF89a/*\x40\x01*/=1;alert(1)//<script>alert(1)</script>";
        assert_eq!(identify(both).map(|picture| picture.media_type), Ok("image/gif"));
    }

    #[test]
    fn pictures_with_too_many_pixels_are_rejected() {
        assert_eq!(identify(&png_of(30_000, 30_000)), Err(RejectedPicture::TooManyPixels));
        assert_eq!(identify(&png_of(u32::MAX, 1)), Err(RejectedPicture::TooManyPixels));
        assert_eq!(identify(&png_of(0, 10)), Err(RejectedPicture::Unknown));
        assert!(identify(&png_of(10_000, 5_000)).is_ok());
    }

    #[test]
    fn truncated_picture_is_rejected_without_panic() {
        let whole = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08\x01\x02\x03\x04";
        for end in 0..whole.len() {
            assert_eq!(identify(&whole[..end]), Err(RejectedPicture::Unknown), "{end}");
        }
        assert_eq!(identify(b"\xff\xd8\xff\xe0\0\0\xff\xc0"), Err(RejectedPicture::Unknown));
        for end in 0..24 {
            assert_eq!(identify(&png_of(4, 4)[..end]), Err(RejectedPicture::Unknown));
        }
    }
}
