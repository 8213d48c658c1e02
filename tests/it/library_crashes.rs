//! Kills the process repeatedly during saves, uploads, imports, and exports. Acknowledged work exists exactly
//! once, no data is left behind, and no request hangs.
//!
//! `CARREL_TEST_KILLS` sets the number of kills for longer runs; default: 3.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::time::{Duration, UNIX_EPOCH};

use fastrand::Rng;
use kernel::Backend;
use library::files;
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::clock::DAY;
use crate::support::form::{Field, with_form};
use crate::support::killable_process::KillableProcess;
use crate::support::monitoring::query_number;
use crate::support::{eventually, run};

const ITEMS: &str = "/v1/library/items";
/// Maximum time before the process is killed in a round.
const LONGEST_ROUND: Duration = Duration::from_secs(6);
/// Rows of an import, enough for several batches.
const ROWS: usize = 250;

#[expect(clippy::disallowed_methods, reason = "the environment of the test sets the length of the run")]
pub(crate) fn kills() -> u64 {
    std::env::var("CARREL_TEST_KILLS").ok().and_then(|count| count.parse().ok()).unwrap_or(3)
}

/// Work whose success was acknowledged.
#[derive(Default)]
struct Acknowledged {
    /// External ids of saved items.
    saved: BTreeSet<String>,
    /// Checksums of uploaded files, by item id.
    uploaded: BTreeMap<String, String>,
    /// Ids of items whose upload may have completed.
    attempted: BTreeSet<String>,
    /// Markers in the URLs of imported items, by import id.
    imports: BTreeMap<String, String>,
    exports: BTreeSet<String>,
}

struct Workload<'a> {
    process: &'a KillableProcess,
    acknowledged: Mutex<Acknowledged>,
}

