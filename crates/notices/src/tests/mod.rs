//! Tests of notices on both databases: which users are notified of which events, and by which channel, when
//! and how often.

mod account_mails;
mod addresses;
mod combined;
mod fixture;
mod local_days;
mod mails;
mod mqtt;
mod receiver;
mod snooze;
mod switched_off;
mod templates;
mod today_mails;
mod webhooks;
