//! Signed client assertions (RFC 7521, 7523: `private_key_jwt`), with a short lifetime and a `jti` that is
//! accepted once.

use serde::{Deserialize, Serialize};

use crate::signed_token::{self, Audiences, SKEW, TokenFault, millis};
use kernel::Millis;
use kernel::clock::MINUTE;

/// Maximum length of an assertion, in bytes.
const MAX_BYTES: usize = 8 * 1024;
/// Maximum length of a `jti`, in bytes.
const MAX_JTI: usize = 256;
/// Maximum lifetime of an assertion.
const MAX_LIFE: Millis = 10 * MINUTE;

/// An assertion that is valid if its `jti` was not used before.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Assertion {
    /// The `jti`, accepted once per app.
    pub(super) jti: String,
    /// Time until which a repeated `jti` must be rejected.
    pub(super) expires_at: Millis,
}

#[derive(Deserialize, Serialize)]
struct Claims {
    iss: String,
    sub: String,
    aud: Audiences,
    exp: f64,
    nbf: Option<f64>,
    iat: Option<f64>,
    jti: String,
}

/// Returns the issuer that an assertion names, without verifying it.
pub(super) fn issuer(assertion: &str) -> Option<String> {
    let claims = assertion.split('.').nth(1).filter(|_| assertion.len() <= MAX_BYTES)?;
    signed_token::part::<Claims>(claims).map(|claims| claims.iss)
}

/// Checks that the app `client_id` with these keys signed an assertion for one of `audiences`.
pub(super) fn check(
    keys: &str,
    client_id: &str,
    assertion: &str,
    audiences: &[&str],
    now: Millis,
) -> Result<Assertion, TokenFault> {
    let claims = signed_token::verify(keys, assertion, MAX_BYTES)?;
    validate(claims, client_id, audiences, now).ok_or(TokenFault::Invalid)
}

/// Validates claims whose signature was verified. `None` if they are for another app or audience, or not valid at
/// `now`.
fn validate(claims: Claims, client_id: &str, audiences: &[&str], now: Millis) -> Option<Assertion> {
    let is_for_us = claims.aud.iter().any(|audience| audiences.contains(&audience));
    let expires_at = millis(claims.exp);
    let is_now = expires_at > now - SKEW && expires_at <= now + MAX_LIFE + SKEW;
    let has_begun = [claims.nbf, claims.iat].into_iter().flatten().all(|at| millis(at) <= now + SKEW);
    let is_named = (1..=MAX_JTI).contains(&claims.jti.len());
    let is_own = claims.iss == client_id && claims.sub == client_id;
    (is_for_us && is_now && has_begun && is_named && is_own)
        .then(|| Assertion { jti: claims.jti, expires_at: expires_at + 2 * SKEW })
}

