//! Compiled rules, and their application to the texts of one entry.

use std::time::Duration;

use regex::Regex;

use super::super::expressions::CpuClock;
use super::entry_texts::EntryTexts;
use super::markup::{
    DeferredPictures, MAX_MARKUP_BYTES, line_of, one_line, sanitised, with_captions, with_paragraphs,
    without_elements, without_marks,
};
use super::rule::{NamedRewrite, Rewrite, RewriteField, check_count, expression_of, selectors_of};
use super::selector::Selectors;
use super::titles::without_capitals;
use kernel::{Error, Result};

/// Time limit for applying the rules of a feed to the entries of one body.
pub(crate) const REWRITE_TIME_LIMIT: Duration = Duration::from_millis(500);
/// Maximum size of a text in which expressions are replaced, in bytes.
const MAX_REPLACED_BYTES: usize = 100_000;
/// Maximum length of a title and of a summary, in characters.
const MAX_TITLE_CHARS: usize = 500;
const MAX_SUMMARY_CHARS: usize = 1000;

/// Compiled rules of a feed.
#[derive(Debug)]
pub(crate) struct Rewriter {
    /// Rules that need attributes of the publisher's markup. They are applied first.
    element_rules: Vec<ElementRule>,
    text_rules: Vec<TextRule>,
}

#[derive(Debug)]
enum ElementRule {
    Captions,
    DeferredPictures,
    Remove(Selectors),
}

#[derive(Debug)]
enum TextRule {
    Replace { field: RewriteField, expression: Box<Regex>, with: String },
    Paragraphs,
    Capitals,
}

/// Limits for applying rules.
pub(crate) struct RewriteLimits<'a> {
    pub(crate) clock: CpuClock<'a>,
    /// Reading of `clock` after which the rules are stopped.
    pub(crate) until: Duration,
    /// Returns the normal form of a replaced address. `None` if the address is refused.
    pub(crate) allowed: &'a dyn Fn(&str) -> Option<String>,
}

/// Texts of an entry after the rules were applied.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Rewritten {
    pub(crate) texts: EntryTexts,
    /// True if an original text was retained, because the result of a rule was refused.
    pub(crate) is_partial: bool,
}

/// The rules exceeded their time limit.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooSlow;

/// Reason why a rule was not applied to a text.
enum RewriteRefusal {
    TooSlow,
    /// The result is too long, too complex, or not an address that may be fetched.
    Refused,
}

impl Rewriter {
    /// Compiles rules on a blocking thread, because an expression may take some milliseconds.
    ///
    /// # Errors
    /// `invalid_request`, with the index of the rule, if a rule is invalid; `Internal` if the thread fails.
    pub(crate) async fn compile(rules: &[Rewrite]) -> Result<Self> {
        let rules = rules.to_vec();
        tokio::task::spawn_blocking(move || Self::new(&rules)).await.map_err(Error::internal)?
    }

    /// Like [`Rewriter::compile`], but on this thread.
    pub(super) fn new(rules: &[Rewrite]) -> Result<Self> {
        check_count(rules)?;
        let mut rewriter = Self { element_rules: Vec::new(), text_rules: Vec::new() };
        for (index, rule) in rules.iter().enumerate() {
            match rule {
                Rewrite::Remove(selector) => {
                    rewriter.element_rules.push(ElementRule::Remove(selectors_of(index, selector)?));
                }
                Rewrite::Apply(NamedRewrite::ImageCaptions) => {
                    rewriter.element_rules.push(ElementRule::Captions);
                }
                Rewrite::Apply(NamedRewrite::SrcsetImages) => {
                    rewriter.element_rules.push(ElementRule::DeferredPictures);
                }
                Rewrite::Apply(NamedRewrite::LineBreaks) => rewriter.text_rules.push(TextRule::Paragraphs),
                Rewrite::Apply(NamedRewrite::TitleCapitals) => rewriter.text_rules.push(TextRule::Capitals),
                Rewrite::Replace(rule) => rewriter.text_rules.push(TextRule::Replace {
                    field: rule.field,
                    expression: Box::new(expression_of(index, rule)?),
                    with: rule.with.clone(),
                }),
            }
        }
        Ok(rewriter)
    }

