//! Renders pages that use no session in the browser's language, and then applies the browser's appearance to them.
//! The page itself does not depend on the appearance. The `ETag` includes the appearance and the language.

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use poem::endpoint::BoxEndpoint;
use poem::http::{HeaderValue, header};
use poem::{Body, Endpoint, EndpointExt, IntoResponse, Request, Response};

use super::appearance::{Appearance, SETTINGS, Setting};
use super::language::choice;
use super::pictures::{are_pictures_off, without_pictures};
use http_kit::page_language::{self, PageLanguages};
use kernel::Language;

/// Start of the tag that gets the attributes of the appearance.
const START: &str = "<html lang=\"";
/// End of that tag, and start of the head.
const HEAD: &str = "><head>";

/// Additions to a page: attributes of the tag `html`, and links in the head.
struct Additions {
    attributes: String,
    links: String,
}

impl Additions {
    fn of(appearance: Appearance) -> Self {
        let attribute = |setting: &Setting| {
            Some(format!(" data-{}=\"{}\"", setting.name, appearance.value_of(setting.name)?))
        };
        let attributes = SETTINGS.iter().filter_map(attribute).collect();
        Self { attributes, links: appearance.face_link().into_string() }
    }
}

/// Wraps an endpoint so that its pages have the browser's appearance.
pub fn with_appearance(endpoint: BoxEndpoint<'static>) -> BoxEndpoint<'static> {
    endpoint.around(|inner, request| async move { call(&inner, request).await }).boxed()
}

async fn call<E: Endpoint>(inner: &E, mut request: Request) -> poem::Result<Response> {
    let appearance = Appearance::of(&request);
    let language = choice::of_reader_page(&request);
    if appearance == Appearance::default() && language == Language::English {
        return Ok(varied(inner.call(request).await?.into_response()));
    }
    let mark = mark_of(appearance, language);
    restore_validator(&mut request, &mark);
    let languages = PageLanguages { shell: language, content: Language::English };
    let response = page_language::with(languages, inner.call(request)).await?.into_response();
    Ok(varied(apply(response, appearance, &mark).await))
}

/// Returns the suffix of the `ETag` of a page with this appearance in this language.
fn mark_of(appearance: Appearance, language: Language) -> String {
    let mut mark = String::new();
    if appearance != Appearance::default() {
        mark.push('-');
        mark.push_str(&appearance.cookie());
    }
    if language != Language::English {
        mark.push('-');
        mark.push_str(language.tag());
    }
    mark.push('"');
    mark
}

/// Declares that a page depends on the browser's language.
fn varied(mut response: Response) -> Response {
    if is_page(&response) {
        response.headers_mut().append(header::VARY, HeaderValue::from_static("Accept-Language"));
    }
    response
}

fn is_page(response: &Response) -> bool {
    response.content_type().is_some_and(|kind| kind.starts_with("text/html"))
}

/// Replaces the validators in `If-None-Match` with those of the unadapted page. Validators for other
/// appearances are removed.
fn restore_validator(request: &mut Request, mark: &str) {
    let Some(sent) = request.header(header::IF_NONE_MATCH) else { return };
    let own: Vec<String> = sent
        .split(',')
        .filter_map(|one| one.trim().strip_suffix(mark))
        .map(|front| format!("{front}\""))
        .collect();
    match HeaderValue::from_str(&own.join(", ")) {
        Ok(value) if !own.is_empty() => {
            request.headers_mut().insert(header::IF_NONE_MATCH, value);
        }
        Ok(_) | Err(_) => {
            request.headers_mut().remove(header::IF_NONE_MATCH);
        }
    }
}

async fn apply(mut response: Response, appearance: Appearance, mark: &str) -> Response {
    let is_known = response.status() == poem::http::StatusCode::NOT_MODIFIED;
    if !is_page(&response) && !is_known {
        return response;
    }
    let etag = response
        .header(header::ETAG)
        .and_then(|etag| etag.strip_suffix('"'))
        .map(|front| format!("{front}{mark}"));
    if let Some(Ok(etag)) = etag.map(|etag| HeaderValue::from_str(&etag)) {
        response.headers_mut().insert(header::ETAG, etag);
    }
    if is_known {
        return response;
    }
    let additions = Additions::of(appearance);
    // Only long pages have a `Content-Length`. They are streamed, and this layer never buffers them.
    let length = response.header(header::CONTENT_LENGTH).and_then(|length| length.parse::<usize>().ok());
    if let Some(length) = length {
        return apply_to_stream(response, length, additions).await;
    }
    let Ok(page) = response.take_body().into_string().await else {
        return poem::http::StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    let page = match positions_in(page.as_bytes()) {
        Some((tag, head)) => {
            let (beginning, rest) = page.split_at(tag);
            let (head, rest) = rest.split_at(head - tag);
            [beginning, &additions.attributes, head, &additions.links, rest].concat()
        }
        None => page,
    };
    response.set_body(if are_pictures_off(appearance) { without_pictures(&page) } else { page });
    response
}

/// Returns the positions in a page at which attributes of the `html` tag and links of the head are inserted.
fn positions_in(page: &[u8]) -> Option<(usize, usize)> {
    let start = page.windows(START.len()).position(|window| window == START.as_bytes())?;
    let tag = start + page.iter().skip(start).position(|byte| *byte == b'>')?;
    let has_head = page.get(tag..).is_some_and(|rest| rest.starts_with(HEAD.as_bytes()));
    Some((tag, if has_head { tag + HEAD.len() } else { tag + 1 }))
}

/// Applies the appearance to a streamed page of `length` bytes. The first chunk contains the beginning of the
/// page.
async fn apply_to_stream(mut response: Response, length: usize, additions: Additions) -> Response {
    let mut rest = response.take_body().into_bytes_stream();
    let Some(Ok(first)) = rest.next().await else {
        return poem::http::StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    let Some((tag, head)) = positions_in(&first) else {
        response.set_body(Body::from_bytes_stream(stream::iter([Ok(first)]).chain(rest)));
        return response;
    };
    let Additions { attributes, links } = additions;
    let length = length + attributes.len() + links.len();
    let beginning = [
        first.slice(..tag),
        Bytes::from(attributes),
        first.slice(tag..head),
        Bytes::from(links),
        first.slice(head..),
    ];
    response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    response.set_body(Body::from_bytes_stream(stream::iter(beginning.map(Ok)).chain(rest)));
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_kit::http::answer_memory::AnswerMemory;

    #[tokio::test]
    async fn large_page_is_adapted_and_counted_until_it_is_sent() {
        const MIB: usize = 1024 * 1024;
        let memory = AnswerMemory::new(4 * MIB);
        let large = || {
            let page = format!("<!DOCTYPE html><html lang=\"en\">{}", "x".repeat(3 * MIB));
            Response::builder().content_type("text/html; charset=utf-8").body(page)
        };
        let appearance = Appearance::chosen(|name| if name == "theme" { "dark" } else { "" });
        let response = memory.reserve("one", large()).await.unwrap();
        let dressed = apply(response, appearance, "-mark\"").await;
        assert!(memory.reserve("two", large()).await.is_err(), "the first page has not been sent yet");
        let length: usize = dressed.header(header::CONTENT_LENGTH).unwrap().parse().unwrap();
        let page = dressed.into_body().into_string().await.unwrap();
        assert!(page.starts_with("<!DOCTYPE html><html lang=\"en\" data-theme=\"dark\">xxx"));
        assert_eq!(page.len(), length);
        assert!(memory.reserve("two", large()).await.is_ok());
    }

    #[test]
    fn page_validator_includes_appearance_and_language() {
        let dark = Appearance::chosen(|name| if name == "theme" { "dark" } else { "" });
        assert_eq!(mark_of(dark, Language::English), format!("-{}\"", dark.cookie()));
        assert_eq!(mark_of(Appearance::default(), Language::German), "-de\"");
        assert_eq!(mark_of(dark, Language::German), format!("-{}-de\"", dark.cookie()));
        assert_eq!(positions_in(b"<!DOCTYPE html><html lang=\"ar\" dir=\"rtl\"><head>"), Some((40, 47)));
        assert_eq!(positions_in(b"<html lang=\"en\"><p>"), Some((15, 16)));
        assert_eq!(positions_in(b"<p>"), None);
    }

    #[tokio::test]
    async fn page_and_streamed_page_link_to_the_installed_font() {
        let own = Appearance::default().with("face", "own").with_face_name("My Font").unwrap();
        let expected = "<html lang=\"en\" data-face=\"own\"><head>\
                        <link rel=\"stylesheet\" href=\"/assets/face-My_Font.css\"><title>";
        for is_streamed in [false, true] {
            let page = "<html lang=\"en\"><head><title>One</title>";
            let mut response = Response::builder().content_type("text/html").body(page);
            if is_streamed {
                response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(page.len()));
            }
            let adapted = apply(response, own, "-mark\"").await;
            let counted = adapted.header(header::CONTENT_LENGTH).map(str::to_owned);
            let page = adapted.into_body().into_string().await.unwrap();
            assert!(page.starts_with(expected), "{page}");
            assert!(counted.is_none_or(|counted| counted == page.len().to_string()), "{page}");
        }
    }
}
