//! Proof Key for Code Exchange (RFC 7636), S256 only.

use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// True if `text` is an S256 challenge: 32 bytes as base64url without padding (4.2).
pub(super) fn is_challenge(text: &str) -> bool {
    text.len() == 43 && BASE64URL_NOPAD.decode(text.as_bytes()).is_ok_and(|bytes| bytes.len() == 32)
}

/// True if `verifier` is well-formed (4.1) and matches `challenge` (4.6).
pub(super) fn matches_challenge(challenge: &str, verifier: &str) -> bool {
    let is_unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    if !(43..=128).contains(&verifier.len()) || !verifier.bytes().all(is_unreserved) {
        return false;
    }
    let computed = BASE64URL_NOPAD.encode(&Sha256::digest(verifier.as_bytes()));
    computed.as_bytes().ct_eq(challenge.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 7636, appendix B.
    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    #[test]
    fn challenge_is_matched_only_by_its_verifier() {
        assert!(is_challenge(CHALLENGE) && matches_challenge(CHALLENGE, VERIFIER));
        assert!(!matches_challenge(CHALLENGE, &VERIFIER.replace('d', "e")));
        assert!(!matches_challenge(CHALLENGE, CHALLENGE), "plain challenges are not accepted");
        for text in ["", &CHALLENGE[1..], &format!("{CHALLENGE}A"), &CHALLENGE.replace('E', "+")] {
            assert!(!is_challenge(text), "{text}");
        }
        let short = &VERIFIER[..42];
        let computed = BASE64URL_NOPAD.encode(&Sha256::digest(short.as_bytes()));
        assert!(!matches_challenge(&computed, short), "a verifier has at least 43 characters");
    }
}
