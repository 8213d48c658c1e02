//! The monitor operations: what an account watches, the runs, the changes, and what would be watched.

mod changes;
mod examples;
mod operations;
mod previews;
mod request;
mod runs;
mod schema;

pub(super) use operations::MonitorsApi;
pub(super) use previews::PreviewsApi;
pub use request::{MonitorPreviewRequest, WebMonitorRequest, WebMonitorUpdate, channels};

/// The group's operations, one type a subject.
pub(super) type MonitorApi = (MonitorsApi, PreviewsApi);

/// The operations, ready to be mounted.
pub(super) fn operations() -> MonitorApi {
    (MonitorsApi, PreviewsApi)
}
