//! Restrictions of a child before it reads a page: no files, network, further processes and threads, or
//! inherited descriptors, and bounded memory.
//!
//! The restrictions are independent. If the kernel lacks one, the others still apply, and the parent is
//! notified.

#[cfg(target_os = "linux")]
mod linux;

use std::{fs, io};

use nix::sys::signal::{SigSet, Signal};
use rustix::process::{Resource, Rlimit, setrlimit};

/// Standard input, output and error.
const PIPES: u64 = 3;
/// Descriptors above this are not closed if the system does not list the open ones.
const MAX_DESCRIPTOR: i32 = 1024;
/// Lower priority for processor time than the service, which answers requests while children read.
const NICE: i32 = 5;

/// Applies all restrictions that one thread can set before others start: inherited descriptors, rights to
/// files and network, memory, core dumps (they would contain other people's pages), new files. Returns what
/// the kernel lacks.
///
/// The signals that stop a service are blocked. Service managers send them to all processes of a service, but
/// a worker finishes its work first, and for that it needs its children.
pub(super) fn process(memory_bytes: u64) -> io::Result<Vec<String>> {
    close_inherited();
    let stop_signals = [Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP];
    stop_signals.into_iter().collect::<SigSet>().thread_block()?;
    let mut missing = Vec::new();
    if rustix::process::nice(NICE).is_err() {
        missing.push("nice".to_owned());
    }
    if !restrict_rights() {
        missing.push("landlock".to_owned());
    }
    setrlimit(Resource::Core, fixed(0))?;
    setrlimit(Resource::Fsize, fixed(0))?;
    setrlimit(Resource::As, fixed(memory_bytes))?;
    Ok(missing)
}

/// Applies the restrictions for the time when all threads are ready: no new descriptors, threads and
/// processes, and only the system calls that reading and writing pipes and memory need.
pub(super) fn calls() -> io::Result<Vec<String>> {
    setrlimit(Resource::Nofile, fixed(PIPES))?;
    setrlimit(Resource::Nproc, fixed(0))?;
    Ok(if filter_calls() { Vec::new() } else { vec!["seccomp".to_owned()] })
}

fn fixed(value: u64) -> Rlimit {
    Rlimit { current: Some(value), maximum: Some(value) }
}

/// Closes descriptors that the parent inherited from its own parent. Descriptors that this program opens are
/// close-on-exec.
fn close_inherited() {
    let listed = fs::read_dir("/proc/self/fd").map(|entries| {
        let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        names.filter_map(|name| name.parse().ok()).collect::<Vec<i32>>()
    });
    for descriptor in listed.unwrap_or_else(|_| (3..MAX_DESCRIPTOR).collect()) {
        if descriptor > 2 {
            let _ = nix::unistd::close(descriptor);
        }
    }
}

#[cfg(target_os = "linux")]
fn restrict_rights() -> bool {
    linux::restrict()
}

/// Only Linux supports this.
#[cfg(not(target_os = "linux"))]
fn restrict_rights() -> bool {
    false
}

#[cfg(target_os = "linux")]
fn filter_calls() -> bool {
    linux::filter_calls()
}

/// Only Linux supports this.
#[cfg(not(target_os = "linux"))]
fn filter_calls() -> bool {
    false
}
