//! Hashes for signing requests to a bucket, computed by the hashing crates that the rest of the product uses.

use hmac::{Hmac, KeyInit, Mac};
use object_store::client::{
    CryptoProvider, DigestAlgorithm, DigestContext, HmacContext, Signer, SigningAlgorithm,
};
use object_store::{Error, Result};
use sha2::{Digest, Sha256};

/// Crypto provider with SHA-256 and HMAC-SHA-256. Requests to a bucket need no other algorithm.
#[derive(Debug)]
pub(super) struct Signing;

/// Hash that is being computed, or its final value.
struct IncrementalHash<H> {
    state: H,
    value: Vec<u8>,
}

impl CryptoProvider for Signing {
    fn digest(&self, algorithm: DigestAlgorithm) -> Result<Box<dyn DigestContext>> {
        match algorithm {
            DigestAlgorithm::Sha256 => {
                Ok(Box::new(IncrementalHash { state: Sha256::new(), value: Vec::new() }))
            }
            _ => Err(unknown()),
        }
    }

    fn hmac(&self, algorithm: DigestAlgorithm, secret: &[u8]) -> Result<Box<dyn HmacContext>> {
        match algorithm {
            DigestAlgorithm::Sha256 => {
                let state = Hmac::<Sha256>::new_from_slice(secret).map_err(|_| unknown())?;
                Ok(Box::new(IncrementalHash { state, value: Vec::new() }))
            }
            _ => Err(unknown()),
        }
    }

    fn sign(&self, _algorithm: SigningAlgorithm, _pem: &[u8]) -> Result<Box<dyn Signer>> {
        Err(unknown())
    }
}

impl DigestContext for IncrementalHash<Sha256> {
    fn update(&mut self, data: &[u8]) {
        Digest::update(&mut self.state, data);
    }

    fn finish(&mut self) -> Result<&[u8]> {
        self.value = self.state.finalize_reset().to_vec();
        Ok(&self.value)
    }
}

impl HmacContext for IncrementalHash<Hmac<Sha256>> {
    fn update(&mut self, data: &[u8]) {
        Mac::update(&mut self.state, data);
    }

    fn finish(&mut self) -> Result<&[u8]> {
        self.value = self.state.clone().finalize().into_bytes().to_vec();
        Ok(&self.value)
    }
}

fn unknown() -> Error {
    Error::NotSupported { source: "only SHA-256 is supported".into() }
}

#[cfg(test)]
mod tests {
    use data_encoding::HEXLOWER;

    use super::*;

    #[test]
    fn hashes_match_the_test_vectors() {
        let mut digest = Signing.digest(DigestAlgorithm::Sha256).unwrap();
        digest.update(b"abc");
        let value = HEXLOWER.encode(digest.finish().unwrap());
        assert_eq!(value, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        // RFC 4231, test case 2.
        let mut hmac = Signing.hmac(DigestAlgorithm::Sha256, b"Jefe").unwrap();
        hmac.update(b"what do ya want for nothing?");
        let value = HEXLOWER.encode(hmac.finish().unwrap());
        assert_eq!(value, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    }
}
