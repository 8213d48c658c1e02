//! Matches the pattern of a rule against entries. Regular expressions run in time linear in the length of the
//! text; the size of an expression, the length of the text, and the time are limited as well.

use std::time::Duration;

use regex::{Error as RegexError, Regex, RegexBuilder};
use rustix::time::{ClockId, clock_gettime};

use super::rule::{RuleKind, RulePart};
use kernel::bounds::RULE_CHARS;
use kernel::code::Code;
use kernel::error::{Error, Result};
use kernel::search::words::fold;

/// Maximum size of a compiled expression in bytes.
const EXPRESSION_BYTES: usize = 128 << 10;
/// Maximum size of the DFA cache of an expression in bytes.
const MEMORY_BYTES: usize = 512 << 10;
/// Maximum nesting of groups.
const NESTED: u32 = 32;
/// Maximum characters of each text that are searched.
const LOOKED_AT: usize = 10_000;
/// Time limit of one rule for the entries of one body.
pub(super) const PATIENCE: Duration = Duration::from_millis(250);
/// Time limit of all rules of an account for the entries of one body.
pub(super) const PATIENCE_FOR_ACCOUNT: Duration = Duration::from_secs(1);
/// Time limit of the rules of all followers for the entries of one body.
pub(super) const PATIENCE_FOR_BODY: Duration = Duration::from_secs(5);

/// Content of an entry as given by its feed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Said {
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) summary: Option<String>,
    /// Markup.
    pub(crate) content: Option<String>,
}

/// CPU time of the current thread, so that other threads do not count.
pub(super) type Clock<'a> = &'a dyn Fn() -> Duration;

/// CPU time of the calling thread.
pub(super) fn time_of_thread() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// Plain texts of an entry.
struct Texts {
    title: String,
    author: String,
    text: String,
}

impl Texts {
    /// Converts the markup to plain text. Slow: call it on a blocking thread.
    fn of(said: &Said) -> Self {
        let content = said.content.as_deref().map(extract::feed::plain_text);
        let texts: Vec<&str> = [said.summary.as_deref(), content.as_deref()].into_iter().flatten().collect();
        let cut = |text: &str| text.chars().take(LOOKED_AT).collect::<String>();
        Self {
            title: cut(said.title.as_deref().unwrap_or_default()),
            author: cut(said.author.as_deref().unwrap_or_default()),
            text: cut(&texts.join("\n")),
        }
    }

    fn folded(&self) -> Self {
        Self { title: fold(&self.title), author: fold(&self.author), text: fold(&self.text) }
    }

    fn parts(&self, part: RulePart) -> Vec<&str> {
        match part {
            RulePart::Title => vec![&self.title],
            RulePart::Author => vec![&self.author],
            RulePart::Text => vec![&self.text],
            RulePart::Any => vec![&self.title, &self.author, &self.text],
        }
    }
}

/// An entry prepared for many rules.
pub(super) struct Entry {
    said: Texts,
    folded: Texts,
}

impl Entry {
    /// Converts the markup of an entry to text, once for all rules. Slow: call it on a blocking thread.
    pub(super) fn new(said: &Said) -> Self {
        let said = Texts::of(said);
        let folded = said.folded();
        Self { said, folded }
    }
}

/// Result of matching a rule against entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// For each entry, whether it matches.
    In(Vec<bool>),
    /// The rule exceeded its own time limit.
    TooSlow,
    /// The remaining time of the account or the body ran out first.
    NoTimeLeft,
}

/// A rule prepared for matching.
pub(super) struct Matcher {
    part: RulePart,
    wanted: Wanted,
}

enum Wanted {
    Words(String),
    Expression(Box<Regex>),
}

impl Matcher {
    /// Prepares a rule.
    ///
    /// # Errors
    /// `invalid_request` with the reason why the words or the expression are invalid.
    pub(super) fn new(part: RulePart, kind: RuleKind, words: &str) -> Result<Self> {
        if words.trim().is_empty() || words.chars().count() > RULE_CHARS {
            return Err(wrong(format!("Enter 1 to {RULE_CHARS} characters.")));
        }
        let wanted = match kind {
            RuleKind::Words => Wanted::Words(fold(words.trim())),
            RuleKind::Expression => {
                let expression = expression(words.trim()).map_err(|error| wrong(reason(&error)))?;
                Wanted::Expression(Box::new(expression))
            }
        };
        if matches!(&wanted, Wanted::Words(words) if words.is_empty()) {
            return Err(wrong("Enter at least one letter or digit.".to_owned()));
        }
        Ok(Self { part, wanted })
    }

