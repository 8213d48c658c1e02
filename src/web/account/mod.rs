//! The account pages: signing up, in and out, keys, plan and usage, password, deletion, monitors.
//!
//! Everything works without scripts. Each form carries a token bound to the browser's cookie, and is
//! refused when the browser says that it comes from elsewhere.

mod cookies;
mod forgotten;
mod form;
mod keys;
mod monitors;
mod parts;
mod plan;
mod request;
mod respond;
mod routes;
mod settings;
mod sign;

pub use routes::pages;

use form::Form;
use request::{Answer, PageRequest, User};
use respond::redirect;
