//! Foundation of the pages of account, desk, and administration: the request with its session, the response,
//! forms, cookies, and parts of a page.
//!
//! Everything works without scripts. Each form carries a token bound to the browser's cookie, and is rejected
//! if the browser reports that it comes from another site.

mod browsers;
pub(crate) mod cookies;
pub(crate) mod form;
pub(crate) mod parts;
pub(crate) mod request;
pub(crate) mod response;
pub(crate) mod return_link;
pub(crate) mod upload;
