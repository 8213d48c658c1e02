//! Refresh of a page by `<meta http-equiv=refresh>`, which sites use as a redirect.
//!
//! The tags are scanned up to a limit, without building a tree, because parsing of markup belongs to
//! `extract`. Tags in `noscript`, scripts, and other raw text are ignored, and so is a refresh that is slow
//! or has no address.

use memchr::{memchr, memmem};
use url::Url;

use crate::url_check;

/// Maximum number of bytes that are searched.
const MAX_BYTES: usize = 256 * 1024;
/// Maximum delay of a redirect. A page with a longer delay is itself content.
const MAX_SECONDS: u32 = 5;
/// Elements whose content has no tags for browsers that run scripts.
const RAW_TEXT: [&[u8]; 9] =
    [b"noscript", b"script", b"style", b"template", b"title", b"textarea", b"iframe", b"xmp", b"noframes"];

/// URL to which the page at `url` redirects. `None` if it does not, or if the target is not a web page.
pub(crate) fn target(url: &Url, body: &[u8]) -> Option<Url> {
    let body = &body[..body.len().min(MAX_BYTES)];
    let mut base = None;
    let mut at = 0;
    while let Some(open) = memchr(b'<', &body[at..]) {
        at += open;
        let rest = &body[at..];
        if rest.starts_with(b"<!--") {
            at += memmem::find(&rest[4..], b"-->")? + 7;
            continue;
        }
        let name = tag_name(&rest[1..]);
        let attributes = &rest[1 + name.len()..];
        if name.is_empty() {
            at += 1;
            continue;
        }
        let (attributes, length) = Attributes::parse(attributes);
        at += 1 + name.len() + length;
        if name.eq_ignore_ascii_case(b"meta") {
            if attributes.are_refresh() {
                let next = attributes.target(base.as_ref().unwrap_or(url));
                return next.filter(is_web_page);
            }
        } else if name.eq_ignore_ascii_case(b"base") && base.is_none() {
            base = attributes.value("href").and_then(|href| url.join(href.trim()).ok());
        } else if let Some(raw) = RAW_TEXT.iter().find(|raw| name.eq_ignore_ascii_case(raw)) {
            at += end_of(&body[at..], raw)?;
        }
    }
    None
}

fn is_web_page(next: &Url) -> bool {
    matches!(next.scheme(), "http" | "https") && next.as_str().len() <= url_check::MAX_URL_BYTES
}

/// Name of a start tag. Empty for other markup.
fn tag_name(rest: &[u8]) -> &[u8] {
    let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    if rest.first().is_some_and(u8::is_ascii_alphabetic) { &rest[..length] } else { &[] }
}

/// Offset of the end tag of a raw text element.
fn end_of(bytes: &[u8], name: &[u8]) -> Option<usize> {
    bytes
        .windows(name.len() + 2)
        .position(|window| window.starts_with(b"</") && window[2..].eq_ignore_ascii_case(name))
}

/// Attributes of a start tag. If a name occurs several times, only its first attribute is included.
struct Attributes(Vec<(String, String)>);

impl Attributes {
    /// Parses attributes. Returns them, and the number of bytes up to the end of the tag.
    fn parse(bytes: &[u8]) -> (Self, usize) {
        let mut attributes = Vec::new();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if byte == b'>' {
                at += 1;
                break;
            }
            if byte.is_ascii_whitespace() || byte == b'/' {
                at += 1;
                continue;
            }
            let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'=' | b'>' | b'/');
            let length = bytes[at + 1..].iter().position(is_end).map_or(bytes.len() - at, |end| end + 1);
            let name = String::from_utf8_lossy(&bytes[at..at + length]).to_ascii_lowercase();
            at += length;
            let (value, after) = value(bytes, at);
            at = after;
            attributes.push((name, String::from_utf8_lossy(value).into_owned()));
        }
        (Self(attributes), at)
    }

    fn value(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// True if the attributes declare a refresh.
    fn are_refresh(&self) -> bool {
        self.value("http-equiv").is_some_and(|name| name.trim().eq_ignore_ascii_case("refresh"))
    }

    /// Target of a refresh. `None` if the refresh is not a redirect.
    fn target(&self, base: &Url) -> Option<Url> {
        let target = self.value("content").and_then(declared_target)?;
        let mut next = base.join(&target.replace("&amp;", "&")).ok()?;
        next.set_fragment(None);
        Some(next)
    }
}

/// Value of the attribute whose name precedes the offset `at`, and the position after the value.
fn value(bytes: &[u8], at: usize) -> (&[u8], usize) {
    let after_blanks = |from: usize| {
        bytes[from..].iter().position(|byte| !byte.is_ascii_whitespace()).map_or(bytes.len(), |at| from + at)
    };
    let equals = after_blanks(at);
    if bytes.get(equals) != Some(&b'=') {
        return (&[], at);
    }
    let start = after_blanks(equals + 1);
    if let Some(&quote @ (b'"' | b'\'')) = bytes.get(start) {
        let inside = &bytes[start + 1..];
        let end = memchr(quote, inside).unwrap_or(inside.len());
        (&inside[..end], (start + end + 2).min(bytes.len()))
    } else {
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'>';
        let end = bytes[start..].iter().position(is_end).map_or(bytes.len(), |end| start + end);
        (&bytes[start..end], end)
    }
}

