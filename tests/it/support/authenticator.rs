//! Authenticator app of a person: codes by RFC 6238.

use data_encoding::BASE32_NOPAD;
use ring::hmac::{HMAC_SHA1_FOR_LEGACY_USE_ONLY, Key, sign};

/// Authenticator app with the key of one account.
pub(crate) struct Authenticator(Vec<u8>);

impl Authenticator {
    /// Creates an app with a key in base32, with or without spaces.
    pub(crate) fn with_key(key: &str) -> Self {
        Self(BASE32_NOPAD.decode(key.replace(' ', "").as_bytes()).expect("the key is base32"))
    }

    /// Returns the code that the app displays at `now`, in milliseconds since the Unix epoch.
    pub(crate) fn code(&self, now: i64) -> String {
        let step = now.div_euclid(30_000);
        let tag = sign(&Key::new(HMAC_SHA1_FOR_LEGACY_USE_ONLY, &self.0), &step.to_be_bytes());
        let digest: &[u8] = tag.as_ref();
        let offset = usize::from(digest[19] & 0x0f);
        let word = u32::from_be_bytes(digest[offset..offset + 4].try_into().unwrap());
        format!("{:06}", (word & 0x7fff_ffff) % 1_000_000)
    }
}
