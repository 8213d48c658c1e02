//! Import from a server of another service: the servers with their latest runs, and a form for each service.

use extract::imports::ImportService;
use kernel::{ImportServerId, Millis};
use library::ImportServerState;
use library::transfer::{
    self, FolderTags, ImportServer, NewImportServer, ServerCredential, credential_fields, server_address,
};
use maud::{Markup, html};
use poem::handler;
use poem::http::StatusCode;
use poem::web::Path;

use super::super::frame::{Section, notice, redirect_done, respond_with, with_reload};
use super::super::import_progress::usual_reason;
use super::import::folders_field;
use super::import_fields::service_name;
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormField, FormToken};
use crate::page::parts::{RequiredField, time};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

/// Path of the page.
const PATH: &str = "/library/import-servers";
/// Name of the field with the service's API token. The field `token` of each form contains the form token.
const TOKEN: &str = "apiToken";

const DONE: [(&str, Text); 3] = [
    ("added", Text("server-added")),
    ("started", Text("server-started")),
    ("deleted", Text("server-deleted")),
];

/// Form for a server of one service, with the typed values. Typed secrets are not displayed again.
struct ServerForm<'a> {
    service: Option<ImportService>,
    address: &'a str,
    username: &'a str,
    status: StatusCode,
    form_error: FormError,
}

/// Renders the servers, and the form of the service that the URL selects.
#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User) -> PageResult {
    let form = ServerForm {
        service: ImportService::parse(&request.parameter("service")),
        address: "",
        username: "",
        status: StatusCode::OK,
        form_error: FormError::default(),
    };
    page(&request, &user, form).await
}

/// Adds a server and starts its first run.
#[handler]
pub(in crate::desk) async fn create(request: PageRequest, user: User, form: Form) -> PageResult {
    let Some(service) = ImportService::parse(form.get("service")) else { return Ok(redirect(PATH)) };
    let text = |name: &str| Some(form.get(name).to_owned()).filter(|text| !text.is_empty());
    let new = NewImportServer {
        service,
        address: text("address"),
        credential: ServerCredential {
            token: text(TOKEN).map(|token| token.trim().to_owned()),
            username: text("username"),
            password: text("password"),
            client_id: text("clientId"),
            client_secret: text("clientSecret"),
        },
        folders: FolderTags::parse(form.get("folders")).unwrap_or_default(),
        subscriptions: !form.get("subscriptions").is_empty(),
    };
    match transfer::add_server(&request.app.domain, user.account.id, new).await {
        Ok(added) => {
            request.app.engine.dispatch(added).await;
            Ok(redirect_done(PATH, "added"))
        }
        Err(error) => {
            let typed = ServerForm {
                service: Some(service),
                address: form.get("address"),
                username: form.get("username"),
                status: StatusCode::UNPROCESSABLE_ENTITY,
                form_error: FormError::of(error)?.renamed("token", TOKEN),
            };
            page(&request, &user, typed).await
        }
    }
}

/// Starts a run of a server, or deletes the server.
#[handler]
pub(in crate::desk) async fn change(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<ImportServerId>,
) -> PageResult {
    let (app, account_id) = (&request.app, user.account.id);
    if form.get("act") == "delete" {
        transfer::delete_server(&app.domain, account_id, id).await?;
        return Ok(redirect_done(PATH, "deleted"));
    }
    app.engine.dispatch(transfer::start_server(&app.domain, account_id, id).await?).await;
    Ok(redirect_done(PATH, "started"))
}

async fn page(request: &PageRequest, user: &User, form: ServerForm<'_>) -> PageResult {
    let servers = transfer::list_servers(&request.app.domain, user.account.id).await?;
    let (token, now) = (FormToken::of(request), request.app.domain.now());
    let is_going = servers
        .iter()
        .any(|server| matches!(server.state, ImportServerState::Queued | ImportServerState::Running));
    let content = html! {
        p.soft { a href="/library" { (Text("nav-library")) } " › " a href="/library/import" { (Text("items-import")) } }
        h1 { (Text("import-from-server")) }
        (notice(request, &DONE))
        (form.form_error.summary())
        @if !servers.is_empty() {
            ul.rows { @for server in &servers { (row(server, &token, now)) } }
        }
        h2 #new { (Text("server-add")) }
        p { (Text("server-add-words")) }
        ul { @for service in ImportService::ALL {
            li { a href={ (PATH) "?service=" (service.as_str()) "#new" } aria-current=[(form.service == Some(*service)).then_some("true")] { (service_name(*service)) } }
        } }
        @if let Some(service) = form.service { (server_form(service, &form, &token)) }
    };
    let title = format!("{} · {}", Text("import-from-server").get(), Text("nav-library").get());
    let response = respond_with(request, form.status, Section::Library, &title, &content);
    let is_typing = form.service.is_some();
    Ok(if is_going && !is_typing { with_reload(response, PATH) } else { response })
}

