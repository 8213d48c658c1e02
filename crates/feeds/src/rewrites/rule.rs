//! Rewrite rules, as callers set them and as they are stored.

use regex::{Error as RegexError, Regex};
use serde::{Deserialize, Serialize};

use super::super::expressions::{explain, expression_builder};
use super::selector::Selectors;
use kernel::bounds::{FEED_REWRITE_CHARS, FEED_REWRITES};
use kernel::{Code, Error, FieldPath, Result};

/// Width of the margin before an expression in the errors of the `regex` crate.
const MARGIN: usize = 4;

/// Rule that changes the entries of a feed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rewrite {
    /// Replaces the matches of an expression.
    Replace(Replacement),
    /// Removes the elements of the text that a selector matches.
    Remove(String),
    Apply(NamedRewrite),
}

/// Replacement of the matches of an expression in one field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replacement {
    pub field: RewriteField,
    /// Regular expression.
    pub pattern: String,
    /// Text that replaces each match. `$1` or `${name}` inserts a group, and `$$` inserts a dollar sign.
    pub with: String,
}

/// Field in which an expression is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RewriteField {
    Title,
    /// Markup of the text, and the summary.
    Content,
    /// URL of the entry's page.
    Address,
}

/// Rule without parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NamedRewrite {
    /// Adds the `title` of a picture as its caption.
    ImageCaptions,
    /// Displays pictures that have an address only in `srcset` or in an attribute for deferred loading.
    SrcsetImages,
    /// Splits a text without block elements into paragraphs at its blank lines.
    LineBreaks,
    /// Converts titles and words in capitals to lower case.
    TitleCapitals,
}

impl RewriteField {
    pub const ALL: &'static [Self] = &[Self::Title, Self::Content, Self::Address];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Content => "content",
            Self::Address => "address",
        }
    }
}

impl NamedRewrite {
    pub const ALL: &'static [Self] =
        &[Self::ImageCaptions, Self::SrcsetImages, Self::LineBreaks, Self::TitleCapitals];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ImageCaptions => "image_captions",
            Self::SrcsetImages => "srcset_images",
            Self::LineBreaks => "line_breaks",
            Self::TitleCapitals => "title_capitals",
        }
    }
}

/// Checks the number of rules of a feed.
///
/// # Errors
/// `invalid_request` if there are too many rules.
pub(super) fn check_count(rules: &[Rewrite]) -> Result<()> {
    if rules.len() > FEED_REWRITES {
        return Err(Error::invalid_field("rewrites", format!("has more than {FEED_REWRITES} items")));
    }
    Ok(())
}

/// Compiles the expression of rule `index`.
///
/// # Errors
/// `invalid_request`, with the rule and the position of the error, if the expression is invalid.
pub(super) fn expression_of(index: usize, rule: &Replacement) -> Result<Regex> {
    let pattern_path = format!("/rewrites/{index}/replace/pattern");
    check_length(index, &rule.pattern, 1, &pattern_path)?;
    check_length(index, &rule.with, 0, &format!("/rewrites/{index}/replace/with"))?;
    expression_builder(&rule.pattern).build().map_err(|error| {
        let reason = reason_of(&error);
        let message = format!("Rule {}: this regular expression is not supported: {reason}.", index + 1);
        refused(message, &pattern_path, format!("is not supported: {reason}"))
    })
}

/// Parses the selector of rule `index`.
///
/// # Errors
/// `invalid_request`, with the rule, if the selector is invalid.
pub(super) fn selectors_of(index: usize, selector: &str) -> Result<Selectors> {
    let path = format!("/rewrites/{index}/remove");
    check_length(index, selector, 1, &path)?;
    Selectors::parse(selector).map_err(|reason| {
        let message = format!("Rule {}: this selector is not supported: {reason}.", index + 1);
        refused(message, &path, format!("is not supported: {reason}"))
    })
}

/// Returns an error if a text of rule `index` is shorter than `least`, is too long, or contains control characters.
fn check_length(index: usize, text: &str, least: usize, path: &str) -> Result<()> {
    let count = text.chars().count();
    let is_blank = least > 0 && text.trim().is_empty();
    if !is_blank && count <= FEED_REWRITE_CHARS && !text.chars().any(char::is_control) {
        return Ok(());
    }
    let message = format!("Rule {}: enter 1 to {FEED_REWRITE_CHARS} characters on one line.", index + 1);
    let reason = format!("must have {least} to {FEED_REWRITE_CHARS} characters on one line");
    Err(refused(message, path, reason))
}

fn refused(message: String, path: &str, reason: String) -> Error {
    Error::new(Code::InvalidRequest, message).at(FieldPath::of_pointer(path), reason)
}

/// Describes why an expression is invalid, with the position of the error if it is known.
fn reason_of(error: &RegexError) -> String {
    let explained = explain(error);
    let reason = explained.rsplit("not supported: ").next().unwrap_or(&explained).trim_end_matches('.');
    match position_of(error) {
        Some(position) => format!("{reason} (character {position})"),
        None => reason.to_owned(),
    }
}

/// Returns the position of a syntax error in an expression of one line, counted from 1.
fn position_of(error: &RegexError) -> Option<usize> {
    let RegexError::Syntax(text) = error else { return None };
    let marker =
        text.lines().find(|line| !line.trim().is_empty() && line.trim().chars().all(|c| c == '^'))?;
    let column = marker.chars().take_while(|character| *character == ' ').count();
    column.checked_sub(MARGIN).map(|offset| offset + 1)
}

/// Creates the error for rules of a feed that this service writes itself.
pub(crate) fn not_fetched() -> Error {
    Error::invalid_field("rewrites", "cannot be set: this feed is not fetched")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(pattern: &str) -> Error {
        let (pattern, with) = (pattern.to_owned(), String::new());
        expression_of(2, &Replacement { field: RewriteField::Title, pattern, with }).unwrap_err()
    }

    #[test]
    fn invalid_expression_is_refused_with_its_rule_and_position() {
        let error = refusal("ab(c");
        let expected = "Rule 3: this regular expression is not supported: unclosed group (character 3).";
        assert_eq!(error.message, expected);
        let field = error.field().unwrap();
        assert_eq!(field.path.to_string(), "/rewrites/2/replace/pattern");
        assert_eq!(field.reason, "is not supported: unclosed group (character 3)");
        assert!(refusal(r"(\w{50}){50}").message.starts_with("Rule 3: "));
        for text in ["", " ", "a\nb", &"x".repeat(FEED_REWRITE_CHARS + 1)] {
            assert!(refusal(text).message.contains("500 characters on one line"), "{text}");
        }
    }

    #[test]
    fn rules_have_a_stable_stored_form() {
        let replace = Replacement {
            field: RewriteField::Address,
            pattern: "^http:".to_owned(),
            with: "https:".to_owned(),
        };
        let rules = vec![
            Rewrite::Replace(replace),
            Rewrite::Remove(".ad".to_owned()),
            Rewrite::Apply(NamedRewrite::ImageCaptions),
        ];
        let stored = r#"[{"replace":{"field":"address","pattern":"^http:","with":"https:"}},{"remove":".ad"},{"apply":"image_captions"}]"#;
        assert_eq!(serde_json::to_string(&rules).unwrap(), stored);
        assert_eq!(serde_json::from_str::<Vec<Rewrite>>(stored).unwrap(), rules);
        for field in RewriteField::ALL {
            assert_eq!(serde_json::to_value(field).unwrap(), field.as_str());
        }
        for name in NamedRewrite::ALL {
            assert_eq!(serde_json::to_value(name).unwrap(), name.as_str());
        }
    }
}
