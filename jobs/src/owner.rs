//! The names under which workers have their jobs, and which of them belonged to processes of this machine that are gone.
//!
//! A lease tells everywhere, and late, that a worker was lost. Whoever shares the machine with it can know at once: its
//! process is not there any more.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

use crate::rows::JobKind;
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use crate::engine::Engine;

/// Among which processes a number means one process: those since this start of the machine that see each other, which
/// containers do not. Machines that were copied while they ran say the same of their start, so their names count too. 0
/// where nobody can say.
static AMONG: LazyLock<u32> = LazyLock::new(|| {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id");
    let Ok((boot, seen)) = boot.and_then(|boot| Ok((boot, fs::read_link("/proc/self/ns/pid")?))) else {
        return 0;
    };
    let mut hasher = DefaultHasher::new();
    (boot, seen, host()).hash(&mut hasher);
    u32::try_from(hasher.finish() >> 32).unwrap_or(0)
});

/// The name of a worker of this process. Unique for each start: a name that was used before may be taken for one that
/// still lives.
pub(crate) fn worker_name(engine: &Engine, kind: JobKind) -> String {
    let random = u32::from_le_bytes(engine.domain().random::<4>());
    named(&format!("{kind}-{}", host()), std::process::id(), *AMONG, random)
}

fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

fn named(who: &str, process: u32, among: u32, random: u32) -> String {
    format!("{who}-{process}-{among:08x}{random:08x}")
}

/// Whether a claim of this name is that of a process which ran where this one does, and is gone. What cannot be told apart,
/// as a process that has been given the same number, is not.
pub(crate) fn is_gone(claim: &str) -> bool {
    process_here(claim).is_some_and(is_dead)
}

/// The process of a claim of this machine. Its name begins with that of the worker.
fn process_here(claim: &str) -> Option<Pid> {
    let mut parts = claim.rsplit('-');
    let (origin, process) = (parts.next()?.split('.').next()?, parts.next()?);
    let among = u32::from_str_radix(origin.get(..8)?, 16).ok()?;
    if origin.len() != 16 || among != *AMONG || among == 0 {
        return None;
    }
    Pid::from_raw(process.parse().ok()?)
}

fn is_dead(process: Pid) -> bool {
    match test_kill_process(process) {
        Err(Errno::SRCH) => true,
        // It may have ended, and nobody has asked how.
        Ok(()) => fs::read_to_string(format!("/proc/{process}/stat"))
            .is_ok_and(|stat| stat.rsplit(") ").next().is_some_and(|state| state.starts_with(['Z', 'X']))),
        Err(_) => false,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::process::{Child, Command, Stdio};

    use super::*;

    /// The name of a claim of this process.
    fn of_process(process: u32) -> String {
        format!("{}.00c1a10000c1a100", named("read_job-a-host.example", process, *AMONG, 7))
    }

    /// The name of a claim whose process has ended, and nobody has asked that process how.
    pub(crate) fn of_a_process_that_ended() -> (String, Child) {
        let mut child = Command::new("true").stdout(Stdio::piped()).spawn().unwrap();
        let mut output = child.stdout.take().unwrap();
        // Its end of the pipe is closed when it ends, which takes another moment.
        std::io::copy(&mut output, &mut std::io::sink()).unwrap();
        let name = of_process(child.id());
        while !is_gone(&name) {
            std::thread::yield_now();
        }
        (name, child)
    }

    #[test]
    fn a_process_that_ended_is_gone_whether_or_not_somebody_asked_how() {
        let (name, mut child) = of_a_process_that_ended();
        assert!(is_gone(&name), "nobody has asked yet");
        child.wait().unwrap();
        assert!(is_gone(&name));
    }

    #[test]
    fn who_is_here_or_elsewhere_is_not_gone() {
        let (gone, _child) = of_a_process_that_ended();
        assert!(!is_gone(&of_process(std::process::id())));
        let elsewhere = gone.replace(&format!("{:08x}", *AMONG), "00c0ffee");
        for name in
            ["", "w-1", "read_job-host-0-0000000000000000", "read_job-host-x-0123", elsewhere.as_str()]
        {
            assert!(!is_gone(name), "{name}");
        }
    }
}
