//! Dates and times in the formats of feeds: RFC 822 and its many misspellings, RFC 3339 and other forms of
//! ISO 8601, `asctime` of the C library, and month names in several languages.
//!
//! A time without an offset is read as UTC, and a date without a time as midnight UTC. In numeric dates with
//! dots, the day comes first. In dates with slashes or hyphens, the language of the feed determines the
//! order.

use chrono::{DateTime, Duration, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, TimeZone, Utc};

/// Order of day and month in numeric dates such as `2/11/2026`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum DateOrder {
    #[default]
    MonthFirst,
    DayFirst,
}

impl DateOrder {
    /// Usual order in the language with this tag. English without a region is treated as American English.
    pub(crate) fn of_language(tag: &str) -> Self {
        const DAY_FIRST: &[&str] = &[
            "ar", "bg", "ca", "cs", "da", "de", "el", "es", "et", "fi", "fr", "gl", "he", "hi", "hr", "id",
            "is", "it", "lv", "mk", "ms", "nb", "nl", "nn", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sq",
            "sr", "th", "tr", "uk", "vi",
        ];
        const DAY_FIRST_ENGLISH: &[&str] =
            &["au", "gb", "hk", "ie", "in", "mt", "my", "ng", "nz", "pk", "sg", "uk", "za"];
        let tag = tag.trim().to_ascii_lowercase();
        let mut parts = tag.split(['-', '_']);
        let language = parts.next().unwrap_or_default();
        let is_day_first = DAY_FIRST.contains(&language)
            || language == "en" && parts.any(|region| DAY_FIRST_ENGLISH.contains(&region));
        if is_day_first { Self::DayFirst } else { Self::MonthFirst }
    }
}

/// Years of accepted times. Some programs write the first year of their calendar for an unknown time.
const YEARS: std::ops::RangeInclusive<i32> = 1000..=9999;

/// Parses a date or time. `None` if the text is neither a date nor a time.
pub(crate) fn parse(text: &str, order: DateOrder) -> Option<DateTime<Utc>> {
    let text = without_zone_name(text.trim());
    if text.is_empty() || text.len() > 100 {
        return None;
    }
    unix(text)
        .or_else(|| iso(text))
        .or_else(|| words(text, order))
        .filter(|time| YEARS.contains(&chrono::Datelike::year(time)))
}

/// Parses a date or time as [`parse`] does, and returns milliseconds since the epoch.
pub(crate) fn millis(text: &str, order: DateOrder) -> Option<i64> {
    parse(text, order).map(|time| time.timestamp_millis())
}

/// Removes the time zone name that may follow the offset as in RFC 9557: `[Europe/Paris]`.
fn without_zone_name(text: &str) -> &str {
    match text.strip_suffix(']').and_then(|inside| inside.find('[')) {
        Some(open) => text[..open].trim_end(),
        None => text,
    }
}

/// Parses seconds (9 or 10 digits) or milliseconds (13 digits) since the epoch. Shorter numbers are dates.
fn unix(text: &str) -> Option<DateTime<Utc>> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(fraction) {
        return None;
    }
    match whole.len() {
        9 | 10 => DateTime::from_timestamp_secs(whole.parse().ok()?),
        13 => DateTime::from_timestamp_millis(whole.parse().ok()?),
        _ => None,
    }
}

fn iso(text: &str) -> Option<DateTime<Utc>> {
    if !text.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        return None;
    }
    let (date, time) = match text.find(['T', 't', ' ']) {
        Some(at) => (&text[..at], text[at + 1..].trim()),
        None => (text, ""),
    };
    let date = iso_date(date)?;
    if time.is_empty() {
        return Some(Utc.from_utc_datetime(&date.and_time(NaiveTime::MIN)));
    }
    let (clock, zone) = split_zone(time);
    let (time, extra_days) = clock_time(clock)?;
    let naive = date.and_time(time).checked_add_signed(Duration::days(extra_days))?;
    at_offset(naive, zone)
}

