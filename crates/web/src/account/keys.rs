//! API keys: list, creation, and revocation. The secret of a key is displayed only once.

use identity::caller::{Caller, Credential};
use identity::keys::{self, ApiKey, AppAccess, NewKey, feed_apps};
use kernel::{Code, Error, KeyId, Millis, Scopes, Secret};
use maud::{Markup, html};
use poem::http::StatusCode;
use poem::web::Path;
use poem::{Response, handler};

use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormField, FormToken};
use crate::page::parts::{scope_label, settings_tabs, settings_title, success, time};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;
use http_kit::app::App;
use http_kit::config::AppProtocol;

/// Lists the keys, with a form for a new key.
#[handler]
pub(super) async fn show(request: PageRequest, user: User) -> PageResult {
    let was_revoked = request.uri.query() == Some("revoked");
    list(&request, &user, StatusCode::OK, &KeyInput::default(), &FormError::default(), was_revoked).await
}

/// Creates a key and displays its secret, which cannot be displayed again.
#[handler]
pub(super) async fn create(request: PageRequest, user: User, form: Form) -> PageResult {
    let app = &request.app;
    let input = KeyInput::of(&form);
    let created = match input.new_key() {
        Ok(new) => keys::create(&app.domain, user.account.id, new).await,
        Err(error) => Err(error),
    };
    match created {
        Ok((key, secret)) => {
            let token = kobo_token(app, &user, &key, &secret).await;
            Ok(secret_page(&request, &key, &secret, token.as_ref()))
        }
        Err(error) => {
            let form_error = FormError::of(error)?;
            list(&request, &user, StatusCode::UNPROCESSABLE_ENTITY, &input, &form_error, false).await
        }
    }
}

/// Values of the form for a new key.
struct KeyInput {
    name: String,
    read: bool,
    write: bool,
    days: String,
    app_access: AppAccess,
}

impl Default for KeyInput {
    fn default() -> Self {
        Self {
            name: String::new(),
            read: true,
            write: true,
            days: String::new(),
            app_access: AppAccess::default(),
        }
    }
}

impl KeyInput {
    fn of(form: &Form) -> Self {
        let has_scope = |scope| form.all("scopes").any(|sent| sent == scope);
        Self {
            name: form.get("name").to_owned(),
            read: has_scope("svc:read"),
            write: has_scope("svc:write"),
            days: form.get("expiresInDays").trim().to_owned(),
            app_access: if form.get("feedApps") == "yes" { AppAccess::Digest } else { AppAccess::KeyOnly },
        }
    }

    fn new_key(&self) -> Result<NewKey, Error> {
        let scopes = match (self.read, self.write) {
            (true, true) => Scopes::ALL,
            (true, false) => Scopes::READ,
            (false, true) => Scopes::WRITE,
            (false, false) => return Err(wrong("scopes", "Choose at least one permission.")),
        };
        let days = match self.days.as_str() {
            "" => None,
            text => Some(
                text.parse()
                    .map_err(|_| wrong("expires_in_days", "Enter a number of days, or leave this empty."))?,
            ),
        };
        Ok(NewKey { name: self.name.clone(), scopes, expires_in_days: days, app_access: self.app_access })
    }
}

fn wrong(field: &'static str, message: &str) -> Error {
    Error::new(Code::InvalidRequest, message).at(field, message)
}

async fn list(
    request: &PageRequest,
    user: &User,
    status: StatusCode,
    input: &KeyInput,
    form_error: &FormError,
    was_revoked: bool,
) -> PageResult {
    let app = &request.app;
    let keys = keys::list(&app.domain, user.account.id).await?;
    let token = FormToken::of(request);
    let limit = app.domain.policy().tiers.of(user.account.tier).active_api_keys;
    let active = keys.iter().filter(|key| key.expires_at.is_none_or(|at| at > app.domain.now())).count();
    let has_app_key = keys.iter().any(|key| key.app_access == AppAccess::Digest);
    let now = app.domain.now();
    let content = html! {
        (settings_tabs("/settings/keys", &token))
        h1 { (Text("keys")) }
        @if was_revoked { (success(&Text("keys-revoked"))) }
        @if keys.is_empty() {
            p { (Text("keys-none")) }
        } @else {
            (table(&keys, now))
        }
        h2 { (Text("keys-create-heading")) }
        p.soft { (Text("keys-used").with("count", active).with("most", limit)) }
        (form_error.summary())
        @if active < limit as usize {
            (new_key_form(&token, input, form_error))
        } @else {
            p.notice { (Text("keys-plan-full").linked(&["/settings/plan#plans"])) }
        }
        h2 { (Text("keys-apps")) }
        p { (Text("keys-apps-words")) }
        (app_addresses(app))
        @if has_app_key && app.settings.apps.has(AppProtocol::KoreaderSync) {
            p.soft { (Text("keys-koreader-old")) }
        }
    };
    Ok(request.respond(status, &settings_title(&[Text("settings-keys")]), &content))
}

