//! Benchmark of observing a page and comparing it with the previous snapshot: processor time per step.
//!
//! `cargo bench -p carrel-extract --bench monitors` prints three tables: 500 changed pages of 30 KiB, a page
//! of 45,000 paragraphs with 3 edits, and pathological pages.
#![expect(clippy::cast_precision_loss, reason = "counts of a benchmark are small")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::time::{Duration, Instant};

use extract::watch::{
    Comparison, Ignore, Rules, Snapshot, SnapshotBlock, Target, compare, fingerprint, observe, render,
};
use rustix::time::{ClockId, clock_gettime};

const PAGES: u32 = 500;
const PAGE_BYTES: usize = 30 * 1024;
const ITERATIONS: usize = 7;
const HARD_STOP: Duration = Duration::from_secs(1);
const WORDS: &[&str] = &[
    "carrel", "reading", "room", "shelf", "margin", "note", "index", "folio", "quire", "leaf", "spine",
    "catalogue", "borrow", "return", "renew", "edition", "print", "copy", "reader", "desk", "lamp", "quiet",
    "term", "paper",
];

fn main() {
    ordinary();
    huge();
    hostile();
}

fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Paragraph of pseudo-random words. The same seed gives the same paragraph.
fn paragraph(seed: u64, words: u32) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let words: Vec<&str> = (0..words)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            WORDS[usize::try_from((state >> 33) % 24).unwrap_or(0)]
        })
        .collect();
    words.join(" ")
}

/// Page like the pages of the server in the load tests of monitors. A price and an advertisement change with
/// `revision`, but 30 KiB do not.
fn page(number: u32, revision: u32) -> Vec<u8> {
    let mut rows = String::new();
    let mut row = 0;
    while rows.len() < PAGE_BYTES {
        let text = paragraph(u64::from(number * 1_000 + row), 60);
        rows.push_str(&format!(
            "<div class=\"row r{}\"><h3>Item {number}-{row}</h3><p>{text}</p><a href=\"/item/{number}/{row}\">more</a></div>\n",
            row % 5
        ));
        row += 1;
    }
    let price = format!(
        "<span class=\"price\">{}.{:02} EUR</span>",
        10 + (revision * 37 + number) % 900,
        revision % 100
    );
    format!(
        "<!doctype html><html><head><title>Page {number}</title><script>var t={revision};</script></head><body>\
         <nav>home | about | contact</nav><main id=\"main\"><h1>Page {number}</h1>{price}\n{rows}</main>\
         <div class=\"ad\">ad {}</div><footer>rendered</footer></body></html>",
        (number * 31 + revision) % 97
    )
    .into_bytes()
}

fn observe_page(bytes: &[u8]) -> Snapshot {
    let target = Target::Page { selector: None };
    let observation =
        observe(bytes, Some("text/html; charset=utf-8"), Some("http://127.0.0.1:8791/page/1"), &target, &[]);
    observation.expect("a page of the benchmark can be read").snapshot
}

/// Processor time of each step of one check that detected a change.
#[derive(Default, Clone, Copy)]
struct StepTimes {
    observe: Duration,
    decode: Duration,
    fingerprint: Duration,
    compare: Duration,
    render: Duration,
    encode: Duration,
}

impl StepTimes {
    fn all(&self) -> Duration {
        self.observe + self.decode + self.fingerprint + self.compare + self.render + self.encode
    }
}

fn measure<T>(time: &mut Duration, work: impl FnOnce() -> T) -> T {
    let begun = cpu_time();
    let made = work();
    *time += cpu_time().saturating_sub(begun);
    made
}

fn ordinary() {
    let bodies: Vec<(Vec<u8>, Vec<u8>)> =
        (0..PAGES).map(|number| (page(number, 1), page(number, 2))).collect();
    let stored: Vec<Vec<u8>> = bodies
        .iter()
        .map(|(old, _)| observe_page(old).encode().expect("the snapshot can be encoded"))
        .collect();
    let mean_bytes = stored.iter().map(Vec::len).sum::<usize>() / stored.len();
    let rules = Rules::default();
    let mut samples = Vec::new();
    for _ in 0..ITERATIONS {
        let mut steps = StepTimes::default();
        for ((_, body), stored) in bodies.iter().zip(&stored) {
            let after = measure(&mut steps.observe, || observe_page(body));
            measure(&mut steps.fingerprint, || fingerprint(&after, &rules));
            let before =
                measure(&mut steps.decode, || Snapshot::decode(stored)).expect("the snapshot was encoded");
            let comparison =
                measure(&mut steps.compare, || compare(&before, &after, &rules, Instant::now() + HARD_STOP));
            assert_eq!(comparison.operations.len(), 1, "only the price changed");
            measure(&mut steps.render, || {
                (render::summary(&comparison), render::html(&comparison.operations))
            });
            measure(&mut steps.encode, || after.encode()).expect("the snapshot can be encoded");
        }
        samples.push(steps);
    }
    samples.sort_by_key(StepTimes::all);
    let median = samples[samples.len() / 2];
    let each = |time: Duration| ms(time) / f64::from(PAGES);
    println!(
        "{PAGES} pages of 30 KiB, each changed; processor ms per check, median of {ITERATIONS} iterations"
    );
    println!("  observe     {:>7.3}", each(median.observe));
    println!("  fingerprint {:>7.3}", each(median.fingerprint));
    println!("  decode      {:>7.3}", each(median.decode));
    println!("  compare     {:>7.3}", each(median.compare));
    println!("  render      {:>7.3}", each(median.render));
    println!("  encode      {:>7.3}  ({mean_bytes} bytes stored)", each(median.encode));
    println!("  all         {:>7.3}  = {:.2} s for 1,000 checks", each(median.all()), each(median.all()));
}

