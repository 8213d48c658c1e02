//! Monitor operations: monitors with their runs and changes, and previews.

mod changes;
mod examples;
mod lists;
mod operations;
mod previews;
mod request;
mod runs;
mod schema;

pub(super) use lists::ListsApi;
pub(super) use operations::MonitorsApi;
pub(super) use previews::PreviewsApi;
pub use request::{MonitorPreviewRequest, WebMonitorRequest, WebMonitorUpdate, channels};

/// Operations of the group, one type per subject.
pub(super) type MonitorsGroup = (MonitorsApi, PreviewsApi, ListsApi);

pub(super) fn operations() -> MonitorsGroup {
    (MonitorsApi, PreviewsApi, ListsApi)
}
