//! A call, once it is known who calls.

use std::sync::Arc;

use identity::caller::Caller;
use kernel::{Code, Error};

use crate::parameters::Parameters;
use http_kit::app::App;

/// Where the catalogue lies.
pub(super) const ROOT: &str = "/opds";

/// A call of a reader that is known.
pub(super) struct Call<'a> {
    pub(super) app: &'a Arc<App>,
    pub(super) caller: Caller,
    /// Of the address and of the body.
    pub(super) parameters: Parameters,
}

/// The error of a place that the catalogue does not have.
pub(super) fn nothing() -> Error {
    Error::new(Code::NotFound, "There is nothing at this place of the catalogue.")
}
