//! `carrel account`: manages accounts.

use std::io::{IsTerminal, Write};

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use identity::accounts::{self, Account, AccountRole, HashCost, Passwords};
use kernel::rfc3339;
use kernel::tiers::Tier;

use super::account_quotas::{self, QuotaOptions};
use crate::installation;
use http_kit::config::Settings;

/// Account command.
#[derive(Debug, Subcommand)]
pub(super) enum AccountCommand {
    /// Create an account. The password is prompted for on a terminal and read from standard input otherwise.
    Create(CreateAccount),
    /// List accounts.
    List {
        /// Show only accounts after this e-mail address.
        #[arg(long)]
        after: Option<String>,
        /// Maximum number of accounts.
        #[arg(long, default_value_t = 100)]
        limit: u64,
    },
    /// Move an account to another plan: free, premium, or pro.
    SetTier {
        /// E-mail address of the account.
        email: String,
        /// New plan: free, premium, or pro.
        tier: Tier,
    },
    /// Set quotas of one account instead of limits of its plan, and print its limits. The value "plan" removes a
    /// quota. Without options, only print the limits.
    Quota(QuotaOptions),
    /// Grant or revoke access to the administration pages (/admin).
    SetAdmin {
        /// E-mail address of the account.
        email: String,
        /// "on" or "off".
        #[arg(value_parser = role)]
        role: AccountRole,
    },
    /// Set a new password and end all sessions. Keys, apps, passkeys, single sign-on, and a second factor stay. The
    /// password is prompted for on a terminal and read from standard input otherwise.
    SetPassword {
        /// E-mail address of the account.
        email: String,
        /// Read the password from standard input without a prompt.
        #[arg(long)]
        password_stdin: bool,
    },
    /// Change the e-mail address of an account, without any mail. Its sessions stay open. Links that confirm or
    /// revert earlier changes become void.
    SetEmail {
        /// Present e-mail address of the account.
        email: String,
        /// New e-mail address.
        new_email: String,
    },
    /// Remove the second factor of a person who lost it. Sign-in then asks for the password only.
    RemoveSecondFactor {
        /// E-mail address of the account.
        email: String,
    },
    /// Print a password reset link, valid for one use within an hour.
    ResetLink {
        /// E-mail address of the account.
        email: String,
    },
    /// Disable an account: its sessions end and its keys are refused. Its data stays.
    Disable {
        /// E-mail address of the account.
        email: String,
    },
    /// Enable a disabled account.
    Enable {
        /// E-mail address of the account.
        email: String,
    },
    /// Delete an account and everything it owns.
    Delete {
        /// E-mail address of the account.
        email: String,
        /// Confirm the deletion.
        #[arg(long)]
        yes: bool,
    },
    /// Create an invitation for `CARREL_SIGNUP=invite` and print its code. The code is shown only now.
    Invite {
        /// Plan of the new account.
        #[arg(long, default_value = "free")]
        tier: Tier,
        /// Days until the invitation expires.
        #[arg(long, default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..=365))]
        days: u32,
    },
}

/// Arguments of `carrel account create`.
#[derive(Debug, Args)]
pub(super) struct CreateAccount {
    /// E-mail address to sign in with.
    email: String,
    /// Plan: free, premium, or pro.
    #[arg(long, default_value = "free")]
    tier: Tier,
    /// Read the password from standard input without a prompt.
    #[arg(long)]
    password_stdin: bool,
}

/// Runs the command on the database in `settings`.
pub(super) async fn run(settings: Settings, command: AccountCommand) -> anyhow::Result<()> {
    let domain = installation::open_domain(&settings).await?;
    let mut out = std::io::stdout();
    match command {
        AccountCommand::Create(create) => {
            let password = password(create.password_stdin)?;
            let pool = Passwords::new(&domain, HashCost::Production, 1)?;
            let account = accounts::create(&domain, &pool, &create.email, &password, create.tier).await?;
            show(&mut out, &[account])?;
        }
        AccountCommand::List { after, limit } => {
            show(&mut out, &accounts::list(&domain, after.as_deref(), limit).await?)?;
        }
        AccountCommand::SetTier { email, tier } => {
            show(&mut out, &[accounts::set_tier(&domain, &email, tier).await?])?;
        }
        AccountCommand::Quota(options) => account_quotas::run(&domain, &mut out, &options).await?,
        AccountCommand::SetAdmin { email, role } => {
            show(&mut out, &[accounts::set_role(&domain, &email, role).await?])?;
        }
        AccountCommand::SetPassword { email, password_stdin } => {
            let password = password(password_stdin)?;
            let pool = Passwords::new(&domain, HashCost::Production, 1)?;
            show(&mut out, &[accounts::set_password(&domain, &pool, &email, &password).await?])?;
        }
        AccountCommand::SetEmail { email, new_email } => {
            show(&mut out, &[accounts::set_email(&domain, &email, &new_email).await?])?;
        }
        AccountCommand::RemoveSecondFactor { email } => {
            show(&mut out, &[accounts::reset_second_factor(&domain, &email).await?])?;
        }
        AccountCommand::ResetLink { email } => {
            let secret = accounts::create_reset(&domain, &email).await?;
            writeln!(out, "{}/reset?link={}", settings.origins.auth, secret.expose())?;
            eprintln!("this link sets the password of {email}, once and within an hour");
        }
        AccountCommand::Disable { email } => show(&mut out, &[accounts::disable(&domain, &email).await?])?,
        AccountCommand::Enable { email } => show(&mut out, &[accounts::enable(&domain, &email).await?])?,
        AccountCommand::Delete { email, yes } => {
            if !yes {
                bail!("this deletes {email} and everything the account owns; confirm with --yes");
            }
            accounts::delete_by_email(&domain, &email).await?;
        }
        AccountCommand::Invite { tier, days } => {
            let code = accounts::invite(&domain, tier, days).await?;
            writeln!(out, "{code}")?;
            eprintln!("one account can be created at {}/sign-up?invite={code}", settings.origins.auth);
        }
    }
    Ok(())
}

fn role(word: &str) -> Result<AccountRole, &'static str> {
    match word {
        "on" => Ok(AccountRole::Administrator),
        "off" => Ok(AccountRole::Person),
        _ => Err("must be on or off"),
    }
}

fn password(silently: bool) -> anyhow::Result<String> {
    if !silently && std::io::stdin().is_terminal() {
        let ask = |prompt| rpassword::prompt_password(prompt).context("failed to read from the terminal");
        let password = ask("Password: ")?;
        if ask("Repeat password: ")? != password {
            bail!("the passwords do not match");
        }
        return Ok(password);
    }
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).context("failed to read standard input")?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

fn show(out: &mut impl Write, accounts: &[Account]) -> anyhow::Result<()> {
    for account in accounts {
        let state = if account.disabled_at.is_some() { "disabled" } else { "active" };
        let made = rfc3339(account.created_at);
        let admin = if account.is_admin { "  admin" } else { "" };
        writeln!(out, "{}  {:<8}  {state:<8}  {made}  {}{admin}", account.id, account.tier, account.email)?;
    }
    Ok(())
}
