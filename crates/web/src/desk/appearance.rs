//! Reading settings: choices about the appearance and behaviour of pages, stored in the browser.

#![expect(clippy::unused_async, reason = "handlers are asynchronous, even if they await nothing")]

use maud::{Markup, html};
use poem::http::{HeaderValue, StatusCode, header};
use poem::{Response, handler};

use super::frame::{back, back_field, notice};
use super::offline;
use crate::appearance::{Appearance, DENSITY, SETTINGS};
use crate::language::text::Text;
use crate::page::form::{Form, FormToken};
use crate::page::parts::settings_tabs;
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

/// Messages about the last action.
const DONE: [(&str, &str); 2] = [
    ("kept", "Settings saved in this browser."),
    ("offline-off", "Offline reading is off. The texts in this browser were deleted."),
];

/// Renders the page with the current choices.
#[handler]
pub(super) async fn show(request: PageRequest, _user: User) -> PageResult {
    let token = FormToken::of(&request);
    let content = html! {
        (settings_tabs("/settings/look", &token))
        h1 { "Reading" }
        (notice(&request, &DONE))
        p { "Appearance and behaviour of pages and texts in this browser. A change is visible immediately; save it to apply it to every page." }
        form.stack method="post" action="/settings/look" {
            (token.field())
            @for setting in &SETTINGS { (setting.field(Some(request.appearance))) }
            div { button type="submit" { "Save settings" } }
        }
        p.sample-text { "The harbour wakes before the town. Boats that went out at four come home one after the other, and the gulls know each of them." }
        (offline::choice(&request, &token))
        (shortcuts(&request))
    };
    Ok(request.respond(StatusCode::OK, "Reading · Settings", &content))
}

/// Renders the ways to send an address from other programs to Carrel.
fn shortcuts(request: &PageRequest) -> Markup {
    let auth = request.app.settings.origins.auth.as_str();
    let script = format!("javascript:location.href='{auth}/save?url='+encodeURIComponent(location.href)");
    html! {
        h2 #ways { "Save and search from anywhere" }
        p { "Drag this link to your bookmarks. It saves the page that you are viewing: "
            a.button.secondary href=(script) { "Save to Carrel" } }
        p { "Install Carrel as an app from the menu of your browser. On a phone, other apps can then share pages with it." }
        p { "Your feeds and your library have keys like those of other readers. Press " kbd { "?" } " there to see them." }
        p { "You can also search from your browser: add Carrel as a search engine, with the address "
            code { (auth) "/search?q=%s" } "." }
    }
}

/// Saves the choices.
#[handler]
pub(super) async fn save(request: PageRequest, _user: User, form: Form) -> PageResult {
    let appearance = Appearance::chosen(|name| form.get(name));
    Ok(with_appearance(&request, redirect("/settings/look?done=kept"), appearance))
}

/// Saves the density of lists and returns to the list.
#[handler]
pub(super) async fn save_density(request: PageRequest, _user: User, form: Form) -> PageResult {
    let appearance = request.appearance.with(DENSITY, form.get(DENSITY));
    Ok(with_appearance(&request, redirect(&back(&form, "/entries")), appearance))
}

/// Stores the appearance in the browser.
fn with_appearance(request: &PageRequest, mut response: Response, appearance: Appearance) -> Response {
    let line = appearance.cookie_line(&request.app.settings.origins.auth);
    if let Ok(line) = HeaderValue::from_str(&line) {
        response.headers_mut().append(header::SET_COOKIE, line);
    }
    response
}

/// Renders the choice of the density of a list.
pub(super) fn density_choice(request: &PageRequest, token: &FormToken) -> Markup {
    let setting = SETTINGS.iter().find(|setting| setting.name == DENSITY);
    html! {
        @if let Some(setting) = setting {
            form.density aria-label=(Text("list-density")) method="post" action="/settings/density" {
                (token.field()) (back_field(request))
                @for (word, label) in setting.values {
                    button.link type="submit" name=(DENSITY) value=(word) aria-pressed=(request.appearance.has(setting, word)) { (label) }
                }
            }
        }
    }
}
