//! A request of a device.

use std::sync::Arc;

use identity::caller::Caller;
use kernel::{Code, Error, ItemId};

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

/// Error for a path that the API does not have.
pub(super) fn unknown_path() -> Error {
    Error::new(Code::NotFound, "There is nothing at this address.")
}
