//! Appearance of pages: theme, text size, width, font, line spacing, pictures, and scrolling. It is stored in a
//! cookie, so it works without scripts and without an account. The appearance of a signed-in person is also stored
//! with the account, and applies to all browsers of the account except those whose cookie is marked.

use maud::{Markup, html};
use poem::Request;

use super::face_name::{FaceName, MAX_FACE_NAME};
use super::language::text::Text;
use http_kit::auth;
use http_kit::config::Origin;

/// Name of the appearance cookie.
const COOKIE: &str = "carrel_look";
/// Lifetime of the appearance cookie, in seconds.
const COOKIE_SECONDS: u32 = 365 * 86_400;
/// Mark after the settings in a cookie that overrides the appearance stored with the account.
const BROWSER_MARK: &str = "browser";
/// Name of the setting that applies to lists of entries only.
const SCROLL: &str = "scroll";
/// Name of the setting that applies to lists of entries and items only.
pub(super) const DENSITY: &str = "density";
/// Name of the font setting.
const FACE: &str = "face";
/// Value of that setting for an installed font of the person's device.
const OWN_FACE: &str = "own";
/// Name of the field with the name of that font.
pub(super) const FACE_NAME: &str = "faceName";
/// Name of the buttons that change a setting by one step. Their values are the setting and the direction.
pub(super) const STEP: &str = "step";
const LESS: &str = "less";
const MORE: &str = "more";

/// Appearance setting.
pub(super) struct Setting {
    pub(super) name: &'static str,
    pub(super) label: Text,
    pub(super) values: Values,
}

/// Values of a setting.
pub(super) enum Values {
    /// Values with their labels. The first value is the default.
    Choices(&'static [(&'static str, Text)]),
    /// Values from the lowest to the highest, which buttons change by one step, and the index of the default.
    Steps(&'static [&'static str], usize),
}

/// All settings, in the order in which the cookie stores them.
pub(super) const SETTINGS: [Setting; 9] = [
    Setting {
        name: "theme",
        label: Text("appearance-theme"),
        values: Values::Choices(&[
            ("auto", Text("appearance-theme-auto")),
            ("light", Text("appearance-theme-light")),
            ("sepia", Text("appearance-theme-sepia")),
            ("dark", Text("appearance-theme-dark")),
        ]),
    },
    Setting {
        name: "size",
        label: Text("appearance-size"),
        values: Values::Steps(&["xxs", "xs", "s", "m", "ml", "l", "lx", "xl", "xxl", "xxxl", "huge"], 3),
    },
    Setting {
        name: "width",
        label: Text("appearance-width"),
        values: Values::Steps(&["slim", "narrow", "medium", "broad", "wide", "wider", "full"], 2),
    },
    Setting {
        name: FACE,
        label: Text("appearance-face"),
        values: Values::Choices(&[
            ("serif", Text("appearance-face-serif")),
            ("sans", Text("appearance-face-sans")),
            ("legible", Text("appearance-face-legible")),
            ("mono", Text("appearance-face-mono")),
            (OWN_FACE, Text("appearance-face-own")),
        ]),
    },
    Setting {
        name: SCROLL,
        label: Text("appearance-scroll"),
        values: Values::Choices(&[
            ("open", Text("appearance-scroll-open")),
            ("pass", Text("appearance-scroll-pass")),
        ]),
    },
    Setting {
        name: "pictures",
        label: Text("appearance-pictures"),
        values: Values::Choices(&[
            ("show", Text("appearance-pictures-show")),
            ("hide", Text("appearance-pictures-hide")),
        ]),
    },
    Setting {
        name: "spacing",
        label: Text("appearance-spacing"),
        values: Values::Steps(&["dense", "tight", "normal", "airy", "loose", "double"], 2),
    },
    Setting {
        name: DENSITY,
        label: Text("appearance-density"),
        values: Values::Choices(&[
            ("cosy", Text("appearance-density-cosy")),
            ("compact", Text("appearance-density-compact")),
            ("magazine", Text("appearance-density-magazine")),
        ]),
    },
    Setting {
        name: "paged",
        label: Text("appearance-paged"),
        values: Values::Choices(&[
            ("off", Text("appearance-paged-off")),
            ("on", Text("appearance-paged-on")),
        ]),
    },
];

