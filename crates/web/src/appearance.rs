//! Appearance of pages: theme, text size, width, font, line spacing, pictures, and scrolling. It is stored in
//! a cookie, so that it works without scripts and without an account, and with the account of a signed-in person, so
//! that it applies to all browsers of the account, unless the cookie is marked.

use maud::{Markup, html};
use poem::Request;

use super::language::text::Text;
use http_kit::auth;
use http_kit::config::Origin;

/// Name of the appearance cookie.
const COOKIE: &str = "carrel_look";
/// Lifetime of the appearance cookie, in seconds.
const COOKIE_SECONDS: u32 = 365 * 86_400;
/// Word after the settings in a cookie that also applies to a signed-in person.
const BROWSER_MARK: &str = "browser";
/// Name of the setting that applies to lists of entries only.
const SCROLL: &str = "scroll";
/// Name of the setting that applies to lists of entries and items only.
pub(super) const DENSITY: &str = "density";

/// Appearance setting.
pub(super) struct Setting {
    pub(super) name: &'static str,
    pub(super) label: Text,
    /// Values with their labels. The first value is the default.
    pub(super) values: &'static [(&'static str, Text)],
}

/// All settings, in the order in which the cookie stores them.
pub(super) const SETTINGS: [Setting; 8] = [
    Setting {
        name: "theme",
        label: Text("appearance-theme"),
        values: &[
            ("auto", Text("appearance-theme-auto")),
            ("light", Text("appearance-theme-light")),
            ("sepia", Text("appearance-theme-sepia")),
            ("dark", Text("appearance-theme-dark")),
        ],
    },
    Setting {
        name: "size",
        label: Text("appearance-size"),
        values: &[
            ("m", Text("appearance-size-m")),
            ("s", Text("appearance-size-s")),
            ("l", Text("appearance-size-l")),
            ("xl", Text("appearance-size-xl")),
        ],
    },
    Setting {
        name: "width",
        label: Text("appearance-width"),
        values: &[
            ("medium", Text("appearance-width-medium")),
            ("narrow", Text("appearance-width-narrow")),
            ("wide", Text("appearance-width-wide")),
        ],
    },
    Setting {
        name: "face",
        label: Text("appearance-face"),
        values: &[("serif", Text("appearance-face-serif")), ("sans", Text("appearance-face-sans"))],
    },
    Setting {
        name: SCROLL,
        label: Text("appearance-scroll"),
        values: &[("open", Text("appearance-scroll-open")), ("pass", Text("appearance-scroll-pass"))],
    },
    Setting {
        name: "pictures",
        label: Text("appearance-pictures"),
        values: &[("show", Text("appearance-pictures-show")), ("hide", Text("appearance-pictures-hide"))],
    },
    Setting {
        name: "spacing",
        label: Text("appearance-spacing"),
        values: &[
            ("normal", Text("appearance-spacing-normal")),
            ("tight", Text("appearance-spacing-tight")),
            ("loose", Text("appearance-spacing-loose")),
        ],
    },
    Setting {
        name: DENSITY,
        label: Text("appearance-density"),
        values: &[
            ("cosy", Text("appearance-density-cosy")),
            ("compact", Text("appearance-density-compact")),
            ("magazine", Text("appearance-density-magazine")),
        ],
    },
];

impl Setting {
    /// True if the setting changes the appearance of texts.
    pub(super) fn is_for_texts(&self) -> bool {
        self.name != SCROLL && self.name != DENSITY
    }

    /// Renders the choice of a value. `None` selects no value, for pages that are the same for all browsers:
    /// their stylesheet and their script mark the current value.
    pub(super) fn field(&self, appearance: Option<Appearance>) -> Markup {
        html! {
            fieldset {
                legend { (self.label) }
                div.line { @for (word, label) in self.values {
                    label.choice {
                        input type="radio" name=(self.name) value=(word)
                            checked[appearance.is_some_and(|appearance| appearance.has(self, word))];
                        span { (label) }
                    }
                } }
            }
        }
    }
}

/// Density of lists of entries and items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Density {
    /// Rows with an excerpt and the icon of the site.
    Cosy,
    /// Titles only.
    Compact,
    /// Rows with an excerpt and a picture.
    Magazine,
}

/// Browsers to which the appearance of a signed-in person applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AppearanceScope {
    /// All browsers of the account, except those with a separate appearance.
    Account,
    /// Only the browser with the cookie.
    Browser,
}

impl AppearanceScope {
    /// Reads the scope from the browser's cookie.
    pub(super) fn of(request: &Request) -> Self {
        let words = auth::cookie(request, COOKIE).unwrap_or_default();
        let is_marked = words.split('.').nth(SETTINGS.len()) == Some(BROWSER_MARK);
        if is_marked { Self::Browser } else { Self::Account }
    }
}

/// Index of the selected value of each setting.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Appearance([usize; SETTINGS.len()]);

impl Appearance {
    /// Reads the settings from the browser's cookie.
    pub(super) fn of(request: &Request) -> Self {
        Self::parse(auth::cookie(request, COOKIE).unwrap_or_default())
    }

    /// Returns the appearance of a signed-in person's pages. `stored` is the appearance of the account, if it has
    /// stored one.
    pub(super) fn of_person(request: &Request, stored: Option<&str>) -> Self {
        match (AppearanceScope::of(request), stored) {
            (AppearanceScope::Account, Some(stored)) => Self::parse(stored),
            (AppearanceScope::Account, None) | (AppearanceScope::Browser, _) => Self::of(request),
        }
    }

