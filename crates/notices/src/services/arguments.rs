//! Arguments of the functions of a service.

use fetch::FetcherSettings;

use crate::destination::Destination;
use crate::message::Message;

/// Trimmed input of the owner of a channel.
pub(super) struct Entered<'a> {
    pub(super) address: &'a str,
    pub(super) token: &'a str,
    pub(super) recipient: &'a str,
    pub(super) settings: &'a FetcherSettings,
}

/// Message for a service.
pub(super) struct Rendered<'a> {
    pub(super) message: &'a Message,
    /// Title, text and link, escaped and shortened.
    pub(super) text: String,
    pub(super) destination: &'a Destination,
}
