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
    let mut characters: Vec<char> = visual.chars().collect();
    let inner = if rtl >= ltr {
        characters.reverse();
        for character in &mut characters {
            *character = mirrored(*character);
        }
        is_ltr
    } else {
        is_rtl
    };
    // Reverse runs in the other direction, from their first to their last letter.
    let outer = |c: char| if rtl >= ltr { is_rtl(c) } else { is_ltr(c) };
    let mut at = 0;
    while at < characters.len() {
        if !inner(characters[at]) {
            at += 1;
            continue;
        }
        let end = (at..characters.len()).find(|&index| outer(characters[index])).unwrap_or(characters.len());
        let last = (at..end).rev().find(|&index| inner(characters[index])).unwrap_or(at);
        characters[at..=last].reverse();
        for character in &mut characters[at..=last] {
            *character = mirrored(*character);
        }
        at = last + 1;
    }
    characters.into_iter().collect()
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
