//! JPEG (ITU-T T.81), sequential and progressive, with Huffman codes. Of each block of 8 × 8 pixels only the
//! mean of the first component is read, which is the brightness, so the raster has an eighth of the size.

use super::{Raster, big16};

/// Brightness of a block whose coefficient is 0.
const MIDDLE: i64 = 128;
/// Maximum bits of a coefficient.
const MAX_BITS: u8 = 15;
/// Number of coefficients of a block.
const COEFFICIENTS: usize = 64;

pub(super) fn decode(bytes: &[u8]) -> Option<Raster> {
    let mut decoder = Decoder::default();
    let mut at = 2;
    loop {
        let Segment { marker, data, end } = segment(bytes, at)?;
        match marker {
            0xc0..=0xc2 => decoder.frame = Some(Frame::read(marker, data)?),
            0xc4 => decoder.read_codes(data)?,
            0xdb => decoder.read_steps(data)?,
            0xdd => decoder.interval = big16(data, 0)?,
            0xda => {
                let scan = ScanHeader::read(data)?;
                if decoder.has_brightness(&scan)? {
                    return decoder.scan(&scan, bytes.get(end..)?);
                }
            }
            // Frames with other codes than Huffman's, or the end before a scan.
            0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf | 0xd9 => return None,
            _ => {}
        }
        at = next_marker(bytes, end)?;
    }
}

/// Marker with its parameters.
struct Segment<'b> {
    marker: u8,
    data: &'b [u8],
    /// Offset after the parameters.
    end: usize,
}

fn segment(bytes: &[u8], at: usize) -> Option<Segment<'_>> {
    let marker = *bytes.get(at + 1)?;
    if marker == 0xd9 {
        return Some(Segment { marker, data: &[], end: at + 2 });
    }
    let length = big16(bytes, at + 2)?;
    Some(Segment { marker, data: bytes.get(at + 4..at + 2 + length)?, end: at + 2 + length })
}

/// Offset of the next marker that is neither a restart nor a stuffed byte.
fn next_marker(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let is_marker = |pair: &[u8]| pair[0] == 0xff && !matches!(pair[1], 0x00 | 0x01 | 0xd0..=0xd7 | 0xff);
    rest.windows(2).position(is_marker).map(|offset| from + offset)
}

#[derive(Default)]
struct Decoder {
    frame: Option<Frame>,
    /// Codes of first coefficients, and of all others, by their number.
    first_codes: [Option<Codes>; 4],
    other_codes: [Option<Codes>; 4],
    /// Quantisation steps of first coefficients.
    steps: [i64; 4],
    /// Restart interval, in units of a scan.
    interval: usize,
}

struct Frame {
    width: usize,
    height: usize,
    is_progressive: bool,
    components: Vec<Component>,
}

#[derive(Clone, Copy)]
struct Component {
    id: u8,
    /// Blocks of a unit.
    across: usize,
    down: usize,
    steps: usize,
}

/// Parameters of a scan.
struct ScanHeader<'b> {
    /// Id and numbers of the codes of each component.
    parts: &'b [u8],
    /// First coefficient.
    from: u8,
    /// True if the scan adds bits to coefficients that another scan has.
    is_refinement: bool,
    /// Number of low bits that are missing.
    shift: u8,
}

/// Component of a scan.
struct ScanComponent<'d> {
    is_first: bool,
    across: usize,
    down: usize,
    first_codes: &'d Codes,
    other_codes: Option<&'d Codes>,
    /// Coefficient of the block before.
    last: i64,
}

impl<'b> ScanHeader<'b> {
    fn read(data: &'b [u8]) -> Option<Self> {
        let end = 1 + 2 * usize::from(*data.first()?);
        let approximation = *data.get(end + 2)?;
        Some(Self {
            parts: data.get(1..end)?,
            from: *data.get(end)?,
            is_refinement: approximation >> 4 != 0,
            shift: approximation & 15,
        })
    }
}

