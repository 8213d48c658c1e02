//! Connected apps: what people allowed, by app, and how it ends.

#![expect(clippy::unused_async, reason = "handlers are asynchronous, also those that wait for nothing")]

use identity::keys::{self, ApiKey};
use identity::oauth::{self, Audience, Grant, GrantEnd};
use kernel::{Code, Error, GrantId, Millis};
use maud::{Markup, html};
use poem::handler;
use poem::http::StatusCode;
use poem::web::Path;

use super::form::FormToken;
use super::parts::{quoted, scope_words, settings_tabs, success, time};
use super::{Answer, Form, PageRequest, User, redirect};
use http_kit::app::App;

/// The list: apps with access, keys, and what ended lately.
#[handler]
pub(super) async fn show(request: PageRequest, user: User) -> Answer {
    let app = &request.app;
    let (grants, keys) =
        (oauth::list(&app.domain, user.account.id).await?, keys::list(&app.domain, user.account.id).await?);
    let (live, ended): (Vec<_>, Vec<_>) = grants.into_iter().partition(|grant| grant.ended.is_none());
    let token = FormToken::of(&request);
    let now = app.domain.now();
    let content = html! {
        (settings_tabs("/settings/apps", &token))
        h1 { "Connected apps" }
        @if request.uri.query() == Some("ended") { (success("The access is ended. The app is refused from now on.")) }
        @if live.is_empty() { (nothing_yet(app)) } @else {
            @for group in by_client(&live) { (client(&group, now)) }
            @if live.len() > 1 { p { a.button.quiet href="/settings/apps/end-all" { "End the access of all apps…" } } }
        }
        h2 { "Keys" }
        (key_table(&keys, now))
        @if !ended.is_empty() { (ended_table(&ended, now)) }
    };
    Ok(request.respond(StatusCode::OK, "Connected apps · Settings", &content))
}

fn nothing_yet(app: &App) -> Markup {
    html! {
        p { "No app has access to your account. To connect one that speaks MCP, such as an assistant or an editor, give it this address; it sends you here to say yes." }
        p.secret tabindex="0" role="textbox" aria-readonly="true" aria-label="Address for apps" { (app.settings.origins.base) "/mcp" }
    }
}

/// Grants of one app together, in the order of the newest of each.
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

