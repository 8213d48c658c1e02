//! Translation of the texts of stored changes to the language of a page. Changes are stored in English:
//! sentences that this service wrote are recognised by their English wording, and words of the watched page
//! remain unchanged.

use chrono::{NaiveDate, NaiveDateTime};
use extract::watch::Wall;
use kernel::{Code, Language, Millis};
use language::{Key, formats, values_between};

use super::message_text::{CHANGES, MessageText, of_wall, page_exists, page_exists_detail, since};
use super::notice;

const WALLS: [Wall; 7] = [
    Wall::RobotCheck,
    Wall::Consent,
    Wall::SignIn,
    Wall::Maintenance,
    Wall::Error,
    Wall::RegionBlock,
    Wall::Queue,
];

/// Returns the texts of a stored change in a language.
pub fn change_text(language: Language, title: &str, summary: &str) -> MessageText {
    if language == Language::English {
        return MessageText { title: title.to_owned(), summary: summary.to_owned() };
    }
    let (stored, previous_check_at) = match previous_check(summary) {
        Some((stored, at)) => (stored, Some(at)),
        None => (summary, None),
    };
    let text = of_failure(language, title, stored)
        .or_else(|| of_stored_wall(language, title, stored))
        .unwrap_or_else(|| of_difference(language, title, stored));
    match previous_check_at {
        Some(at) => MessageText { summary: since(language, &text.summary, at), ..text },
        None => text,
    }
}

/// Splits a summary into the text and the time of the previous check. `None` if the summary does not contain
/// this time.
fn previous_check(summary: &str) -> Option<(&str, Millis)> {
    let [summary, time] = values(Key("since"), &["summary", "time"], summary)?[..] else { return None };
    let time = NaiveDateTime::parse_from_str(time, "%d %B %Y, %H:%M UTC").ok()?;
    Some((summary, time.and_utc().timestamp_millis()))
}

/// Returns the translated texts of a notice that a monitor fails or was stopped. `None` for other changes.
fn of_failure(language: Language, title: &str, summary: &str) -> Option<MessageText> {
    let kinds = [
        (Key("stopped"), [Key("stopped-first"), Key("stopped-again")]),
        (Key("failing"), [Key("failing-first"), Key("failing-again")]),
    ];
    kinds.into_iter().find_map(|(key, details)| {
        let reason = single(key, "reason", title)?;
        let is_reason = |code: &&Code| notice::reason(Language::English, **code) == reason;
        let code = *Code::ALL.iter().find(is_reason)?;
        let own = CHANGES.text(language, key).with("reason", notice::reason(language, code)).get();
        let detail = failure_detail(language, (title, &own), details, summary);
        Some(MessageText { summary: detail.unwrap_or_else(|| summary.to_owned()), title: own })
    })
}

/// Returns the translated summary of a notice about failures. `own` is the translated title. `None` for other
/// summaries.
fn failure_detail(
    language: Language,
    (title, own): (&str, &str),
    [first, again]: [Key; 2],
    summary: &str,
) -> Option<String> {
    if CHANGES.text(Language::English, first).with("title", title).get() == summary {
        return Some(CHANGES.text(language, first).with("title", own).get());
    }
    let words = CHANGES.english_words(again, &["title", "failures", "date"]);
    let [failures, date] = values_between(summary.strip_prefix(title)?, words.get(1..)?)?[..] else {
        return None;
    };
    let failures = failures.parse::<u32>().ok()?;
    let date = formats::day(language, NaiveDate::parse_from_str(date, "%d %B %Y").ok()?);
    let text = CHANGES.text(language, again).with("title", own);
    Some(text.with("failures", failures).with("date", date).get())
}

/// Returns the translated texts about a wall. `None` for other changes.
fn of_stored_wall(language: Language, title: &str, summary: &str) -> Option<MessageText> {
    let wall = WALLS.into_iter().find(|wall| of_wall(Language::English, *wall).title == title)?;
    Some(if of_wall(Language::English, wall).summary == summary {
        of_wall(language, wall)
    } else {
        MessageText { summary: summary.to_owned(), ..of_wall(language, wall) }
    })
}