/// Address in `0; url=/next`, which the HTML standard parses leniently. `None` if the delay is too long or
/// the address is missing.
fn declared_target(content: &str) -> Option<&str> {
    let content = content.trim_start();
    let digits = content.bytes().take_while(u8::is_ascii_digit).count();
    let seconds = &content[..digits];
    let rest = content[digits..].trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let has_delay = digits > 0 || content.starts_with('.');
    let is_separated = rest.starts_with(|c: char| c.is_whitespace() || matches!(c, ';' | ','));
    if !has_delay || !is_separated || !seconds.is_empty() && seconds.parse::<u32>().ok()? > MAX_SECONDS {
        return None;
    }
    let rest = rest.trim_start().trim_start_matches([';', ',']).trim_start();
    let named = rest
        .get(..3)
        .filter(|word| word.eq_ignore_ascii_case("url"))
        .and_then(|_| rest[3..].trim_start().strip_prefix('='));
    let target = named.unwrap_or(rest).trim_start();
    let target = match target.chars().next() {
        Some(quote @ ('"' | '\'')) => target[1..].split(quote).next().unwrap_or_default(),
        _ => target,
    };
    Some(target.trim()).filter(|target| !target.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target_of(body: &str) -> Option<String> {
        let url = Url::parse("https://a.example/d/x?y=1").unwrap();
        target(&url, body.as_bytes()).map(String::from)
    }

    #[test]
    fn fast_refresh_of_another_address_is_a_redirect() {
        for (markup, expected) in [
            ("<meta http-equiv=refresh content='0;url=/next'>", "https://a.example/next"),
            (
                "<META HTTP-EQUIV=\"Refresh\" CONTENT=\"0; URL='next?a=1&amp;b=2#part'\">",
                "https://a.example/d/next?a=1&b=2",
            ),
            ("<meta content=\"5;url=https://b.example/\" http-equiv=\"REFRESH\"/>", "https://b.example/"),
            ("<meta http-equiv=refresh content='1.9 , /next'>", "https://a.example/next"),
            ("<meta http-equiv=refresh content='0 url = \"//b.example/z\" '>", "https://b.example/z"),
            ("<meta http-equiv = refresh content = \"\n 0 ;\n url=/next\">", "https://a.example/next"),
            ("<base href=/other/><meta http-equiv=refresh content='0;url=z'>", "https://a.example/other/z"),
            (
                "<title><meta></title><script>'</scrip'</script><a title='>'><meta http-equiv=refresh content='0;/z'>",
                "https://a.example/z",
            ),
        ] {
            assert_eq!(target_of(markup).as_deref(), Some(expected), "{markup}");
        }
    }

    #[test]
    fn slow_invalid_or_inert_refreshes_are_not_redirects() {
        let refresh = "<meta http-equiv=refresh content='0;url=/next'>";
        let inside = |name: &str| format!("<{name}>{refresh}</{name}>");
        let contents = [
            "0", "0;", "0;url=", "6;url=/next", "300", "300;url=/next", "x;url=/next", "0x;url=/next",
            "-1;url=/next", "99999999999;url=/next", "0;url=javascript:alert(1)", "0;url=mailto:a@b.example",
            "0;url=data:text/html,x", "0;url=http://[",
        ];
        let mut pages: Vec<String> =
            contents.iter().map(|content| format!("<meta http-equiv=refresh content='{content}'>")).collect();
        pages
            .extend(["noscript", "NOSCRIPT", "script", "style", "template", "textarea", "title"].map(inside));
        pages.push(format!("<!-- {refresh} -->"));
        pages.push(format!("<!-- {refresh}"));
        pages.push(refresh.replace('<', "&lt;"));
        pages.push(format!("{}{refresh}", " ".repeat(MAX_BYTES)));
        pages.push("<meta name=refresh content='0;url=/next'><meta".to_owned());
        // The first refresh counts, as in browsers.
        pages.push(format!("<meta http-equiv=refresh content=60>{refresh}"));
        for page in pages {
            assert_eq!(target_of(&page), None, "{}", page.trim_start());
        }
    }

    #[test]
    fn broken_markup_is_scanned_to_its_end() {
        for markup in [
            "<", "<a", "<a b", "<a b=", "<a b='", "<a b=\"x", "<meta http-equiv", "<script", "<!--",
            "< a=</", "<a /=/>",
        ] {
            assert_eq!(target_of(markup), None, "{markup}");
        }
    }
}
