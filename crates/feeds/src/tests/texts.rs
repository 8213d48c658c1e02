//! Tests of the articles to which entries link: the follower who pays, the cost, and waiting requests.

use super::*;
use ::identity::limits::AccountLimits;
use ::identity::limits::FRESH_DAY;
use entities::ids::{AccountId, EntryId, FeedId};
use entities::{feed_text_request, snapshot, source as article_source};
use jobs::Priority;
use sea_orm::{ColumnTrait, PaginatorTrait, QueryFilter};

async fn wants_texts(domain: &Domain, who: AccountId) -> Subscription {
    let new = Follow { feed_url: FEED.to_owned(), full_text: true, ..Follow::default() };
    follow(domain, who, new).await.unwrap().subscription
}

fn selector(text: &str) -> SubscriptionUpdate {
    SubscriptionUpdate { text_selector: Some(Some(text.to_owned())), ..SubscriptionUpdate::default() }
}

async fn waiting(domain: &Domain) -> u64 {
    let not_requested =
        feed_text_request::Entity::find().filter(feed_text_request::Column::AskedAt.is_null());
    not_requested.count(domain.db().write()).await.unwrap()
}

/// Returns the number of fresh extractions used today.
async fn used(domain: &Domain, who: AccountId, tier: Tier) -> u32 {
    let states = domain.limits().states(domain, who, tier).await.unwrap();
    states.iter().find(|state| state.name == FRESH_DAY).unwrap().used
}

async fn holds(domain: &Domain, feed_id: FeedId, count: u32) {
    arrives(domain, feed_id, &items(1..=count)).await;
}

#[tokio::test]
async fn article_texts_use_half_of_the_daily_quota_and_requests_expire_after_a_week() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = wants_texts(domain, who).await;
        holds(domain, mine.feed_id, 50).await;
        let jobs = claim_texts(domain).await.unwrap();
        assert_eq!(jobs.len(), 50);
        assert!(jobs.iter().all(|job| job.priority == Priority::Low), "the jobs have a low priority");
        assert_eq!((used(domain, who, Tier::Free).await, waiting(domain).await), (50, 0));
        db.clock.advance(MINUTE);
        holds(domain, mine.feed_id, 60).await;
        assert_eq!(
            claim_texts(domain).await.unwrap().len(),
            0,
            "the other half of the quota is reserved for the follower's requests"
        );
        assert_eq!((used(domain, who, Tier::Free).await, waiting(domain).await), (50, 10));
        db.clock.advance(DAY);
        assert_eq!(claim_texts(domain).await.unwrap().len(), 10, "the next day has a new quota");
        holds(domain, mine.feed_id, 70).await;
        db.clock.advance(8 * DAY);
        delete_unfollowed(domain).await.unwrap();
        assert_eq!(waiting(domain).await, 0);
    }
}

#[tokio::test]
async fn follower_with_most_fresh_extractions_left_pays_for_a_shared_text() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (small, large) = (person(domain, Tier::Free).await, person(domain, Tier::Premium).await);
        let reader = person(domain, Tier::Pro).await;
        let mine = wants_texts(domain, small).await;
        wants_texts(domain, large).await;
        follows(domain, reader, FEED).await;
        holds(domain, mine.feed_id, 5).await;
        assert_eq!(claim_texts(domain).await.unwrap().len(), 5);
        assert_eq!(used(domain, small, Tier::Free).await, 0);
        assert_eq!(used(domain, large, Tier::Premium).await, 5);
        assert_eq!(used(domain, reader, Tier::Pro).await, 0, "a follower who reads summaries pays nothing");
    }
}

