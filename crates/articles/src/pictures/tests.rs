//! Tests of pictures: caching, limits, and eviction. Fetching by a worker is tested over HTTP.

use std::net::IpAddr;

use entities::picture::{Entity, Model};
use sea_orm::{EntityTrait, IntoActiveModel};

use super::request::{find, hash_of};
use super::*;
use identity::limits::Network;
use jobs::Progress;
use kernel::testing::{TestDatabase, on_both, person};
use kernel::tiers::Tier;
use kernel::{Backend, Code, Domain, Policy};

fn row(url: &str, at: Millis) -> Model {
    Model {
        hash: hash_of(url),
        url: url.to_owned(),
        blob: None,
        media_type: None,
        width: 0,
        height: 0,
        size_bytes: 0,
        failure: None,
        holds_until: at + FRESH_FOR,
        asked_at: at,
        max_width: 0,
    }
}

/// Stores a picture of `bytes` bytes that was last viewed at `at`.
async fn put(domain: &Domain, url: &str, bytes: usize, at: Millis) {
    let blob = format!("{FOLDER}/{}", hash_of(url));
    let mut upload = domain.blobs().begin(&blob).await.unwrap();
    upload.push(&vec![1; bytes]).await.unwrap();
    upload.finish().await.unwrap();
    let media_type = Some("image/png".to_owned());
    let size_bytes = i64::try_from(bytes).unwrap();
    insert(domain, Model { blob: Some(blob), media_type, width: 40, height: 30, size_bytes, ..row(url, at) })
        .await;
}

async fn insert(domain: &Domain, row: Model) {
    Entity::insert(row.into_active_model()).exec_without_returning(domain.db().write()).await.unwrap();
}

async fn request_cached(domain: &Domain, requester: &Requester, url: &str) -> Option<PictureResult> {
    match request(domain, requester, url, None).await.unwrap() {
        Progress::Done(result) => Some(result),
        Progress::Waiting { .. } => None,
    }
}

async fn files(domain: &Domain) -> usize {
    futures_util::TryStreamExt::try_collect::<Vec<_>>(domain.blobs().list(FOLDER)).await.unwrap().len()
}

fn stranger(address: &str) -> Requester {
    Requester::Network(Network::of(address.parse::<IpAddr>().unwrap()))
}

#[tokio::test]
async fn signed_address_works_only_for_its_viewer() {
    let database = TestDatabase::create(Backend::Sqlite).await;
    let (one, other) =
        (person(&database.domain, Tier::Free).await, person(&database.domain, Tier::Free).await);
    let key = PictureKey::load(&database.domain).await.unwrap();
    let url = "https://example.org/a.png?x=1&y=ü";
    let token = key.seal(Viewer::Account(one), url).unwrap();
    assert_eq!(key.open(Viewer::Account(one), &token).as_deref(), Some(url));
    assert_eq!(key.open(Viewer::Account(other), &token), None);
    assert_eq!(key.open(Viewer::Anyone, &token), None);
    let open = key.seal(Viewer::Anyone, url).unwrap();
    assert_eq!(key.open(Viewer::Account(other), &open).as_deref(), Some(url));
    let mut forged = open.clone();
    forged.replace_range(0..1, if open.starts_with('b') { "c" } else { "b" });
    assert_eq!(key.open(Viewer::Anyone, &forged), None);
    let cursor = database.domain.cursor_key().await.unwrap().seal("something else", url.as_bytes());
    assert_eq!(key.open(Viewer::Anyone, &cursor), None);
    for none in ["data:image/png;base64,AAAA", "ftp://example.org/a.png", "/a.png", "file:///etc/passwd"] {
        assert_eq!(key.seal(Viewer::Anyone, none), None, "{none}");
    }
    assert_eq!(key.seal(Viewer::Anyone, &format!("https://example.org/{}", "a".repeat(3_000))), None);
}

#[tokio::test]
async fn private_addresses_are_refused_without_a_fetch() {
    let database = TestDatabase::create(Backend::Sqlite).await;
    for url in [
        "http://127.0.0.1/a.png",
        "http://[::1]/a.png",
        "http://169.254.169.254/latest/meta-data",
        "http://10.0.0.1/a.png",
        "http://user:word@example.org/a.png",
        "not an address",
    ] {
        let result = request_cached(&database.domain, &stranger("192.0.2.1"), url).await;
        assert_eq!(result, Some(Err(PictureFailure::NotAllowed)), "{url}");
    }
    assert_eq!(Entity::find().all(database.domain.db().read()).await.unwrap(), []);
}

