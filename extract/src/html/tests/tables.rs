//! Cells of data tables.

use super::{blocks, blocks_of, parse_page, templates, texts};
use crate::{document::BlockKind, render};

#[test]
fn table_cells_contain_links_code_and_emphasis() {
    let blocks = blocks_of(
        "<table><tr><th>Call<th><b>Use</b><tr><td><a href=/open><code>open(a|b)</code></a><td>Opens <em>one</em> of <a href='/x|y'>two</a>\
         <tr><td><pre>close()</pre><td><p>One.<p>Two<br>lines | 3.</table>",
    );
    assert_eq!(
        blocks[0].text,
        "| Call | Use |\n| --- | --- |\n| open(a\\|b) | Opens one of two |\n| close() | One. Two lines \\| 3. |"
    );
    let links: Vec<_> = blocks[0].links.iter().map(|link| (link.text.as_str(), link.url.as_str())).collect();
    assert_eq!(links, [("open(a|b)", "https://a.example/open"), ("two", "https://a.example/x|y")]);
    let markdown = render::markdown(&blocks);
    let row = "Opens *one* of [two](https://a.example/x%7Cy) |\n| `close()` | One. Two lines \\| 3. |\n";
    assert!(
        markdown.starts_with("| Call | **Use** |\n| --- | --- |\n") && markdown.ends_with(row),
        "{markdown}"
    );
    assert!(markdown.contains("`open(a\\|b)`"), "{markdown}");
    let html = render::html(&blocks);
    assert!(html.contains("<th scope=\"col\"><strong>Use</strong></th>"), "{html}");
    assert!(
        html.contains("open(a|b)</")
            && html.contains("https://a.example/open")
            && html.contains("<td>Opens <em>one</em> of <a href="),
        "{html}"
    );
    assert!(html.contains("<code>close()</code></td><td>One. Two lines | 3.</td>"), "{html}");
}

#[test]
fn column_has_the_alignment_of_most_of_its_cells() {
    let rule = |table: &str| blocks_of(table)[0].text.lines().nth(1).unwrap_or_default().to_owned();
    let expected = "| :--- | :---: | ---: | --- |";
    for cells in [
        ["align=left", "align=center", "align=right", ""],
        [
            "style='text-align: left'",
            "style='color:red;text-align:center;'",
            "style='text-align:end !important'",
            "style='x:y'",
        ],
        ["class=text-left", "class='a has-text-align-center'", "class=text-end", "class=left-behind"],
    ] {
        let [a, b, c, d] = cells;
        let row = format!("<tr><td {a}>1<td {b}>2<td {c}>3<td {d}>4");
        assert_eq!(rule(&format!("<table><tr><th>a<th>b<th>c<th>d{row}{row}</table>")), expected, "{row}");
    }
    let columns = "<colgroup><col align=left><col align=center><col align=right><col></colgroup>";
    assert_eq!(
        rule(&format!("<table>{columns}<tr><th>a<th>b<th>c<th>d<tr><td>1<td>2<td>3<td>4</table>")),
        expected
    );
    assert_eq!(
        rule("<table><tr align=center><th>a<th>b<tr align=right><td>1<td>2</table>"),
        "| ---: | ---: |"
    );
    assert_eq!(rule("<table><tr><th align=center>a<th>b<tr><td>1<td>2</table>"), "| --- | --- |");
}

#[test]
fn row_spans_do_not_extend_beyond_their_part_of_the_table() {
    let table = texts(
        "<table><tfoot><tr><td>Sum<td>8</tfoot><thead><tr><th rowspan=9>Port<th>Boats</thead><tbody><tr><td rowspan=0>Skerrow<td>3<tr>\
         <td>5</tbody><tbody><tr><td>Vik<td>0</tbody></table>",
    );
    let expected = "| Port | Boats |\n| --- | --- |\n| Skerrow | 3 |\n|  | 5 |\n| Vik | 0 |\n| Sum | 8 |";
    assert_eq!(table, [(BlockKind::Table, expected.to_owned())]);
    let wide: String = (0..80).map(|column| format!("<td>c{column}")).collect::<Vec<_>>().concat();
    let wide = texts(&format!("<table><tr>{wide}<tr>{wide}</table>"));
    assert!(wide[0].1.ends_with("| c79 |"), "{wide:?}");
}

#[test]
fn table_with_a_section_in_a_cell_is_a_data_table_only_with_a_head_row() {
    for section in [
        "<blockquote>Calm</blockquote>",
        "<section>Calm</section>",
        "<form>Calm</form>",
        "<h3>Calm</h3>",
        "<pre>Calm\nlee</pre>",
    ] {
        let rows = format!("<tr><td>Vik<td>{section}</table>");
        let kind = |start: &str| texts(&format!("{start}{rows}"))[0].0;
        assert_eq!(kind("<table><tr><th>Port<th>Note"), BlockKind::Table, "{section}");
        assert_ne!(kind("<table><tr><td>Port<td>Note"), BlockKind::Table, "{section}");
        assert_ne!(kind("<table role=presentation><tr><th>Port<th>Note"), BlockKind::Table, "{section}");
    }
}

#[test]
fn footnote_in_a_row_without_text_becomes_a_block() {
    let blocks = blocks_of(
        "<table><tr><th>Port<th>Boats<tr><td>Vik<td>3<sup><a href=#n1>1</a></sup>\
         <tr><td colspan=2><p id=n1>As counted at noon.</p></table>",
    );
    assert_eq!(blocks[0].text, "| Port | Boats |\n| --- | --- |\n| Vik | 3[^1] |");
    assert_eq!((blocks[1].text.as_str(), blocks[1].note.as_deref()), ("As counted at noon.", Some("1")));
}

