//! `carrel key`: manages an account's API keys, for operators and scripts.

use std::io::Write;

use anyhow::Context;
use clap::{Args, Subcommand};
use identity::accounts;
use identity::keys::{self, AppAccess, NewKey};
use kernel::{KeyId, Scopes, rfc3339};

use http_kit::config::Settings;

/// Key command.
#[derive(Debug, Subcommand)]
pub(super) enum KeyCommand {
    /// Create a key and print it on standard output. It is shown only now.
    Create(CreateKey),
    /// List the active keys of an account.
    List {
        /// E-mail address of the account.
        email: String,
    },
    /// Revoke a key permanently, with immediate effect.
    Revoke {
        /// E-mail address of the account.
        email: String,
        /// Id of the key.
        id: KeyId,
    },
}

/// Arguments of `carrel key create`.
#[derive(Debug, Args)]
pub(super) struct CreateKey {
    /// E-mail address of the account.
    email: String,
    /// Name of the key.
    #[arg(long)]
    name: String,
    /// Scopes, separated by commas.
    #[arg(long, default_value = "svc:read,svc:write", value_parser = scopes)]
    scopes: Scopes,
    /// Days until the key expires. Without this option it does not expire.
    #[arg(long)]
    expires_days: Option<u32>,
    /// Allow the key in apps that send a digest of it, such as Fever apps.
    #[arg(long)]
    feed_apps: bool,
}

/// Runs the command on the database in `settings`.
pub(super) async fn run(settings: Settings, command: KeyCommand) -> anyhow::Result<()> {
    let domain = crate::installation::open_domain(&settings).await?;
    let mut out = std::io::stdout();
    match command {
        KeyCommand::Create(create) => {
            let owner = accounts::find(&domain, &create.email).await?;
            let new = NewKey {
                name: create.name,
                scopes: create.scopes,
                expires_in_days: create.expires_days,
                app_access: if create.feed_apps { AppAccess::Digest } else { AppAccess::KeyOnly },
            };
            let (_, secret) = keys::create(&domain, owner.id, new).await?;
            writeln!(out, "{}", secret.expose()).context("standard output is closed")?;
        }
        KeyCommand::List { email } => {
            let owner = accounts::find(&domain, &email).await?;
            for key in keys::list(&domain, owner.id).await? {
                let time = |at: Option<i64>| at.map_or_else(|| "never".to_owned(), rfc3339);
                let (used, expires) = (time(key.last_used_at), time(key.expires_at));
                let scopes = key.scopes.names().join(",");
                writeln!(
                    out,
                    "{}  {}…  {scopes:<19}  used {used}  expires {expires}  {}",
                    key.id, key.prefix, key.name
                )?;
            }
        }
        KeyCommand::Revoke { email, id } => {
            let owner = accounts::find(&domain, &email).await?;
            keys::revoke(&domain, owner.id, id).await?;
        }
    }
    Ok(())
}

fn scopes(text: &str) -> Result<Scopes, String> {
    Scopes::parse(text.split(',').map(str::trim))
        .ok_or_else(|| "must be svc:read, svc:write, or both separated by a comma".to_owned())
}
