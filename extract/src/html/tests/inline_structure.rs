//! Links, code, emphasis and annotations in a line, and blocks in quotes and list items.

use super::*;
use crate::{document::Container, render};

fn markdown(body: &str) -> String {
    render::markdown(&blocks_of(body)).trim_end().to_owned()
}

#[test]
fn nested_code_and_links_are_both_rendered() {
    for (body, expected) in [
        ("<p>Call <a href=/o><code>open()</code></a>.</p>", "Call [`open()`](https://a.example/o)."),
        ("<p>Call <code><a href=/o>open()</a></code>.</p>", "Call [`open()`](https://a.example/o)."),
        (
            "<p><code>fn open(<a href=/p>Path</a>) -&gt; <a href=/f>File</a></code></p>",
            "`fn open(`[`Path`](https://a.example/p)`) -> `[`File`](https://a.example/f)",
        ),
        (
            "<p><a href=/o><b><code>open()</code></b> a file</a></p>",
            "[**`open()`** a file](https://a.example/o)",
        ),
    ] {
        assert_eq!(markdown(body), expected);
        let html = render::html(&blocks_of(body));
        assert_eq!(html.matches("<a href=").count(), expected.matches("](").count(), "{html}");
    }
}

#[test]
fn list_of_linked_names_is_selected_completely() {
    let names = |count: usize| -> String {
        (0..count)
            .map(|n| format!("<li><a href=/api/{n}><code>name{n}()</code></a></li>"))
            .collect::<Vec<_>>()
            .concat()
    };
    for (list, last) in [
        (format!("<ul>{}</ul>", names(2)), "- [`name1()`](https://a.example/api/1)"),
        (format!("<ol>{}</ol>", names(5)), "5. [`name4()`](https://a.example/api/4)"),
        (
            "<ul><li><code><a href=/api/0>name0()</a></code></li><li><code><a href=/api/1>name1()</a></code></li></ul>".to_owned(),
            "- [`name1()`](https://a.example/api/1)",
        ),
    ] {
        let markdown = article(&format!("<p>Call <a href=/x><code>x()</code></a> first, then one of these.</p>{list}"));
        assert!(markdown.contains("[`name0()`](https://a.example/api/0)") && markdown.contains(last), "{markdown}");
    }
}

#[test]
fn table_cells_retain_links_emphasis_and_code() {
    let body = "<table><tr><th>Name</th><th>Use</th></tr><tr><td><a href=/o><code>a|b</code></a></td>\
        <td>to <b>open</b> <del>it</del><ul><li>x<sup>2</sup></li><li><a href=/y>y</a></li></ul></td></tr></table>";
    let blocks = blocks_of(body);
    assert_eq!(blocks[0].text, "| Name | Use |\n| --- | --- |\n| a\\|b | to open it x² y |");
    let urls: Vec<&str> = blocks[0].links.iter().map(|link| link.url.as_str()).collect();
    assert_eq!(urls, ["https://a.example/o", "https://a.example/y"]);
    assert_eq!(
        markdown(body),
        "| Name | Use |\n| --- | --- |\n| [`a\\|b`](https://a.example/o) | to **open** ~~it~~ x² [y](https://a.example/y) |"
    );
    let html = render::html(&blocks);
    assert!(
        html.contains("<a href=\"https://a.example/o\" rel=\"noopener nofollow\"><code>a|b</code></a>"),
        "{html}"
    );
    assert!(html.contains("<td>to <strong>open</strong> <del>it</del> x<sup>2</sup> <a "), "{html}");
}

