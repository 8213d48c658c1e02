//! Every operation of the Developer API. A later room adds its operations here and nowhere else.

use super::account::AccountApi;
use super::articles::ArticlesApi;
use super::files::ExportsApi;
use super::library::{self, LibraryApi};
use super::monitors::{self, MonitorApi};
use super::rss::{self, RssApi};

/// The operations, ready to be mounted or described.
pub(super) fn operations() -> (AccountApi, ArticlesApi, LibraryApi, ExportsApi, RssApi, MonitorApi) {
    (AccountApi, ArticlesApi, library::operations(), ExportsApi, rss::operations(), monitors::operations())
}
