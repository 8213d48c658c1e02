//! The memory of C libraries is returned to the system. The test has a process of its own, because it measures the
//! memory of the process.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

mod process_memory;

use process_memory::{allocate_in_c, free_in_c, resident_mb};

#[test]
fn resident_memory_of_c_libraries_decreases_after_a_peak() {
    let mut blocks = allocate_in_c(16 * 1024, 8 * 1024);
    let last = blocks.split_off(blocks.len() - 1);
    let peak = resident_mb();
    // Without a call, the last block would retain the memory before it.
    free_in_c(blocks);
    allocator::return_freed_memory();
    let after = resident_mb();
    free_in_c(last);
    assert!(peak > after + 100, "{peak} → {after} MB");
}
