//! Writes formulas as TeX for `KaTeX` and `MathJax`.

use super::{
    expr::Expr,
    letters::letters,
    symbols::{FUNCTIONS, LARGE, accent_above, accent_below, character, is_binary, is_relation, push},
};

impl Expr {
    /// Formula in TeX, without delimiters.
    pub(crate) fn tex(&self) -> String {
        match self {
            Self::Row(items) => row(items),
            Self::Name { text, font } => name(text, *font),
            Self::Number(number) => number.chars().map(digit).collect(),
            Self::Operator(symbol) => operator(symbol),
            Self::Text(words) => text(words),
            Self::Space => "\\;".to_owned(),
            Self::Fraction(above, below) => format!("\\frac{{{}}}{{{}}}", above.tex(), below.tex()),
            Self::Stack(above, below) => format!("{{{} \\atop {}}}", above.tex(), below.tex()),
            Self::Root { radicand, index: None } => format!("\\sqrt{{{}}}", radicand.tex()),
            Self::Root { radicand, index: Some(index) } => {
                format!("\\sqrt[{}]{{{}}}", index.tex(), radicand.tex())
            }
            Self::Scripts { base, sub, sup } => scripts(&base.tex(), sub.as_deref(), sup.as_deref()),
            Self::Limits { base, under, over } => limits(base, under.as_deref(), over.as_deref()),
            Self::Fenced { open, close, separator, items } => fenced(open, close, separator, items),
            Self::Table { rows, is_aligned } => table(rows, if *is_aligned { "aligned" } else { "matrix" }),
            Self::Command(command, inner) => format!("{command}{{{}}}", inner.tex()),
        }
    }

    fn has_table(&self) -> bool {
        match self {
            Self::Table { .. } => true,
            Self::Row(items) => items.iter().any(Self::has_table),
            _ => false,
        }
    }
}

/// Writes the items of a row, with spaces next to relations and binary operators. If the row contains a
/// table, its delimiters have the height of the table.
fn row(items: &[Expr]) -> String {
    let mut out = String::new();
    let grows = items.iter().any(Expr::has_table);
    let (mut is_after_operand, mut open, mut unopened) = (false, 0_usize, 0_usize);
    for (at, item) in items.iter().enumerate() {
        let Expr::Operator(symbol) = item else {
            push(&mut out, &item.tex());
            is_after_operand = true;
            continue;
        };
        let fence = if grows { Fence::of(symbol, open > 0) } else { Fence::None };
        match fence {
            Fence::Open => {
                open += 1;
                push(&mut out, &format!("\\left{}", delimiter(symbol)));
            }
            Fence::Close => {
                match open.checked_sub(1) {
                    Some(others) => open = others,
                    None => unopened += 1,
                }
                push(&mut out, &format!("\\right{}", delimiter(symbol)));
            }
            Fence::None => {
                let is_infix = is_after_operand && at + 1 < items.len();
                push_operator(&mut out, symbol, is_infix);
            }
        }
        is_after_operand = matches!(symbol.as_str(), ")" | "]" | "}" | "!" | "|" | "′" | "%");
    }
    for _ in 0..open {
        push(&mut out, "\\right.");
    }
    "\\left. ".repeat(unopened) + out.trim_end()
}

/// Role of a symbol next to a table.
enum Fence {
    Open,
    Close,
    None,
}

impl Fence {
    fn of(symbol: &str, is_open: bool) -> Self {
        match symbol {
            ")" | "]" | "}" | "⟩" | "⌋" | "⌉" => Self::Close,
            "|" | "‖" | "∣" | "∥" if is_open => Self::Close,
            "(" | "[" | "{" | "⟨" | "⌊" | "⌈" | "|" | "‖" | "∣" | "∥" => Self::Open,
            _ => Self::None,
        }
    }
}

fn push_operator(out: &mut String, symbol: &str, is_infix: bool) {
    let tex = operator(symbol);
    let is_spaced = is_infix && symbol.chars().all(|c| is_relation(c) || is_binary(c)) && !symbol.is_empty();
    if is_spaced && !out.ends_with(' ') {
        out.push(' ');
    }
    push(out, &tex);
    if is_spaced || matches!(symbol, "," | ";") {
        out.push(' ');
    }
}

fn name(text: &str, font: Option<&'static str>) -> String {
    let mut characters = text.chars();
    match (characters.next(), characters.next(), font) {
        (None, ..) => String::new(),
        _ if FUNCTIONS.contains(&text) => format!("\\{text}"),
        (Some(letter), None, font) => match font.filter(|_| letter.is_ascii_alphanumeric()) {
            Some(font) => format!("{font}{{{letter}}}"),
            None => letters(&letter.to_string()),
        },
        _ if !text.chars().any(char::is_alphabetic) => letters(text),
        (.., font) => format!("{}{{{}}}", font.unwrap_or("\\mathrm"), letters(text)),
    }
}

fn digit(c: char) -> String {
    match c {
        '.' | ',' | '\u{a0}' | ' ' => c.to_string(),
        _ => letters(&c.to_string()),
    }
}