/// Accepts `2024-05-06`, `20240506`, `2024-05`, `2024`, `2024-127`, `2024127` and `24-05-06`. Rejects
/// `-0405`.
fn iso_date(text: &str) -> Option<NaiveDate> {
    let parts: Vec<&str> = text.split(['-', '/', '.']).collect();
    let numbers: Option<Vec<i32>> = parts.iter().map(|part| digits(part)).collect();
    let numbers = numbers?;
    match (numbers.as_slice(), parts[0].len()) {
        ([year], 4) => NaiveDate::from_ymd_opt(*year, 1, 1),
        ([all], 8) => ymd(all / 10_000, all / 100 % 100, all % 100),
        ([all], 7) => NaiveDate::from_yo_opt(all / 1_000, u32::try_from(all % 1_000).ok()?),
        ([all], 6) => ymd(full_year(all / 10_000), all / 100 % 100, all % 100),
        ([year, day], 4) if parts[1].len() == 3 => NaiveDate::from_yo_opt(*year, u32::try_from(*day).ok()?),
        ([year, month], 4) => ymd(*year, *month, 1),
        ([year, month, day], 4) => ymd(*year, *month, *day),
        // In a date with dots, the day comes first.
        ([year, month, day], 2) if parts[1].len() == 2 && !text.contains('.') => {
            ymd(full_year(*year), *month, *day)
        }
        _ => None,
    }
}

fn words(text: &str, order: DateOrder) -> Option<DateTime<Utc>> {
    let lowered = text.to_lowercase();
    let lowered = east_asian(&lowered).unwrap_or(lowered);
    let mut draft = DateParts { order, ..DateParts::default() };
    let spaced = lowered.replace([',', '(', ')'], " ");
    for word in spaced.split_whitespace() {
        draft.take(word);
    }
    draft.finish()
}

/// Replaces the Chinese, Japanese, or Korean characters that separate the digits of a date, as in
/// `2020年10月5日星期一 上午10:15:30`. `None` for other dates.
fn east_asian(lowered: &str) -> Option<String> {
    let (mut parts, mut rest) = (Vec::new(), lowered);
    for signs in [['年', '년'], ['月', '월'], ['日', '일']] {
        let (number, after) = rest.split_once(signs)?;
        digits(number.trim())?;
        parts.push(number.trim());
        rest = after;
    }
    let mut time = rest.to_owned();
    for (names, half) in [(["上午", "午前", "오전"], " am "), (["下午", "午後", "오후"], " pm ")]
    {
        for name in names {
            time = time.replace(name, half);
        }
    }
    // The name of the weekday is left out.
    let time: String = time.chars().map(|c| if c.is_ascii() { c } else { ' ' }).collect();
    Some(format!("{} {time}", parts.join("-")))
}

/// Parts of a written-out date that have been recognised so far.
#[derive(Default)]
struct DateParts {
    order: DateOrder,
    day: Option<i32>,
    month: Option<i32>,
    year: Option<i32>,
    time: Option<(NaiveTime, i64)>,
    zone: Option<i32>,
    afternoon: Option<bool>,
}

impl DateParts {
    fn take(&mut self, word: &str) {
        if word.contains(':') && word.starts_with(|c: char| c.is_ascii_digit()) {
            let (clock, zone) = split_zone(word);
            self.time = self.time.or_else(|| clock_time(clock));
            self.zone = self.zone.or_else(|| zone_seconds(zone).filter(|_| !zone.is_empty()));
            return;
        }
        if let Some(month) = month(word) {
            // `mar` is also an abbreviation of Tuesday. The name of the month follows it.
            self.month = self.month.filter(|&earlier| earlier != MARCH).or(Some(month));
            return;
        }
        if word.contains(['-', '/', '.']) && word.starts_with(|c: char| c.is_alphanumeric()) {
            return self.take_joined(word);
        }
        match word {
            "am" => self.afternoon = Some(false),
            "pm" => self.afternoon = Some(true),
            _ => self.take_number_or_zone(word),
        }
    }