#[tokio::test]
async fn texts_of_different_selectors_are_paid_by_their_followers() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let mine = wants_texts(domain, who).await;
        wants_texts(domain, other).await;
        let changed = update_subscription(domain, who, mine.id, selector(" .story ")).await.unwrap();
        assert_eq!(changed.text_selector.as_deref(), Some(".story"));
        let refused = update_subscription(domain, who, mine.id, selector("p[")).await.unwrap_err();
        assert_eq!(refused.code, kernel::Code::InvalidRequest);
        holds(domain, mine.feed_id, 1).await;
        assert_eq!(claim_texts(domain).await.unwrap().len(), 2);
        assert_eq!(used(domain, who, Tier::Free).await, 1);
        assert_eq!(used(domain, other, Tier::Free).await, 1);
        let cleared = update_subscription(domain, who, mine.id, selector("")).await.unwrap();
        assert_eq!(cleared.text_selector, None);
    }
}

#[tokio::test]
async fn enabling_full_text_requests_texts_of_existing_entries() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, newcomer) = (person(domain, Tier::Free).await, person(domain, Tier::Premium).await);
        let mine = follows(domain, who, FEED).await;
        holds(domain, mine.feed_id, 80).await;
        assert_eq!(waiting(domain).await, 0);
        let update = SubscriptionUpdate { full_text: Some(true), ..SubscriptionUpdate::default() };
        update_subscription(domain, who, mine.id, update).await.unwrap();
        assert_eq!(waiting(domain).await, 50, "the newest fifty entries are requested");
        claim_texts(domain).await.unwrap();
        wants_texts(domain, newcomer).await;
        assert_eq!(waiting(domain).await, 0, "the texts were already requested");
        let entry = entries(domain, who, EntryFilter::default()).await.entries[79].clone();
        let (_, content) = get_entry(domain, who, entry.id, 500).await.unwrap();
        let content = content.unwrap();
        assert_eq!((content.source, content.pending), (ContentSource::Feed, true));
        assert_eq!(waiting(domain).await, 1, "reading an entry requests its missing text");
        let other = person(domain, Tier::Free).await;
        follows(domain, other, FEED).await;
        let (_, content) = get_entry(domain, other, entry.id, 500).await.unwrap();
        assert!(!content.unwrap().pending);
    }
}

/// Stores a fetched article under a URL.
async fn read_article(domain: &Domain, url: &str, text: &str) {
    let address = articles::Address::parse(domain, url).unwrap();
    let input = extract::Input {
        bytes: format!("<p>{}</p>", text.repeat(20)).into_bytes(),
        content_type: Some("text/html".into()),
        url: Some(url.to_owned()),
    };
    let extract::ExtractionOutcome::Document(document) = extract::extract(&input) else {
        panic!("the page has text")
    };
    let id: entities::ids::SnapshotId = domain.new_id();
    let row = snapshot::ActiveModel {
        id: Set(id),
        source_key: Set(address.key.clone()),
        final_url: Set(url.to_owned()),
        body_hash: Set(String::new()),
        document_hash: Set(String::new()),
        stored_bytes: Set(1),
        document: Set(articles::pack(document).await.unwrap()),
        fetched_at: Set(domain.now()),
    };
    snapshot::Entity::insert(row).exec_without_returning(domain.db().write()).await.unwrap();
    let (snapshot_id, checked_at) = (Set(Some(id)), Set(Some(domain.now())));
    let read =
        article_source::ActiveModel { key: Set(address.key), snapshot_id, checked_at, ..Default::default() };
    read.update(domain.db().write()).await.unwrap();
}

/// Returns the titles of the entries that a query returns for an account.
async fn titles(domain: &Domain, who: AccountId, text: &str, order: QueryOrder) -> Vec<String> {
    let query = EntryQuery { text: Some(text.to_owned()), order, ..EntryQuery::default() };
    let page = query_entries(domain, who, &query, None, 100).await.unwrap();
    assert_eq!(page.total, i64::try_from(page.items.len()).unwrap());
    page.items.into_iter().map(|entry| entry.title).collect()
}

fn with_texts(second: &str) -> String {
    let item = |title: &str, text: &str| {
        format!(
            "<item><title>{title}</title><guid>{title}</guid><link>https://example.org/{title}</link>\
            <description>About {title}</description><content:encoded><![CDATA[<p>{text}</p>]]></content:encoded></item>"
        )
    };
    format!(
        "<rss version=\"2.0\" xmlns:content=\"http://purl.org/rss/1.0/modules/content/\"><channel>\
         <title>News</title>{}{}</channel></rss>",
        item("Harbours", "Cranes lift the quiet boats at dawn."),
        item("Cranes", second)
    )
}

