//! Simulates a month of hourly checks of pages with noise. Noise must not be reported, but real changes must
//! be reported.
//!
//! `cargo test -p carrel-extract --test noise -- --nocapture` prints the figures.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![expect(clippy::print_stdout, reason = "the figures are for people")]
#![expect(clippy::format_collect, reason = "the pages are small")]

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use extract::watch::{Masks, Rules, Snapshot, Target, compare, fingerprint, learn, observe, render};

/// Number of checks after the first three observations: one per hour for thirty days.
const CHECKS: u32 = 30 * 24;

/// Pseudo-random numbers, which are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        let at = self.below(u64::try_from(from.len()).unwrap());
        from[usize::try_from(at).unwrap()]
    }
}

/// One visit of a page: its number, its time, and a source of random numbers.
struct Visit<'d> {
    number: u32,
    now: DateTime<Utc>,
    dice: &'d mut Dice,
}

/// Function that inserts noise into the body of a page for a visit.
type Noise = fn(&mut Visit<'_>, &str) -> String;

const LAMPS: &[&str] = &[
    "Lamps for long evenings, now cheaper",
    "Fly to the sea for a song",
    "A chair that forgives",
    "Learn to bind books",
    "Tea that waits for you",
    "Shoes for wet streets",
    "The quietest keyboard yet",
    "Ink, by the litre",
    "Soup for two",
];
const STORIES: &[&str] = &[
    "The bridge that nobody crossed",
    "Why the river is late this year",
    "Ten gardens on one roof",
    "A choir of one",
    "Letters found behind the stove",
    "How maps began to lie",
    "The last typewriter of the town",
    "Snow in the archive",
    "A short history of queues",
    "What the tide left behind",
    "The clockmaker's second wife",
    "Bread and its enemies",
    "On the habit of reading aloud",
    "Seven ways to fold a page",
    "The librarian who counted birds",
    "Fog, a biography",
];

fn pages() -> Vec<(&'static str, Noise)> {
    vec![
        ("clock", |visit, body| {
            format!(
                "<p>{}</p><p>Last updated: {}</p>{body}",
                visit.now.format("%A, %-d %B %Y"),
                visit.now.format("%H:%M UTC")
            )
        }),
        ("relative times", |visit, body| {
            let hours = visit.number % 23 + 2;
            format!(
                "<p>Posted {hours} hours ago by Jane</p>{body}<ul><li>Reply by Ann · {} minutes ago</li></ul>",
                visit.dice.below(58) + 2
            )
        }),
        ("counters", |visit, body| {
            let (views, likes) = (1_000 + visit.number * 17, visit.dice.below(90) + 2);
            format!(
                "<p>{views} views · {likes} likes · {} comments</p>{body}<p>{} people are watching this page right now</p>",
                likes / 2 + 2,
                likes * 3
            )
        }),
        ("named advertisement", |visit, body| {
            format!("<div class=ad-box><p>{}</p></div>{body}", visit.dice.pick(LAMPS))
        }),
        ("nameless advertisement", |visit, body| {
            format!(
                "{body}<div class=tile><p>{} {}</p></div>",
                visit.dice.pick(LAMPS),
                visit.dice.below(1_000_000)
            )
        }),
        ("stories drawn by lot", |visit, body| {
            let stories: String = (0..3)
                .map(|_| {
                    format!(
                        "<li><a href=/s/{}>{}</a></li>",
                        visit.dice.below(999_999),
                        visit.dice.pick(STORIES)
                    )
                })
                .collect();
            format!("{body}<div class=more><ul>{stories}</ul></div>")
        }),
    ]
}

/// Pages with noise that servers and scripts insert.
fn machine_pages() -> Vec<(&'static str, Noise)> {
    vec![
        ("machine and milliseconds", |visit, body| {
            format!(
                "{body}<p class=foot>Brought to you by machine number {} within {} ms of your call</p>",
                visit.dice.below(900),
                visit.dice.below(400)
            )
        }),
        ("tokens in links", |visit, body| {
            format!(
                "<p><a href='/login?token={:x}&next=1'>Sign in to borrow</a></p>{body}",
                visit.dice.below(1 << 30)
            )
        }),
        ("request id", |visit, body| {
            format!(
                "{body}<p>Request ID: {:08x}a1 · served {}</p>",
                visit.dice.below(1 << 30),
                visit.now.format("%Y-%m-%dT%H:%M:%SZ")
            )
        }),
        ("saying of the visit", |visit, body| {
            format!(
                "<div class=saying><p>{} {}</p></div>{body}",
                visit.dice.pick(STORIES),
                visit.dice.pick(LAMPS)
            )
        }),
        ("white space and classes", |visit, body| {
            let gap = " ".repeat(usize::try_from(visit.dice.below(9)).unwrap() + 1);
            format!(
                "<div class=v{}>{}</div>",
                visit.dice.below(99_999),
                body.replace(". ", &format!(".{gap}\n"))
            )
        }),
        ("everything", |visit, body| {
            let number = visit.number;
            format!(
                "<p>{}</p><p>{} views</p>{body}<div class=tile><p>{} {}</p></div><p class=foot>Page {} of {} made for you</p>",
                visit.now.format("%d.%m.%Y %H:%M Uhr"),
                40 + number * 3,
                visit.dice.pick(LAMPS),
                visit.dice.below(99_999),
                visit.dice.below(9_999),
                visit.dice.below(9_999)
            )
        }),
    ]
}

/// Body of the page after a number of real changes.
fn body(changes: usize) -> String {
    let hours = if changes > 0 { "Tuesday" } else { "Monday" };
    let price = if changes > 1 { "39.00" } else { "45.00" };
    let gauge = if changes > 2 { "<li>Fen river: rising</li>" } else { "" };
    let news = if changes > 3 {
        "<p>The west wing is closed for repairs until the end of the winter.</p>"
    } else {
        ""
    };
    let link = if changes > 4 { "/rules-2027.pdf" } else { "/rules-2026.pdf" };
    let deadline = if changes > 5 { "19 May 2027" } else { "12 May 2027" };
    format!(
        "<h1>The reading room</h1><p>The room opens at nine. It is closed on {hours}. By ten every desk beside a window is \
         taken, and the rest of the day belongs to those who came early.</p>{news}<p>A yearly card costs {price} EUR for \
         everyone who lives in the town, and nothing at all for those who are still at school.</p><h2>Rivers</h2><ul>\
         <li>Long river: steady</li><li>Short river: falling</li>{gauge}</ul><p>Applications are due on {deadline} at the \
         desk. See the <a href=\"{link}\">rules of the house</a> for what to bring, and whom to ask for help with it.</p>"
    )
}

const CHANGES: usize = 6;

fn observe_page(noise: Noise, visit: &mut Visit<'_>, changes: usize) -> Snapshot {
    let main = noise(visit, &body(changes));
    let markup = format!(
        "<html><head><title>t</title></head><body><nav>Home</nav><div id=page>{main}</div></body></html>"
    );
    let target = Target::Page { selector: None };
    observe(markup.as_bytes(), Some("text/html"), Some("https://a.example/"), &target, &[]).unwrap().snapshot
}

#[derive(Default)]
struct Tally {
    checks: u32,
    wrong: u32,
    reported: usize,
    missed: Vec<String>,
}

/// Simulates a month of one page: learns masks from the first three observations, then checks the page every
/// hour. Every hundredth check has a real change, until all changes have been made.
fn month(name: &str, noise: Noise, tally: &mut Tally) {
    let mut dice = Dice(u64::try_from(name.len()).unwrap() * 7_919);
    let start = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
    let mut number = 0;
    let mut next_observation = |changes: usize| {
        number += 1;
        let now = start + TimeDelta::minutes(i64::from(number) * 60 + 7);
        observe_page(noise, &mut Visit { number, now, dice: &mut dice }, changes)
    };
    let first = [next_observation(0), next_observation(0), next_observation(0)];
    let mut masks: Masks = learn(&first.iter().collect::<Vec<_>>());
    let [_, _, mut before] = first;
    let mut recent: VecDeque<[u8; 32]> = VecDeque::new();
    let mut changes = 0;
    for check in 1..=CHECKS {
        let is_true = check % 100 == 0 && changes < CHANGES;
        changes += usize::from(is_true);
        let after = next_observation(changes);
        let rules = Rules { masks: masks.clone(), ..Rules::default() };
        let mark = fingerprint(&after, &rules);
        let comparison = compare(&before, &after, &rules, Instant::now() + Duration::from_secs(20));
        let is_reported = !comparison.is_empty() && !recent.contains(&mark);
        tally.checks += 1;
        match (is_true, is_reported) {
            (true, true) => tally.reported += 1,
            (true, false) => tally.missed.push(format!("{name}: change {changes}")),
            (false, true) => {
                tally.wrong += 1;
                println!("  {name}, look {check}: {}", render::summary(&comparison));
            }
            (false, false) => {}
        }
        if masks.update(&before, &after) {
            recent.clear();
        }
        recent.push_back(fingerprint(&after, &Rules { masks: masks.clone(), ..Rules::default() }));
        recent.drain(..recent.len().saturating_sub(5));
        before = after;
    }
}

#[test]
fn noise_of_a_month_is_ignored_and_real_changes_are_reported() {
    let mut tally = Tally::default();
    let pages = [pages(), machine_pages()].concat();
    for (name, noise) in &pages {
        month(name, *noise, &mut tally);
    }
    let share = f64::from(tally.wrong) / f64::from(tally.checks) * 100.0;
    println!(
        "{} pages, {} checks after learning: {} false changes ({share:.2} %), {} of {} true changes told",
        pages.len(),
        tally.checks,
        tally.wrong,
        tally.reported,
        pages.len() * CHANGES
    );
    assert_eq!(tally.missed, Vec::<String>::new());
    assert!(share <= 1.0);
}
