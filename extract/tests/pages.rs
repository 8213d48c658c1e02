//! Every page of `tests/pages`, as what it becomes: its fields, its blocks and its Markdown, held by snapshots.
//!
//! The pages are written for this purpose: each kind of block, each type of page, languages of all families, pages
//! without markup and pages that are walls.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::{fmt::Write, fs, path::Path};

use extract::{Document, Found, Input, extract, render};

#[test]
fn each_page_gives_what_its_snapshot_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages");
    let mut names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.retain(|path| path.extension().is_some_and(|end| end == "html"));
    names.sort();
    assert!(names.len() >= 60, "{} pages", names.len());
    for path in names {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let input = Input {
            bytes: fs::read(&path).unwrap(),
            content_type: Some("text/html; charset=utf-8".to_owned()),
            url: Some(format!("https://www.example.org/pages/{}", name.replace('_', "-"))),
        };
        let found = extract(&input);
        assert_eq!(found, extract(&input), "{name} is not read the same way twice");
        insta::with_settings!({ snapshot_path => "pages/snapshots", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, shown(&found));
        });
    }
}

fn shown(found: &Found) -> String {
    match found {
        Found::Document(document) => shown_document(document),
        other => format!("{other:?}"),
    }
}

fn shown_document(document: &Document) -> String {
    let mut out = String::new();
    let word = |value: Option<&str>| value.unwrap_or("-").to_owned();
    writeln!(out, "title: {}", document.title).unwrap();
    writeln!(out, "author: {}", word(document.author.as_deref())).unwrap();
    writeln!(out, "publisher: {}", word(document.publisher.as_deref())).unwrap();
    writeln!(out, "published: {}", word(document.published_at.as_deref())).unwrap();
    writeln!(out, "language: {}", word(document.language.as_deref())).unwrap();
    writeln!(out, "source: {}", document.source).unwrap();
    writeln!(out, "quality: {}", word(document.quality.map(extract::Quality::as_str))).unwrap();
    writeln!(out, "category: {}", word(document.category.map(extract::Category::as_str))).unwrap();
    writeln!(
        out,
        "warnings: {:?}",
        document.warnings.iter().map(|warning| warning.as_str()).collect::<Vec<_>>()
    )
    .unwrap();
    writeln!(out, "tokens: {}\n", document.total_tokens).unwrap();
    for block in &document.blocks {
        write!(out, "[{}] {}", block.anchor, block.kind).unwrap();
        if let Some(level) = block.level {
            write!(out, " {level}").unwrap();
        }
        if let Some(language) = &block.language {
            write!(out, " ({language})").unwrap();
        }
        if let Some(place) = block.list {
            write!(out, " depth {} number {:?}", place.depth, place.number).unwrap();
        }
        if let Some(src) = &block.src {
            write!(out, " <{src}>").unwrap();
        }
        writeln!(out).unwrap();
    }
    write!(out, "\n{}", render::markdown(&document.blocks)).unwrap();
    out
}
