//! Memory cgroup for the processes of a service, in version 1 or 2 of the kernel interface.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::support::eventually;

/// Mount point of the memory controller in version 1.
const V1: &str = "/sys/fs/cgroup/memory";
/// Mount point of version 2.
const V2: &str = "/sys/fs/cgroup";

static COUNT: AtomicU32 = AtomicU32::new(0);

/// Cgroup with a memory limit.
pub(super) struct MemoryCgroup {
    folder: PathBuf,
    /// Name of the file with the number of processes that were killed at the limit.
    events: &'static str,
}

impl MemoryCgroup {
    /// Creates a cgroup without processes.
    ///
    /// # Errors
    /// If the cgroup cannot be created. The error describes the reason.
    pub(super) fn create(limit_bytes: u64) -> Result<Self, String> {
        if !rustix::process::getuid().is_root() {
            return Err("the test does not run as root".to_owned());
        }
        let is_v2 = Path::new(V2).join("cgroup.controllers").exists();
        let (root, limit, swap_limit, swap, events) = if is_v2 {
            write(&Path::new(V2).join("cgroup.subtree_control"), "+memory")?;
            (V2, "memory.max", "memory.swap.max", 0, "memory.events")
        } else {
            // In version 1, this limit applies to the sum of memory and swap.
            (V1, "memory.limit_in_bytes", "memory.memsw.limit_in_bytes", limit_bytes, "memory.oom_control")
        };
        let name = format!("carrel-test-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = Path::new(root).join(name);
        fs::create_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let cgroup = Self { folder, events };
        write(&cgroup.folder.join(limit), &limit_bytes.to_string())?;
        // Kernels without swap accounting lack this file.
        let _ = write(&cgroup.folder.join(swap_limit), &swap.to_string());
        Ok(cgroup)
    }

    /// Returns the file that lists the cgroup's processes. A process joins the cgroup by writing its id to
    /// the file.
    pub(super) fn members(&self) -> PathBuf {
        self.folder.join("cgroup.procs")
    }

    /// Returns the number of processes that were killed at the limit. `None` if the kernel does not count
    /// them.
    pub(super) fn killed(&self) -> Option<u64> {
        let events = fs::read_to_string(self.folder.join(self.events)).ok()?;
        events.lines().find_map(|line| line.strip_prefix("oom_kill "))?.trim().parse().ok()
    }

    /// Waits until the cgroup's processes have exited, and removes the cgroup.
    pub(super) async fn remove(self) {
        let remove = async || fs::remove_dir(&self.folder).map_err(|error| error.kind());
        eventually("the cgroup has no processes", remove, Result::is_ok)
            .await
            .expect("the cgroup is removed");
    }
}

impl Drop for MemoryCgroup {
    /// Removes the cgroup after a failed test, if its processes have exited.
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.folder);
    }
}

fn write(file: &Path, value: &str) -> Result<(), String> {
    fs::write(file, value).map_err(|error| format!("{}: {error}", file.display()))
}
