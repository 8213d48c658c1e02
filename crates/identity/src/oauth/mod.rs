//! OAuth 2: apps that act on behalf of people (OAuth 2.1 draft, RFC 6749, 7009, 7591, 7636, 8252, 8707,
//! 9700).
//!
//! Registration (`register`) stores nothing: the app gets a client id that contains its registration. A person's
//! approval (`approve`) creates a grant and a code, which the app exchanges for tokens (`exchange`). A grant is one
//! approval with its family of tokens, which are revoked with it. Codes and tokens are stored only as hashes.

mod access_token;
mod approval;
mod assertion;
mod audience;
mod authorize;
mod client;
mod client_auth;
mod client_document;
mod consent;
mod document_rules;
mod exchange;
mod grants;
mod issue;
mod notices;
mod oauth_error;
mod pkce;
mod rate_limits;
mod redirect;
mod refresh;
mod registration;
mod revocation;
mod scopes;
#[cfg(test)]
mod tests;

pub use crate::signatures::Algorithm;
pub use access_token::authenticate;
pub use approval::{Approval, Approved, approve};
pub use audience::{Audience, Resource};
pub use authorize::{
    AuthorizeError, AuthorizeFault, AuthorizeRequest, RedirectTarget, ValidatedRequest, check_before_sign_in,
    validate,
};
pub use client::{Client, ClientAuth, ClientCredentials, Clients};
pub use client_auth::{PendingClientAuth, authenticate_client};
pub use client_document::{ClientLookup, PendingClient, fetch_client, remove_unused_clients, request_client};
pub use consent::{ConsentPage, last_allowed, open_page, page_token, refuse};
pub use entities::oauth_grant::GrantEnd;
pub use exchange::{CodeExchange, exchange};
pub use grants::{Grant, delete_expired, end, end_all_by_owner, end_client, list};
pub use issue::Tokens;
pub use notices::{GrantNotice, write_notice};
pub use oauth_error::{OAuthCode, OAuthError};
pub use rate_limits::{charge_failure, charge_registration};
pub use redirect::{LOOPBACK_HOSTS, RedirectKind, check_redirect};
pub use refresh::{RefreshRequest, refresh};
pub use registration::{NewClient, RegisteredClient};
pub use revocation::revoke;
pub use scopes::{RequestedScopes, parse_supported as named_scopes};