#[cfg(test)]
mod tests {
    use data_encoding::BASE64URL_NOPAD;
    use ring::rand::SystemRandom;
    use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair};
    use serde_json::{Value, json};

    use super::*;

    const ID: &str = "https://example.org/client.json";
    const AUDIENCES: [&str; 2] = ["https://carrel.example", "https://carrel.example/oauth/token"];
    const NOW: Millis = 1_800_000_000_000;

    struct Signer {
        pair: Ed25519KeyPair,
    }

    impl Signer {
        fn new() -> Self {
            let document = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
            Self { pair: Ed25519KeyPair::from_pkcs8(document.as_ref()).unwrap() }
        }

        fn keys(&self) -> String {
            let x = BASE64URL_NOPAD.encode(self.pair.public_key().as_ref());
            json!({"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "1", "x": x}]}).to_string()
        }

        fn sign(&self, header: &Value, claims: &Value) -> String {
            let part = |value: &Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
            let message = format!("{}.{}", part(header), part(claims));
            let signature = self.pair.sign(message.as_bytes());
            format!("{message}.{}", BASE64URL_NOPAD.encode(signature.as_ref()))
        }
    }

    fn claims() -> Value {
        json!({"iss": ID, "sub": ID, "aud": AUDIENCES[0], "exp": NOW / 1000 + 300, "iat": NOW / 1000, "jti": "a"})
    }

    fn header() -> Value {
        json!({"alg": "EdDSA", "kid": "1", "typ": "JWT"})
    }

    #[test]
    fn signed_assertion_authenticates_the_app() {
        let signer = Signer::new();
        let check_claims =
            |claims: &Value| check(&signer.keys(), ID, &signer.sign(&header(), claims), &AUDIENCES, NOW);
        let good = check_claims(&claims()).unwrap();
        assert_eq!((good.jti.as_str(), good.expires_at), ("a", NOW + 360_000));
        let mut two_audiences = claims();
        two_audiences["aud"] = json!(["https://other.example", AUDIENCES[1]]);
        assert!(check_claims(&two_audiences).is_ok());
        assert_eq!(issuer(&signer.sign(&header(), &claims())).as_deref(), Some(ID));
        assert_eq!(issuer("a.b.c"), None);
    }

    #[test]
    fn assertion_with_wrong_party_audience_or_time_is_rejected() {
        let signer = Signer::new();
        for (jti, value) in [
            ("iss", json!("https://evil.example/client.json")),
            ("sub", json!("https://evil.example/client.json")),
            ("aud", json!("https://other.example")),
            ("aud", json!([])),
            ("exp", json!(NOW / 1000 - 31)),
            ("exp", json!(NOW / 1000 + 660)),
            ("exp", json!(1e300)),
            ("exp", Value::Null),
            ("nbf", json!(NOW / 1000 + 60)),
            ("iat", json!(NOW / 1000 + 60)),
            ("jti", json!("")),
            ("jti", Value::Null),
        ] {
            let mut invalid = claims();
            invalid[jti] = value;
            let assertion = signer.sign(&header(), &invalid);
            assert_eq!(
                check(&signer.keys(), ID, &assertion, &AUDIENCES, NOW),
                Err(TokenFault::Invalid),
                "{invalid}"
            );
        }
        for (invalid, fault) in [
            (json!({"alg": "none", "kid": "1"}), TokenFault::Invalid),
            (json!({"alg": "HS256", "kid": "1"}), TokenFault::Invalid),
            (json!({"alg": "EdDSA", "kid": "1", "crit": ["b64"]}), TokenFault::Invalid),
            (json!({"alg": "EdDSA", "kid": "2"}), TokenFault::UnknownKey),
            (json!({"alg": "ES256", "kid": "1"}), TokenFault::UnknownKey),
        ] {
            let assertion = signer.sign(&invalid, &claims());
            assert_eq!(check(&signer.keys(), ID, &assertion, &AUDIENCES, NOW), Err(fault), "{invalid}");
        }
        let good = signer.sign(&header(), &claims());
        let keys = Signer::new().keys();
        assert_eq!(
            check(&keys, ID, &good, &AUDIENCES, NOW),
            Err(TokenFault::Invalid),
            "another key with the same id"
        );
        let unsigned = good.rsplit_once('.').unwrap().0;
        for invalid in [
            unsigned.to_owned(),
            format!("{unsigned}."),
            format!("{good}.x"),
            format!("{good}="),
            "..".into(),
        ] {
            assert_eq!(
                check(&signer.keys(), ID, &invalid, &AUDIENCES, NOW),
                Err(TokenFault::Invalid),
                "{invalid}"
            );
        }
    }

    #[test]
    fn p256_signatures_are_accepted() {
        let random = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
        let pair =
            EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref(), &random).unwrap();
        let (x, y) = pair.public_key().as_ref()[1..].split_at(32);
        let [x, y] = [x, y].map(|half| BASE64URL_NOPAD.encode(half));
        let keys = json!({"keys": [{"kty": "EC", "crv": "P-256", "x": x, "y": y}]}).to_string();
        let part = |value: Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
        let message = format!("{}.{}", part(json!({"alg": "ES256"})), part(claims()));
        let signature = pair.sign(&random, message.as_bytes()).unwrap();
        let assertion = format!("{message}.{}", BASE64URL_NOPAD.encode(signature.as_ref()));
        assert!(check(&keys, ID, &assertion, &AUDIENCES, NOW).is_ok(), "a single key needs no id");
    }
}
