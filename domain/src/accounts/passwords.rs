//! Passwords: what is accepted, and Argon2id on a bounded pool.
//!
//! Hashing takes 19 MiB and tens of milliseconds on purpose, so it runs off the async threads, few at a
//! time; when too many wait, the next is turned away instead of everybody becoming slow.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use argon2::password_hash::PasswordHasher;
use argon2::{Algorithm, Argon2, Params, PasswordVerifier, Version};
use tokio::sync::Semaphore;
use unicode_normalization::UnicodeNormalization;

use super::field;
use crate::code::Code;
use crate::error::{Error, Result};
use crate::handle::Domain;

/// The fewest characters of a password.
pub const LEAST_PASSWORD: usize = 10;
/// The most characters of a password.
pub const MOST_PASSWORD: usize = 200;
/// How many may wait for a place in the pool.
const MOST_WAITING: usize = 64;

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
    argon2: Argon2<'static>,
    places: Semaphore,
    waiting: AtomicUsize,
    /// A hash that no password is behind: unknown accounts take as long as known ones.
    nobody: String,
}

impl Passwords {
    /// A pool that hashes `at_once` passwords at a time.
    ///
    /// # Errors
    /// `Internal` when the algorithm refuses its own parameters.
    pub fn new(domain: &Domain, cost: Cost, at_once: usize) -> Result<Self> {
        let params = match cost {
            Cost::Production => Params::new(19 * 1024, 2, 1, None),
            Cost::Least => Params::new(8, 1, 1, None),
        };
        let params = params.map_err(|error| Error::internal(error.to_string()))?;
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let nobody = hash(&argon2, &domain.random::<32>(), &domain.random())?;
        Ok(Self(Arc::new(Pool {
            argon2,
            places: Semaphore::new(at_once.max(1)),
            waiting: AtomicUsize::new(0),
            nobody,
        })))
    }

    /// The hash of an acceptable password, with a fresh salt.
    ///
    /// # Errors
    /// `Unavailable` when too many wait already.
    pub(super) async fn hash(&self, domain: &Domain, password: &str) -> Result<String> {
        let (pool, salt) = (self.0.clone(), domain.random::<16>());
        let password = normal(password);
        self.run(move || hash(&pool.argon2, password.as_bytes(), &salt)).await?
    }

    /// Whether `password` is the one behind `stored`. Without a stored hash the answer is no, after the
    /// same work.
    ///
    /// # Errors
    /// `Unavailable` when too many wait already.
    pub(super) async fn verify(&self, stored: Option<String>, password: &str) -> Result<bool> {
        let pool = self.0.clone();
        let password = normal(password);
        self.run(move || {
            let known = stored.is_some();
            let hash = stored.as_deref().unwrap_or(&pool.nobody);
            pool.argon2.verify_password(password.as_bytes(), hash).is_ok() && known
        })
        .await
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let _waiting = Waiting::enter(&self.0)?;
        let _place = self.0.places.acquire().await.map_err(Error::internal)?;
        tokio::task::spawn_blocking(work).await.map_err(Error::internal)
    }
}

/// One caller who waits for a place or holds one.
struct Waiting<'a>(&'a Pool);

impl<'a> Waiting<'a> {
    fn enter(pool: &'a Pool) -> Result<Self> {
        if pool.waiting.fetch_add(1, Ordering::Relaxed) >= MOST_WAITING {
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

fn hash(argon2: &Argon2<'_>, password: &[u8], salt: &[u8; 16]) -> Result<String> {
    let hash = argon2.hash_password_with_salt(password, salt);
    hash.map(|hash| hash.to_string()).map_err(|error| Error::internal(error.to_string()))
}

/// NFKC, so that a password typed on another keyboard is the same password. Cut far above what is
/// accepted, so that a huge body costs nothing.
fn normal(password: &str) -> String {
    password.chars().take(MOST_PASSWORD * 4).nfkc().collect()
}

/// Refuses a password that is too short, too long, or the address itself.
///
/// # Errors
/// `invalid_request` on `/password`.
pub(super) fn check(password: &str, email: &str) -> Result<()> {
    let length = password.chars().count();
    if length < LEAST_PASSWORD {
        return Err(field(
            "password",
            "Use at least 10 characters. A few words are better than one odd one.",
        ));
    }
    if length > MOST_PASSWORD {
        return Err(field("password", "Use at most 200 characters."));
    }
    let mut characters = password.chars();
    let first = characters.next();
    if characters.all(|c| Some(c) == first) {
        return Err(field("password", "Use more than one character, repeated."));
    }
    if password.to_lowercase() == email {
        return Err(field("password", "Use something else than the address."));
    }
    Ok(())
}

impl std::fmt::Debug for Passwords {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Passwords")
    }
}
