//! The text of a key: making, checking and hiding it.

use sha2::{Digest, Sha256};

use crate::handle::Domain;

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIX: &str = "svc_";
const RANDOM: usize = 40;
const CHECK: usize = 6;
const LENGTH: usize = PREFIX.len() + RANDOM + CHECK;
/// How many characters are kept to tell keys apart.
const SHOWN: usize = 12;

/// The text of a key. It never prints itself; [`expose`](Self::expose) is the one way out.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A new key: 238 bits of the domain's randomness.
    pub(super) fn generate(domain: &Domain) -> Self {
        let mut body = String::with_capacity(LENGTH);
        while body.len() < RANDOM {
            // 248 = 4 × 62: larger bytes would make the first characters of the alphabet likelier.
            let even = domain.random::<64>().into_iter().filter(|byte| *byte < 248);
            body.extend(
                even.take(RANDOM - body.len()).map(|byte| char::from(ALPHABET[usize::from(byte % 62)])),
            );
        }
        let check = checksum(&body);
        Self(format!("{PREFIX}{body}{check}"))
    }

    /// A text whose form and checksum are a key's.
    pub fn parse(text: &str) -> Option<Self> {
        let body = text.strip_prefix(PREFIX).filter(|_| text.len() == LENGTH)?;
        if !body.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        let (random, check) = body.split_at(RANDOM);
        (checksum(random) == check).then(|| Self(text.to_owned()))
    }

    /// The text itself, to be shown once to the owner.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The first characters, by which people tell keys apart.
    pub fn prefix(&self) -> &str {
        &self.0[..SHOWN]
    }

    /// SHA-256 of the text. The text is random enough for a plain hash.
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.0.as_bytes()).into()
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Secret({}…)", self.prefix())
    }
}

/// Whether `text` holds something that could be one of our keys, right or wrong: it must not be sent to
/// a stranger, nor written into a log.
pub fn looks_like_a_key(text: &str) -> bool {
    text.match_indices(PREFIX).any(|(at, _)| {
        let body = text[at + PREFIX.len()..].bytes().take(RANDOM + CHECK);
        body.take_while(u8::is_ascii_alphanumeric).count() == RANDOM + CHECK
    })
}

/// CRC-32 (IEEE) of the random part in base62, six digits, the highest first.
fn checksum(random: &str) -> String {
    let mut rest = crc32fast::hash(random.as_bytes());
    let mut digits = [b'0'; CHECK];
    for digit in digits.iter_mut().rev() {
        *digit = ALPHABET[(rest % 62) as usize];
        rest /= 62;
    }
    digits.into_iter().map(char::from).collect()
}
