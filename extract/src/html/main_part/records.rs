//! Selects the bibliographic record of a paper, which a page displays next to its abstract: authors, date and
//! details in a library catalogue.

use super::units::{Units, units_in};
use crate::page::{Id, Page};

/// Maximum number of words in the record, without the abstract.
const MAX_RECORD_WORDS: usize = 300;
/// Maximum number of words in a line of the record.
const MAX_LINE_WORDS: usize = 100;

/// Selects the lines next to a selected abstract, if the metadata of the page describes a paper.
pub(super) fn keep(page: &Page, units: &Units, selected: &mut [bool]) {
    let is_paper = (1..page.len()).any(|id| {
        page.is(id, "meta") && page.attribute(id, "name").is_some_and(|name| name.starts_with("citation_"))
    });
    if !is_paper {
        return;
    }
    for id in (1..page.len()).filter(|&id| is_abstract(page, id)) {
        let within = units_in(page, units, id);
        let record = page.parent(id);
        if !selected[within.clone()].contains(&true) || matches!(page.tag(record), "body" | "main" | "html") {
            continue;
        }
        let lines: Vec<usize> = units_in(page, units, record)
            .filter(|line| !within.contains(line) && !is_control(page, units[*line].container, record))
            .collect();
        let words: usize = lines.iter().map(|&line| units[line].words).sum();
        if words <= MAX_RECORD_WORDS {
            for line in lines.into_iter().filter(|&line| units[line].words <= MAX_LINE_WORDS) {
                selected[line] = true;
            }
        }
    }
}

fn is_abstract(page: &Page, id: Id) -> bool {
    page.is_element(id)
        && !page.is_inline(id)
        && (page.has_class(id, "abstract") || page.attribute(id, "id") == Some("abstract"))
}

/// True for a line in a menu or form inside the record.
fn is_control(page: &Page, line: Id, record: Id) -> bool {
    page.self_and_ancestors(line)
        .take_while(|&above| above != record)
        .any(|above| matches!(page.tag(above), "nav" | "form" | "button" | "ul" | "aside" | "footer"))
}

#[cfg(test)]
mod tests {
    use crate::{html::read, render};

    const PAPER: &str = "<html lang=en><head><title>Lamps</title><meta name=citation_title content=Lamps><meta name=citation_author content='Doe, Julia'>\
        </head><body><header><a href=/>Archive</a></header><main><div id=abs><div class=dateline>[Submitted on 3 May 2024]</div>\
        <h1 class=title><span class=descriptor>Title:</span>Lamps that count ships</h1><div class=authors><span class=descriptor>Authors:</span>\
        <a href=/a>Julia Doe</a>, <a href=/b>Max Roe</a>, <a href=/c>Ada Poe</a></div><blockquote class=abstract><span class=descriptor>Abstract:</span>We show \
        that a lamp can count ships before dawn, even if a storm has taken the northern buoy. Our method needs one ledger and two boats, and it is \
        faster than all earlier methods.</blockquote><table><tr><td class=label>Comments:</td><td>12 pages, 3 figures</td></tr>\
        <tr><td class=label>Subjects:</td><td>Lighthouses</td></tr></table></div><ul><li><a href=/pdf>View PDF</a></li></ul></main></body></html>";

    #[test]
    fn record_of_a_paper_is_selected_completely() {
        let draft = read(PAPER, Some("https://archive.example/abs/2405.00001")).unwrap();
        let markdown = render::markdown(&draft.blocks);
        for words in [
            "Lamps that count ships", "Ada Poe", "Abstract: We show", "12 pages, 3 figures",
            "Submitted on 3 May 2024",
        ] {
            assert!(markdown.contains(words), "{words}: {markdown}");
        }
        assert!(!markdown.contains("Title:") && !markdown.contains("View PDF"), "{markdown}");
    }
}
