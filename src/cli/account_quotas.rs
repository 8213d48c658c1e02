//! `carrel account quota`: quotas of one account, instead of limits of its plan.

use std::io::Write;

use clap::Args;
use identity::accounts;
use kernel::Domain;
use kernel::quotas::{AccountQuotas, parse_count, parse_storage, storage_text};

/// Value that removes a quota.
const PLAN: &str = "plan";

/// Arguments of `carrel account quota`.
#[derive(Debug, Args)]
pub(super) struct QuotaOptions {
    /// E-mail address of the account.
    email: String,
    /// Storage of the library, such as 5GB or 512MiB.
    #[arg(long, value_name = "SIZE", value_parser = storage)]
    storage: Option<TypedQuota<u64>>,
    /// Credits for monitor checks per month.
    #[arg(long, value_name = "NUMBER", value_parser = count)]
    credits: Option<TypedQuota<u32>>,
    /// Number of monitors.
    #[arg(long, value_name = "NUMBER", value_parser = count)]
    monitors: Option<TypedQuota<u32>>,
    /// Number of followed feeds.
    #[arg(long, value_name = "NUMBER", value_parser = count)]
    subscriptions: Option<TypedQuota<u32>>,
}

/// Quota as typed. `None` for the value [`PLAN`].
#[derive(Clone, Copy, Debug)]
struct TypedQuota<T>(Option<T>);

fn storage(word: &str) -> Result<TypedQuota<u64>, &'static str> {
    if word == PLAN { Ok(TypedQuota(None)) } else { parse_storage(word).map(|bytes| TypedQuota(Some(bytes))) }
}

fn count(word: &str) -> Result<TypedQuota<u32>, &'static str> {
    if word == PLAN { Ok(TypedQuota(None)) } else { parse_count(word).map(|count| TypedQuota(Some(count))) }
}

impl QuotaOptions {
    /// Returns `quotas` with the entered quotas replaced.
    fn applied_to(&self, quotas: AccountQuotas) -> AccountQuotas {
        let replaced = |typed: Option<TypedQuota<u32>>, quota| typed.map_or(quota, |TypedQuota(new)| new);
        AccountQuotas {
            rss_subscriptions: replaced(self.subscriptions, quotas.rss_subscriptions),
            web_monitors: replaced(self.monitors, quotas.web_monitors),
            web_monitor_monthly_credits: replaced(self.credits, quotas.web_monitor_monthly_credits),
            library_storage_bytes: self.storage.map_or(quotas.library_storage_bytes, |TypedQuota(new)| new),
        }
    }
}

/// Sets the quotas of the command line and prints the limits of the account. Without options, only prints them.
pub(super) async fn run(domain: &Domain, out: &mut impl Write, options: &QuotaOptions) -> anyhow::Result<()> {
    let account = accounts::find(domain, &options.email).await?;
    let quotas = options.applied_to(account.quotas);
    let revision = account.quotas.revision();
    let set_by = "carrel account quota";
    let account = accounts::replace_quotas(domain, account.id, &revision, quotas, set_by).await?;
    let (plan, limits) = (domain.policy().tiers.of(account.tier), account.limits(domain));
    let mut line = |name: &str, limit: String, of_plan: String, is_own: bool| {
        let origin = if is_own { format!("quota; plan: {of_plan}") } else { "plan".to_owned() };
        writeln!(out, "{name:<13}  {limit}  ({origin})")
    };
    line(
        "storage",
        storage_text(limits.library_storage_bytes),
        storage_text(plan.library_storage_bytes),
        quotas.library_storage_bytes.is_some(),
    )?;
    for (name, limit, of_plan, quota) in [
        (
            "credits",
            limits.web_monitor_monthly_credits,
            plan.web_monitor_monthly_credits,
            quotas.web_monitor_monthly_credits,
        ),
        ("monitors", limits.web_monitors, plan.web_monitors, quotas.web_monitors),
        ("subscriptions", limits.rss_subscriptions, plan.rss_subscriptions, quotas.rss_subscriptions),
    ] {
        line(name, limit.to_string(), of_plan.to_string(), quota.is_some())?;
    }
    Ok(())
}
