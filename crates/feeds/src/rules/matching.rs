//! Whether a rule finds something in an entry. Regular expressions are of a kind that takes time for the length of the text
//! alone; how large one may become, how much text it is given and how long it may take are bounded besides.

use std::time::Duration;

use regex::{Error as RegexError, Regex, RegexBuilder};
use rustix::time::{ClockId, clock_gettime};

use super::rule::{RuleKind, RulePart};
use kernel::bounds::RULE_CHARS;
use kernel::code::Code;
use kernel::error::{Error, Result};
use kernel::search::words::fold;

/// Bytes that a compiled expression may take.
const EXPRESSION_BYTES: usize = 128 << 10;
/// Bytes that one may use to remember where it was while it looks.
const MEMORY_BYTES: usize = 512 << 10;
/// Brackets in brackets.
const NESTED: u32 = 32;
/// Characters of a text that are looked at.
const LOOKED_AT: usize = 10_000;
/// How long a rule may take for the entries of one body.
pub(super) const PATIENCE: Duration = Duration::from_millis(250);
/// How long all rules of an account may take for them.
pub(super) const PATIENCE_FOR_ACCOUNT: Duration = Duration::from_secs(1);
/// How long the rules of everybody who follows the feed may take for them.
pub(super) const PATIENCE_FOR_BODY: Duration = Duration::from_secs(5);

/// What a feed gives of an entry, as it stands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Said {
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) summary: Option<String>,
    /// Markup.
    pub(crate) content: Option<String>,
}

/// Processor time that this thread has taken: what others take meanwhile counts for nobody here.
pub(super) type Clock<'a> = &'a dyn Fn() -> Duration;

/// The time of the thread that asks.
pub(super) fn time_of_thread() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// An entry as rules look at it.
struct Texts {
    title: String,
    author: String,
    text: String,
}

impl Texts {
    /// Takes the markup apart, which nobody may wait for.
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

/// An entry, ready to be looked at by many rules.
pub(super) struct Entry {
    said: Texts,
    folded: Texts,
}

impl Entry {
    /// Takes the entry's text out of its markup, once for all rules. That takes a moment: not on a thread on which others
    /// wait.
    pub(super) fn new(said: &Said) -> Self {
        let said = Texts::of(said);
        let folded = said.folded();
        Self { said, folded }
    }
}

/// What a rule found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// For each entry whether it finds it.
    In(Vec<bool>),
    /// It took longer than a rule may.
    TooSlow,
    /// The time that was left was over before its own was.
    NoTimeLeft,
}

/// A rule, ready to look.
pub(super) struct Matcher {
    part: RulePart,
    wanted: Wanted,
}

enum Wanted {
    Words(String),
    Expression(Box<Regex>),
}

impl Matcher {
    /// # Errors
    /// `invalid_request` with what is wrong with the words or the expression.
    pub(super) fn new(part: RulePart, kind: RuleKind, words: &str) -> Result<Self> {
        if words.trim().is_empty() || words.chars().count() > RULE_CHARS {
            return Err(wrong(format!("Write 1 to {RULE_CHARS} characters to look for.")));
        }
        let wanted = match kind {
            RuleKind::Words => Wanted::Words(fold(words.trim())),
            RuleKind::Expression => {
                let expression = expression(words.trim()).map_err(|error| wrong(reason(&error)))?;
                Wanted::Expression(Box::new(expression))
            }
        };
        if matches!(&wanted, Wanted::Words(words) if words.is_empty()) {
            return Err(wrong("There is nothing in it that could be looked for.".to_owned()));
        }
        Ok(Self { part, wanted })
    }

    /// Which of these entries it finds, in its own time and in what of the time of all is `left`.
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

/// What is wrong with what a rule is to look for.
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

/// What is wrong with an expression, in words.
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
            format!("This is not a regular expression that can be used here: {words}.")
        }
        other => format!("This is not a regular expression that can be used here: {other}."),
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
    fn words_and_expressions_are_found_where_they_are_looked_for() {
        let one = entry("Café crème", "Ada Lovelace", "<p>Sponsored by <b>nobody</b></p>");
        assert!(finds(RulePart::Title, RuleKind::Words, "CAFE", &one));
        assert!(!finds(RulePart::Author, RuleKind::Words, "cafe", &one));
        assert!(finds(RulePart::Any, RuleKind::Words, "lovelace", &one));
        assert!(finds(RulePart::Text, RuleKind::Words, "by nobody", &one));
        assert!(finds(RulePart::Text, RuleKind::Expression, r"^sponsored\b", &one));
        assert!(!finds(RulePart::Title, RuleKind::Expression, r"(?-i)^caf", &one));
    }

    #[test]
    fn expressions_that_are_broken_or_costly_are_refused_with_a_reason() {
        let reason =
            |words: &str| Matcher::new(RulePart::Any, RuleKind::Expression, words).err().unwrap().message;
        assert!(reason("(abc").contains("unclosed group"), "{}", reason("(abc"));
        assert!(reason(r"(\w{50}){50}").contains("too costly"), "{}", reason(r"(\w{50}){50}"));
        assert!(reason("(?=x)y").contains("look-around"), "{}", reason("(?=x)y"));
        assert!(reason(&"x".repeat(RULE_CHARS + 1)).contains("characters"));
        assert!(Matcher::new(RulePart::Any, RuleKind::Words, "  ").is_err());
    }

    #[test]
    fn a_rule_is_too_slow_by_its_own_time_alone() {
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
    fn an_expression_of_more_than_128_kib_is_refused_and_ordinary_ones_are_not() {
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
