//! The list of channels, and the form for one more: first its kind, then what that kind needs.

use domain::Error;
use domain::Millis;
use domain::notices::{self, Channel, ChannelKind, ChannelStatus, Created, NewChannel, NewDestination};
use maud::{Markup, html};
use poem::handler;
use poem::http::StatusCode;

use super::super::form::{Field, Form, FormError, FormToken};
use super::super::parts::{Refusal, settings_tabs, success, time};
use super::super::request::{Answer, PageRequest, User};
use super::super::respond::redirect;
use super::fields::{SettingsInput, text};
use super::words;

/// The list, and a form for one more.
#[handler]
pub(crate) async fn list(request: PageRequest, user: User) -> Answer {
    let kind = words::kind_of(&request.parameter("kind"));
    let is_chosen = !request.parameter("kind").is_empty();
    let input = Input { kind, is_chosen, ..Input::empty() };
    page(&request, &user, StatusCode::OK, &input, &FormError::default()).await
}

/// Makes a channel.
#[handler]
pub(crate) async fn create(request: PageRequest, user: User, form: Form) -> Answer {
    let app = &request.app;
    let input = Input::of(&form);
    match notices::create(&app.domain, user.account.id, input.new_channel()).await {
        Ok(Created { channel, secret, job }) => {
            app.engine.hand_over(job.as_slice()).await;
            match secret {
                Some(secret) => Ok(secret_page(&request, &channel, &secret)),
                None => Ok(redirect(&format!("/settings/channels/{}?made", channel.id))),
            }
        }
        Err(error) => refused(&request, &user, &input, error).await,
    }
}

async fn refused(request: &PageRequest, user: &User, input: &Input, error: Error) -> Answer {
    let refusal = Refusal::of(error)?;
    let page = page(request, user, refusal.status, input, &refusal.form_error).await?;
    Ok(refusal.write(page))
}

/// What the form for a new channel holds.
struct Input {
    kind: ChannelKind,
    /// Whether its kind was chosen already.
    is_chosen: bool,
    address: String,
    token: String,
    chat: String,
    settings: SettingsInput,
}

impl Input {
    fn empty() -> Self {
        let nothing = String::new;
        let settings = SettingsInput::empty();
        let (address, token, chat) = (nothing(), nothing(), nothing());
        Self { kind: ChannelKind::Mail, is_chosen: false, address, token, chat, settings }
    }

    fn of(form: &Form) -> Self {
        let text = |name: &str| form.get(name).trim().to_owned();
        Self {
            kind: words::kind_of(form.get("kind")),
            is_chosen: true,
            address: text("address"),
            token: text("token"),
            chat: text("chat"),
            settings: SettingsInput::of(form),
        }
    }

    fn new_channel(&self) -> NewChannel<'_> {
        let destination = NewDestination { address: &self.address, token: &self.token, chat: &self.chat };
        NewChannel { kind: self.kind, destination, settings: self.settings.settings() }
    }
}

async fn page(
    request: &PageRequest,
    user: &User,
    status: StatusCode,
    input: &Input,
    form_error: &FormError,
) -> Answer {
    let app = &request.app;
    let channels = notices::list(&app.domain, user.account.id).await?;
    let room = app.domain.limits().of(user.account.tier).notification_channels;
    let token = FormToken::of(request);
    let content = html! {
        (settings_tabs("/settings/channels", &token))
        h1 { "Channels" }
        @if request.uri.query() == Some("deleted") { (success("The channel is deleted.")) }
        @if channels.is_empty() {
            p { "A channel tells you when a monitor finds a change: by mail, in a chat, or as a signed request to a program of yours. Add one, then choose it on the page of a monitor." }
        } @else {
            (table(&channels, app.domain.now()))
        }
        p.soft { (channels.len()) " of " (room) " channels used." }
        h2 #new { "Add a channel" }
        (form_error.summary())
        (kinds(input))
        @if input.is_chosen {
            h3 { (words::kind(input.kind)) }
            (form(input, form_error, &token))
        }
    };
    Ok(request.respond(status, "Channels · Settings", &content))
}

