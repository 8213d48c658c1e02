//! Ids of feeds and entries in a request.

use http_kit::http::params::NumericId;
use http_kit::http::value::List;

/// Converts ids of a request to typed ids.
pub(super) fn typed_ids<T: From<i64>, const MIN: usize, const MAX: usize>(
    ids: List<NumericId, MIN, MAX>,
) -> Vec<T> {
    ids.0.into_iter().map(|id| T::from(id.0)).collect()
}
