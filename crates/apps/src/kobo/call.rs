//! A request of an authenticated device.

use std::sync::Arc;

use identity::caller::Caller;
use kernel::{Error, ItemId};

use crate::fault::unknown_path;
use http_kit::app::App;

/// Path prefix of the API. The token of the account follows.
pub(super) const ROOT: &str = "/kobo/";

pub(super) struct KoboCall<'a> {
    pub(super) app: &'a Arc<App>,
    pub(super) caller: Caller,
    /// URL of the API, including the token of the account.
    pub(super) address: String,
}

/// Parses the item id in a path or body.
pub(super) fn item_id(text: &str) -> Result<ItemId, Error> {
    text.parse().map_err(|_| unknown_path())
}
