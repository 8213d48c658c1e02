//! Operations on notification channels: their list, and the templates of their messages. Channels are created by
//! their owner in the browser.

use std::sync::Arc;

use kernel::ChannelId;
use notices::{
    ChannelKind, ChannelStatus, MAX_TEMPLATE_CHARS, MAX_TITLE_TEMPLATE_CHARS, MessageEdit, MessagePreview,
    TemplateEdit,
};
use poem::web::Data;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::types::Example;
use poem_openapi::{Object, OpenApi};

use super::answers::Errors;
use super::authorize::{Authorized, Read, Write};
use super::body::Body;
use super::error::ApiError;
use super::path_id::path_id;
use super::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::enum_param::EnumParam;
use http_kit::http::params::{Flag, Text};
use http_kit::http::request::request;
use http_kit::http::value::Nullable;

pub(super) struct ChannelsApi;

request! {
    /// Templates of the messages to a channel, in Jinja syntax. Fields are `title`, `text`, `link`, `monitor`, `url`,
    /// `before`, `after`, `change`, `value`, `time`, `kind`, `messages`, `more` and `snooze`, in double braces.
    /// Values are escaped for the service of the channel. A template with an unknown field is refused.
    pub(super) struct ChannelTemplates in camelCase {
        /// Template of the title, which is also the subject of e-mails, of messages about monitors; null for the
        /// default title.
        title_template: Option<Nullable<Text<0, MAX_TITLE_TEMPLATE_CHARS>>> = "{{ monitor }}: {{ value }}",
        /// Template of the text; null for the default text.
        template: Option<Nullable<Text<0, MAX_TEMPLATE_CHARS>>> = "{{ before }} became {{ after }}: {{ link }}",
    }
}

request! {
    /// Changes to the messages of a channel; omitted fields stay unchanged. Templates are in Jinja syntax, with the
    /// fields of `POST /v1/channels/{id}/preview`.
    pub(super) struct ChannelUpdate in camelCase {
        /// Template of the title, which is also the subject of e-mails, of messages about monitors; null for the
        /// default title.
        title_template: Option<Nullable<Text<0, MAX_TITLE_TEMPLATE_CHARS>>> = "{{ monitor }}: {{ value }}",
        /// Template of the text; null for the default text.
        template: Option<Nullable<Text<0, MAX_TEMPLATE_CHARS>>> = "{{ before }} became {{ after }}: {{ link }}",
        /// True to include the texts of entries in `feed.entries` messages to a webhook: at most 20 KiB per entry and
        /// 200 KiB per message. Other channels and digests never contain them.
        entry_texts: Option<Flag> = false,
        /// True to send a `library.item_saved` message for each saved item, except for imported items. After 300
        /// messages a day (UTC), further items are listed in one message on the next day.
        saved_items: Option<Flag> = false,
    }
}

impl From<ChannelUpdate> for MessageEdit {
    fn from(update: ChannelUpdate) -> Self {
        let ChannelUpdate { title_template, template, entry_texts, saved_items } = update;
        Self {
            templates: ChannelTemplates { title_template, template }.into(),
            entry_texts: entry_texts.map(|flag| flag.0),
            saved_items: saved_items.map(|flag| flag.0),
        }
    }
}

impl From<ChannelTemplates> for TemplateEdit {
    fn from(templates: ChannelTemplates) -> Self {
        Self {
            title: templates.title_template.map(|title| title.0.map(|text| text.0).unwrap_or_default()),
            text: templates.template.map(|text| text.0.map(|text| text.0).unwrap_or_default()),
        }
    }
}

/// Channel that receives notices for the account's owner.
#[derive(Debug, Object)]
#[oai(rename = "Channel", rename_all = "camelCase")]
pub(super) struct ChannelResponse {
    /// Id of the channel (UUID).
    pub id: String,
    /// Delivery method of the channel.
    pub kind: EnumParam<ChannelKind>,
    /// Display name of the channel.
    pub name: String,
    /// Delivery state: only an `active` channel receives notices.
    pub status: EnumParam<ChannelStatus>,
    /// Template of the title of messages about monitors; null for the default title.
    pub title_template: Option<String>,
    /// Template of the text of messages; null for the default text.
    pub template: Option<String>,
    /// True if webhook messages about new entries include the texts of the entries.
    pub entry_texts: bool,
    /// True if a message is sent for each item that is saved to the library.
    pub saved_items: bool,
}

