//! Elements that consist of one formula.

use super::{
    formula::{Formula, TEX_ATTRIBUTES, clean_tex, is_display, undelimited},
    mathml,
    renderings::of_rendering,
};
use crate::{
    clean,
    page::{Id, Page},
};

/// Maximum number of rendered forms that an element may contain in addition to its TeX. Each form may be as
/// long as the TeX.
const RENDERED_FORMS: usize = 4;
/// Number of additional characters that all rendered forms may contain in total.
const RENDERED_CHARS: usize = 16;
/// Elements whose text is TeX.
const TEX_ELEMENTS: [&str; 8] =
    ["d-math", "math-renderer", "math-tex", "tex-math", "la-tex", "ktex", "katex-element", "math-field"];
/// Classes of elements whose text is TeX without delimiters.
const TEX_CLASSES: [&str; 6] =
    ["js-render-math", "math-inline", "math-display", "math-block", "language-math", "kdmath"];
/// Classes of elements whose text is TeX only if it has delimiters.
const DELIMITED_CLASSES: [&str; 7] =
    ["math", "arithmatex", "math-tex", "tex", "latex", "mathjax", "mathjax_process"];

/// Formula of an element, or `None` if the element does not consist of one formula.
pub(in crate::html) fn of_element(page: &Page, id: Id) -> Option<Formula> {
    match page.tag(id) {
        "math" => mathml::of_math(page, id),
        "script" => of_script(page, id),
        "mjx-container" => of_container(page, id),
        "span" | "div" | "p" | "code" | "pre" | "eq" | "eqn" => of_markup(page, id),
        name if name.contains('-') => of_markup(page, id),
        _ => None,
    }
}

/// Formula in a `MathJax` 2 script.
fn of_script(page: &Page, id: Id) -> Option<Formula> {
    let kind = page.value(id, "type")?.to_ascii_lowercase();
    let source = || page.children(id).filter_map(|child| page.text(child)).collect::<String>();
    let is_display = kind.replace(' ', "").contains("mode=display") || is_display(page, id);
    match kind.split(';').next()?.trim() {
        "math/tex" | "math/latex" => {
            let source = source().replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">");
            Formula::new(clean_tex(&source), is_display)
        }
        "math/asciimath" => Formula::new(clean::fold(&source()), is_display),
        "math/mml" => mathml::of_markup_text(&source())
            .map(|inner| Formula { is_display: is_display || inner.is_display, ..inner }),
        _ => None,
    }
}

/// Formula of a `MathJax` 3 or 4 container: its assistive `MathML`, or else its TeX.
fn of_container(page: &Page, id: Id) -> Option<Formula> {
    let inner = page.find(id, "math").and_then(|math| mathml::of_math(page, math));
    let tex = inner.map(|inner| inner.tex).or_else(|| {
        let latex = page.subtree(id).find_map(|inner| page.value(inner, "data-latex"))?;
        Some(clean_tex(latex))
    });
    Formula::new(tex?, is_display(page, id))
}

/// Formula of an element whose TeX is in an attribute, or whose text is TeX.
fn of_markup(page: &Page, id: Id) -> Option<Formula> {
    if !may_be_formula(page, id) {
        return None;
    }
    if let Some(tex) = stated_tex(page, id).filter(|tex| may_be_rendered(page, id, tex)) {
        return Formula::new(tex, is_display(page, id) || page.is(id, "div"));
    }
    if let Some(rendered) = of_rendering(page, id) {
        return Some(rendered);
    }
    let has = |classes: &[&str]| {
        page.class_names(id).any(|class| classes.iter().any(|known| class.eq_ignore_ascii_case(known)))
    };
    let is_pandoc = || has(&["math"]) && has(&["inline", "display"]);
    let is_tex = TEX_ELEMENTS.contains(&page.tag(id)) || has(&TEX_CLASSES) || is_pandoc();
    if let Some(numbered) = of_numbered(page, id) {
        return Some(numbered);
    }
    // Discourse marks up TeX without delimiters.
    let is_tex =
        is_tex || page.class(id).is_some_and(|class| class.trim() == "math") && is_bare_tex(page, id);
    if !is_tex && !has(&DELIMITED_CLASSES) {
        let code = page.element_children(id).next().filter(|_| page.is(id, "pre"))?;
        return page.has_class(code, "language-math").then(|| of_text(page, code, true)).flatten();
    }
    of_text(page, id, is_tex)
}

