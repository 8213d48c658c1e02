//! Rendered forms of formulas, as `KaTeX` and `MathJax` output them.

use super::{
    formula::{Formula, is_display},
    mathml::{of_markup_text, of_math},
};
use crate::page::{Id, Page};

/// Class names of formulas that `MathJax` 2 rendered.
const RENDERED: [&str; 6] =
    ["MathJax", "MathJax_SVG", "MathJax_CHTML", "MathJax_Display", "MathJax_SVG_Display", "mjx-chtml"];
/// Maximum number of nodes that are searched in a formula and after it.
const MAX_SEARCHED_NODES: usize = 16;

/// Formula of an element that `MathJax` 2 rendered without a script: its `MathML`.
pub(super) fn of_rendering(page: &Page, id: Id) -> Option<Formula> {
    if !is_rendered(page, id) || is_before_script(page, id) {
        return None;
    }
    let math = page.find(id, "math").and_then(|math| of_math(page, math));
    let stated = || page.subtree(id).find_map(|inner| page.value(inner, "data-mathml"));
    let inner = math.or_else(|| of_markup_text(stated()?))?;
    Some(Formula { is_display: inner.is_display || is_display(page, id), ..inner })
}

/// True for a rendered form of a formula that the page also contains as TeX or `MathML`.
pub(in crate::html) fn is_rendering(page: &Page, id: Id) -> bool {
    match page.tag(id) {
        "span" if page.has_class(id, "katex-html") => page
            .ancestors(id)
            .take(2)
            .any(|above| page.has_class(above, "katex") && begins_with_math(page, above)),
        "span" if page.has_class(id, "MathJax_Preview") => {
            is_before_script(page, id) || next_elements(page, id).any(|next| is_rendered(page, next))
        }
        "span" | "div" => is_rendered(page, id) && is_before_script(page, id),
        _ => false,
    }
}

/// True for a rendered formula without TeX or `MathML` in the page. Its text, if any, lacks fractions and
/// scripts, so the formula cannot be converted.
pub(in crate::html) fn is_unconverted(page: &Page, id: Id) -> bool {
    match page.tag(id) {
        "mjx-container" => !page.descendants(id).is_empty(),
        "span" if page.has_class(id, "katex-html") => {
            !is_rendering(page, id) && page.descendants(id).any(|inner| page.has_class(inner, "vlist"))
        }
        "span" => is_rendered(page, id) && !is_before_script(page, id) && !page.descendants(id).is_empty(),
        _ => false,
    }
}

fn is_rendered(page: &Page, id: Id) -> bool {
    page.class_names(id).any(|class| RENDERED.contains(&class))
}

/// True if the script of the formula follows the element or its parent.
fn is_before_script(page: &Page, id: Id) -> bool {
    let is_script = |next: Id| {
        page.is(next, "script") && page.value(next, "type").is_some_and(|kind| kind.starts_with("math/"))
    };
    let parent = page.parent(id);
    next_elements(page, id).any(is_script)
        || is_rendered(page, parent) && next_elements(page, parent).any(is_script)
}

/// True if the beginning of a `KaTeX` formula contains `MathML`.
fn begins_with_math(page: &Page, id: Id) -> bool {
    page.descendants(id).take(MAX_SEARCHED_NODES).any(|inner| page.is(inner, "math"))
}

/// The next two elements after an element in the same parent.
fn next_elements(page: &Page, id: Id) -> impl Iterator<Item = Id> + '_ {
    page.siblings_after(id).take(MAX_SEARCHED_NODES).filter(|&sibling| page.is_element(sibling)).take(2)
}
