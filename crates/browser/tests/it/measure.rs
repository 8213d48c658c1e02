//! Measures and prints the pages per minute and the memory of the browser with two concurrent pages.

use std::time::Duration;

use browser::RenderRequest;
use tokio::time::Instant;

use super::site::Site;
use super::{renderer, request};

/// Number of pages to render: a few, or the number that `bench/renderer/run measure` requests.
fn pages() -> usize {
    option_env!("CARREL_MEASURE_PAGES").and_then(|count| count.parse().ok()).unwrap_or(6)
}

/// Proportional memory in kibibytes of all browsers that this process started.
fn memory_kib() -> u64 {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let is_browser = |path: &std::path::Path| {
        let line = std::fs::read(path.join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains("carrel-browser-")
    };
    let size = |path: std::path::PathBuf| -> Option<u64> {
        let sizes = std::fs::read_to_string(path.join("smaps_rollup")).ok()?;
        sizes.lines().find_map(|line| line.strip_prefix("Pss:"))?.trim().strip_suffix(" kB")?.parse().ok()
    };
    processes.map(|entry| entry.path()).filter(|path| is_browser(path)).filter_map(size).sum()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_of_concurrent_pages_is_below_the_limit() {
    let site = Site::fixtures().await;
    let Some(renderer) = renderer(&[site.port]).await else { return };
    let began = Instant::now();
    let one = async |caller: &str| {
        for _ in 0..pages() / 2 {
            let page = RenderRequest { caller: Some(caller.to_owned()), ..request(site.url("/pages/react")) };
            let page = renderer.render(&page).await.unwrap();
            assert!(page.html.contains("Carrel fixture react"));
        }
    };
    let watching = async {
        let mut ticks = tokio::time::interval(Duration::from_millis(500));
        loop {
            ticks.tick().await;
            let used = memory_kib();
            if used > 900 << 10 {
                break used;
            }
        }
    };
    let rendering = async { tokio::join!(one("first"), one("second")) };
    tokio::select! {
        _ = rendering => {}
        used = watching => panic!("the browser uses {} MiB", used >> 10),
    }
    let minutes = began.elapsed().as_secs_f32() / 60.0;
    let count = u16::try_from(pages()).unwrap();
    eprintln!("{:.0} pages a minute, {} MiB", f32::from(count) / minutes, memory_kib() >> 10);
    renderer.shutdown().await;
}