fn operator(symbol: &str) -> String {
    let is_word = symbol.chars().count() > 1 && symbol.chars().all(char::is_alphabetic);
    if is_word {
        return if FUNCTIONS.contains(&symbol) {
            format!("\\{symbol}")
        } else {
            format!("\\operatorname{{{symbol}}}")
        };
    }
    let mut out = String::new();
    for c in symbol.chars() {
        push(&mut out, &character(c));
    }
    out
}

fn text(words: &str) -> String {
    if words.trim().is_empty() {
        return if words.is_empty() { String::new() } else { "\\ ".to_owned() };
    }
    let mut escaped = String::new();
    for c in words.chars() {
        match c {
            '\\' => escaped.push_str("\\backslash "),
            '{' | '}' | '%' | '#' | '&' | '_' | '$' => {
                escaped.push('\\');
                escaped.push(c);
            }
            '\u{a0}' => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    format!("\\text{{{escaped}}}")
}

fn scripts(base: &str, sub: Option<&Expr>, sup: Option<&Expr>) -> String {
    let mut out = grouped(base);
    if let Some(sub) = sub.map(Expr::tex).filter(|sub| !sub.is_empty()) {
        out.push_str(&format!("_{{{sub}}}"));
    }
    match sup.map(Expr::tex).filter(|sup| !sup.is_empty()) {
        Some(primes) if primes.chars().all(|c| c == '\'') => out.push_str(&primes),
        Some(sup) => out.push_str(&format!("^{{{sup}}}")),
        None => {}
    }
    out
}

/// Base of a superscript or subscript. A single symbol, a command or a text in brackets is unchanged. Other
/// bases become a group.
fn grouped(base: &str) -> String {
    let is_word = |word: &str| word.chars().all(|c| c.is_ascii_alphabetic());
    let is_number = base.chars().all(|c| c.is_ascii_digit()) && !base.is_empty();
    let is_command = base.strip_prefix('\\').is_some_and(|rest| {
        let (word, argument) = rest.split_once('{').unwrap_or((rest, "}"));
        let is_closed = argument.strip_suffix('}').is_some_and(|inner| !inner.contains('}'));
        !word.is_empty() && is_word(word) && is_closed && word != "frac"
    });
    let is_bracketed = base.starts_with('(') && base.find(')') == Some(base.len() - 1);
    if base.chars().count() == 1 || is_number || is_command || is_bracketed {
        return base.to_owned();
    }
    format!("{{{base}}}")
}

fn limits(base: &Expr, under: Option<&Expr>, over: Option<&Expr>) -> String {
    let tex = base.tex();
    let is_large = LARGE.iter().any(|large| tex.trim_end() == *large)
        || tex.starts_with("\\operatorname")
        || tex.starts_with("\\underbrace") && over.is_none()
        || tex.starts_with("\\overbrace") && under.is_none();
    if is_large {
        return scripts_of_large(&tex, under, over);
    }
    let is_wide = tex.chars().count() > 1 && !tex.starts_with('\\');
    let mut out = tex;
    if let Some(under) = under {
        out = match accent_below(under) {
            Some(command) => format!("{command}{{{out}}}"),
            None => format!("\\underset{{{}}}{{{out}}}", under.tex()),
        };
    }
    if let Some(over) = over {
        out = match accent_above(over, is_wide) {
            Some(command) => format!("{command}{{{out}}}"),
            None => format!("\\overset{{{}}}{{{out}}}", over.tex()),
        };
    }
    out
}

fn scripts_of_large(base: &str, under: Option<&Expr>, over: Option<&Expr>) -> String {
    let mut out = base.trim_end().to_owned();
    for (marker, script) in [("_", under), ("^", over)] {
        if let Some(script) = script.map(Expr::tex).filter(|script| !script.is_empty()) {
            out.push_str(&format!("{marker}{{{script}}}"));
        }
    }
    out
}

fn fenced(open: &str, close: &str, separator: &str, items: &[Expr]) -> String {
    let separator = if separator == "," { ", ".to_owned() } else { operator(separator) };
    let inner = items.iter().map(Expr::tex).collect::<Vec<_>>().join(&separator);
    let is_tall = inner.contains("\\frac") || inner.contains("\\begin") || inner.contains("\\sum");
    if is_tall || open.is_empty() != close.is_empty() {
        return format!("\\left{} {inner} \\right{}", delimiter(open), delimiter(close));
    }
    let mut out = operator(open);
    push(&mut out, &inner);
    push(&mut out, &operator(close));
    out
}

/// TeX delimiter after `\left` or `\right`.
fn delimiter(symbol: &str) -> String {
    if symbol.is_empty() { ".".to_owned() } else { operator(symbol) }
}

fn table(rows: &[Vec<Expr>], environment: &str) -> String {
    let row = |row: &Vec<Expr>| row.iter().map(Expr::tex).collect::<Vec<_>>().join(" & ");
    let rows = rows.iter().map(row).collect::<Vec<_>>().join(" \\\\ ");
    format!("\\begin{{{environment}}} {rows} \\end{{{environment}}}")
}
