//! Decodes pictures to the samples of their pixels, with the metadata that affects how a browser displays them.
//! Damaged pictures are rejected.

use std::io::Cursor;

use image_webp::WebPDecoder;
use memchr::memmem;
use zune_jpeg::{
    JpegDecoder,
    zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions},
};

use crate::picture::{self, PictureInfo};

/// Maximum number of pixels of a picture that is decoded in memory as a whole. The decoders need up to 14 bytes per
/// pixel.
pub(crate) const MAX_COLOUR_PIXELS: u64 = 25_000_000;
/// Gamma of a PNG with the colours of sRGB, in units of 1/100,000, and the maximum difference from it.
const SRGB_GAMMA: u32 = 45_455;
const GAMMA_TOLERANCE: u32 = 1_000;

/// Samples of the pixels of a picture, row by row.
pub(crate) struct Samples {
    /// Bytes per pixel: grey, or red, green and blue, in both cases optionally followed by opacity.
    pub(crate) channels: usize,
    pub(crate) bytes: Vec<u8>,
    /// ICC profile of the colours. `None` for sRGB.
    pub(crate) colour_profile: Option<Vec<u8>>,
    /// Exif metadata, from the TIFF header.
    pub(crate) exif: Option<Vec<u8>>,
    pub(crate) is_animated: bool,
    /// False if the samples and the profile do not determine the colours, for example because the samples were
    /// converted from CMYK.
    pub(crate) has_exact_colours: bool,
}

/// Decodes a JPEG in strict mode. Otherwise, the missing part of a truncated picture would be grey.
pub(crate) fn jpeg(bytes: &[u8], info: PictureInfo) -> Option<Samples> {
    let (width, height) = (usize::try_from(info.width).ok()?, usize::try_from(info.height).ok()?);
    let options = DecoderOptions::default().set_strict_mode(true).set_max_width(width).set_max_height(height);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().ok()?;
    // Other colour spaces, such as CMYK, are converted to RGB.
    let source = decoder.input_colorspace()?;
    if source == ColorSpace::Luma {
        decoder.set_options(options.jpeg_set_out_colorspace(ColorSpace::Luma));
    }
    let channels = decoder.output_colorspace()?.num_components();
    Some(Samples {
        channels,
        bytes: decoder.decode().ok()?,
        colour_profile: decoder.icc_profile(),
        exif: decoder.exif().cloned(),
        is_animated: false,
        has_exact_colours: source.num_components() != 4,
    })
}

/// Decodes a WebP file, or the first frame of an animation.
pub(crate) fn webp(bytes: &[u8], info: PictureInfo) -> Option<Samples> {
    if !has_bounded_frames(bytes, info) {
        return None;
    }
    let mut decoder = WebPDecoder::new(Cursor::new(bytes)).ok()?;
    let mut pixels = vec![0; decoder.output_buffer_size()?];
    decoder.read_image(&mut pixels).ok()?;
    Some(Samples {
        channels: if decoder.has_alpha() { 4 } else { 3 },
        bytes: pixels,
        colour_profile: decoder.icc_profile().ok().flatten(),
        exif: decoder.exif_metadata().ok().flatten(),
        is_animated: decoder.is_animated(),
        has_exact_colours: true,
    })
}

/// Decodes a PNG, or the first frame of an animation. The caller has bounded the number of pixels. The crate limits
/// the memory of metadata to 64 MiB.
pub(crate) fn png(bytes: &[u8], _: PictureInfo) -> Option<Samples> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    decoder.set_ignore_text_chunk(true);
    let mut reader = decoder.read_info().ok()?;
    let (colour, _) = reader.output_color_type();
    let mut pixels = vec![0; reader.output_buffer_size()?];
    reader.next_frame(&mut pixels).ok()?;
    let info = reader.info();
    let has_srgb_gamma = info.srgb.is_some()
        || info.icc_profile.is_some()
        || info.gama_chunk.is_none_or(|gamma| gamma.into_scaled().abs_diff(SRGB_GAMMA) <= GAMMA_TOLERANCE);
    Some(Samples {
        channels: colour.samples(),
        bytes: pixels,
        colour_profile: info.icc_profile.as_deref().map(<[u8]>::to_vec),
        exif: info.exif_metadata.as_deref().map(<[u8]>::to_vec),
        is_animated: info.animation_control().is_some(),
        has_exact_colours: has_srgb_gamma && info.coding_independent_code_points.is_none(),
    })
}

/// True if no lossy frame of a WebP file is larger than the picture. This check is necessary because the
/// decoder allocates the memory that the frame header requires before it compares the sizes.
pub(super) fn has_bounded_frames(bytes: &[u8], info: PictureInfo) -> bool {
    let side = |at| picture::little16(bytes, at).map_or(0, |side| side & 0x3fff);
    memmem::find_iter(bytes, b"VP8 ")
        .filter(|at| bytes.get(at + 11..at + 14) == Some(b"\x9d\x01\x2a"))
        .all(|at| side(at + 14) <= info.width && side(at + 16) <= info.height)
}
