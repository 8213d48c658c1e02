//! A request of a device.

use std::sync::Arc;

use identity::caller::Caller;
use kernel::{Error, ItemId};

use crate::fault::unknown_path;
use http_kit::app::App;

/// Path of the API, which the token of the account follows.
pub(super) const ROOT: &str = "/kobo/";

pub(super) struct Call<'a> {
    pub(super) app: &'a Arc<App>,
    pub(super) caller: Caller,
    /// Address of the API with the token of the account.
    pub(super) address: String,
}

/// Item that a path or a body names.
pub(super) fn item_id(text: &str) -> Result<ItemId, Error> {
    text.parse().map_err(|_| unknown_path())
}
