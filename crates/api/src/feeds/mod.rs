//! Feed operations for programs and agents: query, event log, consumers with acknowledged positions, and bulk
//! changes.

mod changes;
mod consumers;
mod examples;
mod filter;
mod mutate;
mod objects;
mod query;
mod selected;

pub(super) use changes::ChangesApi;
pub(super) use consumers::ConsumersApi;
pub(super) use mutate::MutateApi;
pub(super) use objects::{SELECTABLE, SKIPPED};
pub(super) use query::QueryApi;

/// Operations of the group, one type per subject.
pub(super) type FeedsApi = (QueryApi, ChangesApi, MutateApi, ConsumersApi);

pub(super) fn operations() -> FeedsApi {
    (QueryApi, ChangesApi, MutateApi, ConsumersApi)
}
