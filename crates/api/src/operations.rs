//! Every operation of the Developer API. A later room adds its operations here and nowhere else.

use super::account::AccountApi;
use super::articles::ArticlesApi;
use super::channels::ChannelsApi;
use super::feeds::{self, FeedsApi};
use super::files::{self, FilesGroup};
use super::library::{self, LibraryApi};
use super::monitors::{self, MonitorApi};
use super::rss::{self, RssApi};

/// All of them.
type Operations =
    (AccountApi, ArticlesApi, LibraryApi, FilesGroup, RssApi, MonitorApi, ChannelsApi, FeedsApi);

/// The operations, ready to be mounted or described.
pub(super) fn operations() -> Operations {
    (
        AccountApi,
        ArticlesApi,
        library::operations(),
        files::operations(),
        rss::operations(),
        monitors::operations(),
        ChannelsApi,
        feeds::operations(),
    )
}
