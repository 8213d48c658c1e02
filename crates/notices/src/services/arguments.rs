//! Arguments of the functions in the table of services.

use fetch::FetcherSettings;

use crate::destination::{Destination, NewMqtt};
use crate::message::Message;

/// Trimmed input of the owner of a channel.
pub(super) struct Entered<'a> {
    pub(super) address: &'a str,
    pub(super) token: &'a str,
    pub(super) recipient: &'a str,
    pub(super) mqtt: NewMqtt<'a>,
    pub(super) settings: &'a FetcherSettings,
}

/// Rendered message for a service.
pub(super) struct RenderedMessage<'a> {
    pub(super) message: &'a Message,
    /// Title, text and link, escaped and shortened.
    pub(super) text: String,
    /// True if a template rendered the text.
    pub(super) is_templated: bool,
    pub(super) destination: &'a Destination,
}
