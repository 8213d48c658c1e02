//! Tool calls of an app or a key: the newest calls, and the daily limit of calls.

use identity::agents::{self, AgentCall, ConnectionName, MAX_CALLS_PER_DAY};
use identity::{keys, oauth};
use kernel::error::not_found;
use kernel::{Code, Error, GrantId, KeyId, Millis};
use maud::{Markup, html};
use poem::handler;
use poem::http::StatusCode;
use poem::web::Path;

use crate::page::form::{Field, Form, FormError, FormToken};
use crate::page::parts::{quoted, settings_tabs, success, time};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;
use http_kit::problem::ErrorGroup;

/// Maximum number of calls on the page.
const LISTED: u64 = 100;

/// App or key of the signed-in person.
struct Connection {
    name: ConnectionName,
    /// Name that the app or the person chose.
    title: String,
    /// Path of the connection's page.
    path: String,
}

/// Renders the activity of an app.
#[handler]
pub(super) async fn show_app(request: PageRequest, user: User, Path(id): Path<GrantId>) -> PageResult {
    let connection = of_app(&request, &user, id).await?;
    page(&request, &user, &connection, None).await
}

/// Renders the activity of a key.
#[handler]
pub(super) async fn show_key(request: PageRequest, user: User, Path(id): Path<KeyId>) -> PageResult {
    let connection = of_key(&request, &user, id).await?;
    page(&request, &user, &connection, None).await
}

/// Saves the daily limit of an app.
#[handler]
pub(super) async fn save_app(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<GrantId>,
) -> PageResult {
    let connection = of_app(&request, &user, id).await?;
    save(&request, &user, &connection, form.get("callsPerDay").trim()).await
}

/// Saves the daily limit of a key.
#[handler]
pub(super) async fn save_key(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<KeyId>,
) -> PageResult {
    let connection = of_key(&request, &user, id).await?;
    save(&request, &user, &connection, form.get("callsPerDay").trim()).await
}

async fn of_app(request: &PageRequest, user: &User, id: GrantId) -> Result<Connection, Error> {
    let grants = oauth::list(&request.app.domain, user.account.id).await?;
    let grant = grants.into_iter().find(|grant| grant.id == id).ok_or_else(|| not_found("app"))?;
    let path = format!("/settings/apps/{id}/activity");
    Ok(Connection { name: ConnectionName::grant(id), title: grant.client_name, path })
}

async fn of_key(request: &PageRequest, user: &User, id: KeyId) -> Result<Connection, Error> {
    let keys = keys::list(&request.app.domain, user.account.id).await?;
    let key = keys.into_iter().find(|key| key.id == id).ok_or_else(|| not_found("key"))?;
    let path = format!("/settings/keys/{id}/activity");
    Ok(Connection { name: ConnectionName::key(id), title: key.name, path })
}

/// Sets the daily limit. An empty `typed` removes it.
async fn save(request: &PageRequest, user: &User, connection: &Connection, typed: &str) -> PageResult {
    let limit = match typed {
        "" => Ok(None),
        text => text.parse().map(Some).map_err(|_| {
            let message = "Enter a whole number, or leave this empty.";
            Error::new(Code::InvalidRequest, message).at("calls_per_day", message)
        }),
    };
    let domain = &request.app.domain;
    let saved = match limit {
        Ok(limit) => agents::set_daily_limit(domain, user.account.id, &connection.name, limit).await,
        Err(error) => Err(error),
    };
    match saved {
        Ok(()) => Ok(redirect(&format!("{}?saved", connection.path))),
        Err(error) => {
            let form_error = FormError::of(error)?;
            page(request, user, connection, Some((typed, &form_error))).await
        }
    }
}

/// Renders the page. `refused` contains the rejected value and its error.
async fn page(
    request: &PageRequest,
    user: &User,
    connection: &Connection,
    refused: Option<(&str, &FormError)>,
) -> PageResult {
    let domain = &request.app.domain;
    let calls = agents::calls(domain, user.account.id, &connection.name, LISTED).await?;
    let limits = agents::daily_limits(domain, user.account.id).await?;
    let limit = limits.get(connection.name.as_str()).map(u32::to_string).unwrap_or_default();
    let none = FormError::default();
    let (typed, form_error) = refused.unwrap_or((limit.as_str(), &none));
    let token = FormToken::of(request);
    let content = html! {
        (settings_tabs("/settings/apps", &token))
        h1 { "Activity of " (quoted(&connection.title)) }
        @if request.uri.query() == Some("saved") { (success("Daily limit saved.")) }
        (form_error.summary())
        (limit_form(&connection.path, typed, form_error, &token))
        h2 { "Calls of the last 7 days" }
        (call_table(&calls, domain.now()))
        p { a href="/settings/apps" { "Back to connected apps" } }
    };
    let status = if form_error.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(request.respond(status, "Activity · Connected apps · Settings", &content))
}

fn limit_form(path: &str, typed: &str, form_error: &FormError, token: &FormToken) -> Markup {
    let hint = format!("From 1 to {MAX_CALLS_PER_DAY}. Leave it empty for the limits of your plan only.");
    let field = Field {
        name: "callsPerDay",
        label: "Most tool calls a day (UTC)",
        hint: &hint,
        kind: "text",
        value: typed,
        autocomplete: "off",
        required: false,
    };
    html! {
        form.stack method="post" action=(path) {
            (token.field())
            (field.show(form_error))
            div.row { button type="submit" { "Save" } }
        }
    }
}

fn call_table(calls: &[AgentCall], now: Millis) -> Markup {
    html! {
        @if calls.is_empty() {
            p { "No tool was called." }
        } @else {
            table.cards {
                caption.soft { "The newest first, " (LISTED) " at most, without calls that a limit refused" }
                thead { tr { th scope="col" { "When" } th scope="col" { "Tool" } th scope="col" { "On" } th scope="col" { "Result" } } }
                tbody { @for call in calls {
                    tr {
                        th scope="row" { (time(call.called_at, now)) }
                        td data-label="Tool" { code { (call.tool) } }
                        td data-label="On" { bdi { (call.target) } }
                        td data-label="Result" { (result(call.error.as_deref())) }
                    }
                } }
            }
        }
    }
}

/// Describes the outcome of a call.
fn result(error: Option<&str>) -> String {
    let Some(code) = error else { return "done".to_owned() };
    let known = ErrorGroup::Developer.codes().into_iter().find(|(entry, _)| entry.code.as_str() == code);
    known.map_or_else(|| code.replace('_', " "), |(entry, _)| entry.title.to_lowercase())
}
