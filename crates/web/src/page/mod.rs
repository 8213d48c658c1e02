//! Foundation of the account, desk, and administration pages: the request with its session, the response,
//! forms, cookies, and parts of a page.
//!
//! Everything works without scripts. Each form contains a token that is bound to the browser's cookie. A form
//! is rejected if the browser reports that it was submitted from another site.

mod browsers;
pub(crate) mod cookies;
pub(crate) mod displayed;
pub(crate) mod error_text;
mod fault_text;
pub(crate) mod form;
pub(crate) mod form_id;
pub(crate) mod parts;
pub(crate) mod request;
pub(crate) mod response;
pub(crate) mod return_link;
pub(crate) mod upload;
