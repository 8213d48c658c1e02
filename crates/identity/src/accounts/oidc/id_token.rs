//! ID tokens (OpenID Connect Core 1.0, 3.1.3.7).

use serde::Deserialize;
use serde_json::Value;
use subtle::ConstantTimeEq;

use crate::signed_token::{Audiences, SKEW, millis};
use kernel::Millis;

/// Maximum length of an ID token, in bytes. Some providers list the groups of the person in it.
pub(super) const MAX_BYTES: usize = 64 * 1024;
/// Maximum length of a subject, in bytes (OpenID Connect Core 1.0, 2).
const MAX_SUBJECT_BYTES: usize = 255;
/// Maximum length of the label of a person, in characters.
const MAX_LABEL_CHARS: usize = 200;

/// Values that an ID token must have.
#[derive(Clone, Copy)]
pub(super) struct ExpectedClaims<'a> {
    pub(super) issuer: &'a str,
    pub(super) client_id: &'a str,
    pub(super) nonce: &'a str,
}

/// Claims about a person, from an ID token or the userinfo endpoint.
#[derive(Debug, Deserialize)]
pub(super) struct PersonClaims {
    email: Option<String>,
    #[serde(default)]
    email_verified: Value,
    #[serde(default)]
    preferred_username: Value,
    #[serde(default)]
    name: Value,
}

impl PersonClaims {
    pub(super) fn has_email(&self) -> bool {
        self.email.is_some()
    }

    /// Returns the e-mail address, or else a name, as a label of the person. `None` if no claim has a visible
    /// character. A label longer than [`MAX_LABEL_CHARS`] is truncated, with an ellipsis at its end.
    pub(super) fn label(&self) -> Option<String> {
        let names = [self.email.as_deref(), self.preferred_username.as_str(), self.name.as_str()];
        names.into_iter().flatten().map(label_of).find(|label| !label.is_empty())
    }

    /// Returns the address if the provider has verified it. Some providers send the string `"true"` instead of the
    /// boolean.
    pub(super) fn verified(&self) -> Option<&str> {
        let is_verified = self.email_verified == Value::Bool(true) || self.email_verified == "true";
        self.email.as_deref().filter(|_| is_verified)
    }
}

/// Claims of an ID token whose signature was verified.
#[derive(Deserialize)]
pub(super) struct IdClaims {
    iss: String,
    sub: String,
    aud: Audiences,
    azp: Option<String>,
    exp: f64,
    iat: f64,
    nonce: Option<String>,
    #[serde(flatten)]
    person: PersonClaims,
}

/// Person whom the provider has authenticated.
#[derive(Debug)]
pub(super) struct ProviderPerson {
    pub(super) subject: String,
    pub(super) claims: PersonClaims,
}

impl IdClaims {
    /// Validates the claims.
    ///
    /// # Errors
    /// Returns the name of the first invalid claim.
    pub(super) fn validate(
        self,
        expected: ExpectedClaims<'_>,
        now: Millis,
    ) -> Result<ProviderPerson, &'static str> {
        let nonce = self.nonce.as_deref().unwrap_or_default();
        let is_authorized_party = match &self.azp {
            Some(party) => party == expected.client_id,
            None => self.aud.iter().count() == 1,
        };
        let checks = [
            ("iss", self.iss == expected.issuer),
            ("aud", self.aud.iter().any(|audience| audience == expected.client_id)),
            ("azp", is_authorized_party),
            ("exp", millis(self.exp) > now - SKEW),
            ("iat", millis(self.iat) <= now + SKEW),
            ("nonce", nonce.as_bytes().ct_eq(expected.nonce.as_bytes()).into()),
            ("sub", (1..=MAX_SUBJECT_BYTES).contains(&self.sub.len()) && !self.sub.contains('\0')),
        ];
        match checks.into_iter().find(|(_, is_valid)| !is_valid) {
            Some((claim, _)) => Err(claim),
            None => Ok(ProviderPerson { subject: self.sub, claims: self.person }),
        }
    }
}

fn label_of(name: &str) -> String {
    let visible: String = name.chars().filter(|letter| !letter.is_control()).collect();
    let label = visible.trim();
    if label.chars().count() <= MAX_LABEL_CHARS {
        return label.to_owned();
    }
    label.chars().take(MAX_LABEL_CHARS - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const NOW: Millis = 1_800_000_000_000;
    const EXPECTED: ExpectedClaims<'static> =
        ExpectedClaims { issuer: "https://id.example.org", client_id: "carrel", nonce: "n" };

    fn claims() -> Value {
        json!({
            "iss": "https://id.example.org", "sub": "248", "aud": "carrel", "exp": NOW / 1000 + 300,
            "iat": NOW / 1000, "nonce": "n", "email": "ada@example.org", "email_verified": true, "groups": ["a"],
        })
    }

    fn validate(claims: &Value) -> Result<ProviderPerson, &'static str> {
        serde_json::from_value::<IdClaims>(claims.clone()).map_err(|_| "format")?.validate(EXPECTED, NOW)
    }

    #[test]
    fn valid_claims_identify_the_person() {
        let person = validate(&claims()).unwrap();
        assert_eq!((person.subject.as_str(), person.claims.verified()), ("248", Some("ada@example.org")));
        let mut several = claims();
        several["aud"] = json!(["other", "carrel"]);
        assert_eq!(validate(&several).unwrap_err(), "azp");
        several["azp"] = json!("carrel");
        assert!(validate(&several).is_ok());
    }

    #[test]
    fn wrong_claims_are_refused() {
        for (claim, value) in [
            ("iss", json!("https://id.example.org/")),
            ("aud", json!("other")),
            ("aud", json!([])),
            ("azp", json!("other")),
            ("exp", json!(NOW / 1000 - 31)),
            ("iat", json!(NOW / 1000 + 31)),
            ("nonce", json!("m")),
            ("nonce", Value::Null),
            ("sub", json!("")),
            ("sub", json!("a".repeat(MAX_SUBJECT_BYTES + 1))),
        ] {
            let mut wrong = claims();
            wrong[claim] = value;
            assert_eq!(validate(&wrong).unwrap_err(), claim, "{wrong}");
        }
    }

    #[test]
    fn address_is_returned_only_if_it_is_verified() {
        for (value, is_verified) in [
            (json!(true), true),
            (json!("true"), true),
            (json!(false), false),
            (json!(1), false),
            (Value::Null, false),
        ] {
            let mut stated = claims();
            stated["email_verified"] = value;
            assert_eq!(validate(&stated).unwrap().claims.verified().is_some(), is_verified, "{stated}");
        }
    }

    #[test]
    fn label_is_the_address_or_a_name_of_at_most_200_characters() {
        let label = |claims: Value| serde_json::from_value::<PersonClaims>(claims).unwrap().label();
        let person = json!({"email": "ada@example.org", "preferred_username": "ada", "name": "Ada"});
        assert_eq!(label(person).as_deref(), Some("ada@example.org"));
        assert_eq!(
            label(json!({"email": " \n", "preferred_username": 7, "name": "A\u{0}da "})).as_deref(),
            Some("Ada")
        );
        assert_eq!(label(json!({"email": null})), None);
        let exact = "é".repeat(200);
        assert_eq!(label(json!({"name": exact})).as_deref(), Some(exact.as_str()));
        let cut = label(json!({"name": format!("{exact}é")})).unwrap();
        assert!(cut.chars().count() == 200 && cut.ends_with("é…"), "{cut}");
    }
}
