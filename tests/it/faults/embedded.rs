//! One process on an embedded database, while another process holds the write lock, and while the disk is
//! full.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use kernel::testing::TestDatabase;
use kernel::{Backend, Database, DatabaseSettings};
use rustix::process::Signal;
use sea_orm::{ConnectionTrait, TransactionTrait};
use serde_json::json;

use crate::support::app::read_path;
use crate::support::deployment::Web;
use crate::support::servers::{Process, free_port};
use crate::support::site::{Reply, article};
use crate::support::{Site, eventually, run};

/// Time for which another process holds the write lock.
const LOCK_TIME: Duration = Duration::from_secs(10);
/// Size of the small disk in bytes.
const DISK: u64 = 24 << 20;

async fn serve(url: &str) -> (Process, Web) {
    let port = free_port();
    let settings = [
        ("DATABASE_URL", url.to_owned()),
        ("CARREL_LISTEN", format!("127.0.0.1:{port}")),
        ("CARREL_FETCH_ALLOW", "127.0.0.1".to_owned()),
        ("CARREL_READER_LIMITS", "off".to_owned()),
    ];
    let (process, web) = (Process::start(&["serve"], &settings), Web::at(port));
    web.wait_until_ready().await;
    (process, web)
}

async fn assert_intact(url: &str) {
    let database = Database::connect(url, &DatabaseSettings::default()).await.unwrap();
    let said = sea_orm::Statement::from_string(sea_orm::DbBackend::Sqlite, "PRAGMA integrity_check");
    let said = database.read().query_one_raw(said).await.unwrap().unwrap();
    assert_eq!(said.try_get_by_index::<String>(0).unwrap(), "ok");
    database.close().await;
}

#[test]
fn write_lock_of_another_process_loses_neither_requests_nor_jobs() {
    run(async {
        let (site, database) = (Site::start(), TestDatabase::create(Backend::Sqlite).await);
        let (mut process, web) = serve(&database.url).await;
        let cached = read_path(&site.article("/kept"), &[]);
        web.get(&cached).await.expect(200);

        let other = Database::connect(&database.url, &DatabaseSettings::default()).await.unwrap();
        let lock = other.write().begin().await.unwrap();
        lock.execute_unprepared("CREATE TABLE taken (x)").await.unwrap();
        let begin = Instant::now();
        let (new, body) = (read_path(&site.article("/new"), &[]), json!({"url": site.article("/job")}));
        let meanwhile = async {
            let mut answered = 0;
            while begin.elapsed() < LOCK_TIME {
                web.get(&cached).await.expect(200);
                answered += 1;
            }
            lock.rollback().await.unwrap();
            answered
        };
        let (answered, read, job) =
            tokio::join!(meanwhile, web.get(&new), web.post("/api/v1/read/jobs", &body));
        println!(
            "{answered} reads of a kept page in {LOCK_TIME:?}; a new one: {}, a job: {}",
            read.status, job.status
        );
        // A write waits, or is refused with `Retry-After`.
        assert!([200, 503].contains(&read.status), "{read:?}");
        assert!([202, 503].contains(&job.status), "{job:?}");
        web.get(&new).await.expect(200);
        let id = web.create_read_job(&site.article("/job")).await;
        let state =
            async || web.get(&format!("/api/v1/read/jobs/{id}")).await.expect(200).json()["state"].clone();
        eventually("the job completes", state, |state| state == "complete").await;
        process.signal(Signal::TERM);
        assert!(process.wait_for_exit().await.success(), "{}", process.log());
        assert_intact(&database.url).await;
    });
}

/// Memory-backed disk, unmounted on drop.
struct Disk(tempfile::TempDir);

impl Disk {
    /// Mounts the disk.
    ///
    /// # Panics
    /// If the process may not mount disks. The test must run as root, in a container or on a dedicated machine.
    fn mount() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let size = format!("size={DISK}");
        let done =
            Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(folder.path()).status();
        assert!(done.unwrap().success(), "the disk can be mounted (as root)");
        Self(folder)
    }

    fn fill(&self) {
        let mut file = std::fs::File::create(self.0.path().join("filler")).unwrap();
        let is_full = (0..=DISK / 4096).any(|_| std::io::Write::write(&mut file, &[0; 4096]).is_err());
        assert!(is_full, "the disk is full");
    }

    fn free(&self) {
        std::fs::remove_file(self.0.path().join("filler")).unwrap();
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

#[test]
fn full_disk_is_reported_and_service_recovers_when_space_is_free() {
    run(async {
        let (site, disk) = (Site::start(), Disk::mount());
        let url = format!("sqlite://{}/carrel.db?mode=rwc", disk.path().display());
        let (mut process, web) = serve(&url).await;
        let cached = read_path(&site.article("/kept"), &[]);
        web.get(&cached).await.expect(200);
        let long = format!("<p>{}</p>", "A town by the sea, and what is told of it. ".repeat(2_000));
        let page = |number: usize| {
            let body = article().replace("</article>", &format!("{long}<p>{number}</p></article>"));
            read_path(&site.put(&format!("/page-{number}"), Reply::html(body)), &[])
        };
        disk.fill();
        let mut refused = 0;
        for number in 0..30 {
            let answer = web.get(&page(number)).await;
            assert!([200, 503].contains(&answer.status), "page {number}: {answer:?}");
            if answer.status == 503 {
                assert_eq!(answer.json()["code"], "service_unavailable", "{answer:?}");
                refused += 1;
            }
            web.get(&cached).await.expect(200);
        }
        println!("{refused} of 30 new pages were refused on a full disk");
        assert!(refused > 0, "pages are refused on a full disk");
        assert!(process.exit_status().is_none(), "{}", process.log());
        disk.free();
        let again = async || web.get(&page(100)).await.status;
        eventually("new pages are read again", again, |status| *status == 200).await;
        process.signal(Signal::TERM);
        assert!(process.wait_for_exit().await.success(), "{}", process.log());
        assert_intact(&url).await;
    });
}
