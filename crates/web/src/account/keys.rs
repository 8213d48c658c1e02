//! API keys: list, creation, and revocation. The secret of a key is displayed only once.

use identity::caller::{Caller, Credential};
use identity::keys::{self, ApiKey, AppAccess, NewKey, feed_apps};
use kernel::{Code, Error, KeyId, Millis, Scopes, Secret};
use maud::{Markup, html};
use poem::http::StatusCode;
use poem::web::Path;
use poem::{Response, handler};

use crate::page::form::{Field, Form, FormError, FormToken};
use crate::page::parts::{scope_label, settings_tabs, success, time};
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
        h1 { "API keys" }
        @if was_revoked { (success("Key revoked. It no longer works.")) }
        @if keys.is_empty() {
            p { "A key lets a program use your account. Create one to get a sample command." }
        } @else {
            (table(&keys, now))
        }
        h2 { "Create a key" }
        p.soft { (active) " of " (limit) " active keys used." }
        (form_error.summary())
        @if active < limit as usize {
            (new_key_form(&token, input, form_error))
        } @else {
            p.notice { "Your plan allows no more keys. Revoke a key that you do not use, or see " a href="/settings/plan#plans" { "the plans" } "." }
        }
        h2 { "Apps and e-readers" }
        p { "Read your feeds and your library in other apps. Your e-mail address is the user name, a key is the password." }
        (app_addresses(app))
        @if has_app_key && app.settings.apps.has(AppProtocol::KoreaderSync) {
            p.soft { "KOReader's progress sync does not accept keys that were created before Carrel supported it. Create a new key for it." }
        }
    };
    Ok(request.respond(status, "Keys · Settings", &content))
}

fn table(keys: &[ApiKey], now: Millis) -> Markup {
    html! {
        table.cards {
            caption.soft { "Active and expired keys" }
            thead { tr { th scope="col" { "Name" } th scope="col" { "Starts with" } th scope="col" { "Permissions" } th scope="col" { "Last used" } th scope="col" { "Expires" } th scope="col" { span.hidden { "Actions" } } } }
            tbody { @for key in keys {
                tr {
                    th scope="row" { (key.name) }
                    td data-label="Starts with" { code { (key.prefix) "…" } }
                    td data-label="Permissions" { (scope_label(key.scopes)) @if key.app_access == AppAccess::Digest { ", feed apps" } }
                    td data-label="Last used" { @match key.last_used_at { Some(at) => (time(at, now)), None => "never" } }
                    td data-label="Expires" { @match key.expires_at {
                        Some(at) if at <= now => { strong { "expired" } },
                        Some(at) => (time(at, now)),
                        None => "never",
                    } }
                    td { a href=(format!("/settings/keys/{}/revoke", key.id)) aria-label=(format!("Revoke {}", key.name)) { "Revoke…" } }
                }
            } }
        }
    }
}

fn new_key_form(token: &FormToken, input: &KeyInput, form_error: &FormError) -> Markup {
    let name = Field {
        name: "name",
        label: "Name",
        hint: "What the key is for. 1 to 80 characters.",
        kind: "text",
        value: &input.name,
        autocomplete: "off",
        required: true,
    };
    let days = Field {
        name: "expiresInDays",
        label: "Days until it expires",
        hint: "1 to 365. Leave empty for no expiry.",
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
                legend { "Permissions" }
                (form_error.on_group("scopes"))
                label.choice {
                    input type="checkbox" name="scopes" value="svc:read" checked[input.read];
                    span { "Read public sources, your feeds and monitors (" code { "svc:read" } ")" }
                }
                label.choice {
                    input type="checkbox" name="scopes" value="svc:write" checked[input.write];
                    span { "Change your feeds and monitors (" code { "svc:write" } ")" }
                }
            }
            fieldset {
                legend { "Apps that send a digest" }
                label.choice {
                    input type="checkbox" name="feedApps" value="yes" checked[input.app_access == AppAccess::Digest];
                    span { "Fever apps and KOReader's progress sync can sign in with this key. Other apps can sign in with any key." }
                }
            }
            (days.show(form_error))
            div { button type="submit" { "Create key" } }
        }
    }
}

