//! All checks, grouped by subject.

mod feeds;
mod jobs;
mod library;
mod monitors;
mod reading;
mod schema;

use super::check::Check;

/// Returns all checks in execution order.
pub fn all() -> impl Iterator<Item = &'static Check> {
    [schema::CHECKS, jobs::CHECKS, reading::CHECKS, monitors::CHECKS, feeds::CHECKS, library::CHECKS]
        .into_iter()
        .flatten()
}
