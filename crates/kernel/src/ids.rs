//! Ids and random bytes, from the [`Domain`](crate::Domain) handle alone, so that a test can seed them.

use std::sync::Mutex;

use rand::{Rng, SeedableRng, rngs::StdRng};
use uuid::{Builder, Uuid};

use crate::clock::Millis;

/// Where ids and secrets come from.
pub trait Ids: Send + Sync + 'static {
    /// Fills `bytes` with random bytes. In production they come from the operating system's
    /// generator and are fit for secrets.
    fn fill(&self, bytes: &mut [u8]);
}

/// A time-ordered id (UUID version 7, RFC 9562) for the instant `now`.
pub fn uuid_v7(ids: &dyn Ids, now: Millis) -> Uuid {
    let mut random = [0_u8; 10];
    ids.fill(&mut random);
    Builder::from_unix_timestamp_millis(u64::try_from(now).unwrap_or(0), &random).into_uuid()
}

/// The operating system's generator.
#[derive(Debug, Default)]
pub struct RandomIds;

impl Ids for RandomIds {
    fn fill(&self, bytes: &mut [u8]) {
        rand::rng().fill_bytes(bytes);
    }
}

/// The same ids on every run. For tests only: never a source of secrets.
#[derive(Debug)]
pub struct SeededIds(Mutex<StdRng>);

impl SeededIds {
    /// Starts the sequence that belongs to `seed`.
    pub fn new(seed: u64) -> Self {
        Self(Mutex::new(StdRng::seed_from_u64(seed)))
    }
}

impl Ids for SeededIds {
    fn fill(&self, bytes: &mut [u8]) {
        let mut rng = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        rng.fill_bytes(bytes);
    }
}
