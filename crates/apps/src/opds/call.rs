//! A request of an authenticated e-reader.

use std::sync::Arc;

use identity::caller::Caller;
use kernel::{Code, Error};

use super::catalogue::CatalogueFormat;
use crate::parameters::Parameters;
use http_kit::app::App;

pub(super) struct OpdsCall<'a> {
    pub(super) app: &'a Arc<App>,
    pub(super) caller: Caller,
    /// Format of the response.
    pub(super) format: CatalogueFormat,
    /// Query parameters.
    pub(super) parameters: Parameters,
    /// `If-None-Match` header of the request.
    pub(super) if_none_match: Option<String>,
}

/// Returns the error for a path that does not exist in the catalogue.
pub(super) fn unknown_path() -> Error {
    Error::new(Code::NotFound, "The catalogue has nothing at this address.")
}
