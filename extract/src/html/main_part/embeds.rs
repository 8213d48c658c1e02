//! Selects images, frames, videos and formulas in parts of the page that are mostly selected. The classifier
//! cannot score them, because they have no words.

use super::units::{Units, units_in};
use crate::{
    html::{
        drawings,
        embeds::{is_embedded, is_widget},
        image_sources::is_image,
        math,
    },
    page::{Id, Page},
};

/// Share of selected characters above which a part is treated as mostly selected.
const MIN_SHARE: f64 = 0.5;

/// Selects embedded media next to selected text. At this point, `keep` contains the selected texts but not
/// their ancestors.
pub(super) fn keep(page: &Page, units: &Units, hidden: &[bool], keep: &mut [bool]) {
    let embeds = embeds(page, hidden);
    if !embeds.contains(&true) {
        return;
    }
    let chars = SelectedChars::of(units, keep);
    let texts = || units.iter().flat_map(|unit| &unit.texts).copied().filter(|&text| keep[text]);
    let (Some(first), Some(last)) = (texts().min(), texts().max()) else { return };
    // For each node, the nearest ancestor with selected text, and true if a separating element is between the
    // two.
    let mut parts = vec![(0, false); page.len()];
    for id in 1..page.len() {
        let (part, is_separated) = parts[page.parent(id)];
        let is_separator = matches!(page.tag(id), "nav" | "aside" | "footer" | "form" | "button");
        parts[id] = if page.is_element(id) && chars.selected(page, units, id) > 0.0 {
            (id, false)
        } else {
            (part, is_separated || is_separator)
        };
        // In the page as a whole, media are selected only between the first and last selected text, because
        // logos are above and below it.
        let belongs = first < id && id < last || !is_whole(page, part);
        if embeds[id] && !is_separated && belongs && chars.is_mostly_selected(page, units, part) {
            keep[id] = true;
        }
    }
}

/// True for each node that is embedded media, or belongs to a formula or to the text of a `canvas`.
fn embeds(page: &Page, hidden: &[bool]) -> Vec<bool> {
    let mut embeds = vec![false; page.len()];
    let (mut whole_until, mut drawing_until) = (0, 0);
    for id in (1..page.len()).filter(|&id| !hidden[id]) {
        if id >= whole_until && math::of_element(page, id).is_some() {
            whole_until = page.subtree(id).end;
        }
        let is_drawing = id >= drawing_until && id >= whole_until && drawings::is_content(page, id);
        if matches!(page.tag(id), "svg" | "canvas") && id >= drawing_until {
            drawing_until = page.subtree(id).end;
        }
        if is_drawing && page.is(id, "canvas") && drawings::has_fallback(page, id) {
            whole_until = page.subtree(id).end;
        }
        embeds[id] = id < whole_until
            || is_drawing
            || is_image(page, id)
            || is_embedded(page.tag(id))
            || is_widget(page, id);
    }
    embeds
}

fn is_whole(page: &Page, id: Id) -> bool {
    id == 0 || matches!(page.tag(id), "html" | "body") || page.is(page.parent(id), "body")
}

/// Running sums of the characters of all units and of the selected units.
struct SelectedChars {
    sums: Vec<(f64, f64)>,
}

impl SelectedChars {
    fn of(units: &Units, keep: &[bool]) -> Self {
        let mut sums = vec![(0.0, 0.0)];
        let (mut all, mut selected) = (0.0, 0.0);
        for unit in units.iter() {
            let chars = f64::from(unit.chars);
            all += chars;
            selected += if unit.texts.iter().any(|&text| keep[text]) { chars } else { 0.0 };
            sums.push((all, selected));
        }
        Self { sums }
    }

    fn between(&self, page: &Page, units: &Units, id: Id) -> (f64, f64) {
        let inside = units_in(page, units, id);
        let (from, to) = (self.sums[inside.start], self.sums[inside.end]);
        (to.0 - from.0, to.1 - from.1)
    }

    fn selected(&self, page: &Page, units: &Units, id: Id) -> f64 {
        self.between(page, units, id).1
    }

    fn is_mostly_selected(&self, page: &Page, units: &Units, id: Id) -> bool {
        let (all, selected) = self.between(page, units, id);
        selected > all * MIN_SHARE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::{hidden, main_part::units, parse_page};

    /// URLs of the selected images of a page, given that the classifier selected only its paragraphs.
    fn selected_images(body: &str) -> Vec<String> {
        let page = parse_page(body).unwrap();
        let hidden = hidden::find(&page);
        let (units, _) = units::split(&page, &hidden);
        let mut flags = vec![false; page.len()];
        for unit in units.iter().filter(|unit| page.is(unit.container, "p")) {
            unit.texts.iter().for_each(|&text| flags[text] = true);
        }
        keep(&page, &units, &hidden, &mut flags);
        let pictures = (1..page.len()).filter(|&id| page.is(id, "img") && flags[id]);
        pictures.filter_map(|id| page.attribute(id, "src").map(str::to_owned)).collect()
    }

    #[test]
    fn only_images_in_the_text_are_selected() {
        let page = "<header><img src=logo></header><main><article><img src=lead><p>A paragraph of the text.\
             <figure><img src=inside></figure><p>Another paragraph of the text.<form><img src=form></form></article>\
             <aside><img src=aside>Other stories</aside></main><img src=foot>";
        assert_eq!(selected_images(page), ["lead", "inside"]);
    }

    #[test]
    fn images_of_a_mostly_unselected_part_are_dropped() {
        let page = "<div id=menu><div><img src=a><p>Kept.</div><div>Much more text of which nothing at all is kept here</div><img src=b></div>";
        assert_eq!(selected_images(page), ["a"]);
        assert!(selected_images("<img src=a><div>nothing is kept</div>").is_empty());
    }
}