#[test]
fn unknown_elements_and_buttons_belong_to_their_line() {
    for (body, expected) in [
        (
            "<p>See <my-term>the lamp</my-term> here, and <glossary-link href=/x>the wick</glossary-link> there.</p>",
            "See the lamp here, and [the wick](https://a.example/x) there.",
        ),
        ("<p>Press <button>OK</button> to go on.</p>", "Press OK to go on."),
        ("<p>Run <code>npm i</code> <button class=btn-copy>Copy</button> first.</p>", "Run `npm i` first."),
        ("<div>The <term>lamp</term> is bright.</div>", "The lamp is bright."),
        ("<my-card>One</my-card><my-card>Two</my-card>", "One\n\nTwo"),
    ] {
        assert_eq!(markdown(body), expected, "{body}");
    }
    let line = "<p>See <my-term>the lamp</my-term> here, and <x-tip>the wick</x-tip> there.</p>";
    assert!(article(line).contains("\nSee the lamp here, and the wick there.\n"));
}

#[test]
fn pronunciation_is_written_in_brackets() {
    for (body, expected) in [
        ("<p><ruby>東<rt>とう</rt>京<rt>きょう</rt></ruby>へ行く。</p>", "東(とう)京(きょう)へ行く。"),
        ("<p><ruby>東<rp>（</rp><rt>とう</rt><rp>）</rp></ruby>へ</p>", "東（とう）へ"),
        ("<p><ruby><rb>東</rb><rtc><rt>とう</rt></rtc></ruby></p>", "東(とう)"),
        ("<p><ruby>東<rt></rt></ruby>へ</p>", "東へ"),
    ] {
        assert_eq!(markdown(body), expected, "{body}");
    }
}

#[test]
fn deleted_text_and_adjacent_emphasis_are_marked() {
    for (body, expected) in [
        ("<p>It was <del>five</del> <s>six</s> seven.</p>", "It was ~~five~~ ~~six~~ seven."),
        ("<p><b>bo</b><b>ld</b> and <em>sl</em><i>anted</i></p>", "**bold** and *slanted*"),
        ("<p><b><strong>bold</strong></b> words</p>", "**bold** words"),
        ("<p><b>a</b><i><b>b</b>c</i></p>", "**a*****b**c*"),
        ("<p><a href=/x>W</a><a href=/x>ord</a></p>", "[Word](https://a.example/x)"),
        ("<p>a ~~b~~ c~d</p>", "a \\~\\~b\\~\\~ c~d"),
    ] {
        assert_eq!(markdown(body), expected, "{body}");
    }
    assert!(render::html(&blocks_of("<p>a <del>b</del></p>")).contains("a <del>b</del>"));
}

#[test]
fn quotes_contain_lists_code_and_quotes() {
    let body = "<blockquote><p>One:</p><ul><li>x is here</li><li>y is here<ul><li>z</li></ul></li></ul><blockquote><p>Inner words.</p>\
        </blockquote><pre><code>a()\n\nb()</code></pre></blockquote><p>After.</p>";
    assert_eq!(
        markdown(body),
        "> One:\n>\n> - x is here\n> - y is here\n>     - z\n>\n> > Inner words.\n>\n> ```\n> a()\n>\n> b()\n> ```\n\nAfter."
    );
    assert_eq!(
        render::html(&blocks_of(body)).replace(" id=\"p0\"", ""),
        "<blockquote>\n<p>One:</p>\n<ul>\n<li>x is here</li>\n<li>y is here<ul>\n<li>z</li>\n</ul>\n</li>\n</ul>\n<blockquote>\n\
         <p>Inner words.</p>\n</blockquote>\n<pre tabindex=\"0\"><code>a()\n\nb()</code></pre>\n</blockquote>\n<p>After.</p>\n"
    );
}

