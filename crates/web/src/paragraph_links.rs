//! Links that pages insert into sanitised text: self-links next to paragraphs, headings, and list items, and links
//! that open the links of lists in the reader.

use extract::render::escape;
use http_kit::page_language;

use super::language::text::Text;

/// Adds a self-link to each paragraph, heading, and list item.
pub(super) fn with_paragraph_links(html: &str) -> String {
    let mut linked = String::with_capacity(html.len() * 5 / 4);
    let (mut rest, language) = (html, language_attribute());
    while let Some(at) = rest.find(" id=\"p") {
        let number: String = rest[at + 6..].chars().take_while(char::is_ascii_digit).collect();
        let opened = rest[..at].rfind('<').map_or("", |open| &rest[open + 1..at]);
        let name = opened.split(' ').next().unwrap_or_default();
        let close = rest[at..].find('>').map_or(rest.len(), |close| at + close + 1);
        linked.push_str(&rest[..close]);
        if matches!(name, "p" | "li" | "h2" | "h3" | "h4" | "h5" | "h6") && !number.is_empty() {
            let label = escape(&Text("paragraph-link").with("number", number.as_str()).get());
            linked.push_str(&format!(
                "<a class=\"pil\" href=\"#p{number}\"{language} aria-label=\"{label}\">\u{b6}</a>"
            ));
        }
        rest = &rest[close..];
    }
    linked.push_str(rest);
    linked
}

/// Points the links in list items to the reader at `reader`, with a link to the original next to each.
pub(super) fn link_to_reader(html: &str, reader: &str) -> String {
    const HREF: &str = "<a href=\"";
    let mut out = String::with_capacity(html.len() * 5 / 4);
    let (mut at, mut depth) = (0, 0_usize);
    let (original, language) = (escape(&Text("paragraph-original").get()), language_attribute());
    while let Some(open) = html[at..].find('<').map(|open| at + open) {
        out.push_str(&html[at..open]);
        let close = html[open..].find('>').map_or(html.len(), |close| open + close + 1);
        let tag = &html[open..close];
        match tag {
            tag if tag.starts_with("<li") && !tag.starts_with("<link") => depth += 1,
            "</li>" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > 0
            && let Some(address) = tag.strip_prefix(HREF).and_then(|rest| rest.split('"').next())
            && address.starts_with("http")
            && let Some(end) = html[close..].find("</a>").map(|end| close + end)
        {
            let words = &html[close..end];
            out.push_str(&format!(
                "<a href=\"{reader}/{address}\" rel=\"nofollow\">{words}</a> \
                 <a class=\"original\" href=\"{address}\" rel=\"noopener nofollow\"{language}>{original}</a>"
            ));
            at = end + "</a>".len();
            continue;
        }
        out.push_str(tag);
        at = close;
    }
    out.push_str(&html[at..]);
    out
}

/// Returns the attribute `lang` for texts of Carrel in an article, which has its own language.
fn language_attribute() -> String {
    format!(" lang=\"{}\"", page_language::current().content.tag())
}

#[cfg(test)]
mod tests {
    use http_kit::page_language::{PageLanguages, with_sync};
    use kernel::Language;

    use super::*;

    #[test]
    fn paragraphs_get_links_and_code_blocks_do_not() {
        let html = "<p id=\"p1\">a</p><pre id=\"p2\" tabindex=\"0\">b</pre><h2 id=\"p3\">c</h2>";
        let linked = with_paragraph_links(html);
        assert!(linked.contains("<p id=\"p1\"><a class=\"pil\" href=\"#p1\""), "{linked}");
        assert!(linked.contains("<pre id=\"p2\" tabindex=\"0\">b</pre>"), "{linked}");
        assert!(linked.contains("href=\"#p3\" lang=\"en\" aria-label=\"Link to paragraph 3\""), "{linked}");
        let german = PageLanguages { shell: Language::German, content: Language::German };
        let linked = with_sync(german, || with_paragraph_links(html));
        assert!(linked.contains("href=\"#p3\" lang=\"de\" aria-label=\"Link zu Absatz 3\""), "{linked}");
    }

    #[test]
    fn only_links_of_lists_open_in_the_reader() {
        let html = "<p><a href=\"https://a.example/\">a</a></p><ul><li id=\"p2\"><a href=\"https://b.example/?x=1&amp;y\" rel=\"noopener nofollow\">b <em>c</em></a></li></ul>";
        let read = link_to_reader(html, "");
        assert!(read.starts_with("<p><a href=\"https://a.example/\">a</a></p>"), "{read}");
        assert!(
            read.contains("<a href=\"/https://b.example/?x=1&amp;y\" rel=\"nofollow\">b <em>c</em></a>"),
            "{read}"
        );
        let original = "<a class=\"original\" href=\"https://b.example/?x=1&amp;y\" rel=\"noopener nofollow\" lang=\"en\">";
        assert!(read.contains(original), "{read}");
        assert_eq!(link_to_reader("<li>no link", ""), "<li>no link");
    }
}