/// Renders the row of a server with its latest run.
fn row(server: &ImportServer, token: &FormToken, now: Millis) -> Markup {
    let is_unfinished = matches!(
        server.state,
        ImportServerState::Queued | ImportServerState::Running | ImportServerState::Waiting
    );
    html! {
        li {
            p { strong { (service_name(server.service)) } " " bdi { (server.address) } }
            p role="status" { (state(server, now)) }
            @if !server.is_confidential() {
                p.notice.bad { (Text("server-insecure")) }
            }
            @if let Some(import_id) = server.import_id {
                p.small { a href={ "/library/import/" (import_id) } { (Text("server-latest")) } }
            }
            form.row method="post" action={ (PATH) "/" (server.id) } {
                (token.field())
                @if !is_unfinished { button type="submit" name="act" value="run" { (Text("server-again")) } }
                button.secondary type="submit" name="act" value="delete" { (Text("server-delete")) }
            }
        }
    }
}

fn state(server: &ImportServer, now: Millis) -> Markup {
    let reason = server.error_code.as_deref().map(|code| reason(code, server.service));
    html! {
        @match server.state {
            ImportServerState::Queued | ImportServerState::Running => { (Text("server-importing")) },
            ImportServerState::Waiting => {
                @if let Some(reason) = reason { (reason) " " }
                @match server.retry_at {
                    Some(at) => { (Text("server-continues").markup(&[("time", time(at, now))])) },
                    None => { (Text("server-continues-later")) },
                }
            },
            ImportServerState::Complete => {
                @match server.finished_at {
                    Some(at) => { (Text("server-imported").markup(&[("time", time(at, now))])) },
                    None => { (Text("import-heading-finished")) },
                }
            },
            ImportServerState::Failed => { @if let Some(reason) = reason { (reason) } },
        }
    }
}

/// Describes why a run waits or failed, with advice for the person.
fn reason(code: &str, service: ImportService) -> Markup {
    let text = match code {
        "login_required" => Text("server-login-required"),
        "source_forbidden" => Text("server-forbidden"),
        "source_rate_limited" => Text("server-rate-limited"),
        "url_not_allowed" => Text("server-not-allowed"),
        "source_unreachable" | "source_timeout" => Text("server-unreachable"),
        "source_tls_error" => Text("server-certificate"),
        "source_error" => Text("server-error"),
        "content_too_large" => Text("server-too-large"),
        "storage_limit_reached" => Text("server-storage-full"),
        "cancelled" => Text("server-stopped"),
        "source_not_found" | "source_invalid_response" | "unsupported_content" => {
            return html! { (Text("server-other-service").markup(&[("service", service_name(service))])) };
        }
        other => return usual_reason(Some(other)),
    };
    html! { (text) }
}

fn server_form(service: ImportService, form: &ServerForm<'_>, token: &FormToken) -> Markup {
    let address = RequiredField {
        name: "address",
        label: Text("server-address"),
        hint: Some(Text("server-address-hint")),
        kind: "text",
        value: form.address,
        autocomplete: "off",
    };
    let has_feeds = matches!(service, ImportService::Miniflux | ImportService::FreshRss);
    html! {
        h3 { (service_name(service)) }
        form.stack method="post" action=(PATH) autocomplete="off" {
            (token.field())
            input type="hidden" name="service" value=(service.as_str());
            @if server_address(service).is_none() { (address.show(&form.form_error)) }
            @for name in credential_fields(service) { (credential_field(service, name, form)) }
            (folders_field())
            @if has_feeds {
                div { label { input type="checkbox" name="subscriptions" value="1" checked; " " (Text("server-follow-feeds")) } }
            }
            p.soft {
                (Text("server-secret-words"))
                @if server_address(service).is_none() { " " (Text("server-https-words")) }
            }
            div { button type="submit" { (Text("server-start")) } }
        }
    }
}

/// Renders the field for a credential of a service.
fn credential_field(service: ImportService, name: &str, form: &ServerForm<'_>) -> Markup {
    let (name, label) = match name {
        "username" => ("username", Text("server-user")),
        "password" => ("password", Text("field-password")),
        "client_id" => ("clientId", Text("server-client-id")),
        "client_secret" => ("clientSecret", Text("server-client-secret")),
        _ => (TOKEN, Text("server-token")),
    };
    let password_hint = Text("server-api-password").get();
    // Most hints are the English labels that the other service displays.
    let hint = match (service, name) {
        (ImportService::Karakeep | ImportService::Miniflux, _) => "Settings, API Keys",
        (ImportService::Wallabag, "clientId") => "API clients management, Create a new client",
        (ImportService::Linkding, _) => "Settings, Integrations",
        (ImportService::Readeck, _) => "Profile, API Tokens",
        (ImportService::FreshRss, "password") => password_hint.as_str(),
        (ImportService::Readwise | ImportService::ReadwiseReader, _) => "https://readwise.io/access_token",
        (ImportService::Raindrop, _) => "Settings, Integrations, test token of your app",
        (ImportService::Pinboard, _) => "Settings, Password: user:token",
        _ => "",
    };
    let is_visible = matches!(name, "username" | "clientId");
    let field = FormField {
        name,
        label: &label.get(),
        hint,
        kind: if is_visible { "text" } else { "password" },
        value: if name == "username" { form.username } else { "" },
        autocomplete: "off",
        required: true,
    };
    field.show(&form.form_error)
}
