//! Formulas that authors wrote between TeX delimiters in a text.

/// Maximum number of bytes of a formula, including its delimiters.
const MAX_BYTES: usize = 2000;

/// Part of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum FormulaPiece<'t> {
    Text(&'t str),
    /// Formula, including its delimiters.
    Formula(&'t str),
}

/// Splits a text into formulas and the text between them.
pub(super) fn pieces(text: &str) -> Vec<FormulaPiece<'_>> {
    let mut pieces = Vec::new();
    let (mut done, mut at) = (0, 0);
    while let Some(offset) = text[at..].find(['$', '\\']) {
        let start = at + offset;
        if let Some(length) = formula_length(text, start) {
            if done < start {
                pieces.push(FormulaPiece::Text(&text[done..start]));
            }
            pieces.push(FormulaPiece::Formula(&text[start..start + length]));
            (done, at) = (start + length, start + length);
        } else {
            // The second of two dollar signs or backslashes does not begin a formula.
            let delimiter = &text[start..=start];
            at = start + 1 + usize::from(text[start + 1..].starts_with(delimiter));
        }
    }
    if done < text.len() {
        pieces.push(FormulaPiece::Text(&text[done..]));
    }
    pieces
}

/// Length in bytes of the formula that begins at a position, including its delimiters. `None` if no formula
/// begins there.
fn formula_length(text: &str, start: usize) -> Option<usize> {
    let rest = &text[start..];
    let (open, close) = if rest.starts_with("$$") {
        ("$$", "$$".to_owned())
    } else if rest.starts_with('$') {
        ("$", "$".to_owned())
    } else if rest.starts_with("\\(") {
        ("\\(", "\\)".to_owned())
    } else if rest.starts_with("\\[") {
        ("\\[", "\\]".to_owned())
    } else {
        let environment = rest.strip_prefix("\\begin{")?.split_once('}')?.0;
        let is_name = environment.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'*');
        ("\\begin{", is_name.then(|| format!("\\end{{{environment}}}"))?)
    };
    let inner = &rest[open.len()..];
    let end = inner.find(&close)?;
    let (formula, after) = (&inner[..end], &inner[end + close.len()..]);
    let is_formula = end <= MAX_BYTES
        && has_formula(formula)
        && !breaks_block(formula)
        && (open != "$" || is_between_words(&text[..start], formula, after));
    is_formula.then_some(open.len() + end + close.len())
}

/// True if the text between two delimiters can be a formula, as opposed to words.
fn has_formula(text: &str) -> bool {
    let words = text.trim();
    let mut letters = words.chars();
    let is_variable = letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none();
    is_variable || words.contains(|c: char| c.is_ascii_digit() || "\\^_={}+-*/<>|!".contains(c))
}

/// True if a line of the formula would begin a new Markdown block.
fn breaks_block(formula: &str) -> bool {
    formula.lines().skip(1).any(|line| {
        line.trim().is_empty()
            || line.trim_start().starts_with(|c: char| c.is_ascii_digit() || "#>-+*|=~`".contains(c))
    })
}

/// True if two dollar signs are the delimiters of a formula, as opposed to amounts of money.
fn is_between_words(before: &str, formula: &str, after: &str) -> bool {
    !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '$' | '\\'))
        && !after.starts_with(|c: char| c.is_alphanumeric() || c == '$')
        && !formula.starts_with(char::is_whitespace)
        && !formula.ends_with(|c: char| c.is_whitespace() || c == '\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formulas(text: &str) -> Vec<&str> {
        let formula = |piece| match piece {
            FormulaPiece::Formula(formula) => Some(formula),
            FormulaPiece::Text(_) => None,
        };
        pieces(text).into_iter().filter_map(formula).collect()
    }

    #[test]
    fn formulas_in_text_are_recognised() {
        for (text, expected) in [
            ("so $a_i*b_i$ holds", vec!["$a_i*b_i$"]),
            ("so $x$, $y$.", vec!["$x$", "$y$"]),
            ("so \\(a_i\\) and \\[x^2\\]", vec!["\\(a_i\\)", "\\[x^2\\]"]),
            ("$$\\frac{1}{2}$$", vec!["$$\\frac{1}{2}$$"]),
            (
                "\\begin{align*} a &= b_1 \\\\ c &= d \\end{align*}",
                vec!["\\begin{align*} a &= b_1 \\\\ c &= d \\end{align*}"],
            ),
        ] {
            assert_eq!(formulas(text), expected, "{text}");
        }
    }

    #[test]
    fn amounts_variables_and_patterns_are_not_formulas() {
        for text in [
            "from $5 to $10 a day",
            "US$5_000 and US$6_000",
            "$20,000-$30,000",
            "set $HOME_DIR and $PATH",
            "escape brackets by \\( and \\) in it",
            "a\\\\(b_c\\\\)",
            "$$ and $$",
        ] {
            assert_eq!(formulas(text), Vec::<&str>::new(), "{text}");
        }
    }
}