fn table(keys: &[ApiKey], now: Millis) -> Markup {
    html! {
        table.cards {
            caption.soft { (Text("keys-caption")) }
            thead { tr { th scope="col" { (Text("settings-name")) } th scope="col" { (Text("keys-starts-with")) } th scope="col" { (Text("settings-permissions")) } th scope="col" { (Text("settings-last-used")) } th scope="col" { (Text("keys-expires")) } th scope="col" { span.hidden { (Text("settings-actions")) } } } }
            tbody { @for key in keys {
                tr {
                    th scope="row" { (key.name) }
                    td data-label=(Text("keys-starts-with")) { code { (key.prefix) "…" } }
                    td data-label=(Text("settings-permissions")) { (scope_label(key.scopes)) @if key.app_access == AppAccess::Digest { ", " (Text("keys-feed-apps")) } }
                    td data-label=(Text("settings-last-used")) { @match key.last_used_at { Some(at) => (time(at, now)), None => (Text("settings-never")) } }
                    td data-label=(Text("keys-expires")) { @match key.expires_at {
                        Some(at) if at <= now => { strong { (Text("keys-expired")) } },
                        Some(at) => (time(at, now)),
                        None => (Text("settings-never")),
                    } }
                    td { a href=(format!("/settings/keys/{}/revoke", key.id)) aria-label=(Text("keys-revoke-named").with("name", key.name.as_str())) { (Text("keys-revoke-link")) } }
                }
            } }
        }
    }
}

fn new_key_form(token: &FormToken, input: &KeyInput, form_error: &FormError) -> Markup {
    let (name_label, name_hint) = (Text("settings-name").get(), Text("keys-name-hint").get());
    let (days_label, days_hint) = (Text("keys-days").get(), Text("keys-days-hint").get());
    let name = FormField {
        name: "name",
        label: &name_label,
        hint: &name_hint,
        kind: "text",
        value: &input.name,
        autocomplete: "off",
        required: true,
    };
    let days = FormField {
        name: "expiresInDays",
        label: &days_label,
        hint: &days_hint,
        kind: "number",
        value: &input.days,
        autocomplete: "off",
        required: false,
    };
    html! {
        form.stack method="post" action="/settings/keys" {
            (token.field())
            (name.show(form_error))
            fieldset {
                legend { (Text("settings-permissions")) }
                (form_error.on_group("scopes"))
                label.choice {
                    input type="checkbox" name="scopes" value="svc:read" checked[input.read];
                    span { (Text("keys-may-read").markup(&[("scope", html! { code { "svc:read" } })])) }
                }
                label.choice {
                    input type="checkbox" name="scopes" value="svc:write" checked[input.write];
                    span { (Text("keys-may-change").markup(&[("scope", html! { code { "svc:write" } })])) }
                }
            }
            fieldset {
                legend { (Text("keys-digest")) }
                label.choice {
                    input type="checkbox" name="feedApps" value="yes" checked[input.app_access == AppAccess::Digest];
                    span { (Text("keys-digest-words")) }
                }
            }
            (days.show(form_error))
            div { button type="submit" { (Text("keys-create")) } }
        }
    }
}

/// Creates the token of the key, which is part of the address that a Kobo stores. `None` if the protocol is disabled,
/// or if the token could not be stored. The key is valid in both cases.
async fn kobo_token(app: &App, user: &User, key: &ApiKey, secret: &Secret) -> Option<Secret> {
    if !app.settings.apps.has(AppProtocol::Kobo) {
        return None;
    }
    let caller = Caller {
        account_id: user.account.id,
        tier: user.account.tier,
        scopes: key.scopes,
        credential: Credential::Key(key.id),
    };
    let token = feed_apps::token(&app.domain, &caller, secret.expose()).await;
    token.inspect_err(|error| tracing::warn!(error = error.report(), "failed to store the Kobo token")).ok()
}

