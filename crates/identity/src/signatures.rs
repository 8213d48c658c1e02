//! Signatures of signed tokens (RFC 7515, 7518, 8037) and the keys that verify them (RFC 7517). The cryptography is
//! that of `ring`, which TLS already uses. This module only verifies signatures.

use data_encoding::BASE64URL_NOPAD;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RSA_PSS_2048_8192_SHA256, RsaParameters,
    RsaPublicKeyComponents, UnparsedPublicKey, VerificationAlgorithm,
};
use serde::Deserialize;
use serde_json::Value;

/// Maximum number of keys of a set that are considered.
const MAX_KEYS: usize = 50;

/// Signature algorithm of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// RSA, PKCS #1 1.5, SHA-256.
    Rs256,
    /// RSA, PSS, SHA-256.
    Ps256,
    /// ECDSA, P-256, SHA-256.
    Es256,
    /// Ed25519.
    EdDsa,
}

/// A public key (RFC 7517, 4).
#[derive(Debug, Deserialize)]
pub(crate) struct JsonWebKey {
    kty: String,
    kid: Option<String>,
    #[serde(rename = "use")]
    purpose: Option<String>,
    alg: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

impl Algorithm {
    pub const ALL: [Self; 4] = [Self::Rs256, Self::Ps256, Self::Es256, Self::EdDsa];

    /// Name in headers and metadata.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rs256 => "RS256",
            Self::Ps256 => "PS256",
            Self::Es256 => "ES256",
            Self::EdDsa => "EdDSA",
        }
    }

    /// Parses an algorithm's name.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|algorithm| algorithm.as_str() == name)
    }
}

/// Parses the keys of a set. Invalid keys are skipped.
pub(crate) fn keys(set: &str) -> Vec<JsonWebKey> {
    let set: Value = serde_json::from_str(set).unwrap_or_default();
    let listed = set["keys"].as_array().map(Vec::as_slice).unwrap_or_default();
    listed.iter().take(MAX_KEYS).filter_map(|key| JsonWebKey::deserialize(key).ok()).collect()
}

impl JsonWebKey {
    /// Returns whether this key has the id `kid`, if one is given, and can be used with `algorithm`.
    pub(crate) fn fits(&self, kid: Option<&str>, algorithm: Algorithm) -> bool {
        let is_named = kid.is_none_or(|kid| self.kid.as_deref() == Some(kid));
        let is_for = self.alg.as_deref().is_none_or(|alg| alg == algorithm.as_str());
        let is_for_signing = self.purpose.as_deref().is_none_or(|purpose| purpose == "sig");
        let family = match algorithm {
            Algorithm::Rs256 | Algorithm::Ps256 => self.kty == "RSA",
            Algorithm::Es256 => self.kty == "EC" && self.crv.as_deref() == Some("P-256"),
            Algorithm::EdDsa => self.kty == "OKP" && self.crv.as_deref() == Some("Ed25519"),
        };
        is_named && is_for && is_for_signing && family
    }

    /// Returns whether `signature` is a signature of `message` by this key.
    pub(crate) fn verifies(&self, algorithm: Algorithm, message: &[u8], signature: &[u8]) -> bool {
        match algorithm {
            Algorithm::Rs256 => self.verifies_rsa(&RSA_PKCS1_2048_8192_SHA256, message, signature),
            Algorithm::Ps256 => self.verifies_rsa(&RSA_PSS_2048_8192_SHA256, message, signature),
            Algorithm::Es256 => {
                let point = bytes(self.x.as_ref()).zip(bytes(self.y.as_ref()));
                let point = point.filter(|(x, y)| x.len() == 32 && y.len() == 32);
                let point = point.map(|(x, y)| [vec![4], x, y].concat());
                point.is_some_and(|point| verifies(&ECDSA_P256_SHA256_FIXED, &point, message, signature))
            }
            Algorithm::EdDsa => {
                bytes(self.x.as_ref()).is_some_and(|point| verifies(&ED25519, &point, message, signature))
            }
        }
    }

    fn verifies_rsa(&self, parameters: &RsaParameters, message: &[u8], signature: &[u8]) -> bool {
        let Some((n, e)) = bytes(self.n.as_ref()).zip(bytes(self.e.as_ref())) else { return false };
        RsaPublicKeyComponents { n, e }.verify(parameters, message, signature).is_ok()
    }
}

fn verifies(
    algorithm: &'static dyn VerificationAlgorithm,
    key: &[u8],
    message: &[u8],
    signature: &[u8],
) -> bool {
    UnparsedPublicKey::new(algorithm, key).verify(message, signature).is_ok()
}

