//! Previews which existing entries a rule matches.

use entities::ids::AccountId;

use super::super::entry::Entry;
use super::matching::{self, Found, Matcher, PATIENCE, time_of_thread};
use super::present::{newest, too_slow};
use super::rule::NewRule;
use kernel::error::{Error, Result};
use kernel::handle::Domain;

/// Maximum entries that a preview examines.
const LOOKED_AT: u32 = 200;

/// Preview of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulePreview {
    /// Number of examined entries; always the newest.
    pub looked_at: usize,
    /// Matching entries, newest first.
    pub found: Vec<Entry>,
}

/// Matches the newest entries against a rule that is not saved. Nothing is changed.
///
/// # Errors
/// `invalid_request` for invalid words or an invalid expression, `not_found` for a subscription of another
/// account.
pub async fn preview_rule(domain: &Domain, account_id: AccountId, rule: &NewRule) -> Result<RulePreview> {
    let matcher = Matcher::new(rule.part, rule.kind, &rule.words)?;
    let newest = newest(domain, account_id, rule, None, LOOKED_AT).await?;
    let (entries, texts): (Vec<Entry>, Vec<matching::Said>) = newest.into_iter().unzip();
    let looking = tokio::task::spawn_blocking(move || {
        let texts: Vec<matching::Entry> = texts.iter().map(matching::Entry::new).collect();
        matcher.find(&texts, &time_of_thread, PATIENCE)
    });
    let Found::In(found) = looking.await.map_err(Error::internal)? else { return Err(too_slow()) };
    let looked_at = entries.len();
    let found = entries.into_iter().zip(found).filter_map(|(entry, found)| found.then_some(entry)).collect();
    Ok(RulePreview { looked_at, found })
}
