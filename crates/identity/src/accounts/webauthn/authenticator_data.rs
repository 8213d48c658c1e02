//! Authenticator data: the relying party, the flags, the signature counter, and the key of a new passkey.

use super::cbor::CborReader;
use super::cose_key::CoseKey;
use super::relying_party::RelyingParty;

/// Flag: a person was present.
const PRESENT: u8 = 0x01;
/// Flag: the person was verified, by a fingerprint, a face, or a PIN.
const VERIFIED: u8 = 0x04;
/// Flag: the passkey may be stored on several devices.
const MAY_BE_BACKED_UP: u8 = 0x08;
/// Flag: the passkey is stored on several devices.
const BACKED_UP: u8 = 0x10;
/// Flag: a new credential follows.
const HAS_CREDENTIAL: u8 = 0x40;
/// Length of the authenticator model id (AAGUID) that precedes a new credential.
const MODEL_BYTES: usize = 16;
/// Maximum length of a credential id.
const MAX_CREDENTIAL_ID: usize = 1023;

/// Checked authenticator data.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct AuthenticatorData<'a> {
    /// Signature counter. 0 if the authenticator has none.
    pub(in super::super) sign_count: u32,
    has_credential: bool,
    rest: &'a [u8],
}

/// Credential of a new passkey.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct NewCredential<'a> {
    pub(in super::super) id: &'a [u8],
    /// Public key as a COSE key.
    pub(in super::super) public_key: &'a [u8],
}

impl<'a> AuthenticatorData<'a> {
    /// Parses authenticator data. `None` if the data is for another relying party, or if the person was not verified.
    pub(in super::super) fn parse(bytes: &'a [u8], party: &RelyingParty) -> Option<Self> {
        let (id_hash, rest) = bytes.split_first_chunk::<32>()?;
        let (flags, rest) = rest.split_first()?;
        let (count, rest) = rest.split_first_chunk::<4>()?;
        let has = |flag: u8| flags & flag != 0;
        let is_consistent = has(MAY_BE_BACKED_UP) || !has(BACKED_UP);
        let is_valid = *id_hash == party.id_hash() && has(PRESENT) && has(VERIFIED) && is_consistent;
        is_valid.then(|| Self {
            sign_count: u32::from_be_bytes(*count),
            has_credential: has(HAS_CREDENTIAL),
            rest,
        })
    }

    /// Returns the authenticator data in an attestation object. Its statement is ignored.
    pub(in super::super) fn in_attestation(object: &'a [u8], party: &RelyingParty) -> Option<Self> {
        let mut reader = CborReader::new(object);
        let mut data = None;
        for _ in 0..reader.map()? {
            match reader.text()? {
                "authData" => data = Some(reader.bytes()?),
                _ => reader.skip()?,
            }
        }
        Self::parse(data.filter(|_| reader.rest().is_empty())?, party)
    }

    /// Returns the credential of a new passkey. `None` if there is none, or if its key is not supported.
    pub(in super::super) fn credential(&self) -> Option<NewCredential<'a>> {
        let (_, rest) = self.rest.split_at_checked(MODEL_BYTES).filter(|_| self.has_credential)?;
        let (length, rest) = rest.split_first_chunk::<2>()?;
        let length = usize::from(u16::from_be_bytes(*length));
        let (id, rest) = rest.split_at_checked(length)?;
        let (_, key_length) = CoseKey::parse(rest)?;
        let public_key = rest.get(..key_length)?;
        (1..=MAX_CREDENTIAL_ID).contains(&length).then_some(NewCredential { id, public_key })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn party() -> RelyingParty {
        RelyingParty { id: "a.example".into(), origin: "https://a.example".into() }
    }

    fn data(flags: u8) -> Vec<u8> {
        [party().id_hash().as_slice(), &[flags], &7_u32.to_be_bytes()].concat()
    }

    #[test]
    fn data_of_another_relying_party_or_without_user_verification_is_refused() {
        let parse = |bytes: &[u8], party: &RelyingParty| {
            AuthenticatorData::parse(bytes, party).map(|data| data.sign_count)
        };
        assert_eq!(parse(&data(PRESENT | VERIFIED), &party()), Some(7));
        assert_eq!(parse(&data(PRESENT | VERIFIED | MAY_BE_BACKED_UP | BACKED_UP), &party()), Some(7));
        for flags in [PRESENT, VERIFIED, PRESENT | VERIFIED | BACKED_UP] {
            assert_eq!(parse(&data(flags), &party()), None, "{flags}");
        }
        let other = RelyingParty { id: "b.example".into(), ..party() };
        assert_eq!(parse(&data(PRESENT | VERIFIED), &other), None);
        assert_eq!(parse(&data(PRESENT | VERIFIED)[..36], &party()), None, "truncated");
        let without_credential = data(PRESENT | VERIFIED);
        let parsed = AuthenticatorData::parse(&without_credential, &party()).unwrap();
        assert_eq!(parsed.credential(), None);
    }
}
