//! Catalogue of texts: Fluent messages, parsed when the first text in their language is formatted.

use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};
use kernel::Language;
use unic_langid::LanguageIdentifier;

use crate::pseudo;

type Bundle = FluentBundle<FluentResource>;

/// Contents of the Fluent files of one language.
pub type Files = &'static [&'static str];

/// Declares the catalogue of a crate by the names of its files. Every language has all of them, in its folder
/// of `locales`.
#[macro_export]
macro_rules! catalogue {
    (@files $tag:literal $($file:literal),+) => {
        &[$(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/locales/", $tag, "/", $file))),+]
    };
    ($($file:literal),+ $(,)?) => {{
        fn files(language: $crate::Language) -> $crate::Files {
            match language {
                $crate::Language::English | $crate::Language::Pseudo => $crate::catalogue!(@files "en" $($file),+),
                $crate::Language::German => $crate::catalogue!(@files "de" $($file),+),
                $crate::Language::French => $crate::catalogue!(@files "fr" $($file),+),
                $crate::Language::Spanish => $crate::catalogue!(@files "es" $($file),+),
                $crate::Language::Portuguese => $crate::catalogue!(@files "pt" $($file),+),
                $crate::Language::Italian => $crate::catalogue!(@files "it" $($file),+),
                $crate::Language::Dutch => $crate::catalogue!(@files "nl" $($file),+),
                $crate::Language::Polish => $crate::catalogue!(@files "pl" $($file),+),
                $crate::Language::Ukrainian => $crate::catalogue!(@files "uk" $($file),+),
                $crate::Language::Japanese => $crate::catalogue!(@files "ja" $($file),+),
                $crate::Language::Chinese => $crate::catalogue!(@files "zh-Hans" $($file),+),
                $crate::Language::Arabic => $crate::catalogue!(@files "ar" $($file),+),
            }
        }
        $crate::Catalogue::new(files)
    }};
}

/// Texts of a crate in all languages.
pub struct Catalogue {
    files: fn(Language) -> Files,
    /// Parsed messages, in the order of [`Language::ALL`].
    bundles: [OnceLock<Bundle>; Language::ALL.len()],
    pseudo: OnceLock<Bundle>,
}

impl Catalogue {
    /// Creates a catalogue of these files. Use [`crate::catalogue!`].
    pub const fn new(files: fn(Language) -> Files) -> Self {
        Self { files, bundles: [const { OnceLock::new() }; Language::ALL.len()], pseudo: OnceLock::new() }
    }

    /// Formats the text with this key. If the language lacks the text, the English text is returned. A test checks
    /// that no language lacks a text.
    pub fn format(&self, language: Language, key: &str, arguments: Option<&FluentArgs<'_>>) -> String {
        self.message(language, key, arguments)
            .or_else(|| self.message(Language::English, key, arguments))
            .unwrap_or_else(|| key.to_owned())
    }

    fn message(&self, language: Language, key: &str, arguments: Option<&FluentArgs<'_>>) -> Option<String> {
        let bundle = self.cell(language)?.get_or_init(|| parse(language, (self.files)(language)));
        let message = bundle.get_message(key)?;
        let mut errors = Vec::new();
        let text = bundle.format_pattern(message.value()?, arguments, &mut errors).into_owned();
        for error in errors {
            tracing::error!(%error, key, language = language.tag(), "text was formatted incompletely");
        }
        Some(if language == Language::Pseudo { pseudo::in_brackets(&text) } else { text })
    }

    fn cell(&self, language: Language) -> Option<&OnceLock<Bundle>> {
        match Language::ALL.iter().position(|known| *known == language) {
            Some(position) => self.bundles.get(position),
            None => Some(&self.pseudo),
        }
    }

    /// Returns the contents of the files of a language.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn files(&self, language: Language) -> Files {
        (self.files)(language)
    }
}

fn parse(language: Language, files: Files) -> Bundle {
    // The pseudolocale has the plural forms of English.
    let source = if language == Language::Pseudo { Language::English } else { language };
    let locale = source.tag().parse::<LanguageIdentifier>().unwrap_or_default();
    let mut bundle = Bundle::new_concurrent(vec![locale]);
    // Latin names in a right-to-left text would change the order of the words next to them, so marks isolate them.
    // Other languages do not need the marks.
    bundle.set_use_isolating(language.is_right_to_left());
    if language == Language::Pseudo {
        bundle.set_transform(Some(pseudo::lengthened));
    }
    for file in files {
        let resource = FluentResource::try_new((*file).to_owned()).unwrap_or_else(|(readable, _)| readable);
        bundle.add_resource_overriding(resource);
    }
    bundle
}
