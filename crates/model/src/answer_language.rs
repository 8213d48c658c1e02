//! Languages in which the model explains and translates passages.

use kernel::Language;

/// Language of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnswerLanguage {
    tag: &'static str,
    own_name: &'static str,
}

impl AnswerLanguage {
    const ENGLISH: Self = Self::new("en", "English");

    /// All languages with their own names, in the order in which a person chooses among them.
    pub const ALL: &'static [Self] = &[
        Self::new("af", "Afrikaans"),
        Self::new("az", "Azərbaycanca"),
        Self::new("id", "Bahasa Indonesia"),
        Self::new("ms", "Bahasa Melayu"),
        Self::new("bs", "Bosanski"),
        Self::new("ca", "Català"),
        Self::new("cs", "Čeština"),
        Self::new("cy", "Cymraeg"),
        Self::new("da", "Dansk"),
        Self::new("de", "Deutsch"),
        Self::new("et", "Eesti"),
        Self::ENGLISH,
        Self::new("es", "Español"),
        Self::new("eo", "Esperanto"),
        Self::new("eu", "Euskara"),
        Self::new("fil", "Filipino"),
        Self::new("fr", "Français"),
        Self::new("ga", "Gaeilge"),
        Self::new("gl", "Galego"),
        Self::new("hr", "Hrvatski"),
        Self::new("is", "Íslenska"),
        Self::new("it", "Italiano"),
        Self::new("sw", "Kiswahili"),
        Self::new("la", "Latina"),
        Self::new("lv", "Latviešu"),
        Self::new("lt", "Lietuvių"),
        Self::new("hu", "Magyar"),
        Self::new("mt", "Malti"),
        Self::new("nl", "Nederlands"),
        Self::new("nb", "Norsk bokmål"),
        Self::new("pl", "Polski"),
        Self::new("pt", "Português"),
        Self::new("ro", "Română"),
        Self::new("sq", "Shqip"),
        Self::new("sk", "Slovenčina"),
        Self::new("sl", "Slovenščina"),
        Self::new("fi", "Suomi"),
        Self::new("sv", "Svenska"),
        Self::new("vi", "Tiếng Việt"),
        Self::new("tr", "Türkçe"),
        Self::new("el", "Ελληνικά"),
        Self::new("be", "Беларуская"),
        Self::new("bg", "Български"),
        Self::new("mk", "Македонски"),
        Self::new("ru", "Русский"),
        Self::new("sr", "Српски"),
        Self::new("uk", "Українська"),
        Self::new("kk", "Қазақша"),
        Self::new("ka", "ქართული"),
        Self::new("hy", "Հայերեն"),
        Self::new("he", "עברית"),
        Self::new("ur", "اردو"),
        Self::new("ar", "العربية"),
        Self::new("fa", "فارسی"),
        Self::new("mr", "मराठी"),
        Self::new("hi", "हिन्दी"),
        Self::new("bn", "বাংলা"),
        Self::new("ta", "தமிழ்"),
        Self::new("te", "తెలుగు"),
        Self::new("th", "ไทย"),
        Self::new("ko", "한국어"),
        Self::new("ja", "日本語"),
        Self::new("zh-Hans", "简体中文"),
        Self::new("zh-Hant", "繁體中文"),
    ];

    const fn new(tag: &'static str, own_name: &'static str) -> Self {
        Self { tag, own_name }
    }

    /// Returns the BCP 47 tag.
    pub const fn tag(self) -> &'static str {
        self.tag
    }

    /// Returns the name of the language in the language itself.
    pub const fn own_name(self) -> &'static str {
        self.own_name
    }

    /// Returns the language with this tag.
    pub fn parse(tag: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|language| language.tag.eq_ignore_ascii_case(tag))
    }
}

impl Default for AnswerLanguage {
    fn default() -> Self {
        Self::ENGLISH
    }
}

impl From<Language> for AnswerLanguage {
    /// The pseudolocale of layout tests, which is not an answer language, becomes English.
    fn from(language: Language) -> Self {
        Self::parse(language.tag()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_page_language_is_an_answer_language() {
        for language in Language::ALL {
            let answers = AnswerLanguage::from(language);
            assert_eq!((answers.tag(), answers.own_name()), (language.tag(), language.own_name()));
        }
        assert_eq!(AnswerLanguage::from(Language::Pseudo).tag(), "en");
    }

    #[test]
    fn language_tags_and_names_are_unique() {
        let tags: HashSet<&str> = AnswerLanguage::ALL.iter().map(|language| language.tag()).collect();
        let names: HashSet<&str> = AnswerLanguage::ALL.iter().map(|language| language.own_name()).collect();
        assert_eq!((tags.len(), names.len()), (AnswerLanguage::ALL.len(), AnswerLanguage::ALL.len()));
        assert_eq!(AnswerLanguage::parse("ZH-hant").unwrap().own_name(), "繁體中文");
        assert_eq!(AnswerLanguage::parse("tlh"), None);
    }
}
