//! The job kinds of this capability, one file each.

mod oauth_client;

pub use oauth_client::OAuthClient;
