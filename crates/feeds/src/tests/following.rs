//! Tests of subscriptions, collections, import and export of lists, and plan limits.

use data_encoding::BASE64URL_NOPAD;
use sea_orm::ConnectionTrait;

use super::*;
use ::identity::account_rows::AccountRows;
use kernel::Code;

#[tokio::test]
async fn followers_of_one_address_share_a_feed_and_its_polls() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let mut feeds = Vec::new();
        for n in 0..20 {
            let who = person(domain, Tier::Free).await;
            let scheme = if n % 2 == 0 { "https" } else { "http" };
            feeds.push(follows(domain, who, &format!("{scheme}://feeds.example.org/news.xml")).await.feed_id);
        }
        feeds.dedup();
        assert_eq!(feeds.len(), 1);
        db.clock.advance(MINUTE);
        let job = due::claim_batch(domain).await.unwrap().job;
        assert!(job.is_some());
        let again = due::claim_batch(domain).await.unwrap().job;
        assert!(again.is_none());
    }
}

#[tokio::test]
async fn following_twice_returns_the_existing_subscription() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let first = follows(domain, who, FEED).await;
        let new = Follow { feed_url: FEED.to_owned(), ..Follow::default() };
        let again = follow(domain, who, new).await.unwrap();
        assert!(again.already_followed);
        assert_eq!(again.subscription, first);
        assert_eq!(first.title, FEED);
    }
}

#[tokio::test]
async fn feeds_whose_long_urls_differ_at_the_end_are_different_feeds() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        // Random, because PostgreSQL compresses index entries.
        let path = BASE64URL_NOPAD.encode(&domain.random::<3000>());
        let url = |end: &str| format!("https://feeds.example.org/{path}/{end}");
        let one = follows(domain, who, &url("one.xml")).await;
        let other = follows(domain, who, &url("other.xml")).await;
        assert_ne!(one.feed_id, other.feed_id);
        let new = Follow { feed_url: url("one.xml"), ..Follow::default() };
        let again = follow(domain, who, new).await.unwrap();
        assert!(again.already_followed);
        assert_eq!(again.subscription.feed_id, one.feed_id);
    }
}

/// Follows the feed with this password.
async fn follows_with_login(domain: &Domain, account_id: AccountId, password: &str) -> Followed {
    let (url, login) = Login::split(&FEED.replace("://", &format!("://ada:{password}@")));
    let address = articles::Address::parse(domain, &url).unwrap();
    let login = seal_login(domain, account_id, &address, login).await.unwrap();
    follow(domain, account_id, Follow { feed_url: url, login, ..Follow::default() }).await.unwrap()
}

#[tokio::test]
async fn failing_feed_is_polled_soon_after_its_login_changes() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let feed_id = follows_with_login(domain, who, "first").await.subscription.feed_id;
        for expected in [true, false] {
            fails(domain, feed_id, PollFailure::other(Code::SourceError)).await;
            assert!(follows_with_login(domain, who, "second").await.already_followed);
            let is_due = row(domain, feed_id).await.next_poll_at == Some(domain.now());
            assert_eq!(is_due, expected, "as rarely as a manual refresh");
        }
    }
}

#[tokio::test]
async fn pause_of_a_feed_with_a_login_does_not_pause_the_shared_feed() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let own = follows_with_login(domain, who, "first").await.subscription;
        let pause = PollFailure { host_pause_ms: Some(DAY), ..PollFailure::other(Code::SourceError) };
        fails(domain, own.feed_id, pause).await;
        let own_url = format!("{FEED}#{}", own.feed_id);
        let urls = [FEED, own_url.as_str()];
        let paused = jobs::hosts::paused_urls(domain.db().write(), urls, domain.now()).await.unwrap();
        assert_eq!(paused.keys().collect::<Vec<_>>(), [&own_url]);
    }
}

#[tokio::test]
async fn login_is_deleted_when_its_feed_is_unfollowed() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let own = follows_with_login(domain, who, "first").await.subscription;
        let shared = follows(domain, who, FEED).await;
        let resolved = async || feed_of_address(domain, who, FEED).await.unwrap();
        assert_eq!(resolved().await, Some(own.feed_id), "the account follows it with a login");
        unfollow(domain, who, own.id).await.unwrap();
        assert_eq!((logins(domain).await, resolved().await), (0, Some(shared.feed_id)));
    }
}

