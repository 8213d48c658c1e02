//! PNG (W3C PNG, third edition): all colour types and bit depths, with and without interlacing.

use std::io::Read;

use flate2::read::ZlibDecoder;

use super::{Raster, big32, luma, on_white};

/// Column and row of the first pixel of each pass of an interlaced picture, and the distances of the next.
const PASSES: [(usize, usize, usize, usize); 7] =
    [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)];

/// Format of the pixels.
struct PixelFormat {
    /// Bits of a sample: 1, 2, 4, 8 or 16.
    depth: usize,
    /// Samples of a pixel.
    channels: usize,
    colour: Colour,
}

#[derive(Clone, Copy)]
enum Colour {
    Grey,
    Rgb,
    Palette,
    GreyAlpha,
    Rgba,
}

pub(super) fn decode(bytes: &[u8]) -> Option<Raster> {
    let mut rest = bytes.get(8..)?;
    let (mut header, mut packed) = (None, Vec::new());
    let (mut colours, mut alphas): (&[u8], &[u8]) = (&[], &[]);
    while let Some((kind, data, after)) = chunk(rest) {
        match kind {
            b"IHDR" => header = header.or(Some(data)),
            b"PLTE" => colours = data,
            b"tRNS" => alphas = data,
            b"IDAT" => packed.extend_from_slice(data),
            b"IEND" => break,
            _ => {}
        }
        rest = after;
    }
    let header = header?;
    let (width, height) = (big32(header, 0)?, big32(header, 4)?);
    let format = PixelFormat::of(*header.get(8)?, *header.get(9)?)?;
    let palette: Vec<u8> = colours
        .chunks_exact(3)
        .enumerate()
        .map(|(at, colour)| {
            let alpha = alphas.get(at).copied().unwrap_or(u8::MAX);
            on_white(luma(colour[0], colour[1], colour[2]), alpha)
        })
        .collect();
    let passes = if *header.get(12)? == 0 { &[(0, 0, 1, 1)][..] } else { &PASSES[..] };
    let mut raster = Raster::new(width, height)?;
    let mut reader = ZlibDecoder::new(packed.as_slice());
    for &pass in passes {
        read_pass(&mut raster, &mut reader, &format, &palette, pass)?;
    }
    Some(raster)
}

/// Kind and data of the first chunk, and the bytes after it.
fn chunk(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let length = big32(bytes, 0)?;
    let kind = bytes.get(4..8)?;
    let end = length.checked_add(8)?;
    Some((kind, bytes.get(8..end)?, bytes.get(end.checked_add(4)?..).unwrap_or_default()))
}

fn read_pass(
    raster: &mut Raster,
    reader: &mut impl Read,
    format: &PixelFormat,
    palette: &[u8],
    (left, top, across, down): (usize, usize, usize, usize),
) -> Option<()> {
    let columns = raster.width.saturating_sub(left).div_ceil(across);
    let rows = raster.height.saturating_sub(top).div_ceil(down);
    if columns == 0 {
        return Some(());
    }
    let bits = format.depth * format.channels;
    let row_bytes = (columns * bits).div_ceil(8);
    let step = bits.div_ceil(8);
    let (mut above, mut row) = (vec![0; row_bytes], vec![0; row_bytes]);
    for at in 0..rows {
        let mut filter = [0];
        reader.read_exact(&mut filter).ok()?;
        reader.read_exact(&mut row).ok()?;
        unfilter(filter[0], &mut row, &above, step)?;
        for column in 0..columns {
            let grey = format.grey(&row, column, palette)?;
            raster.set(left + column * across, top + at * down, grey);
        }
        std::mem::swap(&mut above, &mut row);
    }
    Some(())
}

/// Restores the bytes of a row. `step` is the distance to the same byte of the pixel before.
fn unfilter(filter: u8, row: &mut [u8], above: &[u8], step: usize) -> Option<()> {
    for at in 0..row.len() {
        let left = if at >= step { row[at - step] } else { 0 };
        let corner = if at >= step { above[at - step] } else { 0 };
        let predicted = match filter {
            0 => 0,
            1 => left,
            2 => above[at],
            3 => u8::midpoint(left, above[at]),
            4 => paeth(left, above[at], corner),
            _ => return None,
        };
        row[at] = row[at].wrapping_add(predicted);
    }
    Some(())
}

/// The neighbour that is nearest to their linear estimate.
fn paeth(left: u8, above: u8, corner: u8) -> u8 {
    let estimate = i16::from(left) + i16::from(above) - i16::from(corner);
    let distance = |neighbour: u8| (estimate - i16::from(neighbour)).abs();
    if distance(left) <= distance(above) && distance(left) <= distance(corner) {
        left
    } else if distance(above) <= distance(corner) {
        above
    } else {
        corner
    }
}

impl PixelFormat {
    fn of(depth: u8, colour: u8) -> Option<Self> {
        let (colour, channels, depths): (Colour, usize, &[u8]) = match colour {
            0 => (Colour::Grey, 1, &[1, 2, 4, 8, 16]),
            2 => (Colour::Rgb, 3, &[8, 16]),
            3 => (Colour::Palette, 1, &[1, 2, 4, 8]),
            4 => (Colour::GreyAlpha, 2, &[8, 16]),
            6 => (Colour::Rgba, 4, &[8, 16]),
            _ => return None,
        };
        depths.contains(&depth).then(|| Self { depth: usize::from(depth), channels, colour })
    }

    /// Sample of a pixel. Of 16 bits, the upper 8.
    fn sample(&self, row: &[u8], column: usize, channel: usize) -> Option<u8> {
        let at = (column * self.channels + channel) * self.depth;
        let byte = *row.get(at / 8)?;
        if self.depth >= 8 {
            return Some(byte);
        }
        let mask = (1_u8 << self.depth) - 1;
        Some((byte >> (8 - self.depth - at % 8)) & mask)
    }

    /// Grey level of a pixel.
    fn grey(&self, row: &[u8], column: usize, palette: &[u8]) -> Option<u8> {
        let sample = |channel: usize| self.sample(row, column, channel);
        Some(match self.colour {
            Colour::Grey if self.depth < 8 => sample(0)? * (u8::MAX / ((1 << self.depth) - 1)),
            Colour::Grey => sample(0)?,
            Colour::Rgb => luma(sample(0)?, sample(1)?, sample(2)?),
            Colour::Palette => *palette.get(usize::from(sample(0)?))?,
            Colour::GreyAlpha => on_white(sample(0)?, sample(1)?),
            Colour::Rgba => on_white(luma(sample(0)?, sample(1)?, sample(2)?), sample(3)?),
        })
    }
}