#[tokio::test]
async fn search_matches_the_feed_text_of_entries() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &with_texts("They stand still.")).await;
        for order in [QueryOrder::Newest, QueryOrder::Relevance] {
            assert_eq!(titles(domain, who, "dawn", order).await, ["Harbours"]);
            assert_eq!(titles(domain, who, "\"quiet boats\" harbours", order).await, ["Harbours"]);
            assert_eq!(titles(domain, who, "\"boats quiet\"", order).await, [""; 0]);
            assert_eq!(titles(domain, who, "cranes -dawn", order).await, ["Cranes"]);
        }
        assert_eq!(titles(domain, who, "cranes", QueryOrder::Relevance).await, ["Cranes", "Harbours"]);
        let filter = EventFilter { text: Some("dusk".into()), ..EventFilter::default() };
        let limits = EventLimits { limit: 5, attention_limit: 0 };
        let end = latest(domain, who, &filter, limits).await.unwrap().end;
        arrives(domain, mine.feed_id, &with_texts("They stand till dusk.")).await;
        assert_eq!(titles(domain, who, "dusk", QueryOrder::Newest).await, ["Cranes"]);
        assert_eq!(titles(domain, who, "still", QueryOrder::Newest).await, [""; 0]);
        assert_eq!(changes(domain, who, end, &filter, limits).await.unwrap().events.len(), 1);
    }
}

#[tokio::test]
async fn search_matches_article_text_only_for_full_text_followers() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let mine = wants_texts(domain, who).await;
        follows(domain, other, FEED).await;
        arrives(domain, mine.feed_id, &with_texts("They stand still.")).await;
        assert_eq!(claim_texts(domain).await.unwrap().len(), 2);
        let all = entries(domain, who, EntryFilter::default()).await.entries;
        let harbours = all.iter().find(|entry| entry.title == "Harbours").unwrap();
        read_article(domain, &harbours.url, "Lanterns glow over the pier.").await;
        db.clock.advance(3 * MINUTE);
        assert_eq!(
            claim_texts(domain).await.unwrap().len(),
            0,
            "a text that was read is not requested again"
        );
        for order in [QueryOrder::Newest, QueryOrder::Relevance] {
            assert_eq!(titles(domain, who, "lanterns", order).await, ["Harbours"]);
            // The queries contain a word of the article and a word of the title, a phrase, and an excluded
            // word.
            assert_eq!(titles(domain, who, "pier harbours", order).await, ["Harbours"]);
            assert_eq!(titles(domain, who, "\"the pier\"", order).await, ["Harbours"]);
            assert_eq!(titles(domain, who, "cranes -lanterns", order).await, ["Cranes"]);
            assert_eq!(titles(domain, other, "lanterns", order).await, [""; 0]);
            assert_eq!(titles(domain, other, "\"the pier\"", order).await, [""; 0]);
            assert_eq!(titles(domain, other, "cranes -lanterns", order).await.len(), 2);
        }
        // If the feed text changes, the article words are retained.
        let body = with_texts("They stand still.").replace("About Harbours", "All about harbours");
        arrives(domain, mine.feed_id, &body).await;
        assert_eq!(titles(domain, who, "lanterns", QueryOrder::Newest).await, ["Harbours"]);
        db.clock.advance(2 * HOUR);
        claim_texts(domain).await.unwrap();
        let left = feed_text_request::Entity::find().count(domain.db().write()).await.unwrap();
        assert_eq!(left, 0, "requests that were not served expire");
    }
}

