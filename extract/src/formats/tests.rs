//! Format detection, and documents of each format.

use std::io::{Cursor, Write};

use zip::{ZipWriter, write::SimpleFileOptions};

use super::{FORMATS, SourceFormat, accept, detect};
use crate::{Block, BlockKind, ExtractionOutcome, Input, Quality, Warning, extract};

pub(super) fn zipped(files: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Creates an EPUB archive with this package document and these chapters.
fn epub(package: &str, chapters: &[(&str, &str)]) -> Vec<u8> {
    let container = "<container><rootfiles><rootfile full-path='p.opf'/></rootfiles></container>";
    let files = [("META-INF/container.xml", container), ("p.opf", package)];
    zipped(&[&files[..], chapters].concat())
}

pub(super) fn read(bytes: Vec<u8>, mime: Option<&str>) -> crate::Document {
    let input = Input { bytes, content_type: mime.map(str::to_owned), url: None };
    match extract(&input) {
        ExtractionOutcome::Document(document) => *document,
        other => panic!("{other:?}"),
    }
}

pub(super) fn texts(blocks: &[Block]) -> Vec<(BlockKind, &str)> {
    blocks.iter().map(|block| (block.kind, block.text.as_str())).collect()
}

#[test]
fn formats_are_detected_by_media_type_and_extension() {
    for format in &FORMATS {
        let detected = |mime: &str| detect(Some(mime), b"", None).map(|detected| detected.name).ok();
        for mime in format.media_types {
            // Media types of archives are not trusted.
            assert_eq!(detected(mime), (!format.is_archive()).then_some(format.name), "{mime}");
            assert!((format.weight > 0) == accept().contains(mime), "{mime}");
        }
        for ending in format.extensions {
            let known = SourceFormat::of_extension(&ending.to_uppercase()).map(|known| known.name);
            assert_eq!(known, Some(format.name));
        }
    }
    assert!(
        accept().starts_with("text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8")
    );
    assert!(accept().ends_with("q=0.7, */*;q=0.5"));
    assert!(SourceFormat::of_extension("zip").is_none());
}

#[test]
fn format_of_an_untyped_body_is_detected_by_leading_bytes_or_file_name() {
    let detected = |bytes: &[u8], mime: &str, url: &str| {
        detect(Some(mime), bytes, Some(url)).map(|format| format.name).ok()
    };
    let silent = "application/octet-stream";
    assert_eq!(detected(b"%PDF-1.7", silent, "https://a.example/x"), Some("pdf"));
    assert_eq!(detected(b" <!DOCTYPE html>", silent, "https://a.example/x.md"), Some("html"));
    assert_eq!(detected(b"# A", silent, "https://a.example/x.MD?y=1#z"), Some("markdown"));
    assert_eq!(detected(b"# A", "text/plain", "https://a.example/x.md"), Some("markdown"));
    assert_eq!(detected(b"a word", silent, "https://a.example/x"), Some("text"));
    assert_eq!(detected(b"\0\x01", silent, "https://a.example/x"), None);
    assert_eq!(detected(b"{}", "application/json", "https://a.example/x"), Some("text"));
    let feed = b"{\"version\":\"https://jsonfeed.org/version/1.1\"}";
    assert_eq!(detected(feed, "application/json", "https://a.example/x"), Some("feed"));
    assert_eq!(detected(b"int main;", "text/x-c", "https://a.example/x"), Some("text"));
    assert_eq!(detected(b"x", "image/png", "https://a.example/x"), None);
}

#[test]
fn book_is_read_in_spine_order() {
    let bytes = zipped(&[
        ("mimetype", "application/epub+zip"),
        (
            "META-INF/container.xml",
            "<container><rootfiles><rootfile full-path='OPS/p.opf'/></rootfiles></container>",
        ),
        (
            "OPS/p.opf",
            "<package xmlns:dc='x'><metadata><dc:title>The Book &amp; more</dc:title><dc:creator>A. One</dc:creator>\
             <dc:creator>B. Two</dc:creator><dc:language>en</dc:language><dc:date>2025-01-02</dc:date></metadata><manifest>\
             <item id='two' href='b%20b.xhtml' media-type='application/xhtml+xml'/>\
             <item id='one' href='../OPS/a.xhtml' media-type='application/xhtml+xml'/></manifest>\
             <spine><itemref idref='one'/><itemref idref='two'/></spine></package>",
        ),
        ("OPS/a.xhtml", "<html><head><title>x</title></head><body><h1>One</h1><p>First.</p></body></html>"),
        ("OPS/b b.xhtml", "<html><body><p>Second.</p></body></html>"),
    ]);
    let book = read(bytes, None);
    assert_eq!(book.title, "The Book & more");
    assert_eq!(book.author.as_deref(), Some("A. One, B. Two"));
    assert_eq!(book.published_at.as_deref(), Some("2025-01-02"));
    assert_eq!(book.source.as_str(), "epub");
    assert_eq!(
        texts(&book.blocks),
        [(BlockKind::Heading, "One"), (BlockKind::Paragraph, "First."), (BlockKind::Paragraph, "Second.")]
    );
}

#[test]
fn docx_has_headings_lists_tables_and_links() {
    let body = "<w:document xmlns:w='w' xmlns:r='r'><w:body>\
        <w:p><w:pPr><w:pStyle w:val='Heading2'/></w:pPr><w:r><w:t>Head</w:t></w:r></w:p>\
        <w:p><w:r><w:t xml:space='preserve'>See </w:t></w:r><w:hyperlink r:id='l1'><w:r><w:t>this</w:t></w:r></w:hyperlink></w:p>\
        <w:p><w:pPr><w:numPr><w:ilvl w:val='1'/></w:numPr></w:pPr><w:r><w:t>item</w:t></w:r></w:p>\
        <w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr>\
        <w:tr><w:tc><w:p><w:r><w:t>1</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>2</w:t></w:r></w:p></w:tc></w:tr></w:tbl>\
        </w:body></w:document>";
    let relations = "<Relationships><Relationship Id='l1' Target='https://a.example/'/></Relationships>";
    let core = "<p xmlns:dc='d'><dc:title>Paper</dc:title><dc:creator>Eva</dc:creator></p>";
    let bytes = zipped(&[
        ("word/document.xml", body),
        ("word/_rels/document.xml.rels", relations),
        ("docProps/core.xml", core),
    ]);
    let document =
        read(bytes, Some("application/vnd.openxmlformats-officedocument.wordprocessingml.document"));
    assert_eq!((document.title.as_str(), document.author.as_deref()), ("Paper", Some("Eva")));
    assert_eq!(
        texts(&document.blocks),
        [
            (BlockKind::Heading, "Head"),
            (BlockKind::Paragraph, "See this"),
            (BlockKind::ListItem, "item"),
            (BlockKind::Table, "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        ]
    );
    assert_eq!(document.blocks[1].links[0].url, "https://a.example/");
}

#[test]
fn docx_formulas_become_tex() {
    let run = |text: &str| format!("<m:r><m:t>{text}</m:t></m:r>");
    let fraction = format!("<m:f><m:num>{}</m:num><m:den>{}</m:den></m:f>", run("a"), run("b"));
    let square = format!("<m:sSup><m:e>{}</m:e><m:sup>{}</m:sup></m:sSup>", run("x"), run("2"));
    let sum = format!(
        "<m:nary><m:naryPr><m:chr m:val='∑'/></m:naryPr><m:sub>{}</m:sub><m:sup>{}</m:sup><m:e>{}</m:e></m:nary>",
        run("i=1"),
        run("n"),
        run("i")
    );
    let root =
        format!("<m:rad><m:radPr><m:degHide m:val='1'/></m:radPr><m:deg/><m:e>{}</m:e></m:rad>", run("x"));
    let cases = format!(
        "<m:d><m:dPr><m:begChr m:val='{{'/><m:endChr m:val=''/></m:dPr><m:e><m:eqArr><m:e>{}</m:e><m:e>{}</m:e></m:eqArr></m:e></m:d>",
        run("0"),
        run("1")
    );
    let body = format!(
        "<w:p><w:r><w:t>So </w:t></w:r><m:oMath>{fraction}{}{square}</m:oMath><w:r><w:t> holds.</w:t></w:r></w:p>\
         <w:p><m:oMathPara><m:oMath>{sum}{}{root}</m:oMath></m:oMathPara></w:p><w:p><m:oMath>{cases}</m:oMath></w:p>\
         <w:tbl><w:tr><w:tc><w:p><m:oMath>{square}</m:oMath></w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr></w:tbl>",
        run("="),
        run("=")
    );
    let docx = format!("<w:document xmlns:w='w' xmlns:m='m'><w:body>{body}</w:body></w:document>");
    let mime = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    let document = read(zipped(&[("word/document.xml", &docx)]), Some(mime));
    assert_eq!(
        crate::render::markdown(&document.blocks),
        "So $\\frac{a}{b} = x^{2}$ holds.\n\n$$\n\\sum_{i = 1}^{n}i = \\sqrt{x}\n$$\n\n\
         $\\left\\{ \\begin{aligned} 0 \\\\ 1 \\end{aligned} \\right.$\n\n| $x^{2}$ | b |\n| --- | --- |\n"
    );
}

#[test]
fn docx_function_names_become_tex_commands() {
    let run = |text: &str| format!("<m:r><m:t>{text}</m:t></m:r>");
    let body = format!(
        "<w:p><m:oMath><m:func><m:fName>{}</m:fName><m:e>{}</m:e></m:func></m:oMath></w:p>",
        run("sin"),
        run("x")
    );
    let docx = format!("<w:document xmlns:w='w' xmlns:m='m'><w:body>{body}</w:body></w:document>");
    let mime = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    let document = read(zipped(&[("word/document.xml", &docx)]), Some(mime));
    let markdown = crate::render::markdown(&document.blocks);
    assert!(markdown.contains("\\sin x"), "{markdown}");
}

#[test]
fn odt_has_headings_and_lists() {
    let body = "<office:document-content xmlns:office='o' xmlns:text='t'><office:body><office:text>\
        <text:h text:outline-level='1'>Head</text:h><text:p>One<text:line-break/>two</text:p>\
        <text:list><text:list-item><text:p>item</text:p></text:list-item></text:list>\
        </office:text></office:body></office:document-content>";
    let bytes = zipped(&[("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", body)]);
    let document = read(bytes, Some("application/zip"));
    assert_eq!(
        texts(&document.blocks),
        [(BlockKind::Heading, "Head"), (BlockKind::Paragraph, "One\ntwo"), (BlockKind::ListItem, "item")]
    );
}

#[test]
fn office_files_retain_bold_and_italic() {
    let run = |properties: &str, text: &str| {
        format!("<w:r><w:rPr>{properties}</w:rPr><w:t xml:space='preserve'>{text}</w:t></w:r>")
    };
    let docx = format!(
        "<w:document xmlns:w='w'><w:body><w:p><w:pPr><w:rPr><w:b/></w:rPr></w:pPr>{}{}{}{}{}{}{}</w:p>\
         <w:p>{}</w:p></w:body></w:document>",
        run("", "plain "),
        run("<w:b/>", "bold"),
        run("<w:b/><w:sz w:val='20'/>", " still "),
        run("<w:b/><w:i/>", "both"),
        run("<w:b w:val='0'/>", " off "),
        run("<w:rStyle w:val='Emphasis'/>", "slanted"),
        run("<w:vanish/>", " unseen"),
        run("", "next"),
    );
    let docx = zipped(&[("word/document.xml", &docx)]);
    let docx = read(docx, Some("application/vnd.openxmlformats-officedocument.wordprocessingml.document"));
    let odt = "<office:document-content xmlns:office='o' xmlns:text='t' xmlns:style='s' xmlns:fo='f'>\
        <office:automatic-styles><style:style style:name='T1'><style:text-properties fo:font-weight='bold'/></style:style>\
        <style:style style:name='T2'><style:text-properties fo:font-style='italic'/></style:style></office:automatic-styles>\
        <office:body><office:text><text:p>plain <text:span text:style-name='T1'>bold still \
        <text:span text:style-name='T2'>both</text:span></text:span> off \
        <text:span text:style-name='Emphasis'>slanted</text:span></text:p><text:p>next</text:p>\
        </office:text></office:body></office:document-content>";
    let odt = zipped(&[("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", odt)]);
    let odt = read(odt, Some("application/zip"));
    for document in [docx, odt] {
        let markdown = crate::render::markdown(&document.blocks);
        assert_eq!(
            markdown, "plain **bold still** ***both*** off *slanted*\n\nnext\n",
            "{}",
            document.content_type
        );
    }
}

const DOCX: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

#[test]
fn office_table_cells_retain_columns_and_inline_styles() {
    let cell = |properties: &str, text: &str| {
        format!(
            "<w:tc><w:tcPr>{properties}</w:tcPr><w:p><w:r><w:rPr><w:b/></w:rPr><w:t>{text}</w:t></w:r></w:p></w:tc>"
        )
    };
    let docx = format!(
        "<w:document xmlns:w='w'><w:body><w:tbl><w:tr>{}{}{}</w:tr><w:tr>{}{}</w:tr>\
         <w:tr><w:trPr><w:gridBefore w:val='1'/></w:trPr>{}</w:tr></w:tbl></w:body></w:document>",
        cell("", "a"),
        cell("", "b"),
        cell("<w:vMerge w:val='restart'/>", "c"),
        cell("<w:gridSpan w:val='2'/>", "d"),
        cell("<w:vMerge/>", ""),
        cell("", "e"),
    );
    let docx = read(zipped(&[("word/document.xml", &docx)]), Some(DOCX));
    let odt = "<office:document-content xmlns:office='o' xmlns:text='t' xmlns:table='x'><office:body><office:text><table:table>\
        <table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell>\
        <table:table-cell table:number-rows-spanned='2'><text:p>c</text:p></table:table-cell></table:table-row>\
        <table:table-row><table:table-cell table:number-columns-spanned='2'><text:p>d</text:p></table:table-cell>\
        <table:covered-table-cell table:number-columns-repeated='2'/></table:table-row>\
        <table:table-row><table:table-cell/><table:table-cell><text:p>e</text:p></table:table-cell><table:table-cell/></table:table-row>\
        </table:table></office:text></office:body></office:document-content>";
    let odt = read(
        zipped(&[("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", odt)]),
        Some("application/zip"),
    );
    let table = "| a | b | c |\n| --- | --- | --- |\n| d |  |  |\n|  | e |  |";
    for document in [&docx, &odt] {
        assert_eq!(texts(&document.blocks), [(BlockKind::Table, table)], "{}", document.content_type);
    }
    let markdown = crate::render::markdown(&docx.blocks);
    assert!(markdown.starts_with("| **a** | **b** | **c** |\n"), "{markdown}");
}

#[test]
fn office_table_with_too_many_columns_is_reported() {
    let table = |columns: usize| {
        let cells = "<w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc>".repeat(columns);
        let body = format!(
            "<w:document xmlns:w='w'><w:body><w:tbl><w:tr>{cells}</w:tr></w:tbl></w:body></w:document>"
        );
        let document = read(zipped(&[("word/document.xml", &body)]), Some(DOCX));
        (document.quality, document.warnings)
    };
    assert_eq!(table(60), (Some(Quality::Complete), vec![]));
    assert_eq!(table(61), (Some(Quality::Partial), vec![Warning::TruncatedSource]));
}

#[test]
fn feed_is_read_entry_by_entry() {
    let feed = "<rss version='2.0'><channel><title>The Feed</title><item><title>First</title><link>https://a.example/1</link>\
        <description>&lt;p&gt;Text of it.&lt;/p&gt;</description></item></channel></rss>";
    let document = read(feed.as_bytes().to_vec(), Some("application/rss+xml"));
    assert_eq!(document.title, "The Feed");
    assert_eq!(
        texts(&document.blocks),
        [(BlockKind::Heading, "First"), (BlockKind::Paragraph, "Text of it.")]
    );
}

#[test]
fn unknown_and_broken_archives_are_not_read() {
    let other =
        Input { bytes: zipped(&[("a.txt", "x")]), content_type: Some("application/zip".into()), url: None };
    assert!(matches!(extract(&other), ExtractionOutcome::Unsupported { .. }));
    let whole = zipped(&[("META-INF/container.xml", "<x/>")]);
    for end in 0..whole.len() {
        let input = Input {
            bytes: whole[..end].to_vec(),
            content_type: Some("application/epub+zip".into()),
            url: None,
        };
        assert!(!matches!(extract(&input), ExtractionOutcome::Document(_)));
    }
}

#[test]
fn zip_bomb_is_refused() {
    let bomb = " ".repeat(30 * 1024 * 1024);
    let bytes = zipped(&[("word/document.xml", &bomb)]);
    assert!(bytes.len() < 1024 * 1024);
    let input = Input { bytes, content_type: None, url: None };
    assert!(!matches!(extract(&input), ExtractionOutcome::Document(_)));
}

#[test]
fn chapter_without_heading_gets_its_title_from_the_table_of_contents() {
    let container =
        "<container><rootfiles><rootfile full-path='OPS/p.opf'/></rootfiles></container>".to_owned();
    let package = |contents: &str| {
        format!(
            "<package><manifest>{contents}<item id='a' href='t/a.xhtml' media-type='application/xhtml+xml'/>\
             <item id='b' href='t/b.xhtml' media-type='application/xhtml+xml'/>\
             <item id='c' href='../../../etc/passwd' media-type='application/xhtml+xml'/></manifest>\
             <spine><itemref idref='a'/><itemref idref='b'/><itemref idref='c'/></spine></package>"
        )
    };
    let nav = "<item id='n' href='t/nav.xhtml' properties='nav' media-type='application/xhtml+xml'/>";
    let ncx = "<item id='n' href='toc.ncx' media-type='application/x-dtbncx+xml'/>";
    for (item, name, contents) in [
        (
            nav,
            "OPS/t/nav.xhtml",
            "<nav><ol><li><a href='a.xhtml'>The <i>First</i></a></li><li><a href='b.xhtml#x'>B</a></li></ol></nav>",
        ),
        (
            ncx,
            "OPS/toc.ncx",
            "<ncx><navMap><navPoint><navLabel><text>The First</text></navLabel><content src='t/a.xhtml'/></navPoint></navMap></ncx>",
        ),
    ] {
        let book = read(
            zipped(&[
                ("META-INF/container.xml", &container),
                ("OPS/p.opf", &package(item)),
                (name, contents),
                ("OPS/t/a.xhtml", "<html><body><p>One.</p></body></html>"),
                ("OPS/t/b.xhtml", "<html><body><h2>Second</h2><p>Two.</p></body></html>"),
            ]),
            None,
        );
        assert_eq!(
            texts(&book.blocks),
            [
                (BlockKind::Heading, "The First"),
                (BlockKind::Paragraph, "One."),
                (BlockKind::Heading, "Second"),
                (BlockKind::Paragraph, "Two.")
            ]
        );
        // Only the part whose path is outside the archive is missing.
        assert_eq!(book.quality, Some(crate::Quality::Partial));
    }
}

#[test]
fn archive_with_100_000_entries_is_refused() {
    let names: Vec<String> = (0..100_000).map(|number| number.to_string()).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
    let input = Input { bytes: zipped(&files), content_type: Some("application/epub+zip".into()), url: None };
    assert!(matches!(extract(&input), ExtractionOutcome::Unsupported { .. }));
}

fn outcome(bytes: &[u8], mime: Option<&str>, url: &str) -> ExtractionOutcome {
    extract(&Input {
        bytes: bytes.to_vec(),
        content_type: mime.map(str::to_owned),
        url: Some(url.to_owned()),
    })
}

const LABELS: [Option<&str>; 8] = [
    None,
    Some("text/html"),
    Some("text/plain; charset=utf-8"),
    Some("application/octet-stream"),
    Some("application/json"),
    Some("application/xml"),
    Some("image/png"),
    Some("application/pdf"),
];

#[test]
fn bytes_with_a_signature_are_recognised_regardless_of_media_type() {
    let docx = zipped(&[(
        "word/document.xml",
        "<w:document xmlns:w='w'><w:body><w:p><w:r><w:t>a</w:t></w:r></w:p></w:body></w:document>",
    )]);
    for mime in LABELS {
        let detected = |bytes: &[u8]| detect(mime, bytes, None).map(|format| format.name);
        assert_eq!(detected(b"%PDF-1.7\n\xe2\xe3"), Ok("pdf"), "{mime:?}");
        assert_eq!(detected(b"\r\n%PDF-1.7\n"), Ok("pdf"), "{mime:?}");
        assert_eq!(detected(&docx), Ok("docx"), "{mime:?}");
        assert_eq!(detected(br"{\rtf1 a}"), Ok("rtf"), "{mime:?}");
    }
}

#[test]
fn binary_bytes_are_refused_with_their_detected_type() {
    let noise: Vec<u8> =
        (0..4000_u32).map(|at| u8::try_from(at.wrapping_mul(2_654_435_761) >> 24).unwrap()).collect();
    let jpeg = [&b"\xff\xd8\xff\xe0\0\x10JFIF\0"[..], &noise].concat();
    for (bytes, expected) in [
        (&jpeg[..], "image/jpeg"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image/png"),
        (b"ID3\x04\0\0\0\0\0\0", "audio/mpeg"),
        (b"\xff\xfb\x90\x64\0\0", "audio/mpeg"),
        (b"RIFF\x24\0\0\0WAVEfmt ", "audio/wav"),
        (b"\0\0\0\x18ftypmp42\0\0", "video/mp4"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0", "application/x-ole-storage"),
        (b"\x1f\x8b\x08\0\0\0", "application/gzip"),
        (b"PK\x03\x04\0\0\0", "application/zip"),
        (b"7z\xbc\xaf\x27\x1c\0", "application/x-7z-compressed"),
        (b"\x7fELF\x02\x01", "application/x-elf"),
        (b"SQLite format 3\0", "application/vnd.sqlite3"),
        (b"wOF2\0\x01\0\0", "font/woff2"),
        (&noise[..], "application/octet-stream"),
    ] {
        for mime in [
            None,
            Some("text/html"),
            Some("text/plain"),
            Some("application/octet-stream"),
            Some("text/markdown"),
        ] {
            let expected = ExtractionOutcome::Unsupported { mime: expected.to_owned() };
            assert_eq!(outcome(bytes, mime, "https://a.example/x"), expected, "{mime:?}");
        }
    }
    let msword = ExtractionOutcome::Unsupported { mime: "application/msword".to_owned() };
    assert_eq!(
        outcome(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0", Some("application/msword"), "https://a.example/x"),
        msword
    );
}

#[test]
fn feed_is_recognised_with_another_text_media_type() {
    let rss = "<?xml version='1.0'?>\n<!-- a > b -->\n<rss version='2.0'><channel><title>F</title><item><title>A</title><link>https://a.example/1</link></item></channel></rss>";
    let atom = "<?xml version='1.0'?><feed xmlns='http://www.w3.org/2005/Atom'><title>F</title><entry><id>1</id><title>A</title></entry></feed>";
    let rdf = "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'><channel><title>F</title></channel><item rdf:about='https://a.example/1'><title>A</title><link>https://a.example/1</link></item></rdf:RDF>";
    let json = "{\"version\": \"https://jsonfeed.org/version/1.1\", \"title\": \"F\", \"items\": [{\"id\": \"1\", \"title\": \"A\"}]}";
    for text in [rss, atom, rdf, json] {
        for mime in LABELS {
            let ExtractionOutcome::Document(document) =
                outcome(text.as_bytes(), mime, "https://a.example/feed")
            else {
                panic!("{mime:?} {text}")
            };
            assert_eq!((document.source.as_str(), document.title.as_str()), ("feed", "F"), "{mime:?}");
            assert_eq!(document.blocks[0].text, "A");
        }
    }
}

#[test]
fn html_is_detected_unless_declared_as_plain_text() {
    let page = b"<!DOCTYPE html><title>T</title><p>Some words.</p>";
    let name = |mime| detect(mime, page, Some("https://a.example/x.html")).map(|format| format.name);
    for mime in [
        None,
        Some("application/octet-stream"),
        Some("application/pdf"),
        Some("image/png"),
        Some("application/xml"),
        Some("application/vnd.ms-excel"),
        Some("application/rss+xml"),
    ] {
        assert_eq!(name(mime), Ok("html"), "{mime:?}");
    }
    assert_eq!(name(Some("text/plain")), Ok("text"));
    let ExtractionOutcome::Document(document) = outcome(page, Some("text/plain"), "https://a.example/x")
    else {
        panic!()
    };
    assert_eq!(
        (document.blocks[0].kind, document.blocks[0].language.as_deref()),
        (BlockKind::Code, Some("html"))
    );
    // Broken bytes and UTF-16 are not binary data.
    assert_eq!(
        detect(Some("text/html"), b"<html><p>a\0\0\0\0b\x01\x02</p>", None).map(|format| format.name),
        Ok("html")
    );
    let wide: Vec<u8> = "<html><p>宮城県の灯台</p>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(
        detect(Some("text/html; charset=utf-16le"), &wide, None).map(|format| format.name),
        Ok("html")
    );
}

#[test]
fn source_code_and_data_become_one_unchanged_code_block() {
    let python =
        "import os\n\n\ndef all_rows(path):\n    # *all* rows\n    for row in open(path):\n\tprint(row)   \n";
    let json = "{\n  \"a\": [1,\n    2],\n  \"b_c\": \"x\"\n}\n";
    let xml = "<?xml version=\"1.0\"?>\n<urlset>\n  <url><loc>https://a.example/</loc></url>\n</urlset>\n";
    for (text, mime, url, language) in [
        (python, Some("text/plain"), "https://a.example/x/rows.py", Some("python")),
        (python, Some("text/plain; charset=utf-8"), "https://a.example/raw/abc", Some("python")),
        (python, Some("text/x-python"), "https://a.example/raw/abc", Some("python")),
        (python, None, "https://a.example/rows.py?raw=1", Some("python")),
        (json, Some("application/json"), "https://a.example/api", Some("json")),
        (json, Some("application/problem+json"), "https://a.example/api", Some("json")),
        (json, Some("text/plain"), "https://a.example/api", Some("json")),
        (json, Some("text/html; charset=utf-8"), "https://a.example/api", Some("json")),
        (xml, Some("application/xml"), "https://a.example/sitemap.xml", Some("xml")),
        (xml, Some("text/xml"), "https://a.example/x", Some("xml")),
        (xml, Some("application/gpx+xml"), "https://a.example/x", Some("xml")),
        (xml, None, "https://a.example/x", Some("xml")),
        ("a {\n  b: c;\n}\n", Some("text/css"), "https://a.example/x", Some("css")),
        ("a = 1\n", Some("application/toml"), "https://a.example/x", Some("toml")),
        ("a: 1\nb:\n  - c\n", Some("application/yaml"), "https://a.example/x", Some("yaml")),
        ("a: 1\nb:\n  - c\n", Some("text/plain"), "https://a.example/x.yml", Some("yaml")),
        ("a();\n", Some("text/javascript"), "https://a.example/x", Some("javascript")),
        ("BEGIN:VCALENDAR\nEND:VCALENDAR\n", Some("text/calendar"), "https://a.example/x", Some("ics")),
    ] {
        let ExtractionOutcome::Document(document) = outcome(text.as_bytes(), mime, url) else {
            panic!("{mime:?} {url}")
        };
        let [block] = &document.blocks[..] else { panic!("{mime:?} {url}") };
        assert_eq!((block.kind, block.text.as_str()), (BlockKind::Code, text.trim_end()), "{mime:?} {url}");
        assert_eq!(block.language.as_deref(), language, "{mime:?} {url}");
        assert_eq!(document.title, url.rsplit('/').next().unwrap().split('?').next().unwrap());
        let fence = format!("```{}\n{}\n```\n", language.unwrap_or_default(), text.trim_end());
        assert_eq!(crate::render::markdown(&document.blocks), fence);
    }
}

#[test]
fn text_of_a_table_is_not_the_document_title() {
    let ExtractionOutcome::Document(document) =
        outcome(b"name,height\nlamp,12\n", Some("text/csv"), "https://a.example/x/lamps%20b.csv")
    else {
        panic!()
    };
    assert_eq!(document.title, "lamps b.csv");
}

#[test]
fn rfc_memo_retains_columns_and_diagrams() {
    let memo = "Example Working Group                                        A. Doe\nRequest for Comments: 9999                                   Example\n\n\
        \n                       The Lamp Protocol\n\nAbstract\n\n   This memo is wrapped at a width of some seventy characters, and its\n   lines are joined.\n\n\
        1.  Introduction\n\n       +------+      +------+\n       | lamp |----->| wall |\n\n       +------+      +------+\n\n\
        \x20  Name      Size\n   lamp      12\n   wall      240\n";
    let ExtractionOutcome::Document(document) =
        outcome(memo.as_bytes(), Some("text/plain"), "https://a.example/rfc9999.txt")
    else {
        panic!()
    };
    assert_eq!(document.title, "The Lamp Protocol");
    let text = crate::render::text(&document.blocks);
    for line in
        memo.lines().filter(|line| line.contains("  ") && !line.contains("memo") && !line.contains("joined"))
    {
        let is_single = ["The Lamp Protocol", "Introduction"].iter().any(|words| line.contains(words));
        assert!(is_single || text.contains(line), "{line} in {text}");
    }
    assert!(text.contains(
        "\n\nThis memo is wrapped at a width of some seventy characters, and its lines are joined.\n\n"
    ));
    assert!(text.contains("| lamp |----->| wall |\n\n       +------+"), "{text}");
}

#[test]
fn self_closed_elements_in_chapters_are_empty() {
    let chapter = |head: &str, body: &str| {
        format!(
            "<?xml version='1.0' encoding='utf-8'?><html xmlns='http://www.w3.org/1999/xhtml'><head>{head}</head>\
             <body>{body}<h1>One</h1><p>First &lt; <![CDATA[second & third]]>.</p></body></html>"
        )
    };
    for (head, body) in [
        ("<title/>", ""),
        ("<title />", "<a id='x'/>"),
        ("<title>t</title><script src='x.js'/>", ""),
        ("<style type='text/css'/>", "<div/>"),
        ("", "<iframe/>"),
        ("", "<p><textarea/></p>"),
        ("<script><![CDATA[a < b]]></script>", "<noscript/>"),
        ("<!-- <title/> -->", "<xmp/>"),
        ("", "<noframes/>"),
    ] {
        let package = "<package><manifest><item id='a' href='a.xhtml' media-type='application/xhtml+xml'/></manifest>\
             <spine><itemref idref='a'/></spine></package>";
        let book = read(epub(package, &[("a.xhtml", &chapter(head, body))]), None);
        let expected = [(BlockKind::Heading, "One"), (BlockKind::Paragraph, "First < second & third.")];
        assert_eq!(texts(&book.blocks), expected, "{head}{body}");
        assert_eq!(book.quality, Some(crate::Quality::Complete));
        let page = read(chapter(head, body).into_bytes(), Some("application/xhtml+xml"));
        assert!(page.blocks.iter().any(|block| block.text == "First < second & third."), "{head}{body}");
    }
}

#[test]
fn encrypted_chapter_makes_the_book_partial() {
    let noise: String = (1..200_u32).map(|at| char::from(u8::try_from(at % 31).unwrap())).collect();
    let package = "<package><manifest><item id='a' href='a.xhtml' media-type='application/xhtml+xml'/>\
         <item id='b' href='b.html' media-type='text/xml'/></manifest>\
         <spine><itemref idref='a'/><itemref idref='b'/></spine></package>";
    let chapters = [("a.xhtml", noise.as_str()), ("b.html", "<html><body><p>Two.</p></body></html>")];
    let book = read(epub(package, &chapters), None);
    assert_eq!(texts(&book.blocks), [(BlockKind::Paragraph, "Two.")]);
    assert_eq!(book.quality, Some(crate::Quality::Partial));
    assert_eq!(book.warnings, [crate::Warning::TruncatedSource]);
}

#[test]
fn chapter_missing_in_the_manifest_makes_the_book_partial() {
    let book = |spine: &str| {
        let package = format!(
            "<package><manifest><item id='a' href='a.xhtml' media-type='application/xhtml+xml'/>\
             <item id='s' href='s.svg' media-type='image/svg+xml'/></manifest><spine>{spine}</spine></package>"
        );
        read(epub(&package, &[("a.xhtml", "<html><body><p>One.</p></body></html>")]), None)
    };
    let (whole, part) =
        (book("<itemref idref='s'/><itemref idref='a'/>"), book("<itemref idref='a'/><itemref idref='b'/>"));
    assert_eq!((whole.quality, whole.warnings.len()), (Some(crate::Quality::Complete), 0));
    assert_eq!((part.quality, part.warnings.len()), (Some(crate::Quality::Partial), 1));
}

#[test]
fn docx_endnotes_are_linked_like_footnotes() {
    let note = |name: &str, text: &str| {
        format!(
            "<w:{name}s xmlns:w='w'><w:{name} w:id='2'><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:{name}></w:{name}s>"
        )
    };
    let document = read(
        zipped(&[
            (
                "word/document.xml",
                "<w:document xmlns:w='w'><w:body><w:p><w:r><w:t>a</w:t></w:r><w:r><w:footnoteReference w:id='2'/></w:r>\
                 <w:r><w:t>b</w:t></w:r><w:r><w:endnoteReference w:id='2'/></w:r></w:p></w:body></w:document>",
            ),
            ("word/footnotes.xml", &note("footnote", "foot")),
            ("word/endnotes.xml", &note("endnote", "end")),
        ]),
        None,
    );
    assert_eq!(crate::render::markdown(&document.blocks), "a[^1]b[^2]\n\n[^1]: foot\n\n[^2]: end\n");
}

#[test]
fn docx_field_links_strikethrough_and_pronunciations_are_read() {
    let field = |kind: &str| format!("<w:r><w:fldChar w:fldCharType='{kind}'/></w:r>");
    let run = |text: &str| format!("<w:r><w:t xml:space='preserve'>{text}</w:t></w:r>");
    let body = [
        "<w:p>".to_owned(),
        field("begin"),
        "<w:r><w:instrText xml:space='preserve'> HYPERLINK \"https://a.example/q\" </w:instrText></w:r>".to_owned(),
        field("separate"),
        run("link"),
        field("end"),
        run(" and "),
        "<w:r><w:rPr><w:strike/></w:rPr><w:t>gone</w:t></w:r>".to_owned(),
        "<w:r><w:ruby><w:rt><w:r><w:t>minato</w:t></w:r></w:rt><w:rubyBase><w:r><w:t> port</w:t></w:r></w:rubyBase></w:ruby></w:r>".to_owned(),
        "<w:r><w:sym w:font='Wingdings' w:char='F0FC'/></w:r></w:p>".to_owned(),
    ];
    let docx = format!("<w:document xmlns:w='w'><w:body>{}</w:body></w:document>", body.concat());
    let document = read(zipped(&[("word/document.xml", &docx)]), Some(DOCX));
    assert_eq!(
        crate::render::markdown(&document.blocks),
        "[link](https://a.example/q) and ~~gone~~ port(minato)✓\n"
    );
}

#[test]
fn docx_text_box_is_not_repeated() {
    let text_box = "<w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent>";
    let docx = format!(
        "<w:document xmlns:w='w' xmlns:mc='m'><w:body><w:p><w:r><mc:AlternateContent><mc:Choice>{text_box}</mc:Choice>\
         <mc:Fallback>{text_box}</mc:Fallback></mc:AlternateContent></w:r></w:p><w:p><w:r><w:t>next</w:t></w:r></w:p></w:body></w:document>"
    );
    let document = read(zipped(&[("word/document.xml", &docx)]), Some(DOCX));
    assert_eq!(texts(&document.blocks), [(BlockKind::Paragraph, "boxed"), (BlockKind::Paragraph, "next")]);
}

#[test]
fn docx_list_numbers_follow_levels_starts_and_overrides() {
    let item = |list: u8, depth: u8| {
        format!(
            "<w:p><w:pPr><w:numPr><w:ilvl w:val='{depth}'/><w:numId w:val='{list}'/></w:numPr></w:pPr>\
             <w:r><w:t>item</w:t></w:r></w:p>"
        )
    };
    let items = [item(1, 0), item(1, 1), item(1, 1), item(1, 0), item(1, 1), item(2, 0), item(3, 0)].concat();
    let docx = format!("<w:document xmlns:w='w'><w:body>{items}</w:body></w:document>");
    let level = |depth: u8, format: &str, start: u8| {
        format!("<w:lvl w:ilvl='{depth}'><w:start w:val='{start}'/><w:numFmt w:val='{format}'/></w:lvl>")
    };
    let numbering = format!(
        "<w:numbering xmlns:w='w'><w:abstractNum w:abstractNumId='7'>{}{}</w:abstractNum>\
         <w:abstractNum w:abstractNumId='8'>{}</w:abstractNum>\
         <w:num w:numId='1'><w:abstractNumId w:val='7'/></w:num><w:num w:numId='2'><w:abstractNumId w:val='8'/></w:num>\
         <w:num w:numId='3'><w:abstractNumId w:val='7'/><w:lvlOverride w:ilvl='0'><w:startOverride w:val='1'/></w:lvlOverride></w:num>\
         </w:numbering>",
        level(0, "decimal", 3),
        level(1, "lowerLetter", 1),
        level(0, "bullet", 1),
    );
    let bytes = zipped(&[("word/document.xml", &docx), ("word/numbering.xml", &numbering)]);
    let document = read(bytes, Some(DOCX));
    let numbers: Vec<_> =
        document.blocks.iter().map(|block| block.list.and_then(|list| list.number)).collect();
    assert_eq!(numbers, [Some(3), Some(1), Some(2), Some(4), Some(1), None, Some(1)]);
}

#[test]
fn docx_pictures_have_their_alternative_text() {
    let drawing = |attributes: &str| {
        format!(
            "<w:r><w:drawing><wp:inline><wp:docPr id='1' name='Picture 1' {attributes}/></wp:inline></w:drawing></w:r>"
        )
    };
    let tower = drawing("descr='A tall tower on a rock'");
    let vector = "<w:r><w:pict><v:shape alt='A tall tower on a rock'/></w:pict></w:r>";
    let text = "<w:r><w:t>before it</w:t></w:r>";
    for (body, expected) in [
        (format!("<w:p>{tower}</w:p>"), "A tall tower on a rock\n"),
        (format!("<w:p>{tower}{text}</w:p>"), "before it\n\nA tall tower on a rock\n"),
        (format!("<w:p>{}</w:p>", drawing("title='The harbour at noon'")), "The harbour at noon\n"),
        (format!("<w:p>{vector}</w:p>"), "A tall tower on a rock\n"),
        (
            format!(
                "<w:p><mc:AlternateContent><mc:Choice>{tower}</mc:Choice><mc:Fallback>{vector}</mc:Fallback></mc:AlternateContent></w:p>"
            ),
            "A tall tower on a rock\n",
        ),
        (
            format!(
                "<w:tbl><w:tr><w:tc><w:p>{text}</w:p></w:tc><w:tc><w:p>{tower}</w:p></w:tc></w:tr></w:tbl>"
            ),
            "| before it | A tall tower on a rock |\n| --- | --- |\n",
        ),
        (
            format!("<w:p>{}{}{text}</w:p>", drawing("descr='image1 of.png'"), drawing("descr='Logo'")),
            "before it\n",
        ),
    ] {
        let docx = format!("<w:document xmlns:w='w'><w:body>{body}</w:body></w:document>");
        let document = read(zipped(&[("word/document.xml", &docx)]), Some(DOCX));
        assert_eq!(crate::render::markdown(&document.blocks), expected, "{body}");
    }
}

#[test]
fn odt_pictures_have_their_name_and_description() {
    let content = "<office:document-content xmlns:office='o'><text:p>Before it<draw:frame><draw:image/><svg:title>The tower</svg:title>\
        <svg:desc>A tall tower on a rock</svg:desc></draw:frame>.</text:p></office:document-content>";
    let bytes = zipped(&[("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", content)]);
    let document = read(bytes, None);
    let expected = [
        (BlockKind::Paragraph, "Before it."),
        (BlockKind::Figure, "The tower"),
        (BlockKind::Figure, "A tall tower on a rock"),
    ];
    assert_eq!(texts(&document.blocks), expected);
}

#[test]
fn docx_content_of_other_formats_is_included() {
    let body = "<w:p><w:r><w:t>before</w:t></w:r></w:p><w:altChunk r:id='c1'/><w:p><w:r><w:t>after</w:t></w:r></w:p>";
    let docx = format!("<w:document xmlns:w='w'><w:body>{body}</w:body></w:document>");
    let document = |name: &str, text: &str| {
        let relation = format!("<Relationship Id='c1' Type='x/relationships/aFChunk' Target='{name}'/>");
        let relations = format!("<Relationships>{relation}</Relationships>");
        let path = format!("word/{name}");
        let files = [
            ("word/document.xml", docx.as_str()),
            ("word/_rels/document.xml.rels", relations.as_str()),
            (path.as_str(), text),
        ];
        read(zipped(&files), Some(DOCX))
    };
    for (name, text) in [
        ("afchunk.htm", "<html><head><title>x</title></head><body><p>chunk</p></body></html>"),
        ("afchunk.xhtml", "<?xml version='1.0'?><html><head><title/></head><body><p>chunk</p></body></html>"),
        ("afchunk.rtf", "{\\rtf1\\ansi chunk\\par}"),
        ("afchunk.txt", "chunk"),
    ] {
        let document = document(name, text);
        let words: Vec<&str> = document.blocks.iter().map(|block| block.text.as_str()).collect();
        assert_eq!(words, ["before", "chunk", "after"], "{name}");
        assert!(document.warnings.is_empty(), "{name}");
    }
    let other = document("afchunk.docx", "PK");
    assert_eq!(other.blocks.len(), 2);
    assert_eq!(other.warnings, [Warning::TruncatedSource]);
}

#[test]
fn names_in_an_archive_may_differ_in_case() {
    let package = "<package><manifest><item id='a' href='text/Chapter.xhtml#x' media-type='application/xhtml+xml'/></manifest>\
        <spine><itemref idref='a'/></spine></package>";
    let document = read(epub(package, &[("Text/chapter.XHTML", "<p>The only chapter.</p>")]), None);
    assert_eq!(texts(&document.blocks), [(BlockKind::Paragraph, "The only chapter.")]);
    assert!(document.warnings.is_empty());
    let exact = [
        ("TEXT/CHAPTER.XHTML", "<p>Another chapter.</p>"),
        ("text/Chapter.xhtml", "<p>The exact chapter.</p>"),
    ];
    assert_eq!(
        texts(&read(epub(package, &exact), None).blocks),
        [(BlockKind::Paragraph, "The exact chapter.")]
    );
}

#[test]
fn svg_pages_of_a_book_are_read() {
    let package = "<package><manifest><item id='a' href='a.svg' media-type='image/svg+xml'/>\
        <item id='b' href='b.svg' media-type='image/svg+xml'/></manifest>\
        <spine><itemref idref='a'/><itemref idref='b'/></spine></package>";
    let words = "<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'><style>text{}</style><text>Drawn words</text></svg>";
    let named = "<s:svg xmlns:s='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><s:title>The old harbour</s:title><s:text>1801</s:text></s:svg>";
    let document = read(epub(package, &[("a.svg", words), ("b.svg", named)]), None);
    let expected = [(BlockKind::Figure, "Drawn words"), (BlockKind::Figure, "The old harbour")];
    assert_eq!(texts(&document.blocks), expected);
}
