//! Tests of rules, on both databases.

use std::sync::Mutex;

use entities::ids::{EntryId, RuleId};

use super::moving::{THERE, moves};
use super::*;
use kernel::{Code, Error};

fn items_of(titles: &[&str]) -> String {
    let item = |(n, title): (usize, &&str)| {
        format!("<item><title>{title}</title><guid>{title}-{n}</guid><author>Ada {n}</author></item>")
    };
    let items: Vec<String> = titles.iter().enumerate().map(item).collect();
    format!("<rss version=\"2.0\"><channel><title>Town</title>{}</channel></rss>", items.concat())
}

fn rule(of: Option<SubscriptionId>, action: RuleAction, words: &str) -> NewRule {
    NewRule {
        subscription_id: of,
        action,
        part: RulePart::Title,
        kind: RuleKind::Words,
        words: words.to_owned(),
        tags: Vec::new(),
        notify: Vec::new(),
    }
}

async fn made(domain: &Domain, who: AccountId, new: NewRule) -> RuleId {
    create_rule(domain, who, &new, RuleScope::NewEntries).await.unwrap()
}

async fn titles(domain: &Domain, who: AccountId, unread: Option<bool>) -> Vec<String> {
    let page = entries(domain, who, EntryFilter { unread, ..EntryFilter::default() }).await;
    let mut titles: Vec<String> = page.entries.into_iter().map(|entry| entry.title).collect();
    titles.sort();
    titles
}

#[tokio::test]
async fn rules_affect_only_the_entries_of_their_account() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, other) = (person(domain, Tier::Premium).await, person(domain, Tier::Premium).await);
        let mine = follows(domain, who, FEED).await;
        follows(domain, other, FEED).await;
        let muting = made(domain, who, rule(None, RuleAction::Mute, "advert")).await;
        made(domain, who, rule(Some(mine.id), RuleAction::Read, "minor")).await;
        made(domain, who, rule(Some(mine.id), RuleAction::Keep, "best")).await;
        let titles_of = ["Advert one", "Best advert", "Minor thing", "News", "Minor ADVERT"];
        arrives(domain, mine.feed_id, &items_of(&titles_of)).await;
        assert_eq!(titles(domain, who, Some(true)).await, ["Best advert", "News"]);
        assert_eq!(titles(domain, who, None).await, ["Best advert", "Minor thing", "News"]);
        assert_eq!(titles(domain, who, Some(false)).await, ["Minor thing"]);
        assert_eq!(titles(domain, other, Some(true)).await.len(), 5);
        assert_eq!(unread(domain, who, mine.id).await, 2, "muted entries are not counted");
        assert_eq!(count_entries(domain, who, 100).await.unwrap(), 3);
        let search = EntryFilter { query: Some("advert".into()), ..EntryFilter::default() };
        assert_eq!(entries(domain, who, search).await.entries.len(), 1, "muted entries are not found");
        assert_eq!(get_rule(domain, who, muting).await.unwrap().muted, 2);

        mark_read(
            domain,
            who,
            MarkRead { scope: ReadScope::All, bound: ReadBound::Through(EntryId::new(2)) },
        )
        .await
        .unwrap();
        assert_eq!(titles(domain, who, None).await.len(), 3, "marking entries as read unmutes none");
        delete_rule(domain, other, muting).await.unwrap_err();
        delete_rule(domain, who, muting).await.unwrap();
        assert_eq!(titles(domain, who, None).await.len(), 5, "deleting the rule unmutes its entries");
        assert_eq!(titles(domain, other, None).await.len(), 5);
    }
}

async fn stored(domain: &Domain, feed_id: FeedId) -> usize {
    use sea_orm::{ColumnTrait, QueryFilter};
    let of_feed = entities::feed_entry::Column::FeedId.eq(feed_id);
    entities::feed_entry::Entity::find().filter(of_feed).all(domain.db().write()).await.unwrap().len()
}

