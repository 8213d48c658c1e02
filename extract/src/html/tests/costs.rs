//! Hostile pages whose conversion must take linear time. With quadratic time, the tests would take minutes.

use super::{blocks_of, hidden, parse_page};
use crate::{document::BlockKind, html::disclosures::Disclosures};

const COUNT: usize = 20_000;

/// Number of sections and of footnotes that the controls of a page reveal.
fn disclosures(body: &str) -> (usize, usize) {
    let page = parse_page(body).unwrap();
    let mut hidden = hidden::find(&page);
    let disclosures = Disclosures::open(&page, &mut hidden);
    (disclosures.sections.len(), disclosures.notes.len())
}

#[test]
fn blank_texts_between_comments_are_not_searched_for_controls() {
    assert_eq!(disclosures(&" <!-- -->".repeat(2 * COUNT)), (0, 0));
}

#[test]
fn only_the_beginning_of_a_long_control_with_many_sections_is_read() {
    let names: String = (0..COUNT).map(|number| format!("p{number} ")).collect::<Vec<_>>().concat();
    let panels = (0..COUNT).map(|number| format!("<div id=p{number} hidden>Text.</div>")).collect::<Vec<_>>();
    let control = |text: &str| {
        disclosures(&format!("<button aria-controls='{names}'>{text}</button>{}", panels.concat())).0
    };
    assert_eq!(control(&"word ".repeat(100_000)), 0);
    assert!(control("What is a buoy?") > 0);
}

#[test]
fn only_the_beginning_of_a_long_text_with_many_footnote_marks_is_read() {
    let notes = "<sup>1<span hidden>By my count.</span></sup>".repeat(COUNT);
    assert_eq!(disclosures(&format!("<p>{}{notes}</p>", "7 ".repeat(200_000))).1, 0);
}

#[test]
fn footnote_with_many_references_is_not_searched_repeatedly() {
    let references = "<a class=footnote-ref href='#n'>1</a> ".repeat(COUNT);
    let (empty, back) = ("<i></i>".repeat(COUNT), "<a href='#x'>back</a>".repeat(COUNT));
    let blocks = blocks_of(&format!("<p>Words {references}</p><p id=n>{empty}{back} Two words.</p>"));
    assert_eq!(blocks.last().map(|block| block.kind), Some(BlockKind::Footnote));
}

#[test]
fn many_footnotes_in_titles_get_different_labels() {
    let references = "<sup class=footnote title='Bought in Bergen in May.'>*</sup> ".repeat(COUNT);
    let blocks = blocks_of(&format!("<p>Words {references}</p>"));
    let mut labels: Vec<_> = blocks.iter().filter_map(|block| block.note.as_deref()).collect();
    let count = labels.len();
    labels.sort_unstable();
    labels.dedup();
    assert_eq!((labels.len(), count), (2000, 2000));
}

#[test]
fn cell_with_many_images_is_not_read_repeatedly() {
    let images = "<img src=/yes.png alt='All year'> ".repeat(COUNT);
    let blocks = blocks_of(&format!("<table><tr><th>Port<th>Open<tr><td>Vik<td>{images}</table>"));
    assert!(blocks[0].text.contains("| Vik | All year"));
}

#[test]
fn custom_image_with_many_children_is_not_searched_for_each_drawing() {
    let image = format!("<x-image src=/t.jpg>{}</x-image>", "<b></b>".repeat(2 * COUNT));
    let drawings = "<svg><title>Ships by year</title></svg>".repeat(2 * COUNT);
    let blocks = blocks_of(&format!("<p>Words.</p><figure>{image}{drawings}</figure>"));
    assert_eq!(blocks[0].text, "Words.");
}

#[test]
fn siblings_of_noscripts_and_pronunciations_are_searched_within_a_limit() {
    let notices = "<noscript><p>Enable scripts.</p></noscript>".repeat(COUNT);
    let words = blocks_of(&format!("<div>{notices}<ruby>{}</ruby></div>", "東<rt>to</rt>".repeat(COUNT)));
    assert!(words[0].text.starts_with("東(to)東(to)"));
}

#[test]
fn many_subscripts_in_a_line_are_not_compared_with_each_other() {
    let blocks = blocks_of(&format!("<p>{}</p>", "x<sub>2</sub> ".repeat(5 * COUNT)));
    assert!(blocks[0].text.starts_with("x₂ x₂ "));
}
