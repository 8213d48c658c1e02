//! Hidden text of a page, including consent dialogs that cover the page and controls in headings.

use super::{disclosures::is_toggle, main_part::is_non_text};
use crate::{
    clean,
    page::{Id, Page, controls},
};

/// Minimum number of hidden words to report. Fewer words are usually a label for screen readers.
const WORTH_REPORTING_WORDS: usize = 4;

/// Minimum number of bytes of text for an element to be treated as a page that a script will render.
const MIN_PAGE_BYTES: usize = 600;

/// For each node, returns true if the node or an ancestor is hidden.
///
/// An element with most of the text of the page is not treated as hidden, because a script shows it after
/// loading.
pub(crate) fn find(page: &Page) -> Vec<bool> {
    let mut sizes = vec![0_usize; page.len() + 1];
    for id in 0..page.len() {
        let silent = is_non_text(page.tag(page.parent(id)));
        sizes[id + 1] = sizes[id] + page.text(id).filter(|_| !silent).map_or(0, |text| text.trim().len());
    }
    let holds_most = |id: Id| {
        let text_bytes = sizes[page.subtree(id).end] - sizes[id];
        text_bytes > MIN_PAGE_BYTES && text_bytes * 2 > sizes[page.len()]
    };
    let mut hidden = vec![false; page.len()];
    for id in 1..page.len() {
        hidden[id] = hidden[page.parent(id)] || page.is_element(id) && is_hiding(page, id) && !holds_most(id);
    }
    hidden
}

/// True if hidden words were removed directly below selected elements.
pub(crate) fn was_removed(page: &Page, hidden: &[bool], keep: &[bool]) -> bool {
    let root = lowest_common(page, keep);
    page.descendants(root).any(|id| {
        hidden[id]
            && !hidden[page.parent(id)]
            && keep[page.parent(id)]
            && !controls::is_control(page, id)
            && {
                let text = page.folded_text(id);
                clean::words(&text) >= WORTH_REPORTING_WORDS && !is_toggle(&text)
            }
    })
}

/// Lowest element that contains all selected nodes.
fn lowest_common(page: &Page, keep: &[bool]) -> Id {
    let mut at = 0;
    loop {
        let mut selected = page.children(at).filter(|&child| keep[child]);
        match (selected.next(), selected.next()) {
            (Some(only), None) if page.is_element(only) => at = only,
            _ => return at,
        }
    }
}

/// True if the element is a hidden part that readers may reveal. Labels for screen readers and
/// consent dialogs are not such parts.
pub(super) fn is_hidden_part(page: &Page, id: Id) -> bool {
    let is_label = |class: &str| is_screen_reader_only(class) || is_consent(class);
    let classes = page.class(id).unwrap_or("");
    !classes.split_ascii_whitespace().any(is_label)
        && !page.attribute(id, "id").is_some_and(is_consent)
        && page.attributes(id).any(|(name, value)| match name {
            "hidden" => !value.eq_ignore_ascii_case("until-found"),
            "style" => style_hides(value),
            _ => false,
        })
}

pub(super) fn is_hiding(page: &Page, id: Id) -> bool {
    if matches!(page.tag(id), "script" | "style" | "template" | "noscript" | "head") {
        return false;
    }
    if controls::is_control(page, id) {
        return true;
    }
    // Headings and sections of texts about cookies have such names, too.
    let covers = matches!(page.tag(id), "div" | "aside" | "dialog" | "form" | "footer")
        && !page.has_class(id, "section");
    page.class_names(id).any(|class| is_screen_reader_only(class) || covers && is_consent(class))
        || covers && page.attribute(id, "id").is_some_and(is_consent)
        || page.attribute(id, "hidden").is_some_and(|value| !value.eq_ignore_ascii_case("until-found"))
            && !is_streamed(page, id)
        || page.attribute(id, "style").is_some_and(style_hides) && !is_animated(page, id)
}

/// True for an element that an animation shows as soon as the reader reaches it. Animations change only the
/// visibility.
fn is_animated(page: &Page, id: Id) -> bool {
    let is_visibility = |rule: &str| {
        rule.split_once(':').is_some_and(|(property, _)| folded(property).eq("visibility".chars()))
    };
    page.class_names(id).any(|class| matches!(class, "wow" | "elementor-invisible"))
        && page.attribute(id, "style").is_some_and(|style| {
            style.split(';').filter(|rule| !is_visibility(rule)).all(|rule| !style_hides(rule))
        })
}

/// True for class names of text for screen readers.
pub(super) fn is_screen_reader_only(class: &str) -> bool {
    const NAMES: [&str; 9] = [
        "sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text", "screen-reader-only",
        "screenreader-only", "a11y-hidden", "u-visually-hidden", "u-hiddenvisually",
    ];
    NAMES.iter().any(|name| class.eq_ignore_ascii_case(name)) || class.ends_with("hidden-accessible")
}

/// True for names of consent dialogs, which cover the page until the reader answers.
fn is_consent(name: &str) -> bool {
    const NAMES: [&str; 28] = [
        "onetrust", "ot-sdk-", "didomi", "qc-cmp", "sp_message", "cybotcookiebot", "usercentrics",
        "iubenda-cs", "truste_", "cookie-banner", "cookie-consent", "cookie-notice", "cookie-law",
        "cookie-bar", "cookie-modal", "cookieconsent", "cookiebanner", "cookienotice", "cookie_notice",
        "cc-window", "cmplz-", "gdpr-cookie", "gdpr-banner", "fc-consent", "osano-cm", "consent-banner",
        "cky-consent", "eu-cookie",
    ];
    let first = name.bytes().next().map(|first| first.to_ascii_lowercase());
    NAMES
        .iter()
        .filter(|known| known.bytes().next() == first)
        .any(|known| name.get(..known.len()).is_some_and(|start| start.eq_ignore_ascii_case(known)))
}

/// True for a part that React streams as a hidden element and that a script moves to its position.
fn is_streamed(page: &Page, id: Id) -> bool {
    page.is(id, "div") && page.attribute(id, "id").is_some_and(|id| id.starts_with("S:"))
}

fn style_hides(style: &str) -> bool {
    const PROPERTIES: [&str; 6] = ["display", "visibility", "font-size", "text-indent", "left", "top"];
    style.split(';').any(|rule| {
        let Some((property, value)) = rule.split_once(':') else { return false };
        let Some(property) = PROPERTIES.iter().find(|known| folded(property).eq(known.chars())) else {
            return false;
        };
        let value: String = folded(value).collect();
        let value = value.trim_end_matches("!important");
        match *property {
            "display" => value == "none",
            "visibility" => value == "hidden",
            "font-size" => matches!(value, "0" | "0px"),
            _ => is_off_screen(value),
        }
    })
}

/// Characters of a style in lower case, without white space.
fn folded(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase())
}

/// True if the offset moves the element outside of the screen.
fn is_off_screen(value: &str) -> bool {
    let number = value.trim_end_matches("px").trim_end_matches("em");
    number.parse::<f64>().is_ok_and(|distance| distance <= -999.0)
}