fn block(text: String) -> SnapshotBlock {
    SnapshotBlock { text, position: 7, ..SnapshotBlock::default() }
}

fn huge() {
    let markup = |edits: &[u32]| {
        let row = |row: u32| {
            let end = if edits.contains(&row) { " and more" } else { "" };
            format!("<p>row {row} {}{end}</p>\n", paragraph(u64::from(row % 500), 12))
        };
        format!("<html><body>{}</body></html>", (0..45_000).map(row).collect::<String>())
    };
    let (old, new) = (markup(&[]), markup(&[11, 22_222, 44_444]));
    let mut steps: Vec<(Duration, Duration, Duration)> = Vec::new();
    let before = observe_page(old.as_bytes());
    for _ in 0..ITERATIONS {
        let (mut observed, mut fingerprinted, mut compared) = Default::default();
        let after = measure(&mut observed, || observe_page(new.as_bytes()));
        measure(&mut fingerprinted, || fingerprint(&after, &Rules::default()));
        let comparison = measure(&mut compared, || {
            compare(&before, &after, &Rules::default(), Instant::now() + HARD_STOP)
        });
        assert_eq!(render::summary(&comparison), "3 paragraphs changed");
        steps.push((compared, observed, fingerprinted));
    }
    steps.sort_unstable();
    let (compared, observed, fingerprinted) = steps[ITERATIONS / 2];
    println!(
        "45,000 paragraphs, {:.1} MB, 3 edits; processor ms, median of {ITERATIONS} iterations",
        new.len() as f64 / 1e6
    );
    println!(
        "  compare {:.1}, observe {:.1}, fingerprint {:.1}",
        ms(compared),
        ms(observed),
        ms(fingerprinted)
    );
}

/// Measures pathological pages: each pair of snapshots is a worst case for one step of the comparison.
fn hostile() {
    let blocks = |texts: &mut dyn Iterator<Item = String>| Snapshot::Blocks(texts.map(block).collect());
    let mut state = 7_u64;
    let mut random = move |limit: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit
    };
    let mut random_lines = |words: u64| {
        blocks(&mut (0..60_000).map(|_| format!("line {}", random(words))).collect::<Vec<_>>().into_iter())
    };
    let regexes = |count: usize| Rules {
        ignore: (0..count)
            .map(|at| Ignore::Regex(format!("(a|b|ab){{{}}}[\\w ]{{0,40}}x{at}", 20 + at)))
            .collect(),
        ..Rules::default()
    };
    let backwards = blocks(&mut (0..60_000).rev().map(|at| format!("line {at}")));
    let forwards = blocks(&mut (0..60_000).map(|at| format!("line {at}")));
    let edited = blocks(&mut (0..60_000).map(|at| format!("line {at} has another end")));
    let single_line = |seed: u64| {
        blocks(&mut std::iter::once(
            (0..60_000).map(|at| paragraph(seed + at, 1)).collect::<Vec<_>>().join(" "),
        ))
    };
    let letters = |end: &str| blocks(&mut (0..2_000).map(|_| format!("{}{end}", "ab".repeat(500))));
    let cases: Vec<(&str, Snapshot, Snapshot, Rules)> = vec![
        ("two kinds of lines, at random", random_lines(2), random_lines(2), Rules::default()),
        ("forty kinds of lines, at random", random_lines(40), random_lines(40), Rules::default()),
        ("30,000 kinds of lines, at random", random_lines(30_000), random_lines(30_000), Rules::default()),
        ("all lines backwards", forwards.clone(), backwards, Rules::default()),
        ("all lines edited", forwards, edited, Rules::default()),
        ("one line of 60,000 words", single_line(1), single_line(77), Rules::default()),
        ("20 costly expressions", letters("a"), letters("b"), regexes(20)),
    ];
    println!("pathological pages, hard stop after 1,000 ms; elapsed ms");
    for (name, before, after, rules) in cases {
        let begun = Instant::now();
        let comparison: Comparison = compare(&before, &after, &rules, begun + HARD_STOP);
        let elapsed = begun.elapsed();
        println!("  {name:<34} {:>7.1}  {}", ms(elapsed), render::title(&comparison));
    }
}
