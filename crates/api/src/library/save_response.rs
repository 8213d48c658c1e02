//! Response of every operation that saves an item.

use poem_openapi::ApiResponse;
use poem_openapi::payload::Json;

use super::schema::LibraryItemSaved;

#[derive(ApiResponse)]
pub(crate) enum ItemSaved {
    /// The item already existed.
    #[oai(status = 200)]
    Existing(
        Json<LibraryItemSaved>,
        /// Validator of the item; changes whenever the item changes.
        #[oai(header = "ETag")]
        String,
    ),
    /// The new item.
    #[oai(status = 201)]
    Created(
        Json<LibraryItemSaved>,
        /// Validator of the item; changes whenever the item changes.
        #[oai(header = "ETag")]
        String,
    ),
}
