//! Loaded copy of the limits that operators set for job kinds.

use std::collections::{HashMap, HashSet};
use std::sync::{PoisonError, RwLock};

use crate::rows::{self, JobKind, KindLimits};
use kernel::{Domain, Millis, Result};

/// Limits as last loaded.
#[derive(Default)]
pub(crate) struct LoadedLimits(RwLock<LimitsState>);

#[derive(Default)]
struct LimitsState {
    limits: HashMap<JobKind, KindLimits>,
    /// Kinds whose jobs this process started without counting them.
    uncounted: HashSet<JobKind>,
    is_loaded: bool,
}

impl LoadedLimits {
    /// Loads the limits. Jobs that this process started before it loaded a limit are counted at the following load,
    /// when all earlier claims are committed.
    pub(crate) async fn refresh(&self, domain: &Domain) -> Result<()> {
        let limits = rows::limits(domain).await?;
        let limits: HashMap<JobKind, KindLimits> =
            limits.into_iter().map(|limits| (limits.kind, limits)).collect();
        let uncounted = self.replace(limits);
        for kind in uncounted {
            if let Err(error) = rows::count_running(domain, kind).await {
                self.0.write().unwrap_or_else(PoisonError::into_inner).uncounted.insert(kind);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Applies new limits. Returns the kinds whose running jobs must be counted. These kinds were newly limited at the
    /// previous load.
    fn replace(&self, limits: HashMap<JobKind, KindLimits>) -> Vec<JobKind> {
        let mut state = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let bounds = |limits: &HashMap<JobKind, KindLimits>, kind: &JobKind| {
            limits.get(kind).is_some_and(KindLimits::bounds_claims)
        };
        let due = state.uncounted.drain().filter(|kind| bounds(&limits, kind)).collect();
        if state.is_loaded {
            let new = limits.keys().filter(|kind| bounds(&limits, kind) && !bounds(&state.limits, kind));
            state.uncounted = new.copied().collect();
        }
        state.limits = limits;
        state.is_loaded = true;
        due
    }

    /// Returns true if claims of a kind must be counted.
    pub(crate) fn bounds_claims(&self, kind: JobKind) -> bool {
        self.get(kind, |limits| limits.bounds_claims().then_some(())).is_some()
    }

    /// Returns the run limit of a kind. `None` if no limit is set.
    pub(crate) fn max_run_ms(&self, kind: JobKind) -> Option<Millis> {
        self.get(kind, |limits| limits.max_run_ms)
    }

    fn get<T>(&self, kind: JobKind, at: impl FnOnce(&KindLimits) -> Option<T>) -> Option<T> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).limits.get(&kind).and_then(at)
    }
}