    /// Returns true if the rules need attributes that only a prepared body has.
    pub(crate) fn needs_attributes(&self) -> bool {
        !self.element_rules.is_empty()
    }

    /// Returns the texts of the feed, without the marks of a prepared body.
    pub(crate) fn original(texts: &EntryTexts) -> EntryTexts {
        let content =
            texts.content.as_deref().map(|content| without_marks(content, DeferredPictures::Removed));
        EntryTexts { content, ..texts.clone() }
    }

    /// Applies the rules to the texts of an entry.
    ///
    /// # Errors
    /// Returns [`TooSlow`] if the time runs out.
    pub(crate) fn rewrite(
        &self,
        texts: &EntryTexts,
        limits: &RewriteLimits<'_>,
    ) -> Result<Rewritten, TooSlow> {
        let mut rewritten = Rewritten { texts: Self::original(texts), is_partial: false };
        let mut take = |field: &mut Option<String>, result: Result<Option<String>, RewriteRefusal>| {
            match result {
                Ok(text) => *field = text,
                Err(RewriteRefusal::Refused) => rewritten.is_partial = true,
                Err(RewriteRefusal::TooSlow) => return Err(TooSlow),
            }
            Ok(())
        };
        let output = &mut rewritten.texts;
        if let Some(title) = &texts.title {
            take(&mut output.title, self.title(title, limits))?;
        }
        if let Some(url) = &texts.url {
            take(&mut output.url, self.address(url, limits).map(Some))?;
        }
        if let Some(content) = &texts.content {
            take(&mut output.content, self.content(content, limits).map(Some))?;
        }
        take(&mut output.summary, self.summary(texts, output.content.as_deref(), limits))?;
        Ok(rewritten)
    }

    /// Returns the rewritten title. `None` if the result is empty.
    fn title(&self, title: &str, limits: &RewriteLimits<'_>) -> Result<Option<String>, RewriteRefusal> {
        let mut title = title.to_owned();
        for rule in &self.text_rules {
            match rule {
                TextRule::Replace { field: RewriteField::Title, expression, with } => {
                    title = replaced(expression, with, &title, limits)?;
                }
                TextRule::Capitals => title = without_capitals(&title),
                TextRule::Replace { .. } | TextRule::Paragraphs => {}
            }
        }
        Ok(line(&title, MAX_TITLE_CHARS))
    }

    fn address(&self, url: &str, limits: &RewriteLimits<'_>) -> Result<String, RewriteRefusal> {
        let rewritten = self.replaced_in(RewriteField::Address, url, limits)?;
        if rewritten == url {
            return Ok(rewritten);
        }
        (limits.allowed)(rewritten.trim()).ok_or(RewriteRefusal::Refused)
    }

    fn content(&self, marked: &str, limits: &RewriteLimits<'_>) -> Result<String, RewriteRefusal> {
        let mut content = marked.to_owned();
        let mut deferred = DeferredPictures::Removed;
        // The cost of a selector grows with its alternatives and with the attributes of each element.
        for rule in &self.element_rules {
            limits.check_time()?;
            match rule {
                ElementRule::Captions => content = with_captions(&content),
                ElementRule::Remove(selectors) => {
                    content = without_elements(&content, |element| selectors.matches(element));
                }
                ElementRule::DeferredPictures => deferred = DeferredPictures::Displayed,
            }
        }
        limits.check_time()?;
        content = without_marks(&content, deferred);
        for rule in &self.text_rules {
            match rule {
                TextRule::Replace { field: RewriteField::Content, expression, with } => {
                    content = replaced(expression, with, &content, limits)?;
                }
                TextRule::Paragraphs => content = with_paragraphs(&content),
                TextRule::Replace { .. } | TextRule::Capitals => {}
            }
        }
        if content == without_marks(marked, deferred) {
            return Ok(content);
        }
        sanitised(&content).map_err(|_| RewriteRefusal::Refused)
    }