fn headers(pairs: &[(&str, &str)]) -> SubscriptionUpdate {
    let header =
        |(name, value): &(&str, &str)| RequestHeader { name: (*name).to_owned(), value: (*value).to_owned() };
    let request =
        RequestUpdate { headers: Some(pairs.iter().map(header).collect()), ..RequestUpdate::default() };
    SubscriptionUpdate { request, ..SubscriptionUpdate::default() }
}

#[tokio::test]
async fn headers_move_a_subscription_to_its_own_feed_with_its_read_state() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let (mine, theirs) = (follows(domain, who, FEED).await, follows(domain, other, FEED).await);
        arrives(domain, mine.feed_id, &items(1..=4)).await;
        let ids: Vec<EntryId> =
            entries(domain, who, EntryFilter::default()).await.entries.iter().map(|entry| entry.id).collect();
        mark_entries(domain, who, &ids[2..], false).await.unwrap();
        let moved = update_subscription(domain, who, mine.id, headers(&[("X-Key", "secret")])).await.unwrap();
        assert_ne!(moved.feed_id, mine.feed_id);
        assert_eq!((moved.id, moved.unread_count), (mine.id, 2), "entries and read state stay");
        assert_eq!((moved.header_names, moved.moved_from), (vec!["X-Key".to_owned()], None));
        assert_eq!(get_subscription(domain, other, theirs.id).await.unwrap().feed_id, mine.feed_id);

        arrives(domain, moved.feed_id, &items(1..=5)).await;
        let listed = entries(domain, who, EntryFilter::default()).await;
        assert_eq!((listed.entries.len(), listed.unread_total), (5, 2), "the first fetch is what was known");
        arrives(domain, moved.feed_id, &items(1..=6)).await;
        assert_eq!(unread(domain, who, mine.id).await, 3);
        assert_eq!(entries(domain, other, EntryFilter::default()).await.entries.len(), 4);

        let requests = login::own_requests(domain, &[row(domain, moved.feed_id).await]).await.unwrap();
        let sent = &requests[&moved.feed_id].headers;
        assert_eq!(sent, &[RequestHeader { name: "X-Key".into(), value: "secret".into() }]);
        let again = update_subscription(domain, who, mine.id, headers(&[])).await.unwrap();
        assert_eq!((again.feed_id, again.header_names.len()), (moved.feed_id, 0));
        assert!(login::own_requests(domain, &[row(domain, mine.feed_id).await]).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn headers_that_cannot_be_sent_are_refused() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        for (name, value) in [("Host", "a"), ("User-Agent", "a"), ("bad name", "a"), ("X-A", "a\nb")] {
            let refused =
                update_subscription(domain, who, mine.id, headers(&[(name, value)])).await.unwrap_err();
            assert_eq!(refused.code, Code::InvalidRequest, "{name}");
        }
        follows_with_login(domain, who, "first").await;
        let refused = update_subscription(domain, who, mine.id, headers(&[("X-A", "a")])).await.unwrap_err();
        assert_eq!(refused.code, Code::ConflictingChanges);
        assert_eq!(get_subscription(domain, who, mine.id).await.unwrap().feed_id, mine.feed_id);
    }
}

#[tokio::test]
async fn logins_are_deleted_with_their_account() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        follows_with_login(domain, who, "first").await;
        follows_with_login(domain, other, "other").await;
        let transaction = domain.db().begin().await.unwrap();
        FeedRows.before_deletion(&transaction, domain, who).await.unwrap();
        transaction.commit().await.unwrap();
        assert_eq!(logins(domain).await, 1);
    }
}

async fn logins(domain: &Domain) -> usize {
    entities::feed_login::Entity::find().all(domain.db().write()).await.unwrap().len()
}

