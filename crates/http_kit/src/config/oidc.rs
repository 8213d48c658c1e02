//! Settings of single sign-on at an OpenID provider.

use std::str::FromStr;

use identity::accounts::{OidcIssuer, OidcSettings, PasswordSignIn};

use super::sources::Variables;
use super::values::{SecretSetting, Switch};

const ISSUER: &str = "CARREL_OIDC_ISSUER";
const CLIENT_ID: &str = "CARREL_OIDC_CLIENT_ID";
const CLIENT_SECRET: &str = "CARREL_OIDC_CLIENT_SECRET";
const NAME: &str = "CARREL_OIDC_NAME";
const SIGN_UP: &str = "CARREL_OIDC_SIGN_UP";
const ONLY: &str = "CARREL_OIDC_ONLY";
/// Maximum length of the name of a provider, which is part of the label of a button.
const MAX_NAME_CHARS: usize = 40;

/// Name of a provider, as buttons display it.
struct ProviderName(String);

impl FromStr for ProviderName {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_short = text.chars().count() <= MAX_NAME_CHARS && !text.contains(char::is_control);
        is_short.then(|| Self(text.to_owned())).ok_or("must have at most 40 characters on one line")
    }
}

pub(super) fn read(variables: &mut Variables) -> Option<OidcSettings> {
    for (one, other) in [(ISSUER, CLIENT_ID), (CLIENT_ID, ISSUER), (CLIENT_SECRET, ISSUER), (NAME, ISSUER)] {
        if variables.has(one) && !variables.has(other) {
            variables.fault(other, &format!("is required if {one} is set"));
        }
    }
    let issuer = variables.optional::<OidcIssuer>(ISSUER);
    let client_id = variables.optional::<String>(CLIENT_ID);
    let client_secret = variables.optional::<SecretSetting>(CLIENT_SECRET);
    let name = variables.optional::<ProviderName>(NAME);
    let sign_up = variables.automatic_sign_up(SIGN_UP);
    let passwords = match variables.switch(ONLY, Switch::Off) {
        Switch::On => PasswordSignIn::Refused,
        Switch::Off => PasswordSignIn::Allowed,
    };
    if passwords == PasswordSignIn::Refused && !variables.has(ISSUER) {
        variables.fault(ISSUER, &format!("is required if {ONLY} is on"));
    }
    let issuer = issuer?;
    Some(OidcSettings {
        name: name.map_or_else(|| issuer.host().to_owned(), |ProviderName(name)| name),
        issuer,
        client_id: client_id?,
        client_secret: client_secret.map(|secret| secret.reveal().to_owned()),
        sign_up,
        passwords,
    })
}

#[cfg(test)]
mod tests {
    use identity::accounts::Signups;

    use super::super::Settings;
    use identity::accounts::AutomaticSignUp;

    use super::*;

    #[test]
    fn provider_needs_an_issuer_and_a_client() {
        let read = |pairs: &[(&str, &str)]| Settings::read(&mut Variables::of_pairs(pairs.iter().copied()));
        assert!(read(&[]).unwrap().accounts.oidc.is_none());
        let both = [(ISSUER, "https://id.example.org/realms/family"), (CLIENT_ID, "carrel")];
        let provider = read(&both).unwrap().accounts.oidc.unwrap();
        assert_eq!((provider.name.as_str(), provider.sign_up), ("id.example.org", AutomaticSignUp::Refused));
        let all = [both[0], both[1], (CLIENT_SECRET, "hush-hush"), (NAME, "Family"), (SIGN_UP, "on")];
        let settings = read(&all).unwrap();
        assert!(!format!("{settings:?}").contains("hush"));
        let provider = settings.accounts.oidc.unwrap();
        assert_eq!((provider.name.as_str(), provider.sign_up), ("Family", AutomaticSignUp::Allowed));
        for (set, missing) in [(both[0], CLIENT_ID), (both[1], ISSUER), (all[2], ISSUER), (all[3], ISSUER)] {
            let faults = read(&[set]).unwrap_err();
            assert!(faults.0.iter().any(|fault| fault.starts_with(missing)), "{faults}");
        }
        assert_eq!(provider.passwords, PasswordSignIn::Allowed);
        let only = read(&[both[0], both[1], (ONLY, "on")]).unwrap().accounts;
        assert_eq!(only.oidc.unwrap().passwords, PasswordSignIn::Refused);
        assert_eq!(only.signups, Signups::Closed);
        let faults = read(&[(ONLY, "on")]).unwrap_err();
        assert_eq!(faults.0, ["CARREL_OIDC_ISSUER: is required if CARREL_OIDC_ONLY is on"]);
        assert!(read(&[(ONLY, "off")]).is_ok());
        for wrong in ["id.example.org", "http://id.example.org", "https://id.example.org/?x=1"] {
            let faults = read(&[(ISSUER, wrong), both[1]]).unwrap_err();
            assert!(faults.0[0].starts_with(ISSUER), "{wrong}: {faults}");
        }
    }
}
