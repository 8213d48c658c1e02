//! Every operation of the Developer API. A later room adds its operations here and nowhere else.

use super::account::AccountApi;
use super::articles::ArticlesApi;
use super::feeds::{self, FeedsApi};
use super::files::{self, FilesGroup};
use super::library::{self, LibraryApi};
use super::monitors::{self, MonitorApi};
use super::rss::{self, RssApi};

/// The operations, ready to be mounted or described.
pub(super) fn operations() -> (AccountApi, ArticlesApi, LibraryApi, FilesGroup, RssApi, MonitorApi, FeedsApi)
{
    (
        AccountApi,
        ArticlesApi,
        library::operations(),
        files::operations(),
        rss::operations(),
        monitors::operations(),
        feeds::operations(),
    )
}
