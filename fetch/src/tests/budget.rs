//! Host budgets: permits, gaps, queues, pauses, and eviction of hosts.

use std::sync::Arc;
use std::time::Duration;

use futures_util::poll;
use tokio::time::{Instant, timeout};
use url::Url;

use super::site::{Site, html, reply};
use crate::budget::{Budget, HostShare};
use crate::{Error, FetcherSettings, Pace, Request};

const LONG: Duration = Duration::from_hours(1);
const GAP: Duration = Duration::from_secs(2);
const INTERACTIVE: HostShare<'static> = HostShare { pace: Pace::Interactive, caller: None };
const BACKGROUND: HostShare<'static> = HostShare { pace: Pace::Background, caller: None };

fn share_of(caller: &str) -> HostShare<'_> {
    HostShare { caller: Some(caller), ..INTERACTIVE }
}

fn budget() -> Arc<Budget> {
    Arc::new(Budget::new(&FetcherSettings {
        per_host_concurrency: 2,
        per_host_gap: GAP,
        per_host_waiting: 3,
        max_wait: Duration::from_secs(10),
        total_concurrency: 4,
        ..FetcherSettings::default()
    }))
}

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

async fn is_free(budget: &Budget, text: &str, share: HostShare<'_>) -> bool {
    let permit = timeout(Duration::from_millis(1), budget.acquire(&url(text), share, LONG, None)).await;
    matches!(permit, Ok(Ok(_)))
}

#[tokio::test(start_paused = true)]
async fn subdomains_share_a_budget_and_siblings_on_a_public_suffix_do_not() {
    let budget = budget();
    let _one = budget.acquire(&url("https://a.example.co.uk/"), INTERACTIVE, LONG, None).await.unwrap();
    let _two =
        budget.acquire(&url("http://b.example.co.uk:8080/"), share_of("other"), LONG, None).await.unwrap();
    assert!(!is_free(&budget, "https://example.co.uk/", INTERACTIVE).await);
    assert!(is_free(&budget, "https://other.co.uk/", INTERACTIVE).await);
    let _one = budget.acquire(&url("http://10.0.0.1/"), BACKGROUND, LONG, None).await.unwrap();
    assert!(!is_free(&budget, "http://10.0.0.1/", BACKGROUND).await);
    assert!(is_free(&budget, "http://10.0.0.1:81/", BACKGROUND).await);
}

#[tokio::test(start_paused = true)]
async fn one_caller_gets_all_permits_of_a_host_but_one() {
    let budget = Budget::new(&FetcherSettings {
        per_host_concurrency: 4,
        per_host_waiting: 20,
        ..FetcherSettings::default()
    });
    let page = url("https://example.com/");
    let mut running = Vec::new();
    for _ in 0..3 {
        running.push(budget.acquire(&page, share_of("busy"), LONG, None).await.unwrap());
    }
    let queued = || Box::pin(budget.acquire(&page, share_of("busy"), LONG, None));
    let mut queue: Vec<_> = (0..20).map(|_| queued()).collect();
    for waiting in &mut queue {
        assert!(poll!(waiting.as_mut()).is_pending());
    }
    let refused = queued().await.err();
    assert!(
        matches!(refused, Some(Error::Busy { .. })),
        "the queue of the busy caller is bounded: {refused:?}"
    );
    for share in [share_of("other"), INTERACTIVE, BACKGROUND] {
        assert!(is_free(&budget, page.as_str(), share).await);
    }
    let _other = budget.acquire(&page, share_of("other"), LONG, None).await.unwrap();
    let mut third = Box::pin(budget.acquire(&page, share_of("third"), LONG, None));
    assert!(poll!(third.as_mut()).is_pending(), "the first waiting request of a caller is accepted");
    let refused = budget.acquire(&page, share_of("third"), LONG, None).await.err();
    assert!(matches!(refused, Some(Error::Busy { .. })), "{refused:?}");
    running.pop();
    assert!(poll!(third.as_mut()).is_ready(), "the third caller waits for one request of the busy caller");
    assert!(poll!(queue[0].as_mut()).is_pending());
}

