//! Data tables and sections of layout tables in a text, and tables that do not belong to the text.

use super::WholeParts;
use crate::{
    document::BlockKind,
    html::{
        disclosures::Disclosures,
        hidden,
        main_part::units,
        parse_page, read,
        tests::{AFTER, BEFORE},
    },
    render,
};

/// Markdown of an article with `body` between its paragraphs, and `below` after the article.
fn markdown_with(body: &str, below: &str) -> String {
    let markup = format!(
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>The ledger</title></head><body><header><nav><a href=/>Home\
         </a></nav></header><main><article><h1>The ledger</h1><p>{BEFORE}</p>{body}<p>{AFTER}</p><p>{BEFORE} It went on.</p></article>\
         </main>{below}<footer>© Example</footer></body></html>"
    );
    render::markdown(&read(&markup, Some("https://example.com/d/x")).unwrap().blocks)
}

fn markdown(body: &str) -> String {
    markdown_with(body, "")
}

#[test]
fn table_between_paragraphs_is_selected_completely() {
    let small = "<table><tr><th>Year</th><th>Ships</th></tr><tr><td>1901</td><td>12</td></tr><tr><td>1902</td><td>14</td></tr></table>";
    let small_rows = "| Year | Ships |\n| --- | --- |\n| 1901 | 12 |\n| 1902 | 14 |\n";
    let plain = "<table><tr><td>Lamp</td><td>4</td></tr><tr><td>Rope</td><td>9</td></tr></table>";
    let named = "<table><tbody><tr><th colspan=2>North Tower</th></tr><tr><th scope=row>Height</th><td>12 m</td></tr><tr><th>Built</th>\
                 <td>1881</td></tr><tr><th>Operator</th><td>Harbour Office of the North</td></tr></tbody></table>";
    let links: String = (0..6)
        .map(|at| format!("<tr><td><a href=/n{at}>Lamp {at}</a></td><td><a href=https://s{at}.example>s{at}.example</a></td></tr>"))
        .collect::<Vec<_>>().concat();
    let links =
        format!("<table><thead><tr><th>Name</th><th>Site</th></tr></thead><tbody>{links}</tbody></table>");
    for (body, rows) in [
        (small.to_owned(), small_rows),
        (format!("<p>The table shows them:</p>{small}"), small_rows),
        (format!("<h2>Ships</h2>{small}"), small_rows),
        (
            format!("<h2>Ships</h2>{small}<h2>Stores</h2>{plain}"),
            "## Stores\n\n| Lamp | 4 |\n| --- | --- |\n| Rope | 9 |\n",
        ),
        (format!("<div class=table-responsive><div>{small}</div></div>"), small_rows),
        (
            format!(
                "<figure class=wp-block-table>{small}<figcaption>Ships of two years</figcaption></figure>"
            ),
            small_rows,
        ),
        (
            format!("<figure><figcaption>Ships of two years</figcaption>{small}</figure>"),
            "Ships of two years",
        ),
        (plain.to_owned(), "| Lamp | 4 |\n| --- | --- |\n| Rope | 9 |\n"),
        (
            named.to_owned(),
            "| North Tower |  |\n| --- | --- |\n| Height | 12 m |\n| Built | 1881 |\n| Operator | Harbour Office",
        ),
        (
            links.clone(),
            "| Name | Site |\n| --- | --- |\n| [Lamp 0](https://example.com/n0) | [s0.example](https://s0.example/) |\n",
        ),
        (links, "| [Lamp 5](https://example.com/n5) | [s5.example](https://s5.example/) |\n"),
    ] {
        let markdown = markdown(&body);
        assert!(markdown.contains(rows) && markdown.contains("before dawn"), "{body}: {markdown}");
    }
}

#[test]
fn table_without_header_is_selected_completely() {
    let rows: String = (1..=40)
        .map(|number| {
            format!(
                "<tr class=row-{number}><td>{number}</td><td>Kay Doe</td><td>{}</td><td>{}</td><td>0</td><td>{}</td></tr>",
                2400 - 30 * number,
                number % 3,
                number % 12
            )
        })
        .collect::<Vec<_>>().concat();
    let head = "<tr class=colhead><td><b>Pos.</b></td><td><b>Driver</b></td><td><b>Points</b></td><td><b>Wins</b></td><td><b>Poles</b>\
                </td><td><b>Top 10</b></td></tr>";
    let page = format!(
        "<html><head><title>Standings</title></head><body><nav><ul><li><a href=/>Home</a></li><li><a href=/n>News</a></li></ul></nav>\
         <div id=content><article><h1>Standings</h1><p>On this page stands the table after the last race, and it is up to date.</p>\
         <table class=tablehead>{head}{rows}</table></article></div></body></html>"
    );
    let blocks = read(&page, Some("https://example.com/d/x")).unwrap().blocks;
    let text = render::markdown(&blocks);
    for number in 1..=40 {
        let row =
            format!("| {number} | Kay Doe | {} | {} | 0 | {} |", 2400 - 30 * number, number % 3, number % 12);
        assert!(text.contains(&row), "{row}: {text}");
    }
    assert!(text.contains("| **Pos.** | **Driver** | **Points** |"), "{text}");
}

