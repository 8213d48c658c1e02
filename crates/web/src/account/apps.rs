//! Connected apps: the page that lists the person's grants by app, and the forms that revoke them.

#![expect(clippy::unused_async, reason = "handlers are asynchronous, even if they await nothing")]

use identity::keys::{self, ApiKey};
use identity::oauth::{self, Audience, Grant, GrantEnd};
use kernel::{Code, Error, GrantId, Millis};
use maud::{Markup, html};
use poem::handler;
use poem::http::StatusCode;
use poem::web::Path;

use crate::language::text::Text;
use crate::page::form::{Form, FormToken};
use crate::page::parts::{quoted, scope_label, settings_tabs, settings_title, success, time};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;
use http_kit::app::App;

/// Lists the apps with access, the keys, and recently ended access.
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
        h1 { (Text("settings-connected-apps")) }
        @if request.uri.query() == Some("ended") { (success(&Text("apps-removed"))) }
        @if live.is_empty() { (nothing_yet(app)) } @else {
            @for group in by_client(&live) { (client(&group, now)) }
            @if live.len() > 1 { p { a.button.secondary href="/settings/apps/end-all" { (Text("apps-remove-every")) } } }
        }
        p { (Text("apps-check-address").linked(&["/settings/apps/address"])) }
        h2 { (Text("settings-keys")) }
        (key_table(&keys, now))
        @if !ended.is_empty() { (ended_table(&ended, now)) }
    };
    Ok(request.respond(StatusCode::OK, &settings_title(&[Text("settings-connected-apps")]), &content))
}

fn nothing_yet(app: &App) -> Markup {
    html! {
        p { (Text("apps-none")) }
        p.secret tabindex="0" role="textbox" aria-readonly="true" aria-label=(Text("apps-address")) { (app.settings.origins.base) "/mcp" }
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
            p { (Text("apps-calls-itself").markup(&[("name", quoted(&first.client_name)), ("note", html! { span.soft { (Text("consent-not-verified")) } })]))
                @if let Some(host) = document_host(first) { " " (Text("apps-information").markup(&[("host", html! { bdi { (host) } })])) } }
            table.cards {
                caption.hidden { (Text("apps-access-of").with("name", first.client_name.as_str())) }
                thead { tr { th scope="col" { (Text("apps-allowed")) } th scope="col" { (Text("settings-permissions")) } th scope="col" { (Text("consent-works-with")) } th scope="col" { (Text("settings-last-used")) } th scope="col" { span.hidden { (Text("settings-actions")) } } } }
                tbody { @for grant in group {
                    tr {
                        th scope="row" { (time(grant.created_at, now)) }
                        td data-label=(Text("settings-permissions")) { (scope_label(grant.scopes)) }
                        td data-label=(Text("consent-works-with")) { (good_for(grant.audience)) }
                        td data-label=(Text("settings-last-used")) { (last_used(grant, now)) }
                        td { a href=(format!("/settings/apps/{}/activity", grant.id)) aria-label=(Text("apps-activity-of").with("name", first.client_name.as_str())) { (Text("apps-activity")) } " "
                            a href=(format!("/settings/apps/{}/end", grant.id)) aria-label=(Text("apps-remove-named").with("name", first.client_name.as_str())) { (Text("apps-remove-link")) } }
                    }
                } }
            }
            @if group.len() > 1 { p { a href=(format!("/settings/apps/{}/end?all", first.id)) { (Text("apps-remove-client")) } } }
        }
    }
}

fn last_used(grant: &Grant, now: Millis) -> Markup {
    let Some(at) = grant.last_used_at else { return html! { (Text("settings-never")) } };
    match &grant.last_used_from {
        Some(network) => Text("apps-used-from")
            .markup(&[("time", time(at, now)), ("network", html! { bdi { (network) } })]),
        None => time(at, now),
    }
}

