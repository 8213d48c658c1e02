//! Benchmarks of the private library: pages of lists and searches in small and large libraries, sync under
//! concurrent writers, import, and file upload.
//!
//! `cargo bench -p carrel-library --features testing --bench library -- PART…`, where a part is one of
//! `lists`, `search`, `sync`, `import` and `upload`. Option `postgres` (under `bin/with-servers`) uses
//! PostgreSQL instead of SQLite; `items=1000` sets the number of items or changes. The database is dropped at
//! the end unless `keep` is given; `at=URL` then measures lists and searches in the same database again.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(clippy::unwrap_used, reason = "a benchmark stops at the first fault")]
#![expect(clippy::disallowed_methods, reason = "clients of the benchmark poll at intervals")]
#![expect(clippy::cast_precision_loss, reason = "counts of a benchmark are small")]

mod bulk_insert;
mod environment;
mod fill;
mod import;
mod measure;
mod pages;
mod round_trips;
mod sync;
mod upload;
mod words;

use kernel::Backend;

use crate::environment::Environment;

/// Command-line options.
#[derive(Clone, Debug)]
pub struct Options {
    parts: Vec<String>,
    backend: Backend,
    items: Option<u32>,
    url: Option<String>,
}

impl Options {
    fn of(words: impl Iterator<Item = String>) -> Self {
        let mut options = Self { parts: Vec::new(), backend: Backend::Sqlite, items: None, url: None };
        for word in words.filter(|word| !word.starts_with("--")) {
            match word.as_str() {
                "postgres" => options.backend = Backend::Postgres,
                other => match other.split_once('=') {
                    Some(("items", number)) => options.items = Some(number.parse().unwrap()),
                    Some(("at", url)) => options.url = Some(url.to_owned()),
                    _ => options.parts.push(word),
                },
            }
        }
        options
    }

    pub fn wants(&self, part: &str) -> bool {
        self.parts.iter().any(|requested| requested == part)
    }

    /// Returns true if an earlier run created the libraries.
    pub fn is_filled(&self) -> bool {
        self.url.is_some()
    }

    pub fn items(&self, usual: u32) -> u32 {
        self.items.unwrap_or(usual)
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [word, memory_bytes, request] = words.as_slice()
        && word == "import-child"
    {
        library::transfer::import_child_main(memory_bytes.parse().unwrap(), request);
        return;
    }
    let options = Options::of(words.into_iter());
    if options.wants("extract-child") {
        extract::sandbox::child_main();
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        if options.wants("lists") || options.wants("search") {
            let environment = Environment::open(options.backend, options.url.clone()).await;
            pages::run(&environment, &options).await;
            if options.wants("keep") {
                environment.keep();
            } else {
                environment.drop().await;
            }
        }
        for part in ["sync", "import", "upload"] {
            if !options.wants(part) {
                continue;
            }
            let environment = Environment::open(options.backend, None).await;
            match part {
                "sync" => sync::run(&environment, options.items(100_000)).await,
                "import" => import::run(&environment, options.items(100_000)).await,
                _ => upload::run(&environment, options.items(100)).await,
            }
            environment.drop().await;
        }
    });
}
