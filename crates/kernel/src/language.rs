//! Languages of pages: their tags, names, and directions, and their selection by the `Accept-Language` header.

/// Maximum number of languages that are read from an `Accept-Language` header.
const MAX_PREFERENCES: usize = 16;

/// Language into which the texts of pages are translated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Language {
    #[default]
    English,
    German,
    French,
    Spanish,
    Portuguese,
    Italian,
    Dutch,
    Polish,
    Ukrainian,
    Japanese,
    /// Simplified Chinese.
    Chinese,
    Arabic,
    /// English with accents and longer words, for layout tests. Not offered to users: it is selected only by its tag,
    /// which browsers do not send by default.
    Pseudo,
}

impl Language {
    /// All languages except [`Self::Pseudo`], in the order in which people choose from them.
    pub const ALL: [Self; 12] = [
        Self::English,
        Self::German,
        Self::French,
        Self::Spanish,
        Self::Portuguese,
        Self::Italian,
        Self::Dutch,
        Self::Polish,
        Self::Ukrainian,
        Self::Japanese,
        Self::Chinese,
        Self::Arabic,
    ];

    /// Returns the BCP 47 tag, as in the database and in `lang` attributes.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::French => "fr",
            Self::Spanish => "es",
            Self::Portuguese => "pt",
            Self::Italian => "it",
            Self::Dutch => "nl",
            Self::Polish => "pl",
            Self::Ukrainian => "uk",
            Self::Japanese => "ja",
            Self::Chinese => "zh-Hans",
            Self::Arabic => "ar",
            Self::Pseudo => "en-XA",
        }
    }

    /// Returns the name of the language in the language itself.
    pub const fn own_name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::German => "Deutsch",
            Self::French => "Français",
            Self::Spanish => "Español",
            Self::Portuguese => "Português",
            Self::Italian => "Italiano",
            Self::Dutch => "Nederlands",
            Self::Polish => "Polski",
            Self::Ukrainian => "Українська",
            Self::Japanese => "日本語",
            Self::Chinese => "简体中文",
            Self::Arabic => "العربية",
            Self::Pseudo => "Pseudo",
        }
    }

    /// Returns true if the language is written from right to left.
    pub const fn is_right_to_left(self) -> bool {
        matches!(self, Self::Arabic)
    }

    /// Returns the writing direction of the language, as a value of the `dir` attribute.
    pub const fn direction(self) -> &'static str {
        if self.is_right_to_left() { "rtl" } else { "ltr" }
    }

    /// Returns the language with this tag.
    pub fn parse(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.tag().eq_ignore_ascii_case(tag))
    }

    /// Returns the language that a browser prefers, by its `Accept-Language` header: the first language with the
    /// highest weight. English if the header lists no supported language.
    pub fn preferred(accept_language: &str) -> Self {
        let mut best: Option<(f32, Self)> = None;
        for preference in accept_language.split(',').take(MAX_PREFERENCES) {
            let (range, weight) = preference.split_once(';').unwrap_or((preference, ""));
            let weight = weight_of(weight);
            let is_better = best.is_none_or(|(highest, _)| weight > highest);
            if let Some(language) = Self::of_range(range.trim()).filter(|_| weight > 0.0 && is_better) {
                best = Some((weight, language));
            }
        }
        best.map(|(_, language)| language).unwrap_or_default()
    }

    /// Returns the language of a language range such as `de-AT`. `None` for Traditional Chinese, because only
    /// Simplified Chinese is supported.
    fn of_range(range: &str) -> Option<Self> {
        if range.eq_ignore_ascii_case(Self::Pseudo.tag()) {
            return Some(Self::Pseudo);
        }
        let (primary, rest) = range.split_once('-').unwrap_or((range, ""));
        let is_any = |names: &[&str]| {
            rest.split('-').any(|subtag| names.iter().any(|name| subtag.eq_ignore_ascii_case(name)))
        };
        if !primary.eq_ignore_ascii_case("zh") {
            return Self::parse(primary);
        }
        let is_traditional = is_any(&["Hant", "TW", "HK", "MO"]) && !is_any(&["Hans"]);
        (!is_traditional).then_some(Self::Chinese)
    }
}

/// Parses the weight of a language, such as `q=0.8`. 1 if there is none, 0 if it is invalid.
fn weight_of(parameter: &str) -> f32 {
    let parameter = parameter.trim();
    if parameter.is_empty() {
        return 1.0;
    }
    let weight = parameter.strip_prefix("q=").or_else(|| parameter.strip_prefix("Q="));
    weight
        .and_then(|weight| weight.parse::<f32>().ok())
        .filter(|weight| (0.0..=1.0).contains(weight))
        .unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accept_language_selects_the_known_language_with_the_highest_weight() {
        for (header, language) in [
            ("", Language::English),
            ("de", Language::German),
            ("de-AT,de;q=0.9,en;q=0.8", Language::German),
            ("fi, uk;q=0.7, pl;q=0.9", Language::Polish),
            ("en;q=0.5, ja ; q=0.5", Language::English),
            ("fr;q=0, es;q=0.1", Language::Spanish),
            ("ar-EG", Language::Arabic),
            ("PT-br", Language::Portuguese),
            ("zh-CN,zh;q=0.9", Language::Chinese),
            ("zh-Hans-HK", Language::Chinese),
            ("zh-TW, it;q=0.2", Language::Italian),
            ("*", Language::English),
            ("en-XA", Language::Pseudo),
            ("en-US,de;q=0.9", Language::English),
            ("nl;q=x, nl;q=7, nl;q=NaN, nl;q=-1", Language::English),
        ] {
            assert_eq!(Language::preferred(header), language, "{header}");
        }
        let many = format!("{}de", "tlh,".repeat(MAX_PREFERENCES));
        assert_eq!(Language::preferred(&many), Language::English, "the header is read up to its limit");
    }

    #[test]
    fn every_tag_names_one_language() {
        for language in Language::ALL {
            assert_eq!(Language::parse(language.tag()), Some(language));
        }
        assert_eq!(Language::parse("zh-hans"), Some(Language::Chinese));
        assert_eq!(Language::parse("tlh"), None);
        assert_eq!(Language::parse("en-XA"), None, "the pseudo-language is not a setting");
    }
}
