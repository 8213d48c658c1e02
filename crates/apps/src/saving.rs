//! Saves items for apps. Checks the size of the submitted values, and waits for the text like the Developer
//! API.

use articles::Payer;
use identity::caller::Caller;
use kernel::Error;
use kernel::bounds::{
    ITEM_CONTENT_CHARS, ITEM_NAME_CHARS, ITEM_TITLE_CHARS, OBJECT_TAGS, TAG_CHARS, WRITTEN_TIME_CHARS,
};
use library::draft::Save;
use library::{SAVE_TIMEOUT, SavedItem};
use tokio::time::Instant;

use http_kit::app::App;

/// Saves an item for the caller.
///
/// # Errors
/// `invalid_request` if a value is too long or there are too many tags; the errors of `library::save`.
pub(super) async fn save(app: &App, caller: &Caller, new: Save) -> Result<SavedItem, Error> {
    check(&new)?;
    let payer = Payer { account_id: caller.account_id, tier: caller.tier };
    let deadline = Instant::now() + SAVE_TIMEOUT;
    let progress = library::save(&app.domain, &app.sandbox, payer, new).await?;
    app.engine.await_result(progress, deadline).await
}

fn check(new: &Save) -> Result<(), Error> {
    let bounded = [
        ("title", &new.title, ITEM_TITLE_CHARS),
        ("content", &new.content, ITEM_CONTENT_CHARS),
        ("authors", &new.author, ITEM_NAME_CHARS),
        ("published_at", &new.published_at, WRITTEN_TIME_CHARS),
    ];
    for (name, value, most) in bounded {
        if let Some(value) = value {
            check_length(name, value, most)?;
        }
    }
    check_tags(&new.tags)
}

/// Checks the number and the lengths of tags.
///
/// # Errors
/// `invalid_request` if there are too many tags, or if a tag is too long.
pub(super) fn check_tags(tags: &[String]) -> Result<(), Error> {
    if tags.len() > OBJECT_TAGS {
        return Err(Error::invalid_field("tags", format!("must be at most {OBJECT_TAGS}")));
    }
    tags.iter().try_for_each(|tag| check_length("tags", tag, TAG_CHARS))
}

/// Checks the length of a value in code points.
///
/// # Errors
/// `invalid_request` if the value is longer than `most`.
pub(super) fn check_length(name: &'static str, value: &str, most: usize) -> Result<(), Error> {
    if value.chars().count() > most {
        return Err(Error::invalid_field(name, format!("must have at most {most} characters")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_out_of_bounds_is_refused_with_its_field_name() {
        let refusal = |save: Save| check(&save).unwrap_err().message;
        let title = Some("x".repeat(ITEM_TITLE_CHARS + 1));
        assert!(refusal(Save { title, ..Save::default() }).contains("title must have at most 500"));
        let tags = vec!["t".to_owned(); OBJECT_TAGS + 1];
        assert!(refusal(Save { tags, ..Save::default() }).contains("tags must be at most 12"));
        let tags = vec!["t".repeat(TAG_CHARS + 1)];
        assert!(refusal(Save { tags, ..Save::default() }).contains("tags must have at most 32"));
        assert!(check(&Save { tags: vec!["t".repeat(TAG_CHARS)], ..Save::default() }).is_ok());
    }
}