#[tokio::test]
async fn mutation_with_a_login_is_refused() {
    let db = TestDatabase::create(kernel::Backend::Sqlite).await;
    let payer = articles::Payer { account_id: person(&db.domain, Tier::Free).await, tier: Tier::Free };
    for url in
        ["https://ada:first@feeds.example.org/", " ada:first@feeds.example.org", "feed://ada@a.example"]
    {
        let set = MutationSet { urls: vec![FEED.to_owned(), url.to_owned()], ..MutationSet::default() };
        let mutation = Mutation { op: MutationOp::SourcesFollow, selection: None, set };
        let refused = dry_run(&db.domain, payer, &mutation).await.unwrap_err();
        assert_eq!(refused.code, Code::ConflictingChanges, "{url}");
        assert!(!format!("{refused:?}").contains("first"));
    }
}

#[tokio::test]
async fn plan_limits_subscriptions_collections_and_intervals() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        for n in 0..50 {
            follows(domain, who, &format!("https://feeds.example.org/{n}")).await;
        }
        let new =
            |interval| Follow { feed_url: FEED.to_owned(), interval_minutes: interval, ..Follow::default() };
        let refused = follow(domain, who, new(None)).await.unwrap_err();
        assert_eq!(refused.code, Code::LimitReached);
        let refused = follow(domain, who, new(Some(15))).await.unwrap_err();
        assert_eq!(refused.code, Code::IntervalTooShort);
        for n in 0..5 {
            let new = NewCollection { name: format!("Folder {n}"), feed_ids: Vec::new() };
            create_collection(domain, who, new).await.unwrap();
        }
        let new = NewCollection { name: "One more".into(), feed_ids: Vec::new() };
        let refused = create_collection(domain, who, new).await.unwrap_err();
        assert_eq!(refused.code, Code::LimitReached);
        let connection = domain.db().read();
        let subscriptions = crate::count_subscriptions(connection, who).await.unwrap();
        let collections = crate::count_collections(connection, who).await.unwrap();
        assert_eq!((subscriptions, collections), (50, 5));
    }
}

#[tokio::test]
async fn feed_is_in_exactly_one_collection() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, stranger) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let (a, b) = (
            follows(domain, who, "https://a.example.org/f").await,
            follows(domain, who, "https://b.example.org/f").await,
        );
        let unsorted = list_collections(domain, who).await.unwrap().remove(0);
        assert_eq!(
            (unsorted.kind, unsorted.feed_ids.as_slice()),
            (CollectionKind::Unsorted, &[a.feed_id, b.feed_id][..])
        );
        let new = NewCollection { name: " Tech ".into(), feed_ids: vec![a.feed_id, a.feed_id] };
        let tech = create_collection(domain, who, new.clone()).await.unwrap();
        assert_eq!((tech.name.as_str(), tech.feed_ids.as_slice()), ("Tech", &[a.feed_id][..]));
        let taken = create_collection(domain, who, NewCollection { name: "tech".into(), ..new }).await;
        assert_eq!(taken.unwrap_err().code, Code::NameTaken);
        let update = UpdateCollection { name: Some("Code".into()), feed_ids: Some(vec![b.feed_id]) };
        let code = update_collection(domain, who, tech.id, update.clone()).await.unwrap();
        assert_eq!((code.name.as_str(), code.feed_ids.as_slice()), ("Code", &[b.feed_id][..]));
        assert_eq!(get_subscription(domain, who, a.id).await.unwrap().collection_id, unsorted.id);
        let refused = update_collection(domain, who, unsorted.id, update.clone()).await.unwrap_err();
        assert_eq!(refused.code, Code::CollectionImmutable);
        let foreign = update_collection(domain, stranger, tech.id, update).await.unwrap_err();
        assert_eq!(foreign.code, Code::NotFound);
        let unknown = NewCollection { name: "New".into(), feed_ids: vec![99_999.into()] };
        assert_eq!(create_collection(domain, who, unknown).await.unwrap_err().code, Code::NotFound);
        delete_collection(domain, who, tech.id).await.unwrap();
        assert_eq!(list_collections(domain, who).await.unwrap().len(), 1);
        assert_eq!(get_subscription(domain, who, b.id).await.unwrap().collection_id, unsorted.id);
    }
}

