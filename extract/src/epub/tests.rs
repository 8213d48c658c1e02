//! EPUB files: names, order, and well-formed pages.

use std::io::{Cursor, Read};

use zip::{CompressionMethod, ZipArchive};

use super::*;
use crate::document::{Block, BlockKind, Link, Mark, NoteLink, Style};

fn block(anchor: u32, kind: BlockKind, text: &str) -> Block {
    let level = (kind == BlockKind::Heading).then_some(2);
    Block { anchor, kind, text: text.into(), level, ..Block::default() }
}

fn book(blocks: &[Block]) -> Book<'_> {
    Book {
        id: "urn:uuid:0190a5b0-0000-7000-8000-000000000001".into(),
        title: "Harbours & <boats>",
        author: Some("Ana \"A.\" Lima"),
        publisher: None,
        language: Some("pt-BR"),
        published_at: Some("2026-01-31"),
        modified_at: "2026-11-22T20:00:00.000Z".into(),
        source_url: Some("https://example.org/a?b=1&c=2"),
        blocks,
    }
}

fn files(bytes: Vec<u8>) -> Vec<(String, String)> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut files = Vec::new();
    for at in 0..archive.len() {
        let mut file = archive.by_index(at).unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        files.push((file.name().unwrap().into_owned(), text));
    }
    files
}

fn assert_well_formed(text: &str) {
    let mut reader = quick_xml::Reader::from_str(text);
    reader.config_mut().check_end_names = true;
    loop {
        match reader.read_event() {
            Ok(quick_xml::events::Event::Eof) => return,
            Ok(quick_xml::events::Event::Start(tag) | quick_xml::events::Event::Empty(tag)) => {
                for attribute in tag.attributes() {
                    attribute.unwrap_or_else(|error| panic!("{error} in {text}"));
                }
            }
            Ok(_) => {}
            Err(error) => panic!("{error} in {text}"),
        }
    }
}

#[test]
fn first_file_contains_the_media_type_and_is_uncompressed() {
    let bytes = write(&book(&[block(1, BlockKind::Paragraph, "Text.")])).unwrap();
    assert_eq!(&bytes[30..58], b"mimetypeapplication/epub+zip");
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    assert_eq!(archive.by_index(0).unwrap().compression(), CompressionMethod::Stored);
}

#[test]
fn headings_start_chapters_and_pages_are_well_formed() {
    let mut linked = block(4, BlockKind::Paragraph, "See there\u{a0}and \u{1} here<br>.");
    linked.links = vec![Link { text: "there".into(), url: "https://example.org/<a b>?x=\"1\"&y".into() }];
    linked.marks = vec![Mark { start: 4, end: 9, style: Style::Link(0) }];
    let mut noted = block(2, BlockKind::Paragraph, "With a note[^1].");
    noted.notes = vec![NoteLink { label: "1".into(), anchor: 7 }];
    noted.marks = vec![Mark { start: 11, end: 15, style: Style::Note }];
    let mut note = block(7, BlockKind::Footnote, "The note.");
    note.note = Some("1".into());
    note.notes = vec![NoteLink { label: "1".into(), anchor: 2 }];
    let blocks = [
        block(1, BlockKind::Paragraph, "Before."),
        noted,
        block(3, BlockKind::Heading, "First\nchapter"),
        linked,
        block(5, BlockKind::Heading, "Second & last"),
        block(6, BlockKind::Table, "| a | b |\n| --- | --- |\n| 1 < 2 | 3 |"),
        note,
    ];
    let files = files(write(&book(&blocks)).unwrap());
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names[1..],
        [
            "META-INF/container.xml", "OEBPS/content.opf", "OEBPS/nav.xhtml", "OEBPS/toc.ncx",
            "OEBPS/style.css", "OEBPS/cover.svg", "OEBPS/cover.xhtml", "OEBPS/chapter1.xhtml",
            "OEBPS/chapter2.xhtml", "OEBPS/chapter3.xhtml",
        ]
    );
    for (name, text) in files.iter().filter(|(name, _)| name.ends_with("ml") || name.ends_with("opf")) {
        assert_well_formed(text);
        assert!(!text.contains('\u{1}'), "{name}");
    }
    let text = |end: &str| &files.iter().find(|(name, _)| name.ends_with(end)).unwrap().1;
    assert!(text("nav.xhtml").contains("<a href=\"chapter2.xhtml\">First chapter</a>"));
    assert!(text("nav.xhtml").contains("Second &amp; last"));
    assert!(text("chapter1.xhtml").contains("href=\"chapter3.xhtml#p7\""), "{}", text("chapter1.xhtml"));
    assert!(text("chapter3.xhtml").contains("href=\"chapter1.xhtml#p2\""));
    assert!(text("chapter2.xhtml").contains("there</a>&#160;and"), "{}", text("chapter2.xhtml"));
    assert!(text("content.opf").contains("<dc:language>pt-BR</dc:language>"));
    assert!(text("content.opf").contains("2026-11-22T20:00:00Z"));
}

#[test]
fn book_without_text_has_a_placeholder_page() {
    let empty = Book { language: Some("not a language"), author: Some(" "), title: " ", ..book(&[]) };
    let files = files(write(&empty).unwrap());
    let text = |end: &str| &files.iter().find(|(name, _)| name.ends_with(end)).unwrap().1;
    assert!(text("chapter1.xhtml").contains("There is no text."));
    assert!(text("content.opf").contains("<dc:language>und</dc:language>"));
    assert!(!text("content.opf").contains("dc:creator"));
    let arabic = Book { language: Some("ar"), ..book(&[]) };
    assert!(self::files(write(&arabic).unwrap()).iter().any(|(_, text)| text.contains("dir=\"rtl\"")));
}
