//! Page of an app or a key: its access, the daily call limit, and the newest errors and calls, with a button that
//! undoes a call.

use application::agent_undo::{self, CallUndoState, Undone};
use identity::agents::{
    self, APPROVABLE_TOOLS, AgentCall, ApprovalDecision, ConnectionName, MAX_CALLS_PER_DAY, OPERATIONS,
    PendingApproval,
};
use identity::{keys, oauth};
use kernel::error::not_found;
use kernel::{AgentCallId, Code, Error, GrantId, KeyId, Millis, Scopes};
use maud::{Markup, html};
use poem::http::StatusCode;
use poem::web::Path;
use poem::{FromRequest, Request, RequestBody, handler};

use crate::language::text::Text;
use crate::page::error_text;
use crate::page::form::{Form, FormError, FormField, FormToken};
use crate::page::parts::{quoted, scope_label, settings_tabs, settings_title, success, time};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

/// Maximum number of calls on the page.
const LISTED: u64 = 100;
/// Maximum number of errors on the page.
const LISTED_ERRORS: u64 = 10;

/// App or key of the signed-in person.
struct AgentConnection {
    name: ConnectionName,
    /// Name that the app or the person chose.
    title: String,
    /// Path of the connection's page.
    path: String,
    /// Host to which the app returns, or the first characters of the key.
    origin: String,
    scopes: Scopes,
    created_at: Millis,
    last_used_at: Option<Millis>,
}

/// Id of an app or a key, from the path of its page.
pub(super) enum ConnectionId {
    App(GrantId),
    Key(KeyId),
}

impl<'a> FromRequest<'a> for ConnectionId {
    async fn from_request(request: &'a Request, body: &mut RequestBody) -> poem::Result<Self> {
        if request.uri().path().starts_with("/settings/keys/") {
            let Path(id) = Path::<KeyId>::from_request(request, body).await?;
            return Ok(Self::Key(id));
        }
        let Path(id) = Path::<GrantId>::from_request(request, body).await?;
        Ok(Self::App(id))
    }
}

/// Renders the activity of a connection.
#[handler]
pub(super) async fn show(request: PageRequest, user: User, id: ConnectionId) -> PageResult {
    let connection = find(&request, &user, id).await?;
    page(&request, &user, &connection, None).await
}

/// Saves the daily limit of a connection.
#[handler]
pub(super) async fn save(request: PageRequest, user: User, form: Form, id: ConnectionId) -> PageResult {
    let connection = find(&request, &user, id).await?;
    save_limit(&request, &user, &connection, form.get("callsPerDay").trim()).await
}

/// Saves the tools of a connection that need approval.
#[handler]
pub(super) async fn save_rules(request: PageRequest, user: User, form: Form, id: ConnectionId) -> PageResult {
    let connection = find(&request, &user, id).await?;
    let tools: Vec<String> = form.all("tools").map(str::to_owned).collect();
    agents::set_approval_rules(&request.app.domain, user.account.id, &connection.name, &tools).await?;
    Ok(redirect(&format!("{}?rules", connection.path)))
}

/// Approves or denies a call of a connection.
#[handler]
pub(super) async fn decide(request: PageRequest, user: User, form: Form, id: ConnectionId) -> PageResult {
    let connection = find(&request, &user, id).await?;
    let decision =
        if form.get("decision") == "approve" { ApprovalDecision::Approve } else { ApprovalDecision::Deny };
    let (domain, call) = (&request.app.domain, form.get("call"));
    agents::decide(domain, user.account.id, &connection.name, call, decision).await?;
    Ok(redirect(&format!("{}?decided", connection.path)))
}

/// Undoes a call of a connection.
#[handler]
pub(super) async fn undo(request: PageRequest, user: User, form: Form, id: ConnectionId) -> PageResult {
    let connection = find(&request, &user, id).await?;
    let call: AgentCallId = form.get("call").parse().map_err(|_| not_found("call"))?;
    let undone = agent_undo::undo(&request.app.domain, user.account.id, &connection.name, call).await?;
    let word = match undone {
        Undone::All => "undone",
        Undone::Part => "undone-partly",
        Undone::Nothing => "not-undone",
        Undone::Before => "undone-before",
    };
    Ok(redirect(&format!("{}?{word}", connection.path)))
}

/// Finds a connection of the signed-in person.
async fn find(request: &PageRequest, user: &User, id: ConnectionId) -> Result<AgentConnection, Error> {
    match id {
        ConnectionId::App(id) => of_app(request, user, id).await,
        ConnectionId::Key(id) => of_key(request, user, id).await,
    }
}

async fn of_app(request: &PageRequest, user: &User, id: GrantId) -> Result<AgentConnection, Error> {
    let grants = oauth::list(&request.app.domain, user.account.id).await?;
    let grant = grants.into_iter().find(|grant| grant.id == id).ok_or_else(|| not_found("app"))?;
    let path = format!("/settings/apps/{id}/activity");
    Ok(AgentConnection {
        name: ConnectionName::grant(id),
        title: grant.client_name,
        path,
        origin: grant.client_host,
        scopes: grant.scopes,
        created_at: grant.created_at,
        last_used_at: grant.last_used_at,
    })
}

