//! Restrictions that only Linux supports: dropped rights (Landlock) and forbidden system calls (seccomp).

use std::collections::BTreeMap;

use landlock::{ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetStatus, Scope};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};

/// Landlock version of Linux 6.12, the latest version that this module supports. Older kernels enforce only
/// the rights that they support.
const KNOWN_RIGHTS: ABI = ABI::V6;

/// Drops the rights to gain privileges by exec, to open files, to bind or connect ports, and to signal other
/// processes. Returns false if the kernel does not support Landlock.
pub(super) fn restrict() -> bool {
    ruleset().is_some_and(|status| status != RulesetStatus::NotEnforced)
}

fn ruleset() -> Option<RulesetStatus> {
    let rules = Ruleset::default().handle_access(AccessFs::from_all(KNOWN_RIGHTS)).ok()?;
    let rules = rules.handle_access(AccessNet::from_all(KNOWN_RIGHTS)).ok()?;
    let rules = rules.scope(Scope::from_all(KNOWN_RIGHTS)).ok()?;
    Some(rules.create().ok()?.restrict_self().ok()?.ruleset)
}

/// System calls that are allowed without conditions, because they are needed to read pages and files: access
/// to open pipes and files, memory, locks, clocks, exit.
const ALLOWED: [i64; 35] = [
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_pread64,
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

/// Restricts all threads to the system calls that are needed to read pages and files. Returns false if the
/// kernel does not support seccomp.
pub(super) fn filter_calls() -> bool {
    filter().is_some_and(|filter| seccompiler::apply_filter_all_threads(&filter).is_ok())
}

/// Creates the filter. All other system calls fail with `EPERM`, and memory cannot be made executable.
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
