//! Outgoing mail: one row per event, and a job that sends it.
//!
//! `enqueue` writes a mail in the transaction of the event that causes it. The job composes the text when it sends
//! the mail, so that no secret is ever stored, and records the delivery in the transaction that completes the job.
//! A mail that is recorded as sent is not sent again.

pub mod mailer;
mod outbox;
mod text;

pub use entities::mail::MailKind;
pub use mailer::{Letter, Mailer, Relay, SendError, Sender};
pub use outbox::enqueue;
pub use outbox::{NewMail, remove_old};
pub(crate) use text::MAILS;
