//! Pictures of the pages that people read. A page of ours loads nothing from elsewhere: each picture has an address of
//! ours, signed for whoever was shown the page (`link`). A worker fetches it behind the guard, and what it is is told by
//! its bytes alone (`fetched`). It is kept in the store of files for everybody who is shown the same address, until others
//! need the room (`room`). A failure is kept for a while, too, so that a broken picture asks its server seldom.

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

/// How long a picture is shown before its server is asked for it again.
const KEPT: Millis = 7 * DAY;
/// The folder of the store that pictures lie in.
const FOLDER: &str = "picture";

#[cfg(test)]
mod tests;
