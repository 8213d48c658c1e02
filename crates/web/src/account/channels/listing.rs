//! List of channels, and the form for a new channel: first its kind, then the fields of that kind.

use kernel::{Error, Millis};
use maud::{Markup, html};
use notices::{Channel, ChannelKind, ChannelStatus, Created, NewChannel, NewDestination, NewMqtt};
use poem::handler;
use poem::http::StatusCode;

use super::fields::{SettingsInput, text};
use super::{guide, words};
use crate::page::form::{Field, Form, FormError, FormToken};
use crate::page::parts::{FormRejection, settings_tabs, success, time};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

/// Name of the field for a service's token. The field `token` of each form contains the form token.
const SERVICE_TOKEN: &str = "serviceToken";
/// Number of kinds that the page lists first.
const FIRST_KINDS: usize = 8;

/// Lists the channels, with a form for a new channel.
#[handler]
pub(crate) async fn list(request: PageRequest, user: User) -> PageResult {
    let kind = words::kind_of(&request.parameter("kind"));
    let is_chosen = !request.parameter("kind").is_empty();
    let input = ChannelInput { kind, is_chosen, ..ChannelInput::empty() };
    page(&request, &user, StatusCode::OK, &input, &FormError::default()).await
}

#[handler]
pub(crate) async fn create(request: PageRequest, user: User, form: Form) -> PageResult {
    let app = &request.app;
    let input = ChannelInput::of(&form);
    match notices::create(&app.domain, user.account.id, input.new_channel()).await {
        Ok(Created { channel, secret, job }) => {
            app.engine.push_all(job.as_slice()).await;
            match secret {
                Some(secret) => Ok(secret_page(&request, &channel, &secret)),
                None => Ok(redirect(&format!("/settings/channels/{}?made", channel.id))),
            }
        }
        Err(error) => refused(&request, &user, &input, error).await,
    }
}

async fn refused(request: &PageRequest, user: &User, input: &ChannelInput, error: Error) -> PageResult {
    let mut rejection = FormRejection::of(error)?;
    rejection.form_error = rejection.form_error.renamed("token", SERVICE_TOKEN);
    let page = page(request, user, rejection.status, input, &rejection.form_error).await?;
    Ok(rejection.add_retry_after(page))
}

/// Values of the form for a new channel.
struct ChannelInput {
    kind: ChannelKind,
    /// True if a kind is selected.
    is_chosen: bool,
    address: String,
    token: String,
    chat: String,
    user: String,
    qos_0: bool,
    retain: bool,
    settings: SettingsInput,
}

impl ChannelInput {
    fn empty() -> Self {
        Self {
            kind: ChannelKind::Mail,
            is_chosen: false,
            address: String::new(),
            token: String::new(),
            chat: String::new(),
            user: String::new(),
            qos_0: false,
            retain: false,
            settings: SettingsInput::empty(),
        }
    }

    fn of(form: &Form) -> Self {
        let text = |name: &str| form.get(name).trim().to_owned();
        Self {
            kind: words::kind_of(form.get("kind")),
            is_chosen: true,
            address: text("address"),
            token: text(SERVICE_TOKEN),
            chat: text("chat"),
            user: text("user"),
            qos_0: form.get("qos") == "0",
            retain: form.get("retain") == "1",
            settings: SettingsInput::of(form),
        }
    }

    fn new_channel(&self) -> NewChannel<'_> {
        let Self { address, token, chat, user, qos_0, retain, .. } = self;
        let mqtt = NewMqtt { user, qos_0: *qos_0, retain: *retain };
        let destination = NewDestination { address, token, chat, mqtt };
        NewChannel { kind: self.kind, destination, settings: self.settings.settings() }
    }
}

async fn page(
    request: &PageRequest,
    user: &User,
    status: StatusCode,
    input: &ChannelInput,
    form_error: &FormError,
) -> PageResult {
    let app = &request.app;
    let channels = notices::list(&app.domain, user.account.id).await?;
    let limit = app.domain.policy().tiers.of(user.account.tier).notification_channels;
    let token = FormToken::of(request);
    let content = html! {
        (settings_tabs("/settings/channels", &token))
        h1 { "Channels" }
        @if request.uri.query() == Some("deleted") { (success("Channel deleted.")) }
        @if channels.is_empty() {
            p { "A channel sends notifications to your mailbox, your phone or a chat. Add one here, then select it on the page of a monitor to be notified of its changes." }
        } @else {
            (table(&channels, app.domain.now()))
        }
        p.soft { (channels.len()) " of " (limit) " channels used." }
        h2 #new { "Add a channel" }
        (form_error.summary())
        (kinds(input))
        @if input.is_chosen {
            h3 { (words::kind(input.kind)) }
            (guide::steps(input.kind))
            (form(input, form_error, &token))
        }
    };
    Ok(request.respond(status, "Channels · Settings", &content))
}

