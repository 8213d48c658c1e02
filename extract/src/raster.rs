//! Decodes pictures to grey rasters, so that their appearance can be compared. Supports PNG and JPEG, and the
//! first frame of GIF and WebP. Damaged pictures are rejected. Transparent pixels become white.

pub(crate) mod samples;

use std::io::Cursor;

use self::samples::{MAX_COLOUR_PIXELS, Samples};
use crate::picture::{self, MAX_PIXELS, PictureInfo};

/// Grey levels of the pixels of a picture, row by row.
pub(crate) struct Raster {
    width: usize,
    height: usize,
    grey: Vec<u8>,
}

/// Reason why a picture has no raster.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RasterError {
    /// The bytes are not a picture, or have a format that is not supported.
    Unsupported,
    /// The picture has more pixels than [`MAX_PIXELS`], or for JPEG and WebP, than [`MAX_COLOUR_PIXELS`].
    TooLarge,
    /// The picture is truncated or otherwise damaged.
    Damaged,
}

/// Decodes a picture of any supported format.
pub(crate) fn decode(bytes: &[u8]) -> Result<Raster, RasterError> {
    let info = picture::identify(bytes).map_err(|rejected| match rejected {
        picture::RejectedPicture::Unknown => RasterError::Unsupported,
        picture::RejectedPicture::TooManyPixels => RasterError::TooLarge,
    })?;
    let decoder = match info.media_type {
        "image/png" => png,
        "image/gif" => gif,
        "image/jpeg" | "image/webp" if u64::from(info.width) * u64::from(info.height) > MAX_COLOUR_PIXELS => {
            return Err(RasterError::TooLarge);
        }
        "image/jpeg" => jpeg,
        "image/webp" => webp,
        _ => return Err(RasterError::Unsupported),
    };
    decoder(bytes, info).ok_or(RasterError::Damaged)
}

/// Decodes a PNG row by row. The crate limits its memory, for example for metadata, to 64 MiB.
fn png(bytes: &[u8], info: PictureInfo) -> Option<Raster> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let mut reader = decoder.read_info().ok()?;
    let (colour, _) = reader.output_color_type();
    let mut raster = Raster::new(info.width, info.height)?;
    let mut start = 0;
    while let Some(row) = reader.next_interlaced_row().ok()? {
        let levels = row.data().chunks_exact(colour.samples()).map(grey_level);
        match row.interlace() {
            png::InterlaceInfo::Null(_) => {
                raster.grey.iter_mut().skip(start).zip(levels).for_each(|(pixel, level)| *pixel = level);
                start += raster.width;
            }
            png::InterlaceInfo::Adam7(pass) => {
                let levels: Vec<u8> = levels.collect();
                png::expand_interlaced_row(&mut raster.grey, raster.width, &levels, pass, 8);
            }
        }
    }
    Some(raster)
}

/// Decodes the first frame of a GIF. The area outside of the frame is not included. The crate limits the
/// memory of metadata to 50 MB.
fn gif(bytes: &[u8], _: PictureInfo) -> Option<Raster> {
    let mut decoder = gif::Decoder::new(bytes).ok()?;
    let frame = decoder.next_frame_info().ok()??;
    let transparent = frame.transparent;
    let mut raster = Raster::new(frame.width.into(), frame.height.into())?;
    decoder.read_into_buffer(&mut raster.grey).ok()?;
    let mut levels = [0; 256];
    for (level, colour) in levels.iter_mut().zip(decoder.palette().ok()?.chunks_exact(3)) {
        *level = grey_level(colour);
    }
    if let Some(index) = transparent {
        levels[usize::from(index)] = u8::MAX;
    }
    raster.grey.iter_mut().for_each(|pixel| *pixel = levels[usize::from(*pixel)]);
    Some(raster)
}

fn jpeg(bytes: &[u8], info: PictureInfo) -> Option<Raster> {
    Raster::from_samples(info, &samples::jpeg(bytes, info)?)
}

