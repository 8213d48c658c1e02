//! Passwords: what is accepted, and Argon2id on a bounded pool.
//!
//! Hashing takes 19 MiB and tens of milliseconds on purpose, so it runs off the async threads, few at a
//! time; when too many wait, the next is turned away instead of everybody becoming slow. A place belongs to
//! the work, not to the caller who may leave; and the memory of a place is used again, not given back and
//! asked for anew.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{ARGON2ID_IDENT, Algorithm, Argon2, Block, Params, Version};
use subtle::ConstantTimeEq;
use tokio::sync::Semaphore;
use unicode_normalization::UnicodeNormalization;

use super::field;
use kernel::code::Code;
use kernel::error::{Error, Result};
use kernel::handle::Domain;

/// The fewest characters of a password.
pub const MIN_PASSWORD_CHARS: usize = 10;
/// The most characters of a password.
pub const MAX_PASSWORD_CHARS: usize = 200;
/// How many may wait for a place in the pool.
const MAX_WAITING: usize = 64;

/// How hard hashing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// 19 MiB and two passes, as OWASP's password storage sheet has it for Argon2id.
    Production,
    /// As little as the algorithm allows. For tests only.
    Least,
}

/// The pool that hashes and verifies. Cheap to clone; all clones share one pool.
#[derive(Clone)]
pub struct Passwords(Arc<Pool>);

struct Pool {
    params: Params,
    permits: Arc<Semaphore>,
    memory: Memory,
    waiting: AtomicUsize,
    /// A hash that no password is behind: unknown accounts take as long as known ones.
    nobody: String,
}

impl Passwords {
    /// A pool that hashes `concurrency` passwords at a time.
    ///
    /// # Errors
    /// `Internal` when the algorithm refuses its own parameters.
    pub fn new(domain: &Domain, cost: Cost, concurrency: usize) -> Result<Self> {
        let params = match cost {
            Cost::Production => Params::new(19 * 1024, 2, 1, None),
            Cost::Least => Params::new(8, 1, 1, None),
        };
        let params = params.map_err(|error| Error::internal(error.to_string()))?;
        let memory = Memory::default();
        let nobody = memory.hash(&params, &domain.random::<32>(), &domain.random())?;
        Ok(Self(Arc::new(Pool {
            params,
            permits: Arc::new(Semaphore::new(concurrency.max(1))),
            memory,
            waiting: AtomicUsize::new(0),
            nobody,
        })))
    }

    /// The hash of an acceptable password, with a fresh salt.
    ///
    /// # Errors
    /// `Unavailable` when too many wait already.
    pub(super) async fn hash(&self, domain: &Domain, password: &str) -> Result<String> {
        let salt = domain.random::<16>();
        let password = normalize(password);
        self.run(move |pool| pool.memory.hash(&pool.params, password.as_bytes(), &salt)).await?
    }

    /// Whether `password` is the one behind `stored`. Without a stored hash the answer is no, after the
    /// same work.
    ///
    /// # Errors
    /// `Unavailable` when too many wait already.
    pub(super) async fn verify(&self, stored: Option<String>, password: &str) -> Result<bool> {
        let password = normalize(password);
        self.run(move |pool| {
            let known = stored.is_some();
            let hash = stored.as_deref().unwrap_or(&pool.nobody);
            pool.memory.verify(hash, password.as_bytes()).unwrap_or(false) && known
        })
        .await
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce(&Pool) -> T + Send + 'static) -> Result<T> {
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

/// The memory of hashes that are not being made at this moment: no more of it than there are permits.
#[derive(Default)]
struct Memory(Mutex<Vec<Vec<Block>>>);

impl Memory {
    fn hash(&self, params: &Params, password: &[u8], salt: &[u8; 16]) -> Result<String> {
        let mut output = [0_u8; Params::DEFAULT_OUTPUT_LEN];
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone());
        self.fill(&argon2, password, salt, &mut output).map_err(failed)?;
        let hash = PasswordHash {
            algorithm: ARGON2ID_IDENT,
            version: Some(Version::V0x13.into()),
            params: ParamsString::try_from(params).map_err(failed)?,
            salt: Some(Salt::new(salt).map_err(failed)?),
            hash: Some(Output::new(&output).map_err(failed)?),
        };
        Ok(hash.to_string())
    }

    /// Makes the hash of `password` as `stored` was made, and compares them in constant time.
    fn verify(&self, stored: &str, password: &[u8]) -> Result<bool> {
        let stored = PasswordHash::new(stored).map_err(failed)?;
        let (Some(salt), Some(expected)) = (&stored.salt, &stored.hash) else { return Ok(false) };
        let algorithm = Algorithm::try_from(stored.algorithm.as_str()).map_err(failed)?;
        let version = stored.version.map_or(Ok(Version::V0x13), Version::try_from).map_err(failed)?;
        let argon2 = Argon2::new(algorithm, version, Params::try_from(&stored).map_err(failed)?);
        let mut output = vec![0_u8; expected.len()];
        self.fill(&argon2, password, salt, &mut output).map_err(failed)?;
        Ok(output.ct_eq(expected.as_bytes()).into())
    }

    fn fill(
        &self,
        argon2: &Argon2<'_>,
        password: &[u8],
        salt: &[u8],
        output: &mut [u8],
    ) -> argon2::Result<()> {
        let idle = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut blocks = idle.unwrap_or_default();
        blocks.resize(argon2.params().block_count(), Block::new());
        let filled = argon2.hash_password_into_with_memory(password, salt, output, &mut blocks);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(blocks);
        filled
    }

    #[cfg(test)]
    fn idle(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}

fn failed(error: impl std::fmt::Display) -> Error {
    Error::internal(error.to_string())
}

/// One caller who waits for a place or holds one.
struct Waiting<'a>(&'a Pool);

impl<'a> Waiting<'a> {
    fn enter(pool: &'a Pool) -> Result<Self> {
        if pool.waiting.fetch_add(1, Ordering::Relaxed) >= MAX_WAITING {
            pool.waiting.fetch_sub(1, Ordering::Relaxed);
            return Err(Error::new(
                Code::CapacityExhausted,
                "Too many people are signing in at this moment. Try again in a few seconds.",
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

/// NFKC, so that a password typed on another keyboard is the same password. Cut far above what is
/// accepted, so that a huge body costs nothing.
fn normalize(password: &str) -> String {
    password.chars().take(MAX_PASSWORD_CHARS * 4).nfkc().collect()
}

/// Refuses a password that is too short, too long, or the address itself.
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
        return Err(field("password", "Use more than one character, repeated."));
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