impl Setting {
    /// Returns true if the setting changes the appearance of texts.
    pub(super) fn is_for_texts(&self) -> bool {
        self.name != SCROLL && self.name != DENSITY
    }

    /// Returns the values with labels. Empty if the values are steps.
    pub(super) fn choices(&self) -> &'static [(&'static str, Text)] {
        match self.values {
            Values::Choices(choices) => choices,
            Values::Steps(..) => &[],
        }
    }

    fn value(&self, index: usize) -> &'static str {
        match self.values {
            Values::Choices(choices) => choices[index].0,
            Values::Steps(values, _) => values[index],
        }
    }

    const fn default_index(&self) -> usize {
        match self.values {
            Values::Choices(_) => 0,
            Values::Steps(_, default) => default,
        }
    }

    /// Returns the index of a value. An unknown value has the index of the default.
    fn index_of(&self, value: &str) -> usize {
        let index = match self.values {
            Values::Choices(choices) => choices.iter().position(|(known, _)| *known == value),
            Values::Steps(values, _) => values.iter().position(|known| *known == value),
        };
        index.unwrap_or_else(|| self.default_index())
    }

    /// Renders the field that selects a value. `None` selects no value, for pages that are identical for all
    /// browsers: their stylesheet and script mark the current value.
    pub(super) fn field(&self, appearance: Option<Appearance>) -> Markup {
        match self.values {
            Values::Choices(choices) => self.choice_field(choices, appearance),
            Values::Steps(values, default) => self.step_field(values, default, appearance),
        }
    }

    fn choice_field(
        &self,
        choices: &'static [(&'static str, Text)],
        appearance: Option<Appearance>,
    ) -> Markup {
        html! {
            fieldset {
                legend { (self.label) }
                div.line { @for (word, label) in choices {
                    label.choice {
                        input type="radio" name=(self.name) value=(word)
                            checked[appearance.is_some_and(|appearance| appearance.has(self, word))];
                        span { (label) }
                    }
                } }
                @if let Some(appearance) = appearance.filter(|_| self.name == FACE) { (face_name_field(appearance)) }
            }
        }
    }

    /// Renders two buttons, which save the form with the next lower or higher value. The script of reading pages
    /// reads the values from the attributes.
    fn step_field(
        &self,
        values: &'static [&'static str],
        default: usize,
        appearance: Option<Appearance>,
    ) -> Markup {
        let index = appearance.map(|appearance| appearance.index_of(self.name));
        let button = |word: &str, sign: &str, hint: Text, is_last: bool| {
            let label = format!("{}: {}", self.label.get(), hint.get());
            html! {
                button.secondary type="submit" name=(STEP) value={ (self.name) "-" (word) } aria-label=(label) disabled[is_last] { (sign) }
            }
        };
        html! {
            fieldset id=(self.name) data-steps=(values.join(" ")) data-default=(values[default]) {
                legend { (self.label) }
                div.line.steps {
                    (button(LESS, "−", Text("appearance-less"), index == Some(0)))
                    output { @if let Some(index) = index { (index + 1) " / " (values.len()) } }
                    (button(MORE, "+", Text("appearance-more"), index == Some(values.len() - 1)))
                }
                @if let Some(index) = index { input type="hidden" name=(self.name) value=(values[index]); }
            }
        }
    }
}

/// Renders a hidden button for the Enter key, for forms with steps. Otherwise, Enter would press the first visible
/// button, which changes a setting by one step.
pub(super) fn default_button() -> Markup {
    html! { button.hidden type="submit" tabindex="-1" aria-hidden="true" {} }
}

/// Returns the URL fragment of the setting that a button changed, so that the page scrolls back to the button.
pub(super) fn fragment_of(pressed: &str) -> String {
    let name = pressed.split_once('-').map_or("", |(name, _)| name);
    let is_known = SETTINGS.iter().any(|setting| setting.name == name);
    if is_known { format!("#{name}") } else { String::new() }
}

