//! Rendered forms of formulas: the output of `KaTeX` and `MathJax`.

use super::{
    formula::{Formula, is_display},
    mathml::{of_markup_text, of_math},
};
use crate::page::{Id, Page};

/// Classes of formulas that `MathJax` 2 rendered.
const RENDERED: [&str; 6] =
    ["MathJax", "MathJax_SVG", "MathJax_CHTML", "MathJax_Display", "MathJax_SVG_Display", "mjx-chtml"];
/// Maximum nodes in a formula, and after it, that are searched.
const MAX_SEARCHED_NODES: usize = 16;

/// Formula of a form rendered by `MathJax` 2 without its script: the `MathML` in it.
pub(super) fn of_rendering(page: &Page, id: Id) -> Option<Formula> {
    if !is_rendered(page, id) || is_before_script(page, id) {
        return None;
    }
    let math = page.find(id, "math").and_then(|math| of_math(page, math));
    let stated = || page.subtree(id).find_map(|inner| page.value(inner, "data-mathml"));
    let inner = math.or_else(|| of_markup_text(stated()?))?;
    Some(Formula { is_display: inner.is_display || is_display(page, id), ..inner })
}

/// True for a rendered form that repeats a formula of the page.
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

/// True for a rendered formula of which the page has neither TeX nor `MathML`. Its text, if it has one, lacks
/// fractions and scripts. The element is no formula as a whole.
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
    RENDERED.iter().any(|class| page.has_class(id, class))
}

/// True if the script of the formula follows the element or the element that encloses it.
fn is_before_script(page: &Page, id: Id) -> bool {
    let is_script = |next: Id| {
        page.is(next, "script") && page.value(next, "type").is_some_and(|kind| kind.starts_with("math/"))
    };
    let parent = page.parent(id);
    next_elements(page, id).any(is_script)
        || is_rendered(page, parent) && next_elements(page, parent).any(is_script)
}

/// True if the beginning of a formula of `KaTeX` has `MathML`.
fn begins_with_math(page: &Page, id: Id) -> bool {
    page.descendants(id).take(MAX_SEARCHED_NODES).any(|inner| page.is(inner, "math"))
}

/// The two elements after an element with the same parent.
fn next_elements(page: &Page, id: Id) -> impl Iterator<Item = Id> + '_ {
    page.siblings_after(id).take(MAX_SEARCHED_NODES).filter(|&sibling| page.is_element(sibling)).take(2)
}
