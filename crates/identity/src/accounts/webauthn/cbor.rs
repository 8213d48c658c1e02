//! Reader of CBOR (RFC 8949) as authenticators write it: definite lengths only, and little nesting.

/// Maximum depth of skipped arrays and maps.
const MAX_DEPTH: u32 = 8;

/// Reader that consumes a byte string from its start. Every method returns `None` if the next item has
/// another type, or if the input is too short.
pub(super) struct CborReader<'a> {
    rest: &'a [u8],
}

impl<'a> CborReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Returns the bytes that have not been read yet.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Reads an integer.
    pub(super) fn integer(&mut self) -> Option<i64> {
        match self.head()? {
            (0, value) => i64::try_from(value).ok(),
            (1, value) => i64::try_from(value).ok().map(|value| -1 - value),
            _ => None,
        }
    }

    /// Reads a byte string.
    pub(super) fn bytes(&mut self) -> Option<&'a [u8]> {
        match self.head()? {
            (2, length) => self.take(length),
            _ => None,
        }
    }

    /// Reads a text string.
    pub(super) fn text(&mut self) -> Option<&'a str> {
        match self.head()? {
            (3, length) => std::str::from_utf8(self.take(length)?).ok(),
            _ => None,
        }
    }

    /// Reads the start of a map. Returns its number of pairs.
    pub(super) fn map(&mut self) -> Option<u64> {
        match self.head()? {
            (5, pairs) => Some(pairs),
            _ => None,
        }
    }

    /// Skips one item of any type.
    pub(super) fn skip(&mut self) -> Option<()> {
        self.skip_at(0)
    }

    fn skip_at(&mut self, depth: u32) -> Option<()> {
        if depth > MAX_DEPTH {
            return None;
        }
        let (major, value) = self.head()?;
        let items = match major {
            0 | 1 | 7 => 0,
            2 | 3 => {
                self.take(value)?;
                0
            }
            4 => value,
            5 => value.checked_mul(2)?,
            _ => 1,
        };
        // Each item has at least one byte, so the length of the input bounds the loop.
        for _ in 0..items {
            self.skip_at(depth + 1)?;
        }
        Some(())
    }

    /// Reads the type of an item, and its value or length.
    fn head(&mut self) -> Option<(u8, u64)> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        let (major, short) = (first >> 5, first & 0x1f);
        let length = match short {
            0..=23 => return Some((major, u64::from(short))),
            24 => 1,
            25 => 2,
            26 => 4,
            27 => 8,
            _ => return None,
        };
        let bytes = self.take(length)?;
        Some((major, bytes.iter().fold(0, |value, byte| (value << 8) | u64::from(*byte))))
    }

    fn take(&mut self, length: u64) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(usize::try_from(length).ok()?)?;
        self.rest = rest;
        Some(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_of_rfc_8949_are_decoded() {
        assert_eq!(CborReader::new(&[0x0a]).integer(), Some(10));
        assert_eq!(CborReader::new(&[0x19, 0x03, 0xe8]).integer(), Some(1000));
        assert_eq!(CborReader::new(&[0x26]).integer(), Some(-7));
        assert_eq!(CborReader::new(&[0x39, 0x01, 0x00]).integer(), Some(-257));
        assert_eq!(CborReader::new(&[0x44, 1, 2, 3, 4]).bytes(), Some([1, 2, 3, 4].as_slice()));
        assert_eq!(CborReader::new(&[0x64, b'n', b'o', b'n', b'e']).text(), Some("none"));
        assert_eq!(CborReader::new(&[0xa3]).map(), Some(3));
        let mut reader = CborReader::new(&[0xa1, 0x01, 0x82, 0x02, 0xf5, 0x07]);
        assert_eq!((reader.skip(), reader.rest()), (Some(()), [0x07].as_slice()));
    }

    #[test]
    fn short_deep_and_indefinite_input_is_rejected() {
        for bad in [
            &[][..],
            &[0x44, 1, 2],
            &[0x19, 0x03],
            &[0x5f, 0xff],
            &[0x9b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
            &[0xbb, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
            &[0x81; 64],
        ] {
            assert_eq!(CborReader::new(bad).skip(), None, "{bad:?}");
        }
        assert_eq!(CborReader::new(&[0x1b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]).integer(), None);
    }
}