fn face_name_field(appearance: Appearance) -> Markup {
    let name = appearance.face_name.as_ref().map(FaceName::as_str);
    html! {
        label for=(FACE_NAME) { (Text("appearance-face-name")) }
        input id=(FACE_NAME) type="text" name=(FACE_NAME) value=[name] maxlength=(MAX_FACE_NAME) pattern="[A-Za-z0-9 \\-]*"
            autocomplete="off" spellcheck="false" aria-describedby="faceName-hint";
        p.small.soft #faceName-hint { (Text("appearance-face-name-hint")) }
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
        // Cookies of earlier versions have fewer settings.
        let is_marked = words.split('.').next_back() == Some(BROWSER_MARK);
        if is_marked { Self::Browser } else { Self::Account }
    }
}

/// Selected value of each setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Appearance {
    /// Index of the value of each setting.
    indexes: [usize; SETTINGS.len()],
    /// Installed font of the person's device.
    face_name: Option<FaceName>,
}

impl Default for Appearance {
    fn default() -> Self {
        Self { indexes: SETTINGS.each_ref().map(Setting::default_index), face_name: None }
    }
}

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
        let face_name = words.split('.').find_map(FaceName::of_word);
        let mut words = words.split('.');
        Self { face_name, ..Self::chosen(|_| words.next().unwrap_or_default()) }
    }

    /// Creates the appearance from the values that `value` returns for the settings' names. Unknown values
    /// become defaults.
    pub(super) fn chosen<'a>(mut value: impl FnMut(&str) -> &'a str) -> Self {
        let indexes = SETTINGS.each_ref().map(|setting| setting.index_of(value(setting.name)));
        Self { indexes, face_name: None }
    }

    /// Returns the value of the setting with this name. `None` if it is the default.
    pub(super) fn value_of(self, name: &str) -> Option<&'static str> {
        let at = SETTINGS.iter().position(|setting| setting.name == name)?;
        let index = self.indexes[at];
        (index != SETTINGS[at].default_index()).then(|| SETTINGS[at].value(index))
    }

    /// Returns the appearance with another value of one setting. An unknown value becomes the default.
    pub(super) fn with(self, name: &str, value: &str) -> Self {
        let chosen =
            Self::chosen(
                |known| {
                    if known == name { value } else { self.value_of(known).unwrap_or_default() }
                },
            );
        Self { face_name: self.face_name, ..chosen }
    }

    /// Returns the appearance after a button with the value `pressed` changed a setting by one step. Other values
    /// change nothing.
    #[must_use]
    pub(super) fn stepped(mut self, pressed: &str) -> Self {
        let Some((name, direction)) = pressed.split_once('-') else { return self };
        for (setting, index) in SETTINGS.iter().zip(&mut self.indexes) {
            if let Values::Steps(values, _) = setting.values
                && setting.name == name
            {
                *index = match direction {
                    LESS => index.saturating_sub(1),
                    MORE => (*index + 1).min(values.len() - 1),
                    _ => *index,
                };
            }
        }
        self
    }

    /// Returns the appearance with the name of a font that a person typed. Blank means no font. `None` if the name is
    /// invalid, or if the selected font has no name.
    pub(super) fn with_face_name(self, typed: &str) -> Option<Self> {
        let face_name = match typed.trim() {
            "" => None,
            name => Some(FaceName::parse(name)?),
        };
        Self { face_name, ..self }.with_known_face()
    }

    /// Returns the appearance with the font name of `other`. `None` if the selected font has no name.
    pub(super) fn with_face_name_of(self, other: Self) -> Option<Self> {
        Self { face_name: other.face_name, ..self }.with_known_face()
    }

    fn with_known_face(self) -> Option<Self> {
        let is_known = self.face_name.is_some() || self.value_of(FACE) != Some(OWN_FACE);
        is_known.then_some(self)
    }

    /// Returns the path of the stylesheet with the installed font that the person chose. `None` if another font is
    /// selected.
    pub(super) fn face_path(self) -> Option<String> {
        let name = self.face_name.filter(|_| self.value_of(FACE) == Some(OWN_FACE))?;
        Some(name.stylesheet_path())
    }

    /// Renders the link to the stylesheet with the installed font that the person chose. Empty if another font is
    /// selected.
    pub(super) fn face_link(self) -> Markup {
        html! { @if let Some(path) = self.face_path() { link rel="stylesheet" href=(path); } }
    }

    fn index_of(self, name: &str) -> usize {
        let at = SETTINGS.iter().position(|setting| setting.name == name).unwrap_or(0);
        self.indexes[at]
    }

    /// Returns the density of lists.
    pub(super) fn density(self) -> Density {
        match self.value_of(DENSITY) {
            Some("compact") => Density::Compact,
            Some("magazine") => Density::Magazine,
            _ => Density::Cosy,
        }
    }

    /// Returns true if `chosen` is the selected value of the setting.
    pub(super) fn has(self, setting: &Setting, chosen: &str) -> bool {
        setting.value(self.index_of(setting.name)) == chosen
    }

    /// Returns the cookie's value.
    pub(super) fn cookie(self) -> String {
        let values =
            SETTINGS.iter().zip(self.indexes).map(|(setting, index)| setting.value(index).to_owned());
        values.chain(self.face_name.map(FaceName::word)).collect::<Vec<_>>().join(".")
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
        assert_eq!(appearance.cookie(), "dark.xl.medium.sans.pass.show.normal.cosy.off");
        assert_eq!(
            appearance.with(DENSITY, "compact").cookie(),
            "dark.xl.medium.sans.pass.show.normal.compact.off"
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
    fn marked_cookie_overrides_the_appearance_of_the_account() {
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

    #[test]
    fn buttons_change_a_setting_by_one_step_within_its_range() {
        let appearance = Appearance::default();
        assert_eq!(appearance.stepped("size-more").value_of("size"), Some("ml"));
        assert_eq!(appearance.stepped("size-more").stepped("size-less"), appearance);
        let of = |pressed: &str| (0..20).fold(appearance, |appearance, _| appearance.stepped(pressed));
        assert_eq!(of("size-less").value_of("size"), Some("xxs"));
        assert_eq!(of("size-more").value_of("size"), Some("huge"));
        assert_eq!(of("width-more").value_of("width"), Some("full"));
        assert_eq!(of("spacing-less").value_of("spacing"), Some("dense"));
        for other in ["", "size", "size-other", "theme-more", "height-more"] {
            assert_eq!(appearance.stepped(other), appearance, "{other}");
        }
    }

    #[test]
    fn cookie_of_an_earlier_version_retains_its_values_and_its_mark() {
        let value = "dark.s.wide.sans.pass.show.loose.compact.browser";
        let request = Request::builder().header("cookie", format!("carrel_look={value}")).finish();
        assert_eq!(AppearanceScope::of(&request), AppearanceScope::Browser);
        let expected = "dark.s.wide.sans.pass.show.loose.compact.off";
        assert_eq!(Appearance::of(&request).cookie(), expected);
    }

    #[test]
    fn installed_font_is_stored_and_linked_while_it_is_selected() {
        let own = Appearance::default().with("face", "own");
        assert_eq!(own.with_face_name(" "), None, "the selected font has no name");
        assert_eq!(own.with_face_name("x\"; }"), None);
        let named = own.with_face_name(" Atkinson Hyperlegible ").unwrap();
        assert_eq!(named.cookie(), "auto.m.medium.own.open.show.normal.cosy.off.own-Atkinson_Hyperlegible");
        assert_eq!(Appearance::parse(&named.cookie()), named);
        assert_eq!(named.face_path().as_deref(), Some("/assets/face-Atkinson_Hyperlegible.css"));
        let serif = named.with("face", "serif");
        assert_eq!((serif.face_path(), serif.with("face", "own")), (None, named), "the name stays");
        assert_eq!(own.with_face_name_of(serif), Some(named));
        assert_eq!(serif.with_face_name("").unwrap(), Appearance::default());
    }
}
