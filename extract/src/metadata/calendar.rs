//! Parses dates in running text, in many languages.
//!
//! A date consists of adjacent day, month and year. The month is a number or a name. Month names are matched
//! by their beginning, because their endings depend on grammar.

use std::{collections::HashMap, sync::LazyLock};

use chrono::NaiveDate;

/// Years of plausible dates.
const YEARS: std::ops::RangeInclusive<u32> = 1995..=2040;

/// Order of the first two numbers in `01/02/2026`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DayMonthOrder {
    DayFirst,
    MonthFirst,
}

/// True if a text contains at least three digits, as every date does.
pub(crate) fn may_contain_date(text: &str) -> bool {
    text.bytes().filter(u8::is_ascii_digit).nth(2).is_some()
}

pub(super) fn first_date(text: &str, order: DayMonthOrder) -> Option<NaiveDate> {
    if !may_contain_date(text) {
        return None;
    }
    let tokens = tokens(text);
    (0..tokens.len())
        .find_map(|at| date_with_month_name(&tokens, at).or_else(|| numeric_date(&tokens, at, order)))
}

#[derive(Debug)]
enum DateToken<'t> {
    /// Value and number of digits.
    Number(u32, usize),
    Word(&'t str),
    Symbol(char),
}

fn tokens(text: &str) -> Vec<DateToken<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if c.is_ascii_digit() {
            let length = rest.bytes().take_while(u8::is_ascii_digit).count();
            tokens.push(DateToken::Number(rest[..length].parse().unwrap_or(u32::MAX), length));
            length
        } else if c.is_alphabetic() && !matches!(c, '年' | '月' | '日' | '년' | '월' | '일') {
            let length = rest
                .find(|c: char| !c.is_alphabetic() || matches!(c, '年' | '月' | '日' | '년' | '월' | '일'));
            let length = length.unwrap_or(rest.len());
            tokens.push(DateToken::Word(&rest[..length]));
            length
        } else {
            if !c.is_whitespace() {
                tokens.push(DateToken::Symbol(c));
            }
            c.len_utf8()
        };
        rest = &rest[length..];
        if tokens.len() > 400 {
            break;
        }
    }
    tokens
}

/// Parses `12 de enero de 2026`, `January 12th, 2026` or `12-Jan-26`.
fn date_with_month_name(tokens: &[DateToken<'_>], at: usize) -> Option<NaiveDate> {
    let DateToken::Word(word) = tokens[at] else { return None };
    let numbered = |token: &DateToken<'_>| matches!(token, DateToken::Number(..));
    if !tokens[at.saturating_sub(3)..tokens.len().min(at + 6)].iter().any(numbered) {
        return None;
    }
    let month = month(word)?;
    let year = (at + 1..tokens.len().min(at + 6)).find_map(|index| match tokens[index] {
        DateToken::Number(year, 4) if YEARS.contains(&year) => Some(year),
        _ => None,
    });
    let day_before = (at.saturating_sub(3)..at).rev().find_map(|index| day(&tokens[index]));
    let Some(year) = year else {
        // `2026 January 12`
        let Some(DateToken::Number(year, 4)) = at.checked_sub(1).map(|index| &tokens[index]) else {
            return None;
        };
        let day = tokens.get(at + 1).and_then(day)?;
        return date(*year, month, day);
    };
    // The day follows the month, or directly precedes it.
    let day_after = tokens.get(at + 1..tokens.len().min(at + 3))?.iter().find_map(day);
    let direct = matches!(
        tokens.get(at.wrapping_sub(1)),
        Some(DateToken::Number(..) | DateToken::Symbol('.' | '-' | 'º' | 'ª'))
    );
    let chosen = if direct { day_before.or(day_after) } else { day_after.or(day_before) };
    date(year, month, chosen?)
}

fn day(token: &DateToken<'_>) -> Option<u32> {
    match token {
        DateToken::Number(day @ 1..=31, 1 | 2) => Some(*day),
        _ => None,
    }
}

/// Parses `2026-01-12`, `12.1.2026`, `1/12/26` or `2026年1月12日`.
fn numeric_date(tokens: &[DateToken<'_>], at: usize, order: DayMonthOrder) -> Option<NaiveDate> {
    let [
        DateToken::Number(first, digits),
        DateToken::Symbol(separator),
        DateToken::Number(second, 1 | 2),
        DateToken::Symbol(other),
        DateToken::Number(third, last),
    ] = tokens.get(at..at + 5)?
    else {
        return None;
    };
    let has_plain_separators = separator == other && matches!(separator, '-' | '/' | '.' | '–');
    let eastern = matches!((separator, other), ('年', '月') | ('년', '월'));
    match (digits, last) {
        (4, 1 | 2) if has_plain_separators || eastern => date(*first, *second, *third),
        (1 | 2, 4) if has_plain_separators => by_order(*first, *second, *third, *separator, order),
        (1 | 2, 2)
            if has_plain_separators
                && *separator != '-'
                && !matches!(tokens.get(at + 5), Some(DateToken::Symbol(next)) if next == separator) =>
        {
            by_order(*first, *second, 2000 + third, *separator, order)
        }
        _ => None,
    }
}

fn by_order(first: u32, second: u32, year: u32, separator: char, order: DayMonthOrder) -> Option<NaiveDate> {
    let month_first = second > 12 || order == DayMonthOrder::MonthFirst && separator != '.' && first <= 12;
    if month_first { date(year, first, second) } else { date(year, second, first) }
}

/// Creates a date. `None` if the day does not exist or the year is not plausible.
pub(super) fn date(year: u32, month: u32, day: u32) -> Option<NaiveDate> {
    YEARS.contains(&year).then(|| NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day))?
}

/// Number, from 1, of the month that a word denotes.
pub(super) fn month(word: &str) -> Option<u32> {
    if word.len() < 3 || word.chars().count() > 14 {
        return None;
    }
    let word = word.to_lowercase();
    let alike = NAMES.get(&word.chars().next()?)?;
    alike.iter().find(|(name, _)| is_name(&word, name)).map(|(_, month)| *month)
}

/// Month names by first letter, with the number of the month, from 1.
static NAMES: LazyLock<HashMap<char, Vec<(&'static str, u32)>>> = LazyLock::new(|| {
    let mut names: HashMap<char, Vec<(&str, u32)>> = HashMap::new();
    for (month, known) in (1..).zip(MONTHS) {
        for name in known.split(' ') {
            let Some(letter) = name.chars().next() else { continue };
            names.entry(letter).or_default().push((name, month));
        }
    }
    names
});

