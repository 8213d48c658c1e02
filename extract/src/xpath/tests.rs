//! Axes, predicates, functions, comparisons, errors and limits.

use super::*;
use crate::page::{Page, parse::parse};

const MARKUP: &str = "<html lang=en><body><div id=a class='x y'><p id=p1>One <b id=b>1</b></p><p id=p2>Two</p>\
    <ul id=u><li id=l1>first<li id=l2>second<li id=l3 lang=de-AT>third</ul>\
    </div><div id=c><p id=p3 title=T data-n=7>Three</p><svg id=s><path id=d /></svg></div></body></html>";

fn page(markup: &str) -> Page {
    Page::take(parse(markup).unwrap())
}

/// Selected nodes: ids of elements, texts in quotes, and attributes. A value of another type is represented
/// by its text.
fn select_in(markup: &str, path: &str) -> String {
    let page = page(markup);
    let evaluation = XPathEvaluation::new(&page);
    let path = XPath::parse(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let nodes = match path.select(&evaluation, 0).unwrap() {
        XPathResult::Text(text) => return text,
        XPathResult::Nodes(nodes) => nodes,
    };
    let name = |node: XPathNode| match (node.attribute(), page.text(node.id())) {
        (Some(_), _) => format!("@{}", evaluation.text_of(node).unwrap()),
        (None, Some(text)) => format!("'{text}'"),
        (None, None) if node.id() == 0 => "/".to_owned(),
        (None, None) => page.attribute(node.id(), "id").unwrap_or(page.tag(node.id())).to_owned(),
    };
    nodes.into_iter().map(name).collect::<Vec<_>>().join(" ")
}

fn select(path: &str) -> String {
    select_in(MARKUP, path)
}

fn error(path: &str) -> String {
    XPath::parse(path).unwrap_err().to_string()
}

#[test]
fn each_axis_selects_its_nodes() {
    for (path, expected) in [
        ("/", "/"),
        ("/html/body/div", "a c"),
        ("//p", "p1 p2 p3"),
        ("//div//p", "p1 p2 p3"),
        ("//ul/..", "a"),
        ("//b/parent::*", "p1"),
        ("//b/ancestor::*", "html body a p1"),
        ("//b/ancestor::node()", "/ html body a p1"),
        ("//b/ancestor-or-self::*", "html body a p1 b"),
        ("//p/ancestor::div", "a c"),
        ("//ul/child::li", "l1 l2 l3"),
        ("//ul/node()", "l1 l2 l3"),
        ("//ul/descendant::text()", "'first' 'second' 'third'"),
        ("//ul/descendant-or-self::*", "u l1 l2 l3"),
        ("//p[@id='p1']/following::p", "p2 p3"),
        ("//p/following::p", "p2 p3"),
        ("//ul/preceding::*", "head p1 b p2"),
        ("//p/preceding::p", "p1 p2"),
        ("//p/following-sibling::*", "p2 u s"),
        ("//li[2]/following-sibling::li", "l3"),
        ("//li[3]/preceding-sibling::li", "l1 l2"),
        ("//ul/preceding-sibling::p", "p1 p2"),
        ("//p[3]/self::p", ""),
        ("//div/self::div", "a c"),
        ("//p/attribute::title", "@T"),
        ("//p[@title]/@*", "@p3 @T @7"),
        ("//p/@title/..", "p3"),
        ("//@title/ancestor::div", "c"),
        ("//@title/following::*", "s d"),
        ("//@title/ancestor-or-self::node()[1]", "@T"),
        ("//@title/preceding::li", "l1 l2 l3"),
        ("//@title/child::node()", ""),
        ("//@title/following-sibling::node()", ""),
        ("//@title/descendant-or-self::node()", "@T"),
    ] {
        assert_eq!(select(path), expected, "{path}");
    }
}

#[test]
fn node_tests_ignore_case_and_prefixes_and_do_not_match_comments() {
    for (path, expected) in [
        ("//LI", "l1 l2 l3"),
        ("//svg:path", "d"),
        ("//*[name()='svg']", "s"),
        ("//P/@TITLE", "@T"),
        ("//b/text()", "'1'"),
        ("//comment()", ""),
        ("//processing-instruction('x')", ""),
        ("//p/text()", "'One ' 'Two' 'Three'"),
    ] {
        assert_eq!(select_in(&format!("<!-- c -->{MARKUP}"), path), expected, "{path}");
    }
}

#[test]
fn predicate_positions_are_counted_along_the_axis() {
    for (path, expected) in [
        ("//li[1]", "l1"),
        ("//li[last()]", "l3"),
        ("//li[last() - 1]", "l2"),
        ("//li[position() > 1]", "l2 l3"),
        ("//p[1]", "p1 p3"),
        ("(//p)[1]", "p1"),
        ("(//p)[last()]/@id", "@p3"),
        ("(//p | //li)[4]", "l2"),
        ("//li[0]", ""),
        ("//li[1.5]", ""),
        ("//li[9]", ""),
        ("//li[3]/preceding-sibling::li[1]", "l2"),
        ("//b/ancestor::*[2]", "a"),
        ("//b/ancestor::*[last()]", "html"),
        ("//li[position() mod 2 = 1][2]", "l3"),
        ("//li[. = 'second']", "l2"),
        ("//p[b]", "p1"),
        ("//div[p[2]]", "a"),
        ("//div[not(ul)]", "c"),
        ("//*[@id='l1' or @id='l3']", "l1 l3"),
        ("//p[@title and @data-n]", "p3"),
        ("id('p2 l1')", "p2 l1"),
        ("id(//p/@id)/b", "b"),
        ("//li | //p | //li", "p1 p2 l1 l2 l3 p3"),
        ("/html/body/div[1]/p", "p1 p2"),
        ("//div[@class='x y']//b", "b"),
        ("//*[contains(@class, \"x\")]", "a"),
        ("//p[starts-with(@title,'T')][@data-n]", "p3"),
        ("//p[contains(., 'Tw')]", "p2"),
        ("//*[2]", "body p2 l2 c s"),
        ("//div[@class][contains(concat(' ', @class, ' '), ' y ')]", "a"),
    ] {
        assert_eq!(select(path), expected, "{path}");
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "one row for each function")]
fn each_function_returns_its_value() {
    for (path, expected) in [
        ("count(//li)", "3"),
        ("count(//li[last()])", "1"),
        ("position()", "1"),
        ("last()", "1"),
        ("name(//p)", "p"),
        ("name(//p/@title)", "title"),
        ("name()", ""),
        ("local-name(//svg)", "svg"),
        ("namespace-uri(//svg)", ""),
        ("string(//li[2])", "second"),
        ("string(//none)", ""),
        ("string(1 = 1)", "true"),
        ("concat('a', 1, //b, true())", "a11true"),
        ("starts-with('abc', 'ab')", "true"),
        ("contains('abc', 'bd')", "false"),
        ("substring-before('1999/04/01', '/')", "1999"),
        ("substring-after('1999/04/01', '/')", "04/01"),
        ("substring-before('abc', 'x')", ""),
        ("substring('12345', 2, 3)", "234"),
        ("substring('12345', 2)", "2345"),
        ("substring('12345', 1.5, 2.6)", "234"),
        ("substring('12345', 0, 3)", "12"),
        ("substring('12345', 0 div 0, 3)", ""),
        ("substring('12345', -42, 1 div 0)", "12345"),
        ("substring('héé', 2, 1)", "é"),
        ("string-length('héé')", "3"),
        ("normalize-space('  a \n b\t')", "a b"),
        ("translate('bar', 'abc', 'AB')", "BAr"),
        ("translate('--aaa--', 'abc-', 'ABC')", "AAA"),
        ("boolean(0)", "false"),
        ("boolean('0')", "true"),
        ("boolean(//none)", "false"),
        ("not(//none)", "true"),
        ("true() and false()", "false"),
        ("number('  -12.5 ')", "-12.5"),
        ("number('1e3')", "NaN"),
        ("number('+1')", "NaN"),
        ("number('')", "NaN"),
        ("number(true())", "1"),
        ("sum(//b) + 1", "2"),
        ("sum(//none)", "0"),
        ("floor(-1.5)", "-2"),
        ("ceiling(1.2)", "2"),
        ("round(2.5)", "3"),
        ("round(-2.5)", "-2"),
        ("1 div 0", "Infinity"),
        ("-1 div 0", "-Infinity"),
        ("0 div 0", "NaN"),
        ("5 mod -2", "1"),
        ("1000000 * 1000000 * 1000000 * 1000000", "1000000000000000000000000"),
        ("1 div 4", "0.25"),
        ("2 + 3 * 4 - 1", "13"),
        ("--2", "2"),
        ("-(2)", "-2"),
        ("-0", "0"),
    ] {
        assert_eq!(select(path), expected, "{path}");
    }
    assert_eq!(select("//li[lang('de')]"), "l3");
    assert_eq!(select("//li[lang('EN')]"), "l1 l2");
}

#[test]
fn node_set_comparison_is_true_if_any_node_matches() {
    let markup = "<p>1<p>5<p>x<b>5</b><i>1</i>";
    for (path, expected) in [
        ("//p = 5", "true"),
        ("//p != 5", "true"),
        ("//b != 5", "false"),
        ("//b = '5'", "true"),
        ("//p = //b", "true"),
        ("//b = //i", "false"),
        ("//b != //i", "true"),
        ("//b != //b", "false"),
        ("//none = //none", "false"),
        ("//none != //b", "false"),
        ("//i < //b", "true"),
        ("//b < //i", "false"),
        ("//p > 4", "true"),
        ("//p >= 6", "false"),
        ("3 <= //p", "true"),
        ("//p = true()", "true"),
        ("//none = false()", "true"),
        ("true() < 5", "true"),
        ("//p > false()", "true"),
        ("'a' = 'a'", "true"),
        ("'1' = 1.0", "true"),
        ("'a' < 'b'", "false"),
        ("1 < 2 = true()", "true"),
        ("0 div 0 = 0 div 0", "false"),
    ] {
        assert_eq!(select_in(markup, path), expected, "{path}");
    }
}

#[test]
fn invalid_expression_is_refused_with_the_position_of_the_error() {
    for (path, expected) in [
        ("", "the expression is incomplete, at character 1"),
        ("//", "the expression is incomplete, at character 3"),
        ("//a[", "the expression is incomplete, at character 5"),
        ("//a[1", "\"]\" is missing, at character 6"),
        ("//ä]", "\"]\" is not expected, at character 4"),
        ("//a['x]", "a text has no closing quote, at character 5"),
        ("//a[lower(.)]", "XPath 1.0 has no function \"lower\", at character 5"),
        ("//a[contains(.)]", "contains() has 1 arguments instead of 2, at character 5"),
        ("substring('a')", "substring() has 1 arguments instead of 2 to 3, at character 1"),
        ("//a[count('x')]", "nodes are required, at character 11"),
        ("//a | 'x'", "nodes are required, at character 7"),
        ("(1)/a", "nodes are required, at character 1"),
        ("up::a", "there is no axis \"up\", at character 1"),
        ("namespace::a", "there is no axis \"namespace\", at character 1"),
        ("//a/contains(., 'x')", "contains() cannot be a step, at character 5"),
        ("//a[$x]", "variables are not supported, at character 5"),
        ("//a:*", "':' is not expected, at character 4"),
        ("//a b", "\"b\" is not expected, at character 5"),
        ("//a # b", "'#' is not expected, at character 5"),
        ("//a 'x'", "a text is not expected, at character 5"),
    ] {
        assert_eq!(error(path), expected, "{path}");
    }
}

#[test]
fn expression_with_too_much_nesting_or_too_many_parts_is_refused() {
    assert!(XPath::parse(&format!("{}1{}", "(".repeat(15), ")".repeat(15))).is_ok());
    let deep = format!("{}1{}", "(".repeat(5_000), ")".repeat(5_000));
    assert_eq!(error(&deep), "it is nested deeper than 16 levels, at character 17");
    assert!(error(&"a[".repeat(5_000)).starts_with("it is nested deeper"));
    assert!(error(&format!("1{}", " + 1".repeat(5_000))).starts_with("there are more than 100 parts"));
    assert!(error(&format!("a{}", "/a".repeat(5_000))).starts_with("there are more than 100 parts"));
    assert_eq!(select(&format!("{}1", "-".repeat(5_001))), "-1");
}

#[test]
fn costly_expressions_are_stopped() {
    let page = page(&format!("<div>{}</div>", "<p>x <b>y</b> z</p>".repeat(2_000)));
    for path in [
        "//*[count(preceding::*) > 1]",
        "//*[//*[//*]]",
        "//p[preceding-sibling::p[. = 'a']]",
        "//*[.//text() = //b]",
        "//*[//@* = 'a']",
        "//p[id('a')]",
    ] {
        let evaluation = XPathEvaluation::with_steps(&page, 200_000);
        assert_eq!(XPath::parse(path).unwrap().select(&evaluation, 0), Err(TooCostly), "{path}");
    }
    let long = format!("<p>{}", "long text ".repeat(1_000_000));
    let long = self::page(&long);
    let evaluation = XPathEvaluation::new(&long);
    let doubled = XPath::parse("concat(., ., ., ., .)").unwrap();
    assert_eq!(doubled.select(&evaluation, 0), Err(TooCostly));
}

#[test]
fn attributes_and_texts_are_counted_as_steps() {
    let attributes: String = (0..900).map(|number| format!(" a{number}")).collect::<Vec<_>>().concat();
    let attributes = page(&format!("<div{attributes} lang=en>{}</div>", "<p></p>".repeat(300)));
    let text = page(&format!("<p>{}", "long text ".repeat(1_000_000)));
    for (page, path) in [
        (&attributes, "//p[lang('en') and lang('en')]"),
        (&attributes, "//@*[id('x')]"),
        (&text, "normalize-space(normalize-space(normalize-space(.)))"),
        (&text, "translate(translate(translate(., 'a', 'b'), 'b', 'a'), 'l', '')"),
    ] {
        let evaluation = XPathEvaluation::with_steps(page, 400_000);
        assert_eq!(XPath::parse(path).unwrap().select(&evaluation, 0), Err(TooCostly), "{path}");
    }
}

#[test]
fn nodes_in_overlapping_axes_are_not_visited_repeatedly() {
    let nested = page(&"<div>".repeat(400));
    let wide = page(&"<p>x</p>".repeat(20_000));
    for (page, path, count) in [
        (&nested, "count(//div//div//div//div)", "397"),
        (&nested, "count(//div/ancestor::div/ancestor::div)", "398"),
        (&wide, "count(//p/following::p/following::p)", "19998"),
        (&wide, "count(//p/preceding::p/preceding::p)", "19998"),
        (&wide, "count(//p/following-sibling::p/following-sibling::p)", "19998"),
        (&wide, "count(//p/preceding-sibling::p)", "19999"),
        (&wide, "count(//p/preceding-sibling::p[1])", "19999"),
        (&wide, "count(//p[following-sibling::p[1]])", "19999"),
    ] {
        let evaluation = XPathEvaluation::new(page);
        let value = XPath::parse(path).unwrap().select(&evaluation, 0);
        assert_eq!(value, Ok(XPathResult::Text(count.to_owned())), "{path}");
    }
}

#[test]
fn type_of_an_expression_is_known_before_it_is_evaluated() {
    let parsed = |path: &str| XPath::parse(path).unwrap();
    for path in ["//a", "//a | //b", "id('x')", "(//a)[1]", "//a/text()", "."] {
        assert!(parsed(path).selects_nodes(), "{path}");
    }
    for path in ["//a/@href", "//a | //b/@x", "(//a/@href)[1]", "count(//a)", "'x'", "1 + 1", "//a = 1"] {
        assert!(!parsed(path).selects_nodes(), "{path}");
    }
    for (path, is_absolute) in [("//a", true), ("(//a)[1]/b", true), (".//a", false), ("a | //b", false)] {
        assert_eq!(parsed(path).is_absolute(), is_absolute, "{path}");
    }
}
