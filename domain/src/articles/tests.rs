//! Who pays for a text, and what the end of a job means for who asked.

use entities::ids::AccountId;

use super::*;
use crate::Domain;
use crate::Error;
use crate::jobs::{self, Pending, Progress, State, WaitOutcome};
use crate::limits::{FRESH_MINUTE, Tier};
use crate::testing::{TestDatabase, person};

async fn fresh_used(domain: &Domain, account_id: AccountId) -> u32 {
    let states = domain.limits().look(domain, account_id, Tier::Free).await.unwrap();
    states.iter().find(|state| state.name == FRESH_MINUTE).unwrap().used
}

async fn asked(domain: &Domain, payer: Payer, url: &str) -> (jobs::Submitted, PendingText) {
    let address = Address::parse(domain, url).unwrap();
    match request(domain, Some(payer), &address, Freshness::HOUR).await.unwrap() {
        Progress::Waiting { job, pending } => (job, pending),
        Progress::Done(_) => panic!("nothing is stored yet"),
    }
}

#[tokio::test]
async fn a_charge_is_kept_while_the_download_may_come_and_given_back_when_it_cannot() {
    for test in TestDatabase::each().await {
        let domain = &test.domain;
        let account_id = person(domain, Tier::Free).await;
        let payer = Payer { account_id, tier: Tier::Free };
        let outcomes = [
            ("https://example.com/a", WaitOutcome::TimedOut, 1),
            ("https://example.com/b", WaitOutcome::Failed(Error::internal("the queue is away")), 0),
            ("https://example.com/c", WaitOutcome::Ended(State::Dead), 0),
        ];
        for (url, outcome, kept) in outcomes {
            let before = fresh_used(domain, account_id).await;
            let (_, pending) = asked(domain, payer, url).await;
            assert_eq!(fresh_used(domain, account_id).await, before + 1, "{url} is charged ahead");
            pending.resume(domain, outcome).await.unwrap_err();
            assert_eq!(fresh_used(domain, account_id).await - before, kept, "{url}");
        }
    }
}

#[tokio::test]
async fn who_joins_an_extraction_pays_nothing() {
    for test in TestDatabase::each().await {
        let domain = &test.domain;
        let (first, second) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let url = "https://example.com/a";
        let payer = |account_id| Payer { account_id, tier: Tier::Free };
        let (job, _) = asked(domain, payer(first), url).await;
        let (joined, _) = asked(domain, payer(second), url).await;
        assert_eq!((job.id, joined.joined), (joined.id, true));
        assert_eq!(fresh_used(domain, first).await, 1);
        assert_eq!(fresh_used(domain, second).await, 0);
    }
}
