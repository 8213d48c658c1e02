//! Benchmark of pages of lists and searches, in a small and a large library.

use std::time::Instant;

use kernel::Domain;
use library::sync::{self, TextInclusion};
use library::{ItemFilter, ItemStatus, ListPosition as From, ListView, ObjectKind, list, list_objects};

use crate::environment::Environment;
use crate::fill::{self, Library, TAGS};
use crate::measure::{Times, load};
use crate::{Options, round_trips};

/// Number of items in the small library.
const SMALL: u32 = 1_000;
/// Number of items per page.
const PAGE: u32 = 50;
const ITERATIONS: usize = 200;

/// List or search that is measured.
pub(crate) enum MeasuredQuery {
    Items(Box<ItemFilter>, Depth),
    Objects(Option<String>),
    Sync,
}

/// Position of the page in the list.
#[derive(Clone, Copy)]
pub(crate) enum Depth {
    First,
    Middle,
}

pub(crate) async fn run(environment: &Environment, options: &Options) {
    let count = options.items(1_000_000);
    let small = open_library(environment, options, SMALL).await;
    let mut least = Vec::new();
    if options.wants("lists") {
        println!(
            "| list of {SMALL} items ({:?}) | least ms | p50 | p95 | least ms at work | p50 | p95 |\n|---|---|---|---|---|---|---|",
            environment.backend
        );
        for (name, ask) in lists(&small, SMALL) {
            least.push(measure_query(environment, &small, &name, &ask).await);
        }
    }
    let large = open_library(environment, options, count).await;
    if options.wants("lists") {
        println!(
            "| list of {count} items ({:?}) | least ms | p50 | p95 | least ms at work | p50 | p95 |\n|---|---|---|---|---|---|---|",
            environment.backend
        );
        for ((name, ask), before) in lists(&large, count).into_iter().zip(least) {
            let p95 = measure_query(environment, &large, &name, &ask).await;
            println!("| | | | | | | ratio {:.2} |", p95 / before);
        }
    }
    if options.wants("search") {
        for library in [&small, &large] {
            println!(
                "| search ({:?}) | least ms | p50 | p95 | least ms at work | p50 | p95 |\n|---|---|---|---|---|---|---|",
                environment.backend
            );
            for (name, ask) in searches(library) {
                measure_query(environment, library, &name, &ask).await;
            }
        }
    }
    round_trips::run(environment, &large, lists(&large, count).into_iter().chain(searches(&large)).collect())
        .await;
}

async fn open_library(environment: &Environment, options: &Options, count: u32) -> Library {
    if options.is_filled() {
        return fill::reopen(environment, count).await;
    }
    let begun = Instant::now();
    let library = fill::library(environment, count).await;
    println!("{count} items were written in {:.0} s, load {}", begun.elapsed().as_secs_f64(), load());
    library
}

async fn measure_query(environment: &Environment, library: &Library, name: &str, ask: &MeasuredQuery) -> f64 {
    let mut result_count = 0;
    let backends = environment.backends().await;
    let times = Times::measure(ITERATIONS, &backends, async |_| {
        result_count = ask.run(&environment.domain, library).await;
    })
    .await;
    println!("| {name}: {result_count} | {times} | load {}", load());
    times.p95()
}

impl MeasuredQuery {
    /// Runs the query. Returns the number of results on the page.
    pub(crate) async fn run(&self, domain: &Domain, library: &Library) -> usize {
        let who = library.account_id;
        match self {
            Self::Items(filter, depth) => {
                let at = 1_700_000_000_000 + i64::from(library.count()) * 500;
                let middle = From::Key { at, id: 0, total: 0 };
                let after = matches!(depth, Depth::Middle).then_some(middle);
                list(domain, who, filter, after, PAGE).await.unwrap().items.len()
            }
            Self::Objects(query) => list_objects(domain, who, ObjectKind::ALL, query.as_deref(), None, PAGE)
                .await
                .unwrap()
                .objects
                .len(),
            Self::Sync => {
                let page =
                    sync::changes(domain, who, ObjectKind::ALL, None, PAGE, TextInclusion::Included).await;
                page.unwrap().changes.len()
            }
        }
    }
}

fn lists(library: &Library, count: u32) -> Vec<(String, MeasuredQuery)> {
    let items = |filter: ItemFilter| MeasuredQuery::Items(Box::new(filter), Depth::First);
    let tag = |target: u32| {
        let tag = (0..TAGS).min_by_key(|tag| library.tags[*tag].abs_diff(target)).unwrap();
        (library.tags[tag], Some(library.words.name(tag).to_owned()))
    };
    let ((many, common), (few, rare)) = (tag(u32::MAX), tag(1));
    let updated = Some(1_700_000_000_000 + i64::from(count) * 500);
    let status = Some(ItemStatus::Later);
    vec![
        ("all, first page".into(), items(ItemFilter::default())),
        ("all, in the middle".into(), MeasuredQuery::Items(Box::default(), Depth::Middle)),
        ("status".into(), items(ItemFilter { status, ..ItemFilter::default() })),
        ("history".into(), items(ItemFilter { view: ListView::History, ..ItemFilter::default() })),
        ("updatedAfter".into(), items(ItemFilter { updated_after: updated, ..ItemFilter::default() })),
        (format!("tag of {many}"), items(ItemFilter { tag: common, ..ItemFilter::default() })),
        (format!("tag of {few}"), items(ItemFilter { tag: rare, ..ItemFilter::default() })),
        ("objects".into(), MeasuredQuery::Objects(None)),
        ("sync, with texts".into(), MeasuredQuery::Sync),
    ]
}

fn searches(library: &Library) -> Vec<(String, MeasuredQuery)> {
    let words = &library.words;
    let named = |target: u32| {
        let rank = words.closest_rank(target);
        (words.items[rank], words.name(rank).to_owned())
    };
    let count = library.count();
    let ((n0, w0), (n1, w1), (n2, w2)) = (named(count), named(count / 10), named(count / 100));
    let ((n3, w3), (n4, w4)) = (named(count / 10_000), named(8));
    let mut asks = vec![
        (format!("word in {n0}"), w0.clone()),
        (format!("word in {n1}"), w1.clone()),
        (format!("word in {n2}"), w2.clone()),
        (format!("word in {n3}"), w3.clone()),
        (format!("word in {n4}"), w4.clone()),
        ("two words, both common".into(), format!("{w0} {w1}")),
        ("two words, common and rare".into(), format!("{w0} {w4}")),
        (format!("word in {n1}, not the common one"), format!("{w1} -{w0}")),
        ("prefix of a word".into(), format!("{}*", &w2[..3])),
        ("common word with a tag".into(), format!("{w0} tag:{w1}")),
        ("common word with a domain".into(), format!("{w0} domain:site7.example.org")),
        ("phrase of common words".into(), format!("\"{w0} {w1}\"")),
        ("a misspelt word".into(), format!("{w2}q")),
        ("an excluded word alone".into(), format!("-{w0}")),
    ];
    asks.drain(..).map(|(name, query)| (name, MeasuredQuery::Objects(Some(query)))).collect()
}