#[tokio::test]
async fn discovery_costs_one_fresh_extraction() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let payer = articles::Payer { account_id: who, tier: Tier::Free };
        let site = |n: u32| articles::Address::parse(domain, &format!("https://site{n}.example/")).unwrap();
        for n in 0..10 {
            let progress = request_discovery(domain, payer, &site(n)).await.unwrap();
            assert!(matches!(progress, jobs::Progress::Waiting { .. }));
        }
        assert_eq!(used(domain, who, Tier::Free).await, 10);
        assert!(
            request_discovery(domain, payer, &site(11)).await.is_err(),
            "the limit of ten per minute is reached"
        );
        let other = person(domain, Tier::Free).await;
        let other = articles::Payer { account_id: other, tier: Tier::Free };
        let joined = request_discovery(domain, other, &site(3)).await.unwrap();
        assert!(matches!(joined, jobs::Progress::Waiting { .. }));
        assert_eq!(used(domain, other.account_id, Tier::Free).await, 0, "joining a discovery costs nothing");
    }
}

#[tokio::test]
async fn count_reports_whether_the_index_may_have_more_matches() {
    for db in TestDatabase::each().await {
        let (domain, newest) = (&db.domain, EntryId::new(i64::MAX));
        let who = person(domain, Tier::Free).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items(1..=4)).await;
        let entries = list_entries(domain, who, &EntryFilter::default(), None, 10).await.unwrap().entries;
        let read: Vec<EntryId> = entries.iter().map(|entry| entry.id).take(3).collect();
        mark_entries(domain, who, &read, false).await.unwrap();
        let filter =
            EntryFilter { query: Some("words".into()), unread: Some(true), ..EntryFilter::default() };
        let count =
            async |most| relevance::count(domain.db().read(), who, &filter, newest, most).await.unwrap();
        assert_eq!(count(5).await, (1, false));
        let (seen, may_be_more) = count(2).await;
        assert!(seen <= 1 && may_be_more, "read entries use up the scan limit before unread ones: {seen}");
    }
}

#[tokio::test]
async fn relevance_ranks_the_newest_thousand_matches_and_counts_all() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        // The first poll of a feed stores a hundred entries, and at most a thousand unread entries are
        // visible to an account.
        let first = follows(domain, who, FEED).await;
        let second = follows(domain, who, "https://feeds.example.org/town.xml").await;
        for (step, feed) in (0..6).zip([&first, &first, &first, &second, &second, &second]) {
            db.clock.advance(90 * MINUTE);
            arrives(domain, feed.feed_id, &items(step * 300..(step + 1) * 300)).await;
        }
        let text = Some("words".to_owned());
        let query = EntryQuery { text, order: QueryOrder::Relevance, ..EntryQuery::default() };
        let (mut ids, mut after) = (Vec::new(), None);
        for _ in 0..2 {
            let page = query_entries(domain, who, &query, after, 500).await.unwrap();
            assert_eq!((page.items.len(), page.total, page.partial), (500, 1_400, false));
            ids.extend(page.items.iter().map(|entry| entry.id));
            after = page.next;
        }
        assert!(
            after.is_none() && ids.is_sorted_by(|one, next| one > next),
            "equal matches are newest first"
        );
        let newest = entries(domain, who, EntryFilter::default()).await.entries;
        assert_eq!(ids.first(), newest.first().map(|entry| &entry.id));
    }
}

#[tokio::test]
async fn unpaid_selector_of_one_follower_does_not_delay_indexing_for_other_followers() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let theirs = wants_texts(domain, other).await;
        arrives(domain, theirs.feed_id, &with_texts("They stand still.")).await;
        claim_texts(domain).await.unwrap();
        let all = entries(domain, other, EntryFilter::default()).await.entries;
        let harbours = all.iter().find(|entry| entry.title == "Harbours").unwrap();
        read_article(domain, &harbours.url, "Lanterns glow over the pier.").await;
        while domain.limits().reserve_background_extraction(domain, who, Tier::Free).await.is_ok() {}
        let mine = wants_texts(domain, who).await;
        update_subscription(domain, who, mine.id, selector(".story")).await.unwrap();
        let unrequested = "UPDATE feed_text_request SET asked_at = NULL, next_try_at = 0";
        domain.db().write().execute_unprepared(unrequested).await.unwrap();
        claim_texts(domain).await.unwrap();
        assert_eq!(titles(domain, other, "lanterns", QueryOrder::Newest).await, ["Harbours"]);
        assert_eq!(waiting(domain).await, 1, "the unpaid text still waits");
    }
}

