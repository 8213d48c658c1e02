//! List of channels, and the form for a new channel: first its kind, then the fields of that kind.

use kernel::{Error, Millis};
use maud::{Markup, html};
use notices::{Channel, ChannelKind, ChannelStatus, Created, NewChannel, NewDestination, NewMqtt};
use poem::handler;
use poem::http::StatusCode;

use super::fields::{SettingsInput, text};
use super::{guide, words};
use crate::channel_choice::channel_status;
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormField, FormToken};
use crate::page::parts::{FormRejection, settings_tabs, settings_title, success, time};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

/// Name of the field for a service's token. The field `token` of each form contains the form token.
const SERVICE_TOKEN: &str = "serviceToken";
/// Number of channel kinds that are not collapsed.
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
        h1 { (Text("settings-channels")) }
        @if request.uri.query() == Some("deleted") { (success(&Text("channels-deleted"))) }
        @if channels.is_empty() {
            p { (Text("channels-none")) }
        } @else {
            (table(&channels, app.domain.now()))
        }
        p.soft { (Text("channels-used").with("count", channels.len()).with("most", limit)) }
        h2 #new { (Text("channels-add-heading")) }
        (form_error.summary())
        (kinds(input))
        @if input.is_chosen {
            h3 { (words::kind(input.kind)) }
            (guide::steps(input.kind))
            (form(input, form_error, &token))
        }
    };
    Ok(request.respond(status, &settings_title(&[Text("settings-channels")]), &content))
}

