//! Characters that have no place in clean text: controls, bidirectional overrides, non-characters, tag characters.
//!
//! They are what hidden instructions and reversed file names are made of; removing them is reported.

/// Removes them from a text; true when there were any.
pub fn strip_controls(text: &mut String) -> bool {
    if !text.chars().any(is_unwanted) {
        return false;
    }
    text.retain(|c| !is_unwanted(c));
    true
}

/// True for characters that are never shown or that reorder what is shown.
pub fn is_unwanted(c: char) -> bool {
    match c {
        '\t' | '\n' => false,
        '\u{0}'..='\u{1f}'
        | '\u{7f}'..='\u{9f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{fffe}'
        | '\u{ffff}'
        | '\u{e0000}'..='\u{e007f}' => true,
        _ => false,
    }
}

/// White space of a line folded to single spaces, none at the ends; soft hyphens, templates without a script that
/// needs them and byte order marks dropped. Line feeds become spaces.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    push_folded(&mut folded, text);
    folded.truncate(folded.trim_end().len());
    folded
}

/// Appends a text to one that is already folded, as `fold` would; a trailing space is kept for what follows.
pub fn push_folded(folded: &mut String, text: &str) {
    for c in text.chars() {
        if c.is_whitespace() {
            if folded.as_bytes().last().is_some_and(|last| !matches!(last, b' ' | b'\n')) {
                folded.push(' ');
            }
        } else if !is_invisible(c) {
            folded.push(c);
        }
    }
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}')
}

/// Words of a text, counting each ideograph or syllable of scripts without spaces as half a word.
pub fn words(text: &str) -> usize {
    let mut dense = 0;
    let mut spaced = 0;
    let mut inside = false;
    for c in text.chars() {
        // Most characters are these, and are told first.
        if c.is_ascii_alphanumeric() {
            spaced += usize::from(!inside);
            inside = true;
        } else if is_dense(c) {
            dense += 1;
            inside = false;
        } else if c.is_alphanumeric() {
            spaced += usize::from(!inside);
            inside = true;
        } else {
            inside = inside && matches!(c, '\'' | '’' | '-');
        }
    }
    spaced + dense / 2
}

/// True for characters of scripts that part no words by spaces.
pub fn is_dense(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests;