#[test]
fn spanned_columns_are_limited() {
    let wide = "<td rowspan=2 colspan=60>a".repeat(30);
    let table = &texts(&format!("<table><tr>{wide}<tr><td>x<td>y</table>"))[0].1;
    let last = table.lines().last().unwrap();
    assert_eq!(last.find("| x | y |"), Some(1_000 * "|  ".len()), "{last}");
}

#[test]
fn cell_with_only_an_image_contains_its_alternative_text() {
    let blocks = blocks_of(
        "<table><tr><th>Port<th>Open<tr><td><img src=/v.png alt='Harbour of Vik'>Vik<td><img src=/yes.png alt='Open all year'></table>",
    );
    assert_eq!(blocks[0].text, "| Port | Open |\n| --- | --- |\n| Vik | Open all year |");
    assert_eq!(blocks[0].pictures.len(), 2);
    let blocks = blocks_of(
        "<table><tr><th>Plan<th>Sync<tr><td>Free<td><img src=/no.png width=16 alt=No><tr><td>Pro<td><img src=data:image/png;base64,AA== alt=Yes></table>",
    );
    assert_eq!(blocks[0].text, "| Plan | Sync |\n| --- | --- |\n| Free | No |\n| Pro | Yes |");
    assert!(blocks[0].pictures.is_empty());
}

#[test]
fn cell_with_only_an_icon_contains_its_name() {
    let cells = [
        ("<svg aria-label=No><path d=M0 /></svg>", "No"),
        ("<svg><title>Yes</title><path d=M0 /></svg>", "Yes"),
        ("<i class=icon title='Every | day'></i>", "Every \\| day"),
        ("<i class=icon></i>", ""),
        ("<span class=icon title=No>of course</span>", "of course"),
        ("<svg aria-label=Sun><title>Sun</title></svg> <i title=Rain></i>", "Sun Rain"),
        (
            "<svg hidden aria-label=No></svg><span style=display:none><i title=No></i></span><i title=Yes></i>",
            "Yes",
        ),
        ("<button><svg aria-label=Copy></svg></button><a role=button><i title=Edit></i></a>", ""),
    ];
    for (cell, expected) in cells {
        let table = texts(&format!("<table><tr><th>Plan<th>Sync<tr><td>Free<td>{cell}</table>"));
        assert_eq!(table[0].1, format!("| Plan | Sync |\n| --- | --- |\n| Free | {expected} |"), "{cell}");
    }
}

#[test]
fn name_of_an_icon_in_an_unselected_row_is_omitted() {
    let page = parse_page(
        "<table><tr><th>Plan<th>Sync<tr><td>Free<td><i title=No></i><tr><td>Pro<td><i title=Yes></i></table>",
    );
    let page = page.unwrap();
    let mut keep = vec![true; page.len()];
    let last = (1..page.len()).rfind(|&id| page.is(id, "tr")).unwrap();
    keep[page.subtree(last)].fill(false);
    let blocks = blocks::walk(&page, 0, &keep, None, &templates::LayoutPlan::default());
    assert_eq!(blocks[0].text, "| Plan | Sync |\n| --- | --- |\n| Free | No |");
}

#[test]
fn image_names_in_a_cell_are_separated_by_spaces() {
    let table = texts(
        "<table><tr><th>Plan<th>Sync<tr><td>Free<td><img src=/y.png alt=Yes><img src=/n.png alt=No></table>",
    );
    assert_eq!(table[0].1, "| Plan | Sync |\n| --- | --- |\n| Free | Yes No |");
}

#[test]
fn tables_with_one_column_or_headings_in_the_head_are_data_tables() {
    assert_eq!(texts("<table><tr><th>Port<tr><td>Vik<tr><td>Skerrow</table>")[0].0, BlockKind::Table);
    let plans = texts("<table><tr><th><h3>Free</h3><th><h3>Pro</h3><tr><td>1<td>2</table>");
    assert_eq!(plans, [(BlockKind::Table, "| Free | Pro |\n| --- | --- |\n| 1 | 2 |".to_owned())]);
    let layout = texts("<table><tr><td><h2>One</h2><p>Text</p><tr><td><h2>Two</h2><p>Text</p></table>");
    assert_eq!(layout.iter().filter(|(kind, _)| *kind == BlockKind::Heading).count(), 2);
}

#[test]
fn figure_with_images_in_a_table_retains_the_table() {
    let blocks = blocks_of(
        "<figure><table><tr><th>Model<th>Lamp<tr><td>North<td><img src=/no.svg alt=No></table>\
         <figcaption>What each has</figcaption></figure>",
    );
    assert_eq!(
        (blocks[0].kind, blocks[0].text.as_str()),
        (BlockKind::Table, "| Model | Lamp |\n| --- | --- |\n| North | No |")
    );
    assert_eq!(blocks[1].text, "What each has");
}

#[test]
fn table_with_headings_in_its_head_is_a_data_table() {
    let blocks = blocks_of(
        "<table><thead><tr><td></td><td><h3>Free</h3></td><td><h3>Team</h3></td></tr></thead>\
         <tbody><tr><td>Users</td><td>1</td><td>10</td></tr></tbody></table>",
    );
    assert_eq!(blocks[0].text, "|  | Free | Team |\n| --- | --- | --- |\n| Users | 1 | 10 |");
}
