//! Formulas: TeX if the page has it, else the text of the `MathML`.

use crate::{
    clean,
    page::{Id, Page},
};

/// Formula of a `math` element: its TeX annotation, else its `alttext`, else its text.
pub(super) fn formula(page: &Page, id: Id) -> Option<String> {
    let annotation = page.descendants(id).find(|&inner| {
        page.is(inner, "annotation")
            && page
                .attribute(inner, "encoding")
                .is_some_and(|encoding| encoding.to_ascii_lowercase().contains("tex"))
    });
    let tex = annotation
        .map(|annotation| page.raw_text(annotation))
        .or_else(|| page.value(id, "alttext").map(str::to_owned));
    let formula = clean::fold(&tex.unwrap_or_else(|| without_annotations(page, id)));
    (!formula.is_empty()).then_some(formula)
}

fn without_annotations(page: &Page, id: Id) -> String {
    let mut text = String::new();
    let mut at = id + 1;
    let end = page.subtree(id).end;
    while at < end {
        if matches!(page.tag(at), "annotation" | "annotation-xml") {
            at = page.subtree(at).end;
            continue;
        }
        text.push_str(page.text(at).unwrap_or(""));
        at += 1;
    }
    text
}

/// True for a formula on a line of its own.
pub(super) fn is_display(page: &Page, id: Id) -> bool {
    page.attribute(id, "display") == Some("block")
        || page.ancestors(id).take(3).any(|above| {
            page.has_class(above, "katex-display")
                || page.is(above, "mjx-container") && page.attribute(above, "display") == Some("true")
        })
}

/// True for a rendered form that repeats the `MathML`.
pub(super) fn is_rendering(page: &Page, id: Id) -> bool {
    match page.tag(id) {
        "span" => ["katex-html", "MathJax_Preview", "MathJax", "MathJax_SVG"]
            .iter()
            .any(|class| page.has_class(id, class)),
        "mjx-math" => true,
        _ => false,
    }
}
