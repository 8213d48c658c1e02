//! Killed and dropped browsers: no process, profile, or lock file is left, and other pages are rendered.

use std::time::Duration;

use browser::{RenderError, RenderRequest};

use super::site::Site;
use super::{renderer, request};

/// Longest time until the browsers are killed. A page of [`patient_request`] fails before it.
const KILL_TIMEOUT: Duration = Duration::from_secs(120);

/// Browser processes whose command line contains this proxy port or profile prefix.
fn leftovers(profile: &str) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .filter(|line| line.contains(profile))
        .collect()
}

/// Profiles of browsers that this test process started.
fn profiles() -> Vec<String> {
    let mine = |pid: &str| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let parent = stat.rsplit_once(") ").and_then(|(_, rest)| rest.split(' ').nth(1).map(str::to_owned));
        parent.as_deref() == Some(&std::process::id().to_string())
    };
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = processes.filter_map(|entry| entry.file_name().into_string().ok()).filter(|pid| mine(pid));
    let lines = pids.filter_map(|pid| std::fs::read(format!("/proc/{pid}/cmdline")).ok());
    let words = lines
        .flat_map(|line| String::from_utf8_lossy(&line).split('\0').map(str::to_owned).collect::<Vec<_>>());
    words.filter(|word| word.contains("/carrel-browser-") && !word.contains('=')).collect()
}

async fn is_gone(profile: &str) -> bool {
    let mut ticks = tokio::time::interval(Duration::from_millis(100));
    // A busy machine stops the processes late.
    for _ in 0..600 {
        ticks.tick().await;
        if leftovers(profile).is_empty() && !std::path::Path::new(profile).exists() {
            return true;
        }
    }
    false
}

/// Kills the browser that has requested the page for the `load`th time. Returns its profile.
async fn kill_at_load(site: &Site, url: &str, load: usize) -> String {
    let mut ticks = tokio::time::interval(Duration::from_millis(50));
    loop {
        ticks.tick().await;
        if site.loads(url) < load {
            continue;
        }
        let running = profiles().into_iter().find_map(|profile| Some((pid_of(&profile)?, profile)));
        if let Some((pid, profile)) = running {
            std::process::Command::new("kill").args(["-9", &pid]).status().unwrap();
            return profile;
        }
    }
}

/// Request with time for two browsers that start slowly on a busy machine.
fn patient_request(url: &str) -> RenderRequest {
    RenderRequest { deadline: Duration::from_secs(90), ..request(url.to_owned()) }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_browser_is_replaced_and_its_profile_deleted() {
    let site = Site::fixtures().await;
    let Some(renderer) = renderer(&[site.port]).await else { return };
    for round in 0..3 {
        let url = site.unanswered_url(1, &format!("round_{round}"));
        let killing = tokio::time::timeout(KILL_TIMEOUT, kill_at_load(&site, &url, 1));
        let page = patient_request(&url);
        let (read, profile) = tokio::join!(renderer.render(&page), killing);
        let profile = profile.unwrap_or_else(|_| panic!("the page was never loaded: {read:?}"));
        let html = read.unwrap().html;
        assert!(
            html.contains(&format!("Carrel fixture round_{round}")),
            "the second attempt succeeds: {html}"
        );
        assert!(is_gone(&profile).await, "{:?}", leftovers(&profile));
    }
    let last = profiles();
    renderer.shutdown().await;
    for profile in last {
        assert!(is_gone(&profile).await, "{:?}", leftovers(&profile));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn page_whose_browser_is_killed_twice_counts_as_the_cause() {
    let site = Site::fixtures().await;
    let Some(renderer) = renderer(&[site.port]).await else { return };
    let url = site.unanswered_url(2, "killed_twice");
    let killing = tokio::time::timeout(KILL_TIMEOUT, async {
        for load in 1..=2 {
            kill_at_load(&site, &url, load).await;
        }
    });
    let page = patient_request(&url);
    let (read, killed) = tokio::join!(renderer.render(&page), killing);
    assert!(killed.is_ok(), "the page was loaded only {} times: {read:?}", site.loads(&url));
    assert_eq!(read, Err(RenderError::Crashed));
    renderer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dropped_renderer_deletes_its_profiles() {
    let site = Site::fixtures().await;
    let Some(renderer) = renderer(&[site.port]).await else { return };
    let version = renderer.version().await.unwrap();
    assert!(version.contains("Chrom"), "{version}");
    let profiles = profiles();
    assert!(!profiles.is_empty());
    drop(renderer);
    for profile in profiles {
        assert!(is_gone(&profile).await, "{:?}", leftovers(&profile));
    }
}

/// Id of the main process of the browser with this profile, which has no process type.
fn pid_of(profile: &str) -> Option<String> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = processes.filter_map(|entry| entry.file_name().into_string().ok());
    pids.filter(|pid| pid.bytes().all(|byte| byte.is_ascii_digit())).find(|pid| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        line.contains(&format!("--user-data-dir={profile}"))
            && !line.contains("--type=")
            && !line.contains("ulimit")
    })
}
