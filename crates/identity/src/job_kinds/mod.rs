//! The job kinds of this capability, one file each.

mod address_check;
mod oauth_client;

pub use address_check::AddressCheck;
pub use oauth_client::OAuthClient;