/// Returns the texts about a difference. Statements that this service wrote are translated. Other sentences
/// about differences remain in English.
fn of_difference(language: Language, title: &str, summary: &str) -> MessageText {
    let Some(rest) = title.strip_prefix(page_exists(Language::English, "").as_str()) else {
        let own = statement(language, title).unwrap_or_else(|| title.to_owned());
        let summary = if summary == title { own.clone() } else { summary.to_owned() };
        return MessageText { title: own, summary };
    };
    let own = statement(language, rest).unwrap_or_else(|| rest.to_owned());
    let detail = summary.strip_prefix(page_exists_detail(Language::English, "").as_str());
    let summary = match detail {
        Some(detail) if detail == rest => page_exists_detail(language, &own),
        Some(detail) => page_exists_detail(language, detail),
        None => summary.to_owned(),
    };
    MessageText { title: page_exists(language, &own), summary }
}

/// Translates a title that this service wrote, which may contain the condition of a trigger. `None` for
/// titles with words of the page.
fn statement(language: Language, title: &str) -> Option<String> {
    let too_large = Key("too-large");
    if CHANGES.text(Language::English, too_large).get() == title {
        return Some(CHANGES.text(language, too_large).get());
    }
    if let Some(condition) = single(Key("true-now"), "condition", title) {
        return Some(CHANGES.text(language, Key("true-now")).with("condition", condition).get());
    }
    let count = single(Key("reordered"), "count", title)?.parse::<u32>().ok()?;
    Some(CHANGES.text(language, Key("reordered")).with("count", count).get())
}

fn single<'a>(key: Key, name: &'static str, text: &'a str) -> Option<&'a str> {
    values(key, &[name], text)?.first().copied()
}

/// Returns the arguments of a text. `names` are in the order in which they occur in the English text. `None`
/// if the text does not match.
fn values<'a>(key: Key, names: &[&'static str], text: &'a str) -> Option<Vec<&'a str>> {
    values_between(text, &CHANGES.english_words(key, names))
}

#[cfg(test)]
mod tests {
    use kernel::clock::DAY;

    use super::*;

    fn german(title: &str, summary: &str) -> (String, String) {
        let text = change_text(Language::German, title, summary);
        (text.title, text.summary)
    }

    #[test]
    fn statements_of_the_service_are_translated() {
        let english = notice::Notice::Stopped { code: Code::SourceForbidden, failures: 7, since: 3 * DAY };
        let of = |language| (english.title(language), english.summary(language));
        let (title, summary) = of(Language::English);
        assert_eq!(german(&title, &summary), of(Language::German));
        let failing = notice::Notice::Failing { code: Code::RobotsDisallowed, failures: 1, since: DAY };
        let (title, summary) = (failing.title(Language::English), failing.summary(Language::English));
        assert_eq!(
            german(&title, &summary),
            (failing.title(Language::German), failing.summary(Language::German))
        );
        assert_eq!(german(&title, "").0, failing.title(Language::German));
        for wall in WALLS {
            let (english, own) = (of_wall(Language::English, wall), of_wall(Language::German, wall));
            assert_eq!(german(&english.title, &english.summary), (own.title, own.summary));
        }
    }

    #[test]
    fn words_of_the_page_are_not_translated() {
        let price = german("Price: 120 € → 90 €", "Price: 120 € → 90 €");
        assert_eq!(price, ("Price: 120 € → 90 €".to_owned(), "Price: 120 € → 90 €".to_owned()));
        let arrival =
            (page_exists(Language::English, "Bread"), page_exists_detail(Language::English, "Bread"));
        let own = (page_exists(Language::German, "Bread"), page_exists_detail(Language::German, "Bread"));
        assert_eq!(german(&arrival.0, &arrival.1), own);
        let stored = since(Language::English, "Bread", 5 * DAY);
        assert_eq!(german("Bread", &stored).1, since(Language::German, "Bread", 5 * DAY));
        let english = change_text(Language::English, &arrival.0, &arrival.1);
        assert_eq!((english.title, english.summary), arrival);
    }
}
