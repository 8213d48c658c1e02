//! The check, its job, and its stored result.

use std::time::Duration;

use async_recursion::async_recursion as boxed;
use entities::address_check::{self, Column, Entity};
use entities::ids::AccountId;
use fetch::Fetcher;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ConnectionTrait, EntityTrait};
use serde_json::Value;

use super::fault::AddressFault;
use crate::limits::AccountLimits;
use crate::limits::window::{Counter, RatePolicy};
use jobs::{Claimed, JobKind, NewJob, Pending, Progress, WaitOutcome};
use kernel::{Code, Domain, Error, Millis, Policy, Result};

/// Path prefix of the metadata documents of protected resources (RFC 9728); the path of the resource follows.
pub const METADATA: &str = "/.well-known/oauth-protected-resource";
/// Maximum size of the metadata document, in bytes.
const MAX_BYTES: usize = 16 * 1024;
/// Timeout of the request.
const DEADLINE: Duration = Duration::from_secs(10);
/// Limit on checks that one account requests.
const PER_ACCOUNT: [RatePolicy; 1] = [RatePolicy::sliding("minute", 5, 60)];
/// Outcome of a check without a fault.
const REACHABLE: &str = "reachable";

/// Result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedAddress {
    /// `None` if the service answers at its address.
    pub fault: Option<AddressFault>,
    /// Cause of the fault, as a text. Empty if there is no fault.
    pub detail: String,
    pub checked_at: Millis,
}

/// A requested check.
#[derive(Debug)]
pub struct PendingCheck {
    requested_at: Millis,
}

/// Requests a check of the address of this service for a signed-in person. The result is `None` if the check takes too
/// long.
///
/// # Errors
/// `rate_limited` if the person requests too many checks; `capacity_exhausted`; `service_unavailable`.
#[boxed]
pub async fn request_check(domain: &Domain, account_id: AccountId) -> Result<Progress<PendingCheck>> {
    let limits = domain.limits();
    let counter = Counter { key: format!("address-check:{account_id}"), policies: PER_ACCOUNT.to_vec() };
    let charges = limits.windows().check_each(vec![counter], domain.now()).await;
    if let Some(refusal) = charges.refusal() {
        let message = "The address was checked too often in one minute. Try again later.";
        return Err(Error::new(Code::RateLimited, message).retry_after(refusal.retry_after()));
    }
    let requested_at = domain.now();
    let transaction = domain.db().begin().await?;
    let new = NewJob::new(JobKind::AddressCheck, domain.policy().base_url.as_str());
    let job = jobs::submit(&transaction, domain, new).await?;
    transaction.commit().await?;
    Ok(Progress::Waiting { job, pending: PendingCheck { requested_at } })
}

impl Pending for PendingCheck {
    type Answer = Option<CheckedAddress>;

    async fn resume(self, domain: &Domain, outcome: WaitOutcome) -> Result<Option<CheckedAddress>> {
        match outcome {
            WaitOutcome::Ended(_) => {
                let last = last_check(domain).await?;
                Ok(last.filter(|check| check.checked_at >= self.requested_at))
            }
            WaitOutcome::TimedOut => Ok(None),
            WaitOutcome::Failed(error) => Err(error),
        }
    }
}

/// Returns the result of the last check of the configured address.
#[boxed]
pub async fn last_check(domain: &Domain) -> Result<Option<CheckedAddress>> {
    let row = Entity::find_by_id(domain.policy().base_url.as_str()).one(domain.db().write()).await?;
    let fault = |outcome: &str| AddressFault::parse(outcome).unwrap_or(AddressFault::OtherService);
    Ok(row.map(|row| CheckedAddress {
        fault: (row.outcome != REACHABLE).then(|| fault(&row.outcome)),
        detail: row.detail,
        checked_at: row.checked_at,
    }))
}

/// Checks the configured address for a claimed job.
///
/// # Errors
/// `service_unavailable` if the result could not be written.
#[boxed]
pub async fn run_check(domain: &Domain, fetcher: &Fetcher, claimed: &Claimed) -> Result<()> {
    let (fault, detail) = match examine(domain.policy(), fetcher).await? {
        None => (None, String::new()),
        Some((fault, detail)) => (Some(fault), detail),
    };
    let transaction = domain.db().begin().await?;
    let check = CheckedAddress { fault, detail, checked_at: domain.now() };
    write(&transaction, &domain.policy().base_url, check).await?;
    jobs::complete_in(&transaction, domain, claimed).await?;
    transaction.commit().await?;
    Ok(())
}

/// Returns the fault of the configured address and its cause; `None` if this service answers there. Sends the request
/// immediately and does not store the result.
#[boxed]
pub async fn examine(policy: &Policy, fetcher: &Fetcher) -> Result<Option<(AddressFault, String)>> {
    if policy.is_private() {
        return Ok(Some((AddressFault::Private, String::new())));
    }
    if !policy.base_url.starts_with("https://") {
        return Ok(Some((AddressFault::NoTls, String::new())));
    }
    let outsider = fetcher.as_outsider().map_err(Error::internal)?;
    let document = format!("{}{METADATA}", policy.base_url);
    Ok(match outsider.json(&document, MAX_BYTES, DEADLINE).await {
        Ok(fetched) if names_resource(&fetched.body, &policy.base_url) => None,
        Ok(_) => Some((AddressFault::OtherService, "the document names another service".to_owned())),
        Err(error) => Some((AddressFault::of(&error), error.to_string())),
    })
}

/// True if a metadata document describes the resource at `base_url`.
fn names_resource(document: &[u8], base_url: &str) -> bool {
    let document: Value = serde_json::from_slice(document).unwrap_or_default();
    document["resource"] == base_url
}

async fn write(connection: &impl ConnectionTrait, address: &str, check: CheckedAddress) -> Result<()> {
    let row = address_check::ActiveModel {
        address: Set(address.to_owned()),
        outcome: Set(check.fault.map_or(REACHABLE, AddressFault::as_str).to_owned()),
        detail: Set(check.detail),
        checked_at: Set(check.checked_at),
    };
    let columns = [Column::Outcome, Column::Detail, Column::CheckedAt];
    let on_conflict = OnConflict::column(Column::Address).update_columns(columns).to_owned();
    Entity::insert(row).on_conflict(on_conflict).exec_without_returning(connection).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_document_of_another_service_is_rejected() {
        let base = "https://carrel.example.org";
        assert!(names_resource(br#"{"resource":"https://carrel.example.org"}"#, base));
        for other in ["{}", "[]", "<html>", "", r#"{"resource":"https://carrel.example.org/"}"#] {
            assert!(!names_resource(other.as_bytes(), base), "{other}");
        }
    }
}