#[test]
fn irregular_table_without_header_is_selected_completely_or_dropped() {
    let table = "<table><tr><td colspan=3>Stores of the tower for the next month</td></tr><tr><td>Lamp</td><td>4</td></tr>\
                 <tr><td>Anchor chain of forty fathoms</td></tr><tr><td>Rope</td><td>9</td><td>new</td></tr></table>";
    for body in
        [table.to_owned(), format!("<h2>Stores</h2>{table}"), format!("<div class=widget>{table}</div>")]
    {
        let markdown = markdown(&body);
        let cells = ["Stores of the tower", "Lamp", "| 4 |", "Anchor chain", "Rope", "| 9 | new |"];
        let count = cells.iter().filter(|cell| markdown.contains(**cell)).count();
        assert!(count == 0 || count == cells.len(), "{body}: {markdown}");
    }
}

#[test]
fn nested_table_retains_its_own_rows() {
    let inner = "<table><tr><td>k1</td><td>v1</td></tr><tr><td>k2</td><td>v2</td></tr></table>";
    let text = markdown(&format!("<table><tr><td>Outer</td><td>{inner}</td></tr></table>"));
    assert!(text.contains("Outer") && text.contains("| k1 | v1 |\n| --- | --- |\n| k2 | v2 |"), "{text}");
    let table = format!(
        "<table><tr><th>Name</th><th>Values</th></tr><tr><td>Outer</td><td>{inner}</td></tr></table>"
    );
    assert!(markdown(&table).contains("| Outer | k1 v1 k2 v2 |"), "{}", markdown(&table));
}

#[test]
fn sections_of_a_layout_table_are_selected_completely() {
    let one = "<h2>Projects</h2><ul><li><a href=/1>One</a> - a cool project</li><li><a href=/2>Two</a> - another</li></ul>";
    let two = "<h2>Contact</h2><p>Write to keeper at example.</p>";
    for body in [
        format!("<table width=100%><tr><td>{one}{two}</td></tr></table>"),
        format!("<table><tr><td>{one}</td></tr><tr><td>{two}</td></tr></table>"),
        format!("<table role=presentation><tr><td>{one}</td><td>{two}</td></tr></table>"),
    ] {
        let markdown = markdown(&body);
        for words in [
            "## Projects",
            "[One](https://example.com/1) - a cool project",
            "- another",
            "## Contact",
            "Write to keeper",
        ] {
            assert!(markdown.contains(words), "{body}: {markdown}");
        }
    }
}

#[test]
fn table_outside_the_text_is_dropped() {
    let calendar = "<table id=wp-calendar><caption>May 2024</caption><tr><th>Mo</th><th>Tu</th></tr><tr><td>1</td><td>2</td></tr></table>";
    let menu = "<table><tr><td><a href=/a>Harbours</a></td><td><a href=/b>Towers</a></td></tr><tr><td><a href=/c>Boats</a></td>\
                <td><a href=/d>Lamps</a></td></tr></table>";
    let prices = "<table><tr><th>Fund</th><th>Price</th></tr><tr><td>Northern</td><td>12</td></tr></table>";
    for (body, below) in [
        (String::new(), format!("<aside class=sidebar><div class=widget>{calendar}</div></aside>")),
        (format!("<div class=widget>{calendar}</div>"), String::new()),
        (String::new(), menu.to_owned()),
        (
            String::new(),
            format!(
                "<div class=right><h3>Markets</h3><p>Prices of today.</p><p>Late by an hour.</p>{prices}<p>More</p></div>"
            ),
        ),
        (format!("<nav>{prices}</nav>"), String::new()),
    ] {
        let markdown = markdown_with(&body, &below);
        assert!(!markdown.contains('|') && markdown.contains("before dawn"), "{body}{below}: {markdown}");
    }
}

#[test]
fn table_with_a_single_cell_is_not_selected_as_a_whole() {
    let table = "<table><caption>Shop</caption><tr><td colspan=2>New lamps</td></tr></table>";
    let page = parse_page(&format!("<main><p>{BEFORE}</p>{table}<p>{AFTER}</p></main>")).unwrap();
    let hidden = hidden::find(&page);
    let (units, _) = units::split(&page, &hidden);
    let mut selected: Vec<bool> = units.iter().map(|unit| unit.words > 8).collect();
    let disclosures = Disclosures::default();
    WholeParts::of(&page, &units, &hidden, &disclosures).complete(false, &mut selected);
    assert_eq!(selected, [true, false, false, true]);
}

#[test]
fn long_table_becomes_one_markdown_table() {
    let rows: String = (0..600)
        .map(|at| format!("<tr><td>{at}</td><td><a href=/{at}>Boat {at}</a></td></tr>"))
        .collect::<Vec<_>>()
        .concat();
    let page =
        format!("<p>{BEFORE}</p><table><tr><th>No.</th><th>Boat</th></tr>{rows}</table><p>{AFTER}</p>");
    let input = crate::Input {
        bytes: page.into_bytes(),
        content_type: Some("text/html".to_owned()),
        url: Some("https://example.com/d/x".to_owned()),
    };
    let crate::ExtractionOutcome::Document(document) = crate::extract(&input) else { panic!("no text") };
    assert!(document.blocks.iter().filter(|block| block.kind == BlockKind::Table).count() > 1);
    let text = render::markdown(&document.blocks);
    for at in 0..600 {
        assert!(text.contains(&format!("|\n| {at} | [Boat {at}](https://example.com/{at}) |\n")), "{at}");
    }
}
