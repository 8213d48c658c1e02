//! Whether a rule finds something in an entry. Regular expressions are of a kind that takes time for the length of the text
//! alone; how large one may become, how much text it is given and how long it may take are bounded besides.

use std::time::{Duration, Instant};

use regex::{Error as RegexError, Regex, RegexBuilder};

use super::rule::{RuleKind, RulePart};
use crate::bounds::RULE_CHARS;
use crate::code::Code;
use crate::error::{Error, Result};
use crate::search::words::fold;

/// Bytes that a compiled expression may take.
const EXPRESSION_BYTES: usize = 512 << 10;
/// Brackets in brackets.
const NESTED: u32 = 32;
/// Characters of a text that are looked at.
const LOOKED_AT: usize = 10_000;
/// How long a rule may take for the entries of one body.
pub(super) const PATIENCE: Duration = Duration::from_millis(250);
/// How long all rules of an account may take for them.
pub(super) const PATIENCE_FOR_ALL: Duration = Duration::from_secs(1);

/// What an entry says, as rules look at it.
#[derive(Clone, Debug, Default)]
pub(in crate::feeds) struct Said {
    title: String,
    author: String,
    text: String,
}

impl Said {
    /// What a feed gives of an entry. `content` is markup.
    pub(in crate::feeds) fn new(
        title: Option<&str>,
        author: Option<&str>,
        summary: Option<&str>,
        content: Option<&str>,
    ) -> Self {
        let content = content.map(extract::feed::plain_text);
        let texts: Vec<&str> = [summary, content.as_deref()].into_iter().flatten().collect();
        let cut = |text: &str| text.chars().take(LOOKED_AT).collect::<String>();
        Self {
            title: cut(title.unwrap_or_default()),
            author: cut(author.unwrap_or_default()),
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
    said: Said,
    folded: Said,
}

impl Entry {
    pub(super) fn new(said: Said) -> Self {
        let folded = said.folded();
        Self { said, folded }
    }
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

    /// Which of these entries it finds; none when that takes longer than `patience`.
    pub(super) fn find(&self, entries: &[Entry], patience: Duration) -> Option<Vec<bool>> {
        let begun = Instant::now();
        let mut found = Vec::with_capacity(entries.len());
        for entry in entries {
            found.push(self.finds(entry));
            if begun.elapsed() > patience {
                return None;
            }
        }
        Some(found)
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
        .dfa_size_limit(EXPRESSION_BYTES)
        .nest_limit(NESTED)
        .build()
}

/// What is wrong with an expression, in words.
fn reason(error: &RegexError) -> String {
    match error {
        RegexError::CompiledTooBig(_) => {
            "This expression is too costly: its repetitions make it too large. Repeat less.".to_owned()
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
    use super::*;

    fn entry(title: &str, author: &str, content: &str) -> Entry {
        Entry::new(Said::new(Some(title), Some(author), None, Some(content)))
    }

    fn finds(part: RulePart, kind: RuleKind, words: &str, entry: &Entry) -> bool {
        let found = Matcher::new(part, kind, words).unwrap().find(std::slice::from_ref(entry), PATIENCE);
        found.unwrap()[0]
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
    fn the_costliest_expression_takes_a_bounded_time_and_one_without_time_finds_nothing() {
        let matcher = Matcher::new(RulePart::Any, RuleKind::Expression, r"(x+x+)+(x+x+)+y").unwrap();
        let long = entry("x", "x", &"x".repeat(200_000));
        assert_eq!(matcher.find(std::slice::from_ref(&long), Duration::from_secs(10)), Some(vec![false]));
        assert_eq!(matcher.find(&[long], Duration::ZERO), None);
    }
}
