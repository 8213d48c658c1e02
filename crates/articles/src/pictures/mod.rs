//! Pictures of the pages that people read. Our pages load nothing from other servers: each picture has an
//! address of ours, signed for the viewer of the page (`link`). A worker fetches the picture behind the guard
//! and identifies it by its bytes alone (`download`). It is stored for every viewer of the same address until
//! it is evicted (`eviction`). A failure is cached for a while, too, so that a broken picture causes few
//! requests to its server.

mod failure;
mod fetched;
mod link;
mod obtain;
mod room;

use kernel::clock::{DAY, Millis};

pub use self::failure::Failure;
pub use self::fetched::{fetch_picture, give_up};
pub use self::link::{PictureKey, Viewer};
pub use self::obtain::{Asker, Found, PendingPicture, Picture, read, request, sizes};
pub use self::room::{delete_lost, keep_within_budget};

/// How long a picture is shown before it is fetched again.
const KEPT: Millis = 7 * DAY;
/// Folder of the blob store for pictures.
const FOLDER: &str = "picture";

#[cfg(test)]
mod tests;
