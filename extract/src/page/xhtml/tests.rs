//! Conversion of XHTML to HTML syntax.

use super::*;

fn converted(markup: &str) -> String {
    to_html(markup).trim_start_matches("<!DOCTYPE html>").to_owned()
}

#[test]
fn empty_elements_get_an_end_tag() {
    for name in ["title", "script", "style", "iframe", "textarea", "noframes", "xmp", "a", "div", "p", "span"]
    {
        assert_eq!(converted(&format!("<{name}/>a")), format!("<{name}></{name}>a"));
        assert_eq!(converted(&format!("<{name} id='x' />a")), format!("<{name} id='x' ></{name}>a"));
    }
    assert_eq!(converted("<plaintext/>a"), "<pre></pre>a");
    assert_eq!(converted("<br/>a<img src='/a/'/>b<hr />"), "<br>a<img src='/a/'>b<hr >");
    assert_eq!(converted("<br></br>a"), "<br>a");
}

#[test]
fn cdata_becomes_text_and_declarations_instructions_and_comments_are_dropped() {
    assert_eq!(converted("<p><![CDATA[1 < 2 & <b>]]></p>"), "<p>1 &lt; 2 &amp; &lt;b></p>");
    assert_eq!(converted("<?xml version='1.0'?><?x a > b?><p>a<!-- b > <i> -->c</p>"), "<p>ac</p>");
    assert_eq!(converted("<!DOCTYPE html [<!ENTITY a 'b'>]><p>a</p>"), "<p>a</p>");
    assert_eq!(converted("<p title='a > b'>1 < 2</p>"), "<p title='a > b'>1 &lt; 2</p>");
}

#[test]
fn references_to_declared_entities_are_replaced_by_their_text() {
    let markup = "<!DOCTYPE html [<!ENTITY who \"the keeper\">\n<!ENTITY dash '&#8212;'><!ENTITY b '<b>'><!ENTITY w '&who;&who;'>]>\
        <p>&who; &dash; &b; &w; &other;</p>";
    assert_eq!(converted(markup), "<p>the keeper &#8212; &b; &w; &other;</p>");
}

#[test]
fn declared_entities_cannot_redefine_xml_entities_or_close_a_quoted_value() {
    let markup = "<!DOCTYPE html [<!ENTITY lt \"x\"><!ENTITY amp 'y'><!ENTITY apos 'z'><!ENTITY who \"the keeper's\">\
        <!ENTITY q 'a \"b\"'>]><p title='&who;' id=\"&q;\">&lt;&amp;&apos;</p>";
    assert_eq!(converted(markup), "<p title='the keeper&#39;s' id=\"a &#34;b&#34;\">&lt;&amp;&apos;</p>");
}

#[test]
fn references_in_scripts_are_decoded() {
    let section = "<script>//<![CDATA[\nif (a < b && c) { d('</p>') }\n//]]></script>e";
    assert_eq!(converted(section), "<script>//\nif (a < b && c) { d('<\\/p>') }\n//</script>e");
    assert_eq!(converted("<script>{&quot;a&quot;: 1}</script>"), "<script>{\"a\": 1}</script>");
}

#[test]
fn prefixes_of_known_namespaces_are_dropped() {
    let markup = "<h:html xmlns:h='http://www.w3.org/1999/xhtml' xmlns:x='http://a.example/'><h:script/><h:p>a<x:b/></h:p></h:html>";
    assert!(converted(markup).ends_with("<script></script><p>a<x:b></x:b></p></html>"));
    let formula = "<m:math xmlns:m=\"http://www.w3.org/1998/Math/MathML\"><m:mi>x</m:mi></m:math>";
    assert!(converted(formula).ends_with("<mi>x</mi></math>"));
}

#[test]
fn only_the_first_declaration_may_contain_other_declarations() {
    assert_eq!(converted("<!DOCTYPE a [<!ENTITY a 'b'>]><!b [<i>]></i>"), "]></i>");
}

#[test]
fn markup_after_an_unclosed_script_is_copied() {
    assert_eq!(converted("<p/><script>a<p/><script>b<p/>"), "<p></p><script>a<p/><script>b<p/>");
}

#[test]
fn truncated_markup_does_not_panic() {
    let markup = "<?xml version='1.0'?><!DOCTYPE html [<!ENTITY a 'b'>]><html><script>//<![CDATA[ a ]]></script><p x='é'>é<br/></p><!-- é --></html>";
    for end in (0..=markup.len()).filter(|&end| markup.is_char_boundary(end)) {
        let _ = to_html(&markup[..end]);
        let _ = with_closed_raw_text(&markup[..end]);
    }
}

#[test]
fn html_gets_only_end_tags_of_raw_text_elements() {
    let markup = "<div/><script src='a/b.js'/><br/><p>a</p>";
    let closed = "<div/><script src='a/b.js'></script><br/><p>a</p>";
    assert_eq!(with_closed_raw_text(markup), closed);
    assert!(matches!(with_closed_raw_text("<p>a<br/></p>"), Cow::Borrowed(_)));
}

#[test]
fn media_type_or_xml_declaration_selects_the_syntax() {
    let page = "<?xml version='1.0'?><html><div/><title/><p>a</p></html>";
    let read = |kind| decode(page.as_bytes(), kind);
    assert!(read(Some("application/xhtml+xml; charset=utf-8")).contains("<div></div><title></title>"));
    assert!(read(None).contains("<div></div><title></title>"));
    assert!(read(Some("text/html")).contains("<div/><title></title>"));
    assert!(decode(b"<div/><title/>", Some("text/html")).contains("<div/><title/>"));
}