#[tokio::test]
async fn feed_without_followers_is_not_polled_and_is_deleted() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let (mine, theirs) = (follows(domain, who, FEED).await, follows(domain, other, FEED).await);
        arrives(domain, mine.feed_id, &items(1..=3)).await;
        unfollow(domain, who, mine.id).await.unwrap();
        assert!(row(domain, mine.feed_id).await.next_poll_at.is_some());
        assert_eq!(unfollow(domain, who, mine.id).await.unwrap_err().code, Code::NotFound);
        unfollow(domain, other, theirs.id).await.unwrap();
        assert_eq!(row(domain, mine.feed_id).await.next_poll_at, None);
        assert_eq!(delete_unfollowed(domain).await.unwrap(), 0);
        db.clock.advance(31 * DAY);
        assert_eq!(delete_unfollowed(domain).await.unwrap(), 1, "the feed is deleted with its read state");
        assert!(feed::Entity::find_by_id(mine.feed_id).one(domain.db().read()).await.unwrap().is_none());
        assert_eq!(follows(domain, who, FEED).await.unread_count, 0);
    }
}

const LIST: &str = r#"<opml version="2.0"><body>
  <outline text="Tech"><outline text="Deep"><outline text="Own title" xmlUrl="https://a.example.org/f"/></outline></outline>
  <outline text="B" xmlUrl="https://b.example.org/f"/><outline text="Local" xmlUrl="http://127.0.0.1/f"/>
  <outline text="Not" xmlUrl="nonsense"/></body></opml>"#;

#[tokio::test]
async fn list_import_is_idempotent_and_export_matches_the_list() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let lines = extract::feed::opml::read(LIST.as_bytes()).unwrap();
        let import = || import_list(domain, who, &lines);
        let first = import().await.unwrap();
        assert_eq!((first.created, first.existing), (2, 0));
        let why: Vec<Code> = first.failed.iter().map(|(_, code)| *code).collect();
        assert_eq!(why, [Code::UrlNotAllowed, Code::InvalidUrl]);
        let again = import().await.unwrap();
        assert_eq!((again.created, again.existing, again.failed.len()), (0, 2, 2));
        let written = export_list(domain, who).await.unwrap();
        let other = person(domain, Tier::Free).await;
        import_list(domain, other, &extract::feed::opml::read(written.as_bytes()).unwrap()).await.unwrap();
        assert_eq!(export_list(domain, other).await.unwrap(), written);
        assert!(
            written.contains("text=\"Tech\"")
                && written.contains("text=\"Deep\"")
                && written.contains("text=\"Own title\"")
        );
    }
}

fn lines(list: &str) -> Vec<extract::feed::opml::Outline> {
    extract::feed::opml::read(list.as_bytes()).unwrap()
}

#[tokio::test]
async fn list_import_creates_no_feeds_beyond_the_plan() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let feeds = (0..70).map(|n| format!(r#"<outline text="{n}" xmlUrl="https://{n}.example.org/f"/>"#));
        let list =
            lines(&format!(r#"<opml version="2.0"><body>{}</body></opml>"#, feeds.collect::<String>()));
        let taken = import_list(domain, who, &list).await.unwrap();
        assert_eq!((taken.created, taken.failed.len()), (50, 20));
        assert!(taken.failed.iter().all(|(_, code)| *code == Code::LimitReached));
        assert_eq!(feed::Entity::find().all(domain.db().write()).await.unwrap().len(), 50);
    }
}

#[tokio::test]
async fn list_import_reports_addresses_without_passwords() {
    let db = TestDatabase::create(kernel::Backend::Sqlite).await;
    let who = person(&db.domain, Tier::Free).await;
    let list = lines(
        r#"<opml version="2.0"><body><outline xmlUrl="https://ada:first@feeds.example.org/f"/></body></opml>"#,
    );
    let taken = import_list(&db.domain, who, &list).await.unwrap();
    let reported: Vec<&str> = taken.failed.iter().map(|(url, _)| url.as_str()).collect();
    assert_eq!(reported, ["https://feeds.example.org/f"]);
}

#[tokio::test]
async fn list_import_moves_only_unsorted_feeds_into_folders() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let loose = follows(domain, who, "https://loose.example.org/f").await;
        let sorted = follows(domain, who, "https://kept.example.org/f").await;
        let new = NewCollection { name: "Mine".into(), feed_ids: vec![sorted.feed_id] };
        create_collection(domain, who, new).await.unwrap();
        let list = lines(
            r#"<opml version="2.0"><body><outline text="Sea"><outline xmlUrl="https://loose.example.org/f"/>
               <outline xmlUrl="https://kept.example.org/f"/></outline></body></opml>"#,
        );
        for _ in 0..2 {
            assert_eq!(import_list(domain, who, &list).await.unwrap().existing, 2);
            let collections = list_collections(domain, who).await.unwrap();
            let feeds = |name: &str| {
                collections.iter().find(|collection| collection.name == name).unwrap().feed_ids.clone()
            };
            assert_eq!((feeds("Sea"), feeds("Mine")), (vec![loose.feed_id], vec![sorted.feed_id]));
        }
    }
}

