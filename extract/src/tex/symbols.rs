//! TeX commands for the characters in formulas.

use super::expr::Expr;

/// Functions for which TeX has a command.
pub(super) const FUNCTIONS: [&str; 32] = [
    "arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "coth", "csc", "deg", "det", "dim", "exp",
    "gcd", "hom", "inf", "ker", "lg", "lim", "liminf", "limsup", "ln", "log", "max", "min", "sec", "sin",
    "sinh", "sup", "tan", "tanh", "Pr",
];

/// Maximum number of bytes of a command.
const MAX_COMMAND_BYTES: usize = 32;

/// Commands whose superscripts and subscripts are limits.
pub(super) const LARGE: [&str; 24] = [
    "\\sum", "\\prod", "\\coprod", "\\int", "\\iint", "\\iiint", "\\oint", "\\bigcup", "\\bigcap",
    "\\bigvee", "\\bigwedge", "\\bigoplus", "\\bigotimes", "\\lim", "\\liminf", "\\limsup", "\\max", "\\min",
    "\\inf", "\\sup", "\\det", "\\gcd", "\\Pr", "\\arg",
];

const SYMBOLS: &[(char, &str)] = &[
    ('α', "\\alpha"),
    ('β', "\\beta"),
    ('γ', "\\gamma"),
    ('δ', "\\delta"),
    ('ε', "\\varepsilon"),
    ('ϵ', "\\epsilon"),
    ('ζ', "\\zeta"),
    ('η', "\\eta"),
    ('θ', "\\theta"),
    ('ϑ', "\\vartheta"),
    ('ι', "\\iota"),
    ('κ', "\\kappa"),
    ('λ', "\\lambda"),
    ('μ', "\\mu"),
    ('µ', "\\mu"),
    ('ν', "\\nu"),
    ('ξ', "\\xi"),
    ('π', "\\pi"),
    ('ϖ', "\\varpi"),
    ('ρ', "\\rho"),
    ('ϱ', "\\varrho"),
    ('σ', "\\sigma"),
    ('ς', "\\varsigma"),
    ('τ', "\\tau"),
    ('υ', "\\upsilon"),
    ('φ', "\\varphi"),
    ('ϕ', "\\phi"),
    ('χ', "\\chi"),
    ('ψ', "\\psi"),
    ('ω', "\\omega"),
    ('Γ', "\\Gamma"),
    ('Δ', "\\Delta"),
    ('∆', "\\Delta"),
    ('Θ', "\\Theta"),
    ('Λ', "\\Lambda"),
    ('Ξ', "\\Xi"),
    ('Π', "\\Pi"),
    ('Σ', "\\Sigma"),
    ('Υ', "\\Upsilon"),
    ('Φ', "\\Phi"),
    ('Ψ', "\\Psi"),
    ('Ω', "\\Omega"),
    ('ℏ', "\\hbar"),
    ('ħ', "\\hbar"),
    ('ℎ', "h"),
    ('ℓ', "\\ell"),
    ('ℜ', "\\Re"),
    ('ℑ', "\\Im"),
    ('ℵ', "\\aleph"),
    ('ℝ', "\\mathbb{R}"),
    ('ℂ', "\\mathbb{C}"),
    ('ℕ', "\\mathbb{N}"),
    ('ℤ', "\\mathbb{Z}"),
    ('ℚ', "\\mathbb{Q}"),
    ('ℙ', "\\mathbb{P}"),
    ('ℒ', "\\mathcal{L}"),
    ('ℱ', "\\mathcal{F}"),
    ('ℋ', "\\mathcal{H}"),
    ('∂', "\\partial"),
    ('∇', "\\nabla"),
    ('∞', "\\infty"),
    ('∅', "\\emptyset"),
    ('∀', "\\forall"),
    ('∃', "\\exists"),
    ('∄', "\\nexists"),
    ('¬', "\\neg"),
    ('∑', "\\sum"),
    ('∏', "\\prod"),
    ('∐', "\\coprod"),
    ('∫', "\\int"),
    ('∬', "\\iint"),
    ('∭', "\\iiint"),
    ('∮', "\\oint"),
    ('⋃', "\\bigcup"),
    ('⋂', "\\bigcap"),
    ('⋁', "\\bigvee"),
    ('⋀', "\\bigwedge"),
    ('⨁', "\\bigoplus"),
    ('⨂', "\\bigotimes"),
    ('√', "\\surd"),
    ('−', "-"),
    ('×', "\\times"),
    ('÷', "\\div"),
    ('±', "\\pm"),
    ('∓', "\\mp"),
    ('·', "\\cdot"),
    ('⋅', "\\cdot"),
    ('∙', "\\bullet"),
    ('•', "\\bullet"),
    ('∗', "*"),
    ('⋆', "\\star"),
    ('∘', "\\circ"),
    ('°', "^{\\circ}"),
    ('∪', "\\cup"),
    ('∩', "\\cap"),
    ('∧', "\\wedge"),
    ('∨', "\\vee"),
    ('⊕', "\\oplus"),
    ('⊖', "\\ominus"),
    ('⊗', "\\otimes"),
    ('⊙', "\\odot"),
    ('∖', "\\setminus"),
    ('†', "\\dagger"),
    ('‡', "\\ddagger"),
    ('≤', "\\le"),
    ('⩽', "\\leqslant"),
    ('≥', "\\ge"),
    ('⩾', "\\geqslant"),
    ('≠', "\\ne"),
    ('≈', "\\approx"),
    ('≃', "\\simeq"),
    ('≅', "\\cong"),
    ('≡', "\\equiv"),
    ('∼', "\\sim"),
    ('~', "\\sim"),
    ('∝', "\\propto"),
    ('≪', "\\ll"),
    ('≫', "\\gg"),
    ('≺', "\\prec"),
    ('≻', "\\succ"),
    ('≔', ":="),
    ('≐', "\\doteq"),
    ('∈', "\\in"),
    ('∉', "\\notin"),
    ('∋', "\\ni"),
    ('⊂', "\\subset"),
    ('⊃', "\\supset"),
    ('⊆', "\\subseteq"),
    ('⊇', "\\supseteq"),
    ('⊥', "\\perp"),
    ('∥', "\\parallel"),
    ('∣', "|"),
    ('‖', "\\|"),
    ('⊢', "\\vdash"),
    ('⊨', "\\models"),
    ('→', "\\to"),
    ('⟶', "\\longrightarrow"),
    ('←', "\\leftarrow"),
    ('⟵', "\\longleftarrow"),
    ('↔', "\\leftrightarrow"),
    ('⇒', "\\Rightarrow"),
    ('⟹', "\\implies"),
    ('⇐', "\\Leftarrow"),
    ('⇔', "\\Leftrightarrow"),
    ('⟺', "\\iff"),
    ('↦', "\\mapsto"),
    ('⇌', "\\rightleftharpoons"),
    ('↑', "\\uparrow"),
    ('↓', "\\downarrow"),
    ('⟨', "\\langle"),
    ('〈', "\\langle"),
    ('⟩', "\\rangle"),
    ('〉', "\\rangle"),
    ('⌊', "\\lfloor"),
    ('⌋', "\\rfloor"),
    ('⌈', "\\lceil"),
    ('⌉', "\\rceil"),
    ('…', "\\dots"),
    ('⋯', "\\cdots"),
    ('⋮', "\\vdots"),
    ('⋱', "\\ddots"),
    ('′', "'"),
    ('″', "''"),
    ('‴', "'''"),
    ('∠', "\\angle"),
];

