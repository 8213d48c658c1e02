//! Consent to an app's authorization request (RFC 6749, section 4.1.1): the page, the decision, and error
//! pages for invalid requests. No request is sent to another host before the person has signed in.

mod consent;
mod decision;
mod fault;
mod incoming;
mod page;

pub(super) use consent::show;
pub(super) use decision::answer;
pub(super) use incoming::{PATH, allow_redirect, allow_redirect_to_app};
