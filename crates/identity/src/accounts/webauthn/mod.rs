//! Data formats and checks of WebAuthn Level 3. Attestation is not requested, and a statement that is sent
//! nevertheless is ignored, so there is no certificate to parse. All input is bounded, and read without
//! allocation per item.

mod authenticator_data;
mod cbor;
mod challenge;
mod client_data;
mod cose_key;
mod relying_party;

pub(super) use authenticator_data::AuthenticatorData;
pub(super) use challenge::{Challenge, ChallengePurpose};
pub(super) use client_data::{ClientData, CredentialOperation};
pub(super) use cose_key::{ALGORITHMS, CoseKey};
pub(super) use relying_party::RelyingParty;
