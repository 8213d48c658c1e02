//! Roles of blocks, and blocks that are left out of plain text.

use super::*;
use crate::{html, render};

const SENTENCE: &str = "The harbour opened again on Monday after the long works on its gates and its quay, which had cost the \
    town more than it had in its chest and kept the boats away for two years.";

/// Blocks of an article with the markup `inside` after its first paragraph.
fn article_with(inside: &str) -> Vec<Block> {
    let paragraphs = [1, 2, 3, 4, 5]
        .map(|day| format!("<p>{SENTENCE} That was told on day {day} by those who were there.</p>"));
    let page = format!(
        "<title>Harbour opens again</title><body><article><h1>Harbour opens again</h1><div class='body'>\
         <p>{SENTENCE} So it goes on.</p>{inside}{}</div></article></body>",
        paragraphs.concat(),
    );
    html::read(&page, Some("https://paper.example/2026/harbour-opens-again")).unwrap().blocks
}

fn role_of_block(blocks: &[Block], text: &str) -> Option<Role> {
    blocks.iter().find(|block| block.text.contains(text)).unwrap().role
}

#[test]
fn caption_and_credit_get_roles_and_are_omitted_from_plain_text() {
    let blocks = article_with(
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
fn role_of_a_line_is_derived_from_its_words() {
    let line = |text: &str, url: Option<&str>| {
        let links = url.map(|url| crate::document::Link { text: text.to_owned(), url: url.to_owned() });
        role_by_words(&Block {
            text: text.to_owned(),
            links: links.into_iter().collect(),
            ..Block::default()
        })
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
fn notice_and_label_of_a_control_are_notes() {
    let blocks = article_with(
        "<div class='embed'><h3>Externer Inhalt nicht verfügbar</h3></div>\
         <p>Follow the Harbour Post on Google News for all news of the quay.</p>",
    );
    let plain = render::plain(&blocks);
    assert!(plain.contains("So it goes on.") && plain.contains("day 5"), "{plain}");
    assert!(!plain.contains("Externer Inhalt") && !plain.contains("Google News"), "{plain}");
    let kinds = [
        (BlockKind::Paragraph, "Read more"),
        (BlockKind::Quote, "Click to expand..."),
        (BlockKind::ListItem, "Reply with quote"),
        (BlockKind::Heading, "Expand all"),
        (BlockKind::Paragraph, "Read full article"),
        (BlockKind::Code, "Read more"),
        (BlockKind::Paragraph, "Read more of it in the book."),
    ];
    let mut blocks: Vec<Block> =
        kinds.map(|(kind, text)| Block { kind, text: text.to_owned(), ..Block::default() }).into();
    assign_by_text(&mut blocks, &Types::default(), "Harbour opens again");
    let is_note: Vec<bool> = blocks.iter().map(|block| block.role == Some(Role::Note)).collect();
    assert_eq!(is_note, [true, true, true, true, true, false, false]);
}

#[test]
fn standfirst_is_main_text_and_repeated_title_is_dropped() {
    let mut blocks: Vec<Block> =
        [("Harbour opens again", None), ("Boats return.", Some(Role::Standfirst)), (SENTENCE, None)]
            .map(|(text, role)| Block { text: text.to_owned(), role, ..Block::default() })
            .into();
    assign_by_text(&mut blocks, &Types::default(), "Harbour opens again");
    assert_eq!(blocks.len(), 2);
    assert!(blocks.iter().all(Block::is_main_text));
}

#[test]
fn each_role_is_assigned_in_an_article() {
    let paragraphs = [1, 2, 3, 4, 5]
        .map(|day| format!("<p>{SENTENCE} That was told on day {day} by those who were there.</p>"))
        .concat();
    let page = format!(
        "<title>Harbour opens again</title><body><article><h1>Harbour opens again</h1>\
         <p class='standfirst'>Boats return to a town that had waited for them, and with them the trade of two years.</p>\
         <div class='body'><p>{SENTENCE} So it goes on.</p>\
         <figure><img src='/gate.jpg' alt='A gate'><figcaption>The gate at noon, seen from the old mill\
         <span class='credit'>Jane Doe</span></figcaption></figure><p>{SENTENCE} So it went on too.</p>\
         <p>Read more: <a href='/mill'>The mill on the hill closes after ninety years</a></p>{paragraphs}\
         <p>Correction: the gate opened on Monday, not on Sunday as was said first.</p></div></article></body>",
    );
    let blocks = html::read(&page, Some("https://paper.example/2026/harbour-opens-again")).unwrap().blocks;
    for (text, role) in [
        ("with them the trade of two years", Some(Role::Standfirst)),
        ("seen from the old mill", Some(Role::Caption)),
        ("Jane Doe", Some(Role::Credit)),
        ("So it went on too", None),
        ("The mill on the hill closes", Some(Role::Teaser)),
        ("Correction: the gate", Some(Role::Note)),
    ] {
        assert!(
            blocks.iter().any(|block| block.text.contains(text) && block.role == role),
            "{text}: {:?}",
            blocks.iter().map(|block| (&block.text, block.role)).collect::<Vec<_>>()
        );
    }
}

#[test]
fn selected_comments_below_a_text_get_the_comment_role() {
    let markup = format!(
        "<body><article><h1>Harbour opens again</h1><p>{SENTENCE}</p><p>{SENTENCE}</p></article>\
         <section class='comments'><p>{SENTENCE} So says a reader.</p></section></body>"
    );
    let page = html::parse_page(&markup).unwrap();
    let (hidden, mut keep) = (vec![false; page.len()], vec![true; page.len()]);
    let roles = find(&page, &Types::default(), &hidden, &mut keep);
    let section = (1..page.len()).find(|&id| page.is(id, "section")).unwrap();
    assert_eq!(roles.get(&section), Some(&Role::Comment));
    assert_eq!(roles.len(), 1);
}

#[test]
fn page_wrapper_named_comments_is_not_a_comment_section() {
    let paragraphs = [1, 2, 3, 4, 5]
        .map(|day| format!("<p>{SENTENCE} That was told on day {day} by those who were there.</p>"));
    let below = format!("<p>{SENTENCE} So says a reader.</p><p>{SENTENCE} Not so, says another.</p>");
    let article = format!("<article><h1>Harbour opens again</h1>{}</article>", paragraphs.concat());
    let read = |body: &str| {
        let page = format!("<title>Harbour opens again</title><body>{body}</body>");
        html::read(&page, Some("https://paper.example/2026/harbour-opens-again")).unwrap().blocks
    };
    // The name `comments` is on a wrapper of the whole page, on a wrapper of the article and its comments, or
    // on the comments only.
    for body in [
        format!("<div class='comments'>{article}</div>"),
        format!("<div id='comments' class='page'>{article}<section>{below}</section></div>"),
    ] {
        assert!(read(&body).iter().all(|block| block.role != Some(Role::Comment)), "{body}");
    }
    let blocks = read(&format!("{article}<section class='comments'>{below}</section>"));
    let mut comments = blocks.iter().filter(|block| block.text.contains("says a"));
    assert!(comments.all(|block| block.role == Some(Role::Comment)));
}

#[test]
fn headings_and_author_notes_get_no_role() {
    let line = |kind: BlockKind, text: &str| {
        role_by_words(&Block { kind, text: text.to_owned(), level: Some(2), ..Block::default() })
    };
    assert_eq!(line(BlockKind::Heading, "Image: formats and sizes"), None);
    assert_eq!(line(BlockKind::Paragraph, "Image: Jane Doe"), Some(Role::Credit));
    for text in [
        "Note: the gate closes at noon.",
        "Quelle heure est-il au port ?",
        "This report shows how boats return.",
        "Covers all that one needs to know of tides.",
    ] {
        assert_eq!(line(BlockKind::Paragraph, text), None, "{text}");
    }
    assert_eq!(line(BlockKind::Paragraph, "Correction: the gate opened on Monday."), Some(Role::Note));
    assert_eq!(line(BlockKind::Paragraph, "This story was first published in May."), Some(Role::Note));
}

#[test]
fn captions_are_main_text_if_the_page_has_no_other_text() {
    let figure =
        |role, text: &str| Block { kind: BlockKind::Figure, role, text: text.to_owned(), ..Block::default() };
    let caption =
        || figure(Some(Role::Caption), "The gate at noon, seen from the old mill, with a boat in it.");
    let lead = Block { text: "Ten pictures of the harbour.".to_owned(), ..Block::default() };
    let mut gallery = vec![lead.clone(), caption(), caption(), caption(), caption()];
    assign_by_text(&mut gallery, &Types::default(), "Harbour");
    assert!(gallery.iter().all(|block| block.role.is_none()));
    let text = Block { text: SENTENCE.repeat(4), ..Block::default() };
    let mut article = vec![text, caption(), caption(), caption()];
    assign_by_text(&mut article, &Types::default(), "Harbour");
    assert_eq!(article.iter().filter(|block| block.role == Some(Role::Caption)).count(), 3);
}
