//! Restrictions of a child before it reads a page: no files, no network, no new processes or threads, no
//! inherited descriptors, and limited memory.
//!
//! The restrictions are independent. If the kernel does not support one of them, the others still apply, and
//! the parent is notified.

#[cfg(target_os = "linux")]
mod linux;

use std::{fs, io};

use nix::sys::signal::{SigSet, Signal};
use permits::Pace;
use rustix::process::{Resource, Rlimit, setrlimit};

/// Number of descriptors that remain open: standard input, output and error.
const PIPES: u64 = 3;
/// Highest descriptor that is closed if the system does not list the open descriptors.
const MAX_DESCRIPTOR: i32 = 1024;
/// Nice value of a child that reads interactive pages, so that it has a lower priority than the service, which
/// answers requests at the same time.
const INTERACTIVE_NICE: i32 = 5;
/// Nice value of a child that does background work.
const BACKGROUND_NICE: i32 = 10;

/// Nice value of a child for requests of this priority.
pub(super) fn nice_value(pace: Pace) -> i32 {
    match pace {
        Pace::Interactive => INTERACTIVE_NICE,
        Pace::Background => BACKGROUND_NICE,
    }
}

/// Applies the restrictions that one thread can set before other threads start: inherited descriptors, rights
/// to files and network, memory, core dumps (which would contain pages of users), and new files. Returns the
/// features that the kernel does not support.
///
/// The signals that stop a service are blocked. Service managers send these signals to all processes of a
/// service, but a worker completes its work before it stops, and needs its children for it.
pub(super) fn process(memory_bytes: u64, nice: i32) -> io::Result<Vec<String>> {
    close_inherited();
    let stop_signals = [Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP];
    stop_signals.into_iter().collect::<SigSet>().thread_block()?;
    let mut missing = Vec::new();
    if rustix::process::nice(nice).is_err() {
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

/// Applies the restrictions that are possible only after all threads were started: no new descriptors,
/// threads or processes, and no system calls except those needed to read and write pipes and to allocate
/// memory.
pub(super) fn calls() -> io::Result<Vec<String>> {
    setrlimit(Resource::Nofile, fixed(PIPES))?;
    setrlimit(Resource::Nproc, fixed(0))?;
    Ok(if filter_calls() { Vec::new() } else { vec!["seccomp".to_owned()] })
}

fn fixed(value: u64) -> Rlimit {
    Rlimit { current: Some(value), maximum: Some(value) }
}

/// Closes the descriptors that the parent inherited. The descriptors that this program opens are
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

/// Always returns false, because only Linux supports this restriction.
#[cfg(not(target_os = "linux"))]
fn restrict_rights() -> bool {
    false
}

#[cfg(target_os = "linux")]
fn filter_calls() -> bool {
    linux::filter_calls()
}

/// Always returns false, because only Linux supports this restriction.
#[cfg(not(target_os = "linux"))]
fn filter_calls() -> bool {
    false
}