    /// Returns the rewritten summary. A summary that is the beginning of the text becomes the beginning of
    /// the rewritten text. The replacements are applied separately to any other summary.
    fn summary(
        &self,
        texts: &EntryTexts,
        rewritten: Option<&str>,
        limits: &RewriteLimits<'_>,
    ) -> Result<Option<String>, RewriteRefusal> {
        let summary = texts.summary.as_deref().unwrap_or_default();
        let original = Self::original(texts).content.unwrap_or_default();
        let rewritten = rewritten.unwrap_or_default();
        if rewritten != original && line_of(&original).starts_with(summary.trim_end_matches('…')) {
            return Ok(line(&line_of(rewritten), MAX_SUMMARY_CHARS));
        }
        Ok(line(&self.replaced_in(RewriteField::Content, summary, limits)?, MAX_SUMMARY_CHARS))
    }

    /// Applies the replacements of one field to a text.
    fn replaced_in(
        &self,
        replaced_field: RewriteField,
        text: &str,
        limits: &RewriteLimits<'_>,
    ) -> Result<String, RewriteRefusal> {
        let mut text = text.to_owned();
        for rule in &self.text_rules {
            if let TextRule::Replace { field, expression, with } = rule
                && *field == replaced_field
            {
                text = replaced(expression, with, &text, limits)?;
            }
        }
        Ok(text)
    }
}

/// Replaces all matches of an expression. The time is checked at each match, because a search for all matches takes
/// longer than linear time.
fn replaced(
    expression: &Regex,
    with: &str,
    text: &str,
    limits: &RewriteLimits<'_>,
) -> Result<String, RewriteRefusal> {
    if text.len() > MAX_REPLACED_BYTES {
        return Err(RewriteRefusal::Refused);
    }
    let references = with.matches('$').count();
    let (mut out, mut end) = (String::with_capacity(text.len()), 0);
    for captures in expression.captures_iter(text) {
        limits.check_time()?;
        let Some(whole) = captures.get(0) else { continue };
        out.push_str(&text[end..whole.start()]);
        if out.len() + with.len() + references * whole.len() > MAX_MARKUP_BYTES {
            return Err(RewriteRefusal::Refused);
        }
        captures.expand(with, &mut out);
        end = whole.end();
    }
    limits.check_time()?;
    out.push_str(&text[end..]);
    Ok(out)
}

impl RewriteLimits<'_> {
    fn check_time(&self) -> Result<(), RewriteRefusal> {
        if (self.clock)() > self.until { Err(RewriteRefusal::TooSlow) } else { Ok(()) }
    }
}

