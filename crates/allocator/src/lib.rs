//! The allocator of the executable, and the return of freed memory to the system.
//!
//! C libraries, above all SQLite and zstd, allocate with the C library instead.

pub use mimalloc::MiMalloc;

/// Maximum number of arenas of the C library. By default, there are eight for each core, and each thread of a
/// database connection retains one.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const ARENAS: libc::c_int = 2;
/// Minimum size of the C library's blocks that are mapped separately and returned when they are freed, in bytes. By
/// default, it grows to the size of the largest freed block, for example of a compression context.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MAPPED_BYTES: libc::c_int = 256 * 1024;

/// Limits the freed memory that the C library retains. A long-lived process calls it before it starts threads, because
/// a thread that has an arena keeps it.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "no published crate has a safe function for it")]
pub fn limit_c_allocator() {
    // SAFETY: `mallopt` sets two numbers. A thread that allocates meanwhile reads either the old or the new number.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, ARENAS);
        libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED_BYTES);
    }
}

/// Does nothing: only the GNU C library has these limits.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn limit_c_allocator() {}

/// Returns freed memory to the system, in some milliseconds.
///
/// mimalloc purges freed memory only when it allocates or frees again, so that an idle process keeps the
/// memory of its last peak: 16 of 25 MB after start. The C library returns only the free memory after the
/// last used block.
#[expect(unsafe_code, reason = "no published crate has a safe function for it")]
pub fn return_freed_memory() {
    // SAFETY: `mi_collect` has no preconditions, and any thread may call it at any time.
    unsafe { libmimalloc_sys::mi_collect(true) }
    trim_c_heap();
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "no published crate has a safe function for it")]
fn trim_c_heap() {
    // SAFETY: `malloc_trim` has no preconditions, and any thread may call it at any time.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Does nothing: only the GNU C library has this function.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn trim_c_heap() {}