fn good_for(audience: Audience) -> String {
    match audience {
        Audience::Everywhere => Text("apps-everywhere").get(),
        Audience::Mcp => "MCP".to_owned(),
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
            p { (Text("apps-no-keys").linked(&["/settings/keys"])) }
        } @else {
            table.cards {
                caption.hidden { (Text("apps-active-keys")) }
                thead { tr { th scope="col" { (Text("settings-name")) } th scope="col" { (Text("settings-permissions")) } th scope="col" { (Text("settings-last-used")) } th scope="col" { span.hidden { (Text("settings-actions")) } } } }
                tbody { @for key in keys {
                    tr {
                        th scope="row" { (key.name) " " code.soft { (key.prefix) "…" } }
                        td data-label=(Text("settings-permissions")) { (scope_label(key.scopes)) }
                        td data-label=(Text("settings-last-used")) { @match key.last_used_at { Some(at) => (time(at, now)), None => (Text("settings-never")) } }
                        td { a href=(format!("/settings/keys/{}/activity", key.id)) aria-label=(Text("apps-activity-of").with("name", key.name.as_str())) { (Text("apps-activity")) } " "
                            a href=(format!("/settings/keys/{}/revoke", key.id)) aria-label=(Text("keys-revoke-named").with("name", key.name.as_str())) { (Text("keys-revoke-link")) } }
                    }
                } }
            }
        }
    }
}

fn ended_table(ended: &[Grant], now: Millis) -> Markup {
    html! {
        h2 { (Text("apps-ended-heading")) }
        table.cards {
            caption.hidden { (Text("apps-ended-caption")) }
            thead { tr { th scope="col" { (Text("access-app")) } th scope="col" { (Text("apps-allowed")) } th scope="col" { (Text("apps-ended")) } th scope="col" { (Text("apps-reason")) } } }
            tbody { @for grant in ended {
                tr {
                    th scope="row" { bdi { (grant.client_host) } " " span.soft { (quoted(&grant.client_name)) } }
                    td data-label=(Text("apps-allowed")) { (time(grant.created_at, now)) }
                    @if let Some((at, why)) = grant.ended {
                        td data-label=(Text("apps-ended")) { (time(at, now)) }
                        td data-label=(Text("apps-reason")) { (reason(why)) }
                    }
                }
            } }
        }
    }
}

fn reason(why: GrantEnd) -> Text {
    match why {
        GrantEnd::Person => Text("apps-by-you"),
        GrantEnd::App => Text("apps-by-app"),
        GrantEnd::Reuse => Text("apps-reuse"),
        GrantEnd::Idle => Text("apps-idle"),
        GrantEnd::Operator => Text("apps-operator"),
        GrantEnd::Age => Text("apps-age"),
    }
}

/// Asks for confirmation before the access of an app is removed.
#[handler]
pub(super) async fn show_end(request: PageRequest, user: User, Path(id): Path<GrantId>) -> PageResult {
    let grant = find(&request, &user, id).await?;
    let is_all = request.uri.query() == Some("all");
    let token = FormToken::of(&request);
    let (question, consequence) = if is_all {
        (Text("apps-remove-all-question"), Text("apps-remove-all-words"))
    } else {
        (Text("apps-remove-question"), Text("apps-remove-words"))
    };
    let content = html! {
        (settings_tabs("/settings/apps", &token))
        h1 { (question.markup(&[("name", quoted(&grant.client_name))])) }
        p.notice.bad { (consequence.markup(&[("host", html! { strong { bdi { (grant.client_host) } } })])) }
        form method="post" action=(format!("/settings/apps/{}/end", grant.id)) {
            (token.field())
            @if is_all { input type="hidden" name="all" value="on"; }
            div.row { button.danger type="submit" { (Text("apps-remove")) } a.button.secondary href="/settings/apps" { (Text("settings-cancel")) } }
        }
    };
    let title = settings_title(&[Text("apps-remove"), Text("settings-connected-apps")]);
    Ok(request.respond(StatusCode::OK, &title, &content))
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
        h1 { (Text("apps-remove-every-question")) }
        p.notice.bad { (Text("apps-remove-every-words")) }
        form method="post" action="/settings/apps/end-all" {
            (token.field())
            div.row { button.danger type="submit" { (Text("apps-remove-every-button")) } a.button.secondary href="/settings/apps" { (Text("settings-cancel")) } }
        }
    };
    let title = settings_title(&[Text("apps-remove-every-button"), Text("settings-connected-apps")]);
    Ok(request.respond(StatusCode::OK, &title, &content))
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
