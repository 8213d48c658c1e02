//! Which blocks have a role, and what plain text leaves out.

use super::*;
use crate::{html, render};

const SENTENCE: &str = "The harbour opened again on Monday after the long works on its gates and its quay, which had cost the \
    town more than it had in its chest and kept the boats away for two years.";

/// The blocks of an article round whose second paragraph something stands.
fn blocks_round(inside: &str) -> Vec<Block> {
    let told = [1, 2, 3, 4, 5]
        .map(|day| format!("<p>{SENTENCE} That was told on day {day} by those who were there.</p>"));
    let page = format!(
        "<title>Harbour opens again</title><body><article><h1>Harbour opens again</h1><div class='body'>\
         <p>{SENTENCE} So it goes on.</p>{inside}{}</div></article></body>",
        told.concat(),
    );
    html::read(&page, Some("https://paper.example/2026/harbour-opens-again")).unwrap().blocks
}

fn role_of_block(blocks: &[Block], text: &str) -> Option<Role> {
    blocks.iter().find(|block| block.text.contains(text)).unwrap().role
}

#[test]
fn a_caption_and_its_credit_have_roles_and_plain_text_has_neither() {
    let blocks = blocks_round(
        "<figure><img src='/gate.jpg' alt='A gate'><figcaption>The gate at noon, seen from the old mill \
         <span class='credit'>Jane Doe</span></figcaption></figure>",
    );
    let caption = blocks.iter().find(|block| block.role == Some(Role::Caption)).unwrap();
    assert_eq!(
        (caption.kind, caption.text.as_str()),
        (BlockKind::Figure, "The gate at noon, seen from the old mill")
    );
    assert_eq!(role_of_block(&blocks, "Jane Doe"), Some(Role::Credit));
    let plain = render::plain(&blocks);
    assert!(
        plain.contains("The harbour opened") && !plain.contains("at noon") && !plain.contains("Jane Doe")
    );
    assert!(render::text(&blocks).contains("at noon"));
}

#[test]
fn lines_say_by_their_words_that_they_lead_elsewhere_or_tell_of_the_text() {
    let line = |text: &str, url: Option<&str>| {
        let links = url.map(|url| crate::document::Link { text: text.to_owned(), url: url.to_owned() });
        said(&Block { text: text.to_owned(), links: links.into_iter().collect(), ..Block::default() })
    };
    let elsewhere = Some("https://paper.example/2");
    assert_eq!(line("Read more: The mill closes", elsewhere), Some(Role::Teaser));
    assert_eq!(line("Lesen Sie auch: Die Mühle schließt", elsewhere), Some(Role::Teaser));
    assert_eq!(line("Read more books, said the teacher, and see.", None), None);
    assert_eq!(line("Foto: Erika Muster/dpa", None), Some(Role::Credit));
    assert_eq!(line("(Reporting by A. Writer; editing by B. Other)", None), Some(Role::Note));
    assert_eq!(line(SENTENCE, None), None);
}

#[test]
fn a_standfirst_is_of_the_text_and_a_copy_of_the_title_is_dropped() {
    let mut blocks: Vec<Block> =
        [("Harbour opens again", None), ("Boats return.", Some(Role::Standfirst)), (SENTENCE, None)]
            .map(|(text, role)| Block { text: text.to_owned(), role, ..Block::default() })
            .into();
    settle(&mut blocks, &Types::default(), "Harbour opens again");
    assert_eq!(blocks.len(), 2);
    assert!(blocks.iter().all(Block::is_of_text));
}
