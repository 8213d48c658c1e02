//! Tests of notices on both databases: the notified users, the events and channels, and the times and number
//! of messages.

mod account_mails;
mod addresses;
mod combined;
mod fixture;
mod local_days;
mod mails;
mod mqtt;
mod receiver;
mod saved_items;
mod snooze;
mod switched_off;
mod templates;
mod today_mails;
mod webhooks;
