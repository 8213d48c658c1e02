//! A formula as TeX, which is displayed inline or on a separate line.

use crate::{
    clean,
    page::{Id, Page},
};

/// Attributes that contain the TeX of a rendered formula.
pub(super) const TEX_ATTRIBUTES: [&str; 7] = [
    "data-math", "data-tex", "data-latex", "data-katex", "data-formula", "data-equation",
    "data-equation-content",
];
/// Opening and closing delimiters of TeX in text, and true if the formula is on a separate line.
const DELIMITERS: [(&str, &str, bool); 4] =
    [("$$", "$$", true), ("\\[", "\\]", true), ("\\(", "\\)", false), ("$", "$", false)];

/// Formula of an element and its descendants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Formula {
    pub(crate) tex: String,
    /// True for a formula on a separate line.
    pub(crate) is_display: bool,
}

impl Formula {
    /// Returns `None` if `tex` is empty.
    pub(super) fn new(tex: String, is_display: bool) -> Option<Self> {
        (!tex.is_empty()).then_some(Self { tex, is_display })
    }
}

/// Returns TeX on one line, without comments and delimiters.
pub(super) fn clean_tex(source: &str) -> String {
    let lines = source.trim().lines();
    // In a single line, `%` is probably not a comment, because a comment would extend to the end of the
    // formula.
    let is_single = lines.clone().count() < 2;
    let bare: Vec<&str> = lines.map(|line| if is_single { line } else { without_comment(line) }).collect();
    let folded = clean::fold(&bare.join("\n"));
    undelimited(&folded).map_or(folded.as_str(), |(tex, _)| tex).trim().to_owned()
}

fn without_comment(line: &str) -> &str {
    let is_comment = |at: usize| {
        let backslashes = line[..at].bytes().rev().take_while(|byte| *byte == b'\\').count();
        backslashes % 2 == 0
    };
    let comment = line.match_indices('%').map(|(at, _)| at).find(|&at| is_comment(at));
    comment.map_or(line, |at| &line[..at])
}

/// Returns the text between TeX delimiters, and true if the delimiters denote a formula on a separate line.
pub(super) fn undelimited(text: &str) -> Option<(&str, bool)> {
    DELIMITERS.iter().find_map(|(open, close, is_display)| {
        let inner = text.strip_prefix(open)?.strip_suffix(close)?;
        (!inner.contains(open) && !inner.contains(close)).then_some((inner, *is_display))
    })
}

/// True for TeX, as opposed to words that describe a formula.
pub(super) fn is_tex(text: &str) -> bool {
    let is_word = |word: &str| word.chars().count() > 2 && word.chars().all(char::is_alphabetic);
    text.contains(['\\', '^', '_', '{']) || text.split_whitespace().filter(|word| is_word(word)).count() < 2
}

/// True for a formula on a separate line.
pub(super) fn is_display(page: &Page, id: Id) -> bool {
    const CLASSES: [&str; 7] = [
        "katex-display", "MathJax_Display", "MathJax_SVG_Display", "math-display", "math-block",
        "js-display-math", "kdmath",
    ];
    let is_declared = || {
        matches!(page.attribute(id, "display"), Some("block" | "true"))
            || page.attribute(id, "data-math-style") == Some("display")
            || matches!(page.attribute(id, "data-display"), Some("" | "true" | "block"))
    };
    is_declared()
        || page.is(id, "d-math") && page.attribute(id, "block").is_some()
        || page.self_and_ancestors(id).take(4).any(|above| {
            CLASSES.iter().any(|class| page.has_class(above, class))
                || page.has_class(above, "math") && page.has_class(above, "display")
                || page.is(above, "mjx-container") && page.attribute(above, "display") == Some("true")
        })
}
