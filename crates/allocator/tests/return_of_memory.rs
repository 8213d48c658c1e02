//! The allocator returns memory to the system. It is the global allocator of this test, as it is of the
//! executable.

#[global_allocator]
static ALLOCATOR: allocator::MiMalloc = allocator::MiMalloc;

fn resident_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux states it");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("each process has it");
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().expect("a number");
    kilobytes / 1024
}

/// Allocates `megabytes` in pieces as large as those of parsed documents, on a thread of its own.
fn allocate(megabytes: usize) -> Vec<Vec<u8>> {
    let pieces = move || (0..megabytes * 1024).map(|_| vec![1_u8; 1024]).collect();
    std::thread::spawn(pieces).join().expect("no panic")
}

#[test]
fn resident_memory_decreases_after_a_peak() {
    let before = resident_mb();
    let pieces = allocate(128);
    let peak = resident_mb();
    drop(pieces);
    allocator::return_freed_memory();
    let after = resident_mb();
    assert!(peak > before + 100, "{before} → {peak} MB");
    assert!(after < before + 20, "{before} → {peak} → {after} MB");
}
