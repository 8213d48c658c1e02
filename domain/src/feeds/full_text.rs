//! Articles behind entries, for followers who want those instead of the feed's summaries.

use crate::articles::{self, Address};
use crate::handle::Domain;
use crate::jobs::{self, Priority};

/// Asks for the articles behind new entries, behind everything that somebody waits for. What is refused is tried
/// when somebody reads the entry's article; it must not fail the poll.
pub(super) async fn ask_for_texts(domain: &Domain, urls: Vec<String>) -> Vec<jobs::Submitted> {
    let mut submitted = Vec::new();
    for url in urls {
        let Ok(address) = Address::parse(domain, &url) else { continue };
        match articles::submit(domain, &address, Priority::Low).await {
            Ok(job) => submitted.push(job),
            Err(error) => tracing::debug!(%error, "the article of an entry is not asked for now"),
        }
    }
    submitted
}
