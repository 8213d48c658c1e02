//! What a child gives up before it reads a page: files, network, further processes and threads, descriptors it was left,
//! memory beyond its share.
//!
//! Each part stands for itself. Where the kernel lacks one the others hold, and the parent is told.

use std::{collections::BTreeMap, fs, io};

use landlock::{ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetStatus, Scope};
use rustix::process::{Resource, Rlimit, setrlimit};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};

/// Standard input, output and error.
const PIPES: u64 = 3;
/// Descriptors above this are not looked for where the system does not list them.
const MAX_DESCRIPTOR: i32 = 1024;
/// Linux 6.12, the last whose rights are known here; older kernels enforce what they know of it.
const KNOWN_RIGHTS: ABI = ABI::V6;

/// All that one thread can give up before there is another: left descriptors, rights to files and network, memory, core
/// dumps (they would hold other people's pages), new files. The answer names what the kernel lacks.
pub(super) fn process(memory_bytes: u64) -> io::Result<Vec<String>> {
    close_inherited();
    let mut missing = Vec::new();
    if restrict().is_none_or(|status| status == RulesetStatus::NotEnforced) {
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
    let filtered = filter().is_some_and(|filter| seccompiler::apply_filter_all_threads(&filter).is_ok());
    Ok(if filtered { Vec::new() } else { vec!["seccomp".to_owned()] })
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

/// No rights are gained by a start; no file is opened, no port bound or connected to, no process outside signalled.
fn restrict() -> Option<RulesetStatus> {
    let rules = Ruleset::default().handle_access(AccessFs::from_all(KNOWN_RIGHTS)).ok()?;
    let rules = rules.handle_access(AccessNet::from_all(KNOWN_RIGHTS)).ok()?;
    let rules = rules.scope(Scope::from_all(KNOWN_RIGHTS)).ok()?;
    Some(rules.create().ok()?.restrict_self().ok()?.ruleset)
}

/// Calls that reading pages needs, as they are: pipes, memory, locks, clocks, the end.
const ALLOWED: [i64; 34] = [
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_close,
    libc::SYS_fstat,
    libc::SYS_lseek,
    libc::SYS_ppoll,
    libc::SYS_brk,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_futex,
    libc::SYS_membarrier,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_sysinfo,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_getrandom,
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_tgkill,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    libc::SYS_set_robust_list,
    libc::SYS_rseq,
    libc::SYS_exit,
    libc::SYS_exit_group,
];

/// All other calls fail as forbidden. Memory is never executable.
fn filter() -> Option<BpfProgram> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        ALLOWED.into_iter().map(|call| (call, Vec::new())).collect();
    let executable = u64::try_from(libc::PROT_EXEC).ok()?;
    for call in [libc::SYS_mmap, libc::SYS_mprotect] {
        let plain =
            SeccompCondition::new(2, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(executable), 0).ok()?;
        rules.insert(call, vec![SeccompRule::new(vec![plain]).ok()?]);
    }
    let forbidden = SeccompAction::Errno(u32::try_from(libc::EPERM).ok()?);
    let architecture = std::env::consts::ARCH.try_into().ok()?;
    SeccompFilter::new(rules, forbidden, SeccompAction::Allow, architecture).ok()?.try_into().ok()
}
