//! Markup of code highlighters and editors.

use crate::{
    document::{Block, BlockKind},
    html::{blocks, hidden, parse_page, templates},
};

fn code_of(markup: &str) -> Vec<(String, Option<String>)> {
    let page = parse_page(markup).unwrap();
    let keep: Vec<bool> = hidden::find(&page).iter().map(|hidden| !hidden).collect();
    let blocks = blocks::walk(&page, 0, &keep, None, &templates::LayoutPlan::default());
    let code = blocks.into_iter().map(|Block { kind, text, language, .. }| {
        assert_eq!(kind, BlockKind::Code, "{text}");
        (text, language)
    });
    code.collect()
}

fn assert_code(markup: &str, text: &str, language: Option<&str>) {
    assert_eq!(code_of(markup), [(text.to_owned(), language.map(str::to_owned))], "{markup}");
}

#[test]
fn space_after_line_number_is_removed_and_indentation_is_retained() {
    let coderay = "<pre><code data-lang=py><span class=line-numbers>1</span> if a:\n\
        <span class=line-numbers>2</span>   b()\n</code></pre>";
    assert_code(coderay, "if a:\n  b()", Some("py"));
    let highlighter = "<pre><code class=language-py><div class=line>if a:</div>\
        <div class=line><span>&nbsp;&nbsp;</span><span>b()</span></div></code></pre>";
    assert_code(highlighter, "if a:\n  b()", Some("py"));
}

#[test]
fn language_is_read_from_class_names_of_hljs_rustdoc_and_mdbook() {
    for (markup, language) in [
        ("<pre><code class='hljs language-python'>a = 1</code></pre>", "python"),
        ("<pre><code class='hljs python'>a = 1</code></pre>", "python"),
        ("<pre class='highlight python'><code>a = 1</code></pre>", "python"),
        ("<pre class='rust rust-example-rendered'><code>a = 1</code></pre>", "rust"),
        (
            "<pre><pre class=playground><code class='language-rust edition2021'>a = 1</code></pre></pre>",
            "rust",
        ),
    ] {
        assert_code(markup, "a = 1", Some(language));
    }
}

#[test]
fn line_numbers_of_highlighters_are_not_code() {
    let number = "white-space:pre;-webkit-user-select:none;user-select:none;margin-right:0.4em";
    let tables = |number: &str, code: &str| {
        format!("<div class=highlight><table><tr><td>{number}</td><td>{code}</td></tr></table></div>")
    };
    for markup in [
        // Chroma with inline styles.
        format!("<pre><code class=language-py><span style='display:flex'><span style='{number}'>1</span><span>a = 1\n</span></span>\
            <span style='display:flex'><span style='{number}'>2</span><span>b = 2\n</span></span></code></pre>"),
        // Chroma with classes.
        "<pre class=chroma><code class=language-py><span class=line><span class=ln>1</span><span class=cl>a = 1\n</span></span>\
            <span class=line><span class=ln>2</span><span class=cl>b = 2\n</span></span></code></pre>".to_owned(),
        // Chroma with tables, by inline styles and by classes.
        tables(
            &format!("<pre><code><span style='{number}'>1\n</span><span style='{number}'>2\n</span></code></pre>"),
            "<pre><code class=language-py>a = 1\nb = 2\n</code></pre>",
        ),
        tables(
            "<pre class=chroma><code><span class=lnt id=1>1\n</span><span class=lnt>2\n</span></code></pre>",
            "<pre><code class=language-py>a = 1\nb = 2\n</code></pre>",
        ),
        // Pygments with lines, and with a table.
        "<div class=highlight-py><pre><span class=linenos>1</span>a = 1\n<span class=linenos>2</span>b = 2\n</pre></div>".to_owned(),
        "<div class=highlight-py><table><tr><td class=linenos><div class=linenodiv><pre><span class=normal>1</span>\n<span class=normal>2</span></pre></div></td>\
            <td class=code><pre>a = 1\nb = 2</pre></td></tr></table></div>".to_owned(),
        // Rouge, Torchlight, react-syntax-highlighter, rustdoc and GitLab.
        "<div class=language-py><div class=highlight><pre class=highlight><code><table><tr><td class='gutter gl'><pre class=lineno>1\n2\n</pre></td>\
            <td class=code><pre>a = 1\nb = 2\n</pre></td></tr></table></code></pre></div></div>".to_owned(),
        "<pre><code data-lang=py><div class=line><span style='-webkit-user-select: none;' class=line-number>1</span>a = 1</div>\
            <div class=line><span class=line-number>2</span>b = 2</div></code></pre>".to_owned(),
        "<pre><code class=language-py><span class='linenumber react-syntax-highlighter-line-number'>1</span>a = 1\n\
            <span class=linenumber>2</span>b = 2</code></pre>".to_owned(),
        "<pre class=language-py><code><a href=#1 id=1 data-nosnippet>1</a>a = 1\n<a href=#2 id=2 data-nosnippet>2</a>b = 2</code></pre>".to_owned(),
        "<pre class=language-py><code><a class=file-line-num id=L1>1</a>a = 1\n<a id=L2 href=#L2>2</a>b = 2</code></pre>".to_owned(),
        "<pre class=language-py><code><span data-line-number=1>1</span>a = 1\n<span data-line-number=2>2</span>b = 2</code></pre>".to_owned(),
    ] {
        assert_code(&markup, "a = 1\nb = 2", Some("py"));
    }
}

