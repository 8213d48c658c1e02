//! The functions that the fuzz targets call, and the invariants that must hold for any input.
//!
//! `cargo +nightly fuzz run --sanitizer none TARGET`, from the folder above, runs a target of `targets/`.

use std::io::{Cursor, Write};

use extract::{Block, BlockKind, Document, ExtractionOutcome, Input, Link, ListItemPosition, Mark, Style, extract, render};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

/// Maximum ratio of text bytes to source bytes, and a constant that is added to the limit.
const MAX_TEXT: (usize, usize) = (40, 4096);

/// Silences panics of libraries, which the readers catch. Failed assertions of this file are still printed.
pub fn allow_caught_panics() {
    std::panic::set_hook(Box::new(|panic| {
        if panic.location().is_some_and(|location| location.file().ends_with(file!())) {
            eprintln!("{panic}");
        }
    }));
}

/// Fuzzes a frame as read from a child's pipe, without its length. The answer must not report a panic.
pub fn child(bytes: &[u8]) {
    let answer = extract::sandbox::answer_frame(bytes.to_vec());
    assert!(answer.is_none_or(|answer| answer.first() == Some(&b'F')), "reading the page must not panic");
}

/// Fuzzes the markup of a page.
pub fn blocks(bytes: &[u8]) {
    if let Some(document) = read(bytes.to_vec(), "text/html; charset=utf-8") {
        check_document(&document, Some(bytes.len()));
    }
}

/// Fuzzes a PDF file.
pub fn pdf(bytes: &[u8]) {
    if let Some(document) = read(bytes.to_vec(), "application/pdf") {
        check_document(&document, None);
    }
}

/// Fuzzes a book: its package and its parts, separated by two zero bytes. Input that begins like an archive
/// is read as an archive.
pub fn epub(bytes: &[u8]) {
    let book = if bytes.starts_with(b"PK") { bytes.to_vec() } else { book(bytes) };
    if let Some(document) = read(book, "application/epub+zip") {
        check_document(&document, None);
    }
}

/// Fuzzes Markdown and HTML rendered from blocks that are built from the bytes. The Markdown is read again.
pub fn markdown(bytes: &[u8]) {
    let blocks: Vec<Block> = bytes.split(|&byte| byte == 0).filter_map(block).collect();
    let size: usize = blocks.iter().map(|block| block.text.len()).sum();
    let written = render::markdown(&blocks);
    assert!(written.len() <= 16 * size + 4096 + 4096 * blocks.len(), "{} bytes from {size}", written.len());
    assert_inactive(&render::html(&blocks));
    if let Some(document) = read(written.into_bytes(), "text/markdown") {
        check_document(&document, None);
    }
}

fn read(bytes: Vec<u8>, mime: &str) -> Option<Document> {
    let url = Some("https://site.example/folder/page".to_owned());
    match extract(&Input { bytes, content_type: Some(mime.to_owned()), url }) {
        ExtractionOutcome::Document(document) => Some(*document),
        ExtractionOutcome::NoText { .. } | ExtractionOutcome::Unsupported { .. } | ExtractionOutcome::TooComplex { .. } => None,
    }
}

/// Checks the invariants of every document.
fn check_document(document: &Document, size: Option<usize>) {
    assert!(!document.title.is_empty());
    for (index, block) in document.blocks.iter().enumerate() {
        assert_eq!(usize::try_from(block.anchor).ok(), Some(index + 1));
        assert!(!block.text.trim().is_empty(), "a block is empty");
        assert!(block.tokens <= 1000, "a block has {} tokens", block.tokens);
        for link in &block.links {
            assert!(["http://", "https://", "mailto:"].iter().any(|start| link.url.starts_with(start)), "{link:?}");
        }
        for mark in &block.marks {
            let range = mark.start as usize..mark.end as usize;
            assert!(block.text.get(range).is_some_and(|text| !text.is_empty()), "{mark:?} of {:?}", block.text);
        }
    }
    let text = render::text(&document.blocks);
    if let Some(size) = size {
        assert!(text.len() <= MAX_TEXT.0 * size + MAX_TEXT.1, "{} bytes from {size}", text.len());
    }
    assert!(!text.contains(['\u{202e}', '\u{0}']), "the text contains control characters");
    assert_inactive(&render::html(&document.blocks));
    let _ = render::markdown(&document.blocks);
}

/// Asserts that no element or attribute of the markup runs code or loads a resource in a browser.
fn assert_inactive(html: &str) {
    let html = html.to_lowercase();
    for tag in html.split('<').skip(1).map(|rest| rest.split('>').next().unwrap_or(rest)) {
        let name = tag.trim_start_matches('/').split([' ', '\n', '\t']).next().unwrap_or(tag);
        assert!(!["script", "img", "iframe", "svg", "style", "object", "form"].contains(&name), "{tag}");
        for active in ["\"javascript:", "\"data:", " onclick=", " onerror=", " onload=", " style="] {
            assert!(!tag.contains(active), "{active} in {tag}");
        }
    }
}

fn book(bytes: &[u8]) -> Vec<u8> {
    let mut parts = Vec::new();
    let mut rest = bytes;
    while let Some(at) = rest.windows(2).position(|pair| pair == [0, 0]) {
        parts.push(&rest[..at]);
        rest = &rest[at + 2..];
    }
    parts.push(rest);
    let container = b"<container><rootfiles><rootfile full-path='p.opf'/></rootfiles></container>";
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut add = |name: &str, bytes: &[u8]| {
        if writer.start_file(name, stored).is_ok() {
            // Writing to memory does not fail.
            let _ = writer.write_all(bytes);
        }
    };
    add("META-INF/container.xml", container);
    for (index, part) in parts.iter().enumerate() {
        match index {
            0 => add("p.opf", part),
            _ => add(&format!("{index}.xhtml"), part),
        }
    }
    writer.finish().map(Cursor::into_inner).unwrap_or_default()
}

/// Builds a block: the first three bytes select kind, marks and link, and the others are its text.
fn block(bytes: &[u8]) -> Option<Block> {
    const KINDS: [BlockKind; 10] = [
        BlockKind::Paragraph,
        BlockKind::Heading,
        BlockKind::ListItem,
        BlockKind::Quote,
        BlockKind::Code,
        BlockKind::Table,
        BlockKind::Figure,
        BlockKind::Math,
        BlockKind::Footnote,
        BlockKind::Paragraph,
    ];
    let (&[kind, first, second], text) = bytes.split_first_chunk::<3>()?;
    let text = String::from_utf8_lossy(text).into_owned();
    let bounds: Vec<u32> =
        text.char_indices().map(|(at, _)| at).chain([text.len()]).filter_map(|at| at.try_into().ok()).collect();
    let at = |byte: u8| bounds[usize::from(byte) % bounds.len()];
    let (start, end) = (at(first).min(at(second)), at(first).max(at(second)));
    let style = match first % 4 {
        0 => Style::Strong,
        1 => Style::Emphasis,
        2 => Style::Code,
        _ => Style::Link(0),
    };
    let link = Link { text: text.clone(), url: format!("https://site.example/{second}?a=(b)") };
    Some(Block {
        kind: KINDS[usize::from(kind) % KINDS.len()],
        level: Some(first % 6 + 1),
        language: (second % 3 == 0).then(|| "rust".to_owned()),
        links: vec![link],
        alt: Some(text.chars().take(20).collect()),
        list: Some(ListItemPosition { depth: first % 5, number: (second % 2 == 0).then_some(u32::from(second)) }),
        marks: if start < end { vec![Mark { start, end, style }] } else { Vec::new() },
        text,
        ..Block::default()
    })
}
