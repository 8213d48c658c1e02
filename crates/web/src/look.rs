//! How a person wants pages to look and to behave: the theme, size, width and face of texts, and what scrolling does. It
//! stands in a cookie, so that it holds for a browser and works without scripts.

use poem::Request;

use http_kit::auth;

/// The cookie.
pub(super) const COOKIE: &str = "carrel_look";

/// Something that can be chosen: its name in forms and on the page, what it is called, and its values with the usual
/// one first.
pub(super) struct Setting {
    /// Its name.
    pub(super) name: &'static str,
    /// What it is called.
    pub(super) label: &'static str,
    /// Words and what they are called. The first is what holds when nothing was chosen.
    pub(super) values: &'static [(&'static str, &'static str)],
}

/// All that can be chosen, in the order of the cookie.
pub(super) const SETTINGS: [Setting; 6] = [
    Setting {
        name: "theme",
        label: "Colours",
        values: &[("auto", "As the device"), ("light", "Light"), ("dark", "Dark")],
    },
    Setting {
        name: "size",
        label: "Size of texts",
        values: &[("m", "Medium"), ("s", "Small"), ("l", "Large"), ("xl", "Very large")],
    },
    Setting {
        name: "width",
        label: "Width of texts",
        values: &[("medium", "Medium"), ("narrow", "Narrow"), ("wide", "Wide")],
    },
    Setting {
        name: "face",
        label: "Letters of texts",
        values: &[("serif", "With serifs"), ("sans", "Without")],
    },
    Setting {
        name: "scroll",
        label: "Entries are marked as read",
        values: &[("open", "When I open them"), ("pass", "Also when I scroll past them (needs scripts)")],
    },
    Setting {
        name: "pictures",
        label: "Pictures in texts",
        values: &[("show", "Show them"), ("hide", "Show their words alone, with a link to each")],
    },
];

/// What was chosen: the place of each value among those of its setting.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Look([usize; SETTINGS.len()]);

impl Look {
    /// What the browser keeps.
    pub(super) fn of(request: &Request) -> Self {
        let words = auth::cookie(request, COOKIE).unwrap_or_default();
        let mut words = words.split('.');
        Self::chosen(|_| words.next().unwrap_or_default())
    }

    /// What `value` says of each setting by its name; the usual one for a word that is none.
    pub(super) fn chosen<'a>(mut value: impl FnMut(&str) -> &'a str) -> Self {
        Self(SETTINGS.each_ref().map(|setting| {
            let word = value(setting.name);
            setting.values.iter().position(|(known, _)| *known == word).unwrap_or(0)
        }))
    }

    /// The word of the setting of this name, unless it is the usual one.
    pub(super) fn word(self, name: &str) -> Option<&'static str> {
        let at = SETTINGS.iter().position(|setting| setting.name == name)?;
        let place = self.0[at];
        (place > 0).then(|| SETTINGS[at].values[place].0)
    }

    /// Whether this value of this setting is chosen.
    pub(super) fn has(self, setting: &Setting, word: &str) -> bool {
        let at = SETTINGS.iter().position(|one| one.name == setting.name).unwrap_or(0);
        setting.values[self.0[at]].0 == word
    }

    /// As the cookie carries it.
    pub(super) fn cookie(self) -> String {
        let words = SETTINGS.iter().zip(self.0).map(|(setting, place)| setting.values[place].0);
        words.collect::<Vec<_>>().join(".")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_chosen_comes_back_and_nonsense_is_the_usual() {
        let words =
            [("theme", "dark"), ("size", "xl"), ("width", "endless"), ("face", "sans"), ("scroll", "pass")];
        let of = |name: &str| words.iter().find(|(known, _)| *known == name).map_or("", |(_, word)| word);
        let look = Look::chosen(of);
        assert_eq!(look.cookie(), "dark.xl.medium.sans.pass.show");
        assert_eq!(look.word("theme"), Some("dark"));
        assert_eq!(look.word("width"), None);
        let before = Request::builder().header("cookie", "carrel_look=dark.xl.medium.sans").finish();
        assert_eq!(Look::of(&before).word("face"), Some("sans"), "from before there were so many");
        let request = Request::builder().header("cookie", "carrel_look=dark.xl.medium.sans.pass").finish();
        assert_eq!(Look::of(&request), look);
        assert_eq!(Look::of(&Request::builder().finish()), Look::default());
    }
}