async fn of_key(request: &PageRequest, user: &User, id: KeyId) -> Result<AgentConnection, Error> {
    let keys = keys::list(&request.app.domain, user.account.id).await?;
    let key = keys.into_iter().find(|key| key.id == id).ok_or_else(|| not_found("key"))?;
    let path = format!("/settings/keys/{id}/activity");
    Ok(AgentConnection {
        name: ConnectionName::key(id),
        title: key.name,
        path,
        origin: format!("{}…", key.prefix),
        scopes: key.scopes,
        created_at: key.created_at,
        last_used_at: key.last_used_at,
    })
}

/// Sets the daily limit. An empty `typed` removes it.
async fn save_limit(
    request: &PageRequest,
    user: &User,
    connection: &AgentConnection,
    typed: &str,
) -> PageResult {
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
    connection: &AgentConnection,
    refused: Option<(&str, &FormError)>,
) -> PageResult {
    let domain = &request.app.domain;
    let calls = agents::calls(domain, user.account.id, &connection.name, LISTED).await?;
    let errors = agents::failed_calls(domain, user.account.id, &connection.name, LISTED_ERRORS).await?;
    let limits = agents::daily_limits(domain, user.account.id).await?;
    let limit = limits.get(connection.name.as_str()).map(u32::to_string).unwrap_or_default();
    let none = FormError::default();
    let (typed, form_error) = refused.unwrap_or((limit.as_str(), &none));
    let rules = agents::approval_rules(domain, user.account.id, &connection.name).await?;
    let waiting = agents::pending_approvals(domain, user.account.id, &connection.name).await?;
    let token = FormToken::of(request);
    let content = html! {
        (settings_tabs("/settings/apps", &token))
        h1 { (Text("apps-activity-of").markup(&[("name", quoted(&connection.title))])) }
        (notice(request.uri.query()))
        (form_error.summary())
        (about(connection, domain.now()))
        @if !waiting.is_empty() { (approval_list(&connection.path, &waiting, &token, domain.now())) }
        (limit_form(&connection.path, typed, form_error, &token))
        (rules_form(&connection.path, &rules, &token))
        @if !errors.is_empty() { (error_table(&errors, domain.now())) }
        h2 { (Text("calls-calls")) }
        (call_table(&connection.path, &calls, &token, domain.now()))
        p { a href="/settings/apps" { (Text("calls-back")) } }
    };
    let status = if form_error.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let title = settings_title(&[Text("apps-activity"), Text("settings-connected-apps")]);
    Ok(request.respond(status, &title, &content))
}

/// Renders the result of the last action.
fn notice(query: Option<&str>) -> Markup {
    match query {
        Some("saved") => success(&Text("calls-limit-saved")),
        Some("rules") => success(&Text("calls-rules-saved")),
        Some("decided") => success(&Text("calls-decided")),
        Some("undone") => success(&Text("calls-undone")),
        Some("undone-partly") => caution(Text("calls-undone-partly")),
        Some("not-undone") => caution(Text("calls-not-undone")),
        Some("undone-before") => caution(Text("calls-undone-before")),
        Some(_) | None => html! {},
    }
}

/// Renders a notice about an action that failed or was only partly done.
fn caution(message: Text) -> Markup {
    html! { p.notice role="status" { (message) } }
}

fn limit_form(path: &str, typed: &str, form_error: &FormError, token: &FormToken) -> Markup {
    let label = Text("calls-limit").get();
    let hint = Text("calls-limit-hint").with("most", MAX_CALLS_PER_DAY.to_string()).get();
    let field = FormField {
        name: "callsPerDay",
        label: &label,
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
            div.row { button type="submit" { (Text("form-save")) } }
        }
    }
}

/// Renders the calls that wait for approval.
fn approval_list(path: &str, waiting: &[PendingApproval], token: &FormToken, now: Millis) -> Markup {
    html! {
        h2 { (Text("calls-approvals")) }
        p { (Text("calls-approvals-words")) }
        @for call in waiting {
            section {
                h3 { code { (call.tool) } " " span.soft { (time(call.requested_at, now)) } }
                pre tabindex="0" { code { (call.arguments) } }
                @if call.is_approved { p { (Text("calls-approved")) } }
                form method="post" action={ (path) "/approvals" } {
                    (token.field())
                    input type="hidden" name="call" value=(call.call_hash);
                    div.row {
                        @if !call.is_approved { button type="submit" name="decision" value="approve" { (Text("calls-approve")) } }
                        button.secondary type="submit" name="decision" value="deny" {
                            @if call.is_approved { (Text("calls-withdraw")) } @else { (Text("consent-deny")) }
                        }
                    }
                }
            }
        }
    }
}

