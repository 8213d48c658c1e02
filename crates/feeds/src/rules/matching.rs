//! Matches the patterns of rules against entries. A date condition has one of these forms: a condition of the search
//! filter `published:`; `before:` or `after:` with a date; `between:` with two dates; or `future`. Regular expressions
//! run in time linear in the length of the text. The size of an expression, the length of the text, and the time are
//! also limited.

use std::time::Duration;

use extract::feed::Enclosure;
use regex::{Error as RegexError, Regex};

use super::super::expressions::{CpuClock, explain, expression_builder};
use super::rule::{RuleKind, RulePart};
use kernel::bounds::RULE_CHARS;
use kernel::search::dates::Period;
use kernel::search::words::fold;
use kernel::{Code, Error, Millis, Result};

/// Maximum number of characters of each text that are searched.
const MAX_TEXT_CHARS: usize = 10_000;
/// Time limit for matching one rule against the entries of one body.
pub(super) const RULE_TIME_LIMIT: Duration = Duration::from_millis(250);
/// Time limit for matching all rules of an account against the entries of one body.
pub(super) const ACCOUNT_TIME_LIMIT: Duration = Duration::from_secs(1);
/// Time limit for matching the rules of all followers against the entries of one body.
pub(super) const BODY_TIME_LIMIT: Duration = Duration::from_secs(5);

/// Content of an entry, as its feed provides it.
#[derive(Clone, Debug, Default)]
pub(crate) struct EntryFields {
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) summary: Option<String>,
    /// Markup of the text.
    pub(crate) content: Option<String>,
    pub(crate) url: Option<String>,
    pub(crate) enclosures: Vec<Enclosure>,
    pub(crate) categories: Vec<String>,
    /// Publication time, or else the update time.
    pub(crate) published_at: Option<Millis>,
    /// True if the feed provides a time that is too far in the future to be stored.
    pub(crate) is_ahead: bool,
}

/// Plain texts of an entry.
struct PlainTexts {
    title: String,
    author: String,
    text: String,
    url: String,
    /// Media type and URL of each attached file.
    media: Vec<String>,
    categories: Vec<String>,
}

impl PlainTexts {
    /// Converts the markup to plain text. Slow, so it must be called on a blocking thread.
    fn of(fields: &EntryFields) -> Self {
        let content = fields.content.as_deref().map(extract::feed::plain_text);
        let texts: Vec<&str> =
            [fields.summary.as_deref(), content.as_deref()].into_iter().flatten().collect();
        let cut = |text: &str| text.chars().take(MAX_TEXT_CHARS).collect::<String>();
        Self {
            title: cut(fields.title.as_deref().unwrap_or_default()),
            author: cut(fields.author.as_deref().unwrap_or_default()),
            text: cut(&texts.join("\n")),
            url: fields.url.clone().unwrap_or_default(),
            media: fields.enclosures.iter().map(|file| format!("{} {}", file.media_type, file.url)).collect(),
            categories: fields.categories.clone(),
        }
    }

    fn folded(&self) -> Self {
        Self {
            title: fold(&self.title),
            author: fold(&self.author),
            text: fold(&self.text),
            url: fold(&self.url),
            media: self.media.iter().map(|file| fold(file)).collect(),
            categories: self.categories.iter().map(|name| fold(name)).collect(),
        }
    }

    fn parts(&self, part: RulePart) -> Vec<&str> {
        match part {
            RulePart::Title => vec![&self.title],
            RulePart::Author => vec![&self.author],
            RulePart::Text => vec![&self.text],
            RulePart::Any => vec![&self.title, &self.author, &self.text],
            RulePart::Url => vec![&self.url],
            RulePart::Media => self.media.iter().map(String::as_str).collect(),
            RulePart::Category => self.categories.iter().map(String::as_str).collect(),
            RulePart::Published => Vec::new(),
        }
    }
}

/// Entry prepared for the evaluation of many rules.
pub(super) struct PreparedEntry {
    plain: PlainTexts,
    folded: PlainTexts,
    published_at: Option<Millis>,
    /// True if the entry has a time after the time of the evaluation.
    is_future: bool,
    /// Time of the evaluation, to which the ages of date conditions are relative.
    now: Millis,
}