impl Frame {
    fn read(marker: u8, data: &[u8]) -> Option<Self> {
        let (height, width) = (big16(data, 1)?, big16(data, 3)?);
        let components = data.get(6..)?.chunks_exact(3).take(usize::from(*data.get(5)?));
        let component = |part: &[u8]| Component {
            id: part[0],
            across: usize::from(part[1] >> 4),
            down: usize::from(part[1] & 15),
            steps: usize::from(part[2]),
        };
        let components: Vec<Component> = components.map(component).collect();
        let is_valid = |part: &Component| {
            (1..=4).contains(&part.across) && (1..=4).contains(&part.down) && part.steps < 4
        };
        let is_valid = *data.first()? == 8
            && (1..=4).contains(&components.len())
            && components.iter().all(is_valid)
            && width > 0
            && height > 0;
        is_valid.then_some(Self { width, height, is_progressive: marker == 0xc2, components })
    }

    /// Maximum blocks of a unit, across and down.
    fn unit(&self) -> (usize, usize) {
        let most = |side: fn(&Component) -> usize| self.components.iter().map(side).max().unwrap_or(1);
        (most(|part| part.across), most(|part| part.down))
    }

    /// Blocks of the first component, across and down.
    fn blocks(&self) -> Option<(usize, usize)> {
        let first = self.components.first()?;
        let (across, down) = self.unit();
        let blocks = |side: usize, own: usize, most: usize| (side * own).div_ceil(most).div_ceil(8);
        Some((blocks(self.width, first.across, across), blocks(self.height, first.down, down)))
    }
}

impl Decoder {
    fn read_codes(&mut self, mut data: &[u8]) -> Option<()> {
        while let Some((&kind, rest)) = data.split_first() {
            let (codes, after) = Codes::read(rest)?;
            let list = if kind >> 4 == 0 { &mut self.first_codes } else { &mut self.other_codes };
            *list.get_mut(usize::from(kind & 15))? = Some(codes);
            data = after;
        }
        Some(())
    }

    fn read_steps(&mut self, mut data: &[u8]) -> Option<()> {
        while let Some((&kind, rest)) = data.split_first() {
            let is_wide = kind >> 4 != 0;
            let step = if is_wide { big16(rest, 0)? } else { usize::from(*rest.first()?) };
            *self.steps.get_mut(usize::from(kind & 15))? = i64::try_from(step).ok()?;
            data = rest.get(if is_wide { 2 * COEFFICIENTS } else { COEFFICIENTS }..)?;
        }
        Some(())
    }

    /// Whether a scan has the first coefficients of the first component.
    fn has_brightness(&self, scan: &ScanHeader<'_>) -> Option<bool> {
        let first = self.frame.as_ref()?.components.first()?;
        let has_first = scan.parts.chunks_exact(2).any(|part| part[0] == first.id);
        Some(has_first && scan.from == 0 && !scan.is_refinement)
    }

    /// Reads a scan with the first coefficients of the first component.
    fn scan(&self, scan: &ScanHeader<'_>, data: &[u8]) -> Option<Raster> {
        let frame = self.frame.as_ref()?;
        let parts = scan.parts.chunks_exact(2).map(|part| self.component(frame, part));
        let mut parts: Vec<ScanComponent<'_>> = parts.collect::<Option<_>>()?;
        let (across, down) = frame.blocks()?;
        let (units_across, units_down) = if let [only] = parts.as_mut_slice() {
            // The units of a scan of one component are its blocks.
            (only.across, only.down) = (1, 1);
            (across, down)
        } else {
            let (unit_across, unit_down) = frame.unit();
            (frame.width.div_ceil(8 * unit_across), frame.height.div_ceil(8 * unit_down))
        };
        let step = self.steps.get(frame.components.first()?.steps)? << scan.shift;
        let mut raster = Raster::new(across, down)?;
        let mut bits = BitReader { bytes: data, at: 0, buffer: 0, available: 0 };
        for unit in 0..units_across * units_down {
            if self.interval > 0 && unit > 0 && unit % self.interval == 0 {
                bits.restart()?;
                parts.iter_mut().for_each(|part| part.last = 0);
            }
            let (column, row) = (unit % units_across, unit / units_across);
            for part in &mut parts {
                for block in 0..part.across * part.down {
                    let value = part.read_block(&mut bits)?;
                    if part.is_first {
                        let x = column * part.across + block % part.across;
                        let y = row * part.down + block / part.across;
                        raster.set(x, y, brightness(value, step));
                    }
                }
            }
        }
        Some(raster)
    }

