//! Benchmark of reading pages in child processes compared with reading them in-process.
//!
//! `cargo bench -p carrel-extract --bench processes [-- FOLDER]` reads every `.html` file below FOLDER, or
//! generated pages if FOLDER is omitted, alternately in both modes, one page at a time, and prints the medians.
//! It starts itself as the child process.
#![expect(clippy::format_collect, reason = "the pages are generated once")]
#![expect(clippy::cast_precision_loss, reason = "counts of a benchmark are small")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use extract::sandbox::{Pool, PoolSettings, child_main};
use extract::{ExtractionOutcome, Input};

/// Iterations of each mode, excluding the warm-up.
const ITERATIONS: usize = 7;
/// Maximum number of pages read from a folder.
const MAX_PAGES: usize = 300;
/// Argument that starts this program as the child.
const CHILD: &str = "extract-child";

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    if arguments.first().is_some_and(|word| word == CHILD) {
        return child_main();
    }
    let pages = match arguments.first() {
        Some(folder) => files(Path::new(folder)),
        None => (1..=200).map(sample_page).collect(),
    };
    let bytes: usize = pages.iter().map(|page| page.bytes.len()).sum();
    println!("{} pages, {} KiB, {ITERATIONS} iterations per mode", pages.len(), bytes / 1024);
    let program = std::env::current_exe().expect("this program has a path");
    let pool = Pool::new(PoolSettings { workers: 1, ..PoolSettings::new(program, vec![CHILD.to_owned()]) });
    extract::tokens::warm();
    let (mut inside, mut children) = (Vec::new(), Vec::new());
    // The first iteration of each mode is a warm-up.
    for iteration in 0..=ITERATIONS {
        let (in_process_time, in_process_count) = in_process(&pages);
        let (child_time, child_count) = in_child(&pool, &pages).await;
        assert_eq!(in_process_count, child_count, "both modes must read the same number of pages");
        if iteration > 0 {
            inside.push(in_process_time);
            children.push(child_time);
        }
    }
    let (inside, children) = (median(inside), median(children));
    let each = |time: Duration| time.as_secs_f64() * 1e3 / pages.len() as f64;
    println!("in-process     {:>8.3} ms a page", each(inside));
    println!("child process  {:>8.3} ms a page", each(children));
    println!("overhead       {:>8.1} %", (children.as_secs_f64() / inside.as_secs_f64() - 1.0) * 100.0);
    pool.shutdown().await;
    ExitCode::SUCCESS
}

fn in_process(pages: &[Input]) -> (Duration, usize) {
    let begun = Instant::now();
    // The input is copied because the pool copies it, too.
    let text_count = pages.iter().filter(|page| is_text(&extract::extract(&(*page).clone()))).count();
    (begun.elapsed(), text_count)
}

async fn in_child(pool: &Pool, pages: &[Input]) -> (Duration, usize) {
    let begun = Instant::now();
    let mut text_count = 0;
    for page in pages {
        text_count += usize::from(pool.extract(page.clone()).await.is_ok_and(|outcome| is_text(&outcome)));
    }
    (begun.elapsed(), text_count)
}

fn is_text(outcome: &ExtractionOutcome) -> bool {
    matches!(outcome, ExtractionOutcome::Document(_))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn input(bytes: Vec<u8>) -> Input {
    Input {
        bytes,
        content_type: Some("text/html".to_owned()),
        url: Some("https://example.com/page".to_owned()),
    }
}

/// Reads the pages below a folder, sorted by path.
fn files(folder: &Path) -> Vec<Input> {
    let (mut paths, mut folders) = (Vec::<PathBuf>::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder can be listed").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "html" || ending == "htm") {
                paths.push(path);
            }
        }
    }
    paths.sort_unstable();
    paths.truncate(MAX_PAGES);
    paths.iter().map(|path| input(std::fs::read(path).expect("the file can be read"))).collect()
}

/// Page with navigation, an article whose length depends on `number`, and a list of links to other stories.
fn sample_page(number: usize) -> Input {
    let words = "The reading room opens at nine, and by ten every desk beside a window is taken. ";
    let links: String =
        (0..40).map(|n| format!("<li><a href='/story/{n}'>Another story, number {n}</a></li>")).collect();
    let paragraphs: String = (0..number % 60 + 5)
        .map(|n| format!("<p>{n}. {}<a href='/note/{n}'>A note</a></p>", words.repeat(n % 7 + 1)))
        .collect();
    input(
        format!(
            "<!doctype html><html lang=en><head><title>Page {number} - A library</title></head><body><nav><ul>{links}</ul></nav>\
             <article><h1>Page {number}</h1>{paragraphs}</article><aside><ul>{links}</ul></aside></body></html>"
        )
        .into_bytes(),
    )
}