#[tokio::test(start_paused = true)]
async fn background_requests_run_one_at_a_time_with_a_gap() {
    let budget = budget();
    let page = url("https://example.com/");
    let started = Instant::now();
    let first = budget.acquire(&page, BACKGROUND, LONG, None).await.unwrap();
    assert!(!is_free(&budget, "https://example.com/", BACKGROUND).await);
    assert!(
        is_free(&budget, "https://example.com/", INTERACTIVE).await,
        "interactive requests do not wait for background ones"
    );
    drop(first);
    let _second = budget.acquire(&page, BACKGROUND, LONG, None).await.unwrap();
    assert!(started.elapsed() >= GAP);
}

#[tokio::test(start_paused = true)]
async fn waiters_are_served_in_order_and_bounded_in_number_and_time() {
    let budget = budget();
    let page = url("https://example.com/");
    let permit = budget.acquire(&page, BACKGROUND, LONG, None).await.unwrap();
    let (sender, mut order) = tokio::sync::mpsc::unbounded_channel();
    for number in 0..3 {
        let (budget, page, sender) = (Arc::clone(&budget), page.clone(), sender.clone());
        tokio::spawn(async move {
            let result = budget.acquire(&page, BACKGROUND, LONG, None).await;
            sender.send((number, result.is_ok())).unwrap();
        });
        tokio::task::yield_now().await;
    }
    let fourth = budget.acquire(&page, BACKGROUND, LONG, None).await.err();
    assert!(matches!(fourth, Some(Error::Busy { .. })), "{fourth:?}");
    assert_eq!(fourth.unwrap().label(), "capacity_exhausted");
    drop(permit);
    for number in 0..3 {
        assert_eq!(order.recv().await, Some((number, true)));
    }
    let permit = budget.acquire(&page, BACKGROUND, LONG, None).await.unwrap();
    let started = Instant::now();
    let late = budget.acquire(&page, BACKGROUND, LONG, None).await.err();
    assert!(matches!(late, Some(Error::Busy { .. })), "{late:?}");
    assert_eq!(started.elapsed(), Duration::from_secs(10));
    let started = Instant::now();
    let hasty = budget.acquire(&page, BACKGROUND, Duration::from_secs(8), None).await.err();
    assert!(matches!(hasty, Some(Error::Busy { .. })), "{hasty:?}");
    assert_eq!(started.elapsed(), Duration::from_secs(6));
    drop(permit);
}

