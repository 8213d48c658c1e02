//! Tests of messages that are received at the same time, on both databases.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::future::join_all;
use futures_util::{FutureExt, StreamExt};
use identity::accounts::set_quotas;
use kernel::blobs::ACCOUNTS;
use kernel::quotas::AccountQuotas;
use kernel::statement::scalar;
use kernel::testing::{TestDatabase, on_both, person};
use kernel::tiers::Tier;
use kernel::{Backend, RandomIds};
use library::LibraryTransaction;
use sea_orm::{DbBackend, QueryOrder, QueryTrait};

use super::*;
use crate::addresses::{NewAddress, create_address, delete_address};

on_both! {
    refused_messages_do_not_affect_other_messages_of_their_batch,
    repeated_message_is_neither_stored_nor_counted_again,
    blob_of_a_refused_message_is_deleted_even_if_the_caller_is_cancelled,
    number_of_statements_does_not_depend_on_the_batch_size,
    batches_of_a_deleted_account_are_refused,
    storage_quota_of_the_account_applies_to_its_messages,
}

/// Creates an address.
async fn recipient(domain: &Domain, account_id: AccountId) -> Recipient {
    let new = NewAddress { name: "News".to_owned(), ..NewAddress::default() };
    let address = create_address(domain, account_id, new).await.unwrap();
    find_recipient(domain, &address.address).await.unwrap().unwrap()
}

/// Stores the bytes of a message.
async fn new_message(domain: &Domain, to: Recipient, text: &str) -> NewMessage {
    let bytes = Bytes::from(text.to_owned());
    let content_hash = hash_of(&bytes).await;
    let blob = files::write_unassigned(domain, to.account_id, bytes).await.unwrap();
    let row = inbox_message::Model {
        blob: Some(blob),
        bytes: i64::try_from(text.len()).unwrap(),
        content_hash,
        ..new_row(domain, to)
    };
    NewMessage { row, request_id: None }
}

/// Writes messages in one batch: all of them are queued before the task of the batch starts.
async fn write_in_a_batch(domain: &Domain, messages: Vec<NewMessage>) -> Vec<Result<StoredMessage>> {
    join_all(messages.into_iter().map(|message| batch::write(domain, message))).await
}

/// Leaves an account this many bytes of its storage.
async fn leave_storage(domain: &Domain, account_id: AccountId, bytes: i64) {
    LibraryTransaction::begin(domain, account_id).await.unwrap().commit().await.unwrap();
    let limit = domain.policy().tiers.of(Tier::Free).library_storage_bytes;
    let used = i64::try_from(limit).unwrap() - bytes;
    let sql = "UPDATE library_account SET stored_bytes = $1 WHERE account_id = $2";
    execute(domain.db().write(), sql, [used.into(), account_id.into()]).await.unwrap();
}

async fn refused_messages_do_not_affect_other_messages_of_their_batch(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Free).await;
    let to = recipient(domain, who).await;
    let (deleted, muted) = (recipient(domain, who).await, recipient(domain, who).await);
    delete_address(domain, who, deleted.id).await.unwrap();
    let mute = "UPDATE inbox_address SET muted = TRUE WHERE id = $1";
    execute(domain.db().write(), mute, [muted.id.into()]).await.unwrap();
    leave_storage(domain, who, 100).await;
    let mut messages = Vec::new();
    for (to, text, count) in [
        (to, "a", 40),
        (to, "b", 80),
        (to, "a", 40),
        (deleted, "c", 1),
        (to, "b", 80),
        (muted, "d", 90),
        (to, "e", 50),
    ] {
        messages.push(new_message(domain, to, &text.repeat(count)).await);
    }
    let results = write_in_a_batch(domain, messages).await;
    let outcomes: Vec<&str> = results.iter().map(outcome).collect();
    let expected = ["accepted", "storage", "duplicate", "unknown_address", "storage", "muted", "accepted"];
    assert_eq!(outcomes, expected);
    let ids: Vec<_> = results.iter().flatten().map(|stored| stored.row.id).collect();
    assert_eq!(ids[0], ids[1], "the duplicate is confirmed with the first message");
    let rows = inbox_message::Entity::owned_by(who).order_by_asc(inbox_message::Column::Id);
    let rows = rows.all(domain.db().read()).await.unwrap();
    assert_eq!(
        rows.iter().map(|row| (row.id, row.bytes)).collect::<Vec<_>>(),
        [(ids[0], 40), (ids[2], 90), (ids[3], 50)]
    );
    let count = async |sql: &str| scalar(domain.db().read(), sql, []).await.unwrap();
    assert_eq!(count("SELECT count(*) FROM job WHERE kind = 'inbox_message'").await, 2);
    assert_eq!(count("SELECT count(*) FROM library_blob").await, 2);
    assert_eq!(count("SELECT reserved_bytes FROM library_account").await, 90);
    let received = "SELECT count(*) FROM inbox_address WHERE last_received_at IS NOT NULL";
    assert_eq!(count(received).await, 2);
}

