//! Which pictures, frames and films belong to the text that is kept: those that stand in a part of the page that is mostly
//! kept. A picture has no words to be judged by.

use super::units::{Unit, units_in};
use crate::html::tree::{Id, Page};

/// A part is mostly kept from this share of its characters.
const MOST: f64 = 0.5;

/// Keeps what is shown beside kept text. `keep` has the kept texts, and nothing of what holds them yet.
pub(super) fn keep(page: &Page, units: &[Unit], hidden: &[bool], keep: &mut [bool]) {
    let kept_units: Vec<bool> = units.iter().map(|unit| unit.texts.iter().any(|&text| keep[text])).collect();
    let texts = || units.iter().zip(&kept_units).filter(|(_, kept)| **kept).flat_map(|(unit, _)| &unit.texts);
    let (Some(&first), Some(&last)) = (texts().min(), texts().max()) else { return };
    for id in 1..page.len() {
        if !matches!(page.tag(id), "img" | "iframe" | "video" | "audio" | "embed") || hidden[id] {
            continue;
        }
        let part =
            page.ancestors(id).find(|&above| units_in(page, units, above).any(|unit| kept_units[unit]));
        let Some(part) = part else { continue };
        let is_apart = page
            .ancestors(id)
            .take_while(|&above| above != part)
            .any(|above| matches!(page.tag(above), "nav" | "aside" | "footer" | "form" | "button"));
        // The whole page is no part of it: above and below its text stand logos.
        let is_between = first < id && id < last;
        if !is_apart
            && (is_between || !is_whole(page, part))
            && is_mostly_kept(page, units, &kept_units, part)
        {
            keep[id] = true;
        }
    }
}

fn is_whole(page: &Page, id: Id) -> bool {
    matches!(page.tag(id), "html" | "body") || page.is(page.parent(id), "body")
}

fn is_mostly_kept(page: &Page, units: &[Unit], kept_units: &[bool], part: Id) -> bool {
    let (mut all, mut kept) = (0.0, 0.0);
    for unit in units_in(page, units, part) {
        let chars = f64::from(units[unit].chars);
        all += chars;
        kept += if kept_units[unit] { chars } else { 0.0 };
    }
    kept > all * MOST
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::{hidden, main_part::units, parse_page};

    /// The addresses of the pictures that are kept where paragraphs alone are kept.
    fn kept(body: &str) -> Vec<String> {
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
    fn pictures_of_the_text_are_kept_and_those_round_it_are_not() {
        let page = "<header><img src=logo></header><main><article><img src=lead><p>A paragraph of the text.\
             <figure><img src=inside></figure><p>Another paragraph of the text.<form><img src=form></form></article>\
             <aside><img src=aside>Other stories</aside></main><img src=foot>";
        assert_eq!(kept(page), ["lead", "inside"]);
    }

    #[test]
    fn a_part_of_which_little_is_kept_keeps_no_pictures() {
        let page = "<div id=menu><div><img src=a><p>Kept.</div><div>Much more text of which nothing at all is kept here</div><img src=b></div>";
        assert_eq!(kept(page), ["a"]);
        assert!(kept("<img src=a><div>nothing is kept</div>").is_empty());
    }
}