#[tokio::test]
async fn list_import_creates_no_collection_without_a_feed() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let folder = |name: &str, urls: Vec<String>| {
            let feeds = urls.iter().map(|url| format!(r#"<outline xmlUrl="{url}"/>"#));
            format!(r#"<outline text="{name}">{}</outline>"#, feeds.collect::<String>())
        };
        let url = |number: usize| format!("https://{number}.example.org/f");
        let many = (0..10).map(|at| folder(&format!("F{at}"), (at * 30..at * 30 + 30).map(url).collect()));
        let many: String = many.collect();
        let refused = folder("Refused", vec!["ftp://x.example/z".into(), "http://127.0.0.1/f".into()]);
        let elsewhere = folder("A", vec![url(1)]) + &folder("B", vec![url(1)]);
        for (body, created, names) in [(many, 50, "F0 F1"), (refused, 0, ""), (elsewhere, 1, "A")] {
            let who = person(domain, Tier::Free).await;
            let list = lines(&format!(r#"<opml version="2.0"><body>{body}</body></opml>"#));
            assert_eq!(import_list(domain, who, &list).await.unwrap().created, created);
            let collections = list_collections(domain, who).await.unwrap();
            let custom: Vec<&Collection> =
                collections.iter().filter(|one| one.kind == CollectionKind::Custom).collect();
            assert_eq!(custom.iter().map(|one| one.name.as_str()).collect::<Vec<&str>>().join(" "), names);
            assert!(custom.iter().all(|one| !one.feed_ids.is_empty()));
        }
    }
}

#[tokio::test]
async fn list_is_refused_without_a_sandbox_process() {
    let none =
        extract::sandbox::PoolSettings::new("/nonexistent/carrel".into(), vec!["extract-child".into()]);
    let refused = read_list(&extract::sandbox::Pool::new(none), LIST.as_bytes().to_vec()).await.unwrap_err();
    assert_eq!(refused.code, Code::CapacityExhausted, "without a sandbox process no list is read");
    assert!(refused.is_transient() && refused.retry_after.is_some());
}

#[tokio::test]
async fn refresh_is_allowed_every_five_minutes() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items(1..=3)).await;
        refresh(domain, who, mine.id).await.unwrap();
        assert_eq!(row(domain, mine.feed_id).await.next_poll_at, Some(domain.now()));
        let refused = refresh(domain, who, mine.id).await.unwrap_err();
        assert_eq!((refused.code, refused.retry_after), (Code::RateLimited, Some(300)));
        db.clock.advance(5 * MINUTE);
        refresh(domain, who, mine.id).await.unwrap();
    }
}

/// Postpones the next poll of a feed by a day.
async fn postpone_poll(domain: &Domain, feed_id: FeedId) {
    let mut feed = row(domain, feed_id).await.into_active_model();
    feed.next_poll_at = Set(Some(domain.now() + DAY));
    feed.update(domain.db().write()).await.unwrap();
}

