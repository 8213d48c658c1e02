//! Tests of the life cycle of a key, on both databases.

use proptest::prelude::*;

use super::*;
use crate::accounts::{self, ChangePassword, ExistingAccess, HashCost, Passwords};
use crate::caller::Credential;
use entities::ids::AccountId;
use kernel::testing::{TestDatabase, on_both};
use kernel::tiers::Tier;
use kernel::{Backend, Code, looks_like_a_secret};

const PASSWORD: &str = "correct horse battery";

struct Fixture {
    test: TestDatabase,
    owner: AccountId,
}

async fn fixture(backend: Backend) -> Fixture {
    let test = TestDatabase::create(backend).await;
    let passwords = Passwords::new(&test.domain, HashCost::Least, 2).unwrap();
    let owner =
        accounts::create(&test.domain, &passwords, "a@example.org", PASSWORD, Tier::Free).await.unwrap();
    Fixture { owner: owner.id, test }
}

fn new(name: &str) -> NewKey {
    NewKey { name: name.into(), scopes: Scopes::ALL, expires_in_days: None, app_access: AppAccess::KeyOnly }
}

async fn code(domain: &Domain, text: &str) -> Code {
    authenticate(domain, text).await.unwrap_err().code
}

async fn key_is_valid_until_it_is_revoked(backend: Backend) {
    let Fixture { test, owner } = fixture(backend).await;
    let domain = &test.domain;
    let (key, secret) = create(domain, owner, new("  laptop ")).await.unwrap();
    assert_eq!((key.name.as_str(), key.prefix.as_str()), ("laptop", &secret.expose()[..12]));
    let caller = authenticate(domain, secret.expose()).await.unwrap();
    assert_eq!((caller.account_id, caller.credential), (owner, Credential::Key(key.id)));

    let stranger = AccountId::from_u128(7);
    assert_eq!(revoke(domain, stranger, key.id).await.unwrap_err().code, Code::NotFound);
    revoke(domain, owner, key.id).await.unwrap();
    assert_eq!(code(domain, secret.expose()).await, Code::RevokedCredential);
    assert_eq!(revoke(domain, owner, key.id).await.unwrap_err().code, Code::NotFound);
    assert_eq!(list(domain, owner).await.unwrap(), []);
}

async fn key_is_refused_from_its_expiry_time_on(backend: Backend) {
    let Fixture { test, owner } = fixture(backend).await;
    let domain = &test.domain;
    let new_key = NewKey { expires_in_days: Some(1), ..new("short") };
    let (_, secret) = create(domain, owner, new_key).await.unwrap();
    test.clock.advance(DAY - 1);
    assert!(authenticate(domain, secret.expose()).await.is_ok());
    test.clock.advance(1);
    assert_eq!(code(domain, secret.expose()).await, Code::ExpiredCredential);
    assert_eq!(list(domain, owner).await.unwrap().len(), 1, "an expired key stays visible");
    for _ in 0..2 {
        create(domain, owner, new("after")).await.unwrap();
    }
    let error = create(domain, owner, new("third")).await.unwrap_err();
    assert_eq!(error.code, Code::LimitReached, "two active keys; the expired one does not count");
}

async fn concurrent_creates_do_not_exceed_the_key_limit(backend: Backend) {
    let Fixture { test, owner } = fixture(backend).await;
    let tasks: Vec<_> = (0..8)
        .map(|number| {
            let domain = test.domain.clone();
            tokio::spawn(async move { create(&domain, owner, new(&number.to_string())).await.is_ok() })
        })
        .collect();
    let mut created = 0;
    for task in tasks {
        created += u32::from(task.await.unwrap());
    }
    assert_eq!(created, 2);
}

async fn keys_of_a_disabled_or_deleted_account_are_refused(backend: Backend) {
    let Fixture { test, owner } = fixture(backend).await;
    let domain = &test.domain;
    let (_, secret) = create(domain, owner, new("k")).await.unwrap();
    accounts::disable(domain, "a@example.org").await.unwrap();
    assert_eq!(code(domain, secret.expose()).await, Code::RevokedCredential);
    accounts::enable(domain, "a@example.org").await.unwrap();
    assert!(authenticate(domain, secret.expose()).await.is_ok());
    accounts::delete_by_email(domain, "a@example.org").await.unwrap();
    assert_eq!(code(domain, secret.expose()).await, Code::InvalidCredential);
}

async fn password_change_revokes_keys_on_request(backend: Backend) {
    let Fixture { test, owner } = fixture(backend).await;
    let domain = &test.domain;
    let passwords = Passwords::new(domain, HashCost::Least, 2).unwrap();
    create(domain, owner, new("k")).await.unwrap();
    let change = |current, new, access| {
        let change = ChangePassword { current, new, access };
        accounts::change_password(domain, &passwords, owner, change)
    };
    change(PASSWORD, "another fine password", ExistingAccess::Keep).await.unwrap();
    assert_eq!(list(domain, owner).await.unwrap().len(), 1);
    change("another fine password", PASSWORD, ExistingAccess::End).await.unwrap();
    assert_eq!(list(domain, owner).await.unwrap(), []);
}

