//! Names of the features, in the order that the trained classifiers expect. The arrays of feature values take
//! their lengths from these lists.

/// Features of a unit's text.
pub(super) const TEXT: [&str; 17] = [
    WORDS, "linked", "ends as a sentence", "commas", "stops", "letters a word", "digits", "upper case",
    "capitals a word", "currency", "copyright", "ends in a colon", "bar", "repeats", "in the title",
    "in the description", "in the data",
];
pub(super) const TAG: [&str; 11] = [
    "heading level", "p", "li", "cell", "definition", "pre", "figcaption", "label", "div", "emphasised",
    "time",
];
pub(super) const POSITION: [&str; 6] =
    ["index", "text before", "units before", "units after", "from first heading", "depth"];
pub(super) const NEIGHBOUR: [&str; 2] = ["words", "linked"];
pub(super) const NEIGHBOURS: [isize; 4] = [-2, -1, 1, 2];
pub(super) const WINDOW: [&str; 2] = ["window chars", "window linked"];
/// Features of an element's content. They are computed for the blocks that enclose the unit at the distances
/// in `LEVELS`, and for its branch below the element with most of the text.
pub(super) const CONTENT: [&str; 5] = ["chars", "linked", "units", "chars a unit", "share"];
pub(super) const LEVELS: [usize; 5] = [0, 1, 2, 3, 5];
pub(super) const ROOTS: [&str; 1] = ["bulk root"];
pub(super) const ALIKE: [&str; 2] = ["alike near", "alike"];
/// Features of the whole page.
pub(super) const PAGE: [&str; 13] = [
    "page chars", "page linked", "bulk linked", "page units", "page chars a unit", "path depth",
    "says article", "says product", "says forum", "says list", "says service", "no data", "says news",
];

/// Logarithm of the number of words, which is also the weight of a unit.
pub(super) const WORDS: &str = "words";

/// Index of `WORDS` among the columns.
pub(super) const WORDS_INDEX: usize = 0;

/// Names of all feature columns of a unit.
pub(super) fn of_unit() -> Vec<String> {
    let own = TEXT.iter().chain(&TAG).chain(&POSITION).map(|name| (*name).to_owned());
    let neighbours = NEIGHBOURS
        .iter()
        .flat_map(|offset| NEIGHBOUR.iter().map(move |name| format!("{name} of {offset:+}")));
    let levels =
        LEVELS.iter().flat_map(|level| CONTENT.iter().map(move |name| format!("{name} of block {level}")));
    let roots = ROOTS.iter().flat_map(|root| {
        std::iter::once(format!("in {root}"))
            .chain(CONTENT.iter().map(move |name| format!("{name} of {root}")))
    });
    let marks = (0..super::marks::COUNT).map(super::marks::name);
    let rest = ALIKE.iter().chain(&PAGE).map(|name| (*name).to_owned());
    own.chain(neighbours)
        .chain(WINDOW.iter().map(|name| (*name).to_owned()))
        .chain(levels)
        .chain(roots)
        .chain(rest)
        .chain(marks)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feature_names_are_unique() {
        let mut names = of_unit();
        assert_eq!(names[WORDS_INDEX], WORDS);
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