#[test]
fn list_item_contains_paragraphs_code_and_quotes() {
    let body = "<ol><li><p>Install it:</p><pre><code>npm i x</code></pre><p>Then wait.</p><blockquote><p>Long.</p></blockquote></li>\
        <li><p>Run it.</p></li></ol><p>After.</p>";
    assert_eq!(
        markdown(body),
        "1. Install it:\n\n    ```\n    npm i x\n    ```\n\n    Then wait.\n\n    > Long.\n\n2. Run it.\n\nAfter."
    );
    assert_eq!(
        render::html(&blocks_of(body)).replace(" id=\"p0\"", ""),
        "<ol>\n<li>Install it:<pre tabindex=\"0\"><code>npm i x</code></pre>\n<p>Then wait.</p>\n<blockquote>\n<p>Long.</p>\n\
         </blockquote>\n</li>\n<li>Run it.</li>\n</ol>\n<p>After.</p>\n"
    );
    let blocks = blocks_of(body);
    assert_eq!(blocks[1].within, [Container::Item]);
    // A block whose list item began in an earlier block is not indented if it is rendered alone.
    assert_eq!(render::markdown(&blocks[1..2]), "```\nnpm i x\n```\n");
    let headed =
        "<ul><li><h3>Title</h3><p>One</p><p>Two</p></li><li><p>Three</p><h3>Next</h3><p>Four</p></li></ul>";
    assert_eq!(markdown(headed), "### Title\n\n- One\n\n    Two\n\n- Three\n\n### Next\n\nFour");
}

#[test]
fn nested_blocks_are_unchanged_by_a_markdown_round_trip() {
    let text = "> One:\n>\n> - x\n> - y\n>\n> > Inner.\n>\n> ```\n> a()\n> ```\n\n1. Install:\n\n    ```\n    npm i\n    ```\n\n    Wait.\n\n2. Run.\n";
    let read = |text: &str| {
        let input = Input { bytes: text.as_bytes().to_vec(), content_type: None, url: None };
        crate::markdown::read(&input).unwrap().blocks
    };
    let blocks = read(text);
    assert_eq!(render::markdown(&blocks), text);
    assert_eq!(read(&render::markdown(&blocks)), blocks);
}

#[test]
fn list_items_retain_the_numbers_of_the_page() {
    for (body, expected, html) in [
        (
            "<ol start=5><li>a</li><li value=9>b</li><li>c</li></ol>",
            "5. a\n9. b\n10. c",
            "<ol start=\"5\">\n<li>a</li>\n<li value=\"9\">b</li>\n<li>c</li>\n</ol>\n",
        ),
        (
            "<ol reversed><li>a</li><li>b</li></ol>",
            "2. a\n1. b",
            "<ol start=\"2\">\n<li>a</li>\n<li value=\"1\">b</li>\n</ol>\n",
        ),
        (
            "<ol start=4000000000><li>a</li><li>b</li></ol>",
            "999999999. a\n999999999. b",
            "<ol start=\"999999999\">\n<li>a</li>\n<li value=\"999999999\">b</li>\n</ol>\n",
        ),
        ("<ul><li value=3>a</li><li>b</li></ul>", "- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n"),
    ] {
        assert_eq!(markdown(body), expected, "{body}");
        assert_eq!(render::html(&blocks_of(body)).replace(" id=\"p0\"", ""), html);
    }
}

#[test]
fn list_item_with_only_a_line_of_code_retains_its_number() {
    let body = "<ol><li><pre>row()</pre><p>Then wait.</p></li><li>End</li></ol>";
    assert_eq!(markdown(body), "1. `row()`\n\n    Then wait.\n\n2. End");
}

#[test]
fn code_in_a_list_item_retains_its_white_space() {
    for code in ["    row(a,  b)", "if a:\n    b()", "a\tb"] {
        assert_eq!(blocks_of(&format!("<ul><li><pre>{code}</pre></li></ul>"))[0].text, code);
    }
    assert_eq!(markdown("<ul><li><pre>  a  b</pre></li></ul>"), "- `  a  b`");
}

#[test]
fn checkbox_belongs_to_the_first_paragraph_of_its_list_item() {
    let body = "<ul class=task-list><li><input type=checkbox checked><p>Fill <b>it</b></p><p>Wait</p></li>\
        <li><input type=checkbox><div>Row</div></li></ul>";
    assert_eq!(markdown(body), "- [x] Fill **it**\n\n    Wait\n\n- [ ] Row");
}

#[test]
fn meters_and_progress_bars_belong_to_their_line() {
    let body = "<p>Depth <meter value=3>3 of 10</meter> and <progress value=1>10 %</progress> today.</p>";
    assert_eq!(markdown(body), "Depth 3 of 10 and 10 % today.");
}
