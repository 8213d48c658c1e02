//! Job kinds of this crate, one file each.

mod address_check;
mod oauth_client;

use fetch::Fetcher;
use jobs::RegisteredKind;

pub use address_check::AddressCheck;
pub use oauth_client::OAuthClient;

/// All job kinds of this crate.
pub const KINDS: &[RegisteredKind<Fetcher>] =
    &[RegisteredKind::of::<AddressCheck>(), RegisteredKind::of::<OAuthClient>()];
