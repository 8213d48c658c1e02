//! Service under load: the processes of one deployment type, with their memory and their files.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use kernel::testing::TestDatabase;
use kernel::{Backend, Domain, RandomIds, SystemClock};
use sea_orm::{ConnectionTrait, Statement};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::cgroup::MemoryCgroup;
use crate::support::World;
use crate::support::deployment::Web;
use crate::support::monitoring::query_number;
use crate::support::servers::{PrivateRedis, Process, free_port};

/// Limits of the public reader per network. They are higher than the defaults, so that a load reaches other
/// limits as well.
const READER_LIMITS: &str = "100/10,600/60";
/// Storage limit of the plan. It is lower than the default, so that one account cannot fill the machine's
/// disk.
const TIERS: &str = "[pro]\nlibrary_storage_bytes = 1073741824\n";
/// Number of bytes that files may use on disk in addition to 110 % of the counted bytes.
const DISK_SLACK: u64 = 1 << 20;
/// Time between two measurements of the memory.
const MEMORY_INTERVAL: Duration = Duration::from_millis(250);
/// Queries for the counted bytes of files: items, uploads and replaced files, imports, and pictures.
const COUNTED: [&str; 4] = [
    "SELECT CAST(COALESCE(SUM(asset_size), 0) AS bigint) FROM library_item WHERE asset_blob IS NOT NULL",
    "SELECT CAST(COALESCE(SUM(reserved_bytes), 0) AS bigint) FROM library_account",
    "SELECT CAST(COALESCE(SUM(i.bytes), 0) AS bigint) FROM library_import i \
     JOIN library_blob b ON b.blob = i.blob",
    "SELECT CAST(COALESCE(SUM(size_bytes), 0) AS bigint) FROM picture WHERE blob IS NOT NULL",
];

/// Processes of a deployment, in a cgroup if it could be created. Killed on drop.
pub(super) struct Service {
    processes: Vec<Process>,
    cgroup: Option<MemoryCgroup>,
    pub(super) port: u16,
    /// Access to the database with the system clock.
    pub(super) domain: Domain,
    _redis: Option<PrivateRedis>,
    _database: TestDatabase,
    folder: tempfile::TempDir,
}

/// Sizes of files, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct FileBytes {
    /// Bytes on disk, including files that are being written.
    pub(super) stored: u64,
    /// Bytes that are counted for accounts or for the picture cache.
    pub(super) counted: u64,
}

impl FileBytes {
    /// True if the files on disk are counted, with a tolerance of a tenth and [`DISK_SLACK`].
    pub(super) fn are_counted(&self) -> bool {
        self.stored <= self.counted + self.counted / 10 + DISK_SLACK
    }
}

impl Service {
    /// Starts a deployment on an empty database and waits until it is ready.
    pub(super) async fn start(world: World, cgroup: Option<MemoryCgroup>) -> Self {
        let (backend, roles, redis): (_, &[&str], _) = match world {
            World::Small => (Backend::Sqlite, &["serve"], None),
            World::Large => {
                (Backend::Postgres, &["web", "worker", "scheduler"], Some(PrivateRedis::start().await))
            }
        };
        let database = TestDatabase::create(backend).await;
        let folder = tempfile::tempdir().expect("create a temporary folder");
        let (files, tiers) = (folder.path().join("files"), folder.path().join("tiers.toml"));
        fs::create_dir(&files).expect("create the folder of files");
        fs::write(&tiers, TIERS).expect("write the limits of plans");
        let port = free_port();
        let mut settings = vec![
            ("DATABASE_URL", database.url.clone()),
            ("CARREL_FILES", files.display().to_string()),
            ("CARREL_TIERS_FILE", tiers.display().to_string()),
            ("CARREL_LISTEN", format!("127.0.0.1:{port}")),
            ("CARREL_BASE_URL", format!("http://127.0.0.1:{port}")),
            ("CARREL_FETCH_ALLOW", "127.0.0.0/8".to_owned()),
            ("CARREL_READER_LIMITS", READER_LIMITS.to_owned()),
            ("CARREL_SHUTDOWN_SECONDS", "1".to_owned()),
        ];
        settings.extend(redis.as_ref().map(|redis| ("REDIS_URL", redis.url())));
        let members = cgroup.as_ref().map(MemoryCgroup::members);
        let start = |role: &&str| match &members {
            Some(members) => Process::start_in_cgroup(members, &[*role], &settings),
            None => Process::start(&[*role], &settings),
        };
        let processes = roles.iter().map(start).collect();
        let handle = database.second_handle().await.db().clone();
        let domain = Domain::with(handle, Arc::new(SystemClock), Arc::new(RandomIds));
        let service = Self { processes, cgroup, port, domain, _redis: redis, _database: database, folder };
        service.web().wait_until_ready().await;
        service
    }

