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
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::{FormRejection, settings_tabs, success, time};
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
        title: "Replace the secret of ",
        consequence: "For 24 hours, every request is signed with both the current and the new secret. After that, only the new secret is used.",
        action: "rotate",
        button: "Replace secret",
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
        title: "Delete ",
        consequence: "Monitors no longer notify this channel. Its messages are deleted, and pending messages are not sent.",
        action: "delete",
        button: "Delete channel",
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
    title: &'static str,
    consequence: &'static str,
    action: &'static str,
    button: &'static str,
}

fn ask(request: &PageRequest, channel: &Channel, about: &Question) -> Response {
    let token = FormToken::of(request);
    let path = format!("/settings/channels/{}", channel.id);
    let content = html! {
        (settings_tabs("/settings/channels", &token))
        h1 { (about.title) (channel.name) "?" }
        p.notice.bad { (about.consequence) }
        form method="post" action={ (path) "/" (about.action) } {
            (token.field())
            div.row { button.danger type="submit" { (about.button) } a.button.secondary href=(path) { "Cancel" } }
        }
    };
    request.respond(StatusCode::OK, &format!("{} · Channels · Settings", about.button), &content)
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
        p.soft { a href="/settings/channels" { "Channels" } }
        h1 { (channel.name) }
        (form_error.summary())
        (notice(request.uri.query()))
        @if let Some(words) = words::advice(channel) { p.notice { (words) } }
        (facts(channel, now))
        (buttons(channel, &token))
        h2 { "Messages" }
        (messages(&sent, now))
        h2 { "Settings" }
        form.stack method="post" action=(format!("/settings/channels/{}", channel.id)) {
            (token.field())
            (input.show(form_error))
            div { button type="submit" { "Save" } }
        }
    };
    Ok(request.respond(status, &format!("{} · Channels · Settings", channel.name), &content))
}

fn notice(query: Option<&str>) -> Markup {
    match query {
        Some("made") => {
            success("Channel added. Select it on the page of a monitor to be notified of changes.")
        }
        Some("changed") => success("Channel updated."),
        Some("tested") => success("Test sent. Reload this page to see the response."),
        Some("mailed") => success("A new link was sent. Older links no longer work."),
        Some(_) | None => html! {},
    }
}

fn facts(channel: &Channel, now: Millis) -> Markup {
    html! {
        dl.facts {
            dt { "Kind" } dd { (words::kind(channel.kind)) }
            dt { "Address" } dd { bdi { (channel.masked_address) } }
            dt { "Status" } dd { (words::status(channel)) @if let Some(at) = channel.off_at { ", " (time(at, now)) } }
            dt { "Sends" } dd { @match channel.digest { Some(at) => { "one message a day, at " (at) " in " (channel.zone) }, None => "each change immediately" } }
            dt { "Last delivered" } dd { @match channel.last_success_at { Some(at) => (time(at, now)), None => "nothing yet" } }
            @if let Some(since) = channel.failing_since { dt { "Failing" } dd { "since " (time(since, now)) } }
            @if let Some(until) = channel.both_secrets_until.filter(|until| *until > now) { dt { "Secrets" } dd { "two are active, the old one until " (time(until, now)) } }
        }
    }
}

fn buttons(channel: &Channel, token: &FormToken) -> Markup {
    let path = format!("/settings/channels/{}", channel.id);
    let act = |name: &str, label: &str| {
        html! { form method="post" action={ (path) "/" (name) } { (token.field()) button.secondary type="submit" { (label) } } }
    };
    html! {
        div.row {
            @match channel.status {
                ChannelStatus::Active => { (act("test", "Send test")) (act("off", "Switch off")) },
                ChannelStatus::Off => (act("on", "Switch on")),
                ChannelStatus::Unconfirmed => (act("test", "Send another link")),
            }
            @if channel.kind == ChannelKind::Webhook { a.button.secondary href={ (path) "/rotate" } { "Replace secret…" } }
            @if channel.kind != ChannelKind::Webhook { a.button.secondary href={ (path) "/template" } { "Text of messages" } }
            a.button.secondary href={ (path) "/delete" } { "Delete…" }
        }
    }
}

fn messages(sent: &[SentMessage], now: Millis) -> Markup {
    html! {
        @if sent.is_empty() { p.soft { "No messages yet." } } @else {
            table.cards {
                caption.soft { "Newest first" }
                thead { tr { th scope="col" { "Message" } th scope="col" { "About" } th scope="col" { "State" } th scope="col" { "Response" } } }
                tbody { @for one in sent { (message(one, now)) } }
            }
        }
    }
}

fn message(one: &SentMessage, now: Millis) -> Markup {
    html! {
        tr {
            th scope="row" { a href=(one.link) { (one.title) } br; span.soft.small { (time(one.due_at, now)) } }
            td data-label="About" { (words::about(one.kind)) }
            td data-label="State" { (words::state(one)) @if one.tries > 1 { ", " (one.tries) " attempts" } }
            td data-label="Response" {
                @if let Some(status) = one.status { (status) " " }
                @if let Some(at) = one.last_try_at { span.soft.small title=(rfc3339(at)) { (time(at, now)) } }
                @if let Some(answer) = one.answer.as_deref().filter(|answer| !answer.is_empty()) {
                    details { summary { "Details" } pre tabindex="0" { (answer) } }
                }
            }
        }
    }
}
