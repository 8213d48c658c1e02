//! Detects adjacent links and labels that only a style sheet separates, without a space in the markup.

use crate::page::{Id, Page};

/// True if a space belongs between an inline element and the element directly before it.
pub(crate) fn is_after_gap(page: &Page, before: Id, id: Id) -> bool {
    if let Some(text) = page.text(id) {
        return is_after_label(page, before, text);
    }
    if !may_stand_alone(page.tag(before)) || !may_stand_alone(page.tag(id)) {
        return false;
    }
    let Some(last) = page
        .descendants(before)
        .rev()
        .find_map(|inner| page.text(inner))
        .and_then(|text| text.chars().next_back())
    else {
        return false;
    };
    let Some(first) =
        page.descendants(id).find_map(|inner| page.text(inner)).and_then(|text| text.chars().next())
    else {
        return false;
    };
    if last.is_whitespace()
        || first.is_whitespace()
        || is_written_without_spaces(last)
        || is_written_without_spaces(first)
    {
        return false;
    }
    let href = |id| page.value(id, "href");
    match (href(before), href(id)) {
        (Some(one), Some(other)) => one != other && first.is_alphanumeric(),
        _ => {
            (last.is_lowercase() || last.is_ascii_digit() || matches!(last, '.' | '!' | '?' | ')' | '%'))
                && first.is_uppercase()
        }
    }
}

/// True if a text follows a label with a colon, as in `<b>Abstract:</b>We show`.
fn is_after_label(page: &Page, before: Id, text: &str) -> bool {
    text.starts_with(char::is_uppercase)
        && matches!(page.tag(before), "span" | "label" | "strong" | "b")
        && page.descendants(before).rev().find_map(|inner| page.text(inner)).is_some_and(|label| {
            label.strip_suffix(':').is_some_and(|label| label.ends_with(char::is_lowercase))
        })
}

fn may_stand_alone(tag: &str) -> bool {
    matches!(tag, "a" | "span" | "label" | "time" | "small" | "strong" | "b")
        || tag.contains('-') && !tag.starts_with("mjx-")
}

fn is_written_without_spaces(c: char) -> bool {
    c >= '\u{0E00}' && !matches!(c, '\u{1E00}'..='\u{2DFF}' | '\u{10A0}'..='\u{11FF}')
}
