//! Authenticator in software, with one passkey: ES256, without attestation.

use data_encoding::BASE64URL_NOPAD;
use ring::digest::{SHA256, digest};
use ring::rand::{SecureRandom, SystemRandom};
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::json;

/// Flags of a present and verified person.
pub(crate) const VERIFIED: u8 = 0x05;
/// Flag of a new credential.
const HAS_CREDENTIAL: u8 = 0x40;

/// Authenticator with one passkey. Tests change its fields to imitate another site or device.
pub(crate) struct SoftwarePasskey {
    key: EcdsaKeyPair,
    random: SystemRandom,
    credential_id: [u8; 16],
    /// Origin of the page that uses the passkey.
    pub(crate) origin: String,
    /// Host name to which the passkey is bound.
    pub(crate) party: String,
    /// Handle of the account in base64url.
    pub(crate) user_handle: String,
    /// Signature counter of the next signature.
    pub(crate) sign_count: u32,
    pub(crate) flags: u8,
}

/// Form fields of an answer.
pub(crate) type Answer = Vec<(&'static str, String)>;

impl SoftwarePasskey {
    pub(crate) fn new(party: &str, user_handle: &str) -> Self {
        let random = SystemRandom::new();
        let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).unwrap();
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, pkcs8.as_ref(), &random).unwrap();
        let mut credential_id = [0; 16];
        random.fill(&mut credential_id).unwrap();
        Self {
            key,
            random,
            credential_id,
            origin: format!("https://{party}"),
            party: party.to_owned(),
            user_handle: user_handle.to_owned(),
            sign_count: 0,
            flags: VERIFIED,
        }
    }

    /// Answers the challenge of a registration.
    pub(crate) fn register(&self, challenge: &str) -> Answer {
        let mut data = self.authenticator_data(self.flags | HAS_CREDENTIAL);
        data.extend([0; 16]);
        data.extend([0, 16]);
        data.extend(self.credential_id);
        let point: &[u8] = self.key.public_key().as_ref();
        data.extend([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 32]);
        data.extend(&point[1..33]);
        data.extend([0x22, 0x58, 32]);
        data.extend(&point[33..]);
        let length = u16::try_from(data.len()).unwrap().to_be_bytes();
        let object =
            [b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59".as_slice(), &length, &data].concat();
        vec![
            ("clientData", encode(&self.client_data("webauthn.create", challenge))),
            ("attestation", encode(&object)),
        ]
    }

    /// Answers the challenge of a sign-in.
    pub(crate) fn sign_in(&self, challenge: &str) -> Answer {
        let client_data = self.client_data("webauthn.get", challenge);
        let data = self.authenticator_data(self.flags);
        let message = [data.as_slice(), digest(&SHA256, &client_data).as_ref()].concat();
        let signature = self.key.sign(&self.random, &message).unwrap();
        vec![
            ("credentialId", encode(&self.credential_id)),
            ("clientData", encode(&client_data)),
            ("authenticatorData", encode(&data)),
            ("signature", encode(signature.as_ref())),
            ("userHandle", self.user_handle.clone()),
        ]
    }

    fn client_data(&self, kind: &str, challenge: &str) -> Vec<u8> {
        let data = json!({"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": false});
        data.to_string().into_bytes()
    }

    fn authenticator_data(&self, flags: u8) -> Vec<u8> {
        let id_hash = digest(&SHA256, self.party.as_bytes());
        [id_hash.as_ref(), &[flags], &self.sign_count.to_be_bytes()].concat()
    }
}

fn encode(bytes: &[u8]) -> String {
    BASE64URL_NOPAD.encode(bytes)
}