    /// Matches entries within the time limit of a rule and the remaining time `left`.
    pub(super) fn find(&self, entries: &[Entry], clock: Clock<'_>, left: Duration) -> Found {
        let begun = clock();
        let mut found = Vec::with_capacity(entries.len());
        for entry in entries {
            found.push(self.finds(entry));
            let taken = clock().saturating_sub(begun);
            if taken > PATIENCE {
                return Found::TooSlow;
            }
            if taken > left {
                return Found::NoTimeLeft;
            }
        }
        Found::In(found)
    }

    fn finds(&self, entry: &Entry) -> bool {
        match &self.wanted {
            Wanted::Words(words) => entry.folded.parts(self.part).iter().any(|text| text.contains(words)),
            Wanted::Expression(expression) => {
                entry.said.parts(self.part).iter().any(|text| expression.is_match(text))
            }
        }
    }
}

/// Error for invalid words or an invalid expression.
pub(super) fn wrong(message: String) -> Error {
    Error::new(Code::InvalidRequest, message.clone()).at("words", message)
}

fn expression(words: &str) -> std::result::Result<Regex, RegexError> {
    RegexBuilder::new(words)
        .case_insensitive(true)
        .size_limit(EXPRESSION_BYTES)
        .dfa_size_limit(MEMORY_BYTES)
        .nest_limit(NESTED)
        .build()
}

/// Explains why an expression is invalid.
fn reason(error: &RegexError) -> String {
    match error {
        RegexError::CompiledTooBig(_) => {
            let most = EXPRESSION_BYTES >> 10;
            format!(
                "This expression is too costly: its repetitions make it larger than {most} KiB. Repeat less."
            )
        }
        RegexError::Syntax(text) => {
            let words = text.rsplit("error: ").next().unwrap_or_default().trim();
            format!("This regular expression is not supported: {words}.")
        }
        other => format!("This regular expression is not supported: {other}."),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn entry(title: &str, author: &str, content: &str) -> Entry {
        let text = |text: &str| Some(text.to_owned());
        let (title, author, content) = (text(title), text(author), text(content));
        Entry::new(&Said { title, author, summary: None, content })
    }

    fn finds(part: RulePart, kind: RuleKind, words: &str, entry: &Entry) -> bool {
        let matcher = Matcher::new(part, kind, words).unwrap();
        matcher.find(std::slice::from_ref(entry), &|| Duration::ZERO, PATIENCE) == Found::In(vec![true])
    }

    #[test]
    fn words_and_expressions_match_in_their_part_of_an_entry() {
        let one = entry("Café crème", "Ada Lovelace", "<p>Sponsored by <b>nobody</b></p>");
        assert!(finds(RulePart::Title, RuleKind::Words, "CAFE", &one));
        assert!(!finds(RulePart::Author, RuleKind::Words, "cafe", &one));
        assert!(finds(RulePart::Any, RuleKind::Words, "lovelace", &one));
        assert!(finds(RulePart::Text, RuleKind::Words, "by nobody", &one));
        assert!(finds(RulePart::Text, RuleKind::Expression, r"^sponsored\b", &one));
        assert!(!finds(RulePart::Title, RuleKind::Expression, r"(?-i)^caf", &one));
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
    fn rule_is_too_slow_only_by_its_own_time() {
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
        let none = Found::In(vec![false, false]);
        assert_eq!(matcher.find(&entries, &each(PATIENCE / 2), PATIENCE), none);
        assert_eq!(matcher.find(&entries, &each(PATIENCE), PATIENCE * 10), Found::TooSlow);
        assert_eq!(matcher.find(&entries, &each(PATIENCE / 2), PATIENCE / 4), Found::NoTimeLeft);
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
