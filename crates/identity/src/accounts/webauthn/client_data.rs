//! Client data: challenge, operation, and origin as the browser reports them. The authenticator's signature
//! covers it.

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::relying_party::RelyingParty;

/// Operation that the browser performed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum CredentialOperation {
    Create,
    Get,
}

/// Checked client data.
#[derive(Debug)]
pub(in super::super) struct ClientData {
    /// Challenge as the browser received it.
    pub(in super::super) challenge: String,
    /// SHA-256 of the JSON, which the authenticator signs.
    pub(in super::super) hash: [u8; 32],
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawClientData {
    #[serde(rename = "type")]
    kind: String,
    challenge: String,
    origin: String,
    #[serde(default)]
    cross_origin: bool,
}

impl ClientData {
    /// Parses client data. `None` if its operation or its origin is not the expected one, or if the page was embedded
    /// in a page of another origin.
    pub(in super::super) fn parse(
        json: &[u8],
        operation: CredentialOperation,
        party: &RelyingParty,
    ) -> Option<Self> {
        let raw: RawClientData = serde_json::from_slice(json).ok()?;
        let kind = match operation {
            CredentialOperation::Create => "webauthn.create",
            CredentialOperation::Get => "webauthn.get",
        };
        let is_ours = raw.kind == kind && raw.origin == party.origin && !raw.cross_origin;
        is_ours.then(|| Self { challenge: raw.challenge, hash: Sha256::digest(json).into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn client_data_of_another_operation_or_origin_is_refused() {
        let party = RelyingParty { id: "a.example".into(), origin: "https://a.example".into() };
        let parse = |json: &str| ClientData::parse(json.as_bytes(), CredentialOperation::Get, &party);
        let json = r#"{"type":"webauthn.get","challenge":"abc","origin":"https://a.example","crossOrigin":false,"other":1}"#;
        assert_eq!(parse(json).unwrap().challenge, "abc");
        for (part, other) in [
            ("webauthn.get", "webauthn.create"),
            ("https://a.example", "https://b.example"),
            ("https://a.example", "https://a.example.evil.example"),
            ("\"crossOrigin\":false", "\"crossOrigin\":true"),
            ("\"challenge\":\"abc\",", ""),
        ] {
            assert!(parse(&json.replace(part, other)).is_none(), "{other}");
        }
        assert!(parse("rubbish").is_none());
    }
}
