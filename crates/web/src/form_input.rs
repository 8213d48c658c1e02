//! Addresses and tags as people type them.

use kernel::bounds::{OBJECT_TAGS, TAG_CHARS};
use kernel::{Code, Error};

/// Typed address. A host without a scheme becomes an https address.
pub(super) fn typed_address(typed: &str) -> String {
    let typed = typed.trim();
    let is_host = typed.contains('.') && !typed.contains("://") && !typed.contains(char::is_whitespace);
    if is_host { format!("https://{typed}") } else { typed.to_owned() }
}

/// Rejects text that is longer than its field allows.
///
/// # Errors
/// `invalid_request`, at the field.
pub(crate) fn require_length(field: &'static str, text: &str, most: usize) -> Result<(), Error> {
    if text.chars().count() <= most {
        return Ok(());
    }
    let message = format!("This is too long: at most {most} characters.");
    Err(Error::new(Code::InvalidRequest, message.clone()).at(field, message))
}

/// Tags as people type them, separated by commas.
///
/// # Errors
/// `invalid_request`, at the field, if there are too many tags or one is too long.
pub(crate) fn tags_of(field: &'static str, typed: &str) -> Result<Vec<String>, Error> {
    let named = typed.split(',').map(str::trim).filter(|tag| !tag.is_empty());
    let tags: Vec<String> = named.take(OBJECT_TAGS + 1).map(str::to_owned).collect();
    if tags.len() > OBJECT_TAGS {
        let message = format!("There are too many tags: at most {OBJECT_TAGS}.");
        return Err(Error::new(Code::InvalidRequest, message.clone()).at(field, message));
    }
    tags.iter().try_for_each(|tag| require_length(field, tag, TAG_CHARS))?;
    Ok(tags)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_host_becomes_https() {
        assert_eq!(typed_address(" example.org/a "), "https://example.org/a");
        assert_eq!(typed_address("http://example.org"), "http://example.org");
        assert_eq!(typed_address("a word"), "a word");
    }
}
