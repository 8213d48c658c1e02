//! A call, once it is known who calls.

use std::sync::Arc;

use identity::caller::Caller;

use crate::parameters::Parameters;
use http_kit::app::App;

/// A call of a signed-in app.
pub(super) struct Call<'a> {
    pub(super) app: &'a Arc<App>,
    pub(super) caller: Caller,
    /// Of the address and of the body.
    pub(super) parameters: Parameters,
}
