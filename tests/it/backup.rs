//! `carrel backup` and `carrel restore`: the backup of a service under load is complete, and damage is
//! detected before a database exists.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering};

use data_encoding::HEXLOWER;
use kernel::Backend;
use kernel::testing::TestDatabase;
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::support::bucket::Bucket;
use crate::support::killable_process::KillableProcess;
use crate::support::run;
use crate::support::servers::CARREL;

const ITEMS: &str = "/v1/library/items";
/// Number of items with a file before the backup starts.
const FILES: usize = 12;

async fn carrel(settings: &[(&str, String)], arguments: &[&str]) -> Output {
    let mut command = Command::new(CARREL);
    command.args(arguments).env_clear();
    command.envs(settings.iter().map(|(name, value)| (*name, value.as_str())));
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn refusal(output: &Output) -> String {
    assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Returns the content of the file with this name.
fn content(name: &str) -> Vec<u8> {
    name.bytes().cycle().take(300_000).collect()
}

/// Saves an item and uploads its file. Returns the id of the item.
async fn upload(all: &KillableProcess, name: &str) -> String {
    let (status, saved) =
        all.send(Method::POST, ITEMS, Some(&json!({"fileName": name, "externalId": name}))).await;
    assert_eq!(status, 201, "{saved}");
    let id = saved["item"]["id"].as_str().unwrap().to_owned();
    replace(all, &id, name).await;
    id
}

async fn replace(all: &KillableProcess, id: &str, name: &str) {
    let put = all.request(Method::PUT, &format!("{ITEMS}/{id}/file")).body(content(name));
    let (status, _) = all.try_request(put).await.unwrap();
    assert!(matches!(status, 200 | 201), "{status}");
}

/// Key of the screenshot of [`store_screenshot`].
const SCREENSHOT: &str = "monitor/a/map";

/// Stores a screenshot of a monitor as its run would.
async fn store_screenshot(all: &KillableProcess) {
    let monitor = json!({"name": "Map", "targetUrl": "https://site.example/map"});
    let (status, created) = all.send(Method::POST, "/v1/monitors", Some(&monitor)).await;
    assert_eq!(status, 201, "{created}");
    let file = all.folder().join(SCREENSHOT);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, content("map")).unwrap();
    let row = format!(
        "INSERT INTO monitor_picture (account_id, monitor_id, hash, blob, size_bytes, stored_at) \
         SELECT account_id, id, 'h', '{SCREENSHOT}', {}, 9999999999999 FROM monitor",
        content("map").len()
    );
    all.domain().await.db().write().execute_unprepared(&row).await.unwrap();
}

/// Replaces, deletes, and adds files until `is_over` is true.
async fn load(all: &KillableProcess, mut ids: Vec<String>, is_over: &AtomicBool) {
    for count in 0.. {
        if is_over.load(Ordering::SeqCst) {
            return;
        }
        let name = format!("during-{count}.bin");
        match count % 3 {
            0 => ids.push(upload(all, &name).await),
            1 => replace(all, &ids[count % ids.len()], &name).await,
            _ => {
                let id = ids.swap_remove(count % ids.len());
                let (status, _) = all.send(Method::DELETE, &format!("{ITEMS}/{id}"), None).await;
                assert_eq!(status, 204);
            }
        }
    }
}

/// Creates an empty database for a restore. Returns it with its settings; the guard deletes it on drop.
async fn new_home(backend: Backend, folder: &Path) -> (Option<TestDatabase>, Vec<(&'static str, String)>) {
    let (database, url) = match backend {
        Backend::Sqlite => (None, format!("sqlite://{}/new/carrel.db?mode=rwc", folder.display())),
        Backend::Postgres => {
            let database = TestDatabase::create(backend).await;
            let empty = "DROP SCHEMA public CASCADE; CREATE SCHEMA public";
            database.domain.db().write().execute_unprepared(empty).await.unwrap();
            let url = database.url.clone();
            (Some(database), url)
        }
    };
    let files = folder.join("new-files").display().to_string();
    (database, vec![("DATABASE_URL", url), ("CARREL_FILES", files)])
}

async fn assert_backup_under_load_is_complete(backend: Backend) {
    let folder = tempfile::tempdir().unwrap();
    let all = KillableProcess::start(backend).await;
    let mut ids = Vec::new();
    for count in 0..FILES {
        ids.push(upload(&all, &format!("before-{count}.bin")).await);
    }
    store_screenshot(&all).await;
    let archive = folder.path().join("carrel.tar").display().to_string();
    let is_over = AtomicBool::new(false);
    let settings = all.settings().to_vec();
    let backup = async {
        let output = carrel(&settings, &["backup", &archive]).await;
        is_over.store(true, Ordering::SeqCst);
        printed(&output)
    };
    let (text, ()) = tokio::join!(backup, load(&all, ids, &is_over));
    assert!(text.starts_with("written: backup of "), "{text}");
    let again = refusal(&carrel(&settings, &["backup", &archive]).await);
    assert!(again.contains("exists: choose another name"), "{again}");
    let verified = printed(&carrel(&[], &["backup", "--verify", &archive]).await);
    assert_eq!(verified, text.replace("written", "verified"));

    let (_database, mut home) = new_home(backend, folder.path()).await;
    let restored = printed(&carrel(&home, &["restore", &archive]).await);
    assert_eq!(restored, text.replace("written", "restored"));
    assert!(printed(&carrel(&home, &["doctor"]).await).contains("checks hold"));
    let screenshot = std::fs::read(folder.path().join("new-files").join(SCREENSHOT)).unwrap();
    assert_eq!(screenshot, content("map"));
    let twice = refusal(&carrel(&home, &["restore", &archive]).await);
    assert!(twice.contains("exists: move it away") || twice.contains("has tables"), "{twice}");

    home.push(("CARREL_EXTRACT_PROCESSES", "1".to_owned()));
    let copy = all.start_copy(&home).await;
    let page = copy.get("/v1/library/items?limit=100").await;
    let items = page["items"].as_array().unwrap();
    assert!(items.len() >= FILES / 2, "{page}");
    for item in items.iter().filter(|item| item["asset"].is_object()) {
        let path = format!("{ITEMS}/{}/file", item["id"].as_str().unwrap());
        let hash = HEXLOWER.encode(&Sha256::digest(copy.download(&path).await));
        assert_eq!(item["asset"]["checksum"], json!(format!("sha256:{hash}")), "{item}");
    }
    let stale = all.get("/v1/library/sync?limit=1").await["nextCursor"].as_str().unwrap().to_owned();
    let (status, answer) = copy.send(Method::GET, &format!("/v1/library/sync?cursor={stale}"), None).await;
    assert_eq!((status, &answer["code"]), (410, &json!("cursor_expired")), "{answer}");
}

#[test]
fn backup_under_load_is_complete_on_sqlite() {
    run(assert_backup_under_load_is_complete(Backend::Sqlite));
}

#[test]
fn backup_under_load_is_complete_on_postgres() {
    run(assert_backup_under_load_is_complete(Backend::Postgres));
}

#[test]
fn damaged_backup_is_refused_and_leaves_no_database() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let all = KillableProcess::start(Backend::Sqlite).await;
        upload(&all, "one.bin").await;
        let archive = folder.path().join("carrel.tar");
        let name = archive.display().to_string();
        printed(&carrel(all.settings(), &["backup", &name]).await);
        let whole = std::fs::read(&archive).unwrap();
        let content = content("one.bin");
        let file = whole.windows(64).position(|bytes| bytes == &content[..64]).unwrap();
        let mut changed = whole.clone();
        changed[file + 1_000] ^= 1;
        let (_none, home) = new_home(Backend::Sqlite, folder.path()).await;
        for (bytes, reason) in [(&changed[..], "the backup is damaged: files/account/"), (&whole[..file], "")]
        {
            std::fs::write(&archive, bytes).unwrap();
            for command in [&["backup", "--verify", &name][..], &["restore", &name]] {
                let text = refusal(&carrel(&home, command).await);
                assert!(text.contains(reason), "{reason} is not in {text}");
            }
        }
        let left: Vec<_> = std::fs::read_dir(folder.path().join("new")).unwrap().collect();
        assert!(left.is_empty(), "no database and no temporary file is left: {left:?}");
        std::fs::write(&archive, &whole).unwrap();
        let postgres = TestDatabase::create(Backend::Postgres).await;
        let other = [("DATABASE_URL", postgres.url.clone())];
        let text = refusal(&carrel(&other, &["restore", &name]).await);
        assert!(text.contains("has tables"), "{text}");
        printed(&carrel(&home, &["restore", &name]).await);
    });
}