fn table(channels: &[Channel], now: Millis) -> Markup {
    html! {
        table.cards {
            caption.hidden { "Your channels" }
            thead { tr { th scope="col" { "Name" } th scope="col" { "Kind" } th scope="col" { "Status" } th scope="col" { "Last delivered" } } }
            tbody { @for channel in channels {
                tr {
                    th scope="row" { a href=(format!("/settings/channels/{}", channel.id)) { (channel.name) } br; span.soft.small { bdi { (channel.masked_address) } } }
                    td data-label="Kind" { (words::kind(channel.kind)) }
                    td data-label="Status" { span class={ "badge " (badge(channel.status)) } { (words::status(channel)) } }
                    td data-label="Last delivered" { @match channel.last_success_at { Some(at) => (time(at, now)), None => "nothing yet" } }
                }
            } }
        }
    }
}

/// Returns the CSS class of a status badge.
fn badge(status: ChannelStatus) -> &'static str {
    match status {
        ChannelStatus::Active => "active",
        ChannelStatus::Unconfirmed => "paused",
        ChannelStatus::Off => "failed",
    }
}

/// Renders links that select a channel kind. Services that fewer people use are collapsed.
fn kinds(input: &ChannelInput) -> Markup {
    let (first, more) = ChannelKind::ALL.split_at_checked(FIRST_KINDS).unwrap_or((ChannelKind::ALL, &[]));
    html! {
        p { "How would you like to be notified?" }
        nav aria-label="Channel kind" {
            div.stack { @for kind in first { (kind_link(input, *kind)) } }
            details open[input.is_chosen && more.contains(&input.kind)] {
                summary { "More services" }
                div.stack { @for kind in more { (kind_link(input, *kind)) } }
            }
        }
    }
}

fn kind_link(input: &ChannelInput, kind: ChannelKind) -> Markup {
    let is_current = input.is_chosen && kind == input.kind;
    html! {
        div.row {
            a.button.secondary href=(format!("/settings/channels?kind={}#new", kind.as_str())) aria-current=[is_current.then_some("true")] { (words::kind(kind)) }
            span.soft { (guide::summary(kind)) }
        }
    }
}

fn form(input: &ChannelInput, form_error: &FormError, token: &FormToken) -> Markup {
    html! {
        form.stack method="post" action="/settings/channels" {
            (token.field())
            input type="hidden" name="kind" value=(input.kind.as_str());
            (destination(input, form_error))
            (input.settings.show(form_error))
            div { button type="submit" { "Add channel" } }
        }
    }
}

/// Renders the fields of the selected kind.
fn destination(input: &ChannelInput, form_error: &FormError) -> Markup {
    if input.kind == ChannelKind::Mqtt {
        return mqtt_fields(input, form_error);
    }
    let kind = if input.kind == ChannelKind::Mail { "email" } else { "text" };
    html! {
        @if let Some((label, hint)) = address_words(input.kind) {
            (Field { kind, required: true, ..text("address", label, hint, &input.address) }.show(form_error))
        }
        @if let Some((label, hint, required)) = token_words(input.kind) {
            (Field { required, ..text(SERVICE_TOKEN, label, hint, &input.token) }.show(form_error))
        }
        @if let Some((label, hint)) = recipient_words(input.kind) {
            (Field { required: true, ..text("chat", label, hint, &input.chat) }.show(form_error))
        }
    }
}

/// Returns the label and the hint of the token, and whether it is required. `None` if the kind has no token.
fn token_words(kind: ChannelKind) -> Option<(&'static str, &'static str, bool)> {
    Some(match kind {
        ChannelKind::Ntfy => ("Access token", "Leave empty unless your topic requires one.", false),
        ChannelKind::Sms => ("Access token", "Leave empty unless the gateway requires one.", false),
        ChannelKind::Telegram => ("Bot token", "From BotFather: a number, a colon and many letters.", true),
        ChannelKind::Matrix => ("Access token", "Of the account that writes the messages.", true),
        ChannelKind::Pushover => ("API token", "Of the application, 30 letters and digits.", true),
        ChannelKind::Gotify => ("Token", "Of the application on your server.", true),
        ChannelKind::Line => ("Channel access token", "The long-lived one, of the bot.", true),
        ChannelKind::Pushbullet => ("Access token", "Of your Pushbullet account.", true),
        ChannelKind::PagerDuty => ("Integration key", "32 letters and digits.", true),
        _ => return None,
    })
}

/// Returns the label and the hint of the recipient. `None` if the kind has no recipient.
fn recipient_words(kind: ChannelKind) -> Option<(&'static str, &'static str)> {
    Some(match kind {
        ChannelKind::Telegram => (
            "Chat",
            "A number such as 123456789 (negative for groups), or @ and the name of a public channel.",
        ),
        ChannelKind::Matrix => ("Room", "Its internal id, such as !abcdefgh:matrix.org."),
        ChannelKind::Pushover => ("User key", "From the first page of pushover.net, 30 letters and digits."),
        ChannelKind::Sms => ("Telephone number", "With its country code, such as +49 170 1234567."),
        ChannelKind::Line => ("User ID", "Or the id of a group: U, C, or R, and 32 letters and digits."),
        _ => return None,
    })
}