#[test]
fn numbers_in_code_are_retained() {
    for (markup, text) in [
        ("<pre><span class=mi>1</span> + <span class=m>2</span></pre>", "1 + 2"),
        ("<pre><span class=line>7</span>\n<span class=line>9</span></pre>", "7\n9"),
        ("<pre class=line-numbers>10\n20</pre>", "10\n20"),
        ("<pre>1\n2\n3</pre>", "1\n2\n3"),
        ("<pre><a href='/7'>7</a></pre>", "7"),
        ("<pre><span style='user-select:none'>$ </span>ls</pre>", "$ ls"),
    ] {
        assert_code(markup, text, None);
    }
}

#[test]
fn lines_separated_by_a_style_sheet_are_separate_lines() {
    for markup in [
        "<pre><code style='display:grid'><span data-line=''><b>a</b> = 1</span><span data-line=''> </span><span data-line=''>  b</span></code></pre>",
        "<pre><code><span class=line>a = 1</span><span class=line></span><span class=line>  b</span></code></pre>",
        "<pre><code><span class=line>a = 1</span>\n<span class=line></span>\n<span class=line>  b</span></code></pre>",
        "<pre><code><span class=token-line>a = 1<br></span><span class=token-line><br></span><span class=token-line>  b<br></span></code></pre>",
        "<pre><span style='display: block'>a = 1</span><span style='display:block'></span><span style='display:block'>  b</span></pre>",
        "<pre><code><div class=line>a = 1</div><div class=line></div><div class=line>  b</div></code></pre>",
    ] {
        assert_code(markup, "a = 1\n\n  b", None);
    }
}

#[test]
fn indentation_before_the_first_element_of_a_line_is_retained() {
    for markup in [
        "<pre><div class=line>if a:</div><div class=line>  <b>b()</b></div></pre>",
        "<pre><p>if a:</p><p>  <b>b()</b></p></pre>",
        "<pre><ol><li><b>if</b> a:</li><li>  <b>b()</b></li></ol></pre>",
    ] {
        let page = parse_page(markup).unwrap();
        // Spaces at the start of a block belong to no unit of text, so they are not selected.
        let is_blank = |id| page.text(id).is_some_and(|text| text.trim().is_empty());
        let keep: Vec<bool> = (0..page.len()).map(|id| !is_blank(id)).collect();
        let blocks = blocks::walk(&page, 0, &keep, None, &templates::LayoutPlan::default());
        let lines = blocks[0].text.lines().collect::<Vec<_>>();
        assert_eq!(lines.last(), Some(&"  b()"), "{markup}");
    }
}