#[tokio::test(start_paused = true)]
async fn pause_applies_to_waiting_requests() {
    let budget = budget();
    let page = url("https://example.com/");
    let permit = budget.acquire(&page, BACKGROUND, LONG, None).await.unwrap();
    let waiting = tokio::spawn({
        let (budget, page) = (Arc::clone(&budget), page.clone());
        async move { budget.acquire(&page, BACKGROUND, LONG, None).await.err() }
    });
    tokio::task::yield_now().await;
    permit.pause(&page, Duration::from_mins(1));
    drop(permit);
    let error = waiting.await.unwrap();
    assert!(matches!(error, Some(Error::RateLimited { retry_after: Some(_) })), "{error:?}");
    tokio::time::advance(Duration::from_mins(1)).await;
    assert!(budget.acquire(&page, BACKGROUND, LONG, None).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn long_pause_of_one_page_does_not_block_its_host() {
    const DAY: Duration = Duration::from_hours(24);
    let budget = budget();
    let pages: Vec<Url> = (0..4).map(|n| url(&format!("https://example.com/{n}"))).collect();
    let ask = async |page: &Url| budget.acquire(page, INTERACTIVE, LONG, None).await;
    let pause_of = async |page: &Url| ask(page).await.err().and_then(|error| error.retry_after());
    ask(&pages[0]).await.unwrap().pause(&pages[0], DAY);
    assert_eq!(pause_of(&pages[0]).await, Some(DAY));
    assert_eq!(
        pause_of(&pages[1]).await,
        Some(Duration::from_mins(2)),
        "other pages of the host wait two minutes"
    );
    tokio::time::advance(Duration::from_mins(2)).await;
    ask(&pages[1]).await.unwrap().pause(&pages[1], DAY);
    tokio::time::advance(Duration::from_mins(2)).await;
    assert!(pause_of(&pages[0]).await > Some(DAY / 2), "the page that requested a day is paused for a day");
    ask(&pages[2]).await.unwrap().pause(&pages[2], DAY / 2);
    assert_eq!(pause_of(&pages[3]).await, Some(DAY / 2), "pauses of three pages apply to the host");
}

#[tokio::test(start_paused = true)]
async fn total_concurrency_is_bounded() {
    let budget = budget();
    let mut permits = Vec::new();
    for host in ["a.com", "b.com", "c.com", "d.com"] {
        permits
            .push(budget.acquire(&url(&format!("https://{host}/")), INTERACTIVE, LONG, None).await.unwrap());
    }
    assert!(!is_free(&budget, "https://e.com/", INTERACTIVE).await);
    permits.pop();
    assert!(is_free(&budget, "https://e.com/", INTERACTIVE).await);
}

#[tokio::test(start_paused = true)]
async fn redirect_keeps_permit_on_same_host_and_releases_it_on_another_host() {
    let budget = budget();
    let permit = budget.acquire(&url("https://example.com/"), BACKGROUND, LONG, None).await.unwrap();
    let started = Instant::now();
    let permit =
        budget.acquire(&url("https://www.example.com/"), BACKGROUND, LONG, Some(permit)).await.unwrap();
    assert_eq!(started.elapsed(), Duration::ZERO);
    let _elsewhere =
        budget.acquire(&url("https://example.org/"), BACKGROUND, LONG, Some(permit)).await.unwrap();
    assert!(budget.acquire(&url("https://example.com/"), BACKGROUND, LONG, None).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn idle_hosts_are_evicted() {
    let budget = budget();
    for number in 0..20_000 {
        let page = url(&format!("https://host{number}.com/"));
        drop(budget.acquire(&page, INTERACTIVE, LONG, None).await.unwrap());
    }
    assert!(budget.tracked_hosts() <= 4096, "{}", budget.tracked_hosts());
    for number in 0..30_000 {
        let page = url(&format!("https://paused{number}.com/"));
        budget.acquire(&page, INTERACTIVE, LONG, None).await.unwrap().pause(&page, Duration::from_mins(1));
    }
    assert!(budget.tracked_hosts() <= 20_000, "{}", budget.tracked_hosts());
}

#[tokio::test]
async fn host_is_not_contacted_during_a_requested_pause() {
    for status in ["429 Too Many Requests", "503 Service Unavailable"] {
        let site = Site::start(move |_| reply(status, &["Retry-After: 60"], b"")).await;
        let fetcher = site.fetcher();
        let first = fetcher.fetch(&Request::page(site.url("/a"))).await.unwrap_err();
        assert_eq!(first.retry_after(), Some(Duration::from_mins(1)));
        let second = fetcher.fetch(&Request::page(site.url("/b"))).await.unwrap_err();
        assert_eq!((second.label(), second.source_answered()), ("source_rate_limited", false));
        assert!(second.retry_after().is_some_and(|pause| pause <= Duration::from_mins(1)));
        assert_eq!(site.paths(), ["/a"], "{status}");
    }
    let site = Site::start(|seen| if seen.path == "/a" { reply("429 X", &[], b"") } else { html("x") }).await;
    let fetcher = site.fetcher();
    assert!(fetcher.fetch(&Request::page(site.url("/a"))).await.is_err());
    assert!(
        fetcher.fetch(&Request::page(site.url("/b"))).await.is_ok(),
        "a 429 without Retry-After does not pause the host"
    );
}
