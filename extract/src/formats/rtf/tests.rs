//! RTF documents: structure, encodings and broken files.

use crate::{
    BlockKind, ExtractionOutcome, Input, Quality, Warning, extract,
    formats::tests::{read, texts},
    render,
};

#[test]
fn document_has_headings_lists_tables_links_and_notes() {
    let rtf = r#"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fnil Arial;}{\f1\fcharset204 Arial;}}
{\colortbl;\red0\green0\blue0;}{\stylesheet{\s0 Normal;}{\s1\b heading 1;}{\s5 Title;}}
{\info{\title Lamps}{\author Ann Doe}{\creatim\yr2024\mo5\dy3}}{\*\generator X;}{\header running head}
\pard\s1 First\par
\pard Caf\'e9 and {\b bold} and {\i slanted}, \strike old\strike0 , \u8364?5 and \u-10179?\u-8704?.\par
{\f1 \'cf\'f0\'e8\'e2\'e5\'f2}\par
{\field{\*\fldinst{HYPERLINK "https://a.example/"}}{\fldrslt{a link}}} with a note{\footnote\pard The note.}.\par
{\listtext\'b7\tab}\ilvl0 item\par{\listtext 2.\tab}\ilvl1 second\par
\trowd\cellx1000\cellx2000\pard\intbl a\cell b\cell\row\trowd\pard\intbl 1\cell 2\cell\row
\pard Last\line line{\v unseen}.\par}"#;
    for kind in
        [Some("application/rtf"), Some("text/rtf"), Some("application/msword"), Some("text/plain"), None]
    {
        let document = read(rtf.as_bytes().to_vec(), kind);
        assert_eq!((document.title.as_str(), document.author.as_deref()), ("Lamps", Some("Ann Doe")));
        assert_eq!(document.published_at.as_deref(), Some("2024-05-03"));
        assert_eq!(
            render::markdown(&document.blocks),
            "# First\n\nCafé and **bold** and *slanted*, ~~old~~, €5 and 😀.\n\nПривет\n\n[a link](https://a.example/) with a note[^1].\n\n- item\n    2. second\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nLast  \nline.\n\n[^1]: The note.\n"
        );
    }
}

#[test]
fn table_cells_retain_links_and_inline_styles() {
    let cells = |cells: &str| {
        let rtf = format!(r"{{\rtf1\ansi \trowd\pard\intbl {cells}\row\pard}}");
        read(rtf.into_bytes(), None)
    };
    let link = r#"{\field{\*\fldinst{HYPERLINK "https://a.example/"}}{\fldrslt{c}}}"#;
    let document = cells(&format!(r"{{\b a}} b\cell {link}\cell"));
    assert_eq!(render::markdown(&document.blocks), "| **a** b | [c](https://a.example/) |\n| --- | --- |\n");
    assert_eq!(document.quality, Some(Quality::Complete));
    let wide = cells(&r"a\cell ".repeat(61));
    assert_eq!((wide.quality, wide.warnings), (Some(Quality::Partial), vec![Warning::TruncatedSource]));
}

#[test]
fn properties_of_a_row_apply_to_the_next_row() {
    for (rows, expected) in [
        (
            r"\trowd\cellx100\cellx200 A\cell B\cell\row 1\cell 2\cell\row\pard End.\par",
            "| A | B |\n| --- | --- |\n| 1 | 2 |\n\nEnd.\n",
        ),
        (
            r"\trowd A\cell B\cell\row {\b 1}\cell\par 2\cell\row End.\par More.\par",
            "| A | B |\n| --- | --- |\n| **1** | 2 |\n\nEnd.\n\nMore.\n",
        ),
        (r"\trowd A\cell\row \pard One.\par \trowd B\cell\row", "| A |\n| --- |\n\nOne.\n\n| B |\n| --- |\n"),
        (r"\trowd A\cell\row Last", "| A |\n| --- |\n\nLast\n"),
        (
            r"\trowd A\cell\row\pard Text{\footnote Note.}.\par",
            "| A |\n| --- |\n\nText[^1].\n\n[^1]: Note.\n",
        ),
        (r"\trowd A\cell\row\pard{\listtext 1.\tab}Item\par", "| A |\n| --- |\n\n1. Item\n"),
    ] {
        let document = read(format!(r"{{\rtf1\ansi {rows}}}").into_bytes(), None);
        assert_eq!(render::markdown(&document.blocks), expected, "{rows}");
    }
}

#[test]
fn double_byte_characters_are_decoded() {
    let rtf =
        r"{\rtf1\ansi\ansicpg932{\fonttbl{\f0\fcharset128 Mincho;}}\f0 \'93\'fa\'96\'7b\'8c\'ea\'83A\par}";
    assert_eq!(texts(&read(rtf.as_bytes().to_vec(), None).blocks), [(BlockKind::Paragraph, "日本語ア")]);
}

#[test]
fn broken_documents_do_not_panic() {
    let rtf = r"{\rtf1\ansi {\field{\*\fldinst HYPERLINK x}{\fldrslt a}} b{\footnote c}\trowd a\cell\u-10179?}}}\bin9999 ";
    for end in 0..rtf.len() {
        let bytes = rtf.as_bytes()[..end].to_vec();
        let _ = extract(&Input { bytes, content_type: Some("application/rtf".into()), url: None });
    }
    let deep = format!("{{\\rtf1 {}", "{".repeat(5000));
    let input = Input { bytes: deep.into_bytes(), content_type: None, url: None };
    assert!(matches!(extract(&input), ExtractionOutcome::TooComplex { .. }));
}