fn table(channels: &[Channel], now: Millis) -> Markup {
    html! {
        table.cards {
            caption.hidden { "Your channels" }
            thead { tr { th scope="col" { "Name" } th scope="col" { "Kind" } th scope="col" { "Status" } th scope="col" { "Last arrived" } } }
            tbody { @for channel in channels {
                tr {
                    th scope="row" { a href=(format!("/settings/channels/{}", channel.id)) { (channel.name) } br; span.soft.small { bdi { (channel.shown) } } }
                    td data-label="Kind" { (words::kind(channel.kind)) }
                    td data-label="Status" { span class={ "badge " (badge(channel.status)) } { (words::status(channel)) } }
                    td data-label="Last arrived" { @match channel.last_success_at { Some(at) => (time(at, now)), None => "nothing yet" } }
                }
            } }
        }
    }
}

/// The class of a badge.
fn badge(status: ChannelStatus) -> &'static str {
    match status {
        ChannelStatus::Active => "active",
        ChannelStatus::Unconfirmed => "paused",
        ChannelStatus::Off => "failed",
    }
}

/// The kinds to choose from, a link each.
fn kinds(input: &Input) -> Markup {
    html! {
        nav.row aria-label="Kind of channel" {
            @for kind in ChannelKind::ALL {
                @let is_current = input.is_chosen && *kind == input.kind;
                a.button.quiet href=(format!("/settings/channels?kind={}#new", kind.as_str())) aria-current=[is_current.then_some("true")] { (words::kind(*kind)) }
            }
        }
    }
}

fn form(input: &Input, form_error: &FormError, token: &FormToken) -> Markup {
    html! {
        form.stack method="post" action="/settings/channels" {
            (token.field())
            input type="hidden" name="kind" value=(input.kind.as_str());
            (destination(input, form_error))
            (input.settings.show(form_error))
            div { button type="submit" { "Add the channel" } }
        }
    }
}

/// What the kind needs to know.
fn destination(input: &Input, form_error: &FormError) -> Markup {
    let address = |label: &'static str, rule: &'static str| {
        Field { required: true, ..text("address", label, rule, &input.address) }.show(form_error)
    };
    match input.kind {
        ChannelKind::Mail => {
            let rule = "A link is mailed there; nothing else is until it was opened and its button pressed.";
            let field = text("address", "E-mail address", rule, &input.address);
            Field { kind: "email", required: true, ..field }.show(form_error)
        }
        ChannelKind::Webhook => address(
            "Address",
            "https; JSON is posted there, signed as Standard Webhooks are. The secret is shown once, after this.",
        ),
        ChannelKind::Slack => {
            address("Webhook URL", "An incoming webhook, https://hooks.slack.com/services/…")
        }
        ChannelKind::Discord => address(
            "Webhook URL",
            "In the settings of a channel, under Integrations: https://discord.com/api/webhooks/…",
        ),
        ChannelKind::Ntfy => html! {
            (address("Topic", "Its address, such as https://ntfy.sh/my-topic. Whoever knows a topic can read it."))
            (text("token", "Access token", "Only for topics that need one.", &input.token).show(form_error))
        },
        ChannelKind::Telegram => html! {
            (Field { required: true, ..text("token", "Bot token", "As BotFather gave it to you, like 123456:ABC-DEF…", &input.token) }.show(form_error))
            (Field { required: true, ..text("chat", "Chat", "The id of a chat in which the bot is, like -1001234567890, or @channel.", &input.chat) }.show(form_error))
        },
    }
}

/// The secret of a webhook, this once.
pub(super) fn secret_page(request: &PageRequest, channel: &Channel, secret: &str) -> poem::Response {
    let token = FormToken::of(request);
    let content = html! {
        (settings_tabs("/settings/channels", &token))
        h1 { "The secret of " (channel.name) }
        p.notice.good role="status" { "Copy the secret now. It is shown here and never again." }
        p.secret tabindex="0" role="textbox" aria-readonly="true" aria-label="Secret" { (secret) }
        p { "Every request bears " code { "webhook-id" } ", " code { "webhook-timestamp" } " and " code { "webhook-signature" } " (Standard Webhooks 1.0). Libraries that verify them take the secret as it stands. The same id may come twice: what you have handled already can be dropped." }
        p { a.button href=(format!("/settings/channels/{}", channel.id)) { "Go on" } }
    };
    request.respond(StatusCode::OK, "Secret · Channels · Settings", &content)
}