#[tokio::test]
async fn dropped_entries_are_counted_and_stored_only_for_other_followers() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, other) = (person(domain, Tier::Premium).await, person(domain, Tier::Premium).await);
        let mine = follows(domain, who, FEED).await;
        let dropping = made(domain, who, rule(Some(mine.id), RuleAction::Drop, "advert")).await;
        made(domain, who, rule(None, RuleAction::Mute, "advert")).await;
        made(domain, who, rule(None, RuleAction::Keep, "best")).await;
        arrives(domain, mine.feed_id, &items_of(&["Advert one", "Best advert", "News"])).await;
        assert_eq!(titles(domain, who, None).await, ["Best advert", "News"]);
        assert_eq!(stored(domain, mine.feed_id).await, 2, "an entry that all drop is not stored");
        assert_eq!(get_rule(domain, who, dropping).await.unwrap().dropped, 1);

        follows(domain, other, FEED).await;
        let titles_of = ["Advert one", "Best advert", "News", "Advert two"];
        arrives(domain, mine.feed_id, &items_of(&titles_of)).await;
        assert_eq!(stored(domain, mine.feed_id).await, 3, "a dropped entry does not arrive again");
        assert_eq!(titles(domain, other, None).await, ["Advert two", "Best advert", "News"]);
        assert_eq!(titles(domain, who, None).await, ["Best advert", "News"]);
        assert_eq!(unread(domain, who, mine.id).await, 2);
        assert_eq!(get_rule(domain, who, dropping).await.unwrap().dropped, 2);

        delete_rule(domain, other, dropping).await.unwrap_err();
        delete_rule(domain, who, dropping).await.unwrap();
        assert_eq!(titles(domain, who, None).await, ["Best advert", "News"], "dropped entries stay dropped");
        assert!(list_rules(domain, who, Some(mine.id)).await.unwrap().is_empty());
        assert_eq!(get_rule(domain, who, dropping).await.unwrap_err().code, Code::NotFound);
        assert_eq!(delete_rule(domain, who, dropping).await.unwrap_err().code, Code::NotFound);
        let titles_of = ["Advert one", "Best advert", "News", "Advert two", "Advert three"];
        arrives(domain, mine.feed_id, &items_of(&titles_of)).await;
        assert_eq!(titles(domain, who, None).await, ["Best advert", "News"], "the other rule mutes");
    }
}

#[tokio::test]
async fn muted_entries_are_not_in_the_event_log() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, other) = (person(domain, Tier::Premium).await, person(domain, Tier::Premium).await);
        let mine = follows(domain, who, FEED).await;
        follows(domain, other, FEED).await;
        arrives(domain, mine.feed_id, &items_of(&["First"])).await;
        made(domain, who, rule(Some(mine.id), RuleAction::Mute, "advert")).await;
        arrives(domain, mine.feed_id, &items_of(&["First", "Advert", "News"])).await;
        let count_events = async |account_id: AccountId| {
            let limits = EventLimits { limit: 50, attention_limit: 1 };
            let page = changes(domain, account_id, 0, &EventFilter::default(), limits).await.unwrap();
            page.events.into_iter().filter(|event| event.entry.is_some()).count()
        };
        assert_eq!((count_events(who).await, count_events(other).await), (1, 2));
    }
}

#[tokio::test]
async fn rule_applies_to_unread_entries_and_to_a_newly_followed_feed() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, newcomer) = (person(domain, Tier::Premium).await, person(domain, Tier::Premium).await);
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items_of(&["Advert", "News", "Good advert"])).await;
        made(domain, who, rule(None, RuleAction::Keep, "good")).await;
        let preview =
            preview_rule(domain, who, &rule(Some(mine.id), RuleAction::Mute, "advert")).await.unwrap();
        assert_eq!((preview.examined, preview.matches.len()), (3, 2));
        let new = rule(Some(mine.id), RuleAction::Mute, "advert");
        create_rule(domain, who, &new, RuleScope::NewAndUnread).await.unwrap();
        assert_eq!(titles(domain, who, None).await, ["Good advert", "News"]);
        made(domain, newcomer, rule(None, RuleAction::Mute, "advert")).await;
        follows(domain, newcomer, FEED).await;
        assert_eq!(titles(domain, newcomer, None).await, ["News"]);
    }
}

