//! `carrel demo`: creates a sample account with a few texts, feeds, and a monitor.

use std::io::Write;

use application::sample_account;
use clap::Args;

use http_kit::config::Settings;

/// Arguments of `carrel demo`.
#[derive(Debug, Args)]
pub(super) struct DemoArgs {
    /// E-mail address of the account. No mail is sent to it.
    #[arg(long, default_value = "demo@carrel.invalid", value_name = "ADDRESS")]
    email: String,
}

/// Creates the account and prints how to sign in.
pub(super) async fn run(settings: Settings, arguments: &DemoArgs) -> anyhow::Result<()> {
    let app = crate::installation::open_app(settings).await?;
    let password = data_encoding::BASE64URL_NOPAD.encode(&app.domain.random::<12>());
    let created =
        sample_account::create(&app.domain, &app.passwords, &app.sandbox, &arguments.email, &password).await;
    app.sandbox.shutdown().await;
    let account = created?;
    let mut out = std::io::stdout();
    writeln!(out, "sign in at {}/sign-in", app.settings.origins.auth)?;
    writeln!(out, "e-mail    {}", account.email)?;
    writeln!(out, "password  {password}")?;
    eprintln!(
        "the start page of this account has a button that removes it; so does `carrel account delete {} --yes`",
        account.email
    );
    Ok(())
}
