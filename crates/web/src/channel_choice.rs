//! Checkboxes that select the channels that a monitor, a group, a feed, a collection, or a rule notifies.

use kernel::{ChannelId, Error};
use maud::{Markup, html};
use notices::{Channel, ChannelStatus, OffReason};

use crate::language::text::Text;

/// Renders a checkbox for each channel. The channels in `notify` are selected.
pub(crate) fn channel_choices(channels: &[Channel], notify: &[String]) -> Markup {
    html! {
        @if channels.is_empty() {
            p.soft { (Text("monitor-no-channels").linked(&["/settings/channels"])) }
        }
        @for channel in channels {
            @let id = channel.id.to_string();
            label.choice { input type="checkbox" name="notify" value=(id) checked[notify.contains(&id)]; span { (channel.name) " " span.soft { (channel.masked_address) @if channel.status != ChannelStatus::Active { ", " (channel_status(channel)) } } } }
        }
    }
}

/// Parses the ids of the selected channels.
///
/// # Errors
/// `not_found` if an id is invalid.
pub(crate) fn channel_ids(notify: &[String]) -> Result<Vec<ChannelId>, Error> {
    notify.iter().map(|text| text.parse().map_err(|_| notices::unknown_channel())).collect()
}

/// Describes the status of a channel.
pub(crate) fn channel_status(channel: &Channel) -> Text {
    match (channel.status, channel.off_reason) {
        (ChannelStatus::Active, _) => Text("channel-active"),
        (ChannelStatus::Unconfirmed, Some(_)) => Text("channel-no-address"),
        (ChannelStatus::Unconfirmed, None) => Text("channel-unconfirmed"),
        (ChannelStatus::Off, Some(OffReason::Gone)) => Text("channel-gone"),
        (ChannelStatus::Off, Some(OffReason::Failing)) => Text("channel-off-failing"),
        (ChannelStatus::Off, Some(OffReason::Plan)) => Text("channel-off-plan"),
        (ChannelStatus::Off, Some(OffReason::Person | OffReason::Refused) | None) => Text("channel-off"),
    }
}
