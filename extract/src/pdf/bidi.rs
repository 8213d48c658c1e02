//! Converts lines from visual order (left to right) to reading order.

/// True for letters of right-to-left scripts.
pub(super) fn is_rtl(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
        && !matches!(c, '\u{660}'..='\u{669}' | '\u{6f0}'..='\u{6f9}')
}

fn is_ltr(c: char) -> bool {
    (c.is_alphabetic() && !is_rtl(c)) || c.is_numeric()
}

/// Converts a line from visual order to reading order.
pub(super) fn logical(visual: &str) -> String {
    let rtl = visual.chars().filter(|&c| is_rtl(c)).count();
    if rtl == 0 {
        return visual.to_owned();
    }
    let ltr = visual.chars().filter(|&c| c.is_alphabetic() && !is_rtl(c)).count();
    let mut signs: Vec<char> = visual.chars().collect();
    let inner = if rtl >= ltr {
        signs.reverse();
        for sign in &mut signs {
            *sign = mirrored(*sign);
        }
        is_ltr
    } else {
        is_rtl
    };
    // Runs in the other direction are reversed, from their first to their last letter.
    let outer = |c: char| if rtl >= ltr { is_rtl(c) } else { is_ltr(c) };
    let mut at = 0;
    while at < signs.len() {
        if !inner(signs[at]) {
            at += 1;
            continue;
        }
        let end = (at..signs.len()).find(|&index| outer(signs[index])).unwrap_or(signs.len());
        let last = (at..end).rev().find(|&index| inner(signs[index])).unwrap_or(at);
        signs[at..=last].reverse();
        for sign in &mut signs[at..=last] {
            *sign = mirrored(*sign);
        }
        at = last + 1;
    }
    signs.into_iter().collect()
}

fn mirrored(c: char) -> char {
    match c {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '{' => '}',
        '}' => '{',
        '<' => '>',
        '>' => '<',
        '«' => '»',
        '»' => '«',
        c => c,
    }
}
