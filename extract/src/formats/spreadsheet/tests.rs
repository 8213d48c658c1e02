//! Sheets as tables, and sheets that exceed the limits.

use crate::formats::tests::{read, texts, zipped};
use crate::{BlockKind, Input, Quality, Warning};

const RELATIONS: &str = "<Relationships>\
    <Relationship Id='r1' Type='http://x/worksheet' Target='worksheets/sheet1.xml'/>\
    <Relationship Id='r2' Type='http://x/worksheet' Target='/xl/worksheets/sheet2.xml'/>\
    <Relationship Id='r3' Type='http://x/chartsheet' Target='charts/1.xml'/></Relationships>";

fn xlsx(first: &str, second: &str) -> crate::Document {
    let bytes = zipped(&[
        (
            "xl/workbook.xml",
            "<workbook><sheets><sheet name='Plan &amp; more' sheetId='1' r:id='r1'/>\
             <sheet name='Secret' sheetId='2' state='hidden' r:id='r2'/></sheets></workbook>",
        ),
        ("xl/_rels/workbook.xml.rels", RELATIONS),
        (
            "xl/sharedStrings.xml",
            "<sst><si><t>Name</t></si><si><r><t>in </t></r><r><t>parts</t></r><rPh><t>kana</t></rPh></si></sst>",
        ),
        (
            "xl/styles.xml",
            "<styleSheet><numFmts><numFmt numFmtId='170' formatCode='yyyy\\-mm'/></numFmts>\
             <cellStyleXfs><xf numFmtId='14'/></cellStyleXfs><cellXfs><xf numFmtId='0'/><xf numFmtId='170'/></cellXfs></styleSheet>",
        ),
        ("xl/worksheets/sheet1.xml", first),
        ("xl/worksheets/sheet2.xml", second),
        ("docProps/core.xml", "<p><dc:title>The Book</dc:title></p>"),
    ]);
    read(bytes, None)
}

#[test]
fn sheet_becomes_a_heading_and_a_table() {
    let sheet = "<worksheet><sheetData><row r='1'><c r='A1' t='s'><v>0</v></c><c r='C1' t='inlineStr'><is><t>a|b</t></is></c></row>\
        <row r='2'><c r='A2' t='s'><v>1</v></c><c r='B2' s='1'><v>45292</v></c><c r='C2'><f>1/3</f><v>0.30000000000000004</v></c></row>\
        <row r='3'/><row r='4'><c t='b'><v>1</v></c><c t='e'><v>#N/A</v></c></row></sheetData></worksheet>";
    let document = xlsx(sheet, "<worksheet><row><c t='str'><v>hidden</v></c></row></worksheet>");
    assert_eq!(document.title, "The Book");
    assert_eq!(document.source.as_str(), "office");
    assert_eq!(
        texts(&document.blocks),
        [
            (BlockKind::Heading, "Plan & more"),
            (
                BlockKind::Table,
                "| Name |  | a\\|b |\n| --- | --- | --- |\n| in parts | 2024-01-01 | 0.3 |\n| TRUE | #N/A |  |"
            ),
        ]
    );
    assert_eq!(document.warnings, [Warning::HiddenTextRemoved]);
}

#[test]
fn cells_beyond_the_column_limit_are_dropped() {
    let sheet = "<worksheet><row r='1048576'><c r='A1048576'><v>1</v></c><c r='XFD1048576'><v>2</v></c>\
        <c r='ZZZZZZZZZ1'><v>3</v></c></row></worksheet>";
    let document = xlsx(sheet, "");
    assert_eq!(texts(&document.blocks)[1], (BlockKind::Table, "| 1 |\n| --- |"));
    assert_eq!(document.quality, Some(Quality::Partial));
    assert!(document.warnings.contains(&Warning::TruncatedSource));
}

#[test]
fn cells_beyond_the_file_limit_are_dropped() {
    let mut sheets = super::sheets::Sheets::default();
    for _ in 0..super::sheets::MAX_CELLS {
        sheets.put(0, "1");
        sheets.end_row(1);
    }
    assert!(!sheets.cut);
    sheets.put(0, "1");
    assert!(sheets.cut);
}

#[test]
fn ods_repeat_counts_are_bounded() {
    let ods = |body: &str| {
        let content = format!(
            "<office:document-content><table:table table:name='T'>{body}</table:table></office:document-content>"
        );
        read(
            zipped(&[
                ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
                ("content.xml", &content),
            ]),
            None,
        )
    };
    let document = ods(
        "<table:table-row><table:table-cell table:number-columns-repeated='2'><text:p>a</text:p></table:table-cell>\
         <table:table-cell><office:annotation><text:p>remark</text:p></office:annotation><text:p>b</text:p><text:p>c</text:p></table:table-cell>\
         <table:table-cell table:number-columns-repeated='16000'/></table:table-row>\
         <table:table-row table:number-rows-repeated='1000000'><table:table-cell/></table:table-row>\
         <table:table-row table:number-rows-repeated='2'><table:table-cell><text:p>1</text:p></table:table-cell></table:table-row>",
    );
    assert_eq!(
        texts(&document.blocks)[1].1,
        "| a | a | b c |\n| --- | --- | --- |\n| 1 |  |  |\n| 1 |  |  |"
    );
    let bomb = "<table:table-row table:number-rows-repeated='18446744073709551615'>\
        <table:table-cell table:number-columns-repeated='18446744073709551615'><text:p>x</text:p></table:table-cell></table:table-row>";
    assert_eq!(ods(bomb).quality, Some(Quality::Partial));
}

#[test]
fn delimited_text_is_read_as_a_table() {
    for (text, mime) in [
        ("name;value\n\"a;b\";1\n", "text/csv"),
        ("name\tvalue\na;b\t1\n", "text/tab-separated-values"),
        ("\u{feff}name,value\n\"a;b\",1\n", "application/csv"),
    ] {
        let document = read(text.as_bytes().to_vec(), Some(mime));
        assert_eq!(
            texts(&document.blocks),
            [(BlockKind::Table, "| name | value |\n| --- | --- |\n| a;b | 1 |")]
        );
    }
    let named = Input {
        bytes: b"a,b\n1,2".to_vec(),
        content_type: Some("text/plain".into()),
        url: Some("https://a.example/x.csv".into()),
    };
    assert!(
        matches!(crate::extract(&named), crate::ExtractionOutcome::Document(document) if document.blocks[0].kind == BlockKind::Table)
    );
}