impl PreparedEntry {
    /// Converts the markup of an entry to text once for all rules. Slow, so it must be called on a blocking
    /// thread.
    pub(super) fn new(fields: &EntryFields, now: Millis) -> Self {
        let plain = PlainTexts::of(fields);
        let folded = plain.folded();
        let is_future = fields.is_ahead || fields.published_at.is_some_and(|at| at > now);
        Self { plain, folded, published_at: fields.published_at, is_future, now }
    }
}

/// Result of matching a rule against several entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum MatchOutcome {
    /// The rule was evaluated. Contains one value per entry: true if it matches.
    Matched(Vec<bool>),
    /// The rule exceeded its own time limit.
    TooSlow,
    /// The remaining time of the account or body was used up before the rule's own time limit.
    NoTimeLeft,
}

/// Rule prepared for matching.
pub(super) struct Matcher {
    part: RulePart,
    pattern: RulePattern,
}

enum RulePattern {
    Words(String),
    Expression(Box<Regex>),
    /// Entries without a time do not match.
    Published(Period),
    /// Entries with a time in the future.
    Future,
}

impl Matcher {
    /// Prepares a rule for matching.
    ///
    /// # Errors
    /// `invalid_request` with an explanation if the words, the expression, or the date are invalid.
    pub(super) fn new(part: RulePart, kind: RuleKind, words: &str) -> Result<Self> {
        if words.trim().is_empty() || words.chars().count() > RULE_CHARS {
            return Err(invalid_words(format!("Enter 1 to {RULE_CHARS} characters.")));
        }
        let pattern = match kind {
            RuleKind::Words if part == RulePart::Published => date_pattern(words.trim())?,
            RuleKind::Expression if part == RulePart::Published => {
                return Err(invalid_words(
                    "A date cannot be matched with a regular expression. Choose words.".to_owned(),
                ));
            }
            RuleKind::Words => RulePattern::Words(fold(words.trim())),
            RuleKind::Expression => {
                let expression = expression(words.trim()).map_err(|error| invalid_words(explain(&error)))?;
                RulePattern::Expression(Box::new(expression))
            }
        };
        if matches!(&pattern, RulePattern::Words(words) if words.is_empty()) {
            return Err(invalid_words("Enter at least one letter or digit.".to_owned()));
        }
        Ok(Self { part, pattern })
    }

    /// Matches entries within the time limit of a single rule and the remaining time `left`.
    pub(super) fn match_all(
        &self,
        entries: &[PreparedEntry],
        clock: CpuClock<'_>,
        left: Duration,
    ) -> MatchOutcome {
        let begun = clock();
        let mut matched = Vec::with_capacity(entries.len());
        for entry in entries {
            matched.push(self.is_match(entry));
            let taken = clock().saturating_sub(begun);
            if taken > RULE_TIME_LIMIT {
                return MatchOutcome::TooSlow;
            }
            if taken > left {
                return MatchOutcome::NoTimeLeft;
            }
        }
        MatchOutcome::Matched(matched)
    }

    fn is_match(&self, entry: &PreparedEntry) -> bool {
        match &self.pattern {
            RulePattern::Words(words) => {
                entry.folded.parts(self.part).iter().any(|text| text.contains(words))
            }
            RulePattern::Expression(expression) => {
                entry.plain.parts(self.part).iter().any(|text| expression.is_match(text))
            }
            RulePattern::Published(period) => {
                entry.published_at.is_some_and(|at| period.contains(at, entry.now))
            }
            RulePattern::Future => entry.is_future,
        }
    }
}

/// Creates the error for invalid words or an invalid expression.
pub(super) fn invalid_words(message: String) -> Error {
    Error::new(Code::InvalidRequest, message.clone()).at("words", message)
}

fn date_pattern(words: &str) -> Result<RulePattern> {
    if words.eq_ignore_ascii_case("future") {
        return Ok(RulePattern::Future);
    }
    let explanation = "Enter a date condition: 7d (the last 7 days), >7d (older), before:2026-01-31, after:2026, \
        between:2026-01,2026-03 or future.";
    let period = Period::parse_condition(words).ok_or_else(|| invalid_words(explanation.to_owned()))?;
    Ok(RulePattern::Published(period))
}

