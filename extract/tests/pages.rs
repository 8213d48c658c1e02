//! Snapshot tests of every page in `tests/pages`: fields, blocks and Markdown.
//!
//! The pages were written for these tests. They cover each kind of block, each type of page, languages of all
//! families, pages without markup, and walls (such as sign-in pages).
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::{fmt::Write, fs, path::Path};

use extract::{Document, ExtractionOutcome, Input, Warning, extract, render};

#[test]
fn pages_match_their_snapshots() {
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
        let outcome = extract(&input);
        assert_eq!(outcome, extract(&input), "{name} must be read the same way twice");
        insta::with_settings!({ snapshot_path => "pages/snapshots", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, render_outcome(&outcome));
        });
    }
}

fn render_outcome(outcome: &ExtractionOutcome) -> String {
    match outcome {
        ExtractionOutcome::Document(document) => render_document(document),
        other => format!("{other:?}"),
    }
}

fn render_document(document: &Document) -> String {
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
        if let Some(item) = block.list {
            write!(out, " depth {} number {:?}", item.depth, item.number).unwrap();
        }
        if let Some(src) = &block.src {
            write!(out, " <{src}>").unwrap();
        }
        writeln!(out).unwrap();
    }
    write!(out, "\n{}", render::markdown(&document.blocks)).unwrap();
    out
}

/// Extracts a page that has a menu and a footer outside its main part.
fn read(head: &str, main: &str) -> Document {
    let markup = format!(
        "<!doctype html><html lang=en><head><title>A page</title>{head}</head><body><header><a href=/>Example Site</a>\
         <nav><ul><li><a href=/>Home</a></li><li><a href=/about>About</a></li></ul></nav></header><main>{main}</main>\
         <footer><p>© 2026 The Example Site. All rights reserved.</p></footer></body></html>"
    );
    let url = Some("https://www.example.org/fells/".to_owned());
    let input = Input { bytes: markup.into_bytes(), content_type: Some("text/html".to_owned()), url };
    match extract(&input) {
        ExtractionOutcome::Document(document) => *document,
        other => panic!("{other:?}"),
    }
}

const PARAGRAPH: &str = "<p>The old wall along the fell was built in a dry summer two hundred years ago, and whoever \
    walks beside it today sees how little of it has moved since then, whatever the winters did.</p>";

fn text_of(document: &Document) -> String {
    render::text(&document.blocks)
}

#[test]
fn quote_is_extracted_with_its_speaker() {
    let quotes = [
        "<blockquote><p>A wall is a slow river of stones that somebody taught to stand.</p>\
         <footer>— <cite>Ines Calder</cite></footer></blockquote>",
        "<blockquote><p>A wall is a slow river of stones that somebody taught to stand.</p>\
         <cite>Ines Calder</cite></blockquote>",
        "<figure><blockquote><p>A wall is a slow river of stones that somebody taught to stand.</p></blockquote>\
         <figcaption>— Ines Calder</figcaption></figure>",
    ];
    for quote in quotes {
        let main = format!("<article><h1>Walls</h1>{PARAGRAPH}{quote}{PARAGRAPH}</article>");
        let text = text_of(&read("", &main));
        assert!(text.contains("taught to stand.") && text.contains("Ines Calder"), "{text}");
    }
}

