//! Tests of scheduling rules, without a database.

use entities::ids::FeedId;
use kernel::cache_control::freshness_ms;

use super::super::schedule::*;
use kernel::clock::{DAY, HOUR, MINUTE};

const NOW: i64 = 1_795_176_000_000;

fn demand(floor_minutes: i64) -> Demand {
    Demand {
        followers: 1,
        adaptive: true,
        fixed_ms: None,
        wants_texts: false,
        floor_ms: floor_minutes * MINUTE,
    }
}

fn every(gap: i64) -> PublishStats {
    PublishStats { gap_ms: Some(gap), last_new_at: Some(NOW), ..PublishStats::default() }
}

#[test]
fn interval_is_half_the_publication_gap_between_the_minimum_and_a_day() {
    assert_eq!(interval(demand(60), every(6 * HOUR), NOW), 3 * HOUR);
    assert_eq!(interval(demand(60), every(MINUTE), NOW), HOUR);
    assert_eq!(interval(demand(5), every(MINUTE), NOW), 5 * MINUTE);
    assert_eq!(interval(demand(5), every(30 * DAY), NOW), DAY);
    assert_eq!(interval(demand(60), PublishStats::default(), NOW), HOUR);
}

#[test]
fn idle_feed_is_polled_less_and_less_often() {
    let idle = PublishStats { last_new_at: Some(NOW - 40 * DAY), ..every(HOUR) };
    assert_eq!(interval(demand(5), idle, NOW), DAY);
    let since_the_morning = PublishStats { last_new_at: Some(NOW - 16 * HOUR), ..every(HOUR) };
    assert_eq!(
        interval(demand(5), since_the_morning, NOW),
        2 * HOUR,
        "the interval is an eighth of the idle time"
    );
}

#[test]
fn server_hint_raises_the_minimum_interval_to_at_most_a_day() {
    let asks = |floor| PublishStats { hint_floor_ms: floor, ..every(HOUR) };
    assert_eq!(interval(demand(5), asks(2 * HOUR), NOW), 2 * HOUR);
    assert_eq!(interval(demand(5), asks(90 * DAY), NOW), DAY);
    let pushed = PublishStats { is_pushed: true, ..every(HOUR) };
    assert_eq!(interval(demand(5), pushed, NOW), DAY);
}

#[test]
fn shorter_of_fixed_and_adaptive_interval_is_used() {
    let fixed = Demand { fixed_ms: Some(30 * MINUTE), ..demand(5) };
    assert_eq!(interval(fixed, every(10 * HOUR), NOW), 30 * MINUTE);
    let only = Demand { adaptive: false, fixed_ms: Some(4 * HOUR), ..demand(5) };
    assert_eq!(interval(only, every(HOUR), NOW), 4 * HOUR);
}

#[test]
fn fixed_interval_is_at_least_the_minimum_of_the_best_plan() {
    let shrunk = Demand { adaptive: false, fixed_ms: Some(5 * MINUTE), ..demand(60) };
    assert_eq!(interval(shrunk, every(MINUTE), NOW), HOUR);
    let both = Demand { adaptive: true, ..shrunk };
    assert_eq!(interval(both, every(10 * HOUR), NOW), HOUR);
}

#[test]
fn jitter_never_extends_an_interval_beyond_a_day() {
    for pause in [23 * HOUR, DAY - 1, DAY] {
        let next: Vec<i64> = (0..1000)
            .map(|id| next_poll(FeedId::from(id), NOW, pause, PublishStats::default()) - NOW)
            .collect();
        assert!(next.iter().all(|wait| (DAY * 9 / 10..=DAY).contains(wait)), "{pause}");
    }
    let early = (0..1000)
        .filter(|id| next_poll(FeedId::from(*id), NOW, DAY, PublishStats::default()) < NOW + 23 * HOUR)
        .count();
    assert!(early > 300, "{early}");
}

