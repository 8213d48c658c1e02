//! Page of one channel: its status, its messages and the responses to them, its settings, and its actions.

use kernel::{ChannelId, Millis, rfc3339};
use maud::{Markup, html};
use notices::{Channel, ChannelKind, ChannelStatus, SentMessage};
use poem::http::StatusCode;
use poem::web::Path;
use poem::{Response, handler};

use super::fields::SettingsInput;
use super::listing::secret_page;
use super::words;
use crate::channel_choice::channel_status;
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::{FormRejection, settings_tabs, settings_title, success, time};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

#[handler]
pub(crate) async fn show(request: PageRequest, user: User, Path(id): Path<ChannelId>) -> PageResult {
    let channel = notices::get(&request.app.domain, user.account.id, id).await?;
    let input = SettingsInput::of_channel(&channel);
    page(&request, &user, StatusCode::OK, (&channel, &input), &FormError::default()).await
}

/// Saves the name, the digest times, and the choice of account news.
#[handler]
pub(crate) async fn save(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<ChannelId>,
) -> PageResult {
    let domain = &request.app.domain;
    let input = SettingsInput::of(&form);
    match notices::update(domain, user.account.id, id, input.settings()).await {
        Ok(_) => Ok(back(id, "changed")),
        Err(error) => {
            let rejection = FormRejection::of(error)?;
            let channel = notices::get(domain, user.account.id, id).await?;
            page(&request, &user, rejection.status, (&channel, &input), &rejection.form_error).await
        }
    }
}

/// Sends a test message, or another confirmation link if the address is not confirmed.
#[handler]
pub(crate) async fn test(
    request: PageRequest,
    user: User,
    _form: Form,
    Path(id): Path<ChannelId>,
) -> PageResult {
    let app = &request.app;
    let channel = notices::get(&app.domain, user.account.id, id).await?;
    let tried = if channel.status == ChannelStatus::Unconfirmed {
        notices::request_confirmation(&app.domain, user.account.id, id).await.map(|job| (job, "mailed"))
    } else {
        notices::test(&app.domain, user.account.id, id).await.map(|_| (None, "tested"))
    };
    match tried {
        Ok((job, done)) => {
            app.engine.push_all(job.as_slice()).await;
            Ok(back(id, done))
        }
        Err(error) => {
            let rejection = FormRejection::of(error)?;
            let input = SettingsInput::of_channel(&channel);
            let page =
                page(&request, &user, rejection.status, (&channel, &input), &rejection.form_error).await?;
            Ok(rejection.add_retry_after(page))
        }
    }
}

#[handler]
pub(crate) async fn switch_off(
    request: PageRequest,
    user: User,
    _form: Form,
    Path(id): Path<ChannelId>,
) -> PageResult {
    notices::switch_off(&request.app.domain, user.account.id, id).await?;
    Ok(back(id, "changed"))
}

#[handler]
pub(crate) async fn switch_on(
    request: PageRequest,
    user: User,
    _form: Form,
    Path(id): Path<ChannelId>,
) -> PageResult {
    notices::switch_on(&request.app.domain, user.account.id, id).await?;
    Ok(back(id, "changed"))
}

/// Asks for confirmation before the secret is replaced.
#[handler]
pub(crate) async fn show_rotate(request: PageRequest, user: User, Path(id): Path<ChannelId>) -> PageResult {
    let channel = notices::get(&request.app.domain, user.account.id, id).await?;
    let about = Question {
        title: Text("channel-replace-question"),
        consequence: Text("channel-replace-words"),
        action: "rotate",
        button: Text("channel-replace"),
    };
    Ok(ask(&request, &channel, &about))
}

/// Replaces the secret and displays the new secret, which cannot be displayed again.
#[handler]
pub(crate) async fn rotate(
    request: PageRequest,
    user: User,
    _form: Form,
    Path(id): Path<ChannelId>,
) -> PageResult {
    let domain = &request.app.domain;
    let secret = notices::rotate_secret(domain, user.account.id, id).await?;
    let channel = notices::get(domain, user.account.id, id).await?;
    Ok(secret_page(&request, &channel, &secret))
}

/// Asks for confirmation before the channel is deleted.
#[handler]
pub(crate) async fn show_delete(request: PageRequest, user: User, Path(id): Path<ChannelId>) -> PageResult {
    let channel = notices::get(&request.app.domain, user.account.id, id).await?;
    let about = Question {
        title: Text("channel-delete-question"),
        consequence: Text("channel-delete-words"),
        action: "delete",
        button: Text("channel-delete"),
    };
    Ok(ask(&request, &channel, &about))
}

#[handler]
pub(crate) async fn delete(
    request: PageRequest,
    user: User,
    _form: Form,
    Path(id): Path<ChannelId>,
) -> PageResult {
    notices::delete(&request.app.domain, user.account.id, id).await?;
    Ok(redirect("/settings/channels?deleted"))
}

fn back(id: ChannelId, done: &str) -> Response {
    redirect(&format!("/settings/channels/{id}?{done}"))
}

/// Confirmation page for an action that cannot be undone.
struct Question {
    title: Text,
    consequence: Text,
    action: &'static str,
    button: Text,
}

fn ask(request: &PageRequest, channel: &Channel, about: &Question) -> Response {
    let token = FormToken::of(request);
    let path = format!("/settings/channels/{}", channel.id);
    let content = html! {
        (settings_tabs("/settings/channels", &token))
        h1 { (about.title.with("name", channel.name.as_str())) }
        p.notice.bad { (about.consequence) }
        form method="post" action={ (path) "/" (about.action) } {
            (token.field())
            div.row { button.danger type="submit" { (about.button) } a.button.secondary href=(path) { (Text("settings-cancel")) } }
        }
    };
    request.respond(StatusCode::OK, &settings_title(&[about.button, Text("settings-channels")]), &content)
}

