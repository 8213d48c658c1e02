//! Feeds: polls, discoveries and requests to hubs, each made by a worker.

use domain::Code;
use domain::articles::Address;
use domain::articles::extraction::Reach;
use domain::feeds::{self, Discovered, FoundFeed, hubs};
use domain::jobs::{JobKind, Submitted};
use domain::{Error, Result};
use tokio::time::Instant;

use crate::engine::Engine;
use crate::handler::Handler;

/// What a caller whose patience ended should wait before asking again.
const RETRY_SECONDS: u32 = 5;

/// The feeds of a site: those found a moment ago, or those that a discovery finds until `deadline`.
///
/// # Errors
/// The site's failure; `Unavailable` when there is no room, or when the deadline comes first (the
/// discovery goes on).
pub async fn discover(engine: &Engine, address: &Address, deadline: Instant) -> Result<Vec<FoundFeed>> {
    if let Some(known) = feeds::known_discovery(engine.domain(), address).await? {
        return answer(known);
    }
    let submitted = feeds::submit_discovery(engine.domain(), address).await?;
    engine.push(&submitted).await?;
    let patience = deadline.saturating_duration_since(Instant::now());
    engine.wait(submitted.id, patience).await?.ok_or_else(late)?;
    match feeds::known_discovery(engine.domain(), address).await? {
        Some(known) => answer(known),
        None => Err(late()),
    }
}

fn answer(known: Discovered) -> Result<Vec<FoundFeed>> {
    match known {
        Discovered::Feeds(feeds) => Ok(feeds),
        Discovered::Failed(failure) => Err(failure.into()),
    }
}

fn late() -> Error {
    Error::new(
        Code::ServiceUnavailable,
        "The site was not read in time. The search goes on; ask again in a moment.",
    )
    .retry_after(RETRY_SECONDS)
}

/// Polls a batch of feeds.
pub(crate) fn poll_handler(reach: Reach) -> Handler {
    Handler::new(JobKind::FeedPoll, move |context, claimed| {
        let reach = reach.clone();
        async move {
            let texts = feeds::poll_batch(context.domain(), &reach, &claimed).await?;
            push_all(&context.engine, &texts).await?;
            Ok(())
        }
    })
}

/// Looks for the feeds of a site.
pub(crate) fn discovery_handler(reach: Reach) -> Handler {
    Handler::new(JobKind::FeedDiscovery, move |context, claimed| {
        let reach = reach.clone();
        async move { Ok(feeds::discover(context.domain(), &reach, &claimed).await?) }
    })
}

/// Asks a hub for news.
pub(crate) fn hub_handler(reach: Reach) -> Handler {
    Handler::new(JobKind::FeedHub, move |context, claimed| {
        let reach = reach.clone();
        async move { Ok(hubs::subscribe(context.domain(), &reach, &claimed).await?) }
    })
}

/// Makes jobs of the feeds that are due.
pub(crate) async fn claim_polls(engine: &Engine) -> Result<u64> {
    push_all(engine, &feeds::claim_due(engine.domain()).await?).await
}

/// Makes jobs of the hubs that are to be asked.
pub(crate) async fn claim_hubs(engine: &Engine) -> Result<u64> {
    push_all(engine, &hubs::claim_due(engine.domain()).await?).await
}

async fn push_all(engine: &Engine, jobs: &[Submitted]) -> Result<u64> {
    for job in jobs {
        engine.push(job).await?;
    }
    Ok(jobs.len() as u64)
}
