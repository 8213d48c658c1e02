//! Name lookups under the guard: private, mixed, and changing answers from a table instead of DNS.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::site::{Site, html, redirect_to, reply};
use crate::resolve::{GuardError, Lookup, LookupFuture};
use crate::{Error, Fetcher, FetcherSettings, Request};

/// Names, each with a list of answers. The last answer is repeated.
pub(crate) struct NameTable {
    answers: Mutex<HashMap<String, Vec<Vec<IpAddr>>>>,
    lookups: AtomicUsize,
}

impl NameTable {
    pub(crate) fn new(names: &[(&str, &[&[&str]])]) -> Arc<Self> {
        let parse = |answer: &&[&str]| answer.iter().map(|ip| ip.parse().unwrap()).collect();
        let answers = names
            .iter()
            .map(|(name, answers)| ((*name).to_owned(), answers.iter().rev().map(parse).collect()))
            .collect();
        Arc::new(Self { answers: Mutex::new(answers), lookups: AtomicUsize::new(0) })
    }

    fn lookups(&self) -> usize {
        self.lookups.load(Ordering::SeqCst)
    }
}

impl Lookup for NameTable {
    fn addresses(&self, name: &str) -> LookupFuture {
        self.lookups.fetch_add(1, Ordering::SeqCst);
        let mut answers = self.answers.lock().unwrap();
        let answer = answers.get_mut(name).map_or(Err(GuardError::NoAddress), |queue| {
            if queue.len() > 1 { Ok(queue.pop().unwrap()) } else { Ok(queue[0].clone()) }
        });
        Box::pin(async move { answer })
    }
}

/// Name servers that never answer.
struct UnresponsiveDns;

impl Lookup for UnresponsiveDns {
    fn addresses(&self, _: &str) -> LookupFuture {
        Box::pin(std::future::pending())
    }
}

fn fetcher(settings: FetcherSettings, table: &Arc<NameTable>) -> Fetcher {
    let lookup: Arc<dyn Lookup> = Arc::clone(table) as Arc<dyn Lookup>;
    Fetcher::with_lookup(settings, &lookup).unwrap()
}

fn url(site: &Site, name: &str) -> String {
    format!("http://{name}:{}/", site.port())
}

fn is_refused(error: &Error) -> bool {
    matches!(error, Error::NotAllowed { .. })
}

#[tokio::test]
async fn name_with_a_non_public_address_is_refused_before_connecting() {
    let canary = Site::canary().await;
    let table = NameTable::new(&[
        ("a.example.com", &[&["127.0.0.1"]]),
        ("aaaa.example.com", &[&["::1"]]),
        ("mapped.example.com", &[&["::ffff:127.0.0.1"]]),
        ("nat64.example.com", &[&["64:ff9b::7f00:1"]]),
        ("meta.example.com", &[&["169.254.169.254"]]),
        ("mixed.example.com", &[&["93.184.216.34", "127.0.0.1"]]),
        ("mixed6.example.com", &[&["127.0.0.1", "2606:4700::1111"]]),
        ("zero.example.com", &[&["0.0.0.0"]]),
    ]);
    let fetcher =
        fetcher(FetcherSettings { robots: crate::RobotsRule::Ignore, ..FetcherSettings::default() }, &table);
    for name in ["a", "aaaa", "mapped", "nat64", "meta", "mixed", "mixed6", "zero"] {
        let request = Request::page(url(&canary, &format!("{name}.example.com")));
        let error = fetcher.fetch(&request).await.unwrap_err();
        assert!(is_refused(&error), "{name}: {error:?}");
        assert_eq!(error.label(), "url_not_allowed");
        assert!(!error.source_answered());
    }
    assert_eq!(canary.hits(), 0);
}

#[tokio::test]
async fn foreign_name_of_this_machine_is_refused_unless_allowed() {
    let ours = "93.184.216.34";
    let table = NameTable::new(&[("stranger.example.com", &[&[ours]])]);
    let closed = FetcherSettings { own_addresses: vec![ours.parse().unwrap()], ..FetcherSettings::default() };
    let refusal = async |settings: &FetcherSettings, request: &Request| {
        fetcher(settings.clone(), &table).fetch(request).await.unwrap_err()
    };
    for url in ["http://stranger.example.com/", "http://93.184.216.34/"] {
        let error = refusal(&closed, &Request::feed(url)).await;
        assert_eq!(error, Error::NotAllowed { reason: "it is this service itself" });
    }
    let opened = FetcherSettings { allow: vec![ours.parse().unwrap()], ..closed };
    // Nothing answers at the address.
    let short =
        Request { deadline: Duration::from_millis(50), ..Request::feed("http://stranger.example.com/") };
    assert!(!is_refused(&refusal(&opened, &short).await));
}