#[test]
fn scripts_and_footnote_references_are_separated_from_words() {
    let main = format!(
        "<article><h1>Walls</h1>{PARAGRAPH}<p>Water is H<sub>2</sub>O, and energy is mc<sup>2</sup>, said the mason at the \
         foot of the wall.<sup><a id=r1 href=#n1>1</a></sup> The idea is older.</p>{PARAGRAPH}\
         <section class=footnotes><ol><li id=n1><p>The register of 1871 names the mason once. <a href=#r1>↩</a></p></li>\
         </ol></section></article>"
    );
    let document = read("", &main);
    let text = text_of(&document);
    assert!(
        text.contains("H₂O") && text.contains("mc²") && text.contains("the wall.[^1] The idea"),
        "{text}"
    );
    let position =
        |predicate: &dyn Fn(&extract::Block) -> bool| document.blocks.iter().position(predicate).unwrap();
    let (at, note_at) = (
        position(&|block| block.text.contains("[^1]")),
        position(&|block| block.note.as_deref() == Some("1")),
    );
    let (from, note) = (&document.blocks[at], &document.blocks[note_at]);
    assert_eq!(
        (note.kind, note.text.as_str()),
        (extract::BlockKind::Footnote, "The register of 1871 names the mason once.")
    );
    assert_eq!((from.notes[0].anchor, note.notes[0].anchor), (note.anchor, from.anchor));
    let markdown = render::markdown(&document.blocks);
    assert!(markdown.contains("wall.[^1] The") && markdown.contains("\n[^1]: The register"), "{markdown}");
    let html = render::html(&document.blocks);
    let (there, back) =
        (format!("<sup><a href=\"#p{}\"", note.anchor), format!("<a href=\"#p{}\"", from.anchor));
    assert!(html.contains("H<sub>2</sub>O") && html.contains("mc<sup>2</sup>"), "{html}");
    assert!(html.contains(&there) && html.contains(&back), "{html}");
    assert_eq!(render::text_line(note), "[^1]: The register of 1871 names the mason once.");
}

#[test]
fn product_page_retains_its_specification_table() {
    let head = "<script type=application/ld+json>{\"@context\":\"https://schema.org\",\"@type\":\"Product\",\"name\":\
        \"Fellwalker boot\",\"description\":\"A light boot for long days on wet ground, made of waxed leather with a sole \
        that can be replaced twice.\",\"offers\":{\"@type\":\"Offer\",\"price\":\"129.00\"}}</script>";
    let main = "<h1>Fellwalker boot</h1><p class=price>129.00 €</p><p>A light boot for long days on wet ground, made of \
        waxed leather with a sole that can be replaced twice.</p><button>Add to cart</button><h2>Specifications</h2>\
        <table><tr><th>Weight</th><td>480 g</td></tr><tr><th>Upper</th><td>Waxed leather</td></tr><tr><th>Sole</th>\
        <td>Rubber</td></tr></table><h2>Reviews</h2><p>They held a winter of bogs without a leak, and I have ordered \
        the next pair.</p>";
    for head in [head, ""] {
        let text = text_of(&read(head, main));
        assert!(
            text.contains("Specifications") && text.contains("480 g") && text.contains("Waxed leather |"),
            "{text}"
        );
    }
}

#[test]
fn short_listing_retains_entry_headings() {
    let entry = |heading: &str, text: &str| {
        format!("<article><h2><a href=/{}>{heading}</a></h2><p>{text}</p></article>", heading.len())
    };
    let main = format!(
        "<h1>Stories</h1>{}{}{}",
        entry("A wall on the fell", "How a dry wall stands for two hundred winters."),
        entry("The ferry at dusk", "The last boat, and who takes it."),
        entry("Fellwalker shoe", "A review.")
    );
    let text = text_of(&read("", &main));
    for words in ["A wall on the fell", "The ferry at dusk", "Fellwalker shoe"] {
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn notice_that_a_page_needs_scripts_is_not_its_text() {
    let needs_scripts = |body: &str| {
        let markup = format!("<!doctype html><title>Harbour</title>{body}");
        let input =
            Input { bytes: markup.into_bytes(), content_type: Some("text/html".to_owned()), url: None };
        let ExtractionOutcome::Document(document) = extract(&input) else { panic!("no text in {body}") };
        document.warnings.contains(&Warning::JavascriptRequired)
    };
    let program = "<script>fetch('/text').then(show)</script>";
    for notice in [
        "<noscript>Enable JavaScript to read this page.</noscript><div id=r></div>",
        "<body><div>You need to enable JavaScript to run this app.</div>",
        "<body><main><h1>JavaScript is not available.</h1><p>Turn it on, or change to another browser.</p></main>",
        "<body><p>Bitte aktivieren Sie JavaScript, um diese Seite zu lesen.</p>",
        "<body><p>このページを表示するには JavaScript を有効にしてください。</p>",
    ] {
        assert!(needs_scripts(&format!("{notice}{program}")), "{notice}");
    }
    let book = "<body><p>A book about JavaScript and the boats of the harbour.</p>";
    assert!(!needs_scripts(book));
    assert!(!needs_scripts(&format!("{book}<script type=application/ld+json>{{}}</script>")));
}
