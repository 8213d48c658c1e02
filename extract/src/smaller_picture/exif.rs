//! Orientation of a picture in Exif metadata. Browsers rotate or mirror the picture accordingly.

use crate::picture::{big16, big32, little16, little32};

/// Tag of the orientation.
const TAG: u32 = 0x0112;
/// Size of a directory entry, in bytes.
const ENTRY_BYTES: usize = 12;

/// Orientation from 1 to 8, as in Exif.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Orientation(u8);

impl Orientation {
    /// The picture is displayed as it is stored.
    pub(super) const NORMAL: Self = Self(1);

    /// Reads the orientation from Exif metadata. Normal if the metadata has no valid orientation.
    pub(super) fn of(exif: &[u8]) -> Self {
        let exif = exif.strip_prefix(b"Exif\0\0".as_slice()).unwrap_or(exif);
        read(exif)
            .and_then(|value| u8::try_from(value).ok())
            .filter(|value| (1..=8).contains(value))
            .map_or(Self::NORMAL, Self)
    }

    /// True if width and height of the displayed picture are swapped.
    pub(super) fn is_turned(self) -> bool {
        self.0 >= 5
    }

    /// Content of a JPEG's Exif segment that contains only the orientation.
    pub(super) fn segment(self) -> Vec<u8> {
        let start = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0";
        [start.as_slice(), &[self.0], b"\0\0\0\0\0\0"].concat()
    }
}

/// Reads the value of the orientation from the first directory.
fn read(exif: &[u8]) -> Option<u32> {
    let is_big = match exif.get(..4)? {
        b"MM\0*" => true,
        b"II*\0" => false,
        _ => return None,
    };
    let short = |at| if is_big { big16(exif, at) } else { little16(exif, at) };
    let start = if is_big { big32(exif, 4) } else { little32(exif, 4) };
    let start = usize::try_from(start?).ok()?;
    let count = usize::try_from(short(start)?).ok()?;
    for number in 0..count {
        let entry = start + 2 + number * ENTRY_BYTES;
        if short(entry)? == TAG {
            return short(entry + 8);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orientation_is_read_in_both_byte_orders_and_from_its_own_segment() {
        for value in 1..=8 {
            let big = Orientation(value).segment();
            assert_eq!(Orientation::of(&big), Orientation(value));
            assert_eq!(Orientation::of(&big[6..]), Orientation(value));
            let little =
                [b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".as_slice(), &[value], b"\0\0\0"].concat();
            assert_eq!(Orientation::of(&little), Orientation(value));
        }
        assert_eq!([4, 5, 6, 8].map(|value| Orientation(value).is_turned()), [false, true, true, true]);
    }

    #[test]
    fn broken_metadata_has_normal_orientation() {
        let whole = Orientation(6).segment();
        for end in 0..25 {
            assert_eq!(Orientation::of(&whole[..end]), Orientation::NORMAL, "{end}");
        }
        assert_eq!(Orientation::of(&Orientation(9).segment()), Orientation::NORMAL);
        assert_eq!(Orientation::of(b"MM\0*\xff\xff\xff\xff\0\x01"), Orientation::NORMAL);
    }
}
