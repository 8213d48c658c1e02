//! Page that shares a highlight as text: the quote with its source, ready to copy, and links to its position.
//! A script also renders it as a picture.

use kernel::HighlightId;
use library::Highlight;
use maud::{Markup, html};
use poem::handler;
use poem::http::StatusCode;
use poem::web::Path;

use super::super::frame::{Section, host, respond_with};
use crate::language::text::Text;
use crate::page::request::{PageRequest, PageResult, User};
use crate::scripts::{quote_picture_script, reading_script};

/// Number of words at the beginning and at the end of a long quote that select it in a page.
const FRAGMENT_WORDS: usize = 6;
/// Maximum number of words of a quote that is selected by all its words.
const MAX_WHOLE_WORDS: usize = 16;

/// Renders the page. Without scripts, the text is copied from its field.
#[handler]
pub(in crate::desk) async fn show(
    request: PageRequest,
    user: User,
    Path(id): Path<HighlightId>,
) -> PageResult {
    let highlight = library::get_highlight(&request.app.domain, user.account.id, id).await?;
    let auth = request.app.settings.origins.auth.as_str();
    let (title, address) = (title_of(&highlight), highlight.source_url.as_deref());
    let original = address.and_then(|url| fragment_url(url, &highlight.row.quote));
    let own = highlight.row.item_id.map(|item| format!("{auth}/library/{item}#mark-{id}"));
    let content = html! {
        p.soft { a href={ "/library/highlights/" (id) } { (Text("quote-back")) } }
        h1 { (Text("quote-share")) }
        div.stack #share data-quote=(highlight.row.quote) data-title=[title] data-author=[highlight.item_author.as_deref()] data-host=[address.and_then(host)] {
            label for="share-text" { (Text("quote-text")) }
            textarea.words #share-text readonly rows="8" dir="auto" { (text_of(&highlight, original.as_deref())) }
        }
        @if let Some(original) = &original { p { (Text("quote-original-words").markup(&[("link", original_link(original))])) } }
        @if let Some(own) = &own { p { (Text("quote-own").linked(&[own.as_str()])) } }
        (reading_script())
        (quote_picture_script())
    };
    let title = format!("{} · {}", Text("quote-title").get(), Text("nav-library").get());
    Ok(respond_with(&request, StatusCode::OK, Section::Library, &title, &content))
}

fn original_link(url: &str) -> Markup {
    html! { a href=(url) rel="noopener nofollow external" { (Text("quote-original")) } }
}

/// Returns the title of the item. `None` if it is empty.
fn title_of(highlight: &Highlight) -> Option<&str> {
    highlight.item_title.as_deref().filter(|title| !title.trim().is_empty())
}

/// Returns the quote in quotation marks, its source, and the address of the original page.
fn text_of(highlight: &Highlight, original: Option<&str>) -> String {
    let mut text = format!("“{}”", highlight.row.quote.trim());
    if let Some(title) = title_of(highlight) {
        text.push_str(&format!("\n— {title}"));
    }
    if let Some(original) = original {
        text.push_str(&format!("\n{original}"));
    }
    text
}

/// Returns the address of a page with a text fragment that selects a quote. `None` if the page is not on the
/// web.
fn fragment_url(url: &str, quote: &str) -> Option<String> {
    if !url.starts_with("http://") && !url.starts_with("https://") {
        return None;
    }
    let page = url.split('#').next().unwrap_or_default();
    let words: Vec<&str> = quote.split_whitespace().collect();
    let fragment = if words.len() <= MAX_WHOLE_WORDS {
        escaped(&words.join(" "))
    } else {
        let (start, end) = (words.first_chunk::<FRAGMENT_WORDS>()?, words.last_chunk::<FRAGMENT_WORDS>()?);
        format!("{},{}", escaped(&start.join(" ")), escaped(&end.join(" ")))
    };
    Some(format!("{page}#:~:text={fragment}"))
}

/// Escapes everything except letters and digits of ASCII: `-`, `,` and `&` have a meaning in text fragments.
fn escaped(text: &str) -> String {
    let escaped = |byte: u8| {
        if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") }
    };
    text.bytes().map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragment_selects_the_quote() {
        let url = |quote| fragment_url("https://example.org/a#top", quote).unwrap();
        assert_eq!(
            url("a well-known\n end, é"),
            "https://example.org/a#:~:text=a%20well%2Dknown%20end%2C%20%C3%A9"
        );
        let long: Vec<String> = (1..=20).map(|number| format!("w{number}")).collect();
        assert_eq!(
            url(&long.join(" ")),
            "https://example.org/a#:~:text=w1%20w2%20w3%20w4%20w5%20w6,w15%20w16%20w17%20w18%20w19%20w20"
        );
        assert_eq!(fragment_url("urn:uuid:7", "words"), None);
    }
}