fn webp(bytes: &[u8], info: PictureInfo) -> Option<Raster> {
    Raster::from_samples(info, &samples::webp(bytes, info)?)
}

impl Raster {
    /// Creates a white raster. `None` if it would have no pixels or too many pixels.
    fn new(width: u32, height: u32) -> Option<Self> {
        let pixels = u64::from(width) * u64::from(height);
        if pixels == 0 || pixels > MAX_PIXELS {
            return None;
        }
        Some(Self {
            width: usize::try_from(width).ok()?,
            height: usize::try_from(height).ok()?,
            grey: vec![u8::MAX; usize::try_from(pixels).ok()?],
        })
    }

    /// Creates a raster from all pixels of a picture.
    fn from_samples(info: PictureInfo, samples: &Samples) -> Option<Self> {
        let mut raster = Self::new(info.width, info.height)?;
        if samples.bytes.len() != raster.grey.len() * samples.channels {
            return None;
        }
        for (pixel, samples) in raster.grey.iter_mut().zip(samples.bytes.chunks_exact(samples.channels)) {
            *pixel = grey_level(samples);
        }
        Some(raster)
    }

    /// Width and height in pixels.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// Mean grey level of each square cell of `side` pixels, row by row. Incomplete cells at the right and the
    /// lower edge are left out.
    pub(crate) fn cells(&self, side: usize) -> Vec<u8> {
        let (columns, rows) = (self.width / side, self.height / side);
        let mut sums = vec![0_usize; columns * rows];
        for (y, line) in self.grey.chunks_exact(self.width).take(rows * side).enumerate() {
            for (x, level) in line.iter().take(columns * side).enumerate() {
                sums[y / side * columns + x / side] += usize::from(*level);
            }
        }
        sums.into_iter().map(|sum| u8::try_from(sum / (side * side)).unwrap_or(u8::MAX)).collect()
    }

    /// Mean grey level of each cell of a grid, row by row. A pixel on the border of several cells contributes
    /// to each of them in proportion.
    pub(crate) fn means(&self, columns: usize, rows: usize) -> Vec<u64> {
        let mut means = Vec::with_capacity(columns * rows);
        for row in 0..rows {
            for column in 0..columns {
                let (mut sum, mut total) = (0, 0);
                for (y, height) in shares(row, rows, self.height) {
                    for (x, width) in shares(column, columns, self.width) {
                        sum += height * width * u64::from(self.grey[y * self.width + x]);
                        total += height * width;
                    }
                }
                means.push(sum / total);
            }
        }
        means
    }
}

/// Pixels in one of the `count` parts of a side, each with the share of the pixel that is inside, in units of
/// 1/`count` pixel.
fn shares(part: usize, count: usize, side: usize) -> impl Iterator<Item = (usize, u64)> {
    let (start, end) = (part * side, (part + 1) * side);
    (start / count..end.div_ceil(count)).map(move |at| {
        let share = ((at + 1) * count).min(end) - (at * count).max(start);
        (at, u64::try_from(share).unwrap_or(0))
    })
}

/// Grey level of a pixel on a white background. Its samples are grey, or red, green and blue, in both cases
/// optionally followed by opacity.
fn grey_level(samples: &[u8]) -> u8 {
    match *samples {
        [grey] => grey,
        [grey, alpha] => on_white(grey, alpha),
        [red, green, blue] => luma(red, green, blue),
        [red, green, blue, alpha] => on_white(luma(red, green, blue), alpha),
        _ => u8::MAX,
    }
}

/// Grey level of an RGB colour.
fn luma(red: u8, green: u8, blue: u8) -> u8 {
    let sum = 77 * u32::from(red) + 150 * u32::from(green) + 29 * u32::from(blue);
    u8::try_from(sum >> 8).unwrap_or(u8::MAX)
}

/// Grey level on a white background.
fn on_white(grey: u8, alpha: u8) -> u8 {
    let (grey, alpha) = (u32::from(grey), u32::from(alpha));
    u8::try_from((grey * alpha + 255 * (255 - alpha)) / 255).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests;