/// Returns a text on one line without control characters, truncated to a number of characters. `None` if it is empty.
fn line(text: &str, most: usize) -> Option<String> {
    let line = one_line(&text.replace(char::is_control, " "));
    let Some((end, _)) = line.char_indices().nth(most) else {
        return Some(line).filter(|line| !line.is_empty());
    };
    let last = line[..end].char_indices().next_back().map_or(0, |(at, _)| at);
    Some(format!("{}…", line[..last].trim_end()))
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::super::rule::Replacement;
    use super::*;

    fn replace(field: RewriteField, pattern: &str, with: &str) -> Rewrite {
        Rewrite::Replace(Replacement { field, pattern: pattern.to_owned(), with: with.to_owned() })
    }

    fn rewrite(rules: &[Rewrite], texts: &EntryTexts) -> Rewritten {
        let allowed = |url: &str| url.starts_with("https://").then(|| url.to_owned());
        let until = Duration::from_secs(1);
        let limits = RewriteLimits { clock: &|| Duration::ZERO, until, allowed: &allowed };
        Rewriter::new(rules).unwrap().rewrite(texts, &limits).unwrap()
    }

    fn entry() -> EntryTexts {
        EntryTexts {
            title: Some("[Ad] Boats 12".to_owned()),
            url: Some("https://example.org/amp/1".to_owned()),
            summary: Some("Words of boats".to_owned()),
            content: Some("<p>Words of boats</p>".to_owned()),
        }
    }

    #[test]
    fn replacements_are_applied_in_order_with_groups() {
        let rules = [
            replace(RewriteField::Title, r"^\[Ad\] (\w+)", "$1:"),
            replace(RewriteField::Title, "Boats:", "Ships:"),
            replace(RewriteField::Content, "boats", "<b>ships</b>"),
            replace(RewriteField::Address, "/amp/", "/"),
        ];
        let Rewritten { texts, is_partial } = rewrite(&rules, &entry());
        assert_eq!(texts.title.as_deref(), Some("Ships: 12"));
        assert_eq!(texts.content.as_deref(), Some("<p>Words of <b>ships</b></p>"));
        assert_eq!(texts.summary.as_deref(), Some("Words of ships"));
        assert_eq!(texts.url.as_deref(), Some("https://example.org/1"));
        assert!(!is_partial);
    }

    #[test]
    fn refused_results_leave_the_original_text() {
        let file = rewrite(&[replace(RewriteField::Address, "^https:", "file:")], &entry());
        assert!(file.is_partial && file.texts == entry());
        let growing: Vec<Rewrite> =
            (0..20).map(|_| replace(RewriteField::Content, ".", "$0$0$0$0")).collect();
        let grown = rewrite(&growing, &entry());
        assert!(grown.is_partial && grown.texts.content == entry().content);
        let script = rewrite(&[replace(RewriteField::Content, "boats", "<script>x()</script>")], &entry());
        assert_eq!(script.texts.content.as_deref(), Some("<p>Words of </p>"));
    }

    #[test]
    fn element_rules_match_class_marks_and_remove_them() {
        let content = "<p lang=\".ad\">Buy</p><img lang=\"!deferred\" align=\"Two boats\" src=\"https://example.org/a.png\">";
        let texts =
            EntryTexts { content: Some(content.to_owned()), summary: Some("Buy".to_owned()), ..entry() };
        let rules = [
            Rewrite::Remove(".ad".to_owned()),
            Rewrite::Apply(NamedRewrite::ImageCaptions),
            Rewrite::Apply(NamedRewrite::SrcsetImages),
        ];
        let rewritten = rewrite(&rules, &texts).texts;
        let expected =
            "<figure><img src=\"https://example.org/a.png\"><figcaption>Two boats</figcaption></figure>";
        assert_eq!(rewritten.content.as_deref(), Some(expected));
        assert_eq!(rewritten.summary.as_deref(), Some("Two boats"));
        let rewritten = rewrite(&[Rewrite::Remove(".none".to_owned())], &texts).texts;
        assert_eq!(rewritten.content.as_deref(), Some("<p>Buy</p>"), "a deferred picture needs its rule");
        assert_eq!(rewritten.summary.as_deref(), Some("Buy"));
    }

    #[test]
    fn rules_are_compiled_on_a_blocking_thread() {
        let runtime = tokio::runtime::Builder::new_current_thread().max_blocking_threads(1).build().unwrap();
        runtime.block_on(async {
            let rules = [replace(RewriteField::Title, "a", "b")];
            let (release, released) = std::sync::mpsc::channel::<()>();
            let busy = tokio::task::spawn_blocking(move || released.recv());
            assert!(
                Rewriter::compile(&rules).now_or_never().is_none(),
                "the rules wait for the only blocking thread"
            );
            release.send(()).unwrap();
            busy.await.unwrap().unwrap();
            assert!(Rewriter::compile(&rules).await.is_ok());
            let refused = Rewriter::compile(&[replace(RewriteField::Title, "(", "b")]).await;
            assert_eq!(refused.unwrap_err().code, kernel::Code::InvalidRequest);
        });
    }

    #[test]
    fn rules_stop_at_their_time_limit() {
        let rewriter = Rewriter::new(&[replace(RewriteField::Title, "a", "b")]).unwrap();
        let clock = || Duration::from_secs(2);
        let limits = RewriteLimits { clock: &clock, until: Duration::from_secs(1), allowed: &|_| None };
        assert_eq!(rewriter.rewrite(&entry(), &limits), Err(TooSlow));
        let rewriter = Rewriter::new(&[Rewrite::Remove(".ad".to_owned())]).unwrap();
        assert_eq!(rewriter.rewrite(&entry(), &limits), Err(TooSlow));
    }
}