async fn cached_pictures_and_failures_expire(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let (domain, requester) = (&database.domain, stranger("192.0.2.1"));
    let (good, bad) = ("https://example.org/a.png", "https://example.org/b.svg");
    put(domain, good, 10, domain.now()).await;
    let failure = Some(PictureFailure::NotAPicture.as_str().to_owned());
    let holds_until = domain.now() + PictureFailure::NotAPicture.cache_duration();
    insert(domain, Model { failure, holds_until, ..row(bad, domain.now()) }).await;
    assert!(
        matches!(request_cached(domain, &requester, good).await, Some(Ok(picture)) if picture.size == 10)
    );
    assert_eq!(request_cached(domain, &requester, bad).await, Some(Err(PictureFailure::NotAPicture)));
    let sizes = sizes(domain, &[good.to_owned(), bad.to_owned()]).await.unwrap();
    assert_eq!(sizes.into_iter().collect::<Vec<_>>(), [(good.to_owned(), (40, 30))]);
    database.clock.advance(DAY);
    assert_eq!(request_cached(domain, &requester, bad).await, None, "the failed picture is fetched again");
    assert!(request_cached(domain, &requester, good).await.unwrap().is_ok());
    assert_eq!(find(domain, &hash_of(good)).await.unwrap().unwrap().asked_at, domain.now());
    database.clock.advance(FRESH_FOR);
    assert_eq!(request_cached(domain, &requester, good).await, None, "the stale picture is fetched again");
    give_up(domain, &hash_of(good)).await.unwrap();
    assert!(
        request_cached(domain, &requester, good).await.unwrap().is_ok(),
        "the stale picture is served while its server fails"
    );
}

async fn least_recently_viewed_pictures_are_evicted_first(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let policy = Policy { max_picture_bytes: 5_000, ..Policy::default() };
    let domain = identity::limits::install(
        database.domain.clone().with_policy(policy),
        identity::limits::window::Windows::memory(),
    );
    let now = domain.now();
    for number in 0..4_i64 {
        put(&domain, &format!("https://example.org/{number}.png"), 1_000, now - DAY + number).await;
    }
    put(&domain, "https://example.org/shown.png", 9_000, now).await;
    assert_eq!(keep_within_budget(&domain).await.unwrap(), 4);
    assert_eq!(files(&domain).await, 1, "a recently viewed picture is retained");
    insert(&domain, row("https://example.org/failed.png", now - BEYOND_RETENTION)).await;
    let domain = identity::limits::install(
        database.domain.clone().with_policy(Policy::default()),
        identity::limits::window::Windows::memory(),
    );
    assert_eq!(keep_within_budget(&domain).await.unwrap(), 1, "a picture not viewed for a month is deleted");
}

const BEYOND_RETENTION: Millis = 31 * DAY;

#[tokio::test]
async fn old_file_without_a_row_is_deleted() {
    let database = TestDatabase::create(Backend::Sqlite).await;
    let domain = &database.domain;
    put(domain, "https://example.org/a.png", 10, domain.now()).await;
    domain.blobs().begin("picture/lost").await.unwrap().finish().await.unwrap();
    domain.blobs().begin("account/x/y").await.unwrap().finish().await.unwrap();
    database.clock.advance(365 * 100 * DAY);
    assert_eq!(delete_lost(domain).await.unwrap(), 1);
    assert_eq!(files(domain).await, 1);
}

#[tokio::test]
async fn request_limit_does_not_affect_other_requesters() {
    let database = TestDatabase::create(Backend::Sqlite).await;
    let (domain, one) = (&database.domain, stranger("192.0.2.1"));
    let url = |number: usize| format!("https://example.org/{number}.png");
    for number in 0..120 {
        assert_eq!(request_cached(domain, &one, &url(number)).await, None);
    }
    let error = request(domain, &one, &url(120), None).await.unwrap_err();
    assert_eq!(error.code, Code::RateLimited);
    let account = Requester::Account(person(domain, Tier::Free).await);
    assert_eq!(request_cached(domain, &account, &url(120)).await, None);
}

#[tokio::test]
async fn pictures_are_not_fetched_with_a_budget_of_zero() {
    let database = TestDatabase::create(Backend::Sqlite).await;
    let policy = Policy { max_picture_bytes: 0, ..Policy::default() };
    let domain = identity::limits::install(
        database.domain.clone().with_policy(policy),
        identity::limits::window::Windows::memory(),
    );
    let result = request_cached(&domain, &stranger("192.0.2.1"), "https://example.org/a.png").await;
    assert_eq!(result, Some(Err(PictureFailure::NotAllowed)));
}

/// Picture with a width of 2,000 pixels.
fn wide(size: u64) -> CachedPicture {
    let (media_type, blob) = ("image/png".to_owned(), "picture/wide".to_owned());
    CachedPicture { media_type, width: 2_000, size, blob }
}

/// Requests the smallest version. `None` if the version is still being created.
async fn request_version(
    domain: &Domain,
    requester: &Requester,
    url: &str,
    original: &CachedPicture,
) -> Option<PictureResult> {
    match request_smaller(domain, requester, url, original, PictureWidth::SMALL).await.unwrap() {
        Progress::Done(result) => Some(result),
        Progress::Waiting { .. } => None,
    }
}

