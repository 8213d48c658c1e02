//! What a subscription may be told to be: its title and its interval.

use kernel::bounds::{FEED_MINUTES, FEED_TITLE_CHARS};
use kernel::code::Code;
use kernel::error::{Error, Result};

/// A title of a person's own; blank is none.
pub(super) fn check_title(title: &str) -> Result<Option<String>> {
    let title = title.trim();
    if title.chars().count() > FEED_TITLE_CHARS || title.chars().any(char::is_control) {
        return Err(Error::invalid_field("title", "must have at most 500 characters on one line"));
    }
    Ok((!title.is_empty()).then(|| title.to_owned()))
}

/// An interval that the plan has room for.
pub(super) fn check_interval(minutes: Option<u32>, least: u32) -> Result<()> {
    match minutes {
        Some(minutes) if minutes < least => Err(Error::new(
            Code::IntervalTooShort,
            format!("This account's plan polls a feed every {least} minutes at most."),
        )
        .at("interval_minutes", format!("less than {least}"))),
        Some(minutes) if minutes > FEED_MINUTES => {
            Err(Error::invalid_field("interval_minutes", "must be at most 1440"))
        }
        Some(_) | None => Ok(()),
    }
}
