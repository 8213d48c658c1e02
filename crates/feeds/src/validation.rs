//! Validates the settings of subscriptions.

use super::full_text::RENDERED;
use extract::TextParts;
use kernel::bounds::{FEED_MINUTES, FEED_READ_AFTER_DAYS, FEED_TEXT_REMOVALS, FEED_TITLE_CHARS};
use kernel::{Code, Error, Result};

/// Maximum number of characters of an invalid selector that the error message repeats.
const REPEATED_SELECTOR_CHARS: usize = 40;

/// Validates a title that a follower chose. `None` if the title is blank.
pub(super) fn check_title(title: &str) -> Result<Option<String>> {
    let title = title.trim();
    if title.chars().count() > FEED_TITLE_CHARS || title.chars().any(char::is_control) {
        return Err(Error::invalid_field("title", "must be one line of at most 500 characters"));
    }
    Ok((!title.is_empty()).then(|| title.to_owned()))
}

/// Validates an interval in minutes against the plan's minimum.
pub(super) fn check_interval(minutes: Option<u32>, least: u32) -> Result<()> {
    match minutes {
        Some(minutes) if minutes < least => Err(Error::new(
            Code::IntervalTooShort,
            format!("Your plan allows a feed to be polled at most every {least} minutes."),
        )
        .at("interval_minutes", format!("less than {least}"))),
        Some(minutes) if minutes > FEED_MINUTES => {
            Err(Error::invalid_field("interval_minutes", "must be at most 1440"))
        }
        Some(_) | None => Ok(()),
    }
}

/// Validates a CSS selector of article text. `None` if the selector is blank.
pub(super) fn check_selector(selector: &str) -> Result<Option<String>> {
    let selector = selector.trim();
    if selector.is_empty() {
        return Ok(None);
    }
    match selector_fault(selector) {
        None => Ok(Some(selector.to_owned())),
        Some(reason) => Err(Error::invalid_field("text_selector", reason)),
    }
}

/// Validates the CSS selectors of parts that are removed from article text. Blank selectors are omitted. Line breaks
/// become spaces, because forms have one selector on each line.
pub(super) fn check_removals(selectors: &[String]) -> Result<Vec<String>> {
    let one_line = |selector: &String| selector.trim().replace(['\r', '\n'], " ");
    let selectors: Vec<String> =
        selectors.iter().map(one_line).filter(|selector| !selector.is_empty()).collect();
    if selectors.len() > FEED_TEXT_REMOVALS {
        let reason = format!("must be at most {FEED_TEXT_REMOVALS} selectors");
        return Err(Error::invalid_field("text_removals", reason));
    }
    for selector in &selectors {
        if let Some(reason) = selector_fault(selector) {
            let excerpt: String = selector.chars().take(REPEATED_SELECTOR_CHARS).collect();
            return Err(Error::invalid_field(
                "text_removals",
                format!("has the selector {excerpt}: {reason}"),
            ));
        }
    }
    Ok(selectors)
}

/// Returns the reason why a text cannot be used as a selector of article text. `None` if it can be used.
fn selector_fault(selector: &str) -> Option<String> {
    if TextParts::is_ambiguous(selector) || selector.contains(RENDERED) {
        return Some("contains a control character".to_owned());
    }
    extract::watch::css_fault(selector)
}

/// Validates the number of days after which unread entries count as read.
pub(super) fn check_read_after(days: Option<u32>) -> Result<Option<i32>> {
    if days.is_some_and(|days| days > FEED_READ_AFTER_DAYS) {
        let reason = format!("must be at most {FEED_READ_AFTER_DAYS}");
        return Err(Error::invalid_field("read_after_days", reason));
    }
    Ok(days.and_then(|days| i32::try_from(days).ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_of_removed_parts_are_single_lines() {
        let check = |selectors: &[&str]| {
            let selectors: Vec<String> = selectors.iter().map(|one| (*one).to_owned()).collect();
            check_removals(&selectors)
        };
        assert_eq!(check(&[" aside,\r\np ", "", ".letter"]).unwrap(), ["aside,  p", ".letter"]);
        assert!(check(&["p["]).is_err() && check(&["a\u{1f}b"]).is_err() && check(&["\u{1e}b"]).is_err());
        assert!(check(&["p"; FEED_TEXT_REMOVALS]).is_ok() && check(&["p"; FEED_TEXT_REMOVALS + 1]).is_err());
    }
}
