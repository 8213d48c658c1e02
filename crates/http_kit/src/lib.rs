//! The HTTP kit that all surfaces share: settings, the opened [`App`](app::App), callers, parameters and
//! bodies, problems, and conditional requests.

pub mod app;
pub mod auth;
pub mod config;
pub mod content_disposition;
pub mod event_streams;
pub mod http;
pub mod mcp_address;
pub mod page_language;
pub mod problem;
pub mod protected_resource;
pub mod surface;
pub mod text_head;
