//! How pages look and behave: six choices that a browser keeps.

#![expect(clippy::unused_async, reason = "handlers are asynchronous, also those that wait for nothing")]

use maud::{Markup, html};
use poem::handler;
use poem::http::{HeaderValue, StatusCode, header};

use super::frame::notice;
use crate::account::form::{Form, FormToken};
use crate::account::parts::settings_tabs;
use crate::account::request::{Answer, PageRequest, User};
use crate::account::respond::redirect;
use crate::look::{COOKIE, Look, SETTINGS, Setting};

/// How long a browser keeps the choices, in seconds.
const KEPT_SECONDS: u32 = 365 * 86_400;

/// The choices as they stand.
#[handler]
pub(super) async fn show(request: PageRequest, _user: User) -> Answer {
    let token = FormToken::of(&request);
    let content = html! {
        (settings_tabs("/settings/look", &token))
        h1 { "Reading" }
        (notice(&request, &[("kept", "This browser keeps your choices.")]))
        p { "How pages and texts look in this browser, and what they do. A choice shows at once; keep it to have it on every page." }
        form.stack method="post" action="/settings/look" {
            (token.field())
            @for setting in &SETTINGS { (choice(setting, request.look)) }
            div { button type="submit" { "Keep these choices" } }
        }
        p.sample-text { "The harbour wakes before the town. Boats that went out at four come home one after the other, and the gulls know each of them." }
        (ways_in(&request))
    };
    Ok(request.respond(StatusCode::OK, "Reading · Settings", &content))
}

fn choice(setting: &Setting, look: Look) -> Markup {
    html! {
        fieldset {
            legend { (setting.label) }
            div.line { @for (word, label) in setting.values {
                label.choice {
                    input type="radio" name=(setting.name) value=(word) checked[look.has(setting, word)];
                    span { (label) }
                }
            } }
        }
    }
}

/// How an address comes here from elsewhere.
fn ways_in(request: &PageRequest) -> Markup {
    let auth = request.app.settings.origins.auth.as_str();
    let script = format!("javascript:location.href='{auth}/save?url='+encodeURIComponent(location.href)");
    html! {
        h2 #ways { "From other pages to here" }
        p { "Drag this link to the bookmarks of your browser. It saves the page that you look at: "
            a.button.quiet href=(script) { "Save to Carrel" } }
        p { "On a phone, install Carrel from the menu of the browser: it then stands among the apps that a page can be shared with." }
        p { "Your browser can search here, too: add Carrel as a search engine, with the address "
            code { (auth) "/search?q=%s" } "." }
    }
}

/// Keeps the choices.
#[handler]
pub(super) async fn keep(request: PageRequest, _user: User, form: Form) -> Answer {
    let look = Look::chosen(|name| form.get(name));
    let secure = if request.app.settings.origins.auth.is_secure() { "; Secure" } else { "" };
    let line =
        format!("{COOKIE}={}; Path=/; Max-Age={KEPT_SECONDS}; HttpOnly; SameSite=Lax{secure}", look.cookie());
    let mut response = redirect("/settings/look?done=kept");
    if let Ok(line) = HeaderValue::from_str(&line) {
        response.headers_mut().append(header::SET_COOKIE, line);
    }
    Ok(response)
}
