//! Rendering of blocks as safe HTML and Markdown.

use super::*;
use crate::document::{BlockKind, Link, ListItemPosition, Mark, Style};

fn block(kind: BlockKind, text: &str) -> Block {
    Block { anchor: 1, kind, text: text.to_owned(), ..Block::default() }
}

fn item(depth: u8, number: Option<u32>, text: &str) -> Block {
    Block { list: Some(ListItemPosition { depth, number }), ..block(BlockKind::ListItem, text) }
}

fn linked() -> Block {
    let mut paragraph = block(BlockKind::Paragraph, "See this page now");
    paragraph.links = vec![Link { text: "this page".into(), url: "https://a.example/(x)".into() }];
    paragraph.marks = vec![
        Mark { start: 4, end: 13, style: Style::Link(0) },
        Mark { start: 4, end: 8, style: Style::Strong },
    ];
    paragraph
}

#[test]
fn markdown_contains_marks_lists_and_code() {
    let blocks = [
        Block { level: Some(1), ..block(BlockKind::Heading, "Title") },
        linked(),
        item(0, None, "a"),
        item(1, Some(2), "b"),
        block(BlockKind::Quote, "q\nr"),
        Block { language: Some("rust".into()), ..block(BlockKind::Code, "let a = \"```\";\n```") },
        block(BlockKind::Math, "x^2"),
    ];
    assert_eq!(
        markdown(&blocks),
        "# Title\n\nSee [**this** page](https://a.example/%28x%29) now\n\n- a\n    2. b\n\n> q  \n> r\n\n\
         ````rust\nlet a = \"```\";\n```\n````\n\n$$\nx^2\n$$\n"
    );
}

#[test]
fn markdown_escapes_special_characters() {
    let text = "1. not a list\n# not a heading\n*a* [b] <c> d_e &amp; -";
    assert_eq!(
        markdown(&[block(BlockKind::Paragraph, text)]),
        "1\\. not a list  \n\\# not a heading  \n\\*a\\* \\[b\\] \\<c> d_e \\&amp; -\n"
    );
    let address = "https://a.example/a_b/c_d?e=1&f=_g";
    let expected = "https://a.example/a_b/c_d?e=1&f=\\_g\n";
    assert_eq!(markdown(&[block(BlockKind::Paragraph, address)]), expected);
}

#[test]
fn html_nests_lists_and_marks() {
    let blocks =
        [linked(), item(0, None, "a"), item(1, None, "b"), item(0, None, "c"), block(BlockKind::Quote, "q")];
    assert_eq!(
        html(&blocks),
        "<p id=\"p1\">See <a href=\"https://a.example/(x)\" rel=\"noopener nofollow\"><strong>this</strong> page</a> now</p>\n\
         <ul>\n<li id=\"p1\">a<ul>\n<li id=\"p1\">b</li>\n</ul>\n</li>\n<li id=\"p1\">c</li>\n</ul>\n\
         <blockquote>\n<p id=\"p1\">q</p>\n</blockquote>\n"
    );
}

#[test]
fn html_does_not_contain_active_content() {
    let mut evil = block(BlockKind::Paragraph, "<script>alert(1)</script><img src=x onerror=y>");
    evil.links = vec![Link { text: "x".into(), url: "javascript:alert(1)".into() }];
    evil.marks = vec![Mark { start: 0, end: 3, style: Style::Link(0) }];
    let figure = Block {
        src: Some("data:text/html,x".into()),
        alt: Some("\"><script>".into()),
        ..block(BlockKind::Figure, "cap")
    };
    let page = html(&[evil, figure, block(BlockKind::Table, "| <b>a | x\\|y |\n| --- | --- |\n| <i> | 2 |")]);
    assert!(
        !page.contains("<script")
            && !page.contains("<img")
            && !page.contains("javascript:")
            && !page.contains("data:"),
        "{page}"
    );
    assert!(page.contains("<th scope=\"col\">&lt;b&gt;a</th><th scope=\"col\">x|y</th>"), "{page}");
}

#[test]
fn marks_that_do_not_fit_the_text_are_dropped() {
    let mut broken = block(BlockKind::Paragraph, "äb");
    broken.marks = vec![
        Mark { start: 1, end: 2, style: Style::Strong },
        Mark { start: 0, end: 99, style: Style::Strong },
        Mark { start: 0, end: 2, style: Style::Emphasis },
        Mark { start: 0, end: 3, style: Style::Strong },
    ];
    assert_eq!(markdown(&[broken]), "*ä*b\n");
}

