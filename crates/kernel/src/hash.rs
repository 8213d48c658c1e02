//! Short hashes: 64 bits of SHA-256, for bodies and names that are only compared for equality.

use sha2::{Digest, Sha256};

/// First 64 bits of the SHA-256.
pub fn hash64(bytes: &[u8]) -> i64 {
    let mut first = [0_u8; 8];
    first.copy_from_slice(&Sha256::digest(bytes)[..8]);
    i64::from_be_bytes(first)
}

/// [`hash64`] of a downloaded body, with the lowest bit set. It is never 0, because 0 means that no body has been
/// downloaded.
pub fn body_hash(body: &[u8]) -> i64 {
    hash64(body) | 1
}