fn table(channels: &[Channel], now: Millis) -> Markup {
    html! {
        table.cards {
            caption.hidden { (Text("channels-yours")) }
            thead { tr { th scope="col" { (Text("settings-name")) } th scope="col" { (Text("channels-kind")) } th scope="col" { (Text("items-status")) } th scope="col" { (Text("channels-last-delivered")) } } }
            tbody { @for channel in channels {
                tr {
                    th scope="row" { a href=(format!("/settings/channels/{}", channel.id)) { (channel.name) } br; span.soft.small { bdi { (channel.masked_address) } } }
                    td data-label=(Text("channels-kind")) { (words::kind(channel.kind)) }
                    td data-label=(Text("items-status")) { span class={ "badge " (badge(channel.status)) } { (channel_status(channel)) } }
                    td data-label=(Text("channels-last-delivered")) { @match channel.last_success_at { Some(at) => (time(at, now)), None => (Text("channels-nothing-yet")) } }
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
        p { (Text("channels-question")) }
        nav aria-label=(Text("channels-kinds")) {
            div.stack { @for kind in first { (kind_link(input, *kind)) } }
            details open[input.is_chosen && more.contains(&input.kind)] {
                summary { (Text("channels-more")) }
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
            (input.settings.show(input.kind, form_error))
            div { button type="submit" { (Text("channels-add")) } }
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
            (FormField { kind, required: true, ..text("address", &label, &hint, &input.address) }.show(form_error))
        }
        @if let Some((label, hint)) = token_words(input.kind) {
            @let (label, hint) = (label.get(), hint.get());
            (FormField { required: needs_token(input.kind), ..text(SERVICE_TOKEN, &label, &hint, &input.token) }.show(form_error))
        }
        @if let Some((label, hint)) = recipient_words(input.kind) {
            (FormField { required: true, ..text("chat", &label, &hint, &input.chat) }.show(form_error))
        }
    }
}

/// Returns the label and the hint of the token. `None` if the kind has no token.
fn token_words(kind: ChannelKind) -> Option<(Text, Text)> {
    Some(match kind {
        ChannelKind::Ntfy => (Text("channel-access-token"), Text("channel-token-topic")),
        ChannelKind::Sms => (Text("channel-access-token"), Text("channel-token-gateway")),
        ChannelKind::Telegram => (Text("channel-bot-token"), Text("channel-bot-token-hint")),
        ChannelKind::Matrix => (Text("channel-access-token"), Text("channel-token-matrix")),
        ChannelKind::Pushover => (Text("channel-api-token"), Text("channel-token-pushover")),
        ChannelKind::Gotify => (Text("channel-token"), Text("channel-token-gotify")),
        ChannelKind::Line => (Text("channel-line-token"), Text("channel-line-token-hint")),
        ChannelKind::Pushbullet => (Text("channel-access-token"), Text("channel-token-pushbullet")),
        ChannelKind::PagerDuty => (Text("channel-integration-key"), Text("channel-integration-key-hint")),
        _ => return None,
    })
}

/// Returns true if a channel of this kind cannot be created without its token.
fn needs_token(kind: ChannelKind) -> bool {
    !matches!(kind, ChannelKind::Ntfy | ChannelKind::Sms)
}

/// Returns the label and the hint of the recipient. `None` if the kind has no recipient.
fn recipient_words(kind: ChannelKind) -> Option<(String, String)> {
    let such_as = |hint: Text, example: &'static str| hint.with("example", example).get();
    Some(match kind {
        ChannelKind::Telegram => (Text("channel-chat").get(), Text("channel-chat-hint").get()),
        ChannelKind::Matrix => {
            (Text("channel-room").get(), such_as(Text("channel-room-hint"), "!abcdefgh:matrix.org"))
        }
        ChannelKind::Pushover => (Text("channel-user-key").get(), Text("channel-user-key-hint").get()),
        ChannelKind::Sms => {
            (Text("channel-phone").get(), such_as(Text("channel-phone-hint"), "+49 170 1234567"))
        }
        ChannelKind::Line => (Text("channel-user-id").get(), Text("channel-user-id-hint").get()),
        _ => return None,
    })
}

/// Returns the label and the hint of the address. `None` if the kind has no address.
fn address_words(kind: ChannelKind) -> Option<(String, String)> {
    let such_as = |example: &'static str| Text("channel-such-as").with("example", example).get();
    Some(match kind {
        ChannelKind::Mail => (Text("field-email").get(), Text("channel-mail-hint").get()),
        ChannelKind::Ntfy => (Text("channel-topic-address").get(), Text("channel-topic-address-hint").get()),
        ChannelKind::Matrix => (Text("keys-server").get(), such_as("https://matrix.org")),
        ChannelKind::Gotify => (Text("keys-server").get(), such_as("https://gotify.example.org")),
        ChannelKind::Apprise => (
            Text("channel-configuration-address").get(),
            such_as("https://apprise.example.org/notify/my-long-key"),
        ),
        ChannelKind::Bark => {
            (Text("channel-device-address").get(), Text("channel-device-address-hint").get())
        }
        ChannelKind::PagerDuty => {
            (Text("channel-integration-url").get(), such_as("https://events.pagerduty.com/v2/enqueue"))
        }
        _ => return start_words(kind).or_else(|| part_words(kind)),
    })
}

/// Returns the label of an address, and a hint that states how the address starts. `None` if the kind has no such
/// hint.
fn start_words(kind: ChannelKind) -> Option<(String, String)> {
    let from = |service: &'static str| Text("channel-webhook-from").with("service", service).get();
    let (label, start) = match kind {
        ChannelKind::Webhook => (Text("channel-program-address").get(), "https://"),
        ChannelKind::Slack => (from("Slack"), "https://hooks.slack.com/services/"),
        ChannelKind::Discord => (from("Discord"), "https://discord.com/api/webhooks/"),
        ChannelKind::Teams => (from("Teams"), "https://"),
        ChannelKind::GoogleChat => (from("Google Chat"), "https://chat.googleapis.com/v1/spaces/"),
        ChannelKind::Sms => (Text("channel-gateway-address").get(), "https://"),
        ChannelKind::Webex => (from("Webex"), "https://webexapis.com/v1/webhooks/incoming/"),
        ChannelKind::DingTalk => {
            (Text("channel-robot-webhook").get(), "https://oapi.dingtalk.com/robot/send")
        }
        ChannelKind::WeCom => {
            (Text("channel-robot-webhook").get(), "https://qyapi.weixin.qq.com/cgi-bin/webhook/send")
        }
        ChannelKind::Ifttt => (Text("channel-event-url").get(), "https://maker.ifttt.com/trigger/"),
        _ => return None,
    };
    Some((label, Text("channel-starts-with").with("address", start).get()))
}

/// Returns the label of an address, and a hint that states what the address contains. `None` if the kind has no such
/// hint.
fn part_words(kind: ChannelKind) -> Option<(String, String)> {
    let from = |service: &'static str| Text("channel-webhook-from").with("service", service).get();
    let (label, part) = match kind {
        ChannelKind::Mattermost => (from("Mattermost"), "/hooks/"),
        ChannelKind::RocketChat => (from("Rocket.Chat"), "/hooks/"),
        ChannelKind::HomeAssistant => (Text("channel-webhook-url").get(), "/api/webhook/"),
        ChannelKind::Zulip => (Text("channel-bot-url").get(), "/api/v1/external/slack_incoming?api_key="),
        ChannelKind::Lark => (Text("channel-bot-webhook").get(), "/open-apis/bot/v2/hook/"),
        _ => return None,
    };
    Some((label, Text("channel-contains").with("part", part).get()))
}

/// Renders the fields for the address and login of an MQTT broker, and for delivery options.
fn mqtt_fields(input: &ChannelInput, form_error: &FormError) -> Markup {
    let (broker, broker_hint) = (Text("channel-broker").get(), Text("channel-broker-hint").get());
    let broker = FormField { required: true, ..text("address", &broker, &broker_hint, &input.address) };
    let (topic, topic_hint) =
        (Text("channel-topic").get(), Text("channel-such-as").with("example", "home/carrel").get());
    let topic = FormField { required: true, ..text("chat", &topic, &topic_hint, &input.chat) };
    let (user, user_hint) = (Text("channel-user").get(), Text("channel-user-hint").get());
    let user = text("user", &user, &user_hint, &input.user);
    let password = Text("field-password").get();
    let password = FormField { kind: "password", ..text(SERVICE_TOKEN, &password, "", "") };
    let retain = html! { span.soft { (Text("channel-retain-words")) } };
    html! {
        (broker.show(form_error))
        (topic.show(form_error))
        (user.show(form_error))
        (password.show(form_error))
        div {
            label for="qos" { (Text("channel-quality")) }
            select #qos name="qos" {
                option value="1" selected[!input.qos_0] { (Text("channel-quality-1")) }
                option value="0" selected[input.qos_0] { (Text("channel-quality-0")) }
            }
        }
        label.choice { input type="checkbox" name="retain" value="1" checked[input.retain]; span { (Text("channel-retain").markup(&[("words", retain)])) } }
    }
}

/// Displays the secret of a webhook, which cannot be displayed again.
pub(super) fn secret_page(request: &PageRequest, channel: &Channel, secret: &str) -> poem::Response {
    let token = FormToken::of(request);
    let content = html! {
        (settings_tabs("/settings/channels", &token))
        h1 { (Text("channel-secret-of").with("name", channel.name.as_str())) }
        p.notice.good role="status" { (Text("channel-secret-copy")) }
        p.secret tabindex="0" role="textbox" aria-readonly="true" aria-label=(Text("channel-secret")) { (secret) }
        p { (Text("channel-secret-words").markup(&[("first", html! { code { "webhook-id" } }), ("second", html! { code { "webhook-timestamp" } }), ("third", html! { code { "webhook-signature" } })])) }
        p { a.button href=(format!("/settings/channels/{}", channel.id)) { (Text("channel-continue")) } }
    };
    let title = settings_title(&[Text("channel-secret"), Text("settings-channels")]);
    request.respond(StatusCode::OK, &title, &content)
}
