//! Settings of accounts: who may sign up, what the plans allow, how mail is sent, and which scripts may use keys.

use identity::accounts::Signups;
use identity::mail::{Mailer, Relay, Sender};
use kernel::tiers::Tiers;

use super::sources::Variables;
use super::values::Origin;

/// Accounts, plans and cross-origin access.
#[derive(Clone, Debug)]
pub struct AccountSettings {
    /// `CARREL_SIGNUP`: who may make an account.
    pub signups: Signups,
    /// `CARREL_TIERS_FILE`: what the plans allow, over the built-in table.
    pub tiers: Tiers,
    /// `CARREL_SMTP_URL` and `CARREL_MAIL_FROM`: sends mail; without them none is sent.
    pub mailer: Option<Mailer>,
    /// `CARREL_CORS_ORIGINS`: whose scripts may call the Developer API from a browser.
    pub cors_origins: Vec<Origin>,
    /// `CARREL_MCP_ORIGINS`: whose scripts may call the endpoint for agents from a browser, beside ours and those of
    /// the caller's own machine.
    pub mcp_origins: Vec<Origin>,
}

/// Reads them.
pub(super) fn read(variables: &mut Variables) -> AccountSettings {
    AccountSettings {
        signups: variables.value("CARREL_SIGNUP", Signups::Open),
        tiers: read_tiers(variables),
        mailer: read_mailer(variables),
        cors_origins: variables.list("CARREL_CORS_ORIGINS"),
        mcp_origins: variables.list("CARREL_MCP_ORIGINS"),
    }
}

/// Both settings or neither: mail needs somebody whom it is from.
fn read_mailer(variables: &mut Variables) -> Option<Mailer> {
    let [has_relay, has_sender] = ["CARREL_SMTP_URL", "CARREL_MAIL_FROM"].map(|name| variables.has(name));
    if has_relay != has_sender {
        let (missing, other) = if has_relay {
            ("CARREL_MAIL_FROM", "CARREL_SMTP_URL")
        } else {
            ("CARREL_SMTP_URL", "CARREL_MAIL_FROM")
        };
        variables.fault(missing, &format!("is needed beside {other}"));
    }
    let relay = variables.optional::<Relay>("CARREL_SMTP_URL");
    let sender = variables.optional::<Sender>("CARREL_MAIL_FROM");
    Some(Mailer::new(relay?, sender?))
}

/// The operator's table of plans. Each of its faults is one of the settings' faults.
fn read_tiers(variables: &mut Variables) -> Tiers {
    let Some(path) = variables.optional::<String>("CARREL_TIERS_FILE") else { return Tiers::default() };
    let faults = match std::fs::read_to_string(&path) {
        Ok(text) => match Tiers::parse(&text) {
            Ok(tiers) => return tiers,
            Err(faults) => faults,
        },
        Err(error) => vec![error.to_string()],
    };
    for fault in faults {
        variables.fault("CARREL_TIERS_FILE", &format!("{path}: {fault}"));
    }
    Tiers::default()
}
