//! Warnings about a monitor that do not prevent its creation.

use entities::ids::AccountId;
use extract::watch::{ObservationWarning, Target};
use sea_orm::ConnectionTrait;

use super::monitor::Definition;
use super::rules::{active, credits_per_month};
use super::{definition, next_run};
use kernel::Result;
use kernel::tiers::TierLimits;

/// Warning that the account's monitors cost more credits per month than the plan provides.
const CREDITS: &str = "monthly_credits_exceeded";
/// Warning that no field identifies the items.
pub(super) const NO_KEY: &str = "items_without_key";

/// Code of a warning in the API. `None` if the API does not report it.
pub(super) fn code(warning: ObservationWarning) -> Option<String> {
    serde_json::to_value(warning).ok()?.as_str().map(str::to_owned)
}

/// Monitor that is planned in addition to the existing monitors.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlannedMonitor {
    /// Credits for a run.
    pub(super) cost: i64,
    pub(super) interval_minutes: u32,
}

/// Warnings about a definition, and about the total cost of the account's active monitors.
pub(super) async fn of_account(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    plan: &TierLimits,
    definition: &Definition,
) -> Result<Vec<&'static str>> {
    let mut warnings: Vec<&'static str> =
        of_credits(connection, account_id, plan, None).await?.into_iter().collect();
    if let Target::Extract { items: Some(_), fields } = &definition.target
        && !fields.iter().any(|field| field.key)
    {
        warnings.push(NO_KEY);
    }
    Ok(warnings)
}

/// Returns a warning if the credits of a month are not sufficient for the account's active monitors and the
/// monitor `another`.
pub(super) async fn of_credits(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    plan: &TierLimits,
    another: Option<PlannedMonitor>,
) -> Result<Option<&'static str>> {
    let rows = active(account_id).all(connection).await?;
    let known = rows.iter().map(|row| next_run::credits_per_month(row, definition::cost_of(row), plan));
    let more = another.map(|another| {
        let minutes = another.interval_minutes.max(plan.web_monitor_minimum_interval_minutes);
        credits_per_month(another.cost, minutes)
    });
    let sum: i64 = known.chain(more).sum();
    Ok((sum > i64::from(plan.web_monitor_monthly_credits)).then_some(CREDITS))
}
