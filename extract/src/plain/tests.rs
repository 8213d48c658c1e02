//! Plain text to blocks.

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
fn white_space_alone_has_no_blocks() {
    assert!(read_text(" \n\n\t\n").1.is_empty());
}
