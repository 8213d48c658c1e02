//! Test of discovery by a worker whose clock differs from the clock of the web process.

use articles::Address;
use articles::worker_tools::{ToolSettings, Tools};
use extract::sandbox::{Pool, PoolSettings};
use kernel::Policy;

use super::super::discovery::{DiscoveryResult, cached_discovery, submit_discovery};
use super::*;

#[tokio::test]
async fn discovery_result_is_fresh_despite_clock_skew() {
    // No process is started, because the guard refuses the address.
    let sandbox = Pool::new(PoolSettings::new("/bin/false".into(), Vec::new()));
    let tools = Tools::new(&Policy::default(), sandbox, ToolSettings::default()).unwrap();
    for database in TestDatabase::each().await {
        for ahead in [HOUR, -HOUR] {
            let (web, worker) = (database.handle_ahead(-ahead).await, database.handle_ahead(ahead).await);
            let url = Url::parse("http://127.0.0.1/feed").unwrap();
            let feed_address = Address::parse(&web, "https://feed.example/").unwrap();
            let address = Address { url, key: format!("ahead by {ahead}"), ..feed_address };
            let job = submit_discovery(&web, AccountId::from_u128(1), &address).await.unwrap();
            let claimed = jobs::claim(&worker, job.id, "worker", MINUTE).await.unwrap().unwrap();
            discover(&worker, &tools, &claimed).await.unwrap();
            let result = cached_discovery(&web, &address).await.unwrap();
            assert!(matches!(result, Some(DiscoveryResult::Failed(_))), "{}: {result:?}", address.key);
        }
    }
}