#[tokio::test]
async fn unpaid_selector_waits_after_the_texts_of_other_selectors_were_submitted() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        wants_texts(domain, other).await;
        let mine = wants_texts(domain, who).await;
        update_subscription(domain, who, mine.id, selector(".story")).await.unwrap();
        while domain.limits().reserve_background_extraction(domain, who, Tier::Free).await.is_ok() {}
        holds(domain, mine.feed_id, 1).await;
        assert_eq!(claim_texts(domain).await.unwrap().len(), 1, "the main part is paid");
        let left = async || feed_text_request::Entity::find().count(domain.db().write()).await.unwrap();
        db.clock.advance(DAY);
        let jobs = claim_texts(domain).await.unwrap();
        assert_eq!((jobs.len(), left().await), (1, 1), "the next day has a new quota");
        db.clock.advance(2 * HOUR);
        assert_eq!(claim_texts(domain).await.unwrap().len(), 0);
        assert_eq!(left().await, 0, "a submitted text that never arrives is not requested again");
    }
}

#[tokio::test]
async fn selector_is_refused_if_followers_already_use_the_maximum_number() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let mut last = None;
        for n in 1..50 {
            let who = person(domain, Tier::Free).await;
            let mine = wants_texts(domain, who).await;
            update_subscription(domain, who, mine.id, selector(&format!(".s{n}"))).await.unwrap();
            last = Some((who, mine.id));
        }
        let who = person(domain, Tier::Free).await;
        let mine = wants_texts(domain, who).await;
        let refused = update_subscription(domain, who, mine.id, selector(".s50")).await.unwrap_err();
        assert_eq!(refused.code, kernel::Code::InvalidRequest);
        assert!(refused.message.contains("49 other selectors"), "{}", refused.message);
        update_subscription(domain, who, mine.id, selector(".s7")).await.unwrap();
        let (who, id) = last.unwrap();
        update_subscription(domain, who, id, selector(".s50")).await.unwrap();
    }
}

#[tokio::test]
async fn rendered_article_is_read_first_and_costs_four_more_fresh_extractions() {
    for db in TestDatabase::each().await {
        let policy = kernel::Policy { renders_pages: true, ..kernel::Policy::default() };
        let domain = &db.domain.clone().with_policy(policy);
        let who = person(domain, Tier::Free).await;
        let mine = wants_texts(domain, who).await;
        let update = SubscriptionUpdate { render_articles: Some(true), ..SubscriptionUpdate::default() };
        assert!(update_subscription(domain, who, mine.id, update).await.unwrap().render_articles);
        holds(domain, mine.feed_id, 1).await;
        let jobs = claim_texts(domain).await.unwrap();
        assert_eq!((jobs.len(), used(domain, who, Tier::Free).await), (1, 1), "the page is read as served");
        let entry = entries(domain, who, EntryFilter::default()).await.entries.remove(0);
        let content = async |domain: &Domain| get_entry(domain, who, entry.id, 500).await.unwrap().1.unwrap();
        assert!(content(domain).await.pending);
        read_article(domain, &entry.url, "Lanterns glow over the pier.").await;
        db.clock.advance(3 * MINUTE);
        let jobs = claim_texts(domain).await.unwrap();
        assert_eq!((jobs.len(), used(domain, who, Tier::Free).await), (1, 5), "the page is rendered");
        let pending = content(domain).await;
        assert_eq!((pending.source, pending.pending), (ContentSource::Feed, true));
        let without_browser = content(&db.domain).await;
        assert!(without_browser.needs_browser && !without_browser.pending);
        assert_eq!(without_browser.source, ContentSource::Feed);
    }
}
