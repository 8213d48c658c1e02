//! Carrel's front end: surfaces over one domain, and the processes that carry them.

pub mod api;
pub mod app;
pub mod apps;
pub mod auth;
pub mod cli;
pub mod config;
pub mod health;
pub mod http;
pub mod listener;
pub mod mcp;
pub mod oauth;
pub mod ops;
pub mod pictures;
pub mod problem;
pub mod process;
pub mod public_feeds;
pub mod reader;
pub mod router;
pub mod surface;
pub mod telemetry;
mod text_head;
pub mod web;
pub mod websub;
