//! The account pages: sign-up, sign-in, sign-out, keys, connected apps and the consent page, plan and usage,
//! password, deletion, monitors.
//!
//! Everything works without scripts. Each form carries a token bound to the browser's cookie, and is rejected
//! if the browser reports that it comes from another site.

mod apps;
mod authorize;
mod browsers;
mod channels;
pub(crate) mod cookies;
pub(crate) mod form;
mod keys;
mod monitors;
pub(crate) mod parts;
mod password_reset;
mod plan;
mod recent_access;
pub(crate) mod request;
pub(crate) mod response;
mod return_link;
mod routes;
mod sessions;
mod settings;
mod sign_in;

pub use routes::pages;

use form::Form;
use request::{PageRequest, PageResult, User};
use response::redirect;