/// Renders the form that selects the tools that need approval.
fn rules_form(path: &str, rules: &[String], token: &FormToken) -> Markup {
    html! {
        form.stack method="post" action={ (path) "/approval-rules" } {
            (token.field())
            fieldset {
                legend { (Text("calls-rules")) }
                p.soft { (Text("calls-rules-words").markup(&[("path", html! { code { "/v1" } })])) }
                @for tool in APPROVABLE_TOOLS {
                    label.choice {
                        input type="checkbox" name="tools" value=(tool) checked[rules.iter().any(|rule| rule == tool)];
                        span { @if tool == OPERATIONS { (Text("calls-other-tools")) } @else { code { (tool) } } }
                    }
                }
            }
            div.row { button type="submit" { (Text("form-save")) } }
        }
    }
}

/// Renders the details of the connection.
fn about(connection: &AgentConnection, now: Millis) -> Markup {
    let used = html! { @match connection.last_used_at { Some(at) => (time(at, now)), None => (Text("settings-never")) } };
    let words = Text("calls-about").markup(&[
        ("origin", html! { bdi { (connection.origin) } }),
        ("scopes", html! { (scope_label(connection.scopes)) }),
        ("since", time(connection.created_at, now)),
        ("used", used),
    ]);
    html! { p { (words) } }
}

/// Renders the last errors, with advice about each of them.
fn error_table(errors: &[AgentCall], now: Millis) -> Markup {
    html! {
        h2 { (Text("calls-errors")) }
        table.cards {
            caption.hidden { (Text("calls-errors-caption")) }
            thead { tr { th scope="col" { (Text("calls-when")) } th scope="col" { (Text("calls-tool")) } th scope="col" { (Text("calls-on")) } th scope="col" { (Text("calls-error")) } th scope="col" { (Text("calls-what-to-do")) } } }
            tbody { @for call in errors {
                tr {
                    (call_cells(call, now))
                    td data-label=(Text("calls-error")) { (result(call.error.as_deref())) }
                    td data-label=(Text("calls-what-to-do")) { (resolution(call.error.as_deref())) }
                }
            } }
        }
    }
}

fn call_table(path: &str, calls: &[AgentCall], token: &FormToken, now: Millis) -> Markup {
    html! {
        @if calls.is_empty() {
            p { (Text("calls-none")) }
        } @else {
            table.cards {
                caption.soft { (Text("calls-caption").with("most", LISTED)) }
                thead { tr { th scope="col" { (Text("calls-when")) } th scope="col" { (Text("calls-tool")) } th scope="col" { (Text("calls-on")) } th scope="col" { (Text("calls-result")) } th scope="col" { (Text("undo")) } } }
                tbody { @for call in calls {
                    tr {
                        (call_cells(call, now))
                        td data-label=(Text("calls-result")) { (result(call.error.as_deref())) }
                        (undo_cell(path, call, token, now))
                    }
                } }
            }
        }
    }
}

/// Renders the button that undoes a call, or the reason why there is none.
fn undo_cell(path: &str, call: &AgentCall, token: &FormToken, now: Millis) -> Markup {
    html! {
        @match agent_undo::state_of(call) {
            CallUndoState::Unavailable => { td {} }
            CallUndoState::TooLarge => { td data-label=(Text("undo")) { (Text("calls-too-large")) } }
            CallUndoState::Undone => {
                td data-label=(Text("undo")) { (Text("calls-undone-cell")) @if let Some(at) = call.undone_at { " " span.soft { (time(at, now)) } } }
            }
            CallUndoState::Available => {
                td data-label=(Text("undo")) {
                    form method="post" action={ (path) "/undo" } {
                        (token.field())
                        input type="hidden" name="call" value=(call.id);
                        button.secondary type="submit" aria-label=(Text("calls-undo-named").with("tool", call.tool.as_str()).with("target", call.target.as_str())) { (Text("undo")) }
                    }
                }
            }
        }
    }
}

/// Renders the first cells of a call's row: time, tool, and object.
fn call_cells(call: &AgentCall, now: Millis) -> Markup {
    html! {
        th scope="row" { (time(call.called_at, now)) }
        td data-label=(Text("calls-tool")) { code { (call.tool) } }
        td data-label=(Text("calls-on")) { bdi { (call.target) } }
    }
}

/// Describes the outcome of a call. An unknown code, for example from another version, is displayed unchanged.
fn result(error: Option<&str>) -> Markup {
    let Some(error) = error else { return html! { (Text("calls-done")) } };
    let code = error.parse::<Code>();
    code.map_or_else(|_| html! { code { (error) } }, error_text::reason)
}

/// Renders the recommended way to resolve an error. Empty if there is none.
fn resolution(error: Option<&str>) -> Markup {
    let code = error.and_then(|error| error.parse::<Code>().ok());
    html! { @if let Some(code) = code { (error_text::resolution(code)) } }
}
