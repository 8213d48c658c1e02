//! Preview of the existing entries that a rule matches.

use async_recursion::async_recursion as boxed;
use entities::ids::AccountId;

use super::super::entry::Entry;
use super::super::expressions::thread_cpu_time;
use super::existing_entries::{newest, too_slow};
use super::matching::{self, MatchOutcome, Matcher, RULE_TIME_LIMIT};
use super::rule::NewRule;
use kernel::{Domain, Error, Result};

/// Maximum number of entries that a preview examines.
const MAX_EXAMINED: u32 = 200;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulePreview {
    /// Number of examined entries, which are the newest entries.
    pub examined: usize,
    /// Matching entries, newest first.
    pub matches: Vec<Entry>,
}

/// Matches an unsaved rule against the newest entries. Changes nothing.
///
/// # Errors
/// `invalid_request` if the words or the expression are invalid; `not_found` if the subscription belongs to
/// another account.
#[boxed]
pub async fn preview_rule(domain: &Domain, account_id: AccountId, rule: &NewRule) -> Result<RulePreview> {
    let matcher = Matcher::new(rule.part, rule.kind, &rule.words)?;
    let newest = newest(domain, account_id, rule, None, MAX_EXAMINED).await?;
    let (entries, texts): (Vec<Entry>, Vec<matching::EntryFields>) = newest.into_iter().unzip();
    let now = domain.now();
    let evaluation = tokio::task::spawn_blocking(move || {
        let texts: Vec<matching::PreparedEntry> =
            texts.iter().map(|fields| matching::PreparedEntry::new(fields, now)).collect();
        matcher.match_all(&texts, &thread_cpu_time, RULE_TIME_LIMIT)
    });
    let MatchOutcome::Matched(matches) = evaluation.await.map_err(Error::internal)? else {
        return Err(too_slow());
    };
    let examined = entries.len();
    let matches =
        entries.into_iter().zip(matches).filter_map(|(entry, matches)| matches.then_some(entry)).collect();
    Ok(RulePreview { examined, matches })
}
