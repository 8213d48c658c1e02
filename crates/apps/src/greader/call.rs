//! A request of an authenticated app.

use std::sync::Arc;

use identity::caller::Caller;

use crate::parameters::Parameters;
use http_kit::app::App;

pub(super) struct GReaderCall<'a> {
    pub(super) app: &'a Arc<App>,
    pub(super) caller: Caller,
    /// Parameters of the body and the query.
    pub(super) parameters: Parameters,
}