    pub(super) fn web(&self) -> Web {
        Web::at(self.port)
    }

    pub(super) fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Returns the current memory of the processes and their children, in megabytes.
    pub(super) fn memory_mb(&self) -> u64 {
        memory_mb(&self.pids())
    }

    /// Measures the memory of the processes and their children until `stop`, and returns the largest sum in
    /// megabytes.
    pub(super) fn watch_memory(&self, stop: CancellationToken) -> impl Future<Output = u64> + Send + use<> {
        let pids = self.pids();
        async move {
            let (mut largest, mut ticks) = (0, tokio::time::interval(MEMORY_INTERVAL));
            while stop.run_until_cancelled(ticks.tick()).await.is_some() {
                largest = largest.max(memory_mb(&pids));
            }
            largest
        }
    }

    fn pids(&self) -> Vec<u32> {
        self.processes.iter().map(Process::pid).collect()
    }

    /// Returns the bytes of files on disk and in the database.
    pub(super) async fn file_bytes(&self) -> FileBytes {
        let mut counted = exported_bytes(&self.domain).await;
        for sql in COUNTED {
            counted += query_number(&self.domain, sql).await.unsigned_abs();
        }
        FileBytes { stored: bytes_in(&self.folder.path().join("files")), counted }
    }

    /// Describes processes that did not survive: exits, and kills at the limit of the cgroup.
    pub(super) fn deaths(&mut self) -> Vec<String> {
        let mut deaths = Vec::new();
        for process in &mut self.processes {
            if let Some(status) = process.exit_status() {
                deaths.push(format!("a process of the service exited: {status}\n{}", process.log()));
            }
        }
        let killed = self.cgroup.as_ref().and_then(MemoryCgroup::killed).unwrap_or(0);
        if killed > 0 {
            deaths.push(format!("{killed} processes were killed at the limit of the cgroup"));
        }
        deaths
    }

    /// Kills the processes and removes their cgroup.
    pub(super) async fn stop(mut self) {
        self.processes.clear();
        if let Some(cgroup) = self.cgroup.take() {
            cgroup.remove().await;
        }
    }
}

impl Drop for Service {
    /// Prints the logs of the processes if the test fails.
    fn drop(&mut self) {
        if std::thread::panicking() {
            for process in &self.processes {
                eprintln!("{}\n---", process.log());
            }
        }
    }
}

/// Returns the memory of these processes and their descendants in megabytes: the proportional set size, in which a page
/// that several processes or connections map is counted once.
fn memory_mb(pids: &[u32]) -> u64 {
    let parents: Vec<(u32, u32)> = fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter_map(|pid| Some((pid, parent_of(pid)?)))
        .collect();
    let mut family = pids.to_vec();
    let mut next = 0;
    while let Some(&parent) = family.get(next) {
        family.extend(parents.iter().filter(|(_, of)| *of == parent).map(|(pid, _)| *pid));
        next += 1;
    }
    family.iter().map(|pid| memory_kib(*pid)).sum::<u64>() * 1024 / 1_000_000
}

/// Returns the parent of a process. `None` if the process has exited.
fn parent_of(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of the process, in parentheses, may contain spaces.
    stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}

/// Returns the proportional set size of a process in KiB. 0 if the process has exited.
fn memory_kib(pid: u32) -> u64 {
    let sizes = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
    let line = sizes.lines().find_map(|line| line.strip_prefix("Pss:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or_default()
}

/// Returns the total size of the files in a folder. Files that disappear meanwhile are not counted.
fn bytes_in(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => bytes_in(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    };
    entries.map(size).sum()
}

/// Returns the total size of the parts of all exports.
async fn exported_bytes(domain: &Domain) -> u64 {
    let connection = domain.db().write();
    let sql = "SELECT parts FROM library_export".to_owned();
    let statement = Statement::from_string(connection.get_database_backend(), sql);
    let rows = connection.query_all_raw(statement).await.expect("the exports can be read");
    let parts_of = |parts: String| serde_json::from_str::<Vec<Value>>(&parts).expect("the parts are JSON");
    let parts = rows.iter().flat_map(|row| parts_of(row.try_get_by_index(0).expect("the parts are a text")));
    parts.map(|part| part["size"].as_u64().expect("a part has a size")).sum()
}
