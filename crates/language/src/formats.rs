//! Formats numbers and dates by the rules of CLDR, and joins lists. Numbers have Western digits in every
//! language, like the addresses and codes next to them.

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use icu_datetime::FixedCalendarDateTimeFormatter;
use icu_datetime::fieldsets::YMD;
use icu_datetime::input::Date;
use icu_decimal::DecimalFormatter;
use icu_decimal::input::Decimal;
use icu_decimal::options::DecimalFormatterOptions;
use icu_locale_core::{Locale, locale};
use kernel::{Language, Millis};

/// Returns the locale whose rules a language uses.
pub(crate) fn locale_of(language: Language) -> Locale {
    match language {
        Language::English | Language::Pseudo => locale!("en-GB"),
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
pub fn number(language: Language, value: u64) -> String {
    match DecimalFormatter::try_new(locale_of(language).into(), DecimalFormatterOptions::default()) {
        Ok(formatter) => formatter.format(&Decimal::from(value)).to_string(),
        Err(_) => value.to_string(),
    }
}

/// Formats a date in words: `1 December 2026`.
pub fn day(language: Language, date: NaiveDate) -> String {
    in_words(language, date).unwrap_or_else(|| date.to_string())
}

/// Formats the UTC date of a time in words: `1 December 2026`.
pub fn day_of(language: Language, at: Millis) -> String {
    day(language, utc(at).date_naive())
}

/// Formats a UTC time to the minute in words: `1 December 2026, 14:05 UTC`.
pub fn minute(language: Language, at: Millis) -> String {
    format!("{}, {}", day_of(language, at), utc(at).format("%H:%M UTC"))
}

/// Joins the parts of a list: `2 added, 1 removed`.
pub fn list(language: Language, parts: &[String]) -> String {
    parts.join(match language {
        Language::Japanese | Language::Chinese => "、",
        Language::Arabic => "، ",
        _ => ", ",
    })
}

fn utc(at: Millis) -> DateTime<Utc> {
    DateTime::<Utc>::from_timestamp_millis(at).unwrap_or(DateTime::UNIX_EPOCH)
}

fn in_words(language: Language, date: NaiveDate) -> Option<String> {
    let locale = locale_of(language);
    let formatter = FixedCalendarDateTimeFormatter::try_new(locale.into(), YMD::long()).ok()?;
    let (month, day) = (u8::try_from(date.month()).ok()?, u8::try_from(date.day()).ok()?);
    let date = Date::try_new_gregorian(date.year(), month, day).ok()?;
    Some(formatter.format(&date).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_dates_follow_the_language() {
        let date = NaiveDate::from_ymd_opt(2026, 12, 1).unwrap();
        let of = |language: Language| (number(language, 1_234_567), day(language, date));
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
        let parts = ["1".to_owned(), "2".to_owned()];
        let lists = [Language::German, Language::Japanese, Language::Arabic].map(|own| list(own, &parts));
        assert_eq!(lists, ["1, 2", "1、2", "1، 2"]);
        assert_eq!(minute(Language::German, 60_000), "1. Januar 1970, 00:01 UTC");
        let (amount, words) = of(Language::Arabic);
        assert!(words.contains("ديسمبر") && words.contains("2026"), "{words}");
        assert!(amount.bytes().filter(u8::is_ascii_digit).eq(*b"1234567"), "{amount}");
    }
}