#[test]
fn language_is_read_from_class_names_of_each_highlighter() {
    for (markup, language) in [
        ("<pre class='shiki nord' lang=ts><code>a</code></pre>", Some("ts")),
        ("<pre class='astro-code' data-language=ts><code>a</code></pre>", Some("ts")),
        ("<pre lang=ts><code>a</code></pre>", Some("ts")),
        (
            "<figure class='highlight ts'><table><tr><td class=gutter><pre>1</pre></td><td class=code><pre><span class=line>a</span><br></pre></td></table></figure>",
            Some("ts"),
        ),
        ("<figure class='highlight ts'><pre>a</pre></figure>", Some("ts")),
        (
            "<div class=highlight><pre class=chroma><code class='language-ts' data-lang=ts>a</code></pre></div>",
            Some("ts"),
        ),
        ("<pre class=EnlighterJSRAW data-enlighter-language=ts>a</pre>", Some("ts")),
        ("<pre lang=en><code>a</code></pre>", None),
        ("<pre lang=ts>a</pre>", None),
        ("<figure class='highlight plaintext'><pre>a</pre></figure>", None),
        ("<div class='highlight wide'><pre>a</pre></div>", None),
    ] {
        assert_code(markup, "a", language);
    }
}

#[test]
fn editors_and_embedded_files_become_code_blocks() {
    let line = |number: u32, code: &str| {
        format!(
            "<div style='position:relative'><div class=CodeMirror-gutter-wrapper><div class='CodeMirror-linenumber CodeMirror-gutter-elt'>\
             {number}</div></div><pre class=' CodeMirror-line '><span>{code}</span></pre></div>"
        )
    };
    let lines = line(1, "<span class=cm-def>a</span> = 1")
        + &line(2, "<span cm-text=''>\u{200b}</span>")
        + &line(3, "  b");
    let old = format!(
        "<div class='CodeMirror cm-s-x'><div class=CodeMirror-measure><pre>x</pre></div><div class=CodeMirror-code>{lines}</div></div>"
    );
    assert_code(&old, "a = 1\n\n  b", None);
    let new = "<div class=cm-editor><div class=cm-scroller><div class=cm-gutters><div class=cm-gutterElement>1</div></div>\
        <div class=cm-content data-language=python><div class=cm-line>a = 1</div><div class=cm-line><br></div><div class=cm-line>  b</div></div></div></div>";
    assert_code(new, "a = 1\n\n  b", Some("python"));
    let row = |number: u32, code: &str| {
        format!(
            "<tr><td class='blob-num js-line-number' data-line-number={number}></td><td class='blob-code js-file-line'>{code}</td></tr>"
        )
    };
    let gist = format!(
        "<div class=gist><div class='blob-wrapper data type-python'><table class='highlight js-file-line-container'>{}{}{}</table></div></div>",
        row(1, "<span>a</span> = 1"),
        row(2, ""),
        row(3, "  b")
    );
    assert_code(&gist, "a = 1\n\n  b", Some("python"));
    let file = format!(
        "<table class='highlight tab-size'><tbody>{}\n{}\n{}</tbody></table>",
        row(1, "<span>a</span> = 1"),
        row(2, "\n"),
        row(3, "  b")
    );
    assert_code(&file, "a = 1\n\n  b", None);
    let gitea = |code: &str| {
        format!(
            "<tr><td class=lines-num><span data-line-number=1></span></td><td class='lines-code chroma'><code>{code}</code></td></tr>"
        )
    };
    let file =
        format!("<table><tbody>{}{}{}</tbody></table>", gitea("<b>a</b> = 1"), gitea("\n"), gitea("  b"));
    assert_code(&file, "a = 1\n\n  b", None);
    let highlighter = "<div><div class='syntaxhighlighter python'><table><tr><td class=gutter><div class='line number1'>1</div><div class='line number2'>2</div>\
        </td><td class=code><div class=container><div class='line number1'><code class=plain>a = 1</code></div>\
        <div class='line number2'><code class='python spaces'>&nbsp;&nbsp;</code><code>b</code></div></div></td></tr></table></div></div>";
    assert_code(highlighter, "a = 1\n  b", Some("python"));
}
