//! Decodes pictures to grey rasters, so that their appearance can be compared: PNG, the first frame of GIF,
//! and JPEG at an eighth of its size. Damaged pictures are rejected; transparent parts are white.

mod gif;
mod jpeg;
mod png;

use crate::picture::{self, MAX_PIXELS};

/// Grey levels of a picture, row by row.
pub(crate) struct Raster {
    width: usize,
    height: usize,
    grey: Vec<u8>,
}

/// Reason why a picture has no raster.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RasterError {
    /// Not a picture, or of a format that is not decoded.
    Unsupported,
    /// More pixels than [`MAX_PIXELS`].
    TooLarge,
    /// Truncated or broken.
    Damaged,
}

/// Decodes a picture.
pub(crate) fn decode(bytes: &[u8]) -> Result<Raster, RasterError> {
    let info = picture::identify(bytes).map_err(|rejected| match rejected {
        picture::RejectedPicture::Unknown => RasterError::Unsupported,
        picture::RejectedPicture::TooManyPixels => RasterError::TooLarge,
    })?;
    let raster = match info.media_type {
        "image/png" => png::decode(bytes),
        "image/gif" => gif::decode(bytes),
        "image/jpeg" => jpeg::decode(bytes),
        _ => return Err(RasterError::Unsupported),
    };
    raster.ok_or(RasterError::Damaged)
}

impl Raster {
    /// White raster. `None` if it has no pixels or too many.
    fn new(width: usize, height: usize) -> Option<Self> {
        let pixels = width.checked_mul(height)?;
        let is_valid = pixels > 0 && u64::try_from(pixels).is_ok_and(|pixels| pixels <= MAX_PIXELS);
        is_valid.then(|| Self { width, height, grey: vec![u8::MAX; pixels] })
    }

    /// Sets a pixel. One outside of the raster is ignored.
    fn set(&mut self, x: usize, y: usize, grey: u8) {
        if x < self.width
            && let Some(pixel) = self.grey.get_mut(y * self.width + x)
        {
            *pixel = grey;
        }
    }

    /// Mean grey level of each cell of a grid, row by row. A pixel on the border of cells counts for each by
    /// its share.
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

/// Pixels of one of `count` parts of a side, each with its share in parts of a pixel.
fn shares(part: usize, count: usize, side: usize) -> impl Iterator<Item = (usize, u64)> {
    let (start, end) = (part * side, (part + 1) * side);
    (start / count..end.div_ceil(count)).map(move |at| {
        let share = ((at + 1) * count).min(end) - (at * count).max(start);
        (at, u64::try_from(share).unwrap_or(0))
    })
}

/// Grey level of a colour.
fn luma(red: u8, green: u8, blue: u8) -> u8 {
    let sum = 77 * u32::from(red) + 150 * u32::from(green) + 29 * u32::from(blue);
    u8::try_from(sum >> 8).unwrap_or(u8::MAX)
}

/// Grey level on a white ground.
fn on_white(grey: u8, alpha: u8) -> u8 {
    let (grey, alpha) = (u32::from(grey), u32::from(alpha));
    u8::try_from((grey * alpha + 255 * (255 - alpha)) / 255).unwrap_or(u8::MAX)
}

fn little16(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(picture::little16(bytes, at)?).ok()
}

fn big16(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(picture::big16(bytes, at)?).ok()
}

fn big32(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(picture::big32(bytes, at)?).ok()
}

#[cfg(test)]
mod tests;
