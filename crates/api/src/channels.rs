//! Operation that lists notification channels. Channels are created by their owner in the browser.

use std::sync::Arc;

use notices::{ChannelKind, ChannelStatus};
use poem::web::Data;
use poem_openapi::payload::Json;
use poem_openapi::types::Example;
use poem_openapi::{Object, OpenApi};

use super::authorize::{Authorized, Read};
use super::error::ApiError;
use super::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::enum_param::EnumParam;

pub(super) struct ChannelsApi;

/// Channel that receives notices for the account's owner.
#[derive(Debug, Object)]
pub(super) struct Channel {
    /// Id of the channel (UUID).
    pub id: String,
    /// Delivery method of the channel.
    pub kind: EnumParam<ChannelKind>,
    /// Display name of the channel.
    pub name: String,
    /// Delivery state: only an `active` channel receives notices.
    pub status: EnumParam<ChannelStatus>,
}

/// Channels of an account.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct ChannelList {
    /// Channels, oldest first.
    pub channels: Vec<Channel>,
}

#[OpenApi(tag = "ApiTag::Monitors")]
impl ChannelsApi {
    /// List notification channels
    ///
    /// Returns the channels that `notify` of a monitor accepts. Their owner creates them in a browser.
    #[oai(path = "/v1/channels", method = "get", operation_id = "listChannels")]
    async fn list(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
    ) -> Result<Json<ChannelList>, ApiError> {
        let channels = notices::list(&app.domain, caller.0.account_id).await?;
        let items = channels.into_iter().map(|channel| Channel {
            id: channel.id.to_string(),
            kind: EnumParam(channel.kind),
            name: channel.name,
            status: EnumParam(channel.status),
        });
        Ok(Json(ChannelList { channels: items.collect() }))
    }
}

impl Example for ChannelList {
    fn example() -> Self {
        let mail = Channel {
            id: "019c2b6f-0000-7000-8000-000000000001".into(),
            kind: EnumParam(ChannelKind::Mail),
            name: "Me".into(),
            status: EnumParam(ChannelStatus::Active),
        };
        Self { channels: vec![mail] }
    }
}
