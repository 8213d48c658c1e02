//! Pictures on the pages that people read. Carrel's pages load nothing from other servers: each picture gets
//! an address on Carrel's own server that is signed for the viewer of the page (`link`). A worker fetches the
//! picture through the guard and identifies its type only from its bytes (`download`). The picture is stored
//! for all viewers until it is evicted (`eviction`). Narrow screens get smaller versions (`smaller`), which a
//! worker creates (`reduction`). Failures are also cached for some time, so that a broken picture causes few
//! requests to its server.

mod choice;
mod download;
mod eviction;
mod failure;
mod link;
mod reduction;
mod request;
mod smaller;
mod width;

use kernel::Millis;
use kernel::clock::DAY;

pub use self::choice::{ChosenPicture, choose, read_small, site_icon_url};
pub use self::download::{fetch_picture, give_up};
pub use self::eviction::{delete_lost, keep_within_budget};
pub use self::failure::PictureFailure;
pub use self::link::{PATH, PictureKey, Viewer};
pub use self::request::{CachedPicture, PendingPicture, PictureResult, Requester, read, request, sizes};
pub use self::smaller::{PendingSmaller, request_smaller};
pub use self::width::PictureWidth;

/// Time, in milliseconds, after which a displayed picture is fetched again.
const FRESH_FOR: Millis = 7 * DAY;
/// Folder for pictures in the blob store.
const FOLDER: &str = "picture";

#[cfg(test)]
mod tests;
