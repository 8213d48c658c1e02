//! Thread for work that recurses over a page.

/// Size of the stack, as in a sandbox process.
const STACK_BYTES: usize = 16 << 20;

/// Runs `work` on a thread with a large stack.
///
/// # Errors
/// If the thread cannot be started, or if the work panics.
pub(super) fn run<T: Send>(work: impl FnOnce() -> T + Send) -> anyhow::Result<T> {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
        let thread = builder.spawn_scoped(scope, work)?;
        thread.join().map_err(|_| anyhow::anyhow!("extraction of the page panicked"))
    })
}
