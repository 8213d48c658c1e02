//! Charges several counters for one request: either all of them or none.

use super::{LimitDecision, RatePolicy, Windows};
use async_recursion::async_recursion as boxed;
use kernel::Millis;

/// A key and the policies that apply to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    pub key: String,
    pub policies: Vec<RatePolicy>,
}

/// Charges to several counters, or the decision that refused them.
#[derive(Clone, Debug, Default)]
pub struct Charges {
    charged: Vec<(Counter, LimitDecision)>,
    refusal: Option<LimitDecision>,
}

impl Charges {
    /// The decision that refused the request; `None` if all counters were charged.
    pub fn refusal(&self) -> Option<&LimitDecision> {
        self.refusal.as_ref()
    }

    /// The decision to report: the refusal, or else the decision of the first counter. `None` if
    /// there are no counters.
    pub fn decision(&self) -> Option<&LimitDecision> {
        self.refusal.as_ref().or_else(|| self.charged.first().map(|(_, decision)| decision))
    }
}

impl Windows {
    /// Charges the counters in order until one refuses. The remaining counters are then not checked, and the previous
    /// charges are refunded.
    #[boxed]
    pub async fn check_each(&self, counters: Vec<Counter>, now: Millis) -> Charges {
        let mut charges = Charges::default();
        for counter in counters {
            let decision = self.check(&counter.key, &counter.policies, now).await;
            if !decision.allowed {
                self.refund_each(&charges).await;
                return Charges { charged: Vec::new(), refusal: Some(decision) };
            }
            charges.charged.push((counter, decision));
        }
        charges
    }

    /// Refunds all charges, because the operation did not happen.
    #[boxed]
    pub async fn refund_each(&self, charges: &Charges) {
        for (counter, decision) in &charges.charged {
            self.refund(&counter.key, &counter.policies, decision).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn decision_is_the_refusal_or_the_decision_of_the_first_counter() {
        let windows = Windows::memory();
        let counter = |key: &str, quota| Counter {
            key: key.into(),
            policies: vec![RatePolicy::sliding("burst", quota, 60)],
        };
        let check = async || windows.check_each(vec![counter("a", 3), counter("b", 1)], 1000).await;
        let first = check().await;
        assert_eq!(first.decision().map(|decision| decision.states[0].quota), Some(3));
        assert!(first.refusal().is_none());
        let second = check().await;
        assert_eq!(second.decision().map(|decision| decision.states[0].quota), Some(1));
        assert_eq!(second.decision(), second.refusal());
        assert!(Charges::default().decision().is_none());
    }
}