fn bytes(text: Option<&String>) -> Option<Vec<u8>> {
    BASE64URL_NOPAD.decode(text?.as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const MESSAGE: &[u8] = b"header.claims";
    const N: &str = "4stFvhvROOB-WDD0FI2BR9_bPbRIKbb4jz6pJV-LN2YmRBaEPr16VrI3ADIN8_KHSe--b9pDTgAr6jvD8ywdknrfm2a2RilZrEei\
        EyOETb9GIeQEToxmQiSqONJekkDaUXrZdd6X9dXWJUso3aHi7YBWmA0SD5mfSMNU5ApNogkWffNfOSdYbjbQKxEE185WLH-fiHb9\
        vmb9xaN_fk870qISwiaJCoyvw3isOhJGN2Q-Bn0Ij06VeW52uabqbZN4fDCzZWejotIB-rd1VRjjNjIr59QKZ5gIG--iHbKnxfcL\
        v3wXJTAFk3lIc5Pd0Rykf3eqoaJwO5sDv5qabu-Y8w";
    const RS256_SIGNATURE: &str = "dsBDhhiS5oWiIPh4wzQreCXTnoVgq_KpvvshHb6bT8tkUoJl013KVYKctBfZErnQ47YCvwP2rXmwWaINN9mxUNF52jk1a_8VWESG\
        gq0P0Ll7KEmv3Pdk7HnQk4k3xT45noPWcV5oVp82Es14lxcs7NB-wVE4Y864xa34eq_N-seJBbPxlPVjdGpggTZv5bH0PvxiAFj3\
        a_ouN4EroAuEVJ5Id6n6Um3SY06PzDgwKNxMwdfrdH5gwKgN7LsKrEw0mMFWlqje9qcwUo7KPlJOYk4iqlCWVn1UoIYK-nUUw5cL\
        gwvpvQDa_wmkDCj4xq4nDG9Tfx2qT-rTusIhalfnEg";
    const PS256_SIGNATURE: &str = "Ee_xzlZ6dbetMzFRMNWfjcIhpU5R10eTygFKguIFmbdrfXXdp43tvT8d0v_UzCtLNTGX90dYGth9IaLuaeYANHAxKQdrZw5CATEl\
        agJpQgVuO8jIgFlQNgu8GoSKRvD-x2D89BcI8kpmSV517ysOz367aMakfzaqV_paxvdP0phsK7zicD6pqE5v_89_NTGlQN-zqoqo\
        YnvnGgkODy05U55-16o5mVtcyysnvNnGKoCBTwk3fEnOcCbnLDh2dIUfTtfy-06ogPaP4PbGqq62Xyy0joQp10qhgsCIpIek5XUf\
        6U5ME89gRy2j809lbAhS2k0RdFhloN5S4MxOPu6iFA";

    #[test]
    fn rsa_signature_verifies_only_with_its_algorithm_and_message() {
        let set = json!({"keys": [
            {"kty": "oct", "k": "AAAA"},
            {"kty": "RSA", "kid": "a", "use": "sig", "n": N, "e": "AQAB", "x5c": ["ignored"]},
        ]});
        let usable = keys(&set.to_string());
        let key = usable.iter().find(|key| key.fits(Some("a"), Algorithm::Rs256)).unwrap();
        for (algorithm, signature) in
            [(Algorithm::Rs256, RS256_SIGNATURE), (Algorithm::Ps256, PS256_SIGNATURE)]
        {
            let signature = BASE64URL_NOPAD.decode(signature.as_bytes()).unwrap();
            assert!(key.verifies(algorithm, MESSAGE, &signature), "{algorithm:?}");
            assert!(!key.verifies(algorithm, b"header.others", &signature), "{algorithm:?}");
            for other in Algorithm::ALL.into_iter().filter(|other| *other != algorithm) {
                assert!(!key.verifies(other, MESSAGE, &signature), "{algorithm:?} as {other:?}");
            }
        }
    }

    #[test]
    fn key_is_selected_by_id_type_and_use() {
        let key = |value: Value| keys(&json!({"keys": [value]}).to_string()).pop().unwrap();
        let rsa = key(json!({"kty": "RSA", "kid": "a", "alg": "RS256", "n": N, "e": "AQAB"}));
        assert!(rsa.fits(Some("a"), Algorithm::Rs256) && rsa.fits(None, Algorithm::Rs256));
        assert!(!rsa.fits(Some("b"), Algorithm::Rs256) && !rsa.fits(Some("a"), Algorithm::Ps256));
        assert!(!key(json!({"kty": "RSA", "use": "enc"})).fits(None, Algorithm::Rs256));
        assert!(!key(json!({"kty": "EC", "crv": "P-384"})).fits(None, Algorithm::Es256));
        assert!(keys("rubbish").is_empty() && keys("[]").is_empty());
    }
}