#[test]
fn markup_in_cells_and_formulas_is_escaped_in_markdown() {
    let cells = "| <script>alert(1)</script> | [x](javascript:alert(1)) |\n| --- | --- |\n| `a` \\| *b* | <img src=x onerror=y> |";
    assert_eq!(
        markdown(&[block(BlockKind::Table, cells)]),
        "| \\<script>alert(1)\\</script> | \\[x\\](javascript:alert(1)) |\n| --- | --- |\n\
         | \\`a\\` \\| \\*b\\* | \\<img src=x onerror=y> |\n"
    );
    assert_eq!(
        markdown(&[block(BlockKind::Math, "a<b <script> [x](javascript:y)")]),
        "$$\na< b < script> [x] (javascript:y)\n$$\n"
    );
    assert_eq!(markdown(&[block(BlockKind::Math, "a $$ <b>")]), "```math\na $$ <b>\n```\n");
}

#[test]
fn wide_blocks_scroll_and_tables_have_header_rows() {
    let page = html(&[
        block(BlockKind::Code, "let a = 1;"),
        block(BlockKind::Table, "| Thing | Price |\n| --- | --- |\n| Lamp | 12 |"),
    ]);
    assert!(page.contains("<pre id=\"p1\" tabindex=\"0\">"), "{page}");
    assert!(page.contains("class=\"scroll\"") && page.contains("<th scope=\"col\">Thing</th>"), "{page}");
    assert!(page.contains("<thead>") && page.contains("<td>Lamp</td>"), "{page}");
}

#[test]
fn frames_of_tables_have_different_names() {
    let table = block(BlockKind::Table, "| Thing | Price |\n| --- | --- |\n| Lamp | 12 |");
    let page = html(&[table.clone(), table]);
    for name in ["aria-label=\"Table 1\"", "aria-label=\"Table 2\""] {
        assert_eq!(page.matches(name).count(), 1, "{page}");
    }
}

#[test]
fn text_line_indicates_the_block_kind() {
    let heading = Block { level: Some(2), ..block(BlockKind::Heading, "Head") };
    assert_eq!(text_line(&heading), "## Head");
    assert_eq!(text_line(&item(1, None, "a\nb")), "  - a\n    b");
    assert_eq!(text_line(&item(0, Some(3), "a")), "3. a");
    assert_eq!(text_line(&block(BlockKind::Quote, "q\nr")), "> q\n> r");
    assert_eq!(text_line(&block(BlockKind::Code, "# no heading")), "# no heading");
}

#[test]
fn caption_is_rendered_in_its_table_or_else_as_a_paragraph() {
    let caption = Block { caption: true, ..block(BlockKind::Paragraph, "Costs & years") };
    let table = Block { anchor: 2, ..block(BlockKind::Table, "| Year |\n| --- |\n| 2019 |") };
    let markup = html(&[caption.clone(), table]);
    assert!(markup.contains("<table>\n<caption id=\"p1\">Costs &amp; years</caption>\n<thead>"), "{markup}");
    assert!(markup.contains("<th scope=\"col\">Year</th>"), "{markup}");
    assert_eq!(html(&[caption]), "<p id=\"p1\">Costs &amp; years</p>\n");
}

#[test]
fn pictures_are_rendered_before_and_after_their_block() {
    let picture = |name: &str, after: bool| crate::document::Picture {
        src: format!("https://a.example/{name}.png?a=1&b=\"2\""),
        alt: after.then(|| "A <b>".to_owned()),
        link: None,
        after,
    };
    let pictures = vec![picture("one", false), picture("two", true)];
    let block = Block { text: "Words".to_owned(), anchor: 1, pictures: pictures.clone(), ..Block::default() };
    let rendered = html_with_pictures(std::slice::from_ref(&block));
    let positions = ["one.png", "<p id=\"p1\">Words</p>", "two.png"].map(|part| rendered.find(part).unwrap());
    assert!(positions.is_sorted() && rendered.matches("<img ").count() == 2, "{rendered}");
    assert!(rendered.contains("alt=\"\"") && rendered.contains("alt=\"A &lt;b&gt;\""), "{rendered}");
    assert_eq!(html(std::slice::from_ref(&block)), "<p id=\"p1\">Words</p>\n");
    let item = |anchor| Block {
        kind: BlockKind::ListItem,
        list: Some(crate::document::ListItemPosition { depth: 0, number: None }),
        anchor,
        ..block.clone()
    };
    let list = html_with_pictures(&[item(1), item(2)]);
    assert!(!list.contains("<ul>\n<p") && !list.contains("</li>\n<p"), "{list}");
}

#[test]
fn unsorted_marks_of_a_table_do_not_panic() {
    let mut table = block(BlockKind::Table, "| a |\n| --- |\n| bcd |");
    table.marks = vec![
        Mark { start: 16, end: 17, style: Style::Strong },
        Mark { start: 17, end: 18, style: Style::Emphasis },
        Mark { start: 2, end: 3, style: Style::Strong },
    ];
    let markdown = markdown(std::slice::from_ref(&table));
    assert!(markdown.starts_with("| a |\n") && markdown.contains("**b**"), "{markdown}");
    assert!(html(&[table]).contains("<strong>b</strong>"));
}
