//! Converts formulas in `MathML` to TeX.

use super::formula::{Formula, clean_tex, is_display, is_tex};
use crate::{
    clean, limits,
    page::{Id, Page, parse},
    tex::{Expr, parse_characters},
};

/// Formula of a `math` element: its TeX annotation, or else its `alttext` if it is TeX, or else its converted
/// content.
pub(super) fn of_math(page: &Page, id: Id) -> Option<Formula> {
    let annotation = page.descendants(id).find(|&inner| {
        page.is(inner, "annotation")
            && page
                .attribute(inner, "encoding")
                .is_some_and(|encoding| encoding.to_ascii_lowercase().contains("tex"))
    });
    let tex = annotation
        .map(|annotation| clean_tex(&page.raw_text(annotation)))
        .or_else(|| page.value(id, "alttext").filter(|text| is_tex(text)).map(clean_tex))
        .filter(|tex| !tex.is_empty())
        .unwrap_or_else(|| content(page, id).tex());
    Formula::new(tex, is_display(page, id))
}

/// Formula of `MathML` that is given as text, for example in a script, an attribute or a feed.
pub(crate) fn of_markup_text(markup: &str) -> Option<Formula> {
    limits::check(markup).ok()?;
    let page = Page::take(parse::parse(markup).ok()?);
    let math = page.find(0, "math")?;
    of_math(&page, math)
}

/// Expression of the children of an element.
fn content(page: &Page, id: Id) -> Expr {
    let items: Vec<Expr> = page.children(id).filter_map(|child| item(page, child)).collect();
    match <[Expr; 1]>::try_from(items) {
        Ok([only]) => only,
        Err(items) => Expr::Row(items),
    }
}

fn item(page: &Page, id: Id) -> Option<Expr> {
    if let Some(text) = page.text(id) {
        let items = parse_characters(text, None);
        return (!items.is_empty()).then_some(Expr::Row(items));
    }
    let text = || clean::fold(&page.raw_text(id));
    Some(match page.tag(id) {
        "annotation" | "annotation-xml" | "none" | "mprescripts" | "maligngroup" | "malignmark"
        | "script" | "style" => return None,
        "mi" => Expr::Name { text: text(), font: font(page, id) },
        "mn" => Expr::Number(text()),
        "mo" => Expr::Operator(text()),
        "mtext" | "ms" => Expr::Text(spaced_text(page, id)),
        "mspace" => Expr::Space,
        "mfrac" => fraction(page, id),
        "msqrt" => Expr::Root { radicand: Box::new(content(page, id)), index: None },
        "mroot" => Expr::Root { radicand: argument(page, id, 0), index: Some(argument(page, id, 1)) },
        "msub" => scripts(page, id, Some(1), None),
        "msup" => scripts(page, id, None, Some(1)),
        "msubsup" => scripts(page, id, Some(1), Some(2)),
        "munder" => limits(page, id, Some(1), None),
        "mover" => limits(page, id, None, Some(1)),
        "munderover" => limits(page, id, Some(1), Some(2)),
        "mmultiscripts" => multiscripts(page, id),
        "mfenced" => fenced(page, id),
        "mtable" => table(page, id),
        "menclose" => enclosed(page, id),
        "mphantom" => Expr::Command("\\phantom", Box::new(content(page, id))),
        "mglyph" => Expr::Text(page.value(id, "alt").unwrap_or_default().to_owned()),
        "semantics" | "maction" => page.element_children(id).next().and_then(|first| item(page, first))?,
        _ => content(page, id),
    })
}

/// Text of an `mtext` element. Leading and trailing spaces are retained as one space.
fn spaced_text(page: &Page, id: Id) -> String {
    let raw = page.raw_text(id);
    let space = |is_space: bool| if is_space { " " } else { "" };
    let folded = clean::fold(&raw);
    if folded.is_empty() {
        return space(!raw.is_empty()).to_owned();
    }
    let (before, after) = (raw.starts_with(char::is_whitespace), raw.ends_with(char::is_whitespace));
    format!("{}{folded}{}", space(before), space(after))
}

/// Argument of an element by its zero-based index. Empty if the argument is missing.
#[expect(clippy::unnecessary_box_returns, reason = "expressions contain boxes")]
fn argument(page: &Page, id: Id, number: usize) -> Box<Expr> {
    let argument = page.element_children(id).nth(number).and_then(|child| item(page, child));
    Box::new(argument.unwrap_or_else(Expr::empty))
}

