//! What a child gives up before it reads a page: files, network, further processes and threads, descriptors it was left,
//! memory beyond its share.
//!
//! Each part stands for itself. Where the kernel lacks one the others hold, and the parent is told.

#[cfg(target_os = "linux")]
mod linux;

use std::{fs, io};

use rustix::process::{Resource, Rlimit, setrlimit};

/// Standard input, output and error.
const PIPES: u64 = 3;
/// Descriptors above this are not looked for where the system does not list them.
const MAX_DESCRIPTOR: i32 = 1024;

/// All that one thread can give up before there is another: left descriptors, rights to files and network, memory, core
/// dumps (they would hold other people's pages), new files. The answer names what the kernel lacks.
pub(super) fn process(memory_bytes: u64) -> io::Result<Vec<String>> {
    close_inherited();
    let mut missing = Vec::new();
    if !rights_are_given_up() {
        missing.push("landlock".to_owned());
    }
    setrlimit(Resource::Core, fixed(0))?;
    setrlimit(Resource::Fsize, fixed(0))?;
    setrlimit(Resource::As, fixed(memory_bytes))?;
    Ok(missing)
}

/// What is given up once all threads are there and warm: new descriptors, new threads and processes, every call to the
/// system but those that reading and writing pipes and memory need.
pub(super) fn calls() -> io::Result<Vec<String>> {
    setrlimit(Resource::Nofile, fixed(PIPES))?;
    setrlimit(Resource::Nproc, fixed(0))?;
    Ok(if calls_are_filtered() { Vec::new() } else { vec!["seccomp".to_owned()] })
}

fn fixed(value: u64) -> Rlimit {
    Rlimit { current: Some(value), maximum: Some(value) }
}

/// Closes what whoever started the parent has left open. Everything that is opened here closes itself at a start.
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
fn rights_are_given_up() -> bool {
    linux::restrict()
}

/// Only Linux has it.
#[cfg(not(target_os = "linux"))]
fn rights_are_given_up() -> bool {
    false
}

#[cfg(target_os = "linux")]
fn calls_are_filtered() -> bool {
    linux::filter_calls()
}

/// Only Linux has it.
#[cfg(not(target_os = "linux"))]
fn calls_are_filtered() -> bool {
    false
}
