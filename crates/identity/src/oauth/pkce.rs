//! Proof Key for Code Exchange (RFC 7636), S256 alone.

use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// Whether `text` is a challenge of the method S256: 32 bytes as base64url without padding (4.2).
pub(super) fn is_challenge(text: &str) -> bool {
    text.len() == 43 && BASE64URL_NOPAD.decode(text.as_bytes()).is_ok_and(|bytes| bytes.len() == 32)
}

/// Whether `verifier` has the form of one (4.1) and is the one that `challenge` was made of (4.6).
pub(super) fn proves(challenge: &str, verifier: &str) -> bool {
    let is_unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    if !(43..=128).contains(&verifier.len()) || !verifier.bytes().all(is_unreserved) {
        return false;
    }
    let made = BASE64URL_NOPAD.encode(&Sha256::digest(verifier.as_bytes()));
    made.as_bytes().ct_eq(challenge.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 7636, appendix B.
    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    #[test]
    fn the_verifier_of_a_challenge_proves_it_and_no_other() {
        assert!(is_challenge(CHALLENGE) && proves(CHALLENGE, VERIFIER));
        assert!(!proves(CHALLENGE, &VERIFIER.replace('d', "e")));
        assert!(!proves(CHALLENGE, CHALLENGE), "a plain challenge is none");
        for text in ["", &CHALLENGE[1..], &format!("{CHALLENGE}A"), &CHALLENGE.replace('E', "+")] {
            assert!(!is_challenge(text), "{text}");
        }
        let short = &VERIFIER[..42];
        let made = BASE64URL_NOPAD.encode(&Sha256::digest(short.as_bytes()));
        assert!(!proves(&made, short), "a verifier has 43 characters");
    }
}
