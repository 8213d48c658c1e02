//! Order of names by the CLDR rules of a language: accents, separate letters such as the Polish `ł`, kana by
//! sound, and Chinese by Pinyin. Digits compare as numbers.
//!
//! Only lists that a page shows as a whole are sorted by these rules. Lists with further pages keep the order of the
//! database, because a cursor must mean the same position in every language. Answers of the API do not depend on the
//! language either.

use icu_collator::options::CollatorOptions;
use icu_collator::preferences::CollationNumericOrdering;
use icu_collator::{Collator, CollatorBorrowed, CollatorPreferences};
use kernel::{Language, natural_order};

use crate::formats::locale_of;

/// Sorts a list by name, by the rules of a language. Elements with equal names keep their order.
pub fn sort_by_name<T>(language: Language, list: &mut [T], name: impl Fn(&T) -> &str) {
    let collator = collator(language);
    list.sort_by(|a, b| {
        let (a, b) = (name(a), name(b));
        match &collator {
            Some(collator) => collator.compare(a, b).then_with(|| a.cmp(b)),
            None => natural_order::compare(a, b),
        }
    });
}

/// Returns the collator of a language. Its data are compiled into the executable.
fn collator(language: Language) -> Option<CollatorBorrowed<'static>> {
    let mut preferences = CollatorPreferences::from(&locale_of(language));
    preferences.numeric_ordering = Some(CollationNumericOrdering::True);
    Collator::try_new(preferences, CollatorOptions::default()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_by_the_rules_of_their_language() {
        for (language, expected) in [
            (Language::English, &["2 birds", "10 birds", "Anchors", "boats", "Émile", "Zoo"][..]),
            (Language::German, &["Ampel", "Äpfel", "Apfelbaum", "Ofen", "Öl", "Orgel", "Zebra"][..]),
            (Language::French, &["cote", "coté", "côte", "côté", "eau", "école", "été", "fer"][..]),
            (
                Language::Polish,
                &["Lublin", "lustro", "łata", "Łódź", "Malbork", "zebra", "źrebak", "żaba"][..],
            ),
            (Language::Ukrainian, &["Город", "гусак", "ґава", "Ґрунт", "дім", "єнот", "жук", "їжак"][..]),
            (Language::Japanese, &["あめ", "アメリカ", "いぬ", "ウサギ", "えき"][..]),
            (Language::Chinese, &["北京", "上海", "天津"][..]),
            (Language::Arabic, &["إبراهيم", "أحمد", "باسم", "تونس"][..]),
        ] {
            let mut names: Vec<&str> = expected.iter().rev().copied().collect();
            sort_by_name(language, &mut names, |name| name);
            assert_eq!(names, expected, "{}", language.tag());
        }
    }

    #[test]
    fn every_language_has_a_collator_and_equal_names_keep_their_order() {
        for language in Language::ALL.into_iter().chain([Language::Pseudo]) {
            assert!(collator(language).is_some(), "{}", language.tag());
            let mut list = [("b", 1), ("a", 2), ("b", 3), ("a", 4)];
            sort_by_name(language, &mut list, |(name, _)| name);
            assert_eq!(list, [("a", 2), ("a", 4), ("b", 1), ("b", 3)], "{}", language.tag());
        }
    }
}
