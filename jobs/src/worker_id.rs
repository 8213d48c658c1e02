//! Worker names, and detection of workers on this machine whose process has ended.
//!
//! A lease detects a lost worker on any machine, but late. A process on the same machine can detect it
//! immediately, because the worker's process no longer exists.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

use crate::rows::JobKind;
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use crate::engine::Engine;

/// Hash of the scope in which a process id is unique: boot id, pid namespace (containers do not see each
/// other's processes), and host name (machines that were cloned while running have equal boot ids). 0 if
/// unknown.
static PID_SCOPE: LazyLock<u32> = LazyLock::new(|| {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id");
    let Ok((boot, namespace)) = boot.and_then(|boot| Ok((boot, fs::read_link("/proc/self/ns/pid")?))) else {
        return 0;
    };
    let mut hasher = DefaultHasher::new();
    (boot, namespace, host()).hash(&mut hasher);
    u32::try_from(hasher.finish() >> 32).unwrap_or(0)
});

/// Creates the name of a worker of this process. The name is unique for each start, because a reused name could be
/// mistaken for that of a live worker.
pub(crate) fn worker_name(engine: &Engine, kind: JobKind) -> String {
    let random = u32::from_le_bytes(engine.domain().random::<4>());
    format_name(&format!("{kind}-{}", host()), std::process::id(), *PID_SCOPE, random)
}

fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

fn format_name(prefix: &str, process: u32, scope: u32, random: u32) -> String {
    format!("{prefix}-{process}-{scope:08x}{random:08x}")
}

/// Returns true if the claim belongs to a process of the same scope that has ended. Returns false if this is
/// not certain, for example if the process id was reused.
pub(crate) fn is_process_gone(claim: &str) -> bool {
    local_process(claim).is_some_and(is_dead)
}

/// Returns the process id of a claim of the same scope. `None` for other claims. The claim's name begins with
/// the worker's name.
fn local_process(claim: &str) -> Option<Pid> {
    let mut parts = claim.rsplit('-');
    let (origin, process) = (parts.next()?.split('.').next()?, parts.next()?);
    let scope = u32::from_str_radix(origin.get(..8)?, 16).ok()?;
    if origin.len() != 16 || scope != *PID_SCOPE || scope == 0 {
        return None;
    }
    Pid::from_raw(process.parse().ok()?)
}

fn is_dead(process: Pid) -> bool {
    match test_kill_process(process) {
        Err(Errno::SRCH) => true,
        // The process may be a zombie that its parent has not reaped.
        Ok(()) => fs::read_to_string(format!("/proc/{process}/stat"))
            .is_ok_and(|stat| stat.rsplit(") ").next().is_some_and(|state| state.starts_with(['Z', 'X']))),
        Err(_) => false,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::process::{Child, Command, Stdio};

    use super::*;

    /// Builds the name of a claim of a process on this machine.
    fn claim_of_process(process: u32) -> String {
        format!("{}.00c1a10000c1a100", format_name("read_job-a-host.example", process, *PID_SCOPE, 7))
    }

    /// Builds the name of a claim whose process has ended but has not been reaped.
    pub(crate) fn claim_of_ended_process() -> (String, Child) {
        let mut child = Command::new("true").stdout(Stdio::piped()).spawn().unwrap();
        let mut output = child.stdout.take().unwrap();
        // The pipe is closed when the process exits, shortly before it becomes a zombie.
        std::io::copy(&mut output, &mut std::io::sink()).unwrap();
        let name = claim_of_process(child.id());
        while !is_process_gone(&name) {
            std::thread::yield_now();
        }
        (name, child)
    }

    #[test]
    fn ended_process_is_gone_before_and_after_it_is_reaped() {
        let (name, mut child) = claim_of_ended_process();
        assert!(is_process_gone(&name), "not reaped yet");
        child.wait().unwrap();
        assert!(is_process_gone(&name));
    }

    #[test]
    fn running_and_foreign_processes_are_not_reported_as_gone() {
        let (gone, _child) = claim_of_ended_process();
        assert!(!is_process_gone(&claim_of_process(std::process::id())));
        let elsewhere = gone.replace(&format!("{:08x}", *PID_SCOPE), "00c0ffee");
        for name in
            ["", "w-1", "read_job-host-0-0000000000000000", "read_job-host-x-0123", elsewhere.as_str()]
        {
            assert!(!is_process_gone(name), "{name}");
        }
    }
}
