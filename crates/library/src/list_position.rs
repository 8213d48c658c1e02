//! Positions in lists of a library, which cursors encode: the key of the last object, and the values that were
//! determined with the first page.

use super::search::hits::SearchPosition;
use kernel::Millis;

/// Size of an encoded position, in bytes.
pub const POSITION_BYTES: usize = 31;

/// Position from which a list continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListPosition {
    /// After the object with this time and id.
    Key {
        at: Millis,
        id: u128,
        /// Total number of objects, counted with the first page. A value above 10,000 means that counting
        /// stopped there.
        total: u32,
    },
    /// After this hit of a search.
    Hit(HitPosition),
}

/// Hit after which a search continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HitPosition(pub SearchPosition);

impl ListPosition {
    /// Encodes the position for a cursor.
    pub fn to_bytes(self) -> [u8; POSITION_BYTES] {
        let mut bytes = [0_u8; POSITION_BYTES];
        match self {
            Self::Key { at, id, total } => {
                bytes[1..9].copy_from_slice(&at.to_be_bytes());
                bytes[9..25].copy_from_slice(&id.to_be_bytes());
                bytes[25..29].copy_from_slice(&total.to_be_bytes());
            }
            Self::Hit(HitPosition(after)) => {
                bytes[0] = 1;
                bytes[1..9].copy_from_slice(&after.end.to_be_bytes());
                bytes[9..25].copy_from_slice(&after.id.to_be_bytes());
                bytes[25..29].copy_from_slice(&after.total.to_be_bytes());
                bytes[29..31].copy_from_slice(&after.score.to_be_bytes());
            }
        }
        bytes
    }

    /// Decodes the position from a cursor.
    pub fn from_bytes(bytes: &[u8; POSITION_BYTES]) -> Self {
        let long = |at: usize| {
            let mut eight = [0; 8];
            eight.copy_from_slice(&bytes[at..at + 8]);
            i64::from_be_bytes(eight)
        };
        let id = bytes[9..25].iter().fold(0_u128, |id, byte| id << 8 | u128::from(*byte));
        let total = bytes[25..29].iter().fold(0_u32, |total, byte| total << 8 | u32::from(*byte));
        if bytes[0] == 0 {
            return Self::Key { at: long(1), id, total };
        }
        let score = u16::from_be_bytes([bytes[29], bytes[30]]);
        Self::Hit(HitPosition(SearchPosition { score, id, end: long(1), total }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_position_is_decoded_unchanged() {
        let key = ListPosition::Key { at: -5, id: u128::MAX - 3, total: 10_001 };
        let hit = ListPosition::Hit(HitPosition(SearchPosition { score: 8_765, id: 7, end: 99, total: 12 }));
        for position in [key, hit] {
            assert_eq!(ListPosition::from_bytes(&position.to_bytes()), position);
        }
    }
}
