//! Public keys of passkeys (COSE, RFC 9052 and 9053), and the verification of their signatures. The cryptography is
//! that of the crate that TLS already uses.

use ring::signature::{
    ECDSA_P256_SHA256_ASN1, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey,
};

use super::cbor::CborReader;

/// Algorithms of new passkeys in order of preference: ES256, EdDSA, RS256.
pub(in super::super) const ALGORITHMS: [i64; 3] = [-7, -8, -257];
/// Maximum length of a stored key in bytes.
const MAX_BYTES: usize = 1200;

/// Public key of a passkey.
pub(in super::super) enum CoseKey<'a> {
    /// ECDSA with P-256 and SHA-256: the uncompressed point.
    Es256(Vec<u8>),
    /// Ed25519.
    EdDsa(&'a [u8]),
    /// RSA, PKCS #1 1.5, SHA-256.
    Rs256 { modulus: &'a [u8], exponent: &'a [u8] },
}

/// Parsed parameters of a key. The labels -1 and -2 have different types per key type.
#[derive(Default)]
struct KeyParameters<'a> {
    key_type: Option<i64>,
    algorithm: Option<i64>,
    curve: Option<i64>,
    first: Option<&'a [u8]>,
    second: Option<&'a [u8]>,
    third: Option<&'a [u8]>,
}

impl<'a> CoseKey<'a> {
    /// Parses a key at the start of `bytes`. Returns the key and its length in bytes. `None` if the key is invalid or
    /// its algorithm is not supported.
    pub(in super::super) fn parse(bytes: &'a [u8]) -> Option<(Self, usize)> {
        let mut reader = CborReader::new(bytes);
        let parameters = KeyParameters::read(&mut reader)?;
        let length = bytes.len() - reader.rest().len();
        let key = parameters.key().filter(|_| length <= MAX_BYTES)?;
        Some((key, length))
    }

    /// Returns whether `signature` is a signature of `message` by this key.
    pub(in super::super) fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        let verified = match self {
            Self::Es256(point) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, point).verify(message, signature)
            }
            Self::EdDsa(key) => UnparsedPublicKey::new(&ED25519, key).verify(message, signature),
            Self::Rs256 { modulus, exponent } => RsaPublicKeyComponents { n: *modulus, e: *exponent }
                .verify(&RSA_PKCS1_2048_8192_SHA256, message, signature),
        };
        verified.is_ok()
    }
}

impl<'a> KeyParameters<'a> {
    fn read(reader: &mut CborReader<'a>) -> Option<Self> {
        let mut parameters = Self::default();
        for _ in 0..reader.map()? {
            match reader.integer()? {
                1 => parameters.key_type = Some(reader.integer()?),
                3 => parameters.algorithm = Some(reader.integer()?),
                // Label of the modulus of an RSA key. Labels are sorted, so the key type is known.
                -1 if parameters.key_type == Some(3) => parameters.first = Some(reader.bytes()?),
                -1 => parameters.curve = Some(reader.integer()?),
                -2 => parameters.second = Some(reader.bytes()?),
                -3 => parameters.third = Some(reader.bytes()?),
                _ => reader.skip()?,
            }
        }
        Some(parameters)
    }

    fn key(self) -> Option<CoseKey<'a>> {
        match (self.key_type?, self.algorithm?, self.curve) {
            (2, -7, Some(1)) => {
                let (x, y) = (self.second?, self.third?);
                (x.len() == 32 && y.len() == 32).then(|| CoseKey::Es256([&[4_u8][..], x, y].concat()))
            }
            (1, -8, Some(6)) => self.second.filter(|key| key.len() == 32).map(CoseKey::EdDsa),
            (3, -257, None) => {
                let (modulus, exponent) = (self.first?, self.second?);
                let is_usable = !exponent.is_empty() && (256..=1024).contains(&modulus.len());
                is_usable.then_some(CoseKey::Rs256 { modulus, exponent })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use ring::rand::SystemRandom;
    use ring::signature::{Ed25519KeyPair, KeyPair};

    use super::*;

    fn es256(y: &[u8]) -> Vec<u8> {
        let mut key = vec![0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 32];
        key.extend([7; 32]);
        key.extend([0x22, 0x58, 32]);
        key.extend(y);
        key
    }

    #[test]
    fn parsing_a_key_returns_its_encoded_length() {
        let mut bytes = es256(&[8; 32]);
        let length = bytes.len();
        bytes.push(0xa0);
        let (key, read) = CoseKey::parse(&bytes).unwrap();
        assert_eq!(read, length);
        assert!(matches!(key, CoseKey::Es256(point) if point.len() == 65 && point[0] == 4));
        assert!(CoseKey::parse(&bytes[..length - 1]).is_none(), "a truncated key");
        let rsa = [
            &[0xa4, 0x01, 0x03, 0x03, 0x39, 0x01, 0x00, 0x20, 0x59, 0x01, 0x00][..],
            &[9; 256],
            &[0x21, 0x43, 1, 0, 1],
        ]
        .concat();
        assert!(matches!(CoseKey::parse(&rsa), Some((CoseKey::Rs256 { .. }, 272))));
        assert!(CoseKey::parse(&[0xa0]).is_none());
        assert!(CoseKey::parse(b"rubbish").is_none());
    }

    #[test]
    fn signature_verifies_only_for_its_message() {
        let pkcs8 = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        let pair = Ed25519KeyPair::from_pkcs8(pkcs8.as_ref()).unwrap();
        let mut bytes = vec![0xa4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 32];
        bytes.extend_from_slice(pair.public_key().as_ref());
        let (key, length) = CoseKey::parse(&bytes).unwrap();
        assert_eq!(length, bytes.len());
        let signature = pair.sign(b"message");
        assert!(key.verifies(b"message", signature.as_ref()));
        assert!(!key.verifies(b"another", signature.as_ref()));
        assert!(!key.verifies(b"message", b"short"));
    }
}
