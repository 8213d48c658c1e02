//! Pages that take no session look as a browser wants them, too: what it chose is written into the page on its way out. The
//! page itself, which may be kept for all, knows nothing of it; its validator says for which look it was made.

use poem::endpoint::BoxEndpoint;
use poem::http::{HeaderValue, header};
use poem::{Endpoint, EndpointExt, IntoResponse, Request, Response};

use super::look::{Look, SETTINGS};

/// The beginning of every page as it looks when nothing was chosen.
const PLAIN: &str = "<html lang=\"en\">";

/// Pages of an endpoint as the browser wants them.
pub fn looking(endpoint: BoxEndpoint<'static>) -> BoxEndpoint<'static> {
    endpoint.around(|inner, request| async move { call(&inner, request).await }).boxed()
}

async fn call<E: Endpoint>(inner: &E, mut request: Request) -> poem::Result<Response> {
    let look = Look::of(&request);
    if look == Look::default() {
        return Ok(inner.call(request).await?.into_response());
    }
    let mark = format!("-{}\"", look.cookie());
    unmark(&mut request, &mark);
    let response = inner.call(request).await?.into_response();
    Ok(dress(response, look, &mark).await)
}

/// A validator of a page that was made for this look is that of the page itself; one of another look is of no use.
fn unmark(request: &mut Request, mark: &str) {
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

async fn dress(mut response: Response, look: Look, mark: &str) -> Response {
    let is_known = response.status() == poem::http::StatusCode::NOT_MODIFIED;
    let is_page = response.content_type().is_some_and(|kind| kind.starts_with("text/html"));
    if !is_page && !is_known {
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
    let Ok(page) = response.take_body().into_string().await else {
        return poem::http::StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    let chosen: String = SETTINGS
        .iter()
        .filter_map(|setting| Some(format!(" data-{}=\"{}\"", setting.name, look.word(setting.name)?)))
        .collect();
    let dressed = page.replacen(PLAIN, &format!("<html lang=\"en\"{chosen}>"), 1);
    response.headers_mut().remove(header::CONTENT_LENGTH);
    response.set_body(dressed);
    response
}
