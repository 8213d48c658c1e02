//! Reading settings for people without an account: a page, and the form in the menu of each reading page. The
//! choices are stored in the browser.

#![expect(clippy::needless_pass_by_value, reason = "handlers take their extractors by value")]

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use maud::html;
use poem::http::{HeaderValue, StatusCode, header};
use poem::web::Data;
use poem::{Body, Request, Response, handler};

use super::appearance::{
    Appearance, AppearanceScope, FACE_NAME, SETTINGS, STEP, default_button, fragment_of,
};
use super::home::reading_path;
use super::language::text::Text;
use super::layout::{Shell, hosts, page_response, shell};
use super::page::response::redirect;
use http_kit::app::App;
use http_kit::http::query;
use http_kit::page_language;

/// Path of the page.
pub(super) const PATH: &str = "/appearance";
/// Maximum size of the form in bytes. The longest URL fits, even if each byte is escaped.
const MAX_BYTES: usize = 32 * 1024;
/// Maximum time for receiving the form.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);
/// Messages about the last action, by the value of the parameter `done`.
const DONE: [(&str, &str, Text); 4] = [
    ("saved", "good", Text("look-saved")),
    ("refused", "bad", Text("appearance-refused")),
    ("unread", "bad", Text("appearance-unread")),
    ("face", "bad", Text("appearance-face-wrong")),
];

/// Renders the page with the current choices.
#[handler]
pub(super) fn show(app: Data<&Arc<App>>, request: &Request) -> Response {
    page_language::with_translated_content(|| page(&app, request))
}

fn page(app: &App, request: &Request) -> Response {
    let appearance = Appearance::of(request);
    let done = query::value_in(request.uri(), "done").unwrap_or_default();
    let offline = format!("{}/settings/look#offline", hosts(app).1);
    let title = Text("foot-reading-settings").get();
    let content = html! {
        h1 { (title) }
        @for (_, kind, words) in DONE.iter().filter(|(word, ..)| *word == done) {
            p class={ "notice " (kind) } role="status" { (words) }
        }
        p { (Text("appearance-words")) }
        form.stack method="post" action=(PATH) {
            (default_button())
            @for setting in SETTINGS.iter().filter(|setting| setting.is_for_texts()) {
                (setting.field(Some(appearance)))
            }
            div { button type="submit" { (Text("look-save")) } }
        }
        p { (Text("appearance-offline").linked(&[offline.as_str()])) }
        p.sample-text { (Text("look-sample")) }
    };
    page_response(StatusCode::OK, shell(app, Shell::titled(&title), &content))
}

/// Saves the choices and returns to the text. A setting without a choice is unchanged.
#[handler]
pub(super) async fn save(app: Data<&Arc<App>>, request: &Request, body: Body) -> Response {
    if request.header("sec-fetch-site").is_some_and(|site| site == "cross-site") {
        return redirect("/appearance?done=refused");
    }
    let read = tokio::time::timeout(BODY_TIMEOUT, body.into_bytes_limit(MAX_BYTES)).await;
    let Ok(Ok(bytes)) = read else { return redirect("/appearance?done=unread") };
    if query::undecodable_name(&bytes).is_some() {
        return redirect("/appearance?done=unread");
    }
    let fields: Vec<_> = url::form_urlencoded::parse(&bytes).take(SETTINGS.len() + 3).collect();
    let current = Appearance::of(request);
    let appearance = Appearance::chosen(|name| match value(&fields, name) {
        "" => current.value_of(name).unwrap_or_default(),
        chosen => chosen,
    })
    .stepped(value(&fields, STEP));
    let typed = fields.iter().find(|(field, _)| field == FACE_NAME);
    let appearance = match typed {
        Some((_, name)) => appearance.with_face_name(name),
        None => appearance.with_face_name_of(current),
    };
    let Some(appearance) = appearance else { return redirect("/appearance?done=face") };
    let mut response = match value(&fields, "url") {
        "" => redirect(&format!("/appearance?done=saved{}", fragment_of(value(&fields, STEP)))),
        address => redirect(&reading_path(address)),
    };
    let line = appearance.cookie_line(&app.settings.origins.reader, AppearanceScope::of(request));
    if let Ok(line) = HeaderValue::from_str(&line) {
        response.headers_mut().append(header::SET_COOKIE, line);
    }
    response
}

/// Returns the value of a field. Empty if the field was not sent.
fn value<'f>(fields: &'f [(Cow<'_, str>, Cow<'_, str>)], name: &str) -> &'f str {
    fields.iter().find(|(field, _)| field == name).map_or("", |(_, value)| value.as_ref())
}
