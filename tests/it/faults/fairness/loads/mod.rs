//! Loads: the most expensive valid requests for each part of the service, and requests that used much memory
//! or disk before their limits were introduced.

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

/// Load that the greedy account causes.
pub(super) struct Load {
    pub(super) name: &'static str,
    prepare: Box<Prepare>,
}

impl Load {
    /// Creates a load that sends requests before it starts.
    fn prepared<F>(name: &'static str, prepare: impl Fn(Arc<Greedy>) -> F + 'static) -> Self
    where
        F: Future<Output = Traffic> + 'static,
    {
        Self { name, prepare: Box::new(move |greedy| prepare(greedy).boxed_local()) }
    }

    /// Creates a load that sends no requests before it starts.
    fn immediate(name: &'static str, traffic: impl Fn(Arc<Greedy>) -> Traffic + 'static) -> Self {
        Self::prepared(name, move |greedy| ready(traffic(greedy)))
    }

    /// Creates the objects that the load's requests need, before any measurement.
    pub(super) fn prepare(&self, greedy: Arc<Greedy>) -> LocalBoxFuture<'static, Traffic> {
        (self.prepare)(greedy)
    }
}

/// Returns all loads.
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