/// Creates the token of the key in the address that a Kobo stores. `None` if the protocol is disabled, or if
/// the token could not be stored. The key is valid in both cases.
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
    token.inspect_err(|error| tracing::warn!(error = error.report(), "failed to store token of kobo")).ok()
}

fn secret_page(request: &PageRequest, key: &ApiKey, secret: &Secret, kobo: Option<&Secret>) -> Response {
    let token = FormToken::of(request);
    let text = secret.expose();
    let content = html! {
        (settings_tabs("/settings/keys", &token))
        h1 { "Your new key" }
        p { "This is the secret of " strong { (key.name) } ". Copy it now. It will not be shown again." }
        p.secret #secret tabindex="0" role="textbox" aria-readonly="true" aria-label="Secret of the key" { (text) }
        h2 { "Try it" }
        pre tabindex="0" { code { (example_command(&request.app, text)) } }
        h2 { "In an app or an e-reader" }
        p { "Your e-mail address is the user name, this key is the password. If an app requires a client id and a client secret, enter any text." }
        @if key.app_access == AppAccess::KeyOnly { p { "Fever and KOReader's progress sync need a key with access for apps that send a digest." } }
        (app_addresses(&request.app))
        @if let Some(token) = kobo {
            h3 { "On a Kobo" }
            p { "Connect the Kobo to a computer, and set this in the section [OneStoreServices] of .kobo/Kobo/Kobo eReader.conf. The address contains a secret like the key." }
            pre tabindex="0" { code { "api_endpoint=" (request.app.settings.origins.base) "/kobo/" (token.expose()) } }
            p.soft { "After 180 days without a synchronization, or after a backup of this server was restored, a Kobo receives all books again. Books that you archived or deleted meanwhile stay on it until you remove them there." }
        }
        p { "Treat it like a password: anyone who has it can use your account. " a href="/settings/keys" { "Back to keys" } "." }
    };
    request.respond(StatusCode::CREATED, "New key · Keys · Settings", &content)
}

/// Kinds of apps, the protocol of each, and the path after the base URL.
const APPS: [(&str, AppProtocol, &str); 7] = [
    ("Feed apps for Google Reader or FreshRSS", AppProtocol::GoogleReader, ""),
    ("Feed apps for Fever", AppProtocol::Fever, "/fever/"),
    ("Read-later apps for wallabag, also in KOReader", AppProtocol::Wallabag, ""),
    ("Read-later apps for Readeck", AppProtocol::Readeck, "/readeck"),
    ("Apps that send pages to Instapaper", AppProtocol::Instapaper, "/api/add"),
    ("E-readers with a catalogue (OPDS)", AppProtocol::Opds, "/opds"),
    ("KOReader's progress sync", AppProtocol::KoreaderSync, "/kosync"),
];

/// Renders the addresses that people enter in apps and e-readers, for the enabled protocols.
fn app_addresses(app: &App) -> Markup {
    let enabled = APPS.iter().filter(|(_, protocol, _)| app.settings.apps.has(*protocol));
    html! {
        table.cards {
            caption.soft { "Addresses for apps and e-readers" }
            thead { tr { th scope="col" { "App" } th scope="col" { "Server" } } }
            tbody { @for (name, _, path) in enabled {
                tr { th scope="row" { (name) } td data-label="Server" { code { (app.settings.origins.base) (path) } } }
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
        h1 { "Revoke " (key.name) "?" }
        p.notice.bad { "Programs that use the key " code { (key.prefix) "…" } " lose access at once. This cannot be undone." }
        form method="post" action=(format!("/settings/keys/{}/revoke", key.id)) {
            (token.field())
            div.row { button.danger type="submit" { "Revoke key" } a.button.secondary href="/settings/keys" { "Cancel" } }
        }
    };
    Ok(request.respond(StatusCode::OK, "Revoke · Keys · Settings", &content))
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
