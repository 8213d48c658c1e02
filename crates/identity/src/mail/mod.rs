//! Mail: what is to be sent, written down as a row of its own for each cause, and a job that sends it.
//!
//! Whoever has a reason writes the mail with `enqueue` in the transaction of its reason. The job composes the text
//! when it is sent, so that no secret is ever stored, and notes that it was sent in the transaction that ends it. A
//! mail whose sending was noted is not sent again.

pub mod mailer;
mod outbox;

pub use entities::mail::MailKind;
pub use mailer::{Letter, Mailer, Relay, SendError, Sender};
pub use outbox::enqueue;
pub use outbox::{NewMail, remove_old};