/// True if the text of an element is short enough to be the rendered form of its TeX.
fn may_be_rendered(page: &Page, id: Id, tex: &str) -> bool {
    let limit = RENDERED_CHARS + RENDERED_FORMS * tex.chars().count();
    let mut chars = 0;
    page.descendants(id).filter_map(|inner| page.text(inner)).all(|text| {
        chars += text.trim().chars().count();
        chars <= limit
    })
}

/// Cheap check that excludes most elements.
fn may_be_formula(page: &Page, id: Id) -> bool {
    page.attributes(id).any(|(name, value)| match name {
        "class" => ["ath", "tex", "mjx"].iter().any(|part| value.contains(part)),
        _ => name.starts_with("data-"),
    }) || TEX_ELEMENTS.contains(&page.tag(id))
        || page.is(id, "pre")
}

/// Formula that is the text of an element. If `is_tex` is false, the text must have delimiters.
fn of_text(page: &Page, id: Id, is_tex: bool) -> Option<Formula> {
    if page.descendants(id).any(|inner| page.is_element(inner) && !matches!(page.tag(inner), "br" | "code")) {
        return None;
    }
    let text = page.raw_text(id);
    let delimited = undelimited(text.trim());
    let is_block = matches!(page.tag(id), "pre" | "div") || page.is(page.parent(id), "pre");
    match delimited {
        Some((tex, is_display)) => Formula::new(clean_tex(tex), is_display || is_block),
        None if is_tex => Formula::new(clean_tex(&text), is_block || is_display(page, id)),
        None => None,
    }
}

/// Formula of Sphinx with an equation number before its TeX.
fn of_numbered(page: &Page, id: Id) -> Option<Formula> {
    if !page.is(id, "div") || !page.has_class(id, "math") {
        return None;
    }
    let mut elements = page.element_children(id);
    let number = elements.next().filter(|&number| page.has_class(number, "eqno"))?;
    if elements.next().is_some() {
        return None;
    }
    let text: String = page.children(id).filter_map(|child| page.text(child)).collect();
    let (tex, _) = undelimited(text.trim())?;
    let number = page.raw_text(number);
    let (_, number) = number.split_once('(')?;
    let (number, _) = number.split_once(')')?;
    Formula::new(format!("{} \\tag{{{}}}", clean_tex(tex), number.trim()), true)
}

/// True if the text of an element contains a command, a subscript or a superscript of TeX, and no delimiters.
fn is_bare_tex(page: &Page, id: Id) -> bool {
    if page.element_children(id).next().is_some() {
        return false;
    }
    let text = page.raw_text(id);
    text.contains(['\\', '^', '_']) && !["$", "\\(", "\\["].iter().any(|open| text.contains(open))
}

/// TeX in an attribute. Attributes with these names may also contain flags or data.
fn stated_tex(page: &Page, id: Id) -> Option<String> {
    let is_stated = |value: &&str| {
        let is_switch = matches!(*value, "true" | "false" | "inline" | "block" | "display" | "0" | "1");
        let is_data = value.starts_with(['{', '[']) && value.contains('"') || value.contains("://");
        !is_switch && !is_data
    };
    let names_formula = || {
        page.class(id).is_some_and(|classes| {
            let classes = classes.to_ascii_lowercase();
            classes.contains("formula") || classes.contains("math") || classes.contains("katex")
        })
    };
    let stated = TEX_ATTRIBUTES
        .iter()
        .find_map(|name| page.value(id, name))
        .or_else(|| page.value(id, "data-value").filter(|_| names_formula()));
    stated.filter(is_stated).map(clean_tex)
}
