//! Validation of typed texts and tags.

use kernel::bounds::{OBJECT_TAGS, TAG_CHARS};
use kernel::{Code, Error};

/// Rejects text that is longer than its field allows.
///
/// # Errors
/// `invalid_request` for the field if the text is too long.
pub(crate) fn require_length(field: &'static str, text: &str, most: usize) -> Result<(), Error> {
    if text.chars().count() <= most {
        return Ok(());
    }
    let message = format!("This is too long: at most {most} characters.");
    Err(Error::new(Code::InvalidRequest, message.clone()).at(field, message))
}

/// Splits text at commas. Empty parts are dropped.
pub(crate) fn comma_separated(typed: &str) -> impl Iterator<Item = &str> {
    typed.split(',').map(str::trim).filter(|part| !part.is_empty())
}

/// Parses tags that are separated by commas.
///
/// # Errors
/// `invalid_request` for the field if there are too many tags or a tag is too long.
pub(crate) fn tags_of(field: &'static str, typed: &str) -> Result<Vec<String>, Error> {
    let tags: Vec<String> = comma_separated(typed).take(OBJECT_TAGS + 1).map(str::to_owned).collect();
    if tags.len() > OBJECT_TAGS {
        let message = format!("There are too many tags: at most {OBJECT_TAGS}.");
        return Err(Error::new(Code::InvalidRequest, message.clone()).at(field, message));
    }
    tags.iter().try_for_each(|tag| require_length(field, tag, TAG_CHARS))?;
    Ok(tags)
}
