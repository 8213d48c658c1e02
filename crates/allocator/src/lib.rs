//! The allocator of the executable, and the return of freed memory to the system.

pub use mimalloc::MiMalloc;

/// Returns freed memory to the system, in about a millisecond.
///
/// mimalloc purges freed memory only when it allocates or frees again, so that an idle process keeps what its
/// last peak needed: 16 of 25 MB after start.
#[expect(unsafe_code, reason = "no published crate has a safe function for it")]
pub fn return_freed_memory() {
    // SAFETY: `mi_collect` has no preconditions, and any thread may call it at any time.
    unsafe { libmimalloc_sys::mi_collect(true) }
}
