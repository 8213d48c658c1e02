//! Short hashes: 64 bits of SHA-256, the form in which rows remember bodies and names that they only compare.

use sha2::{Digest, Sha256};

/// The first 64 bits of a text's SHA-256.
pub fn hash64(bytes: &[u8]) -> i64 {
    let mut first = [0_u8; 8];
    first.copy_from_slice(&Sha256::digest(bytes)[..8]);
    i64::from_be_bytes(first)
}

/// [`hash64`] of a downloaded body; never 0, which stands for a body that nobody has seen yet.
pub fn body_hash(body: &[u8]) -> i64 {
    hash64(body) | 1
}