async fn page(
    request: &PageRequest,
    user: &User,
    status: StatusCode,
    (channel, input): (&Channel, &SettingsInput),
    form_error: &FormError,
) -> PageResult {
    let domain = &request.app.domain;
    let sent = notices::list_sent(domain, user.account.id, channel.id).await?;
    let (token, now) = (FormToken::of(request), domain.now());
    let content = html! {
        (settings_tabs("/settings/channels", &token))
        p.soft { a href="/settings/channels" { (Text("settings-channels")) } }
        h1 { (channel.name) }
        (form_error.summary())
        (notice(request.uri.query()))
        @if let Some(words) = words::advice(channel) { p.notice { (words) } }
        (facts(channel, now))
        (buttons(channel, &token))
        h2 { (Text("channel-messages")) }
        (messages(&sent, now))
        h2 { (Text("nav-settings")) }
        form.stack method="post" action=(format!("/settings/channels/{}", channel.id)) {
            (token.field())
            (input.show(channel.kind, form_error))
            div { button type="submit" { (Text("form-save")) } }
        }
    };
    let title = format!("{} · {}", channel.name, settings_title(&[Text("settings-channels")]));
    Ok(request.respond(status, &title, &content))
}

fn notice(query: Option<&str>) -> Markup {
    match query {
        Some("made") => success(&Text("channel-added")),
        Some("changed") => success(&Text("channel-updated")),
        Some("tested") => success(&Text("channel-tested")),
        Some("mailed") => success(&Text("channel-mailed")),
        Some(_) | None => html! {},
    }
}

fn facts(channel: &Channel, now: Millis) -> Markup {
    html! {
        dl.facts {
            dt { (Text("channels-kind")) } dd { (words::kind(channel.kind)) }
            dt { (Text("apps-address-title")) } dd { bdi { (channel.masked_address) } }
            dt { (Text("items-status")) } dd { (channel_status(channel)) @if let Some(at) = channel.off_at { ", " (time(at, now)) } }
            dt { (Text("channel-sends")) } dd { @match channel.digest { Some(at) => (Text("channel-sends-digest").with("time", at.to_string()).with("zone", channel.zone.as_str())), None => (Text("channel-sends-each")) } }
            dt { (Text("channels-last-delivered")) } dd { @match channel.last_success_at { Some(at) => (time(at, now)), None => (Text("channels-nothing-yet")) } }
            @if let Some(since) = channel.failing_since { dt { (Text("channel-failing")) } dd { (Text("channel-failing-since").markup(&[("time", time(since, now))])) } }
            @if let Some(until) = channel.both_secrets_until.filter(|until| *until > now) { dt { (Text("channel-secrets")) } dd { (Text("channel-secrets-words").markup(&[("time", time(until, now))])) } }
        }
    }
}

fn buttons(channel: &Channel, token: &FormToken) -> Markup {
    let path = format!("/settings/channels/{}", channel.id);
    let act = |name: &str, label: Text| {
        html! { form method="post" action={ (path) "/" (name) } { (token.field()) button.secondary type="submit" { (label) } } }
    };
    html! {
        div.row {
            @match channel.status {
                ChannelStatus::Active => { (act("test", Text("channel-send-test"))) (act("off", Text("model-switch-off"))) },
                ChannelStatus::Off => (act("on", Text("model-switch-on"))),
                ChannelStatus::Unconfirmed => (act("test", Text("channel-send-link"))),
            }
            @if channel.kind == ChannelKind::Webhook { a.button.secondary href={ (path) "/rotate" } { (Text("channel-replace-link")) } }
            @if channel.kind != ChannelKind::Webhook { a.button.secondary href={ (path) "/template" } { (Text("channel-text")) } }
            a.button.secondary href={ (path) "/delete" } { (Text("items-delete")) }
        }
    }
}

fn messages(sent: &[SentMessage], now: Millis) -> Markup {
    html! {
        @if sent.is_empty() { p.soft { (Text("channel-no-messages")) } } @else {
            table.cards {
                caption.soft { (Text("channel-newest-first")) }
                thead { tr { th scope="col" { (Text("channel-message")) } th scope="col" { (Text("channel-about")) } th scope="col" { (Text("channel-state")) } th scope="col" { (Text("channel-response")) } } }
                tbody { @for one in sent { (message(one, now)) } }
            }
        }
    }
}

fn message(one: &SentMessage, now: Millis) -> Markup {
    html! {
        tr {
            th scope="row" { a href=(one.link) { (one.title) } br; span.soft.small { (time(one.due_at, now)) } }
            td data-label=(Text("channel-about")) { (words::about(one.kind)) }
            td data-label=(Text("channel-state")) { (words::state(one)) @if one.tries > 1 { ", " (Text("channel-attempts").with("count", one.tries)) } }
            td data-label=(Text("channel-response")) {
                @if let Some(status) = one.status { (status) " " }
                @if let Some(at) = one.last_try_at { span.soft.small title=(rfc3339(at)) { (time(at, now)) } }
                @if let Some(answer) = one.answer.as_deref().filter(|answer| !answer.is_empty()) {
                    details { summary { (Text("channel-details")) } pre tabindex="0" { (answer) } }
                }
            }
        }
    }
}