/// True if the word equals the name. If the name has a final `*`, it is a prefix.
fn is_name(word: &str, name: &str) -> bool {
    match name.strip_suffix('*') {
        Some(beginning) => word.starts_with(beginning),
        None => word == name,
    }
}

/// Names of the months, and prefixes of names, in English, German, French, Spanish, Italian, Portuguese,
/// Dutch, Scandinavian languages, Finnish, Polish, Czech, Slovak, Croatian, Hungarian, Romanian, Russian,
/// Ukrainian, Bulgarian, Greek, Turkish, Indonesian, Arabic, Persian, Hindi and Thai.
const MONTHS: [&str; 12] = [
    "jan january januar* jänner janvier janv enero ene gennaio gen janeiro januari tammikuu* stycz* leden ledna sij* ianuarie янв* січ* януари ιαν* ιανουαρ* ocak يناير كانون ژانویه जनवरी มกราคม",
    "feb february februar* feber février févr fev fevereiro febrero febbraio februari helmikuu* lut* únor* velj* februarie фев* лют* φεβ* şubat شباط فبراير فوریه फरवरी กุมภาพันธ์",
    "mar march märz maerz mrz mars marzo março maart maaliskuu* marz* marc* březen března ožu* március martie мар* бер* μαρ* μάρ* mart maret مارس मार्च มีนาคม",
    "apr april avril avr abril abr aprile april* huhtikuu* kwie* duben dubna trav* április aprilie апр* квіт* απρ* nisan أبريل آوریل अप्रैल เมษายน",
    "may mai mayo maggio mag maio mei maj toukokuu* květ* svib* május мая май трав* μαΐ* μαϊ* mayıs مايو مه मई พฤษภาคม",
    "jun june juni juin junio giugno giu junho kesäkuu* czerw* červen června lip* június iunie июн* черв* ιουν* haziran يونيو ژوئن जून มิถุนายน",
    "jul july juli juil juillet julio luglio lug julho heinäkuu* lipiec lipca červenec července srp* július iulie июл* лип* ιουλ* temmuz يوليو ژوئیه जुलाई กรกฎาคม",
    "aug august août aout agosto ago augustus augusti elokuu* sierp* srpen srpna kolov* augusztus авг* серп* αυγ* αύγ* ağustos agustus أغسطس اوت अगस्त สิงหาคม",
    "sep sept september septembre septiembre setembro settembre set syyskuu* wrze* září ruj* szept* septembrie сен* вер* σεπ* eylül سبتمبر سپتامبر सितंबर กันยายน",
    "oct october oktober okt octobre octubre outubro out ottobre ott lokakuu* paźdz* říj* listop* október octombrie окт* жовт* οκτ* ekim أكتوبر اکتبر अक्टूबर ตุลาคม",
    "nov november novembre noviembre novembro marraskuu* listopad* stud* noiembrie ноя* листоп* νοε* kasım نوفمبر نوامبر नवंबर พฤศจิกายน",
    "dec december dezember dez décembre déc diciembre dic dezembro dicembre desember joulukuu* grud* prosin* decembrie дек* груд* δεκ* aralık desember ديسمبر دسامبر दिसंबर ธันวาคม",
];

pub(crate) fn is_month(word: &str) -> bool {
    month(word).is_some()
}

#[cfg(test)]
mod tests;
