//! Ids and random bytes. They are always taken from the [`Domain`](crate::Domain) handle, so that tests can
//! seed them.

use std::sync::Mutex;

use rand::{Rng, SeedableRng, rngs::StdRng};
use uuid::{Builder, Uuid};

use crate::clock::Millis;

/// Source of ids and secrets.
pub trait Ids: Send + Sync + 'static {
    /// Fills `bytes` with random bytes. In production they come from the operating system's generator and are
    /// suitable for secrets.
    fn fill(&self, bytes: &mut [u8]);
}

/// Creates a time-ordered id (UUID version 7, RFC 9562) for the instant `now`.
pub fn uuid_v7(ids: &dyn Ids, now: Millis) -> Uuid {
    let mut random = [0_u8; 10];
    ids.fill(&mut random);
    Builder::from_unix_timestamp_millis(u64::try_from(now).unwrap_or(0), &random).into_uuid()
}

/// Random generator of the operating system.
#[derive(Debug, Default)]
pub struct RandomIds;

impl Ids for RandomIds {
    fn fill(&self, bytes: &mut [u8]) {
        rand::rng().fill_bytes(bytes);
    }
}

/// Deterministic generator. For tests only, never for secrets.
#[derive(Debug)]
pub struct SeededIds(Mutex<StdRng>);

impl SeededIds {
    /// Starts the sequence of `seed`.
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