/// Returns the label and the hint of the address. `None` if the kind has no address.
fn address_words(kind: ChannelKind) -> Option<(&'static str, &'static str)> {
    Some(match kind {
        ChannelKind::Webhook => ("Address of your program", "Starts with https://."),
        ChannelKind::Mail => (
            "E-mail address",
            "A confirmation link is sent to this address. Nothing else is sent until it is confirmed.",
        ),
        ChannelKind::Slack => ("Webhook URL from Slack", "Starts with https://hooks.slack.com/services/."),
        ChannelKind::Discord => {
            ("Webhook URL from Discord", "Starts with https://discord.com/api/webhooks/.")
        }
        ChannelKind::Ntfy => {
            ("Topic address", "Such as https://ntfy.sh/my-long-topic-name, or an address on your own server.")
        }
        ChannelKind::Matrix => ("Server", "Such as https://matrix.org."),
        ChannelKind::Gotify => ("Server", "Such as https://gotify.example.org."),
        ChannelKind::Mattermost => ("Webhook URL from Mattermost", "Contains /hooks/."),
        ChannelKind::RocketChat => ("Webhook URL from Rocket.Chat", "Contains /hooks/."),
        ChannelKind::Teams => ("Webhook URL from Teams", "Starts with https://."),
        ChannelKind::GoogleChat => {
            ("Webhook URL from Google Chat", "Starts with https://chat.googleapis.com/v1/spaces/.")
        }
        ChannelKind::Sms => ("Address of the gateway", "Starts with https://."),
        ChannelKind::HomeAssistant => ("Webhook URL", "Contains /api/webhook/."),
        ChannelKind::Apprise => {
            ("Address of the configuration", "Such as https://apprise.example.org/notify/my-long-key.")
        }
        ChannelKind::Zulip => ("URL of the bot", "Contains /api/v1/external/slack_incoming?api_key=."),
        ChannelKind::Webex => {
            ("Webhook URL from Webex", "Starts with https://webexapis.com/v1/webhooks/incoming/.")
        }
        ChannelKind::Lark => ("Webhook URL of the bot", "Contains /open-apis/bot/v2/hook/."),
        ChannelKind::DingTalk => {
            ("Webhook URL of the robot", "Starts with https://oapi.dingtalk.com/robot/send.")
        }
        ChannelKind::WeCom => {
            ("Webhook URL of the robot", "Starts with https://qyapi.weixin.qq.com/cgi-bin/webhook/send.")
        }
        ChannelKind::Bark => ("Address of your device", "Such as https://api.day.app/ and its key."),
        ChannelKind::Ifttt => ("URL of the event", "Starts with https://maker.ifttt.com/trigger/."),
        ChannelKind::PagerDuty => ("Integration URL", "Such as https://events.pagerduty.com/v2/enqueue."),
        ChannelKind::Telegram
        | ChannelKind::Pushover
        | ChannelKind::Line
        | ChannelKind::Pushbullet
        | ChannelKind::Mqtt => {
            return None;
        }
    })
}

/// Renders the fields for the address and login of an MQTT broker, and for delivery options.
fn mqtt_fields(input: &ChannelInput, form_error: &FormError) -> Markup {
    let hint = "Such as mqtts://broker.example.org, or mqtts://broker.example.org:8884.";
    let broker = Field { required: true, ..text("address", "Broker", hint, &input.address) };
    let topic = Field { required: true, ..text("chat", "Topic", "Such as home/carrel.", &input.chat) };
    let user = text("user", "User", "Leave empty unless the broker requires one.", &input.user);
    let password = Field { kind: "password", ..text(SERVICE_TOKEN, "Password", "", "") };
    html! {
        (broker.show(form_error))
        (topic.show(form_error))
        (user.show(form_error))
        (password.show(form_error))
        div {
            label for="qos" { "Quality of service" }
            select #qos name="qos" {
                option value="1" selected[!input.qos_0] { "1: at least once" }
                option value="0" selected[input.qos_0] { "0: at most once" }
            }
        }
        label.choice { input type="checkbox" name="retain" value="1" checked[input.retain]; span { "Retain: " span.soft { "the broker stores the newest message for future subscribers" } } }
    }
}

/// Displays the secret of a webhook, which cannot be displayed again.
pub(super) fn secret_page(request: &PageRequest, channel: &Channel, secret: &str) -> poem::Response {
    let token = FormToken::of(request);
    let content = html! {
        (settings_tabs("/settings/channels", &token))
        h1 { "Secret of " (channel.name) }
        p.notice.good role="status" { "Copy the secret now. It will not be shown again." }
        p.secret tabindex="0" role="textbox" aria-readonly="true" aria-label="Secret" { (secret) }
        p { "Every request has the headers " code { "webhook-id" } ", " code { "webhook-timestamp" } " and " code { "webhook-signature" } " (Standard Webhooks 1.0). Pass the secret unchanged to a library that verifies them. The same id can arrive twice: ignore messages that you have already handled." }
        p { a.button href=(format!("/settings/channels/{}", channel.id)) { "Continue" } }
    };
    request.respond(StatusCode::OK, "Secret · Channels · Settings", &content)
}
