//! All operations of the Developer API. New operations are registered here and nowhere else.

use super::account::AccountApi;
use super::articles::ArticlesApi;
use super::channels::ChannelsApi;
use super::feeds::{self, FeedsApi};
use super::files::{self, FilesGroup};
use super::inbox::InboxApi;
use super::library::{self, LibraryApi};
use super::monitors::{self, MonitorOperations};
use super::rss::{self, RssApi};
use super::teams::{self, TeamsGroup};

type ApiOperations = (
    AccountApi,
    TeamsGroup,
    ArticlesApi,
    LibraryApi,
    FilesGroup,
    InboxApi,
    RssApi,
    MonitorOperations,
    ChannelsApi,
    FeedsApi,
);

/// Returns all operation groups, for routing and for the OpenAPI description.
pub(super) fn operations() -> ApiOperations {
    (
        AccountApi,
        teams::operations(),
        ArticlesApi,
        library::operations(),
        files::operations(),
        InboxApi,
        rss::operations(),
        monitors::operations(),
        ChannelsApi,
        feeds::operations(),
    )
}