#[tokio::test]
async fn refresh_of_a_list_is_limited_and_spread() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, other) = (person(domain, Tier::Pro).await, person(domain, Tier::Pro).await);
        let mut feeds = Vec::new();
        for number in 0..103 {
            let url = format!("https://feeds.example.org/{number}.xml");
            let mine = follows(domain, who, &url).await;
            postpone_poll(domain, mine.feed_id).await;
            feeds.push(mine);
        }
        let theirs = follows(domain, other, FEED).await;
        postpone_poll(domain, theirs.feed_id).await;
        let one = refresh_scope(domain, who, ReadScope::Feed(feeds[102].feed_id)).await.unwrap();
        assert_eq!(one, ScopeRefresh { feeds: 1, is_limited: false });
        let again = refresh_scope(domain, who, ReadScope::Feed(feeds[102].feed_id)).await.unwrap();
        assert_eq!(again.feeds, 0, "each feed is refreshed at most every five minutes");
        let all = refresh_scope(domain, who, ReadScope::All).await.unwrap();
        assert_eq!(all, ScopeRefresh { feeds: 99, is_limited: true });
        let more = refresh_scope(domain, who, ReadScope::All).await.unwrap();
        assert_eq!(more, ScopeRefresh { feeds: 0, is_limited: true });
        let mut due = 0;
        for feed in &feeds {
            due += usize::from(pause(domain, feed.feed_id).await < 2 * MINUTE);
        }
        assert_eq!(due, 100);
        let strange = refresh_scope(domain, who, ReadScope::Feed(theirs.feed_id)).await.unwrap();
        assert_eq!((strange.feeds, pause(domain, theirs.feed_id).await), (0, DAY));
        db.clock.advance(5 * MINUTE);
        let rest = refresh_scope(domain, who, ReadScope::All).await.unwrap();
        assert_eq!(rest, ScopeRefresh { feeds: 3, is_limited: false });
    }
}

async fn pause(domain: &Domain, feed_id: FeedId) -> Millis {
    row(domain, feed_id).await.next_poll_at.unwrap() - domain.now()
}

#[tokio::test]
async fn shorter_interval_takes_effect_immediately() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Pro).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items(1..=3)).await;
        db.clock.advance(HOUR);
        assert!(pause(domain, mine.feed_id).await > 20 * HOUR);
        let set = async |minutes| {
            let change =
                SubscriptionUpdate { interval_minutes: Some(Some(minutes)), ..SubscriptionUpdate::default() };
            update_subscription(domain, who, mine.id, change).await.unwrap();
            pause(domain, mine.feed_id).await
        };
        assert!((HOUR..2 * HOUR).contains(&set(120).await), "the interval starts at the last poll");
        assert!((0..MINUTE).contains(&set(5).await), "an overdue poll is due immediately");
    }
}

#[tokio::test]
async fn larger_plan_of_any_follower_takes_effect_immediately() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let (one, two) =
            (follows(domain, who, FEED).await, follows(domain, who, "https://two.example/f").await);
        let busy = busy();
        for followed in [&one, &two] {
            arrives(domain, followed.feed_id, &busy).await;
            assert!(pause(domain, followed.feed_id).await >= HOUR);
        }
        let fast = person(domain, Tier::Pro).await;
        follows(domain, fast, FEED).await;
        assert!(pause(domain, one.feed_id).await <= 6 * MINUTE);
        assert!(pause(domain, two.feed_id).await >= HOUR);
        let email = format!("{who}@example.org");
        ::identity::accounts::set_tier(&with_owners(domain), &email, Tier::Pro).await.unwrap();
        assert!(pause(domain, two.feed_id).await <= 6 * MINUTE);
    }
}

#[tokio::test]
async fn feeds_of_a_larger_plan_are_spread_over_the_new_interval() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Premium).await;
        let mut feeds = Vec::new();
        for n in 0..300 {
            feeds.push(follows(domain, who, &format!("https://host{n}.example/f")).await.feed_id);
        }
        // All feeds were polled half an hour ago and are due in half an hour.
        let due = domain.now() + 30 * MINUTE;
        let polled = format!(
            "UPDATE feed SET last_fetched_at = {}, next_poll_at = {due}, gap_ms = 1, last_new_at = {0}",
            domain.now() - 30 * MINUTE
        );
        domain.db().write().execute_unprepared(&polled).await.unwrap();
        ::identity::accounts::set_tier(&with_owners(domain), &format!("{who}@example.org"), Tier::Pro)
            .await
            .unwrap();
        let mut minutes = std::collections::BTreeSet::new();
        for feed_id in feeds {
            let wait = pause(domain, feed_id).await;
            assert!((0..=5 * MINUTE).contains(&wait), "the wait is within the new interval: {wait}");
            minutes.insert(wait / MINUTE);
        }
        assert_eq!(minutes.len(), 5, "the polls are spread over all minutes of the interval");
    }
}

