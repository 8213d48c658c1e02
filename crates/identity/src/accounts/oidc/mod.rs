//! Single sign-on: sign-in at the OpenID provider that the operator configured (OpenID Connect Core 1.0, code flow
//! with PKCE; RFC 9700, 9207).
//!
//! A person of the provider is identified by issuer and subject, never by the e-mail address: an existing account is
//! connected only by its owner, who must enter the password. A second factor of the account still applies.

mod callback;
mod connection;
mod flow;
mod id_token;
pub(super) mod identities;
mod metadata;
mod provider;
mod refusal;
mod settings;

pub use callback::{CompletedOidc, OidcCallback, OidcStep, complete_oidc};
pub use connection::{OidcConnection, connect_oidc, disconnect_oidc, oidc_connection};
pub use flow::{MAX_RETURN_PATH_BYTES, StartedOidc, start_oidc};
pub use provider::{OidcProvider, OidcProviderError};
pub use refusal::require_passwords;
pub use settings::{OidcIssuer, OidcSettings, PasswordSignIn};
