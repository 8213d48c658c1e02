//! An app asks a person for access (RFC 6749, 4.1.1): the page that asks, its answer, and what is told of requests that
//! are not put before anybody. Nothing leaves this host before the person has signed in.

mod answered;
mod fault;
mod incoming;
mod page;
mod shown;

pub(super) use answered::answer;
pub(super) use incoming::{PATH, on_the_way};
pub(super) use shown::show;
