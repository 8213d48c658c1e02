//! Encoder of baseline JPEG pictures with quarter-size colour (4:2:0). Integer arithmetic only, so that the result does
//! not depend on the machine.

use super::exif::Orientation;
use super::jpeg_tables::{BRIGHTNESS, COLOUR, COSINES, Huffman, Tables, ZIGZAG};
use super::scale::Pixels;

/// Scale of the standard quantities, in percent. It is quality 80 of other encoders.
const QUANTITY_PERCENT: i32 = 40;
/// Side of the square of pixels that is encoded at a time: four blocks of brightness, and one for each of two colours.
const UNIT: usize = 16;
/// Value of a run of 16 coefficients that are zero, and of the end of a block.
const ZERO_RUN: usize = 0xf0;
const END_OF_BLOCK: usize = 0;

/// Samples or coefficients of a block, row by row.
type Block = [i32; 64];
/// Code of each value, with its length in bits.
type Codes = [(u32, u32); 256];

/// Encodes an opaque picture. `None` if its size or its profile is too large for the format.
pub(super) fn encode(pixels: &Pixels, orientation: Orientation, profile: Option<&[u8]>) -> Option<Vec<u8>> {
    let (brightness, colour) = (Component::new(&BRIGHTNESS), Component::new(&COLOUR));
    let mut out = vec![0xff, 0xd8];
    segment(&mut out, 0xe0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0")?;
    if orientation != Orientation::NORMAL {
        segment(&mut out, 0xe1, &orientation.segment())?;
    }
    if let Some(profile) = profile {
        segment(&mut out, 0xe2, &[b"ICC_PROFILE\0\x01\x01".as_slice(), profile].concat())?;
    }
    for (number, component) in [(0, &brightness), (1, &colour)] {
        segment(&mut out, 0xdb, &component.quantity_segment(number))?;
    }
    let (width, height) = (u16::try_from(pixels.width).ok()?, u16::try_from(pixels.height).ok()?);
    let size = [height.to_be_bytes(), width.to_be_bytes()].concat();
    segment(
        &mut out,
        0xc0,
        &[b"\x08".as_slice(), &size, b"\x03\x01\x22\0\x02\x11\x01\x03\x11\x01"].concat(),
    )?;
    for (number, tables) in [(0, &BRIGHTNESS), (1, &COLOUR)] {
        segment(&mut out, 0xc4, &huffman_segment(number, &tables.first))?;
        segment(&mut out, 0xc4, &huffman_segment(0x10 | number, &tables.other))?;
    }
    segment(&mut out, 0xda, b"\x03\x01\0\x02\x11\x03\x11\0\x3f\0")?;
    let mut bits = BitWriter { out, bits: 0, count: 0 };
    write_units(&mut bits, pixels, &brightness, &colour);
    let mut out = bits.finish();
    out.extend([0xff, 0xd9]);
    Some(out)
}

fn write_units(bits: &mut BitWriter, pixels: &Pixels, brightness: &Component, colour: &Component) {
    let (mut luma, mut blue, mut red) = (0, 0, 0);
    for top in (0..pixels.height).step_by(UNIT) {
        for left in (0..pixels.width).step_by(UNIT) {
            let unit = Unit::read(pixels, left, top);
            for block in &unit.luma {
                luma = brightness.write(bits, block, luma);
            }
            blue = colour.write(bits, &unit.blue, blue);
            red = colour.write(bits, &unit.red, red);
        }
    }
}

/// Writes a segment: marker, length, and content.
fn segment(out: &mut Vec<u8>, marker: u8, content: &[u8]) -> Option<()> {
    let length = u16::try_from(content.len() + 2).ok()?;
    out.extend([0xff, marker]);
    out.extend(length.to_be_bytes());
    out.extend_from_slice(content);
    Some(())
}

fn huffman_segment(number: u8, huffman: &Huffman) -> Vec<u8> {
    [[number].as_slice(), &huffman.counts, huffman.values].concat()
}

/// Blocks of a square of pixels. Beyond the right and the lower border of the picture, its last pixels are repeated.
struct Unit {
    luma: [Block; 4],
    blue: Block,
    red: Block,
}

impl Unit {
    fn read(pixels: &Pixels, left: usize, top: usize) -> Self {
        let mut unit = Self { luma: [[0; 64]; 4], blue: [0; 64], red: [0; 64] };
        for y in 0..UNIT {
            let line = (top + y).min(pixels.height - 1) * pixels.width;
            for x in 0..UNIT {
                let [red, green, blue, _] =
                    pixels.rgba[line + (left + x).min(pixels.width - 1)].map(i32::from);
                let luma = (19_595 * red + 38_470 * green + 7_471 * blue + 32_768) >> 16;
                unit.luma[y / 8 * 2 + x / 8][y % 8 * 8 + x % 8] = luma - 128;
                let quarter = y / 2 * 8 + x / 2;
                unit.blue[quarter] += -11_059 * red - 21_709 * green + 32_768 * blue;
                unit.red[quarter] += 32_768 * red - 27_439 * green - 5_329 * blue;
            }
        }
        // Each sample is a sum of four pixels, in units of 1/65,536.
        for sum in unit.blue.iter_mut().chain(&mut unit.red) {
            *sum = (*sum + (1 << 17)) >> 18;
        }
        unit
    }
}

/// Quantities and codes of brightness or colour.
struct Component {
    /// Quantities in the stored order.
    quantities: Block,
    first: Codes,
    other: Codes,
}

impl Component {
    fn new(tables: &Tables) -> Self {
        let scaled =
            |position: usize| ((tables.quantities[position] * QUANTITY_PERCENT + 50) / 100).clamp(1, 255);
        Self { quantities: ZIGZAG.map(scaled), first: codes(&tables.first), other: codes(&tables.other) }
    }

    fn quantity_segment(&self, number: u8) -> Vec<u8> {
        let quantities = self.quantities.iter().map(|quantity| u8::try_from(*quantity).unwrap_or(u8::MAX));
        std::iter::once(number).chain(quantities).collect()
    }

    /// Writes a block. Its first coefficient is stored as the difference from that of the previous block. Returns
    /// the first coefficient.
    fn write(&self, bits: &mut BitWriter, block: &Block, previous: i32) -> i32 {
        let coefficients = transform(block);
        let mut values = [0; 64];
        for ((value, position), quantity) in values.iter_mut().zip(ZIGZAG).zip(self.quantities) {
            *value = rounded_quotient(coefficients[position], 8 * quantity);
        }
        let [first, others @ ..] = values;
        bits.push_number(&self.first, 0, first - previous);
        let mut zeros = 0;
        for value in others {
            if value == 0 {
                zeros += 1;
                continue;
            }
            while zeros > 15 {
                bits.push_code(&self.other, ZERO_RUN);
                zeros -= 16;
            }
            bits.push_number(&self.other, zeros << 4, value);
            zeros = 0;
        }
        if zeros > 0 {
            bits.push_code(&self.other, END_OF_BLOCK);
        }
        first
    }
}

/// Codes of the values of a Huffman table.
fn codes(huffman: &Huffman) -> Codes {
    let mut codes = [(0, 0); 256];
    let mut values = huffman.values.iter();
    let mut code = 0;
    for (length, count) in (1..).zip(huffman.counts) {
        for value in values.by_ref().take(usize::from(count)) {
            codes[usize::from(*value)] = (code, length);
            code += 1;
        }
        code <<= 1;
    }
    codes
}

/// Discrete cosine transform. The coefficients are in units of 1/8.
fn transform(block: &Block) -> Block {
    let (mut lines, mut coefficients) = ([0; 64], [0; 64]);
    for (line, samples) in lines.chunks_exact_mut(8).zip(block.chunks_exact(8)) {
        for (value, cosines) in line.iter_mut().zip(&COSINES) {
            let sum: i32 = samples.iter().zip(cosines).map(|(sample, cosine)| sample * cosine).sum();
            *value = (sum + (1 << 9)) >> 10;
        }
    }
    for (row, cosines) in coefficients.chunks_exact_mut(8).zip(&COSINES) {
        for (column, value) in row.iter_mut().enumerate() {
            let sum: i32 = cosines.iter().enumerate().map(|(y, cosine)| lines[y * 8 + column] * cosine).sum();
            *value = (sum + (1 << 12)) >> 13;
        }
    }
    coefficients
}

fn rounded_quotient(value: i32, divisor: i32) -> i32 {
    (value.abs() + divisor / 2) / divisor * value.signum()
}

/// Writer of bits. A zero byte follows each byte of ones, so that it is not a marker.
struct BitWriter {
    out: Vec<u8>,
    bits: u64,
    /// Number of bits that are not in `out`, below 8 between calls.
    count: u32,
}

impl BitWriter {
    fn push(&mut self, bits: u32, length: u32) {
        self.bits = (self.bits << length) | u64::from(bits);
        self.count += length;
        while self.count >= 8 {
            self.count -= 8;
            let [byte, ..] = (self.bits >> self.count).to_le_bytes();
            self.out.push(byte);
            if byte == 0xff {
                self.out.push(0);
            }
        }
    }

    fn push_code(&mut self, codes: &Codes, value: usize) {
        let (code, length) = codes[value];
        self.push(code, length);
    }

    /// Writes the code of `run` and the length of a number, and the number. A negative number is stored as the
    /// complement of its magnitude.
    fn push_number(&mut self, codes: &Codes, run: usize, number: i32) {
        let magnitude = number.unsigned_abs();
        let length = u32::BITS - magnitude.leading_zeros();
        self.push_code(codes, run | usize::try_from(length).unwrap_or(0));
        let ones = (1 << length) - 1;
        self.push(if number < 0 { ones - magnitude } else { magnitude }, length);
    }

    /// Fills the last byte with ones.
    fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            let length = 8 - self.count;
            self.push((1 << length) - 1, length);
        }
        self.out
    }
}