/// One app, with each time that it was allowed.
fn client(group: &[&Grant], now: Millis) -> Markup {
    let Some(first) = group.first() else { return html! {} };
    html! {
        section.client {
            h2 { bdi { (first.client_host) } }
            p { "Says it is " (quoted(&first.client_name)) ", " span.soft { "name not verified" }
                @if let Some(host) = document_host(first) { ". Described at " bdi { (host) } } "." }
            table.cards {
                caption.hidden { "Access of " (first.client_name) }
                thead { tr { th scope="col" { "Allowed" } th scope="col" { "May" } th scope="col" { "Good for" } th scope="col" { "Last used" } th scope="col" { span.hidden { "Actions" } } } }
                tbody { @for grant in group {
                    tr {
                        th scope="row" { (time(grant.created_at, now)) }
                        td data-label="May" { (scope_words(grant.scopes)) }
                        td data-label="Good for" { (good_for(grant.audience)) }
                        td data-label="Last used" { (last_used(grant, now)) }
                        td { a href=(format!("/settings/apps/{}/end", grant.id)) aria-label=(format!("End the access of {}", first.client_name)) { "End…" } }
                    }
                } }
            }
            @if group.len() > 1 { p { a href=(format!("/settings/apps/{}/end?all", first.id)) { "End all access of this app…" } } }
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

/// The host of an app that is known by the address of its document.
fn document_host(grant: &Grant) -> Option<String> {
    let url = url::Url::parse(&grant.client_id).ok().filter(|url| url.scheme() == "https")?;
    url.host_str().map(str::to_owned)
}

fn key_table(keys: &[ApiKey], now: Millis) -> Markup {
    html! {
        @if keys.is_empty() {
            p { "There is no key. " a href="/settings/keys" { "Make one" } " for a program of your own." }
        } @else {
            table.cards {
                caption.hidden { "Keys that are not revoked" }
                thead { tr { th scope="col" { "Name" } th scope="col" { "May" } th scope="col" { "Last used" } th scope="col" { span.hidden { "Actions" } } } }
                tbody { @for key in keys {
                    tr {
                        th scope="row" { (key.name) " " code.soft { (key.prefix) "…" } }
                        td data-label="May" { (scope_words(key.scopes)) }
                        td data-label="Last used" { @match key.last_used_at { Some(at) => (time(at, now)), None => "never" } }
                        td { a href=(format!("/settings/keys/{}/revoke", key.id)) aria-label=(format!("Revoke {}", key.name)) { "Revoke…" } }
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
            caption.hidden { "Access that has ended" }
            thead { tr { th scope="col" { "App" } th scope="col" { "Allowed" } th scope="col" { "Ended" } th scope="col" { "Why" } } }
            tbody { @for grant in ended {
                tr {
                    th scope="row" { bdi { (grant.client_host) } " " span.soft { (quoted(&grant.client_name)) } }
                    td data-label="Allowed" { (time(grant.created_at, now)) }
                    @if let Some((at, why)) = grant.ended {
                        td data-label="Ended" { (time(at, now)) }
                        td data-label="Why" { (reason(why)) }
                    }
                }
            } }
        }
    }
}

fn reason(why: GrantEnd) -> &'static str {
    match why {
        GrantEnd::Person => "you ended it",
        GrantEnd::App => "the app gave it back",
        GrantEnd::Reuse => "a token was used twice, as if somebody had copied it",
        GrantEnd::Idle => "it was not used for 30 days",
        GrantEnd::Operator => "your account was shut",
        GrantEnd::Age => "it was 180 days old",
    }
}

/// Asks before the access of an app ends.
#[handler]
pub(super) async fn show_end(request: PageRequest, user: User, Path(id): Path<GrantId>) -> Answer {
    let grant = find(&request, &user, id).await?;
    let is_all = request.uri.query() == Some("all");
    let token = FormToken::of(&request);
    let content = html! {
        (settings_tabs("/settings/apps", &token))
        h1 { @if is_all { "End all access of " } @else { "End the access of " } (quoted(&grant.client_name)) "?" }
        p.notice.bad {
            "The app at " strong { bdi { (grant.client_host) } } " is refused from its very next request on"
            @if is_all { ", wherever it is connected to your account" } ". To use it again you have to connect it anew."
        }
        form method="post" action=(format!("/settings/apps/{}/end", grant.id)) {
            (token.field())
            @if is_all { input type="hidden" name="all" value="on"; }
            div.row { button.danger type="submit" { "End the access" } a.button.quiet href="/settings/apps" { "Keep it" } }
        }
    };
    Ok(request.respond(StatusCode::OK, "End access · Connected apps · Settings", &content))
}

/// Ends one grant, or all of its app.
#[handler]
pub(super) async fn end(request: PageRequest, user: User, form: Form, Path(id): Path<GrantId>) -> Answer {
    let grant = find(&request, &user, id).await?;
    let domain = &request.app.domain;
    if form.get("all") == "on" {
        oauth::end_client(domain, user.account.id, &grant.client_id).await?;
    } else {
        oauth::end(domain, user.account.id, grant.id).await?;
    }
    Ok(redirect("/settings/apps?ended"))
}

/// Asks before the access of all apps ends.
#[handler]
pub(super) async fn show_end_all(request: PageRequest, _user: User) -> Answer {
    let token = FormToken::of(&request);
    let content = html! {
        (settings_tabs("/settings/apps", &token))
        h1 { "End the access of all apps?" }
        p.notice.bad { "Every app is refused from its very next request on. To use one again you have to connect it anew. Your keys keep working." }
        form method="post" action="/settings/apps/end-all" {
            (token.field())
            div.row { button.danger type="submit" { "End all access" } a.button.quiet href="/settings/apps" { "Keep it" } }
        }
    };
    Ok(request.respond(StatusCode::OK, "End all access · Connected apps · Settings", &content))
}

/// Ends every grant of the account.
#[handler]
pub(super) async fn end_all(request: PageRequest, user: User, _form: Form) -> Answer {
    oauth::end_every(&request.app.domain, user.account.id).await?;
    Ok(redirect("/settings/apps?ended"))
}

/// A live grant of the signed-in person.
async fn find(request: &PageRequest, user: &User, id: GrantId) -> Result<Grant, Error> {
    let grants = oauth::list(&request.app.domain, user.account.id).await?;
    let missing = || Error::new(Code::NotFound, "This app has no access any more.");
    grants.into_iter().find(|grant| grant.id == id && grant.ended.is_none()).ok_or_else(missing)
}
