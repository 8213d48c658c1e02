//! Widths of smaller versions of pictures. There are only a few widths, so that a picture has few versions.

use data_encoding::HEXLOWER;
use entities::picture::Model;
use sha2::{Digest, Sha256};

/// Maximum width of a smaller version of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureWidth(u16);

impl PictureWidth {
    /// Width for rows of lists, and for phones with one device pixel per CSS pixel.
    pub const SMALL: Self = Self(480);
    /// Width for phones, and for texts on screens with one device pixel per CSS pixel.
    pub const MEDIUM: Self = Self(960);
    /// Width for texts on all other screens.
    pub const LARGE: Self = Self(1_600);
    /// All widths, narrowest first.
    pub const ALL: [Self; 3] = [Self::SMALL, Self::MEDIUM, Self::LARGE];

    /// Parses the number of pixels. `None` if there are no versions of this width.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|width| width.0.to_string() == text)
    }

    /// Returns the width in pixels.
    pub fn pixels(self) -> u32 {
        self.0.into()
    }

    /// Returns the query parameter that selects the version.
    pub fn query(self) -> String {
        format!("width={}", self.0)
    }

    /// Returns the width of a stored version. `None` for a picture as fetched.
    pub(super) fn of_row(row: &Model) -> Option<Self> {
        Self::ALL.into_iter().find(|width| i32::from(width.0) == row.max_width)
    }

    /// Returns the hash that identifies the stored version of a picture.
    pub(super) fn hash_of(self, url: &str) -> String {
        HEXLOWER.encode(&Sha256::digest(format!("{} {url}", self.0).as_bytes()))
    }

    /// Returns the value of the column.
    pub(super) fn column(self) -> i32 {
        self.0.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_offered_widths_are_parsed() {
        for width in PictureWidth::ALL {
            assert_eq!(PictureWidth::parse(&width.pixels().to_string()), Some(width));
            assert_eq!(width.query(), format!("width={}", width.pixels()));
        }
        for invalid in ["", "0", "481", "0480", "+480", "4800", "-480", "480px"] {
            assert_eq!(PictureWidth::parse(invalid), None, "{invalid}");
        }
    }
}
