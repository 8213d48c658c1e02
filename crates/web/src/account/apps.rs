//! Connected apps: access that the person granted, grouped by app, and its removal.

#![expect(clippy::unused_async, reason = "handlers are asynchronous, even if they await nothing")]

use identity::keys::{self, ApiKey};
use identity::oauth::{self, Audience, Grant, GrantEnd};
use kernel::{Code, Error, GrantId, Millis};
use maud::{Markup, html};
use poem::handler;
use poem::http::StatusCode;
use poem::web::Path;

use crate::page::form::{Form, FormToken};
use crate::page::parts::{quoted, scope_label, settings_tabs, success, time};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;
use http_kit::app::App;

/// Lists the apps with access, the keys, and access that ended recently.
#[handler]
pub(super) async fn show(request: PageRequest, user: User) -> PageResult {
    let app = &request.app;
    let (grants, keys) =
        (oauth::list(&app.domain, user.account.id).await?, keys::list(&app.domain, user.account.id).await?);
    let (live, ended): (Vec<_>, Vec<_>) = grants.into_iter().partition(|grant| grant.ended.is_none());
    let token = FormToken::of(&request);
    let now = app.domain.now();
    let content = html! {
        (settings_tabs("/settings/apps", &token))
        h1 { "Connected apps" }
        @if request.uri.query() == Some("ended") { (success("Access removed. The app can no longer use your account.")) }
        @if live.is_empty() { (nothing_yet(app)) } @else {
            @for group in by_client(&live) { (client(&group, now)) }
            @if live.len() > 1 { p { a.button.secondary href="/settings/apps/end-all" { "Remove access of all apps…" } } }
        }
        p { a href="/settings/apps/address" { "Check the address" } " that hosted apps, such as Claude or ChatGPT, connect to." }
        h2 { "Keys" }
        (key_table(&keys, now))
        @if !ended.is_empty() { (ended_table(&ended, now)) }
    };
    Ok(request.respond(StatusCode::OK, "Connected apps · Settings", &content))
}

fn nothing_yet(app: &App) -> Markup {
    html! {
        p { "No app has access to your account. To connect an app that supports MCP, such as an assistant or an editor, give it this address. It sends you here to approve." }
        p.secret tabindex="0" role="textbox" aria-readonly="true" aria-label="Address for apps" { (app.settings.origins.base) "/mcp" }
    }
}

/// Groups grants by app, in the order of each app's newest grant.
fn by_client(grants: &[Grant]) -> Vec<Vec<&Grant>> {
    let mut groups: Vec<Vec<&Grant>> = Vec::new();
    for grant in grants {
        match groups.iter_mut().find(|group| group[0].client_id == grant.client_id) {
            Some(group) => group.push(grant),
            None => groups.push(vec![grant]),
        }
    }
    groups
}

/// Renders one app with its grants.
fn client(group: &[&Grant], now: Millis) -> Markup {
    let Some(first) = group.first() else { return html! {} };
    html! {
        section.client {
            h2 { bdi { (first.client_host) } }
            p { "Calls itself " (quoted(&first.client_name)) ", " span.soft { "name not verified" }
                @if let Some(host) = document_host(first) { ". Information from " bdi { (host) } } "." }
            table.cards {
                caption.hidden { "Access of " (first.client_name) }
                thead { tr { th scope="col" { "Allowed" } th scope="col" { "Permissions" } th scope="col" { "Works with" } th scope="col" { "Last used" } th scope="col" { span.hidden { "Actions" } } } }
                tbody { @for grant in group {
                    tr {
                        th scope="row" { (time(grant.created_at, now)) }
                        td data-label="Permissions" { (scope_label(grant.scopes)) }
                        td data-label="Works with" { (good_for(grant.audience)) }
                        td data-label="Last used" { (last_used(grant, now)) }
                        td { a href=(format!("/settings/apps/{}/activity", grant.id)) aria-label=(format!("Activity of {}", first.client_name)) { "Activity" } " "
                            a href=(format!("/settings/apps/{}/end", grant.id)) aria-label=(format!("Remove access of {}", first.client_name)) { "Remove…" } }
                    }
                } }
            }
            @if group.len() > 1 { p { a href=(format!("/settings/apps/{}/end?all", first.id)) { "Remove all access of this app…" } } }
        }
    }
}

fn last_used(grant: &Grant, now: Millis) -> Markup {
    html! {
        @match grant.last_used_at { Some(at) => (time(at, now)), None => "never" }
        @if let Some(from) = &grant.last_used_from { " from " bdi { (from) } }
    }
}

fn good_for(audience: Audience) -> &'static str {
    match audience {
        Audience::Everywhere => "API and MCP",
        Audience::Mcp => "MCP",
    }
}

/// Returns the host of the app's metadata document. `None` unless the client id is an HTTPS URL.
fn document_host(grant: &Grant) -> Option<String> {
    let url = url::Url::parse(&grant.client_id).ok().filter(|url| url.scheme() == "https")?;
    url.host_str().map(str::to_owned)
}