fn secret_page(request: &PageRequest, key: &ApiKey, secret: &Secret, kobo: Option<&Secret>) -> Response {
    let token = FormToken::of(request);
    let text = secret.expose();
    let content = html! {
        (settings_tabs("/settings/keys", &token))
        h1 { (Text("keys-new")) }
        p { (Text("keys-secret-words").markup(&[("name", html! { strong { (key.name) } })])) }
        p.secret #secret tabindex="0" role="textbox" aria-readonly="true" aria-label=(Text("keys-secret")) { (text) }
        h2 { (Text("keys-try")) }
        pre tabindex="0" { code { (example_command(&request.app, text)) } }
        h2 { (Text("keys-in-app")) }
        p { (Text("keys-in-app-words")) }
        @if key.app_access == AppAccess::KeyOnly { p { (Text("keys-no-digest")) } }
        (app_addresses(&request.app))
        @if let Some(token) = kobo {
            h3 { (Text("keys-kobo")) }
            p { (Text("keys-kobo-words")) }
            pre tabindex="0" { code { "api_endpoint=" (request.app.settings.origins.base) "/kobo/" (token.expose()) } }
            p.soft { (Text("keys-kobo-again")) }
        }
        p { (Text("keys-careful").linked(&["/settings/keys"])) }
    };
    let title = settings_title(&[Text("keys-new-title"), Text("settings-keys")]);
    request.respond(StatusCode::CREATED, &title, &content)
}

/// App kinds, with the protocol of each and the path after the base URL.
const APPS: [(Text, AppProtocol, &str); 8] = [
    (Text("keys-app-greader"), AppProtocol::GoogleReader, ""),
    (Text("keys-app-fever"), AppProtocol::Fever, "/fever/"),
    (Text("keys-app-nextcloud"), AppProtocol::NextcloudNews, ""),
    (Text("keys-app-wallabag"), AppProtocol::Wallabag, ""),
    (Text("keys-app-readeck"), AppProtocol::Readeck, "/readeck"),
    (Text("keys-app-instapaper"), AppProtocol::Instapaper, "/api/add"),
    (Text("keys-app-opds"), AppProtocol::Opds, "/opds"),
    (Text("keys-app-kosync"), AppProtocol::KoreaderSync, "/kosync"),
];

/// Renders the addresses that people enter in apps and e-readers, for the enabled protocols.
fn app_addresses(app: &App) -> Markup {
    let enabled = APPS.iter().filter(|(_, protocol, _)| app.settings.apps.has(*protocol));
    html! {
        table.cards {
            caption.soft { (Text("keys-addresses")) }
            thead { tr { th scope="col" { (Text("access-app")) } th scope="col" { (Text("keys-server")) } } }
            tbody { @for (name, _, path) in enabled {
                tr { th scope="row" { (name) } td data-label=(Text("keys-server")) { code { (app.settings.origins.base) (path) } } }
            } }
        }
    }
}

/// Returns a sample command that contains the key.
fn example_command(app: &App, text: &str) -> String {
    let base = app.settings.origins.base.as_str();
    format!(
        "curl {base}/v1/articles/read \\\n  -H 'Authorization: Bearer {text}' \\\n  \
         -H 'Content-Type: application/json' \\\n  -d '{{\"url\": \"https://example.com/\"}}'"
    )
}

/// Asks for confirmation before a key is revoked.
#[handler]
pub(super) async fn show_revoke(request: PageRequest, user: User, Path(id): Path<KeyId>) -> PageResult {
    let key = find(&request, &user, id).await?;
    let token = FormToken::of(&request);
    let content = html! {
        (settings_tabs("/settings/keys", &token))
        h1 { (Text("keys-revoke-question").with("name", key.name.as_str())) }
        p.notice.bad { (Text("keys-revoke-words").markup(&[("prefix", html! { code { (key.prefix) "…" } })])) }
        form method="post" action=(format!("/settings/keys/{}/revoke", key.id)) {
            (token.field())
            div.row { button.danger type="submit" { (Text("keys-revoke")) } a.button.secondary href="/settings/keys" { (Text("settings-cancel")) } }
        }
    };
    let title = settings_title(&[Text("keys-revoke-title"), Text("settings-keys")]);
    Ok(request.respond(StatusCode::OK, &title, &content))
}

#[handler]
pub(super) async fn revoke(
    request: PageRequest,
    user: User,
    _form: Form,
    Path(id): Path<KeyId>,
) -> PageResult {
    let key = find(&request, &user, id).await?;
    keys::revoke(&request.app.domain, user.account.id, key.id).await?;
    Ok(redirect("/settings/keys?revoked"))
}

/// Finds a key of the signed-in user.
async fn find(request: &PageRequest, user: &User, id: KeyId) -> Result<ApiKey, Error> {
    let missing = || Error::new(Code::NotFound, "This key does not exist.");
    let keys = keys::list(&request.app.domain, user.account.id).await?;
    keys.into_iter().find(|key| key.id == id).ok_or_else(missing)
}
