//! A request of an authenticated app.

use std::sync::Arc;

use identity::caller::Caller;
use kernel::{Error, ItemId};

use crate::fault::unknown_path;
use crate::parameters::Parameters;
use http_kit::app::App;

/// Path prefix of the operations.
pub(super) const API: &str = "/readeck/api/";

pub(super) struct ReadeckCall<'a> {
    pub(super) app: &'a Arc<App>,
    pub(super) caller: Caller,
    /// Parameters of the body and the query.
    pub(super) parameters: Parameters,
    /// `If-None-Match` header of the request.
    pub(super) if_none_match: Option<String>,
}

/// Parses the item id in a path.
pub(super) fn item_id(text: &str) -> Result<ItemId, Error> {
    text.parse().map_err(|_| unknown_path())
}
