//! Memory of the process, and blocks of the C library.

/// Block of the C library.
pub(crate) struct CBlock(*mut libc::c_void);

/// Returns the resident memory of this process in mebibytes.
pub(crate) fn resident_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux states it");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("each process has it");
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().expect("a number");
    kilobytes / 1024
}

/// Allocates `count` blocks of `bytes` bytes as C libraries do, and writes to them.
#[expect(unsafe_code, reason = "C libraries allocate in this way")]
pub(crate) fn allocate_in_c(count: usize, bytes: usize) -> Vec<CBlock> {
    let block = |_| {
        // SAFETY: `malloc` has no preconditions.
        let block = unsafe { libc::malloc(bytes) };
        assert!(!block.is_null(), "memory is exhausted");
        // SAFETY: The block has `bytes` bytes.
        CBlock(std::hint::black_box(unsafe { libc::memset(block, 1, bytes) }))
    };
    (0..count).map(block).collect()
}

#[expect(unsafe_code, reason = "C libraries allocate in this way")]
pub(crate) fn free_in_c(blocks: Vec<CBlock>) {
    for CBlock(block) in blocks {
        // SAFETY: `malloc` returned the block, and its owner is dropped.
        unsafe { libc::free(block) }
    }
}
