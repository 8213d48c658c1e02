//! Loads: the most costly valid requests of each part of the service, and requests that took much memory or
//! disk before they were bounded.

mod bodies;
mod feeds;
mod files;
mod library;
mod monitors;
mod reading;
mod text;

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::{LocalBoxFuture, ready};

use super::greedy::{Greedy, Traffic};

type Prepare = dyn Fn(Arc<Greedy>) -> LocalBoxFuture<'static, Traffic>;

/// A load that the greedy account causes.
pub(super) struct Load {
    pub(super) name: &'static str,
    prepare: Box<Prepare>,
}

impl Load {
    /// Load that needs requests before it starts.
    fn prepared<F>(name: &'static str, prepare: impl Fn(Arc<Greedy>) -> F + 'static) -> Self
    where
        F: Future<Output = Traffic> + 'static,
    {
        Self { name, prepare: Box::new(move |greedy| prepare(greedy).boxed_local()) }
    }

    /// Load that needs no requests before it starts.
    fn immediate(name: &'static str, traffic: impl Fn(Arc<Greedy>) -> Traffic + 'static) -> Self {
        Self::prepared(name, move |greedy| ready(traffic(greedy)))
    }

    /// Creates what the requests need, before any measurement.
    pub(super) fn prepare(&self, greedy: Arc<Greedy>) -> LocalBoxFuture<'static, Traffic> {
        (self.prepare)(greedy)
    }
}

/// All loads.
pub(super) fn all() -> Vec<Load> {
    vec![
        Load::immediate("public reads", reading::public_reads),
        Load::immediate("read jobs", reading::read_jobs),
        Load::immediate("article operations", reading::article_operations),
        Load::prepared("pictures", reading::pictures),
        Load::immediate("JSON bodies", bodies::json_bodies),
        Load::immediate("MCP messages", bodies::mcp_messages),
        Load::prepared("hub deliveries", bodies::hub_deliveries),
        Load::immediate("connections", bodies::connections),
        Load::prepared("uploads", files::uploads),
        Load::immediate("imports", files::imports),
        Load::prepared("exports", library::exports),
        Load::prepared("search", library::search),
        Load::prepared("feeds", feeds::feeds),
        Load::prepared("app protocols", feeds::app_protocols),
        Load::immediate("monitors", monitors::monitors),
        Load::prepared("notices", monitors::notices),
    ]
}
