//! OAuth 2: apps that act on behalf of people (OAuth 2.1 draft, RFC 6749, 7009, 7591, 7636, 8252, 8707,
//! 9700).
//!
//! Registration (`register`) stores nothing: the app gets a client id that contains its registration. A
//! person's approval (`approve`) creates a grant and a code, which the app exchanges for tokens (`exchange`).
//! A grant is one approval with one family of tokens and ends as a whole. Codes and tokens are stored only as
//! hashes.

mod approve;
mod assertion;
mod attempts;
mod audience;
mod authorize;
mod client;
mod client_document;
mod consent;
mod document_rules;
mod exchange;
mod fault;
mod grants;
mod issue;
mod notices;
mod once;
mod pkce;
mod proof;
mod redirect;
mod refresh;
mod registration;
mod revoke;
mod scopes;
mod signatures;
#[cfg(test)]
mod tests;
mod token;

pub use approve::{Approval, Approved, approve};
pub use attempts::{charge_registration, note_failure};
pub use audience::{Audience, Resource};
pub use authorize::{
    AuthorizeError, AuthorizeFault, AuthorizeRequest, Back, Checked, check, check_before_sign_in,
};
pub use client::{Client, ClientAuth, Clients, Presented};
pub use client_document::{Found, PendingClient, fetch_client, remove_unused_clients, request_client};
pub use consent::{Page, last_allowed, open_page, page_token, refuse};
pub use entities::oauth_grant::GrantEnd;
pub use exchange::{CodeExchange, exchange};
pub use fault::{OAuthCode, OAuthError};
pub use grants::end_all;
pub use grants::{Grant, end, end_client, end_every, list, remove_old};
pub use issue::Tokens;
pub use notices::{Notice, write_notice};
pub use proof::{PendingProof, prove_client};
pub use redirect::{Destination, LOOPBACK_HOSTS, check_redirect};
pub use refresh::{Refresh, refresh};
pub use registration::{NewClient, Registered};
pub use revoke::revoke;
pub use scopes::{Asked, named as named_scopes};
pub use signatures::Algorithm;
pub use token::authenticate;
