//! Imports a bookmark file as a worker does.

use std::fmt::Write;
use std::time::Instant;

use kernel::AccountId;
use kernel::tiers::Tier;
use library::transfer::{NewImport, begin_import, get_import, run_imports};

use crate::environment::Environment;
use crate::measure::{load, memory, mib, processor, reset_peak};
use crate::words::{Random, Words};

/// Number of bookmarks per uploaded piece.
const PIECE: u32 = 500;

pub(crate) async fn run(environment: &Environment, count: u32) {
    let who = kernel::testing::person(&environment.domain, Tier::Pro).await;
    let words = Words::new();
    // The first pass creates every item. In the second pass, every item already exists.
    for pass in ["new", "again"] {
        import(environment, who, &words, count, pass).await;
    }
}

async fn import(environment: &Environment, who: AccountId, words: &Words, count: u32, pass: &str) {
    let domain = &environment.domain;
    let mut upload = begin_import(domain, who).await.unwrap();
    let mut random = Random::new(7);
    let mut at = 0;
    upload
        .push(b"<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>\n<DL><p>\n")
        .await
        .unwrap();
    while at < count {
        let mut piece = String::new();
        for number in at..(at + PIECE).min(count) {
            let title = words.text(&mut random, 7, &mut Vec::new());
            let (host, tag) = (random.below(5_000), words.sample(&mut random) % 200);
            let path = title.replace(' ', "-");
            writeln!(
                piece,
                "<DT><A HREF=\"https://site{host}.example.org/{path}/{number}\" ADD_DATE=\"{}\" TAGS=\"{}\">{title}</A>",
                1_600_000_000 + number,
                words.name(tag)
            )
            .unwrap();
        }
        upload.push(piece.as_bytes()).await.unwrap();
        at += PIECE;
    }
    upload.push(b"</DL><p>\n").await.unwrap();
    let new = NewImport::default();
    let (import, job) = upload.finish(new).await.unwrap();
    let claimed = jobs::claim(domain, job.id, "bench", 600_000).await.unwrap().unwrap();
    reset_peak();
    let (before, _) = memory();
    let (begun, spent) = (Instant::now(), processor());
    run_imports(domain, &environment.sandbox, &claimed).await.unwrap();
    let (took, spent) = (begun.elapsed().as_secs_f64(), processor() - spent);
    let (_, peak) = memory();
    let import = get_import(domain, who, import.id).await.unwrap();
    assert_eq!(import.created + import.existing, i64::from(count), "{import:?}");
    println!(
        "| import, {pass} ({:?}) | {count} | {took:.1} s | {:.0} items/s | {spent:.1} s of processor | memory {:.0} MiB before, {:.0} MiB at most | load {} |",
        environment.backend,
        f64::from(count) / took,
        mib(before),
        mib(peak),
        load()
    );
}