async fn repeated_message_is_neither_stored_nor_counted_again(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Free).await;
    let to = recipient(domain, who).await;
    let message = Bytes::from_static(b"Subject: Issue 7\r\n\r\nText");
    let received = join_all((0..4).map(|_| receive(domain, to, "", &message))).await;
    let received: Vec<_> = received.into_iter().map(Result::unwrap).collect();
    assert!(received.iter().all(|(message, _)| message.id == received[0].0.id));
    assert_eq!(received.iter().filter(|(_, job)| job.is_some()).count(), 1);
    assert_eq!(domain.blobs().list(ACCOUNTS).count().await, 1, "the other blobs are deleted");
    let policies = daily_limit(domain.policy().tiers.of(Tier::Free)).map(|policy| policy.with_cost(0));
    let counted = domain.limits().windows().check(&counter_of(who), &policies, domain.now()).await;
    assert_eq!(counted.states[0].used, 1);
}

async fn blob_of_a_refused_message_is_deleted_even_if_the_caller_is_cancelled(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Free).await;
    let to = recipient(domain, who).await;
    leave_storage(domain, who, 0).await;
    let message = new_message(domain, to, "too much").await;
    let charge = charge(domain, who, &to.plan).await.unwrap();
    let blobs = async || domain.blobs().list(ACCOUNTS).count().await;
    assert_eq!(blobs().await, 1);
    assert!(
        write_row(domain, message, (to.plan, charge)).now_or_never().is_none(),
        "the caller is cancelled"
    );
    let deleted = async {
        while blobs().await > 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_mins(1), deleted).await.unwrap();
}

async fn number_of_statements_does_not_depend_on_the_batch_size(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let (counted, count) = database.domain.db().clone().counted();
    let domain = Domain::with(counted, database.clock.clone(), Arc::new(RandomIds));
    let who = person(&domain, Tier::Pro).await;
    let to = recipient(&domain, who).await;
    // The first batch creates the row of the library.
    let mut sent = Vec::new();
    for (batch, size) in [1, 1, 25].into_iter().enumerate() {
        let mut messages = Vec::new();
        for number in 0..size {
            messages.push(new_message(&domain, to, &format!("{batch} {number}")).await);
        }
        let before = count.load(Ordering::Relaxed);
        let results = write_in_a_batch(&domain, messages).await;
        sent.push(count.load(Ordering::Relaxed) - before);
        assert!(results.iter().all(|result| outcome(result) == "accepted"));
    }
    assert!(sent[1] > 0 && sent[1] == sent[2], "{sent:?}");
}

async fn batches_of_a_deleted_account_are_refused(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Free).await;
    let to = recipient(domain, who).await;
    let messages = vec![new_message(domain, to, "one").await, new_message(domain, to, "two").await];
    execute(domain.db().write(), "DELETE FROM inbox_address", []).await.unwrap();
    execute(domain.db().write(), "DELETE FROM account WHERE id = $1", [who.into()]).await.unwrap();
    let results = write_in_a_batch(domain, messages).await;
    assert_eq!(results.iter().map(outcome).collect::<Vec<_>>(), ["unknown_address"; 2]);
}

async fn storage_quota_of_the_account_applies_to_its_messages(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Free).await;
    let quotas = AccountQuotas { library_storage_bytes: Some(10), ..AccountQuotas::default() };
    set_quotas(domain, who, quotas, "the test").await.unwrap();
    let to = recipient(domain, who).await;
    assert_eq!(to.plan.library_storage_bytes, 10);
    admit(domain, to, Some(10)).await.unwrap();
    assert_eq!(admit(domain, to, Some(11)).await.unwrap_err().code, Code::StorageLimitReached);
    let results = write_in_a_batch(domain, vec![new_message(domain, to, "eleven byte").await]).await;
    assert_eq!(outcome(&results[0]), "storage");
    set_quotas(domain, who, AccountQuotas::default(), "the test").await.unwrap();
    let results = write_in_a_batch(domain, vec![new_message(domain, to, "eleven byte").await]).await;
    assert_eq!(outcome(&results[0]), "accepted");
}

#[tokio::test]
async fn received_messages_are_selected_by_the_hash_index() {
    let database = TestDatabase::create(Backend::Sqlite).await;
    let hashes = (0..64).map(|number| vec![number; 32]).collect();
    let mut explain = batch::with_hashes(AccountId::from_u128(1), hashes).build(DbBackend::Sqlite);
    explain.sql = format!("EXPLAIN QUERY PLAN {}", explain.sql);
    let plan = database.domain.db().read().query_all_raw(explain).await.unwrap();
    let plan: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
    assert!(plan.iter().any(|step| step.contains("inbox_message_content")), "{plan:?}");
}
