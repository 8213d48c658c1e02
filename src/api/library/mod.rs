//! The library operations: what a person keeps, how it is found again, and its texts.

mod bulk;
mod content;
mod examples;
mod items;
mod kinds;
mod objects;
mod request;
mod schema;
mod show;
mod texts;
mod texts_schema;

pub(super) use bulk::BulkApi;
pub(super) use items::ItemsApi;
pub(super) use objects::ObjectsApi;
pub(super) use schema::SKIPPED;
pub(super) use texts::TextsApi;

/// The group's operations, one type a subject.
pub(super) type LibraryApi = (ItemsApi, BulkApi, TextsApi, ObjectsApi);

/// The operations, ready to be mounted.
pub(super) fn operations() -> LibraryApi {
    (ItemsApi, BulkApi, TextsApi, ObjectsApi)
}