#[test]
fn backup_without_a_stored_file_reports_it_as_missing() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let all = KillableProcess::start(Backend::Sqlite).await;
        upload(&all, "one.bin").await;
        let accounts = all.folder().join("account");
        std::fs::remove_dir_all(accounts).unwrap();
        let archive = folder.path().join("carrel.tar").display().to_string();
        let text = refusal(&carrel(all.settings(), &["backup", &archive]).await);
        assert!(text.contains("missing: account/") && text.contains("lacks 1 files"), "{text}");
        assert!(printed(&carrel(&[], &["backup", "--verify", &archive]).await).contains("0 files"));
    });
}

#[test]
fn backup_in_a_bucket_is_verified_and_restored() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let bucket = Bucket::start();
        let all = KillableProcess::start(Backend::Sqlite).await;
        upload(&all, "one.bin").await;
        let archive = bucket.location("daily/carrel.tar");
        printed(&carrel(all.settings(), &["backup", &archive]).await);
        assert_eq!(bucket.keys(), ["daily/carrel.tar"]);
        printed(&carrel(&[], &["backup", "--verify", &archive]).await);
        let (_none, home) = new_home(Backend::Sqlite, folder.path()).await;
        assert!(printed(&carrel(&home, &["restore", &archive]).await).contains("1 files"));
        assert!(printed(&carrel(&home, &["doctor"]).await).contains("checks hold"));
    });
}
