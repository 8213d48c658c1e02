//! First frame of a GIF (GIF89a).

use super::{Raster, little16, luma};

/// Introducer of a frame.
const FRAME: u8 = 0x2c;
/// Introducer of an extension, and the label of the one with the transparent colour.
const EXTENSION: u8 = 0x21;
const GRAPHIC_CONTROL: u8 = 0xf9;
/// Flag of a colour table in a header.
const HAS_TABLE: u8 = 0x80;
/// Flag of a frame whose rows are interlaced.
const IS_INTERLACED: u8 = 0x40;
/// First row of each pass of an interlaced frame, and the distance of the next.
const PASSES: [(usize, usize); 4] = [(0, 8), (4, 8), (2, 4), (1, 2)];
/// Maximum number of codes.
const MAX_CODES: usize = 4096;

pub(super) fn decode(bytes: &[u8]) -> Option<Raster> {
    let (mut colours, mut at) = table(bytes, *bytes.get(10)?, 13)?;
    let mut transparent = None;
    loop {
        match *bytes.get(at)? {
            EXTENSION => {
                let (data, after) = blocks(bytes, at + 2)?;
                if bytes.get(at + 1) == Some(&GRAPHIC_CONTROL) {
                    let has_transparency = data.first().is_some_and(|flags| flags & 1 == 1);
                    transparent = data.get(3).copied().filter(|_| has_transparency);
                }
                at = after;
            }
            FRAME => break,
            _ => return None,
        }
    }
    let (width, height) = (little16(bytes, at + 5)?, little16(bytes, at + 7)?);
    let flags = *bytes.get(at + 9)?;
    let (own, after) = table(bytes, flags, at + 10)?;
    if flags & HAS_TABLE != 0 {
        colours = own;
    }
    let mut raster = Raster::new(width, height)?;
    let (data, _) = blocks(bytes, after + 1)?;
    let indexes = unpack(&data, u32::from(*bytes.get(after)?), width * height)?;
    let rows: Vec<usize> = if flags & IS_INTERLACED == 0 {
        (0..height).collect()
    } else {
        PASSES.iter().flat_map(|&(first, distance)| (first..height).step_by(distance)).collect()
    };
    for (row, indexes) in rows.into_iter().zip(indexes.chunks_exact(width)) {
        for (x, index) in indexes.iter().enumerate() {
            if transparent != Some(*index) {
                raster.set(x, row, colours.get(usize::from(*index)).copied().unwrap_or(0));
            }
        }
    }
    Some(raster)
}

/// Grey levels of the colour table that the flags announce, and the offset after it.
fn table(bytes: &[u8], flags: u8, at: usize) -> Option<(Vec<u8>, usize)> {
    if flags & HAS_TABLE == 0 {
        return Some((Vec::new(), at));
    }
    let end = at + 3 * (2 << (flags & 7));
    let colours = bytes.get(at..end)?.chunks_exact(3);
    Some((colours.map(|colour| luma(colour[0], colour[1], colour[2])).collect(), end))
}

/// Data of a sequence of blocks, and the offset after it.
fn blocks(bytes: &[u8], mut at: usize) -> Option<(Vec<u8>, usize)> {
    let mut data = Vec::new();
    loop {
        let length = usize::from(*bytes.get(at)?);
        at += 1;
        if length == 0 {
            return Some((data, at));
        }
        data.extend_from_slice(bytes.get(at..at + length)?);
        at += length;
    }
}

/// Unpacks `count` bytes (LZW with codes of growing size).
fn unpack(data: &[u8], least_bits: u32, count: usize) -> Option<Vec<u8>> {
    if !(1..=8).contains(&least_bits) {
        return None;
    }
    let clear = 1_usize << least_bits;
    let end = clear + 1;
    // The bytes of a code are those of its prefix, and its last byte.
    let (mut prefixes, mut last_bytes) = (vec![0_usize; MAX_CODES], vec![0_u8; MAX_CODES]);
    let (mut next, mut size, mut previous) = (end + 1, least_bits + 1, None);
    let (mut bits, mut available) = (0_u32, 0_u32);
    let (mut unpacked, mut reversed) = (Vec::with_capacity(count), Vec::new());
    for &byte in data {
        bits |= u32::from(byte) << available;
        available += 8;
        while available >= size {
            let code = usize::try_from(bits & ((1 << size) - 1)).ok()?;
            bits >>= size;
            available -= size;
            if code == end {
                return None;
            }
            if code == clear {
                (next, size, previous) = (end + 1, least_bits + 1, None);
                continue;
            }
            // The newest code may be that of the bytes that are being unpacked.
            let is_new = code == next && previous.is_some();
            if code >= next && !is_new {
                return None;
            }
            reversed.clear();
            let mut at = previous.filter(|_| is_new).unwrap_or(code);
            while at > end {
                reversed.push(last_bytes[at]);
                at = prefixes[at];
            }
            let first = u8::try_from(at).ok()?;
            unpacked.push(first);
            unpacked.extend(reversed.iter().rev());
            if is_new {
                unpacked.push(first);
            }
            if unpacked.len() >= count {
                unpacked.truncate(count);
                return Some(unpacked);
            }
            if let Some(previous) = previous.filter(|_| next < MAX_CODES) {
                (prefixes[next], last_bytes[next]) = (previous, first);
                next += 1;
                if next == 1 << size && size < 12 {
                    size += 1;
                }
            }
            previous = Some(code);
        }
    }
    None
}