#[tokio::test]
async fn marking_an_entry_unread_unmutes_it_and_unfollowing_deletes_the_rule() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Premium).await;
        let mine = follows(domain, who, FEED).await;
        let id = made(domain, who, rule(Some(mine.id), RuleAction::Mute, "advert")).await;
        arrives(domain, mine.feed_id, &items_of(&["Advert"])).await;
        let hidden = last_entry(domain).await.unwrap();
        mark_entries(domain, who, &[hidden], false).await.unwrap();
        assert!(titles(domain, who, None).await.is_empty(), "an entry marked as read stays muted");
        mark_entries(domain, who, &[hidden], true).await.unwrap();
        assert_eq!(titles(domain, who, Some(true)).await, ["Advert"]);
        unfollow(domain, who, mine.id).await.unwrap();
        assert!(get_rule(domain, who, id).await.is_err());
    }
}

#[tokio::test]
async fn muted_entry_is_not_made_unread_by_its_duplicate() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Premium).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items(1..=3)).await;
        moves(&db, mine.feed_id, THERE, &items(1..=3)).await;
        // All three entries are unread in the old feed. They arrive as new entries in the new feed, where the
        // rule matches one of them.
        made(domain, who, rule(None, RuleAction::Mute, "note 2")).await;
        let new = get_subscription(domain, who, mine.id).await.unwrap().feed_id;
        arrives(domain, new, &items(1..=3)).await;
        assert_eq!(titles(domain, who, Some(true)).await, ["Note 1", "Note 3"]);
        assert_eq!(titles(domain, who, None).await, ["Note 1", "Note 3"]);
        assert_eq!(unread(domain, who, mine.id).await, 2);
    }
}

#[tokio::test]
async fn entry_of_the_previous_feed_is_not_saved_again_after_a_move() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Premium).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items(1..=3)).await;
        moves(&db, mine.feed_id, THERE, &items(1..=3)).await;
        made(domain, who, rule(None, RuleAction::Save, "note")).await;
        let new = get_subscription(domain, who, mine.id).await.unwrap().feed_id;
        arrives(domain, new, &items(1..=4)).await;
        let pending = entities::rss_rule_save::Entity::owned_by(who).all(domain.db().write()).await.unwrap();
        assert_eq!(pending.len(), 1, "only note 4 is new: {pending:?}");
        let (entry, _) = get_entry(domain, who, pending[0].entry_id, 0).await.unwrap();
        assert_eq!(entry.title, "Note 4");
    }
}

/// Library in which one entry cannot be saved.
struct FailingLibrary {
    failing: EntryId,
    saved: Mutex<Vec<EntryId>>,
}

impl SavedEntries for FailingLibrary {
    fn save_entry<'a>(&'a self, _: &'a Domain, _: AccountId, _: EntryId) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Err(Error::internal("rules save without a person")) })
    }

    fn save_by_rule<'a>(
        &'a self,
        _: &'a Domain,
        _: AccountId,
        id: EntryId,
        _: RequestedSave,
    ) -> BoxFuture<'a, Result<RuleSaveResults>> {
        Box::pin(async move {
            if id == self.failing {
                return Err(Error::internal("the entry cannot be written"));
            }
            self.saved.lock().unwrap().push(id);
            Ok(RuleSaveResults { saved: SaveResult::Saved, starred: SaveResult::Existing })
        })
    }

    fn texts<'a>(
        &'a self,
        _: &'a Domain,
        _: AccountId,
        _: &'a [ItemId],
    ) -> BoxFuture<'a, Result<HashMap<ItemId, Arc<Document>>>> {
        Box::pin(async { Ok(HashMap::new()) })
    }
}

#[tokio::test]
async fn entry_that_cannot_be_saved_is_given_up_and_does_not_block_others() {
    for db in TestDatabase::each().await {
        let who = person(&db.domain, Tier::Premium).await;
        let mine = follows(&db.domain, who, FEED).await;
        let saving = made(&db.domain, who, rule(None, RuleAction::Save, "note")).await;
        arrives(&db.domain, mine.feed_id, &items(1..=2)).await;
        let rows = entities::rss_rule_save::Entity::owned_by(who).all(db.domain.db().write()).await.unwrap();
        let mut pending: Vec<EntryId> = rows.into_iter().map(|row| row.entry_id).collect();
        pending.sort_unstable();
        // The failing entry is the first of the two that the job saves.
        let (failing, other) = (pending[0], pending[1]);
        let library = Arc::new(FailingLibrary { failing, saved: Mutex::new(Vec::new()) });
        let domain = &db.domain.clone().install(InstalledSavedEntries(library.clone()));
        let job = claim_saves(domain).await.unwrap().remove(0);
        let claimed = jobs::claim(domain, job.id, "worker", HOUR).await.unwrap().unwrap();
        save_pending(domain, &claimed).await.unwrap_err();
        assert_eq!(*library.saved.lock().unwrap(), [other]);
        let mut failures = 1;
        while save_pending(domain, &claimed).await.is_err() {
            failures += 1;
            assert!(failures < 100, "the entry is retried without an end");
        }
        let rule = get_rule(domain, who, saving).await.unwrap();
        let unsaved = rule.unsaved.unwrap();
        assert_eq!((rule.saved, unsaved.count, unsaved.reason), (1, 1, UnsavedReason::Failed));
        assert_eq!(*library.saved.lock().unwrap(), [other]);
    }
}

