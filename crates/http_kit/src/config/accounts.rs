//! Settings of accounts: sign-up, plans, mail, and cross-origin use of keys.

use identity::accounts::{OidcSettings, PasswordSignIn, Signups};
use identity::mail::{Mailer, Relay, Sender};
use ipnet::IpNet;
use kernel::tiers::Tiers;

use super::oidc;
use super::proxy_header::{self, ProxyHeader};
use super::sources::Variables;
use super::values::Origin;

/// Settings of accounts, plans, mail, and cross-origin access.
#[derive(Clone, Debug)]
pub struct AccountSettings {
    /// `CARREL_SIGNUP`: who may create an account. Always closed if a provider is the only sign-in, or if a proxy
    /// signs people in.
    pub signups: Signups,
    /// `CARREL_TIERS_FILE`: plan limits that override the built-in table.
    pub tiers: Tiers,
    /// `CARREL_SMTP_URL` and `CARREL_MAIL_FROM`. Without them no mail is sent.
    pub mailer: Option<Mailer>,
    /// `CARREL_OIDC_ISSUER` and related settings: sign-in at an OpenID provider; `None` disables it.
    pub oidc: Option<OidcSettings>,
    /// `CARREL_AUTH_HEADER` and `CARREL_AUTH_HEADER_SIGN_UP`: sign-in by a header of a trusted proxy; `None` disables it.
    pub proxy_header: Option<ProxyHeader>,
    /// `CARREL_CORS_ORIGINS`: origins whose scripts may call the Developer API.
    pub cors_origins: Vec<Origin>,
    /// `CARREL_MCP_ORIGINS`: origins whose scripts may call the MCP endpoint, in addition to Carrel's own
    /// origins and those of the caller's machine.
    pub mcp_origins: Vec<Origin>,
}

pub(super) fn read(variables: &mut Variables, trusted_proxies: &[IpNet]) -> AccountSettings {
    let oidc = oidc::read(variables);
    let proxy_header = proxy_header::read(variables, trusted_proxies);
    let signups = variables.value("CARREL_SIGNUP", Signups::Open);
    let has_only_provider = oidc.as_ref().is_some_and(|oidc| oidc.passwords == PasswordSignIn::Refused);
    AccountSettings {
        // A sign-up does not verify the e-mail address, but a proxy names people by it: a stranger could create an
        // account with the address of another person.
        signups: if has_only_provider || proxy_header.is_some() { Signups::Closed } else { signups },
        tiers: read_tiers(variables),
        mailer: read_mailer(variables),
        oidc,
        proxy_header,
        cors_origins: variables.list("CARREL_CORS_ORIGINS"),
        mcp_origins: variables.list("CARREL_MCP_ORIGINS"),
    }
}

/// Reads the mailer. It needs both a server and a sender; `None` if neither is set.
fn read_mailer(variables: &mut Variables) -> Option<Mailer> {
    let [has_relay, has_sender] = ["CARREL_SMTP_URL", "CARREL_MAIL_FROM"].map(|name| variables.has(name));
    if has_relay != has_sender {
        let (missing, other) = if has_relay {
            ("CARREL_MAIL_FROM", "CARREL_SMTP_URL")
        } else {
            ("CARREL_SMTP_URL", "CARREL_MAIL_FROM")
        };
        variables.fault(missing, &format!("is required if {other} is set"));
    }
    let relay = variables.optional::<Relay>("CARREL_SMTP_URL");
    let sender = variables.optional::<Sender>("CARREL_MAIL_FROM");
    Some(Mailer::new(relay?, sender?))
}

/// Reads plan limits from `CARREL_TIERS_FILE`. Each fault of the file is reported as a fault of the setting.
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
