//! Name, colour, and welcome text of an installation.

use std::str::FromStr;

use super::sources::Variables;

/// Default name of an installation.
const DEFAULT_NAME: &str = "Carrel";
/// Maximum length of the name, in characters. A name of this length fits into the header together with the navigation
/// and a title.
const NAME_CHARS: usize = 40;
/// Maximum length of the welcome text, in characters.
const WELCOME_CHARS: usize = 500;

/// Name, colour, and welcome text that an installation displays on its pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteSettings {
    /// `CARREL_SITE_NAME`: name in headers, titles, and the web app manifest.
    pub name: String,
    /// `CARREL_SITE_COLOR`: colour of links and buttons. `None` means the built-in colour.
    pub color: Option<SiteColor>,
    /// `CARREL_SITE_WELCOME`: text at the top of the start page.
    pub welcome: Option<String>,
}

/// Colour in sRGB: red, green, and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SiteColor(pub [u8; 3]);

impl FromStr for SiteColor {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const RULE: &str = "must be a colour such as #7a3b1d";
        let is_color =
            |digits: &&str| digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let digits = text.strip_prefix('#').filter(is_color).ok_or(RULE)?;
        let [_, red, green, blue] = u32::from_str_radix(digits, 16).map_err(|_| RULE)?.to_be_bytes();
        Ok(Self([red, green, blue]))
    }
}

/// Line of plain text with at most `CHARS` characters.
struct PlainTextLine<const CHARS: usize>(String);

impl<const CHARS: usize> FromStr for PlainTextLine<CHARS> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.chars().count() > CHARS || text.chars().any(char::is_control) {
            return Err(format!("must be one line of at most {CHARS} characters"));
        }
        Ok(Self(text.to_owned()))
    }
}

pub(super) fn read(variables: &mut Variables) -> SiteSettings {
    let name = variables.optional::<PlainTextLine<NAME_CHARS>>("CARREL_SITE_NAME");
    let welcome = variables.optional::<PlainTextLine<WELCOME_CHARS>>("CARREL_SITE_WELCOME");
    SiteSettings {
        name: name.map_or_else(|| DEFAULT_NAME.to_owned(), |PlainTextLine(name)| name),
        color: variables.optional("CARREL_SITE_COLOR"),
        welcome: welcome.map(|PlainTextLine(welcome)| welcome),
    }
}