impl Workload<'_> {
    fn acknowledge(&self, note: impl FnOnce(&mut Acknowledged)) {
        note(&mut self.acknowledged.lock().unwrap());
    }

    async fn saves(&self, round: u64) {
        for count in 0.. {
            let id = format!("save-{round}-{count}");
            let body = json!({"externalId": id, "content": format!("Words of {id}."), "tags": ["kept"]});
            let Some((status, _)) = self.process.try_send(Method::POST, ITEMS, Some(&body)).await else {
                return;
            };
            if matches!(status, 200 | 201) {
                self.acknowledge(|acknowledged| acknowledged.saved.extend([id]));
            }
        }
    }

    async fn uploads(&self, round: u64) {
        for count in 0..12 {
            let name = format!("file-{round}-{count}.bin");
            let body = json!({"fileName": name, "externalId": name});
            let Some((201, saved)) = self.process.try_send(Method::POST, ITEMS, Some(&body)).await else {
                return;
            };
            let id = saved["item"]["id"].as_str().unwrap().to_owned();
            self.acknowledge(|acknowledged| {
                acknowledged.saved.insert(name.clone());
                acknowledged.attempted.insert(id.clone());
            });
            let bytes: Vec<u8> = name.bytes().cycle().take(200_000 * (1 + count % 6)).collect();
            let checksum = format!("sha256:{}", data_encoding::HEXLOWER.encode(&Sha256::digest(&bytes)));
            let request = self.process.request(Method::PUT, &format!("{ITEMS}/{id}/file")).body(bytes);
            let Some((status, _)) = self.process.try_request(request).await else { return };
            if status == 201 {
                self.acknowledge(|acknowledged| drop(acknowledged.uploaded.insert(id, checksum)));
            }
        }
    }

    async fn imports(&self, round: u64) {
        let word = format!("import-{round}");
        let row = |row| format!("{word} {row},http://10.0.0.1/{word}/{row},1704067200,t,unread\n");
        let rows: String = (0..ROWS).map(row).collect();
        let text = format!("title,url,time_added,tags,status\n{rows}");
        let parts = [
            Field { name: "dryRun", file: None, body: b"false" },
            Field { name: "file", file: Some(("p.csv", "text/csv")), body: text.as_bytes() },
        ];
        let request = with_form(self.process.request(Method::POST, "/v1/library/imports"), &parts);
        let Some((status, body)) = self.process.try_request(request).await else { return };
        if status == 202 {
            let body: Value = serde_json::from_slice(&body).unwrap();
            let id = body["import"]["id"].as_str().unwrap().to_owned();
            self.acknowledge(|acknowledged| drop(acknowledged.imports.insert(id, word)));
        }
    }

    async fn exports(&self) {
        // At most four exports per day are allowed.
        let Some((202, made)) =
            self.process.try_send(Method::POST, "/v1/library/exports", Some(&json!({}))).await
        else {
            return;
        };
        let id = made["export"]["id"].as_str().unwrap().to_owned();
        self.acknowledge(|acknowledged| acknowledged.exports.extend([id]));
    }

    /// Runs all kinds of work until the process is killed, then restarts the process.
    async fn round(&self, round: u64, rng: &mut Rng) {
        let until = self.process.answered_requests() + rng.u64(3..60);
        let work = async {
            tokio::join!(self.saves(round), self.uploads(round), self.imports(round), self.exports())
        };
        let kill = async {
            // On a busy machine the process is killed even if it has not answered that many requests.
            let _ = tokio::time::timeout(LONGEST_ROUND, self.process.wait_for_answers(until)).await;
            self.process.kill().await;
        };
        tokio::join!(work, kill);
        self.process.restart().await;
    }

    /// Waits until every import and export is complete or failed.
    async fn settle(&self) {
        let acknowledged = std::mem::take(&mut *self.acknowledged.lock().unwrap());
        for kind in ["import", "export"] {
            let ids: Vec<&String> = if kind == "import" {
                acknowledged.imports.keys().collect()
            } else {
                acknowledged.exports.iter().collect()
            };
            for id in ids {
                let fetch =
                    async || self.process.get(&format!("/v1/library/{kind}s/{id}")).await[kind].clone();
                let is_over = |one: &Value| matches!(one["state"].as_str(), Some("complete" | "failed"));
                let ended = eventually("an import or export ends", fetch, is_over).await;
                assert_eq!(ended["state"] == "failed", ended["errorCode"].is_string(), "{ended}");
                if kind == "export" && ended["state"] == "complete" {
                    let bytes = self.process.download(&format!("/v1/library/exports/{id}/file")).await;
                    assert_eq!(json!(bytes.len()), ended["parts"][0]["size"]);
                }
            }
        }
        *self.acknowledged.lock().unwrap() = acknowledged;
    }

    /// Returns the items in their last reported state. An item that changes during the walk is reported
    /// twice.
    async fn items(&self) -> Vec<Value> {
        let (mut process, mut cursor) = (BTreeMap::new(), String::new());
        loop {
            let page = self.process.get(&format!("/v1/library/sync?limit=500&types=item{cursor}")).await;
            let changes = page["changes"].as_array().unwrap().iter();
            process.extend(changes.map(|change| (change["ref"].to_string(), change["object"].clone())));
            cursor = format!("&cursor={}", page["nextCursor"].as_str().unwrap());
            if page["hasMore"] == false {
                return process.into_values().collect();
            }
        }
    }

    /// Asserts that no acknowledged item is lost, and that no item exists twice.
    async fn check(&self) {
        let items = self.items().await;
        let acknowledged = std::mem::take(&mut *self.acknowledged.lock().unwrap());
        let mut names: BTreeMap<String, usize> = BTreeMap::new();
        for item in &items {
            let name = item["externalId"].as_str().unwrap_or_else(|| item["url"].as_str().unwrap());
            *names.entry(name.to_owned()).or_default() += 1;
        }
        let doubled: Vec<_> = names.iter().filter(|(_, count)| **count > 1).collect();
        assert!(doubled.is_empty(), "duplicates: {doubled:?}");
        let lost: Vec<_> = acknowledged.saved.iter().filter(|name| !names.contains_key(*name)).collect();
        assert!(lost.is_empty(), "lost: {lost:?}");
        for (id, word) in &acknowledged.imports {
            let import = self.process.get(&format!("/v1/library/imports/{id}")).await["import"].clone();
            let there = names.keys().filter(|name| name.contains(&format!("/{word}/"))).count();
            assert_eq!(import["created"], json!(there), "{import}");
            assert!(import["state"] == "failed" || there == ROWS, "{there}: {import}");
        }
        for item in items.iter().filter(|item| acknowledged.attempted.contains(item["id"].as_str().unwrap()))
        {
            let id = item["id"].as_str().unwrap();
            let checksum = acknowledged.uploaded.get(id);
            assert!(checksum.is_none_or(|sum| item["asset"]["checksum"] == **sum), "{item}");
            // The file of an item is either complete or absent.
            if item["asset"].is_object() {
                let bytes = self.process.download(&format!("{ITEMS}/{id}/file")).await;
                let sum = format!("sha256:{}", data_encoding::HEXLOWER.encode(&Sha256::digest(&bytes)));
                assert_eq!(item["asset"]["checksum"], json!(sum));
            } else {
                assert_eq!(item["articleStatus"], "awaiting_upload");
            }
        }
        eprintln!(
            "{} items, {} uploads, {} imports, {} exports",
            items.len(),
            acknowledged.uploaded.len(),
            acknowledged.imports.len(),
            acknowledged.exports.len()
        );
    }

    /// Runs the clean-up with a clock two days ahead. Asserts that no unreferenced file is left, and that the
    /// counters match the rows.
    async fn sweep(&self) {
        self.process.kill().await;
        let domain = self.process.domain_in_two_days().await;
        let days_ago = domain.now() - 5 * DAY;
        let old = UNIX_EPOCH + Duration::from_millis(days_ago.try_into().unwrap());
        for path in files_in(self.process.folder()) {
            std::fs::File::options().write(true).open(path).unwrap().set_modified(old).unwrap();
        }
        library::transfer::delete_old_exports(&domain).await.unwrap();
        files::delete_released(&domain).await.unwrap();
        files::delete_lost(&domain).await.unwrap();
        let named = "SELECT count(*) FROM library_item WHERE asset_blob IS NOT NULL";
        let left = i64::try_from(files_in(self.process.folder()).len()).unwrap();
        assert_eq!(left, query_number(&domain, named).await, "each item with a file has one stored file");
        assert_eq!(
            query_number(&domain, "SELECT count(*) FROM library_blob WHERE delete_at IS NOT NULL").await,
            0
        );
        assert_eq!(
            query_number(&domain, "SELECT CAST(SUM(reserved_bytes) AS bigint) FROM library_account").await,
            0
        );
        let counted =
            query_number(&domain, "SELECT CAST(SUM(stored_bytes) AS bigint) FROM library_account").await;
        assert_eq!(
            query_number(&domain, "SELECT CAST(SUM(stored_bytes) AS bigint) FROM library_item").await,
            counted
        );
        let twice = "SELECT count(*) FROM (SELECT sequence FROM library_change GROUP BY account_id, sequence HAVING count(*) > 1) AS twice";
        assert_eq!(query_number(&domain, twice).await, 0);
    }
}

fn files_in(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files
}

async fn assert_kills_lose_nothing(backend: Backend) {
    let process = &KillableProcess::start(backend).await;
    let work = Workload { process, acknowledged: Mutex::default() };
    let mut rng = Rng::with_seed(7);
    let begin = std::time::Instant::now();
    for round in 0..kills() {
        work.round(round, &mut rng).await;
    }
    work.settle().await;
    work.check().await;
    work.sweep().await;
    eprintln!("{} kills in {:?}", kills(), begin.elapsed());
}

#[test]
fn kills_lose_and_duplicate_nothing_on_sqlite() {
    run(assert_kills_lose_nothing(Backend::Sqlite));
}

#[test]
fn kills_lose_and_duplicate_nothing_on_postgres() {
    run(assert_kills_lose_nothing(Backend::Postgres));
}
