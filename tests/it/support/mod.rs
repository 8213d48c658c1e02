//! Support for the end-to-end tests: apps on new databases, HTTP clients, a fixture site, and a bounded wait.
//!
//! A test is `#[test] fn subject_condition_result() { run(async { .. }) }`, or `on_each_world(async |app| {
//! .. })` if it must pass on SQLite alone and on PostgreSQL with Redis. All tests share one runtime, so that
//! they share one pool of extraction processes.

pub(crate) mod answer;
pub(crate) mod app;
pub(crate) mod authenticator;
pub(crate) mod briefing;
pub(crate) mod browser;
pub(crate) mod bucket;
pub(crate) mod clock;
pub(crate) mod deployment;
pub(crate) mod feed_app;
pub(crate) mod form;
pub(crate) mod installation;
pub(crate) mod killable_process;
pub(crate) mod monitoring;
pub(crate) mod oauth_clients;
pub(crate) mod operations;
pub(crate) mod owned_objects;
pub(crate) mod page_copy;
pub(crate) mod page_walk;
pub(crate) mod person;
pub(crate) mod polling;
pub(crate) mod random_library;
pub(crate) mod rss;
pub(crate) mod schema_cases;
pub(crate) mod secret_scan;
pub(crate) mod secure_site;
pub(crate) mod servers;
pub(crate) mod site;
pub(crate) mod software_passkey;
pub(crate) mod wire;

use std::future::Future;
use std::sync::LazyLock;

use tokio::runtime::Runtime;

pub(crate) use answer::HttpAnswer;
pub(crate) use app::{Setup, TestApp, World};
pub(crate) use polling::eventually;
pub(crate) use site::{ReceivedRequest, Reply, Site};

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    secret_scan::record_log();
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(4)
        .enable_all()
        .build()
        .expect("the test runtime starts")
});

/// Runs a test on the shared runtime.
pub(crate) fn run<T>(test: impl Future<Output = T>) -> T {
    RUNTIME.block_on(test)
}

/// Runs a test on both deployment types, each with its own app without reader limits.
pub(crate) fn on_each_world(test: impl AsyncFn(TestApp)) {
    run(async {
        for world in World::ALL {
            eprintln!("on {world:?}");
            test(TestApp::on(world).await).await;
        }
    });
}

/// Returns the Rust files that git tracks, with their text.
pub(crate) fn sources() -> impl Iterator<Item = (String, String)> {
    let root = env!("CARGO_MANIFEST_DIR");
    let listed =
        std::process::Command::new("git").args(["ls-files", "-z", "*.rs"]).current_dir(root).output();
    let names = String::from_utf8(listed.expect("git runs").stdout).expect("file names are UTF-8");
    let names: Vec<String> = names.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect();
    names.into_iter().filter_map(move |name| {
        let text = std::fs::read_to_string(std::path::Path::new(root).join(&name)).ok()?;
        Some((name, text))
    })
}
