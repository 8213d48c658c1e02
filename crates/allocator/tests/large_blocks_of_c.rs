//! Large blocks of C libraries are returned to the system when they are freed. The test has a process of its own,
//! because it measures the memory of the process.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

mod process_memory;

use process_memory::{allocate_in_c, free_in_c, resident_mb};

const MIB: usize = 1024 * 1024;

#[test]
fn large_blocks_of_c_libraries_are_returned_when_they_are_freed() {
    allocator::limit_c_allocator();
    // By default, blocks up to the size of this block would be retained from now on.
    free_in_c(allocate_in_c(1, 4 * MIB));
    let mut blocks = allocate_in_c(128, MIB);
    let last = blocks.split_off(blocks.len() - 1);
    let peak = resident_mb();
    free_in_c(blocks);
    let after = resident_mb();
    free_in_c(last);
    assert!(peak > after + 100, "{peak} → {after} MB");
}
