//! Selects code between selected texts, because the words of code are not those of the surrounding text.

use super::units::{Units, units_in};
use crate::{
    html::code_lines,
    page::{Id, Page},
};

/// Selects editors next to selected text, and `pre` elements between two selected texts. Code that is partly
/// selected is selected as a whole.
pub(super) fn keep(page: &Page, units: &Units, selected: &mut [bool]) {
    let mut id: Id = 1;
    while id < page.len() {
        let is_editor = code_lines::is_editor(page, id);
        if !is_editor && !page.is(id, "pre") {
            id += 1;
            continue;
        }
        let inside = units_in(page, units, id);
        let before = inside.start.checked_sub(1).is_some_and(|unit| selected[unit]);
        let after = selected.get(inside.end) == Some(&true);
        let is_of_text = if is_editor { before || after } else { before && after };
        if is_of_text || selected[inside.clone()].contains(&true) {
            selected[inside].fill(true);
        }
        id = page.subtree(id).end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::{hidden, main_part::units, parse_page};

    #[test]
    fn partly_selected_code_is_selected_as_a_whole() {
        let markup = "<p>One</p><pre><div>a = 1</div><div>b = 2</div><div>c = 3</div></pre><p>Two</p>";
        let page = parse_page(markup).unwrap();
        let (units, _) = units::split(&page, &hidden::find(&page));
        let code = units_in(&page, &units, page.find(0, "pre").unwrap());
        let mut selected = vec![false; units.len()];
        selected[code.start] = true;
        keep(&page, &units, &mut selected);
        let expected: Vec<bool> = (0..units.len()).map(|unit| code.contains(&unit)).collect();
        assert_eq!((selected, code.len()), (expected, 3));
    }
}