async fn smaller_version_is_cached_until_it_expires(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let (domain, requester) = (&database.domain, stranger("192.0.2.1"));
    let (url, other, width) = ("https://example.org/a.png", "https://example.org/b.png", PictureWidth::SMALL);
    let version =
        |url| Model { hash: width.hash_of(url), max_width: width.column(), ..row(url, domain.now()) };
    let (blob, media_type) = (Some("picture/small".to_owned()), Some("image/jpeg".to_owned()));
    insert(domain, Model { blob, media_type, width: 480, size_bytes: 9, ..version(url) }).await;
    let failure = Some(PictureFailure::NoSmallerVersion.as_str().to_owned());
    insert(domain, Model { failure, ..version(other) }).await;
    let is_small = |result: Option<PictureResult>| result.is_some_and(|result| result.unwrap().size == 9);
    let original = wide(50_000);
    assert!(is_small(request_version(domain, &requester, url, &original).await));
    let by_url = request(domain, &requester, url, Some(width)).await.unwrap();
    assert!(matches!(by_url, Progress::Done(Ok(picture)) if picture.size == 9), "the picture is not fetched");
    assert_eq!(request_cached(domain, &requester, url).await, None, "only the version is cached");
    assert_eq!(request_version(domain, &requester, other, &original).await, Some(Ok(original.clone())));
    assert_eq!(sizes(domain, &[url.to_owned()]).await.unwrap().len(), 0, "the size is that of the picture");
    give_up(domain, &width.hash_of(url)).await.unwrap();
    assert!(is_small(request_version(domain, &requester, url, &original).await), "the version is valid");
    database.clock.advance(FRESH_FOR);
    for url in [url, other] {
        assert_eq!(request_version(domain, &requester, url, &original).await, None, "{url}");
    }
    give_up(domain, &width.hash_of(url)).await.unwrap();
    let result = request_version(domain, &requester, url, &original).await;
    assert_eq!(result, Some(Ok(original.clone())), "the expired version may be of another picture");
}

#[tokio::test]
async fn small_pictures_and_other_types_have_no_smaller_version() {
    let database = TestDatabase::create(Backend::Sqlite).await;
    let (domain, requester) = (&database.domain, stranger("192.0.2.1"));
    let gif = CachedPicture { media_type: "image/gif".to_owned(), ..wide(50_000) };
    for original in [wide(40_000), gif, CachedPicture { width: 480, ..wide(50_000) }] {
        let result = request_version(domain, &requester, "https://example.org/a", &original).await;
        assert_eq!(result, Some(Ok(original)));
    }
    assert_eq!(Entity::find().all(database.domain.db().read()).await.unwrap(), []);
}

#[tokio::test]
async fn original_picture_is_returned_beyond_the_limit_of_smaller_versions() {
    let database = TestDatabase::create(Backend::Sqlite).await;
    let (domain, one, original) = (&database.domain, stranger("192.0.2.1"), wide(50_000));
    let url = |number: usize| format!("https://example.org/{number}.png");
    for number in 0..120 {
        assert_eq!(request_version(domain, &one, &url(number), &original).await, None);
    }
    assert_eq!(request_version(domain, &one, &url(120), &original).await, Some(Ok(original.clone())));
    let other = stranger("198.51.100.1");
    assert_eq!(request_version(domain, &other, &url(120), &original).await, None);
    let jobs = "SELECT count(*) FROM job WHERE kind = 'smaller_picture'";
    let jobs = kernel::statement::scalar(domain.db().read(), jobs, []).await.unwrap();
    assert_eq!(jobs, 121, "they do not wait with the pictures that are fetched");
}

on_both! {
    smaller_version_is_cached_until_it_expires,
    cached_pictures_and_failures_expire,
    least_recently_viewed_pictures_are_evicted_first,
}

async fn first_address_that_has_not_failed_is_chosen(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let (good, bad, new) =
        ("https://example.org/a.png", "https://example.org/b.ico", "https://example.org/c.ico");
    put(domain, good, 10, domain.now()).await;
    let failure = Some(PictureFailure::Gone.as_str().to_owned());
    insert(domain, Model { failure, ..row(bad, domain.now()) }).await;
    let lists = [&[bad, good][..], &[new, good], &[bad], &[]];
    let lists: Vec<Vec<String>> =
        lists.iter().map(|urls| urls.iter().map(|url| (*url).to_owned()).collect()).collect();
    let chosen = choose(domain, &lists).await.unwrap();
    let urls: Vec<Option<(&str, bool)>> = chosen
        .iter()
        .map(|picture| picture.as_ref().map(|picture| (picture.url.as_str(), picture.cached.is_some())))
        .collect();
    assert_eq!(urls, [Some((good, true)), Some((new, false)), None, None]);
    let picture = chosen[0].as_ref().and_then(|picture| picture.cached.clone()).unwrap();
    assert_eq!(read_small(domain, &picture, 10).await, Some(vec![1; 10]));
    assert_eq!(read_small(domain, &picture, 9).await, None);
}
on_both! {
    first_address_that_has_not_failed_is_chosen,
}
