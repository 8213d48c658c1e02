//! Consent to an app's request for access (RFC 6749, section 4.1.1): the page, the decision, and error pages
//! for requests that are not put to a person. Nothing is sent to another host before the person has signed
//! in.

mod answered;
mod fault;
mod incoming;
mod page;
mod shown;

pub(super) use answered::answer;
pub(super) use incoming::{PATH, on_the_way};
pub(super) use shown::show;
