//! What a rule would find among the entries that are there.

use entities::ids::AccountId;

use super::super::entry::Entry;
use super::matching::{self, Found, Matcher, PATIENCE, time_of_thread};
use super::present::{newest, too_slow};
use super::rule::NewRule;
use kernel::error::{Error, Result};
use kernel::handle::Domain;

/// Entries that are looked at.
const LOOKED_AT: u32 = 200;

/// What a rule would find.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulePreview {
    /// How many entries were looked at: the newest.
    pub looked_at: usize,
    /// Those that it finds, the newest first.
    pub found: Vec<Entry>,
}

/// Looks at the newest entries with a rule that is not there yet. Nothing is changed.
///
/// # Errors
/// `invalid_request` for words or an expression that cannot be looked for, `not_found` for a subscription that is not the
/// account's.
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