/// True for the name of a function for which TeX has a command, such as `sin`.
pub(crate) fn is_function(name: &str) -> bool {
    FUNCTIONS.contains(&name)
}

/// TeX of a character in a formula.
pub(super) fn character(c: char) -> String {
    match c {
        '{' | '}' | '%' | '#' | '&' | '_' | '$' => format!("\\{c}"),
        '\\' => "\\backslash".to_owned(),
        '^' => "\\hat{}".to_owned(),
        // Function application, invisible operators and spaces are dropped.
        '\u{2061}'..='\u{2064}' | '\u{200b}' | '\u{feff}' | '\u{2009}' | '\u{200a}' => String::new(),
        _ => SYMBOLS
            .iter()
            .find(|(symbol, _)| *symbol == c)
            .map_or_else(|| c.to_string(), |(_, command)| (*command).to_owned()),
    }
}

/// Appends a piece of TeX. A space separates a command from a following letter.
pub(super) fn push(out: &mut String, piece: &str) {
    let last = &out[out.floor_char_boundary(out.len().saturating_sub(MAX_COMMAND_BYTES))..];
    let before = last.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let is_command = before.len() < last.len() && before.ends_with('\\');
    if is_command && piece.starts_with(|c: char| c.is_ascii_alphabetic()) {
        out.push(' ');
    }
    out.push_str(piece);
}

