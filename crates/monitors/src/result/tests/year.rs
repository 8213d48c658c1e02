//! Simulates a year of hourly prices at three shops, with sales, gaps, robot checks and redesigns. The alerts
//! must be those that a person would expect.

use std::collections::HashMap;

use super::*;
use crate::evaluate::{Baseline, evaluate};
use crate::memory::{Memory, RecentContents};
use crate::monitor::TargetType;

const HOURS: i64 = 365 * 24;

/// Page of a shop, and the hour of the year since which the shop returns it.
#[derive(Clone, Copy)]
struct PageSince {
    hour: i64,
    says: ShopPage,
}

#[derive(Clone, Copy)]
enum ShopPage {
    /// Page with a price, in the notation of this shop.
    Price(&'static str),
    /// Page of the product without a price.
    SoldOut,
    /// Robot check instead of the page.
    Wall,
    /// No page, because of an error or because the owner paused the monitor.
    Nothing,
    /// New layout in which the selector matches nothing. The owner corrects the selector after some days.
    Redesign(&'static str),
}

impl ShopPage {
    /// HTML of the page. `None` if there is no check.
    fn page(self) -> Option<String> {
        let lamp = |words: &str| {
            format!(
                "<html lang=de><head><title>Lamp</title></head><body><main><h1>Lamp of brass</h1>\
                 <p>Made by hand in a small workshop by the harbour, with a shade of linen.</p>{words}\
                 <p>Sent within a week, and taken back within a month.</p></main></body></html>"
            )
        };
        Some(match self {
            Self::Price(price) => lamp(&format!("<b class=price>{price}</b>")),
            Self::SoldOut => lamp("<p>Sold out</p>"),
            Self::Redesign(price) => lamp(&format!("<span data-amount>{price}</span>")),
            Self::Wall => "<html><head><title>Just a moment...</title></head><body><p>Checking your browser \
                           before you can go on.</p></body></html>"
                .to_owned(),
            Self::Nothing => return None,
        })
    }
}

const fn day(day: i64, says: ShopPage) -> PageSince {
    hour(day, 0, says)
}

const fn hour(day: i64, hour: i64, says: ShopPage) -> PageSince {
    PageSince { hour: day * 24 + hour, says }
}

fn said(day: i64, hour: i64, title: &str) -> (i64, String) {
    (day * 24 + hour, format!("price: {title}"))
}

/// Checks the page at every hour of a year and returns the hours and titles of the alerts.
fn alerts(limit: u32, year: &[PageSince]) -> Vec<(i64, String)> {
    let fields = vec![WatchedField::new("price", ".price")];
    let target = Target::Extract { items: None, fields };
    let definition = Definition { trigger: below(limit), ..Definition::of(target) };
    let (mut baseline, mut recent_contents, mut memory) =
        (None::<Baseline>, RecentContents::default(), Memory::default());
    let (mut reported, mut seen) = (Vec::new(), HashMap::new());
    for now in 0..HOURS {
        let says = year[year.partition_point(|since| since.hour <= now) - 1].says;
        let Some(page) = says.page() else { continue };
        let seen: &Observation =
            seen.entry(page).or_insert_with_key(|page| observed(page, &definition.target));
        assert_eq!(seen.is_comparable(), !matches!(says, ShopPage::Wall));
        let mut before = PreviousState {
            baseline: baseline.clone(),
            recent_contents: recent_contents.clone(),
            memory: memory.clone(),
        };
        match absence(&definition, &before, seen) {
            Absence::None if seen.is_comparable() => {}
            Absence::None | Absence::Unconfirmed | Absence::Unknown => continue,
        }
        before.memory.language.clone_from(&seen.language);
        let seen = TimedSnapshot { snapshot: &seen.snapshot, at: now * HOUR };
        let evaluation = evaluate(&definition, TargetType::Extract, before, seen).unwrap();
        if let Some(content) =
            evaluation.contents.iter().find(|content| content.hash == evaluation.baseline_hash)
        {
            let snapshot = Snapshot::decode(&content.encoded).unwrap();
            baseline = Some(Baseline { hash: content.hash.clone(), snapshot });
        }
        (recent_contents, memory) = (evaluation.recent_contents, evaluation.memory);
        reported.extend(evaluation.change.map(|change| (now, change.title)));
    }
    reported
}

/// Observation of a page, as the sandbox returns it.
fn observed(page: &str, target: &Target) -> Observation {
    let url = Some("https://shop.example/lamp");
    extract::watch::observe(page.as_bytes(), Some("text/html"), url, target, &[]).unwrap()
}

#[test]
fn year_of_a_shop_with_german_prices_has_the_expected_alerts() {
    use ShopPage::{Nothing, Price, Redesign, SoldOut, Wall};
    let year = [
        day(0, Price("1.299,00 €")),
        day(20, Price("1.199,00 €")),
        // Winter sale, with a robot check every night.
        day(30, Price("999,00 €")),
        hour(30, 22, Wall),
        hour(31, 6, Price("999,00 €")),
        hour(31, 22, Wall),
        hour(32, 6, Price("949,00 €")),
        day(45, Price("1.299,00 €")),
        // Sold out between sales, then available again at the same price.
        day(60, SoldOut),
        day(75, Price("1.299,00 €")),
        // A wrong price for an hour is treated like any other price.
        hour(100, 10, Price("99,00 €")),
        hour(100, 11, Price("1.299,00 €")),
        // The owner corrects the selector ten days after a redesign. Then the sale that started in the
        // meantime is reported.
        day(150, Redesign("899 €")),
        day(160, Price("899 €")),
        day(170, SoldOut),
        day(180, Price("899 €")),
        day(200, Price("1.299 €")),
        // The price equals the limit for a week, then falls below the limit.
        day(250, Price("1.000,00 €")),
        day(257, Price("999,99 €")),
        // The price is displayed in another currency for a few hours.
        hour(258, 3, Price("$899")),
        hour(258, 9, Price("999,99 €")),
        day(270, Price("1.299 €")),
        // The shop is unavailable for three days. Then its owner pauses the monitor: one sale starts and
        // stops, and another is in progress when the monitor is resumed.
        day(280, Nothing),
        day(290, Price("949 €")),
        day(300, Price("1.299 €")),
        day(320, Price("statt 1.299 € nur 1.199 €")),
        day(360, Price("799,00 €")),
    ];
    assert_eq!(
        alerts(1_000, &year),
        [
            said(30, 0, "1.299,00 € → 999,00 €"),
            said(100, 10, "1.299,00 € → 99,00 €"),
            said(160, 0, "1.299,00 € → 899 €"),
            said(257, 0, "1.000,00 € → 999,99 €"),
            said(290, 0, "1.299 € → 949 €"),
            said(360, 0, "statt 1.299 € nur 1.199 € → 799,00 €"),
        ]
    );
}

#[test]
fn year_of_a_frequently_sold_out_shop_yields_one_alert_per_sale() {
    use ShopPage::{Price, SoldOut, Wall};
    let mut year = vec![day(0, SoldOut), day(1, Price("$120"))];
    let mut expected = Vec::new();
    for month in 0..11 {
        let begins = 10 + month * 30;
        year.extend([
            day(begins, Price("$89.99")),
            hour(begins, 5, SoldOut),
            hour(begins, 9, Price("$89.99")),
            hour(begins, 20, Wall),
            day(begins + 2, SoldOut),
            day(begins + 9, Price("$120")),
        ]);
        expected.push(said(begins, 0, "$120 → $89.99"));
    }
    assert_eq!(alerts(100, &year), expected, "each sale is reported once, and no return from being sold out");
}

#[test]
fn year_of_fluctuating_prices_has_an_alert_per_fall_below_limit() {
    let prices = ["$101.00", "$100.00", "$99.50", "$100.50", "$98.00", "$99.00", "$103.00"];
    let series: Vec<&str> = prices.iter().copied().cycle().take(365 * 4).collect();
    let hours = (0..).step_by(6);
    let since = |(hour, price): (i64, &&'static str)| PageSince { hour, says: ShopPage::Price(price) };
    let reported = alerts(100, &hours.zip(&series).map(since).collect::<Vec<_>>());
    // In each cycle of seven prices, the price falls below the limit twice.
    assert_eq!(reported.len(), (0..series.len()).filter(|index| matches!(index % 7, 2 | 4)).count());
    let first: Vec<&str> = reported.iter().take(3).map(|(_, title)| title.as_str()).collect();
    assert_eq!(first, ["price: $101.00 → $99.50", "price: $100.50 → $98.00", "price: $100.00 → $99.50"]);
}