fn key_table(keys: &[ApiKey], now: Millis) -> Markup {
    html! {
        @if keys.is_empty() {
            p { "You have no API keys. " a href="/settings/keys" { "Create one" } " for your own program." }
        } @else {
            table.cards {
                caption.hidden { "Active keys" }
                thead { tr { th scope="col" { "Name" } th scope="col" { "Permissions" } th scope="col" { "Last used" } th scope="col" { span.hidden { "Actions" } } } }
                tbody { @for key in keys {
                    tr {
                        th scope="row" { (key.name) " " code.soft { (key.prefix) "…" } }
                        td data-label="Permissions" { (scope_label(key.scopes)) }
                        td data-label="Last used" { @match key.last_used_at { Some(at) => (time(at, now)), None => "never" } }
                        td { a href=(format!("/settings/keys/{}/activity", key.id)) aria-label=(format!("Activity of {}", key.name)) { "Activity" } " "
                            a href=(format!("/settings/keys/{}/revoke", key.id)) aria-label=(format!("Revoke {}", key.name)) { "Revoke…" } }
                    }
                } }
            }
        }
    }
}

fn ended_table(ended: &[Grant], now: Millis) -> Markup {
    html! {
        h2 { "Ended in the last 30 days" }
        table.cards {
            caption.hidden { "Removed or expired access" }
            thead { tr { th scope="col" { "App" } th scope="col" { "Allowed" } th scope="col" { "Ended" } th scope="col" { "Reason" } } }
            tbody { @for grant in ended {
                tr {
                    th scope="row" { bdi { (grant.client_host) } " " span.soft { (quoted(&grant.client_name)) } }
                    td data-label="Allowed" { (time(grant.created_at, now)) }
                    @if let Some((at, why)) = grant.ended {
                        td data-label="Ended" { (time(at, now)) }
                        td data-label="Reason" { (reason(why)) }
                    }
                }
            } }
        }
    }
}

fn reason(why: GrantEnd) -> &'static str {
    match why {
        GrantEnd::Person => "removed by you",
        GrantEnd::App => "removed by the app",
        GrantEnd::Reuse => "a token was used twice, so it may have been stolen",
        GrantEnd::Idle => "not used for 30 days",
        GrantEnd::Operator => "your account was disabled",
        GrantEnd::Age => "expired after 180 days",
    }
}

/// Asks for confirmation before the access of an app is removed.
#[handler]
pub(super) async fn show_end(request: PageRequest, user: User, Path(id): Path<GrantId>) -> PageResult {
    let grant = find(&request, &user, id).await?;
    let is_all = request.uri.query() == Some("all");
    let token = FormToken::of(&request);
    let content = html! {
        (settings_tabs("/settings/apps", &token))
        h1 { @if is_all { "Remove all access of " } @else { "Remove access of " } (quoted(&grant.client_name)) "?" }
        p.notice.bad {
            "The app at " strong { bdi { (grant.client_host) } } " loses access at once"
            @if is_all { ", wherever it is connected to your account" } ". To use it again, connect it again."
        }
        form method="post" action=(format!("/settings/apps/{}/end", grant.id)) {
            (token.field())
            @if is_all { input type="hidden" name="all" value="on"; }
            div.row { button.danger type="submit" { "Remove access" } a.button.secondary href="/settings/apps" { "Cancel" } }
        }
    };
    Ok(request.respond(StatusCode::OK, "Remove access · Connected apps · Settings", &content))
}

/// Revokes one grant, or all grants of its app.
#[handler]
pub(super) async fn end(request: PageRequest, user: User, form: Form, Path(id): Path<GrantId>) -> PageResult {
    let grant = find(&request, &user, id).await?;
    let domain = &request.app.domain;
    if form.get("all") == "on" {
        oauth::end_client(domain, user.account.id, &grant.client_id).await?;
    } else {
        oauth::end(domain, user.account.id, grant.id).await?;
    }
    Ok(redirect("/settings/apps?ended"))
}

/// Asks for confirmation before the access of all apps is removed.
#[handler]
pub(super) async fn show_end_all(request: PageRequest, _user: User) -> PageResult {
    let token = FormToken::of(&request);
    let content = html! {
        (settings_tabs("/settings/apps", &token))
        h1 { "Remove access of all apps?" }
        p.notice.bad { "All apps lose access at once. To use one again, connect it again. Your keys keep working." }
        form method="post" action="/settings/apps/end-all" {
            (token.field())
            div.row { button.danger type="submit" { "Remove all access" } a.button.secondary href="/settings/apps" { "Cancel" } }
        }
    };
    Ok(request.respond(StatusCode::OK, "Remove all access · Connected apps · Settings", &content))
}

/// Revokes all grants of the account.
#[handler]
pub(super) async fn end_all(request: PageRequest, user: User, _form: Form) -> PageResult {
    oauth::end_all_by_owner(&request.app.domain, user.account.id).await?;
    Ok(redirect("/settings/apps?ended"))
}

/// Finds an active grant of the signed-in person.
async fn find(request: &PageRequest, user: &User, id: GrantId) -> Result<Grant, Error> {
    let grants = oauth::list(&request.app.domain, user.account.id).await?;
    let missing = || Error::new(Code::NotFound, "This app no longer has access.");
    grants.into_iter().find(|grant| grant.id == id && grant.ended.is_none()).ok_or_else(missing)
}
