//! A request of an authenticated e-reader.

use std::sync::Arc;

use identity::caller::Caller;
use kernel::{Code, Error};

use super::catalogue::CatalogueFormat;
use crate::parameters::Parameters;
use http_kit::app::App;

pub(super) struct Call<'a> {
    pub(super) app: &'a Arc<App>,
    pub(super) caller: Caller,
    /// Format of the answer.
    pub(super) format: CatalogueFormat,
    /// Parameters of the query.
    pub(super) parameters: Parameters,
    /// `If-None-Match` of the request.
    pub(super) if_none_match: Option<String>,
}

/// Error for a path that the catalogue does not have.
pub(super) fn unknown_path() -> Error {
    Error::new(Code::NotFound, "The catalogue has nothing at this address.")
}
