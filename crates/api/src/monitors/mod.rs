//! Operations of the OpenAPI tag `Monitors`: monitors with their runs and changes, groups, bulk changes, previews,
//! lists of monitors to import and export, and search.

mod bulk;
mod changes;
mod examples;
mod groups;
mod lists;
mod operations;
mod previews;
mod request;
mod runs;
mod schedule;
mod schema;
mod search;

pub(super) use bulk::MonitorBulkApi;
pub(super) use groups::GroupsApi;
pub use groups::WebMonitorGroupUpdate;
pub(super) use lists::MonitorListsApi;
pub(super) use operations::MonitorsApi;
pub(super) use previews::PreviewsApi;
pub(crate) use request::Channels;
pub use request::{MonitorPreviewRequest, WebMonitorRequest, WebMonitorUpdate, channels};
pub(super) use search::SearchApi;

/// Operations of the OpenAPI tag `Monitors`, one type per subject.
pub(super) type MonitorOperations =
    (MonitorsApi, GroupsApi, MonitorBulkApi, PreviewsApi, MonitorListsApi, SearchApi);

pub(super) fn operations() -> MonitorOperations {
    (MonitorsApi, GroupsApi, MonitorBulkApi, PreviewsApi, MonitorListsApi, SearchApi)
}