    /// Reads `06-may-2024`, `6.5.2024`, and `5/6/2024` in the order of the language.
    fn take_joined(&mut self, word: &str) {
        let parts: Vec<&str> = word.split(['-', '/', '.']).filter(|part| !part.is_empty()).collect();
        if let [first, second, third] = parts.as_slice() {
            if let Some(date) = iso_date(word) {
                self.year = Some(chrono::Datelike::year(&date));
                self.month = i32::try_from(chrono::Datelike::month(&date)).ok();
                self.day = i32::try_from(chrono::Datelike::day(&date)).ok();
                return;
            }
            let named = month(second);
            if named.is_some() {
                (self.day, self.month, self.year) = (digits(first), named, year(third));
            } else {
                let (first, second) = (digits(first), digits(second));
                let is_day_first = word.contains('.')
                    || self.order == DateOrder::DayFirst
                    || first.is_some_and(|first| first > 12);
                // A second number above 12 can only be the day.
                let is_day_first = is_day_first && second.is_none_or(|second| second <= 12);
                (self.day, self.month) = if is_day_first { (first, second) } else { (second, first) };
                self.year = year(third);
            }
        } else {
            self.take_number_or_zone(word);
        }
    }

    fn take_number_or_zone(&mut self, word: &str) {
        let number = digits(word.trim_end_matches(['.', 't', 'h', 's', 'n', 'd', 'r']));
        if let Some(number) = number.filter(|_| word.starts_with(|c: char| c.is_ascii_digit())) {
            if self.day.is_none() && (1..=31).contains(&number) && word.len() <= 4 {
                self.day = Some(number);
            } else if self.year.is_none() && (word.len() == 4 || word.len() == 2) {
                self.year = year(word);
            }
            return;
        }
        if self.zone.is_none() && !is_weekday(word) {
            self.zone = zone_seconds(word);
        }
    }

    fn finish(self) -> Option<DateTime<Utc>> {
        let date = ymd(self.year?, self.month?, self.day?)?;
        let (mut time, extra_days) = self.time.unwrap_or((NaiveTime::MIN, 0));
        let hour = chrono::Timelike::hour(&time);
        match self.afternoon {
            Some(true) if hour < 12 => time += Duration::hours(12),
            Some(false) if hour == 12 => time -= Duration::hours(12),
            _ => {}
        }
        let naive = date.and_time(time).checked_add_signed(Duration::days(extra_days))?;
        let offset = FixedOffset::east_opt(self.zone.unwrap_or(0))?;
        Some(offset.from_local_datetime(&naive).single()?.with_timezone(&Utc))
    }
}

const MARCH: i32 = 3;

fn digits(text: &str) -> Option<i32> {
    if text.is_empty() || text.len() > 8 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// Parses a year. Two digits are expanded to a year near the present.
fn year(text: &str) -> Option<i32> {
    let number = digits(text)?;
    Some(if text.len() > 2 { number } else { full_year(number) })
}

fn full_year(year: i32) -> i32 {
    match year {
        0..=68 => year + 2000,
        69..=99 => year + 1900,
        other => other,
    }
}

/// Creates a date. A day after the end of the month, such as the 31st of a month with 30 days, is read as the
/// last day of the month.
fn ymd(year: i32, month: i32, day: i32) -> Option<NaiveDate> {
    let (month, day) = (u32::try_from(month).ok()?, u32::try_from(day).ok()?);
    if !(1..=31).contains(&day) {
        return None;
    }
    (0..=3).find_map(|less| NaiveDate::from_ymd_opt(year, month, day - less.min(day - 1)))
}

/// Parses the time of day. Also returns the number of days that `24:00` adds. A leap second (`:60`) is read as
/// `:59`.
fn clock_time(text: &str) -> Option<(NaiveTime, i64)> {
    let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, ""));
    let parts: Vec<&str> = whole.split(':').collect();
    let numbers: Option<Vec<u32>> = parts.iter().map(|part| digits(part)?.try_into().ok()).collect();
    let (hour, minute, second) = match (numbers?.as_slice(), whole.len()) {
        ([hour, minute, second], _) => (*hour, *minute, *second),
        ([hour, minute], _) => (*hour, *minute, 0),
        ([all], 6) => (all / 10_000, all / 100 % 100, all % 100),
        ([all], 4) => (all / 100, all % 100, 0),
        ([hour], 1 | 2) => (*hour, 0, 0),
        _ => return None,
    };
    let milli: u32 = format!("{:0<3}", fraction.chars().take(3).collect::<String>()).parse().unwrap_or(0);
    if hour > 24 || minute > 59 || second > 60 {
        return None;
    }
    let time = NaiveTime::from_hms_milli_opt(hour % 24, minute, second.min(59), milli)?;
    Some((time, i64::from(hour / 24)))
}

