//! Password rules, and hashing with Argon2id on a bounded pool.
//!
//! Hashing deliberately takes 19 MiB and tens of milliseconds, so a few hashes at a time run on blocking
//! threads. If too many callers are waiting, further callers are refused, so that waiting times stay short.
//! The permit is released when the work finishes, even if the caller has disconnected. The memory of a
//! finished hash is freed, because an idle process would otherwise retain 19 MiB per permit.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{ARGON2ID_IDENT, Algorithm, Argon2, Params, Version};
use subtle::ConstantTimeEq;
use tokio::sync::Semaphore;
use unicode_normalization::UnicodeNormalization;

use super::field_error::field;
use kernel::{Code, Domain, Error, Result};

pub const MIN_PASSWORD_CHARS: usize = 10;
pub const MAX_PASSWORD_CHARS: usize = 200;
/// Maximum number of callers that have a permit or are waiting for one.
const MAX_WAITING: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashCost {
    /// 19 MiB and two passes, as the OWASP Password Storage Cheat Sheet recommends for Argon2id.
    Production,
    /// The lowest cost that the algorithm allows. For tests only.
    Least,
}

/// Pool that hashes and verifies passwords. Cheap to clone; all clones share one pool.
#[derive(Clone)]
pub struct Passwords(Arc<HashPool>);

struct HashPool {
    params: Params,
    permits: Arc<Semaphore>,
    waiting: AtomicUsize,
    /// Hash of an unknown password. It is verified if an account does not exist, so that the request takes as
    /// long as for an existing account.
    dummy_hash: String,
}

impl Passwords {
    /// Creates a pool that hashes `concurrency` passwords at a time.
    ///
    /// # Errors
    /// `Internal` if the algorithm rejects its parameters.
    pub fn new(domain: &Domain, cost: HashCost, concurrency: usize) -> Result<Self> {
        let params = match cost {
            HashCost::Production => Params::new(19 * 1024, 2, 1, None),
            HashCost::Least => Params::new(8, 1, 1, None),
        };
        let params = params.map_err(|error| Error::internal(error.to_string()))?;
        let dummy_hash = hash(&params, &domain.random::<32>(), &domain.random())?;
        Ok(Self(Arc::new(HashPool {
            params,
            permits: Arc::new(Semaphore::new(concurrency.max(1))),
            waiting: AtomicUsize::new(0),
            dummy_hash,
        })))
    }

    /// Hashes a password that passed [`check`], with a fresh salt.
    ///
    /// # Errors
    /// `capacity_exhausted` if too many callers are waiting.
    pub(super) async fn hash(&self, domain: &Domain, password: &str) -> Result<String> {
        let salt = domain.random::<16>();
        let password = normalize(password);
        self.run(move |pool| hash(&pool.params, password.as_bytes(), &salt)).await?
    }

    /// Verifies `password` against the hash `stored`. Without a stored hash, it does the same work and
    /// returns false.
    ///
    /// # Errors
    /// `capacity_exhausted` if too many callers are waiting.
    pub(super) async fn verify(&self, stored: Option<String>, password: &str) -> Result<bool> {
        let password = normalize(password);
        self.run(move |pool| {
            let is_stored = stored.is_some();
            let hash = stored.as_deref().unwrap_or(&pool.dummy_hash);
            verify(hash, password.as_bytes()).unwrap_or(false) && is_stored
        })
        .await
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce(&HashPool) -> T + Send + 'static) -> Result<T> {
        let _waiting = Waiting::enter(&self.0)?;
        let permit = Arc::clone(&self.0.permits).acquire_owned().await.map_err(Error::internal)?;
        let pool = Arc::clone(&self.0);
        let worked = tokio::task::spawn_blocking(move || {
            let result = work(&pool);
            drop(permit);
            result
        });
        worked.await.map_err(Error::internal)
    }
}

fn hash(params: &Params, password: &[u8], salt: &[u8; 16]) -> Result<String> {
    let mut output = [0_u8; Params::DEFAULT_OUTPUT_LEN];
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone());
    argon2.hash_password_into(password, salt, &mut output).map_err(failed)?;
    let hash = PasswordHash {
        algorithm: ARGON2ID_IDENT,
        version: Some(Version::V0x13.into()),
        params: ParamsString::try_from(params).map_err(failed)?,
        salt: Some(Salt::new(salt).map_err(failed)?),
        hash: Some(Output::new(&output).map_err(failed)?),
    };
    Ok(hash.to_string())
}

/// Hashes `password` with the parameters of `stored` and compares both in constant time.
fn verify(stored: &str, password: &[u8]) -> Result<bool> {
    let stored = PasswordHash::new(stored).map_err(failed)?;
    let (Some(salt), Some(expected)) = (&stored.salt, &stored.hash) else { return Ok(false) };
    let algorithm = Algorithm::try_from(stored.algorithm.as_str()).map_err(failed)?;
    let version = stored.version.map_or(Ok(Version::V0x13), Version::try_from).map_err(failed)?;
    let argon2 = Argon2::new(algorithm, version, Params::try_from(&stored).map_err(failed)?);
    let mut output = vec![0_u8; expected.len()];
    argon2.hash_password_into(password, salt, &mut output).map_err(failed)?;
    Ok(output.ct_eq(expected.as_bytes()).into())
}

fn failed(error: impl std::fmt::Display) -> Error {
    Error::internal(error.to_string())
}

/// Caller that has a permit or is waiting for one. It is counted until this is dropped.
struct Waiting<'a>(&'a HashPool);

impl<'a> Waiting<'a> {
    fn enter(pool: &'a HashPool) -> Result<Self> {
        if pool.waiting.fetch_add(1, Ordering::Relaxed) >= MAX_WAITING {
            pool.waiting.fetch_sub(1, Ordering::Relaxed);
            return Err(Error::new(
                Code::CapacityExhausted,
                "Too many people are signing in right now. Try again in a few seconds.",
            )
            .retry_after(5));
        }
        Ok(Self(pool))
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Normalises to NFKC, so that the same password typed on different keyboards is equal. The text is truncated
/// far above the maximum length, so that a huge password is not expensive to normalise.
fn normalize(password: &str) -> String {
    password.chars().take(MAX_PASSWORD_CHARS * 4).nfkc().collect()
}

/// Rejects a password that is too short, too long, one repeated character, or the e-mail address itself.
///
/// # Errors
/// `invalid_request` on `/password`.
pub(super) fn check(password: &str, email: &str) -> Result<()> {
    let length = password.chars().count();
    if length < MIN_PASSWORD_CHARS {
        return Err(field("password", "Use at least 10 characters."));
    }
    if length > MAX_PASSWORD_CHARS {
        return Err(field("password", "Use at most 200 characters."));
    }
    let mut characters = password.chars();
    let first = characters.next();
    if characters.all(|c| Some(c) == first) {
        return Err(field("password", "Use more than one repeated character."));
    }
    if password.to_lowercase() == email {
        return Err(field("password", "Use something other than your e-mail address."));
    }
    Ok(())
}

impl std::fmt::Debug for Passwords {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Passwords")
    }
}

#[cfg(test)]
mod tests;
