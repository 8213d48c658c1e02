//! Compares the blocks of PDF files with the blocks of the HTML pages from which Chromium printed the files,
//! by `bench/extraction/print_pdfs.mjs`.

use std::path::Path;

use extract::{Block, BlockKind, Document, ExtractionOutcome, Input, extract};

const NAMES: [&str; 10] =
    ["article", "code", "columns", "hyphens", "lists", "notes", "report", "running", "scripts", "tables"];

fn read(name: &str, mime: &str) -> Document {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pdf").join(name);
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{name}: {error}"));
    match extract(&Input { bytes, content_type: Some(mime.to_owned()), url: None }) {
        ExtractionOutcome::Document(document) => *document,
        other => panic!("{name}: {other:?}"),
    }
}

fn print(name: &str) -> Document {
    read(&format!("{name}.pdf"), "application/pdf")
}

/// Kind and text of a block. White space is ignored except in code.
fn key(block: &Block) -> (BlockKind, String) {
    let text = match block.kind {
        BlockKind::Code => block.text.clone(),
        _ => block.text.split_whitespace().collect::<Vec<_>>().join(" "),
    };
    (block.kind, text)
}

/// Block F1: twice the number of equal blocks, divided by the number of all blocks.
#[expect(clippy::cast_precision_loss, reason = "numbers of blocks are small")]
fn f1(form: &str) -> f64 {
    let (mut same, mut all) = (0, 0);
    for name in NAMES {
        let page = read(&format!("{name}.html"), "text/html");
        let mut left: Vec<_> = page.blocks.iter().map(key).collect();
        let printed = print(&format!("{name}.{form}"));
        all += left.len() + printed.blocks.len();
        for block in &printed.blocks {
            if let Some(at) = left.iter().position(|other| *other == key(block)) {
                left.swap_remove(at);
                same += 1;
            }
        }
    }
    2.0 * f64::from(same) / all as f64
}

#[test]
fn nearly_all_blocks_of_tagged_pdfs_match_their_pages() {
    let score = f1("tagged");
    assert!(score >= 0.95, "{score}");
}

#[test]
fn most_blocks_of_untagged_pdfs_match_their_pages() {
    let score = f1("plain");
    assert!(score >= 0.90, "{score}");
}

#[test]
fn pdf_code_retains_lines_and_indentation() {
    for form in ["tagged", "plain"] {
        let code = print(&format!("code.{form}"));
        let first = code.blocks.iter().find(|block| block.kind == BlockKind::Code).unwrap();
        assert!(
            first.text.starts_with("def count(path):\n    words = {}\n    with open(path)"),
            "{}",
            first.text
        );
    }
}

#[test]
fn pdf_lists_retain_depths_and_numbers() {
    for form in ["tagged", "plain"] {
        let lists = print(&format!("lists.{form}"));
        let depths_and_numbers: Vec<_> = lists
            .blocks
            .iter()
            .filter_map(|block| block.list)
            .map(|list| (list.depth, list.number))
            .collect();
        let bullets = [(0, None), (0, None), (1, None), (1, None), (0, None)];
        let numbers = [(0, Some(1)), (0, Some(2)), (0, Some(3)), (1, Some(1)), (1, Some(2)), (0, Some(4))];
        assert_eq!(depths_and_numbers, [&bullets[..], &numbers, &[(0, None); 3]].concat(), "{form}");
    }
}

#[test]
fn running_heads_and_page_numbers_are_dropped() {
    for form in ["tagged", "plain"] {
        let printed = print(&format!("running.{form}"));
        let titles = printed.blocks.iter().filter(|block| block.text == printed.title);
        assert_eq!(titles.map(|block| block.kind).collect::<Vec<_>>(), [BlockKind::Heading], "{form}");
        assert!(printed.blocks.iter().all(|block| !block.text.chars().all(char::is_numeric)), "{form}");
        assert!(printed.blocks.iter().any(|block| block.page == Some(4)), "{form}");
    }
}

#[test]
fn footnotes_and_their_references_are_linked() {
    for form in ["tagged", "plain"] {
        let printed = print(&format!("notes.{form}"));
        let notes: Vec<_> = printed.blocks.iter().filter(|block| block.kind == BlockKind::Footnote).collect();
        assert_eq!(notes.iter().filter_map(|note| note.note.as_deref()).collect::<Vec<_>>(), ["1", "2", "3"]);
        assert!(notes.iter().all(|note| note.notes.len() == 1), "{form}: {notes:?}");
    }
}
