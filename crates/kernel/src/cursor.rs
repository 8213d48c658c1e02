//! Opaque cursors: a position of a few bytes, signed so that it cannot be forged.
//!
//! The scope of a cursor (account, operation, filters) is part of the signed data but not of the cursor.

use data_encoding::BASE64URL_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Number of bytes of the signature in a cursor (128 bits).
const TAG: usize = 16;

/// Key that signs cursors, shared by all processes of a deployment.
#[derive(Clone)]
pub struct CursorKey([u8; 32]);

impl CursorKey {
    /// Creates a key from 32 random bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Signs `payload` for `binding`, and encodes the payload and its signature as base64url.
    pub fn seal(&self, binding: &str, payload: &[u8]) -> String {
        let tag = self.tag(binding, payload);
        let mut bytes = Vec::with_capacity(payload.len() + TAG);
        bytes.extend_from_slice(payload);
        bytes.extend_from_slice(&tag[..TAG]);
        BASE64URL_NOPAD.encode(&bytes)
    }

    /// Returns the payload of a cursor that was sealed for `binding`. `None` if the signature does not match.
    pub fn open(&self, binding: &str, cursor: &str) -> Option<Vec<u8>> {
        let bytes = BASE64URL_NOPAD.decode(cursor.as_bytes()).ok()?;
        let split = bytes.len().checked_sub(TAG)?;
        let (payload, tag) = bytes.split_at(split);
        self.mac(binding, payload).verify_truncated_left(tag).ok()?;
        Some(payload.to_vec())
    }

    fn tag(&self, binding: &str, payload: &[u8]) -> [u8; 32] {
        self.mac(binding, payload).finalize().into_bytes().into()
    }

    fn mac(&self, binding: &str, payload: &[u8]) -> Hmac<Sha256> {
        #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(&(binding.len() as u64).to_be_bytes());
        mac.update(binding.as_bytes());
        mac.update(payload);
        mac
    }
}

impl std::fmt::Debug for CursorKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("CursorKey")
    }
}

#[cfg(test)]
mod tests;
