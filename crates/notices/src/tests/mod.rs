//! Tests of notices: who is notified of what, by which channel, when and how often, on both databases.

mod account_mails;
mod addresses;
mod combined;
mod mails;
mod mqtt;
mod receiver;
mod setting;
mod snooze;
mod switched_off;
mod templates;
mod webhooks;