#[tokio::test]
async fn changing_name_is_resolved_and_checked_for_each_request() {
    let site = Site::start(|_| reply("200 OK", &["Connection: close"], b"first")).await;
    let canary = Site::start_at(&format!("127.0.0.2:{}", site.port()), |_| html("the secret")).await;
    let table =
        NameTable::new(&[("flip.example.com", &[&["127.0.0.1"], &["127.0.0.2"], &["127.0.0.1"], &["::1"]])]);
    let fetcher = fetcher(site.settings(), &table);
    let request = Request::page(url(&site, "flip.example.com"));
    assert_eq!(fetcher.fetch(&request).await.unwrap().body, "first");
    assert_eq!(table.lookups(), 1, "connecting does not resolve the name again");
    assert!(is_refused(&fetcher.fetch(&request).await.unwrap_err()));
    assert_eq!(fetcher.fetch(&request).await.unwrap().body, "first");
    assert!(is_refused(&fetcher.fetch(&request).await.unwrap_err()));
    assert_eq!(table.lookups(), 4);
    assert_eq!(canary.hits(), 0);
}

#[tokio::test]
async fn allow_rule_for_one_port_does_not_allow_another_port_via_a_name() {
    let site = Site::start(|_| html("open")).await;
    let canary = Site::canary().await;
    let table = NameTable::new(&[("lan.example.com", &[&["127.0.0.1"]])]);
    let fetcher = fetcher(site.settings(), &table);
    assert!(fetcher.fetch(&Request::page(url(&site, "lan.example.com"))).await.is_ok());
    let error = fetcher.fetch(&Request::page(url(&canary, "lan.example.com"))).await.unwrap_err();
    assert!(is_refused(&error));
    assert_eq!(canary.hits(), 0);
}

#[tokio::test]
async fn local_name_is_allowed_only_if_all_addresses_are_allowed() {
    let site = Site::start(|_| html("feed of the house")).await;
    let table = NameTable::new(&[
        ("localhost", &[&["127.0.0.1"]]),
        ("nas.lan", &[&["127.0.0.1"]]),
        ("half.lan", &[&["127.0.0.1", "::1"]]),
        ("public.lan", &[&["93.184.216.34"]]),
    ]);
    let fetcher = fetcher(site.settings(), &table);
    for name in ["localhost", "nas.lan"] {
        assert!(fetcher.fetch(&Request::page(url(&site, name))).await.is_ok(), "{name}");
    }
    for name in ["half.lan", "public.lan"] {
        assert!(is_refused(&fetcher.fetch(&Request::page(url(&site, name))).await.unwrap_err()), "{name}");
    }
}

#[tokio::test]
async fn redirect_to_name_with_private_address_is_refused() {
    let canary = Site::canary().await;
    let target = url(&canary, "inside.example.com");
    let site = Site::start(move |_| redirect_to(&target)).await;
    let table = NameTable::new(&[("inside.example.com", &[&["127.0.0.1"]])]);
    let fetcher = fetcher(site.settings(), &table);
    assert!(is_refused(&fetcher.fetch(&Request::page(site.url("/"))).await.unwrap_err()));
    assert_eq!((site.hits(), canary.hits()), (1, 0));
}

#[tokio::test]
async fn listener_of_this_service_is_refused_under_any_name() {
    let own = Site::canary().await;
    let table = NameTable::new(&[("mirror.example.com", &[&["127.0.0.1"]])]);
    let settings = FetcherSettings {
        allow: vec!["127.0.0.0/8".parse().unwrap()],
        own_hosts: vec![format!("127.0.0.1:{}", own.port())],
        ..own.settings()
    };
    let fetcher = fetcher(settings, &table);
    assert!(is_refused(&fetcher.fetch(&Request::page(url(&own, "mirror.example.com"))).await.unwrap_err()));
    assert!(is_refused(&fetcher.fetch(&Request::page(own.url("/"))).await.unwrap_err()));
    assert_eq!(own.hits(), 0);
}

#[tokio::test]
async fn name_without_address_is_unreachable() {
    let table = NameTable::new(&[("empty.example.com", &[&[]])]);
    let fetcher = fetcher(FetcherSettings::default(), &table);
    for name in ["empty.example.com", "unknown.example.com"] {
        let error = fetcher.fetch(&Request::page(format!("http://{name}/"))).await.unwrap_err();
        assert_eq!((error.label(), error.source_answered()), ("source_unreachable", false), "{name}");
    }
}

#[tokio::test]
async fn unresponsive_name_server_times_out() {
    let settings = FetcherSettings { dns_timeout: Duration::from_millis(50), ..FetcherSettings::default() };
    let lookup: Arc<dyn Lookup> = Arc::new(UnresponsiveDns);
    let fetcher = Fetcher::with_lookup(settings, &lookup).unwrap();
    let error = fetcher.fetch(&Request::page("http://slow.example.com/")).await.unwrap_err();
    assert_eq!(error, Error::Timeout { reason: "name lookup took too long", answered: false });
}

#[tokio::test]
async fn real_resolver_resolves_localhost_without_queries() {
    let site = Site::start(|_| html("home")).await;
    let settings = FetcherSettings {
        allow: vec![
            format!("127.0.0.0/8:{}", site.port()).parse().unwrap(),
            format!("[::1]:{}", site.port()).parse().unwrap(),
        ],
        ..site.settings()
    };
    let fetcher = Fetcher::new(settings).unwrap();
    let fetched = fetcher.fetch(&Request::page(url(&site, "localhost"))).await.unwrap();
    assert_eq!(fetched.body, "home");
}
