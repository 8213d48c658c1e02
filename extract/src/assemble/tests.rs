//! Assembly of documents: anchors, sections, counts and splitting.

use super::*;
use crate::document::ListItemPosition;

fn paragraph(text: &str) -> Block {
    Block { text: text.to_owned(), ..Block::default() }
}

#[test]
fn anchors_start_at_one_and_skip_empty_drafts() {
    let done = assemble(vec![paragraph("a"), paragraph("  "), paragraph("b")]);
    let anchors: Vec<_> = done.blocks.iter().map(|block| block.anchor).collect();
    assert_eq!(anchors, [1, 2]);
    assert_eq!(done.total_tokens, 3);
}

#[test]
fn list_item_number_is_limited_to_nine_digits() {
    let list = Some(ListItemPosition { depth: 0, number: Some(u32::MAX) });
    let done = assemble(vec![Block { kind: BlockKind::ListItem, list, ..paragraph("a") }]);
    assert_eq!(done.blocks[0].list.and_then(|position| position.number), Some(999_999_999));
}

#[test]
fn content_hash_covers_joined_texts() {
    let done = assemble(vec![paragraph("a"), paragraph("b")]);
    assert_eq!(done.content_hash, format!("sha256:{}", HEXLOWER.encode(&Sha256::digest(b"a\n\nb"))));
}

#[test]
fn heading_becomes_the_section_of_the_following_blocks() {
    let heading = Block { kind: BlockKind::Heading, level: Some(2), ..paragraph("Part") };
    let done = assemble(vec![paragraph("a"), heading, paragraph("b")]);
    assert_eq!(done.blocks[0].section, None);
    assert_eq!(done.blocks[2].section.as_deref(), Some("Part"));
}

#[test]
fn long_block_is_split_after_sentences() {
    let text = "This sentence has exactly eight words in it. ".repeat(400);
    let done = assemble(vec![paragraph(text.trim())]);
    assert!(done.blocks.len() > 3);
    for block in &done.blocks {
        assert!(block.tokens <= MAX_BLOCK_TOKENS);
        assert!(block.text.ends_with("in it."), "{}", block.text);
    }
    let joined: Vec<_> = done.blocks.iter().map(|block| block.text.as_str()).collect();
    assert_eq!(joined.join(" "), text.trim());
    assert!(!done.blocks[0].continued && done.blocks[1].continued);
}

#[test]
fn long_code_is_split_between_lines() {
    let text = "    let value = compute(some, arguments);\n".repeat(400);
    let code = Block { kind: BlockKind::Code, ..paragraph(text.trim_end()) };
    let done = assemble(vec![code]);
    assert!(done.blocks.len() > 1);
    assert!(done.blocks.iter().all(|block| block.text.ends_with(';') && block.text.starts_with("    let")));
}

#[test]
fn parts_of_long_code_restore_the_text() {
    let text = "fn a() {\n\n\n    b();\n}\n\n\n".repeat(400);
    let code = Block { kind: BlockKind::Code, ..paragraph(text.trim_end()) };
    let done = assemble(vec![code]);
    assert!(done.blocks.len() > 2);
    let parts: Vec<&str> = done.blocks.iter().map(|block| block.text.as_str()).collect();
    assert_eq!(parts.join("\n"), text.trim_end());
    let one_line = format!("{{\"a\": [{}]}}", "{\"id\": 1, \"b c\": \"d e\"}, ".repeat(600));
    for text in [text.clone(), one_line.clone(), format!("a\n{one_line}\n\n\nb\n{one_line}\nc\n{text}")] {
        let done = assemble(vec![Block { kind: BlockKind::Code, ..paragraph(text.trim_end()) }]);
        assert!(done.blocks.iter().all(|block| block.tokens <= MAX_BLOCK_TOKENS));
        let markdown = crate::render::markdown(&done.blocks);
        assert_eq!(markdown, format!("```\n{}\n```\n", text.trim_end()));
    }
}

#[test]
fn marks_and_links_move_into_the_part_that_contains_their_words() {
    let mut text = "Some words stand here. ".repeat(300);
    let start = u32::try_from(text.len()).unwrap();
    text.push_str("linked");
    let end = u32::try_from(text.len()).unwrap();
    let mut block = paragraph(&text);
    block.links = vec![Link { text: "linked".into(), url: "https://a.example/".into() }];
    block.marks = vec![Mark { start, end, style: Style::Link(0) }];
    let done = assemble(vec![block]);
    let last = done.blocks.last().unwrap();
    let mark = last.marks[0];
    assert_eq!(&last.text[mark.start as usize..mark.end as usize], "linked");
    assert_eq!(last.links.len(), 1);
    assert!(done.blocks[0].links.is_empty());
}

#[test]
fn text_without_boundaries_is_split() {
    let done = assemble(vec![paragraph(&"日".repeat(5000))]);
    assert!(done.blocks.iter().all(|block| block.tokens <= MAX_BLOCK_TOKENS));
    assert_eq!(done.blocks.iter().map(|block| block.text.chars().count()).sum::<usize>(), 5000);
}

#[test]
fn part_of_long_block_allocates_only_its_own_text() {
    let text = "Some words of a line that has no end. ".repeat(4000);
    let assembled = assemble(vec![Block { text, ..Block::default() }]);
    assert!(assembled.blocks.len() > 30);
    assert!(assembled.blocks.iter().all(|block| block.text.capacity() <= 2 * block.text.len() + 64));
}

#[test]
fn part_stays_within_token_limit_if_its_first_word_has_more_tokens_without_a_space() {
    let words =
        ["umbrella", "gospel", "sewage", "pillow", "orchard", "whiskey", "tunnels", "carpets", "senators"];
    let longer: Vec<&str> = words
        .into_iter()
        .filter(|word| tokens::count(&format!(" {word}")) == 1 && tokens::count(word) > 1)
        .collect();
    assert!(!longer.is_empty());
    for word in longer {
        let done = assemble(vec![paragraph(&format!("{word} ").repeat(3000))]);
        let most = done.blocks.iter().map(|block| block.tokens).max();
        assert!(most <= Some(MAX_BLOCK_TOKENS), "{word}: {most:?}");
    }
}
