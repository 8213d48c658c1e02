//! Superscripts and subscripts in plain text: Unicode characters if they exist, or else `^` and `_`. They are
//! always separated from the word before them.

/// Maximum number of characters in a superscript or subscript. Longer ranges are treated as small print.
const MAX_CHARS: usize = 12;

/// Endings of ordinal numbers, which are superscript in many languages.
const ORDINALS: [&str; 24] = [
    "st", "nd", "rd", "th", "er", "re", "e", "è", "ème", "eme", "de", "d", "nde", "o", "a", "os", "as", "r",
    "ra", "ro", "t", "h", "te", "me",
];

const SUPERSCRIPTS: [(char, char); 17] = [
    ('0', '⁰'),
    ('1', '¹'),
    ('2', '²'),
    ('3', '³'),
    ('4', '⁴'),
    ('5', '⁵'),
    ('6', '⁶'),
    ('7', '⁷'),
    ('8', '⁸'),
    ('9', '⁹'),
    ('+', '⁺'),
    ('-', '⁻'),
    ('=', '⁼'),
    ('(', '⁽'),
    (')', '⁾'),
    ('n', 'ⁿ'),
    ('i', 'ⁱ'),
];

const SUBSCRIPTS: [(char, char); 15] = [
    ('0', '₀'),
    ('1', '₁'),
    ('2', '₂'),
    ('3', '₃'),
    ('4', '₄'),
    ('5', '₅'),
    ('6', '₆'),
    ('7', '₇'),
    ('8', '₈'),
    ('9', '₉'),
    ('+', '₊'),
    ('-', '₋'),
    ('=', '₌'),
    ('(', '₍'),
    (')', '₎'),
];

/// Plain text of a superscript that follows `before`.
pub(crate) fn superscript(before: &str, text: &str) -> String {
    let is_ordinal = before.ends_with(|c: char| c.is_ascii_digit()) && ORDINALS.contains(&text);
    // In abbreviations such as `Mme` and `Dr`, the letters belong to the word.
    let is_title = before.ends_with(char::is_alphabetic) && is_long_word(text);
    match text {
        "TM" => "™".to_owned(),
        "SM" => "℠".to_owned(),
        _ if is_ordinal || is_title => text.to_owned(),
        _ => script(before, text, &SUPERSCRIPTS, '^'),
    }
}

/// Plain text of a subscript that follows `before`.
pub(crate) fn subscript(before: &str, text: &str) -> String {
    script(before, text, &SUBSCRIPTS, '_')
}

/// Restores the original text of a superscript or subscript from its plain text.
pub(crate) fn original(plain_text: &str) -> String {
    let bare = plain_text.strip_prefix(['^', '_']).unwrap_or(plain_text);
    let bare = bare.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(bare);
    let plain = |c: char| {
        let all = SUPERSCRIPTS.iter().chain(&SUBSCRIPTS);
        all.into_iter().find(|(_, script)| *script == c).map_or(c, |(plain, _)| *plain)
    };
    bare.chars().map(plain).collect()
}

fn script(before: &str, text: &str, known: &[(char, char)], marker: char) -> String {
    let says_something = text.chars().any(char::is_alphanumeric);
    if !says_something || before.trim().is_empty() && !is_number(text) || text.chars().count() > MAX_CHARS {
        return text.to_owned();
    }
    let one = |c: char| {
        let c = if c == '−' { '-' } else { c };
        known.iter().find(|(plain, _)| *plain == c).map(|(_, script)| *script)
    };
    let mapped: Option<String> = text.chars().map(one).collect();
    match mapped {
        Some(mapped) => mapped,
        None if !before.ends_with(char::is_alphanumeric) && !before.ends_with([')', ']']) => text.to_owned(),
        None if text.chars().count() == 1 || text.chars().all(char::is_alphanumeric) => {
            format!("{marker}{text}")
        }
        None if text.starts_with('[') => text.to_owned(),
        None => format!("{marker}({text})"),
    }
}

fn is_number(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit())
}

fn is_long_word(text: &str) -> bool {
    text.chars().count() > 1 && text.chars().all(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_separated_from_the_previous_word() {
        for (before, text, expected) in [
            ("mc", "2", "²"),
            ("10", "-3", "⁻³"),
            ("10", "−3", "⁻³"),
            ("e", "x", "^x"),
            ("x", "n+1", "ⁿ⁺¹"),
            ("2", "a + b", "^(a + b)"),
            ("wall.", "1", "¹"),
            ("wall", "[1]", "[1]"),
            ("wall", "*", "*"),
            ("Carrel", "TM", "™"),
            ("20", "th", "th"),
            ("M", "me", "me"),
            ("", "1", "¹"),
            ("", "new", "new"),
        ] {
            assert_eq!(superscript(before, text), expected, "{before} {text}");
        }
        for (before, text, expected) in [("H", "2", "₂"), ("v", "max", "_max"), ("x", "i,j", "_(i,j)")] {
            assert_eq!(subscript(before, text), expected);
        }
    }

    #[test]
    fn original_text_is_restored_from_plain_text() {
        for text in ["2", "-3", "x", "n+1", "a + b"] {
            assert_eq!(original(&superscript("a", text)), text);
        }
        assert_eq!(original(&subscript("v", "max")), "max");
    }
}
