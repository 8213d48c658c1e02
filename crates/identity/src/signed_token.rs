//! Signed tokens in compact form (RFC 7515, 7519), parsed strictly: three parts, one of four algorithms with public
//! keys, and no critical extension. Unsigned tokens, and tokens signed with a shared secret, are refused.

use data_encoding::BASE64URL_NOPAD;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::signatures::{self, Algorithm};
use kernel::Millis;
use kernel::clock::SECOND;

/// Tolerated clock skew.
pub(crate) const SKEW: Millis = 30 * SECOND;

/// Reason why a token is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenFault {
    /// No known key has this id, or the token has no key id and several keys fit. The issuer may have created a
    /// new key.
    UnknownKey,
    /// Any other reason.
    Invalid,
}

#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    #[serde(default)]
    crit: serde_json::Value,
}

/// The claim `aud`: one audience, or a list.
#[derive(Deserialize, Serialize)]
#[serde(untagged)]
pub(crate) enum Audiences {
    One(String),
    More(Vec<String>),
}

impl Audiences {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        let all = match self {
            Self::One(audience) => std::slice::from_ref(audience),
            Self::More(audiences) => audiences.as_slice(),
        };
        all.iter().map(String::as_str)
    }
}

/// Verifies the signature of a token of at most `max_bytes` with a set of keys (RFC 7517), and returns its claims,
/// which are not validated.
pub(crate) fn verify<T: DeserializeOwned>(
    keys: &str,
    token: &str,
    max_bytes: usize,
) -> Result<T, TokenFault> {
    if token.len() > max_bytes {
        return Err(TokenFault::Invalid);
    }
    let parts: Vec<&str> = token.split('.').collect();
    let &[header, claims, signature] = parts.as_slice() else { return Err(TokenFault::Invalid) };
    let parsed_header: Header = part(header).ok_or(TokenFault::Invalid)?;
    let algorithm = Algorithm::parse(&parsed_header.alg)
        .filter(|_| parsed_header.crit.is_null())
        .ok_or(TokenFault::Invalid)?;
    let signature = BASE64URL_NOPAD.decode(signature.as_bytes()).map_err(|_| TokenFault::Invalid)?;
    let message = &token[..header.len() + 1 + claims.len()];
    let all = signatures::keys(keys);
    let mut matching = all.iter().filter(|key| key.fits(parsed_header.kid.as_deref(), algorithm));
    let (Some(key), None) = (matching.next(), matching.next()) else {
        // Without a key id, it is unknown which of several keys to use.
        return Err(TokenFault::UnknownKey);
    };
    if !key.verifies(algorithm, message.as_bytes(), &signature) {
        return Err(TokenFault::Invalid);
    }
    part(claims).ok_or(TokenFault::Invalid)
}

/// Returns whether a set has keys.
pub(crate) fn has_keys(keys: &str) -> bool {
    !signatures::keys(keys).is_empty()
}

/// Decodes a part of a token. `None` if it is not the expected JSON in base64url.
pub(crate) fn part<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_slice(&BASE64URL_NOPAD.decode(text.as_bytes()).ok()?).ok()
}

/// Converts the seconds of a claim to milliseconds.
#[expect(
    clippy::cast_possible_truncation,
    reason = "out-of-range values saturate, and the bounds are never valid times"
)]
pub(crate) fn millis(seconds: f64) -> Millis {
    (seconds * 1000.0) as Millis
}
