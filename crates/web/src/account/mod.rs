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
mod forgotten;
pub(crate) mod form;
mod keys;
mod lately;
mod monitors;
pub(crate) mod parts;
mod plan;
pub(crate) mod request;
pub(crate) mod respond;
mod routes;
mod sessions;
mod settings;
mod sign;
mod way_on;

pub use routes::pages;

use form::Form;
use request::{Answer, PageRequest, User};
use respond::redirect;