fn font(page: &Page, id: Id) -> Option<&'static str> {
    Some(match page.value(id, "mathvariant")? {
        "normal" => "\\mathrm",
        "bold" => "\\mathbf",
        "bold-italic" => "\\boldsymbol",
        "double-struck" => "\\mathbb",
        "script" | "bold-script" => "\\mathcal",
        "fraktur" | "bold-fraktur" => "\\mathfrak",
        "sans-serif" => "\\mathsf",
        "monospace" => "\\mathtt",
        _ => return None,
    })
}

fn fraction(page: &Page, id: Id) -> Expr {
    let (above, below) = (argument(page, id, 0), argument(page, id, 1));
    let thickness = page.value(id, "linethickness").unwrap_or("1");
    let is_bare = thickness.starts_with('0') && !thickness.starts_with("0.");
    if is_bare { Expr::Stack(above, below) } else { Expr::Fraction(above, below) }
}

fn scripts(page: &Page, id: Id, sub: Option<usize>, sup: Option<usize>) -> Expr {
    let script = |number: Option<usize>| number.map(|number| argument(page, id, number));
    Expr::Scripts { base: argument(page, id, 0), sub: script(sub), sup: script(sup) }
}

fn limits(page: &Page, id: Id, under: Option<usize>, over: Option<usize>) -> Expr {
    let script = |number: Option<usize>| number.map(|number| argument(page, id, number));
    Expr::Limits { base: argument(page, id, 0), under: script(under), over: script(over) }
}

/// Subscripts and superscripts after and before a base, in pairs.
fn multiscripts(page: &Page, id: Id) -> Expr {
    let children: Vec<Id> = page.element_children(id).collect();
    let Some((&base, scripts)) = children.split_first() else { return Expr::empty() };
    let split = scripts.iter().position(|&script| page.is(script, "mprescripts")).unwrap_or(scripts.len());
    let script = |id: Option<&Id>| id.and_then(|&id| item(page, id)).map(Box::new);
    let scripted = |base: Expr, pair: &[Id]| Expr::Scripts {
        base: Box::new(base),
        sub: script(pair.first()),
        sup: script(pair.get(1)),
    };
    let base = item(page, base).unwrap_or_else(Expr::empty);
    let base = scripts[..split].chunks(2).fold(base, scripted);
    let before = scripts.get(split + 1..).unwrap_or_default();
    let mut items: Vec<Expr> = before.chunks(2).map(|pair| scripted(Expr::empty(), pair)).collect();
    items.push(base);
    Expr::Row(items)
}

fn fenced(page: &Page, id: Id) -> Expr {
    let delimiter = |name: &str, default: &str| {
        page.attribute(id, name).map_or_else(|| default.to_owned(), |delimiter| delimiter.trim().to_owned())
    };
    let separators = delimiter("separators", ",");
    Expr::Fenced {
        open: delimiter("open", "("),
        close: delimiter("close", ")"),
        separator: separators.chars().next().map(String::from).unwrap_or_default(),
        items: page.element_children(id).filter_map(|child| item(page, child)).collect(),
    }
}

fn table(page: &Page, id: Id) -> Expr {
    let is_row = |&row: &Id| matches!(page.tag(row), "mtr" | "mlabeledtr");
    let rows = page.element_children(id).filter(is_row).map(|row| {
        // The first cell of a labelled row is the equation number.
        let labels = usize::from(page.is(row, "mlabeledtr"));
        page.element_children(row).skip(labels).map(|cell| content(page, cell)).collect()
    });
    let alignment = page.value(id, "columnalign").unwrap_or_default();
    Expr::Table { rows: rows.collect(), is_aligned: alignment.starts_with("right") }
}

fn enclosed(page: &Page, id: Id) -> Expr {
    let inner = Box::new(content(page, id));
    match page.value(id, "notation").unwrap_or("longdiv").split_ascii_whitespace().next() {
        Some("radical") => Expr::Root { radicand: inner, index: None },
        Some("box" | "roundedbox") => Expr::Command("\\boxed", inner),
        Some("updiagonalstrike") => Expr::Command("\\cancel", inner),
        Some("downdiagonalstrike") => Expr::Command("\\bcancel", inner),
        Some("top") => Expr::Command("\\overline", inner),
        Some("bottom") => Expr::Command("\\underline", inner),
        _ => *inner,
    }
}