/// Splits a clock time from the offset after it.
fn split_zone(text: &str) -> (&str, &str) {
    let end =
        text.find(|c: char| !(c.is_ascii_digit() || matches!(c, ':' | '.' | ','))).unwrap_or(text.len());
    (&text[..end], text[end..].trim())
}

fn at_offset(naive: NaiveDateTime, zone: &str) -> Option<DateTime<Utc>> {
    let offset = FixedOffset::east_opt(zone_seconds(&zone.to_lowercase()).unwrap_or(0))?;
    Some(offset.from_local_datetime(&naive).single()?.with_timezone(&Utc))
}

/// Offset of a numeric or named time zone in seconds east of Greenwich (names of RFC 822, and other common
/// names).
fn zone_seconds(zone: &str) -> Option<i32> {
    let zone = zone.trim_start_matches("etc/");
    let hours = match zone {
        "" | "z" | "ut" | "utc" | "gmt" | "wet" | "uct" => 0,
        "bst" | "cet" | "mez" | "met" | "west" | "a" => 1,
        "cest" | "eet" | "mesz" | "sast" | "cat" => 2,
        "eest" | "msk" => 3,
        "pkt" => 5,
        "hkt" | "sgt" | "awst" => 8,
        "jst" | "kst" => 9,
        "aest" => 10,
        "aedt" => 11,
        "nzst" | "m" => 12,
        "nzdt" => 13,
        "adt" | "art" | "brt" => -3,
        "ast" | "edt" => -4,
        "est" | "cdt" | "et" => -5,
        "cst" | "mdt" | "ct" => -6,
        "mst" | "pdt" | "mt" => -7,
        "pst" | "pt" | "akdt" => -8,
        "akst" => -9,
        "hst" => -10,
        "y" => -12,
        "n" => -1,
        _ => return numeric_zone(zone),
    };
    Some(hours * 3600)
}

fn numeric_zone(zone: &str) -> Option<i32> {
    let zone = zone.trim_start_matches("gmt").trim_start_matches("utc");
    let (sign, digits_text) = match zone.as_bytes().first()? {
        b'+' => (1, &zone[1..]),
        b'-' => (-1, &zone[1..]),
        _ => return None,
    };
    let plain: String = digits_text.chars().filter(|&c| c != ':').collect();
    let number = digits(&plain)?;
    let seconds = match plain.len() {
        1 | 2 => number * 3600,
        3 | 4 => number / 100 * 3600 + number % 100 * 60,
        _ => return None,
    };
    (seconds < 86_400).then_some(sign * seconds)
}

fn is_weekday(word: &str) -> bool {
    ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].iter().any(|day| word.starts_with(day))
}

/// Number of a month from its full or abbreviated name in English, German, French, Spanish, Italian, Dutch,
/// Portuguese, Russian, Greek or Hungarian. Only the first letters are compared.
fn month(word: &str) -> Option<i32> {
    const NAMES: [&[&str]; 12] = [
        &["jan", "ene", "gen", "янв", "ιαν", "jän"],
        &["feb", "fév", "fev", "feb", "фев", "φεβ"],
        &["mar", "mär", "mrz", "mrt", "мар", "μαρ", "μάρ", "már"],
        &["apr", "avr", "abr", "апр", "απρ", "ápr"],
        &["may", "mai", "maj", "mag", "mei", "май", "мая", "μαϊ", "μάϊ", "μαι", "máj"],
        &["jun", "juin", "giu", "июн", "ιού", "ιον", "ιουν", "jún"],
        &["jul", "juil", "lug", "июл", "ιολ", "ιουλ", "júl"],
        &["aug", "aoû", "aou", "ago", "авг", "αύγ", "αυγ"],
        &["sep", "set", "сен", "σεπ", "szep"],
        &["oct", "okt", "oct", "out", "ott", "окт", "οκτ"],
        &["nov", "ноя", "νοέ", "νοε"],
        &["dec", "des", "dez", "déc", "dic", "дек", "δεκ"],
    ];
    if word.chars().take(3).any(|c| !c.is_alphabetic()) {
        return None;
    }
    // No weekday begins like a month, except `mar` (`mardi`, `martes`), which is read as March.
    let at = NAMES.iter().position(|names| names.iter().any(|name| word.starts_with(name)))?;
    i32::try_from(at + 1).ok()
}
