//! Plain text that is read as blocks.

use super::*;

#[test]
fn blank_lines_separate_paragraphs() {
    let (title, blocks) = read_text("A title\n\nFirst part\nwith a second line.\n \n\nSecond part.");
    assert_eq!(title.as_deref(), Some("A title"));
    let texts: Vec<_> = blocks.iter().map(|block| block.text.as_str()).collect();
    assert_eq!(texts, ["A title", "First part\nwith a second line.", "Second part."]);
}

#[test]
fn wrapped_lines_are_joined() {
    let line = "This line was wrapped by an editor at about seventy-two characters,";
    let (_, blocks) = read_text(&format!("{line}\nand goes on here."));
    assert_eq!(blocks[0].text, format!("{line} and goes on here."));
}

#[test]
fn indented_lines_become_code() {
    let (_, blocks) = read_text("    a = 1\n    b = 2\n");
    assert_eq!(blocks[0].kind, BlockKind::Code);
    assert_eq!(blocks[0].text, "    a = 1\n    b = 2");
}

#[test]
fn text_of_white_space_only_has_no_blocks() {
    assert!(read_text(" \n\n\t\n").1.is_empty());
}

#[test]
fn compound_word_split_after_its_hyphen_is_joined_without_a_space() {
    let (_, blocks) = read_text(
        "   The protocol of the lamps and the towers is a stateless application-\n   level protocol for distributed systems of many kinds and sizes - and\n   others.\n",
    );
    assert_eq!(
        blocks[0].text,
        "The protocol of the lamps and the towers is a stateless application-level protocol for distributed systems of many kinds and sizes - and others."
    );
}

#[test]
fn list_items_and_short_titles_begin_new_lines_in_wrapped_text() {
    let text = "DESCRIPTION\n       Lists information about the lamps of a tower, the oil in them and who lit them\n       last.\n\n\
        - an item of a list that is longer than a single line of the text, so that it is\n  wrapped\n- another\n";
    let (_, blocks) = read_text(text);
    assert!(
        blocks[0].text.starts_with("DESCRIPTION\nLists information")
            && blocks[0].text.ends_with("them last.")
    );
    assert!(blocks[1].text.ends_with("wrapped\n- another"), "{}", blocks[1].text);
}

#[test]
fn words_between_two_listings_are_a_paragraph() {
    let table = "   name      size\n   lamp      12\n   wall      240\n";
    let (_, blocks) = read_text(&format!("Text.\n\n{table}\n   For example:\n\n     a = 1\n       b = 2\n"));
    let kinds: Vec<_> = blocks.iter().map(|block| block.kind).collect();
    assert_eq!(kinds, [BlockKind::Paragraph, BlockKind::Code, BlockKind::Paragraph, BlockKind::Code]);
}

#[test]
fn title_of_running_text_is_the_file_name() {
    let line = "This line was wrapped by an editor at about seventy-two characters,\nand goes on here.";
    let titled = |url: &str| {
        let input = Input { bytes: line.into(), content_type: None, url: Some(url.to_owned()) };
        read(&input).unwrap().title
    };
    assert_eq!(titled("https://a.example/x/notes.txt?a").as_deref(), Some("notes.txt"));
    assert_eq!(titled("https://a.example/raw/abc"), None);
}
