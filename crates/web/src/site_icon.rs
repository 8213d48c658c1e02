//! Icon of the installation as SVG and PNG, in the colour of the installation. The PNG files have a palette
//! from the background to the lines of the icon, so another colour only replaces the palette.

use std::borrow::Cow;

use http_kit::config::SiteColor;

use super::site_color::{icon_ground, text_of_color};

const SVG: &str = include_str!("icon.svg");
const SMALL: &[u8] = include_bytes!("icon-192.png");
const LARGE: &[u8] = include_bytes!("icon-512.png");

/// Background colour of the built-in icon.
pub(super) const GROUND: [u8; 3] = [0x7a, 0x3b, 0x1d];
/// Colour of the icon's lines.
const LINES: [u8; 3] = [0xfd, 0xf8, 0xef];
/// Position of the palette chunk's type in the PNG files, after the signature, the header chunk, and the
/// palette's length.
const PALETTE_AT: usize = 37;
/// Length of the palette chunk's type, its 16 colours, and its checksum.
const PALETTE_BYTES: usize = 4 + 3 * 16 + 4;
/// Index of the last colour of the palette, which is the colour of the lines.
const LAST_SHADE: u16 = 15;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IconFormat {
    /// Any size.
    Svg,
    /// PNG of 192 × 192 pixels, also for home screens of phones.
    Small,
    /// PNG of 512 × 512 pixels. The lines are within the area that icon masks leave visible.
    Large,
}

impl IconFormat {
    pub(super) const ALL: [Self; 3] = [Self::Svg, Self::Small, Self::Large];

    /// Returns the file name without the hash: its beginning and its ending.
    pub(super) const fn stem(self) -> (&'static str, &'static str) {
        match self {
            Self::Svg => ("icon", "svg"),
            Self::Small => ("icon-192", "png"),
            Self::Large => ("icon-512", "png"),
        }
    }

    pub(super) const fn media_type(self) -> &'static str {
        match self {
            Self::Svg => "image/svg+xml",
            Self::Small | Self::Large => "image/png",
        }
    }

    /// Returns the file in the colour of the installation. `None` means the built-in colour.
    pub(super) fn content(self, color: Option<SiteColor>) -> Cow<'static, [u8]> {
        let file = match self {
            Self::Svg => SVG.as_bytes(),
            Self::Small => SMALL,
            Self::Large => LARGE,
        };
        let Some(ground) = color.map(icon_ground) else { return Cow::Borrowed(file) };
        Cow::Owned(match self {
            Self::Svg => SVG.replace(&text_of_color(GROUND), &text_of_color(ground)).into_bytes(),
            Self::Small | Self::Large => with_ground(file, ground),
        })
    }
}

/// Replaces the palette of a PNG file.
fn with_ground(png: &[u8], ground: [u8; 3]) -> Vec<u8> {
    let (Some(before), Some(after)) = (png.get(..PALETTE_AT), png.get(PALETTE_AT + PALETTE_BYTES..)) else {
        return png.to_vec();
    };
    let mut chunk = b"PLTE".to_vec();
    for step in 0..=LAST_SHADE {
        for (from, to) in ground.into_iter().zip(LINES) {
            let mixed = (u16::from(from) * (LAST_SHADE - step) + u16::from(to) * step) / LAST_SHADE;
            chunk.push(u8::try_from(mixed).unwrap_or(u8::MAX));
        }
    }
    [before, chunk.as_slice(), &checksum(&chunk).to_be_bytes(), after].concat()
}

/// Returns the checksum of a PNG chunk: CRC-32 of its type and data.
fn checksum(bytes: &[u8]) -> u32 {
    let shift = |crc: u32| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| shift(crc)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn icon_has_the_color_of_the_installation() {
        assert_eq!(checksum(b"IEND"), 0xae42_6082);
        for png in [SMALL, LARGE] {
            assert_eq!(with_ground(png, GROUND), png, "the built-in palette is the computed one");
        }
        let blue = Some(SiteColor([0, 0, 0x99]));
        for format in IconFormat::ALL {
            let (own, colored) = (format.content(None), format.content(blue));
            assert!(own != colored && own.len() == colored.len(), "{format:?}");
        }
        let svg = String::from_utf8(IconFormat::Svg.content(blue).into_owned()).unwrap();
        assert!(svg.contains("#000099") && !svg.contains("#7a3b1d"), "{svg}");
    }
}
