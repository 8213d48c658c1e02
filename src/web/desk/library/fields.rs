//! Fields of the forms for highlights and notes, and how long what is typed may be: as long as in requests of the API.

use domain::bounds::{OBJECT_TAGS, TAG_CHARS};
use domain::library::HighlightColor;
use domain::{Code, Error};
use maud::{Markup, html};

use crate::web::account::form::FormError;

/// Colours as people choose them.
pub(super) const COLORS: [(HighlightColor, &str); 5] = [
    (HighlightColor::Yellow, "Yellow"),
    (HighlightColor::Green, "Green"),
    (HighlightColor::Blue, "Blue"),
    (HighlightColor::Red, "Red"),
    (HighlightColor::Purple, "Purple"),
];

/// Refuses what is longer than a field may be.
///
/// # Errors
/// `invalid_request`, at the field.
pub(super) fn require_length(field: &'static str, text: &str, most: usize) -> Result<(), Error> {
    if text.chars().count() <= most {
        return Ok(());
    }
    let message = format!("This is too long: at most {most} characters.");
    Err(Error::new(Code::InvalidRequest, message.clone()).at(field, message))
}

/// Tags as people type them: with commas between them.
///
/// # Errors
/// `invalid_request`, at the field, for too many or too long ones.
pub(super) fn tags_of(field: &'static str, typed: &str) -> Result<Vec<String>, Error> {
    let named = typed.split(',').map(str::trim).filter(|tag| !tag.is_empty());
    let tags: Vec<String> = named.take(OBJECT_TAGS + 1).map(str::to_owned).collect();
    if tags.len() > OBJECT_TAGS {
        let message = format!("There are too many tags: at most {OBJECT_TAGS}.");
        return Err(Error::new(Code::InvalidRequest, message.clone()).at(field, message));
    }
    tags.iter().try_for_each(|tag| require_length(field, tag, TAG_CHARS))?;
    Ok(tags)
}

/// A field for several lines.
pub(super) fn words_field(name: &str, label: &str, value: &str, rows: u8, form_error: &FormError) -> Markup {
    let wrong = form_error.at(name);
    html! {
        div {
            label for=(name) { (label) }
            textarea.words id=(name) name=(name) rows=(rows) aria-invalid=[wrong.map(|_| "true")]
                aria-describedby=[wrong.map(|_| format!("{name}-error"))] { (value) }
            @if let Some(message) = wrong { p.error id={ (name) "-error" } { (message) } }
        }
    }
}
