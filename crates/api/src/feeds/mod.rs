//! The feed operations for programs and agents: what happens in everything that an account follows, and positions in it
//! that are acknowledged; and many changes at once.

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
pub(super) use objects::{CHOSEN, SKIPPED};
pub(super) use query::QueryApi;

/// The group's operations, one type a subject.
pub(super) type FeedsApi = (QueryApi, ChangesApi, MutateApi, ConsumersApi);

/// The operations, ready to be mounted.
pub(super) fn operations() -> FeedsApi {
    (QueryApi, ChangesApi, MutateApi, ConsumersApi)
}
