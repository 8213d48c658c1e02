//! Formulas written as TeX.

use super::*;

fn name(text: &str) -> Expr {
    Expr::Name { text: text.to_owned(), font: None }
}

fn operator(symbol: &str) -> Expr {
    Expr::Operator(symbol.to_owned())
}

#[expect(clippy::unnecessary_box_returns, reason = "expressions contain boxes")]
fn number(digits: &str) -> Box<Expr> {
    Box::new(Expr::Number(digits.to_owned()))
}

#[test]
fn operators_are_spaced_and_commands_are_separated() {
    for (items, expected) in [
        (parse_characters("a+b=2", None), "a + b = 2"),
        (parse_characters("-x", None), "-x"),
        (parse_characters("2π r", None), "2\\pi r"),
        (parse_characters("α,β∈ℝ", None), "\\alpha, \\beta \\in \\mathbb{R}"),
        (parse_characters("f(-x)", None), "f(-x)"),
        (parse_characters("3.14×𝑥", None), "3.14 \\times x"),
        (parse_characters("100%", None), "100\\%"),
        (parse_characters("kg", Some("\\mathrm")), "\\mathrm{kg}"),
        (vec![name("sin"), name("x")], "\\sin x"),
        (vec![name("x"), operator("→"), name("y")], "x \\to y"),
        (vec![operator("∑"), name("a")], "\\sum a"),
        (vec![Expr::Text("if {x}".to_owned())], "\\text{if \\{x\\}}"),
    ] {
        assert_eq!(Expr::Row(items).tex(), expected);
    }
}

#[test]
fn long_bases_of_scripts_are_grouped() {
    let squared =
        |base: Expr| Expr::Scripts { base: Box::new(base), sub: None, sup: Some(number("2")) }.tex();
    assert_eq!(squared(name("x")), "x^{2}");
    assert_eq!(squared(name("α")), "\\alpha^{2}");
    assert_eq!(squared(Expr::Row(parse_characters("(a+b)", None))), "(a + b)^{2}");
    assert_eq!(squared(Expr::Row(parse_characters("ab", None))), "{ab}^{2}");
    assert_eq!(squared(operator("{")), "{\\{}^{2}");
    assert_eq!(squared(Expr::Command("\\bar", Box::new(name("x")))), "\\bar{x}^{2}");
    let prime = Expr::Scripts { base: Box::new(name("f")), sub: None, sup: Some(Box::new(operator("′"))) };
    assert_eq!(prime.tex(), "f'");
}

#[test]
fn limits_and_accents_become_tex_commands() {
    let limits = |base: Expr, under: Option<Expr>, over: Option<Expr>| {
        Expr::Limits { base: Box::new(base), under: under.map(Box::new), over: over.map(Box::new) }.tex()
    };
    assert_eq!(limits(operator("∑"), Some(name("i")), Some(name("n"))), "\\sum_{i}^{n}");
    assert_eq!(limits(name("x"), None, Some(operator("¯"))), "\\bar{x}");
    assert_eq!(
        limits(Expr::Row(parse_characters("AB", None)), None, Some(operator("→"))),
        "\\overrightarrow{AB}"
    );
    assert_eq!(limits(operator("="), None, Some(Expr::Text("def".to_owned()))), "\\overset{\\text{def}}{=}");
}

#[test]
fn delimiters_of_tables_are_stretchy_and_balanced() {
    let table =
        Expr::Table { rows: vec![vec![name("a"), name("b")], vec![name("c"), name("d")]], is_aligned: false };
    let cases = Expr::Row(vec![name("f"), operator("="), operator("{"), table.clone()]);
    assert_eq!(cases.tex(), "f = \\left\\{\\begin{matrix} a & b \\\\ c & d \\end{matrix}\\right.");
    let matrix = Expr::Row(vec![operator("("), table, operator(")")]);
    assert_eq!(matrix.tex(), "\\left(\\begin{matrix} a & b \\\\ c & d \\end{matrix}\\right)");
    let cell = Expr::Table { rows: vec![vec![name("a")]], is_aligned: false };
    let closed = Expr::Row(vec![operator(")"), operator("]"), cell]);
    assert_eq!(closed.tex(), "\\left. \\left. \\right)\\right]\\begin{matrix} a \\end{matrix}");
    let fenced = Expr::Fenced {
        open: "(".to_owned(),
        close: ")".to_owned(),
        separator: ",".to_owned(),
        items: vec![Expr::Fraction(number("1"), number("2")), name("b")],
    };
    assert_eq!(fenced.tex(), "\\left( \\frac{1}{2}, b \\right)");
}