    fn component(&self, frame: &Frame, part: &[u8]) -> Option<ScanComponent<'_>> {
        let at = frame.components.iter().position(|known| known.id == part[0])?;
        let component = frame.components[at];
        let first_codes = self.first_codes.get(usize::from(part[1] >> 4))?.as_ref()?;
        let other_codes = self.other_codes.get(usize::from(part[1] & 15))?.as_ref();
        Some(ScanComponent {
            is_first: at == 0,
            across: component.across,
            down: component.down,
            first_codes,
            // The scans of a progressive picture have only coefficients of one kind.
            other_codes: if frame.is_progressive { None } else { Some(other_codes?) },
            last: 0,
        })
    }
}

/// Brightness of a block: an eighth of its first coefficient, from the middle.
fn brightness(value: i64, step: i64) -> u8 {
    let level = (value.saturating_mul(step) / 8).saturating_add(MIDDLE).clamp(0, 255);
    u8::try_from(level).unwrap_or(u8::MAX)
}

impl ScanComponent<'_> {
    /// First coefficient of a block.
    fn read_block(&mut self, bits: &mut BitReader<'_>) -> Option<i64> {
        let count = self.first_codes.read_value(bits)?;
        self.last = self.last.saturating_add(bits.signed(count)?);
        let Some(codes) = self.other_codes else { return Some(self.last) };
        let mut at = 1;
        while at < COEFFICIENTS {
            let code = codes.read_value(bits)?;
            let (zeros, count) = (usize::from(code >> 4), code & 15);
            match (zeros, count) {
                (15, 0) => at += 16,
                (_, 0) => break,
                _ => {
                    bits.signed(count)?;
                    at += zeros + 1;
                }
            }
        }
        Some(self.last)
    }
}

/// Huffman codes. Codes of one length are consecutive numbers.
struct Codes {
    /// For each length from 1 to 16: the first code, the number of codes, and the index of the first value.
    lengths: [(u32, u32, usize); 16],
    values: Vec<u8>,
}

impl Codes {
    /// Codes at the start of the data, and the rest.
    fn read(data: &[u8]) -> Option<(Self, &[u8])> {
        let counts = data.get(..16)?;
        let mut lengths = [(0, 0, 0); 16];
        let (mut code, mut index) = (0_u32, 0);
        for (length, count) in lengths.iter_mut().zip(counts) {
            *length = (code, u32::from(*count), index);
            code = (code + u32::from(*count)) << 1;
            index += usize::from(*count);
        }
        let values = data.get(16..16 + index)?.to_vec();
        Some((Self { lengths, values }, data.get(16 + index..)?))
    }

    fn read_value(&self, bits: &mut BitReader<'_>) -> Option<u8> {
        let mut code = 0;
        for &(first, count, index) in &self.lengths {
            code = (code << 1) | bits.take(1)?;
            if let Some(offset) = code.checked_sub(first).filter(|offset| *offset < count) {
                return self.values.get(index + usize::try_from(offset).ok()?).copied();
            }
        }
        None
    }
}

struct BitReader<'b> {
    bytes: &'b [u8],
    at: usize,
    buffer: u32,
    /// Unread bits of the buffer.
    available: u32,
}

impl BitReader<'_> {
    /// The next bits as a number, at most 16. `None` at a marker or the end.
    fn take(&mut self, count: u32) -> Option<u32> {
        while self.available < count {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            if byte == 0xff {
                if *self.bytes.get(self.at)? != 0 {
                    return None;
                }
                self.at += 1;
            }
            self.buffer = (self.buffer << 8) | u32::from(byte);
            self.available += 8;
        }
        self.available -= count;
        Some((self.buffer >> self.available) & ((1 << count) - 1))
    }

    /// Number of so many bits. If the first is 0, it is negative.
    fn signed(&mut self, count: u8) -> Option<i64> {
        if count > MAX_BITS {
            return None;
        }
        if count == 0 {
            return Some(0);
        }
        let bits = i64::from(self.take(u32::from(count))?);
        let half = 1_i64 << (count - 1);
        Some(if bits < half { bits - 2 * half + 1 } else { bits })
    }

    /// Continues after the next restart marker.
    fn restart(&mut self) -> Option<()> {
        (self.buffer, self.available) = (0, 0);
        let rest = self.bytes.get(self.at..)?;
        let offset = rest.windows(2).position(|pair| pair[0] == 0xff && matches!(pair[1], 0xd0..=0xd7))?;
        self.at += offset + 2;
        Some(())
    }
}
