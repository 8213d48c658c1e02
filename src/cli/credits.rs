//! `carrel credits`: shows, grants, and audits monitor credits.

use std::io::Write;

use anyhow::bail;
use clap::Subcommand;
use identity::credits::{self, CreditBalance};
use kernel::rfc3339;

use http_kit::config::Settings;

/// Credits command.
#[derive(Debug, Subcommand)]
pub(super) enum CreditsCommand {
    /// Show an account's balance for this month and its latest ledger entries.
    Show {
        /// E-mail address of the account.
        email: String,
        /// Maximum number of ledger entries.
        #[arg(long, default_value_t = 20)]
        limit: u64,
    },
    /// Grant an account credits for this month. A negative number takes credits away.
    Grant {
        /// E-mail address of the account.
        email: String,
        /// Number of credits.
        #[arg(allow_negative_numbers = true)]
        amount: i64,
        /// Reason, stored in the ledger.
        #[arg(long, default_value = "")]
        note: String,
    },
    /// Recompute every ledger and report months whose entries do not match the balance.
    Audit,
}

/// Runs the command on the database in `settings`.
pub(super) async fn run(settings: Settings, command: CreditsCommand) -> anyhow::Result<()> {
    let domain = crate::installation::open_domain(&settings).await?;
    let mut out = std::io::stdout();
    match command {
        CreditsCommand::Show { email, limit } => {
            let (balance, entries) = application::credit_grants::show(&domain, &email, limit).await?;
            show(&mut out, balance)?;
            for entry in entries {
                let note = entry.note.or(entry.run_id.map(|id| format!("run {id}"))).unwrap_or_default();
                let made = rfc3339(entry.made_at);
                writeln!(out, "{:>10}  {made}  {:>+8}  {:<9}  {note}", entry.id, entry.amount, entry.kind)?;
            }
        }
        CreditsCommand::Grant { email, amount, note } => {
            show(&mut out, application::credit_grants::grant(&domain, &email, amount, &note).await?)?;
        }
        CreditsCommand::Audit => {
            let mismatches = credits::audit(&domain).await?;
            for mismatch in &mismatches {
                let (account, month) = (mismatch.account_id, mismatch.month);
                writeln!(
                    out,
                    "{account}  {month}  entries {}  balance {}",
                    mismatch.entries, mismatch.balance
                )?;
            }
            if !mismatches.is_empty() {
                bail!("{} months do not match their entries", mismatches.len());
            }
            writeln!(out, "all months match their entries")?;
        }
    }
    Ok(())
}

fn show(out: &mut impl Write, balance: CreditBalance) -> std::io::Result<()> {
    let CreditBalance { month, allowance, granted, used } = balance;
    let left = balance.remaining();
    writeln!(out, "{month}  plan {allowance}  granted {granted}  used {used}  left {left}")
}
