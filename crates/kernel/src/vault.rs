//! Encrypts values such as addresses, tokens, and logins with a key of the deployment, and binds each value to its row:
//! a copy of a table reveals nothing, and the value of one row cannot be used in another.

use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};

use crate::error::{Error, Result};
use crate::handle::Domain;
use crate::secrets;

/// Seals and opens values.
pub struct Vault(LessSafeKey);

impl Vault {
    /// Loads the vault called `name` of this deployment. It must not be loaded within a transaction, because
    /// the key may have to be created.
    ///
    /// # Errors
    /// Database errors.
    pub async fn of(domain: &Domain, name: &str) -> Result<Self> {
        let key = secrets::load(domain, name).await?;
        let key = UnboundKey::new(&CHACHA20_POLY1305, &key).map_err(|_| Error::internal("no key"))?;
        Ok(Self(LessSafeKey::new(key)))
    }

    /// Seals `plain` for `binding`.
    ///
    /// # Errors
    /// `Internal` if the value is too long.
    pub fn seal(&self, domain: &Domain, binding: &[u8], plain: Vec<u8>) -> Result<Vec<u8>> {
        let nonce = domain.random::<NONCE_LEN>();
        let mut sealed = plain;
        self.0
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(binding), &mut sealed)
            .map_err(|_| Error::internal("value too long to be sealed"))?;
        Ok([nonce.as_slice(), sealed.as_slice()].concat())
    }

    /// Opens a value that was sealed for `binding`.
    ///
    /// # Errors
    /// `Internal` if the value was sealed with another key or for another binding.
    pub fn open(&self, binding: &[u8], sealed: &[u8]) -> Result<Vec<u8>> {
        let broken = || Error::internal("sealed value cannot be opened: was the table `secret` replaced?");
        let (nonce, rest) = sealed.split_first_chunk::<NONCE_LEN>().ok_or_else(broken)?;
        let mut plain = rest.to_vec();
        let opened = self
            .0
            .open_in_place(Nonce::assume_unique_for_key(*nonce), Aad::from(binding), &mut plain)
            .map_err(|_| broken())?;
        Ok(opened.to_vec())
    }
}