    /// Parses the values of all settings, as the cookie stores them.
    fn parse(words: &str) -> Self {
        let mut words = words.split('.');
        Self::chosen(|_| words.next().unwrap_or_default())
    }

    /// Creates the appearance from the values that `value` returns for the settings' names. Unknown values
    /// become defaults.
    pub(super) fn chosen<'a>(mut value: impl FnMut(&str) -> &'a str) -> Self {
        Self(SETTINGS.each_ref().map(|setting| {
            let chosen = value(setting.name);
            setting.values.iter().position(|(known, _)| *known == chosen).unwrap_or(0)
        }))
    }

    /// Returns the value of the setting with this name. `None` if it is the default.
    pub(super) fn value_of(self, name: &str) -> Option<&'static str> {
        let at = SETTINGS.iter().position(|setting| setting.name == name)?;
        let index = self.0[at];
        (index > 0).then(|| SETTINGS[at].values[index].0)
    }

    /// Returns the appearance with another value of one setting. An unknown value becomes the default.
    pub(super) fn with(self, name: &str, value: &str) -> Self {
        Self::chosen(|known| if known == name { value } else { self.value_of(known).unwrap_or_default() })
    }

    /// Returns the density of lists.
    pub(super) fn density(self) -> Density {
        match self.value_of(DENSITY) {
            Some("compact") => Density::Compact,
            Some("magazine") => Density::Magazine,
            _ => Density::Cosy,
        }
    }

    /// True if `chosen` is the selected value of the setting.
    pub(super) fn has(self, setting: &Setting, chosen: &str) -> bool {
        let at = SETTINGS.iter().position(|one| one.name == setting.name).unwrap_or(0);
        setting.values[self.0[at]].0 == chosen
    }

    /// Returns the cookie's value.
    pub(super) fn cookie(self) -> String {
        let words = SETTINGS.iter().zip(self.0).map(|(setting, index)| setting.values[index].0);
        words.collect::<Vec<_>>().join(".")
    }

    /// Returns the `Set-Cookie` line for pages of `origin`.
    pub(super) fn cookie_line(self, origin: &Origin, scope: AppearanceScope) -> String {
        let secure = if origin.is_secure() { "; Secure" } else { "" };
        let value = match scope {
            AppearanceScope::Account => self.cookie(),
            AppearanceScope::Browser => format!("{}.{BROWSER_MARK}", self.cookie()),
        };
        format!("{COOKIE}={value}; Path=/; Max-Age={COOKIE_SECONDS}; HttpOnly; SameSite=Lax{secure}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn appearance_round_trips_and_unknown_values_become_defaults() {
        let words =
            [("theme", "dark"), ("size", "xl"), ("width", "endless"), ("face", "sans"), ("scroll", "pass")];
        let of = |name: &str| words.iter().find(|(known, _)| *known == name).map_or("", |(_, chosen)| chosen);
        let appearance = Appearance::chosen(of);
        assert_eq!(appearance.cookie(), "dark.xl.medium.sans.pass.show.normal.cosy");
        assert_eq!(
            appearance.with(DENSITY, "compact").cookie(),
            "dark.xl.medium.sans.pass.show.normal.compact"
        );
        assert_eq!(appearance.density(), Density::Cosy);
        assert_eq!(appearance.with(DENSITY, "magazine").density(), Density::Magazine);
        assert_eq!(appearance.value_of("theme"), Some("dark"));
        assert_eq!(appearance.value_of("width"), None);
        let before = Request::builder().header("cookie", "carrel_look=dark.xl.medium.sans").finish();
        assert_eq!(
            Appearance::of(&before).value_of("face"),
            Some("sans"),
            "a cookie of an earlier version is accepted"
        );
        let request = Request::builder().header("cookie", "carrel_look=dark.xl.medium.sans.pass").finish();
        assert_eq!(Appearance::of(&request), appearance);
        assert_eq!(Appearance::of(&Request::builder().finish()), Appearance::default());
    }

    #[test]
    fn marked_cookie_precedes_the_appearance_of_the_account() {
        let with_cookie =
            |value: &str| Request::builder().header("cookie", format!("carrel_look={value}")).finish();
        let dark = Appearance::default().with("theme", "dark");
        let (unmarked, marked) = (dark.cookie(), format!("{}.browser", dark.cookie()));
        for (cookie, stored, scope, theme) in [
            (unmarked.as_str(), None, AppearanceScope::Account, Some("dark")),
            (unmarked.as_str(), Some("sepia"), AppearanceScope::Account, Some("sepia")),
            (unmarked.as_str(), Some("auto"), AppearanceScope::Account, None),
            (marked.as_str(), Some("sepia"), AppearanceScope::Browser, Some("dark")),
            (marked.as_str(), None, AppearanceScope::Browser, Some("dark")),
            ("", Some("sepia"), AppearanceScope::Account, Some("sepia")),
        ] {
            let request = with_cookie(cookie);
            assert_eq!(AppearanceScope::of(&request), scope, "{cookie}");
            let appearance = Appearance::of_person(&request, stored);
            assert_eq!(appearance.value_of("theme"), theme, "{cookie} {stored:?}");
            assert_eq!(Appearance::of(&request).value_of("theme"), (!cookie.is_empty()).then_some("dark"));
        }
        let origin: Origin = "https://example.org".parse().unwrap();
        let line = dark.cookie_line(&origin, AppearanceScope::Browser);
        assert!(line.starts_with(&format!("carrel_look={marked}; ")), "{line}");
    }
}