impl From<notices::Channel> for ChannelResponse {
    fn from(channel: notices::Channel) -> Self {
        Self {
            id: channel.id.to_string(),
            kind: EnumParam(channel.kind),
            name: channel.name,
            status: EnumParam(channel.status),
            title_template: channel.title_template,
            template: channel.template,
            entry_texts: channel.entry_texts,
            saved_items: channel.saved_items,
        }
    }
}

/// Response with one channel.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct ChannelOne {
    /// The channel.
    pub channel: ChannelResponse,
}

/// Message rendered from templates.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct ChannelMessagePreview {
    /// Title of the message.
    pub title: String,
    /// Text of the message; null for the default text.
    pub text: Option<String>,
}

impl From<MessagePreview> for ChannelMessagePreview {
    fn from(preview: MessagePreview) -> Self {
        Self { title: preview.title, text: preview.text }
    }
}

fn channel_id() -> String {
    "019c2b6f-0000-7000-8000-000000000001".to_owned()
}

fn id_of(text: &str) -> Result<ChannelId, ApiError> {
    path_id(text, "channel")
}

/// Channels of an account.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct ChannelList {
    /// Channels, oldest first.
    pub channels: Vec<ChannelResponse>,
}

#[OpenApi(tag = "ApiTag::Monitors")]
impl ChannelsApi {
    /// List notification channels
    ///
    /// Returns the channels that a monitor's `notify` accepts. Their owner creates them in a browser.
    #[oai(path = "/v1/channels", method = "get", operation_id = "listChannels")]
    async fn list(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
    ) -> Result<Json<ChannelList>, ApiError> {
        let channels = notices::list(&app.domain, caller.0.account_id).await?;
        Ok(Json(ChannelList { channels: channels.into_iter().map(ChannelResponse::from).collect() }))
    }

    /// Update the messages of a channel
    ///
    /// Changes the templates of a channel's messages and selects the messages that it receives. A webhook receives
    /// fields and has no templates. If a template fails for a message, the default text is sent with the reason.
    #[oai(path = "/v1/channels/:id", method = "patch", operation_id = "updateChannel")]
    async fn update(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the channel.
        #[oai(example = "channel_id")]
        id: Path<String>,
        body: Body<ChannelUpdate>,
    ) -> Result<Json<ChannelOne>, Errors<404, 422>> {
        let (id, edit) = (id_of(&id.0)?, MessageEdit::from(body.0));
        let channel = notices::edit_messages(&app.domain, caller.0.account_id, id, edit).await?;
        Ok(Json(ChannelOne { channel: channel.into() }))
    }

    /// Preview a message of a channel
    ///
    /// Renders templates for the newest change that was sent to the channel, or for an example. An omitted template
    /// defaults to that of the channel. Nothing is stored or sent.
    #[oai(path = "/v1/channels/:id/preview", method = "post", operation_id = "previewChannel")]
    async fn preview(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// Id of the channel.
        #[oai(example = "channel_id")]
        id: Path<String>,
        body: Body<ChannelTemplates>,
    ) -> Result<Json<ChannelMessagePreview>, Errors<404, 422>> {
        let (id, edit) = (id_of(&id.0)?, TemplateEdit::from(body.0));
        let preview = notices::preview_templates(&app.domain, caller.0.account_id, id, edit).await?;
        Ok(Json(preview.into()))
    }
}

impl Example for ChannelResponse {
    fn example() -> Self {
        Self {
            id: channel_id(),
            kind: EnumParam(ChannelKind::Mail),
            name: "Me".into(),
            status: EnumParam(ChannelStatus::Active),
            title_template: Some("{{ monitor }}: {{ value }}".into()),
            template: None,
            entry_texts: false,
            saved_items: true,
        }
    }
}

impl Example for ChannelList {
    fn example() -> Self {
        Self { channels: vec![ChannelResponse::example()] }
    }
}

impl Example for ChannelOne {
    fn example() -> Self {
        Self { channel: ChannelResponse::example() }
    }
}

impl Example for ChannelMessagePreview {
    fn example() -> Self {
        Self {
            title: "Lamp: 90 €".into(),
            text: Some("120 € became 90 €: https://example.org/changes/1".into()),
        }
    }
}