async fn last_use_is_recorded_at_most_every_minute(backend: Backend) {
    let Fixture { test, owner } = fixture(backend).await;
    let domain = &test.domain;
    let (_, secret) = create(domain, owner, new("k")).await.unwrap();
    let last_used = async |expected: Option<Millis>| {
        authenticate(domain, secret.expose()).await.unwrap();
        // The use is recorded in a separate task: poll for a bounded time until the row has it.
        let recorded = async {
            while list(domain, owner).await.unwrap()[0].last_used_at != expected {
                tokio::task::yield_now().await;
            }
        };
        let _ = tokio::time::timeout(std::time::Duration::from_mins(1), recorded).await;
        list(domain, owner).await.unwrap()[0].last_used_at
    };
    let first = domain.now();
    assert_eq!(last_used(Some(first)).await, Some(first));
    test.clock.advance(59_999);
    assert_eq!(last_used(Some(first)).await, Some(first));
    test.clock.advance(1);
    assert_eq!(last_used(Some(first + 60_000)).await, Some(first + 60_000));
    test.clock.advance(3_600_000);
    assert_eq!(last_used(Some(first + 3_660_000)).await, Some(first + 3_660_000));
}

on_both! {
    key_is_valid_until_it_is_revoked,
    key_is_refused_from_its_expiry_time_on,
    concurrent_creates_do_not_exceed_the_key_limit,
    keys_of_a_disabled_or_deleted_account_are_refused,
    password_change_revokes_keys_on_request,
    last_use_is_recorded_at_most_every_minute,
}

#[tokio::test]
async fn key_reports_whether_its_digest_is_accepted() {
    for test in TestDatabase::each().await {
        let owner = kernel::testing::person(&test.domain, Tier::Free).await;
        for (name, app_access) in [("alone", AppAccess::KeyOnly), ("digest", AppAccess::Digest)] {
            let new_key = NewKey { app_access, ..new(name) };
            assert_eq!(create(&test.domain, owner, new_key).await.unwrap().0.app_access, app_access);
        }
        for key in list(&test.domain, owner).await.unwrap() {
            assert_eq!(key.app_access == AppAccess::Digest, key.name == "digest");
        }
    }
}

#[tokio::test]
async fn name_and_lifetime_out_of_bounds_are_refused() {
    let Fixture { test, owner } = fixture(Backend::Sqlite).await;
    for name in ["", "   ", &"x".repeat(81), "a\u{7}b"] {
        let error = create(&test.domain, owner, new(name)).await.unwrap_err();
        assert_eq!(error.code, Code::InvalidRequest, "{name:?}");
    }
    for days in [0, 366] {
        let new_key = NewKey { expires_in_days: Some(days), ..new("k") };
        assert_eq!(create(&test.domain, owner, new_key).await.unwrap_err().code, Code::InvalidRequest);
    }
    assert!(create(&test.domain, owner, new(&"ü".repeat(80))).await.is_ok());
}

#[tokio::test]
async fn generated_key_has_the_documented_format() {
    let test = TestDatabase::create(Backend::Sqlite).await;
    let mut characters = std::collections::HashSet::new();
    for _ in 0..200 {
        let secret = Secret::generate(&test.domain, SecretKind::Key);
        characters.extend(secret.expose()[4..44].chars());
        assert_eq!(secret.expose().len(), 50);
        assert_eq!(Secret::parse(secret.expose(), SecretKind::Key), Some(secret.clone()));
        assert!(looks_like_a_secret(&format!("https://example.org/?k={}&x", secret.expose())));
        assert!(!format!("{secret:?}").contains(secret.expose()));
        assert!(format!("{secret:?}").contains(secret.prefix()), "the debug output identifies the key");
    }
    assert_eq!(characters.len(), 62, "every letter and digit occurs");
}

#[test]
fn possible_secrets_are_recognised_by_their_format() {
    let body = "a".repeat(46);
    for text in [format!("svc_{body}"), format!("x svc_{body}aaaa."), format!("svc_ svc_{body}")] {
        assert!(looks_like_a_secret(&text), "{text}");
    }
    for text in [String::new(), format!("svc_{}", &body[1..]), format!("svc_{}-a", &body[1..]), body.clone()]
    {
        assert!(!looks_like_a_secret(&text), "{text}");
    }
}

proptest! {
    #[test]
    fn key_with_one_changed_character_is_refused(at in 4_usize..50, to in "[0-9A-Za-z]") {
        let mut text: Vec<u8> = valid_key().into_bytes();
        prop_assume!(text[at] != to.as_bytes()[0]);
        text[at] = to.as_bytes()[0];
        prop_assert_eq!(Secret::parse(std::str::from_utf8(&text).unwrap(), SecretKind::Key), None);
    }

    #[test]
    fn parsing_arbitrary_text_does_not_panic(text in "\\PC*") {
        let _ = Secret::parse(&text, SecretKind::Key);
        let _ = looks_like_a_secret(&text);
    }
}

/// 40 zeros and their checksum, computed with Python's `zlib.crc32`.
fn valid_key() -> String {
    "svc_00000000000000000000000000000000000000002kaqcA".to_owned()
}

#[test]
fn checksum_is_crc32_in_base62() {
    assert!(Secret::parse(&valid_key(), SecretKind::Key).is_some());
}
