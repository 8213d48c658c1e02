//! Reading settings: choices about the appearance and behaviour of pages, stored with the account or only in the
//! browser.

#![expect(clippy::unused_async, reason = "handlers are asynchronous, even if they await nothing")]

use identity::accounts;
use maud::{Markup, html};
use poem::http::{HeaderValue, StatusCode, header};
use poem::{Response, handler};

use super::frame::{back, back_field, notice};
use super::offline;
use crate::appearance::{
    Appearance, AppearanceScope, DENSITY, FACE_NAME, SETTINGS, STEP, default_button, fragment_of,
};
use crate::language::text::Text;
use crate::page::form::{Form, FormToken};
use crate::page::parts::{settings_tabs, settings_title};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

/// Messages about the last action.
const DONE: [(&str, Text); 3] = [
    ("kept", Text("look-saved-account")),
    ("kept-here", Text("look-saved")),
    ("offline-off", Text("look-offline-off")),
];
/// Name of the field for settings that apply only to this browser.
const BROWSER_ONLY: &str = "browserOnly";

/// Renders the page with the current choices.
#[handler]
pub(super) async fn show(request: PageRequest, _user: User) -> PageResult {
    let token = FormToken::of(&request);
    let content = html! {
        (settings_tabs("/settings/look", &token))
        h1 { (Text("settings-reading")) }
        (notice(&request, &DONE))
        @if request.parameter("done") == "face" { p.notice.bad role="status" { (Text("appearance-face-wrong")) } }
        p { (Text("look-words")) }
        form.stack method="post" action="/settings/look" {
            (default_button())
            (token.field())
            @for setting in &SETTINGS { (setting.field(Some(request.appearance))) }
            label.choice {
                input type="checkbox" name=(BROWSER_ONLY) value="1" checked[request.appearance_scope == AppearanceScope::Browser];
                span { (Text("look-only-here")) " " span.soft.small { (Text("look-only-here-words")) } }
            }
            div { button type="submit" { (Text("look-save")) } }
        }
        p.sample-text { (Text("look-sample")) }
        (offline::choice(&request, &token))
        (shortcuts(&request))
    };
    Ok(request.respond(StatusCode::OK, &settings_title(&[Text("settings-reading")]), &content))
}

/// Renders the ways to send an address from other programs to Carrel.
fn shortcuts(request: &PageRequest) -> Markup {
    let auth = request.app.settings.origins.auth.as_str();
    let script = format!("javascript:location.href='{auth}/save?url='+encodeURIComponent(location.href)");
    let bookmark = html! { a.button.secondary href=(script) { (Text("look-bookmark-link")) } };
    html! {
        h2 #ways { (Text("look-ways")) }
        p { (Text("look-bookmark").markup(&[("link", bookmark)])) }
        p { (Text("look-install")) }
        p { (Text("look-keys").markup(&[("key", html! { kbd { "?" } })])) }
        p { (Text("look-search-engine").markup(&[("address", html! { code { (auth) "/search?q=%s" } })])) }
    }
}

/// Saves the choices.
#[handler]
pub(super) async fn save(request: PageRequest, user: User, form: Form) -> PageResult {
    let appearance = Appearance::chosen(|name| form.get(name)).stepped(form.get(STEP));
    let Some(appearance) = appearance.with_face_name(form.get(FACE_NAME)) else {
        return Ok(redirect("/settings/look?done=face"));
    };
    let (scope, done) = match form.get(BROWSER_ONLY) {
        "1" => (AppearanceScope::Browser, "kept-here"),
        _ => (AppearanceScope::Account, "kept"),
    };
    store(
        &request,
        &user,
        (appearance, scope),
        redirect(&format!("/settings/look?done={done}{}", fragment_of(form.get(STEP)))),
    )
    .await
}

/// Saves the density of lists and returns to the list.
#[handler]
pub(super) async fn save_density(request: PageRequest, user: User, form: Form) -> PageResult {
    let appearance = request.appearance.with(DENSITY, form.get(DENSITY));
    let chosen = (appearance, request.appearance_scope);
    store(&request, &user, chosen, redirect(&back(&form, "/entries"))).await
}

/// Stores the appearance in the browser, and with the account unless it applies only to this browser. Public pages and
/// pages without a session have the appearance of the browser.
async fn store(
    request: &PageRequest,
    user: &User,
    (appearance, scope): (Appearance, AppearanceScope),
    mut response: Response,
) -> PageResult {
    if scope == AppearanceScope::Account {
        accounts::set_appearance(&request.app.domain, user.account.id, appearance.cookie()).await?;
    }
    let line = appearance.cookie_line(&request.app.settings.origins.auth, scope);
    if let Ok(line) = HeaderValue::from_str(&line) {
        response.headers_mut().append(header::SET_COOKIE, line);
    }
    Ok(response)
}

/// Renders the form that selects the density of a list.
pub(super) fn density_choice(request: &PageRequest, token: &FormToken) -> Markup {
    let setting = SETTINGS.iter().find(|setting| setting.name == DENSITY);
    html! {
        @if let Some(setting) = setting {
            form.density aria-label=(Text("list-density")) method="post" action="/settings/density" {
                (token.field()) (back_field(request))
                @for (word, label) in setting.choices() {
                    button.link type="submit" name=(DENSITY) value=(word) aria-pressed=(request.appearance.has(setting, word)) { (label) }
                }
            }
        }
    }
}