#[test]
fn hours_and_days_without_polls_are_respected() {
    // 2026-11-20T12:00:00Z is a Friday.
    let lunch = PublishStats { skip_hours: 0b111 << 12, ..PublishStats::default() };
    let next = next_poll(7.into(), NOW, MINUTE, lunch);
    assert!((NOW + 3 * HOUR..NOW + 3 * HOUR + 11 * MINUTE).contains(&next));
    let weekend = PublishStats { skip_days: 0b111 << 4, ..PublishStats::default() };
    let monday = NOW + 12 * HOUR + 2 * DAY;
    assert!((monday..monday + 11 * MINUTE).contains(&next_poll(7.into(), NOW, MINUTE, weekend)));
    let all = PublishStats { skip_hours: u32::MAX, skip_days: u32::MAX, ..PublishStats::default() };
    assert!(next_poll(7.into(), NOW, MINUTE, all) < NOW + 2 * MINUTE);
    let after = |id: i64| next_poll(id.into(), NOW, MINUTE, lunch) - NOW - 3 * HOUR;
    let latest = (0..1000).map(after).max().unwrap();
    assert!(
        (9 * MINUTE..31 * MINUTE).contains(&latest),
        "the polls are spread by ten minutes per hour: {latest}"
    );
}

#[test]
fn feeds_polled_at_the_same_time_are_spread() {
    let next: Vec<i64> =
        (0..1000).map(|id| next_poll(id.into(), NOW, HOUR, PublishStats::default())).collect();
    let (first, last) = (next.iter().min().unwrap(), next.iter().max().unwrap());
    assert!(*first >= NOW + HOUR && *last <= NOW + HOUR + 6 * MINUTE);
    let in_first_minute = next.iter().filter(|at| **at < NOW + HOUR + MINUTE).count();
    assert!((100..250).contains(&in_first_minute), "{in_first_minute}");
}

#[test]
fn backoff_doubles_up_to_two_days() {
    let waits: Vec<i64> = (1..=12).map(|failures| backoff(failures, HOUR)).collect();
    assert_eq!(waits[..3], [HOUR, 2 * HOUR, 4 * HOUR]);
    assert_eq!(*waits.last().unwrap(), 48 * HOUR);
    assert_eq!(backoff(i32::MAX, DAY), 48 * HOUR);
}

#[test]
fn headers_and_hints_are_parsed() {
    assert_eq!(freshness_ms(Some("public, max-age=600"), None, None), 10 * MINUTE);
    assert_eq!(freshness_ms(Some("no-cache, max-age=600"), None, None), 0);
    assert_eq!(freshness_ms(Some("max-age=99999999999999999999"), None, None), 0);
    let (date, expires) = ("Fri, 20 Nov 2026 12:00:00 GMT", "Fri, 20 Nov 2026 13:00:00 GMT");
    assert_eq!(freshness_ms(None, Some(expires), Some(date)), HOUR);
    assert_eq!(freshness_ms(None, Some("0"), Some(date)), 0);
    let hints = extract::feed::PollingHints {
        update_period_minutes: Some(1440),
        update_frequency: Some(4),
        ttl_minutes: Some(90),
        ..Default::default()
    };
    assert_eq!(hint_floor(&hints), 6 * HOUR);
    let ttl = extract::feed::PollingHints { ttl_minutes: Some(90), ..Default::default() };
    assert_eq!(hint_floor(&ttl), 90 * MINUTE);
    assert_eq!(gap(&[NOW - HOUR, NOW - 3 * HOUR, NOW + DAY], NOW), Some(90 * MINUTE));
    assert_eq!(gap(&[NOW], NOW), None);
    assert_eq!(gap(&[0, NOW - HOUR], NOW), None, "an invalid time is ignored");
}

#[test]
fn whole_body_is_requested_at_least_every_seven_days() {
    for id in (0..50).map(FeedId::from) {
        let (mut bodies, mut last) = (vec![NOW], NOW);
        // The feed is polled once per day, which is its maximum interval. Each response is 304.
        for day in 1..60 {
            let now = NOW + day * DAY;
            if !is_conditional(id, Some(last), now) {
                bodies.push(now);
            }
            last = now;
        }
        assert!(bodies.windows(2).all(|pair| pair[1] - pair[0] <= 7 * DAY), "{bodies:?}");
        assert!(bodies.len() <= 12, "the body is not fetched more often than necessary: {bodies:?}");
        let last = *bodies.last().unwrap();
        assert!(is_conditional(id, Some(last), last + HOUR));
        assert!(!is_conditional(id, None, last), "without a previous body the request is unconditional");
    }
}
