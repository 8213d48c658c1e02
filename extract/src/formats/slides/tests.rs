//! Slides in order, with their notes and tables.

use crate::formats::tests::{read, zipped};
use crate::{BlockKind, Document, Warning};

fn page_blocks(document: &Document) -> Vec<(Option<u32>, BlockKind, &str)> {
    document.blocks.iter().map(|block| (block.page, block.kind, block.text.as_str())).collect()
}

#[test]
fn slides_are_read_in_order_with_notes() {
    let shape = |kind: &str, text: &str| {
        format!("<p:sp><p:nvPr><p:ph type='{kind}'/></p:nvPr><p:txBody>{text}</p:txBody></p:sp>")
    };
    let line = |text: &str| format!("<a:p><a:pPr lvl='1'/><a:r><a:t>{text}</a:t></a:r></a:p>");
    let first = format!(
        "<p:sld>{}{}{}<a:tbl><a:tr><a:tc><a:p><a:r><a:t>x</a:t></a:r></a:p></a:tc><a:tc><a:p><a:r><a:t>y</a:t></a:r></a:p></a:tc></a:tr></a:tbl></p:sld>",
        shape("ctrTitle", &line("Why")),
        shape("body", &(line("one") + &line("two"))),
        shape("sldNum", &line("1")),
    );
    let bytes = zipped(&[
        (
            "ppt/presentation.xml",
            "<p:presentation><p:sldIdLst><p:sldId id='256' r:id='r2'/><p:sldId id='257' r:id='r1'/><p:sldId id='258' r:id='r3'/></p:sldIdLst></p:presentation>",
        ),
        (
            "ppt/_rels/presentation.xml.rels",
            "<Relationships><Relationship Id='r1' Type='t/slide' Target='slides/a.xml'/>\
             <Relationship Id='r2' Type='t/slide' Target='slides/b.xml'/><Relationship Id='r3' Type='t/slide' Target='slides/c.xml'/></Relationships>",
        ),
        (
            "ppt/slides/a.xml",
            "<p:sld><p:sp><p:txBody><a:p><a:r><a:t>Last</a:t></a:r></a:p></p:txBody></p:sp></p:sld>",
        ),
        ("ppt/slides/b.xml", &first),
        ("ppt/slides/c.xml", "<p:sld show='0'><p:sp><a:p><a:r><a:t>unseen</a:t></a:r></a:p></p:sp></p:sld>"),
        (
            "ppt/slides/_rels/b.xml.rels",
            "<Relationships><Relationship Id='n' Type='t/notesSlide' Target='../notesSlides/n.xml'/></Relationships>",
        ),
        (
            "ppt/notesSlides/n.xml",
            "<p:notes><p:sp><p:txBody><a:p><a:r><a:t>Say this.</a:t></a:r></a:p></p:txBody></p:sp></p:notes>",
        ),
    ]);
    let document = read(bytes, None);
    assert_eq!(document.title, "Why");
    assert_eq!(
        page_blocks(&document),
        [
            (Some(1), BlockKind::Heading, "Why"),
            (Some(1), BlockKind::ListItem, "one"),
            (Some(1), BlockKind::ListItem, "two"),
            (Some(1), BlockKind::Table, "| x | y |\n| --- | --- |"),
            (Some(1), BlockKind::Paragraph, "Say this."),
            (Some(2), BlockKind::Paragraph, "Last"),
        ]
    );
    assert_eq!(document.warnings, [Warning::HiddenTextRemoved]);
}

#[test]
fn odp_slides_are_read_as_pages() {
    let content = "<office:presentation><draw:page draw:name='p1'>\
        <draw:frame presentation:class='title'><draw:text-box><text:p>Title</text:p></draw:text-box></draw:frame>\
        <draw:frame presentation:class='outline'><draw:text-box><text:list><text:list-item><text:p>a<text:s/>b</text:p></text:list-item></text:list></draw:text-box></draw:frame>\
        <draw:frame presentation:class='page-number'><text:p>1</text:p></draw:frame></draw:page>\
        <draw:page draw:name='p2'><draw:frame><draw:text-box><text:p>Text</text:p></draw:text-box></draw:frame></draw:page></office:presentation>";
    let bytes =
        zipped(&[("mimetype", "application/vnd.oasis.opendocument.presentation"), ("content.xml", content)]);
    assert_eq!(
        page_blocks(&read(bytes, None)),
        [
            (Some(1), BlockKind::Heading, "Title"),
            (Some(1), BlockKind::ListItem, "a b"),
            (Some(2), BlockKind::Paragraph, "Text"),
        ]
    );
}
