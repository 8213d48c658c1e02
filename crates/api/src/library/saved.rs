//! What every operation that saves answers.

use poem_openapi::ApiResponse;
use poem_openapi::payload::Json;

use super::schema::LibraryItemSaved;

/// An item was saved.
#[derive(ApiResponse)]
pub(crate) enum ItemSaved {
    /// It was there already.
    #[oai(status = 200)]
    Existing(
        Json<LibraryItemSaved>,
        /// Changes with the item.
        #[oai(header = "ETag")]
        String,
    ),
    /// It is new.
    #[oai(status = 201)]
    Created(
        Json<LibraryItemSaved>,
        /// Changes with the item.
        #[oai(header = "ETag")]
        String,
    ),
}
