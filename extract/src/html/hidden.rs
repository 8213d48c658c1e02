//! Text that a page holds but does not show.

use super::tree::{Id, Page};
use crate::clean;

/// Fewer hidden words than this are a label for screen readers, not worth a warning.
const WORTH_REPORTING_WORDS: usize = 4;

/// For each node, whether it or something round it is hidden.
pub(crate) fn find(page: &Page) -> Vec<bool> {
    let mut hidden = vec![false; page.len()];
    for id in 1..page.len() {
        hidden[id] = hidden[page.parent(id)] || page.is_element(id) && hides(page, id);
    }
    hidden
}

/// True when words were hidden right inside the part that is kept.
pub(crate) fn was_removed(page: &Page, hidden: &[bool], keep: &[bool]) -> bool {
    (1..page.len()).any(|id| {
        hidden[id] && !hidden[page.parent(id)] && keep[page.parent(id)] && {
            let text = page.folded_text(id);
            clean::words(&text) >= WORTH_REPORTING_WORDS
        }
    })
}

fn hides(page: &Page, id: Id) -> bool {
    if matches!(page.tag(id), "script" | "style" | "template" | "noscript" | "head") {
        return false;
    }
    let mut drawn_only = false;
    for (name, value) in page.attributes(id) {
        match name {
            "hidden" if !value.eq_ignore_ascii_case("until-found") => return true,
            "aria-hidden" if value == "true" => drawn_only = !is_math(page, id),
            "style" if style_hides(value) => return true,
            _ => {}
        }
    }
    drawn_only && !page.attribute(id, "class").is_some_and(|classes| classes.contains("fallback-image"))
}

fn is_math(page: &Page, id: Id) -> bool {
    matches!(page.tag(id), "math" | "img")
        || page.attribute(id, "class").is_some_and(|classes| classes.contains("math"))
}

fn style_hides(style: &str) -> bool {
    let style: String =
        style.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase()).collect();
    style.split(';').any(|rule| {
        let Some((property, value)) = rule.split_once(':') else { return false };
        let value = value.trim_end_matches("!important");
        match property {
            "display" => value == "none",
            "visibility" => value == "hidden",
            "font-size" => matches!(value, "0" | "0px"),
            "text-indent" | "left" | "top" => far_away(value),
            _ => false,
        }
    })
}

/// Moved out of sight.
fn far_away(value: &str) -> bool {
    let number = value.trim_end_matches("px").trim_end_matches("em");
    number.parse::<f64>().is_ok_and(|distance| distance <= -999.0)
}
