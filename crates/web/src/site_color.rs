//! Stylesheet with the colour of an installation. The colour is mixed with black or white until texts in it
//! are readable on every background of the pages, in each theme.

use http_kit::config::SiteColor;

/// Darkest background of light themes: `--wash` of the theme `sepia` in `carrel.css`.
const LIGHT_GROUND: [u8; 3] = [0xec, 0xdf, 0xc6];
/// Lightest background of the dark theme: its `--wash` in `carrel.css`.
const DARK_GROUND: [u8; 3] = [0x24, 0x21, 0x1c];
/// Minimum contrast of texts (WCAG 2.2, level AA).
const MIN_CONTRAST: f64 = 4.5;
/// Number of mixtures that are tried.
const STEPS: u16 = 20;

/// Returns the stylesheet, which follows the general one.
pub(super) fn stylesheet(SiteColor(color): SiteColor) -> String {
    let [light, dark] =
        [readable(color, LIGHT_GROUND, 0), readable(color, DARK_GROUND, u8::MAX)].map(text_of_color);
    format!(":root {{ --accent: light-dark({light}, {dark}); }}\n")
}

/// Returns the background of the installation's icon, dark enough for its light lines.
pub(super) fn icon_ground(SiteColor(color): SiteColor) -> [u8; 3] {
    readable(color, LIGHT_GROUND, 0)
}

/// Mixes a colour with the grey `toward` until it is readable on `ground`.
fn readable(color: [u8; 3], ground: [u8; 3], toward: u8) -> [u8; 3] {
    let mixture = |step: u16| {
        color.map(|channel| {
            let mixed = (u16::from(channel) * (STEPS - step) + u16::from(toward) * step) / STEPS;
            u8::try_from(mixed).unwrap_or(toward)
        })
    };
    (0..=STEPS).map(mixture).find(|mixed| contrast(*mixed, ground) >= MIN_CONTRAST).unwrap_or([toward; 3])
}

/// Returns the contrast of two colours as WCAG defines it, from 1 to 21.
fn contrast(first: [u8; 3], second: [u8; 3]) -> f64 {
    let (first, second) = (luminance(first), luminance(second));
    (first.max(second) + 0.05) / (first.min(second) + 0.05)
}

/// Returns the relative luminance of a colour, from 0 to 1.
fn luminance(color: [u8; 3]) -> f64 {
    let [red, green, blue] = color.map(|channel| {
        let value = f64::from(channel) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    });
    0.2126_f64.mul_add(red, 0.7152_f64.mul_add(green, 0.0722 * blue))
}

/// Formats a colour for stylesheets: `#7a3b1d`.
pub(super) fn text_of_color([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readable_color_is_unchanged_and_others_are_mixed() {
        assert!(stylesheet(SiteColor([0x7a, 0x3b, 0x1d])).contains("light-dark(#7a3b1d, "));
        for color in [[0, 0, 0], [255, 255, 255], [255, 255, 0], [0, 0, 255], [128, 128, 128]] {
            assert!(contrast(readable(color, LIGHT_GROUND, 0), LIGHT_GROUND) >= MIN_CONTRAST, "{color:?}");
            assert!(contrast(readable(color, DARK_GROUND, 255), DARK_GROUND) >= MIN_CONTRAST, "{color:?}");
        }
        assert_eq!(stylesheet(SiteColor([0, 0, 0])).lines().count(), 1);
    }

    #[test]
    fn backgrounds_equal_those_of_the_stylesheet() {
        let style = include_str!("carrel.css");
        for ground in [LIGHT_GROUND, DARK_GROUND] {
            assert!(
                style.contains(&text_of_color(ground)),
                "{} is no colour of carrel.css",
                text_of_color(ground)
            );
        }
    }
}