#[tokio::test]
async fn muted_entry_stays_hidden_when_its_feed_moves() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, other) = (person(domain, Tier::Premium).await, person(domain, Tier::Premium).await);
        let mine = follows(domain, who, FEED).await;
        let there = follows(domain, other, THERE).await;
        made(domain, who, rule(None, RuleAction::Mute, "note 2")).await;
        arrives(domain, mine.feed_id, &items(1..=3)).await;
        arrives(domain, there.feed_id, &items(2..=4)).await;
        moves(&db, mine.feed_id, THERE, &items(2..=3)).await;
        assert_eq!(get_subscription(domain, who, mine.id).await.unwrap().feed_id, there.feed_id);
        assert_eq!(titles(domain, who, None).await, ["Note 1", "Note 3", "Note 4"]);
        assert_eq!(titles(domain, who, Some(true)).await, ["Note 1", "Note 3"]);
        assert_eq!(titles(domain, other, None).await, ["Note 2", "Note 3", "Note 4"]);
        // The entry also remains hidden when the move is undone.
        let update = SubscriptionUpdate { feed_url: Some(FEED.to_owned()), ..SubscriptionUpdate::default() };
        update_subscription(domain, who, mine.id, update).await.unwrap();
        assert!(!titles(domain, who, None).await.contains(&"Note 2".to_owned()));
    }
}

#[tokio::test]
async fn rules_are_limited_per_account_and_invisible_to_others() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, other) = (person(domain, Tier::Premium).await, person(domain, Tier::Premium).await);
        let mine = follows(domain, who, FEED).await;
        let foreign = rule(Some(mine.id), RuleAction::Mute, "x");
        assert_eq!(
            create_rule(domain, other, &foreign, RuleScope::NewEntries).await.unwrap_err().code,
            Code::NotFound
        );
        let broken = NewRule { kind: RuleKind::Expression, words: "(".into(), ..foreign.clone() };
        let error = create_rule(domain, who, &broken, RuleScope::NewEntries).await.unwrap_err();
        assert!(error.message.contains("unclosed group"), "{}", error.message);
        let id = made(domain, who, foreign).await;
        assert_eq!(list_rules(domain, who, Some(mine.id)).await.unwrap().len(), 1);
        assert!(list_rules(domain, who, None).await.unwrap().is_empty());
        assert!(get_rule(domain, other, id).await.is_err());
        for n in 1..kernel::bounds::RULES {
            made(domain, who, rule(None, RuleAction::Read, &format!("word {n}"))).await;
        }
        let one_more =
            create_rule(domain, who, &rule(None, RuleAction::Read, "x"), RuleScope::NewEntries).await;
        assert_eq!(one_more.unwrap_err().code, Code::LimitReached);
    }
}

#[tokio::test]
async fn row_of_a_deleted_drop_rule_is_deleted_after_its_entries() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Premium).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items_of(&["Advert", "News"])).await;
        let drop = rule(None, RuleAction::Drop, "advert");
        let dropping = create_rule(domain, who, &drop, RuleScope::NewAndUnread).await.unwrap();
        delete_rule(domain, who, dropping).await.unwrap();
        let rows = async || entities::rss_rule::Entity::find().all(domain.db().write()).await.unwrap().len();
        assert_eq!(rows().await, 1, "the row hides the dropped entry");
        domain.db().write().execute_unprepared("DELETE FROM feed_entry").await.unwrap();
        let other = made(domain, who, rule(None, RuleAction::Mute, "news")).await;
        delete_rule(domain, who, other).await.unwrap();
        assert_eq!(rows().await, 0);
    }
}