fn expression(words: &str) -> std::result::Result<Regex, RegexError> {
    expression_builder(words).case_insensitive(true).build()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn entry(title: &str, author: &str, content: &str) -> PreparedEntry {
        let text = |text: &str| Some(text.to_owned());
        let (title, author, content) = (text(title), text(author), text(content));
        PreparedEntry::new(&EntryFields { title, author, content, ..EntryFields::default() }, 0)
    }

    fn finds(part: RulePart, kind: RuleKind, words: &str, entry: &PreparedEntry) -> bool {
        let matcher = Matcher::new(part, kind, words).unwrap();
        matcher.match_all(std::slice::from_ref(entry), &|| Duration::ZERO, RULE_TIME_LIMIT)
            == MatchOutcome::Matched(vec![true])
    }

    #[test]
    fn rule_matches_only_in_its_part_of_an_entry() {
        let one = entry("Café crème", "Ada Lovelace", "<p>Sponsored by <b>nobody</b></p>");
        assert!(finds(RulePart::Title, RuleKind::Words, "CAFE", &one));
        assert!(!finds(RulePart::Author, RuleKind::Words, "cafe", &one));
        assert!(finds(RulePart::Any, RuleKind::Words, "lovelace", &one));
        assert!(finds(RulePart::Text, RuleKind::Words, "by nobody", &one));
        assert!(finds(RulePart::Text, RuleKind::Expression, r"^sponsored\b", &one));
        assert!(!finds(RulePart::Title, RuleKind::Expression, r"(?-i)^caf", &one));
    }

    /// 2026-03-31, 12:00 UTC.
    const NOW: Millis = 1_774_958_400_000;
    const DAY: Millis = 24 * 60 * 60 * 1000;

    #[test]
    fn rule_can_search_urls_and_attached_files() {
        let file = |media_type: &str, url: &str| Enclosure {
            media_type: media_type.to_owned(),
            url: url.to_owned(),
            size_bytes: None,
        };
        let fields = EntryFields {
            url: Some("https://example.org/Sport/7".to_owned()),
            enclosures: vec![
                file("image/png", "https://example.org/7.png"),
                file("audio/mpeg", "https://media.example.org/7.mp3"),
            ],
            ..EntryFields::default()
        };
        let one = PreparedEntry::new(&fields, NOW);
        assert!(finds(RulePart::Url, RuleKind::Words, "example.org/sport/", &one));
        assert!(finds(RulePart::Url, RuleKind::Expression, r"/sport/\d+$", &one));
        assert!(!finds(RulePart::Url, RuleKind::Words, "media.example.org", &one));
        assert!(finds(RulePart::Media, RuleKind::Words, "audio/", &one));
        assert!(finds(RulePart::Media, RuleKind::Expression, r"^audio/.*\.mp3$", &one));
        assert!(!finds(RulePart::Media, RuleKind::Words, "video", &one));
        assert!(!finds(RulePart::Any, RuleKind::Words, "example.org", &one));
        let bare = PreparedEntry::new(&EntryFields::default(), NOW);
        assert!(!finds(RulePart::Media, RuleKind::Expression, ".", &bare));
        assert!(!finds(RulePart::Url, RuleKind::Expression, ".", &bare));
    }

    #[test]
    fn date_condition_compares_the_publication_time() {
        let at = |published_at: Option<Millis>| {
            PreparedEntry::new(&EntryFields { published_at, ..EntryFields::default() }, NOW)
        };
        let (new, old, undated) = (at(Some(NOW - DAY)), at(Some(NOW - 30 * DAY)), at(None));
        for (condition, expected) in [
            (">7d", (false, true)),
            ("<7d", (true, false)),
            ("before:2026-03-15", (false, true)),
            ("After:2026-03-15", (true, false)),
            ("2026-03-30", (true, false)),
            ("2026-03", (true, true)),
            ("between:2026-03-01, 2026-03-15", (false, true)),
            ("future", (false, false)),
        ] {
            let finds = |entry: &PreparedEntry| finds(RulePart::Published, RuleKind::Words, condition, entry);
            assert_eq!(
                (finds(&new), finds(&old), finds(&undated)),
                (expected.0, expected.1, false),
                "{condition}"
            );
        }
    }

    #[test]
    fn time_after_the_evaluation_is_in_the_future() {
        let finds = |published_at, is_ahead| {
            let fields = EntryFields { published_at, is_ahead, ..EntryFields::default() };
            finds(RulePart::Published, RuleKind::Words, "Future", &PreparedEntry::new(&fields, NOW))
        };
        assert!(finds(Some(NOW + 1), false) && finds(None, true));
        assert!(!finds(Some(NOW), false) && !finds(None, false));
    }

    #[test]
    fn each_category_is_matched_separately() {
        let categories = vec!["Été".to_owned(), "Sea trade".to_owned()];
        let one = PreparedEntry::new(&EntryFields { categories, ..EntryFields::default() }, NOW);
        assert!(finds(RulePart::Category, RuleKind::Words, "ete", &one));
        assert!(finds(RulePart::Category, RuleKind::Expression, "^sea trade$", &one));
        assert!(!finds(RulePart::Category, RuleKind::Words, "ete sea", &one));
        assert!(!finds(RulePart::Any, RuleKind::Words, "trade", &one));
    }

    #[test]
    fn invalid_date_conditions_are_refused() {
        let refused =
            |kind, words: &str| Matcher::new(RulePart::Published, kind, words).err().unwrap().message;
        for words in ["yesterday", "before:", "before:>7d", "2026-02-30", ">7h", "between:2026,2025"] {
            assert!(refused(RuleKind::Words, words).contains("date condition"), "{words}");
        }
        assert!(refused(RuleKind::Expression, ">7d").contains("regular expression"));
    }

    #[test]
    fn invalid_and_costly_expressions_are_refused_with_a_reason() {
        let reason =
            |words: &str| Matcher::new(RulePart::Any, RuleKind::Expression, words).err().unwrap().message;
        assert!(reason("(abc").contains("unclosed group"), "{}", reason("(abc"));
        assert!(reason(r"(\w{50}){50}").contains("too costly"), "{}", reason(r"(\w{50}){50}"));
        assert!(reason("(?=x)y").contains("look-around"), "{}", reason("(?=x)y"));
        assert!(reason(&"x".repeat(RULE_CHARS + 1)).contains("characters"));
        assert!(Matcher::new(RulePart::Any, RuleKind::Words, "  ").is_err());
    }

    #[test]
    fn rule_is_too_slow_only_if_it_exceeds_its_own_time_limit() {
        let matcher = Matcher::new(RulePart::Any, RuleKind::Expression, r"(x+x+)+(x+x+)+y").unwrap();
        let entries = [entry("x", "x", &"x".repeat(200_000)), entry("x", "x", "x")];
        let now = Cell::new(Duration::ZERO);
        let each = |takes: Duration| {
            let now = &now;
            move || {
                now.set(now.get() + takes);
                now.get()
            }
        };
        let none = MatchOutcome::Matched(vec![false, false]);
        assert_eq!(matcher.match_all(&entries, &each(RULE_TIME_LIMIT / 2), RULE_TIME_LIMIT), none);
        assert_eq!(
            matcher.match_all(&entries, &each(RULE_TIME_LIMIT), RULE_TIME_LIMIT * 10),
            MatchOutcome::TooSlow
        );
        assert_eq!(
            matcher.match_all(&entries, &each(RULE_TIME_LIMIT / 2), RULE_TIME_LIMIT / 4),
            MatchOutcome::NoTimeLeft
        );
    }

    #[test]
    fn expression_over_128_kib_is_refused() {
        let made = |words: &str| Matcher::new(RulePart::Any, RuleKind::Expression, words);
        let refused = made(r"\w{20}").err().unwrap().message;
        assert!(refused.contains("larger than 128 KiB"), "{refused}");
        for words in [
            r"^\[(ad|sponsored|promo)\]",
            r"\b(giveaway|black friday|prime day|\d{1,3} ?% off)\b",
            r"^\w+ \w+: season \d+, episode \d+",
        ] {
            made(words).unwrap();
        }
    }
}
