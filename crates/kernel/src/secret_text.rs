//! Texts of keys, codes, and tokens: generation, validation, and redaction.
//!
//! Each text consists of a prefix for its kind, random base62 characters, and 6 base62 characters of their CRC-32.
//! Thanks to the checksum, mistyped and invented texts are refused without a database query.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::handle::Domain;

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIX: usize = 4;
const CHECK: usize = 6;
/// Length of the stored prefix that identifies a key, in characters.
const PREFIX_CHARS: usize = 12;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretKind {
    /// A personal API key: 238 random bits.
    Key,
    /// An OAuth authorization code: 256 random bits.
    Code,
    /// An access token: 256 random bits.
    Access,
    /// A refresh token: 256 random bits.
    Refresh,
    /// Feed app token of a key: 256 bits derived from the key.
    App,
}

/// The text of a key, code, or token. It is never printed; only [`expose`](Self::expose) returns it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl SecretKind {
    pub const ALL: [Self; 5] = [Self::Key, Self::Code, Self::Access, Self::Refresh, Self::App];

    /// Prefix of the texts of this kind.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Key => "svc_",
            Self::Code => "sva_",
            Self::Access => "svo_",
            Self::Refresh => "svr_",
            Self::App => "svf_",
        }
    }

    const fn random_chars(self) -> usize {
        match self {
            Self::Key => 40,
            Self::Code | Self::Access | Self::Refresh | Self::App => 43,
        }
    }

    const fn chars(self) -> usize {
        PREFIX + self.random_chars() + CHECK
    }
}

impl Secret {
    /// Generates a text from the domain's randomness.
    pub fn generate(domain: &Domain, kind: SecretKind) -> Self {
        Self::of(kind, std::iter::repeat_with(|| domain.random::<64>()).flatten())
    }

    /// Derives a text of `kind` from this one with `key` (HMAC-SHA-256). Deterministic.
    ///
    /// # Panics
    /// Never: HMAC takes keys of any length.
    #[must_use]
    pub fn successor(&self, key: &[u8; 32], kind: SecretKind) -> Self {
        let block = |number: u32| -> [u8; 32] {
            #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
            let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
            mac.update(&number.to_be_bytes());
            mac.update(self.0.as_bytes());
            mac.finalize().into_bytes().into()
        };
        Self::of(kind, (0..).flat_map(block))
    }

    fn of(kind: SecretKind, bytes: impl Iterator<Item = u8>) -> Self {
        // 248 = 4 × 62: larger bytes would make the first characters of the alphabet more likely.
        let even = bytes.filter(|byte| *byte < 248).map(|byte| char::from(ALPHABET[usize::from(byte % 62)]));
        let body: String = even.take(kind.random_chars()).collect();
        let check = checksum(&body);
        Self(format!("{}{body}{check}", kind.prefix()))
    }

    /// Parses a text with the format and checksum of `kind`.
    pub fn parse(text: &str, kind: SecretKind) -> Option<Self> {
        let body = text.strip_prefix(kind.prefix()).filter(|_| text.len() == kind.chars())?;
        if !body.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        let (random, check) = body.split_at(kind.random_chars());
        (checksum(random) == check).then(|| Self(text.to_owned()))
    }

    /// The text itself, which is displayed once to its owner.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The first characters, by which people distinguish keys.
    pub fn prefix(&self) -> &str {
        &self.0[..PREFIX_CHARS]
    }

    /// SHA-256 of the text. A plain hash is safe, because the text is random enough.
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.0.as_bytes()).into()
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Secret({}…)", self.prefix())
    }
}

/// True if `text` contains something with the format of a key, code, or token, valid or not. Such a text must
/// not be sent to third parties or logged.
pub fn looks_like_a_secret(text: &str) -> bool {
    SecretKind::ALL.into_iter().any(|kind| {
        let long = kind.chars() - PREFIX;
        text.match_indices(kind.prefix()).any(|(at, _)| {
            let body = text[at + PREFIX..].bytes().take(long);
            body.take_while(u8::is_ascii_alphanumeric).count() == long
        })
    })
}

/// CRC-32 (IEEE) of the random part in base62: six digits, most significant first.
fn checksum(random: &str) -> String {
    let mut rest = crc32fast::hash(random.as_bytes());
    let mut digits = [b'0'; CHECK];
    for digit in digits.iter_mut().rev() {
        *digit = ALPHABET[(rest % 62) as usize];
        rest /= 62;
    }
    digits.into_iter().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Backend;
    use crate::testing::TestDatabase;

    #[test]
    fn fetch_guard_detects_every_prefix() {
        assert_eq!(SecretKind::ALL.map(SecretKind::prefix), fetch::CREDENTIAL_PREFIXES);
    }

    #[tokio::test]
    async fn secret_text_parses_only_as_its_own_kind() {
        let test = TestDatabase::create(Backend::Sqlite).await;
        for kind in SecretKind::ALL {
            let secret = Secret::generate(&test.domain, kind);
            for other in SecretKind::ALL {
                assert_eq!(
                    Secret::parse(secret.expose(), other).is_some(),
                    other == kind,
                    "{kind:?} as {other:?}"
                );
            }
            assert!(looks_like_a_secret(&format!("https://example.org/?k={}&x", secret.expose())));
        }
    }

    #[tokio::test]
    async fn successor_depends_only_on_text_and_key() {
        let test = TestDatabase::create(Backend::Sqlite).await;
        let secret = Secret::generate(&test.domain, SecretKind::Refresh);
        let next = secret.successor(&[7; 32], SecretKind::Refresh);
        assert_eq!(next, secret.successor(&[7; 32], SecretKind::Refresh));
        assert!(next != secret && next != secret.successor(&[8; 32], SecretKind::Refresh));
        assert!(Secret::parse(next.expose(), SecretKind::Refresh).is_some());
    }
}
