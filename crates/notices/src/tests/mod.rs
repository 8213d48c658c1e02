//! Tests of notices: who is notified of what, by which channel, when and how often, on both databases.

mod addresses;
mod ends;
mod letters;
mod off;
mod receiver;
mod setting;
mod together;
mod webhooks;