#[tokio::test]
async fn few_feeds_of_a_larger_plan_are_spaced_by_two_seconds() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Premium).await;
        let mut feeds = Vec::new();
        for n in 0..3 {
            feeds.push(follows(domain, who, &format!("https://host{n}.example/f")).await.feed_id);
        }
        // All feeds were polled a day ago and are due in an hour.
        let (polled, due) = (domain.now() - DAY, domain.now() + HOUR);
        let polled = format!("UPDATE feed SET last_fetched_at = {polled}, next_poll_at = {due}, gap_ms = 1");
        domain.db().write().execute_unprepared(&polled).await.unwrap();
        ::identity::accounts::set_tier(&with_owners(domain), &format!("{who}@example.org"), Tier::Pro)
            .await
            .unwrap();
        for feed_id in feeds {
            let share = super::super::schedule::spread(feed_id.as_i64(), 3 * 2_000);
            assert_eq!(pause(domain, feed_id).await, share);
        }
    }
}

#[tokio::test]
async fn fixed_interval_is_raised_on_a_smaller_plan_and_restored_on_a_larger_plan() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, pro) = (person(domain, Tier::Pro).await, person(domain, Tier::Pro).await);
        let new = Follow { feed_url: FEED.to_owned(), interval_minutes: Some(5), ..Follow::default() };
        let mine = follow(domain, who, new).await.unwrap().subscription;
        follows(domain, pro, FEED).await;
        let interval = async || get_subscription(domain, who, mine.id).await.unwrap().interval_minutes;
        let set = async |tier| {
            ::identity::accounts::set_tier(&with_owners(domain), &format!("{who}@example.org"), tier)
                .await
                .unwrap()
        };
        set(Tier::Free).await;
        assert_eq!(interval().await, Some(60));
        arrives(domain, mine.feed_id, &items(1..=3)).await;
        let wait = pause(domain, mine.feed_id).await;
        assert!(wait >= HOUR, "the plan of another follower does not apply: {wait}");
        set(Tier::Pro).await;
        assert_eq!(interval().await, Some(5), "the requested interval is retained");
        assert!(pause(domain, mine.feed_id).await <= 6 * MINUTE);
    }
}

#[tokio::test]
async fn exported_list_omits_internal_feeds() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        follows(domain, who, FEED).await;
        let secret = new_internal_feed(who, crate::SourceKind::Monitor);
        internal_feed::create(domain.db().write(), domain.now(), secret).await.unwrap();
        let list = export_list(domain, who).await.unwrap();
        assert!(list.contains(FEED) && !list.contains("secret") && !list.contains("Watched"), "{list}");
    }
}

#[tokio::test]
async fn full_text_is_refused_for_a_newsletter() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let newsletter = new_internal_feed(who, crate::SourceKind::Newsletter);
        internal_feed::create(domain.db().write(), domain.now(), newsletter).await.unwrap();
        let row = entities::rss_subscription::Entity::find().one(domain.db().write()).await.unwrap().unwrap();
        let update = |full_text| SubscriptionUpdate { full_text: Some(full_text), ..Default::default() };
        let refused = update_subscription(domain, who, row.id, update(true)).await.unwrap_err();
        assert_eq!(refused.code, Code::InvalidRequest);
        assert!(!update_subscription(domain, who, row.id, update(false)).await.unwrap().full_text);
    }
}

#[tokio::test]
async fn headers_for_another_address_are_refused() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        let update =
            RequestUpdate { user_agent: Some(Some("Reader/1".to_owned())), ..RequestUpdate::default() };
        let before = "https://feeds.example.org/before.xml";
        let sealed = seal_request(domain, who, before, None, &update).await.unwrap().unwrap();
        let transaction = domain.db().begin().await.unwrap();
        let subscription = (who, mine.id);
        let refused =
            crate::unshared_feed::change_request(&transaction, domain.now(), subscription, &sealed).await;
        assert_eq!(refused.unwrap_err().code, Code::ConflictingChanges);
    }
}
