//! Markdown that is read as blocks.

use super::*;

fn texts(text: &str) -> Vec<(BlockKind, String)> {
    read_text(text, None).blocks.into_iter().map(|block| (block.kind, block.text)).collect()
}

#[test]
fn block_kinds_are_recognised() {
    let text = "# A *head*\n\nOne\ntwo **three**.\n\n1. a\n   - b\n2. c\n\n> q\n\n```rust\nfn x() {}\n```\n\n| a | b |\n|---|---|\n| 1 | x\\|y |\n\n$$x^2$$\n\nNote[^1].\n\n[^1]: The note.\n";
    assert_eq!(
        texts(text),
        [
            (BlockKind::Heading, "A head".into()),
            (BlockKind::Paragraph, "One two three.".into()),
            (BlockKind::ListItem, "a".into()),
            (BlockKind::ListItem, "b".into()),
            (BlockKind::ListItem, "c".into()),
            (BlockKind::Quote, "q".into()),
            (BlockKind::Code, "fn x() {}".into()),
            (BlockKind::Table, "| a | b |\n| --- | --- |\n| 1 | x\\|y |".into()),
            (BlockKind::Math, "x^2".into()),
            (BlockKind::Paragraph, "Note[^1].".into()),
            (BlockKind::Footnote, "The note.".into()),
        ]
    );
}

#[test]
fn front_matter_sets_title_author_and_date() {
    let reading = read_text("---\ntitle: \"A title\"\nauthor: Eva\ndate: 2026-01-02\n---\n\nText.", None);
    assert_eq!(reading.title.as_deref(), Some("A title"));
    assert_eq!(reading.author.as_deref(), Some("Eva"));
    assert_eq!(reading.published_at.as_deref(), Some("2026-01-02"));
    assert_eq!(reading.blocks.len(), 1);
}

#[test]
fn links_are_resolved_and_scripts_are_dropped() {
    let reading = read_text(
        "See [this](../x) and <b>that</b>.\n\n<script>alert(1)</script>\n",
        Some("https://a.example/d/p"),
    );
    assert_eq!(reading.blocks.len(), 1);
    assert_eq!(reading.blocks[0].text, "See this and that.");
    assert_eq!(reading.blocks[0].links[0].url, "https://a.example/x");
}

#[test]
fn blocks_are_unchanged_by_a_markdown_round_trip() {
    let text = "# Head\n\nA *b* [c](https://a.example/) 1. d \\* e\\_f.\n\n- one\n    1. two\n- three\n\n> q\n\n```\ncode\n```\n";
    let first = read_text(text, None).blocks;
    let second = read_text(&crate::render::markdown(&first), None).blocks;
    let plain = |blocks: &[Block]| {
        blocks.iter().map(|block| (block.kind, block.text.clone(), block.list)).collect::<Vec<_>>()
    };
    assert_eq!(plain(&first), plain(&second));
}

#[test]
fn table_columns_retain_their_alignment() {
    let blocks = read_text("| a | b | c | d |\n|:--|:-:|--:|---|\n| 1 | 2 | 3 | 4 |\n", None).blocks;
    assert_eq!(blocks[0].text, "| a | b | c | d |\n| :--- | :---: | ---: | --- |\n| 1 | 2 | 3 | 4 |");
}

/// Markdown of a text after it was read.
fn markdown(text: &str) -> String {
    let blocks = read_text(text, Some("https://a.example/d/p")).blocks;
    crate::render::markdown(&blocks).trim_end().to_owned()
}

#[test]
fn blocks_of_raw_html_are_read() {
    for (text, expected) in [
        (
            "<table>\n<tr><th>A<th>B\n<tr><td>1<td><a href=/x>two</a>\n</table>\n\nEnd.",
            "| A | B |\n| --- | --- |\n| 1 | [two](https://a.example/x) |\n\nEnd.",
        ),
        (
            "<details>\n<summary>More</summary>\n\nHidden *text*.\n\n</details>\n\nEnd.",
            "More\n\nHidden *text*.\n\nEnd.",
        ),
        ("<h1 align=center>Lamp</h1>\n\n<p>For <b>all</b>.</p>", "# Lamp\n\nFor **all**."),
        ("<pre>\na  b\n  c\n</pre>\n\n<ul><li>one<li>two</ul>", "```\na  b\n  c\n```\n\n- one\n- two"),
        ("> <div>\n> Quoted.\n> </div>", "> Quoted."),
        ("- <div>First.</div>\n- second", "- First.\n- second"),
        ("<!-- a note -->\n\n<style>\np {}\n</style>\n\nEnd.", "End."),
        ("One.\n\n<p align=center>\n<img src=/a.png>\n</p>", "One.\n\n![](https://a.example/a.png)"),
    ] {
        assert_eq!(markdown(text), expected, "{text}");
    }
}

#[test]
fn raw_tags_in_a_line_are_read() {
    for (text, expected) in [
        ("See <a href=\"/x\">it</a> here.", "See [it](https://a.example/x) here."),
        ("Press <kbd>Ctrl</kbd>, <B>now</B>.", "Press `Ctrl`, **now**."),
        ("H<sub>2</sub>O <span class=a>and</span> <del>ice</del>.", "H₂O and ~~ice~~."),
        ("An <b>open tag.\n\nNext.", "An **open tag.**\n\nNext."),
        ("*a <b>b* c</b> d", "*a **b*** c d"),
        ("Text <img src=/a.png> on.", "Text on.\n\n![](https://a.example/a.png)"),
        ("One.\n\n<video src=/v.mp4></video>", "One.\n\n[v.mp4](https://a.example/v.mp4)"),
        ("One<br>two", "One  \ntwo"),
    ] {
        assert_eq!(markdown(text), expected, "{text}");
    }
}

#[test]
fn type_arguments_are_text() {
    let blocks = read_text("A Vec<T> or an Iterator<I> of a Vec<String> here<Br>end.", None).blocks;
    assert_eq!(blocks[0].text, "A Vec<T> or an Iterator<I> of a Vec<String> here\nend.");
    assert_eq!(blocks[0].marks.len(), 0);
}

#[test]
fn video_in_a_cell_or_heading_is_dropped_and_the_text_is_retained() {
    let text = "| A | B |\n|---|---|\n| one <video src=https://a.example/v.mp4></video> | two |";
    let blocks = read_text(text, None).blocks;
    let table = blocks.last().map(|table| table.text.as_str());
    assert_eq!(table, Some("| A | B |\n| --- | --- |\n| one | two |"));
    let blocks = read_text("# Town <video src=https://a.example/v.mp4></video> map", None).blocks;
    let heading = blocks.last().map(|heading| (heading.kind, heading.text.as_str()));
    assert_eq!(heading, Some((BlockKind::Heading, "Town map")));
}

#[test]
fn omitted_html_is_reported() {
    let text = "<p>One.</p>\n\n".repeat(2001);
    let draft = read_text(&text, None);
    assert_eq!((draft.blocks.len(), draft.warnings.len()), (2000, 1));
}

#[test]
fn tag_with_many_attributes_is_not_parsed() {
    let attributes: Vec<String> = (0..100_000).map(|number| format!(" a{number}")).collect();
    let draft = read_text(&format!("See <a{} href=/x>it</a> here.", attributes.concat()), None);
    assert_eq!((draft.blocks[0].text.as_str(), draft.blocks[0].links.len()), ("See it here.", 0));
    assert_eq!(draft.warnings.len(), 1);
}
