//! Numbers and dates in the language of the page's content, by the rules of CLDR. Numbers have Western digits
//! in every language, like the addresses and codes next to them.

use chrono::{Datelike, NaiveDate};
use http_kit::page_language;
use icu_datetime::FixedCalendarDateTimeFormatter;
use icu_datetime::fieldsets::YMD;
use icu_datetime::input::Date;
use icu_decimal::DecimalFormatter;
use icu_decimal::input::Decimal;
use icu_decimal::options::DecimalFormatterOptions;
use icu_locale_core::{Locale, locale};
use kernel::Language;

/// Returns the locale whose rules a language uses.
fn locale_of(language: Language) -> Locale {
    match language {
        Language::English => locale!("en-GB"),
        Language::German => locale!("de"),
        Language::French => locale!("fr"),
        Language::Spanish => locale!("es"),
        Language::Portuguese => locale!("pt"),
        Language::Italian => locale!("it"),
        Language::Dutch => locale!("nl"),
        Language::Polish => locale!("pl"),
        Language::Ukrainian => locale!("uk"),
        Language::Japanese => locale!("ja"),
        Language::Chinese => locale!("zh-Hans"),
        Language::Arabic => locale!("ar-u-nu-latn"),
    }
}

/// Formats a number with its separators: `1,234,567`.
pub(crate) fn number(value: u64) -> String {
    let locale = locale_of(page_language::current().content);
    match DecimalFormatter::try_new(locale.into(), DecimalFormatterOptions::default()) {
        Ok(formatter) => formatter.format(&Decimal::from(value)).to_string(),
        Err(_) => value.to_string(),
    }
}

/// Formats a date in words: `1 December 2026`.
pub(crate) fn day(date: NaiveDate) -> String {
    in_words(date).unwrap_or_else(|| date.to_string())
}

fn in_words(date: NaiveDate) -> Option<String> {
    let locale = locale_of(page_language::current().content);
    let formatter = FixedCalendarDateTimeFormatter::try_new(locale.into(), YMD::long()).ok()?;
    let (month, day) = (u8::try_from(date.month()).ok()?, u8::try_from(date.day()).ok()?);
    let date = Date::try_new_gregorian(date.year(), month, day).ok()?;
    Some(formatter.format(&date).to_string())
}

#[cfg(test)]
mod tests {
    use http_kit::page_language::{PageLanguages, with_sync};

    use super::*;

    #[test]
    fn numbers_and_dates_follow_the_language() {
        let date = NaiveDate::from_ymd_opt(2026, 12, 1).unwrap();
        let of = |language: Language| {
            let languages = PageLanguages { shell: Language::English, content: language };
            with_sync(languages, || (number(1_234_567), day(date)))
        };
        for (language, amount, words) in [
            (Language::English, "1,234,567", "1 December 2026"),
            (Language::German, "1.234.567", "1. Dezember 2026"),
            (Language::French, "1\u{202f}234\u{202f}567", "1 décembre 2026"),
            (Language::Polish, "1\u{a0}234\u{a0}567", "1 grudnia 2026"),
            (Language::Japanese, "1,234,567", "2026年12月1日"),
            (Language::Chinese, "1,234,567", "2026年12月1日"),
        ] {
            assert_eq!(of(language), (amount.to_owned(), words.to_owned()), "{}", language.tag());
        }
        let (amount, words) = of(Language::Arabic);
        assert!(words.contains("ديسمبر") && words.contains("2026"), "{words}");
        assert!(amount.bytes().filter(u8::is_ascii_digit).eq(*b"1234567"), "{amount}");
    }
}