pub(super) fn is_relation(c: char) -> bool {
    matches!(
        c,
        '=' | '<' | '>' | ':' | '~' | '≔' | '≐' | '∝' | '∼' | '≃' | '≅' | '≈' | '≠' | '≡' | '≤' | '≥' | '⩽' | '⩾'
            | '≪' | '≫' | '≺' | '≻' | '∈' | '∉' | '∋' | '⊂' | '⊃' | '⊆' | '⊇' | '⊥' | '∥' | '⊢' | '⊨'
            | '←'..='⇿' | '⟵'..='⟿'
    )
}

pub(super) fn is_binary(c: char) -> bool {
    matches!(
        c,
        '+' | '-'
            | '−'
            | '*'
            | '×'
            | '÷'
            | '±'
            | '∓'
            | '·'
            | '⋅'
            | '∗'
            | '∘'
            | '∙'
            | '∪'
            | '∩'
            | '∧'
            | '∨'
            | '⊕'
            | '⊖'
            | '⊗'
            | '⊙'
            | '∖'
            | '⋆'
    )
}

/// Command for the accent above a base. `None` if the expression is not an accent.
pub(super) fn accent_above(over: &Expr, is_wide: bool) -> Option<&'static str> {
    Some(match (single_character(over)?, is_wide) {
        ('^' | 'ˆ' | '\u{302}', false) => "\\hat",
        ('^' | 'ˆ' | '\u{302}', true) => "\\widehat",
        ('~' | '˜' | '\u{303}' | '∼', false) => "\\tilde",
        ('~' | '˜' | '\u{303}' | '∼', true) => "\\widetilde",
        ('¯' | '‾' | '\u{304}' | '\u{305}' | '_' | '―' | '—' | '-', false) => "\\bar",
        ('¯' | '‾' | '\u{304}' | '\u{305}' | '_' | '―' | '—' | '-', true) => "\\overline",
        ('→' | '\u{20d7}' | '⇀', false) => "\\vec",
        ('→' | '\u{20d7}' | '⇀', true) => "\\overrightarrow",
        ('←' | '\u{20d6}', _) => "\\overleftarrow",
        ('˙' | '\u{307}' | '.', _) => "\\dot",
        ('¨' | '\u{308}', _) => "\\ddot",
        ('ˇ' | '\u{30c}', _) => "\\check",
        ('˘' | '\u{306}', _) => "\\breve",
        ('⏞' | '︷', _) => "\\overbrace",
        _ => return None,
    })
}

/// Command for the accent below a base. `None` if the expression is not an accent.
pub(super) fn accent_below(under: &Expr) -> Option<&'static str> {
    Some(match single_character(under)? {
        '_' | '¯' | '‾' | '\u{331}' | '\u{332}' | '―' | '—' => "\\underline",
        '⏟' | '︸' => "\\underbrace",
        _ => return None,
    })
}

/// Character of an expression that consists of a single character. `None` for other expressions.
fn single_character(expr: &Expr) -> Option<char> {
    match expr {
        Expr::Operator(text) | Expr::Text(text) | Expr::Name { text, .. } => {
            let mut characters = text.chars();
            characters.next().filter(|_| characters.next().is_none())
        }
        Expr::Row(items) if items.len() == 1 => single_character(&items[0]),
        _ => None,
    }
}
