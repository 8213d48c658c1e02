//! Tests of sign-up, sign-in, sign-out, and account deletion.

use crate::limits::AccountLimits;
use entities::api_key;
use entities::ids::AccountId;
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ConnectionTrait, Statement};

use super::*;
use crate::limits::{ExposedLimits, Network};
use kernel::email::normalize_email;
use kernel::testing::{TestDatabase, on_both};
use kernel::tiers::Tier;
use kernel::{Backend, Code, Domain, Result};

const EMAIL: &str = "ada@example.org";
const PASSWORD: &str = "correct horse battery";

fn network(address: &str) -> Network {
    Network::of(address.parse().unwrap())
}

/// Returns the session of an account without a second factor.
fn session_of(step: SignInStep) -> SignedIn {
    match step {
        SignInStep::SignedIn(signed_in) => signed_in,
        SignInStep::CodeRequired(_) => panic!("the account has no second factor"),
    }
}

struct Fixture {
    test: TestDatabase,
    passwords: Passwords,
}

impl Fixture {
    async fn new(backend: Backend) -> Self {
        let test = TestDatabase::create(backend).await;
        let passwords = Passwords::new(&test.domain, HashCost::Least, 2).unwrap();
        Self { test, passwords }
    }

    async fn sign_up(
        &self,
        signups: Signups,
        email: &str,
        invite: Option<&str>,
    ) -> Result<(Account, SessionSecret)> {
        let network = &network("192.0.2.1");
        let request = SignUp { email, password: PASSWORD, invite, network };
        let signed_up = sign_up(&self.test.domain, &self.passwords, signups, request).await;
        signed_up.map(|(account, opened)| (account, opened.session))
    }

    async fn sign_in(&self, email: &str, password: &str) -> Result<SessionSecret> {
        self.sign_in_from("192.0.2.1", email, password).await
    }

    async fn sign_in_from(&self, address: &str, email: &str, password: &str) -> Result<SessionSecret> {
        self.sign_in_with(None, address, email, password).await.map(|opened| opened.session)
    }

    async fn sign_in_with(
        &self,
        browser: Option<&BrowserToken>,
        address: &str,
        email: &str,
        password: &str,
    ) -> Result<SignedIn> {
        let browser = browser.map(BrowserToken::expose);
        let origin = SignInOrigin { network: &network(address), previous: None, browser };
        let request = SignIn { email, password, origin };
        sign_in(&self.test.domain, &self.passwords, request).await.map(session_of)
    }

    async fn holds(&self, secret: &SessionSecret) -> bool {
        authenticate(&self.test.domain, secret.expose()).await.unwrap().is_some()
    }
}

async fn person_can_sign_up_sign_out_and_sign_in(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let domain = &fixture.test.domain;
    assert!(!any_account(domain).await.unwrap());
    let (account, first) = fixture.sign_up(Signups::Open, " Ada@Example.org ", None).await.unwrap();
    assert_eq!(
        (account.email.as_str(), account.tier),
        (EMAIL, Tier::Pro),
        "the first account of a private installation gets the largest plan"
    );
    let (other, _) = fixture.sign_up(Signups::Open, "b@example.org", None).await.unwrap();
    assert_eq!(other.tier, Tier::Free);
    assert!(any_account(domain).await.unwrap());
    let session = authenticate(domain, first.expose()).await.unwrap().unwrap();
    assert_eq!(session.caller.account_id, account.id);
    let error = fixture.sign_up(Signups::Open, EMAIL, None).await.unwrap_err();
    assert_eq!(error.code, Code::NameTaken);

    let origin = SignInOrigin { network: &network("192.0.2.1"), previous: Some(&first), browser: None };
    let request = SignIn { email: "ADA@example.org", password: PASSWORD, origin };
    let second = session_of(sign_in(domain, &fixture.passwords, request).await.unwrap()).session;
    assert!(!fixture.holds(&first).await, "a sign-in replaces the previous session");
    assert!(fixture.holds(&second).await);
    sign_out(domain, &second).await.unwrap();
    assert!(!fixture.holds(&second).await);
    sign_out(domain, &second).await.unwrap();
}

/// On a private installation, the first account gets the largest plan. Exactly one of the concurrent accounts
/// is the first.
async fn only_one_of_concurrent_first_sign_ups_gets_the_largest_plan(backend: Backend) {
    for round in 0..5 {
        let fixture = Fixture::new(backend).await;
        let other = fixture.test.second_handle().await;
        let mut signing_up = tokio::task::JoinSet::new();
        for number in 0..6 {
            let domain = if number % 2 == 0 { fixture.test.domain.clone() } else { other.clone() };
            let passwords = fixture.passwords.clone();
            signing_up.spawn(async move {
                let email = format!("{number}@example.org");
                let network = network(&format!("192.0.2.{number}"));
                let request = SignUp { email: &email, password: PASSWORD, invite: None, network: &network };
                sign_up(&domain, &passwords, Signups::Open, request).await.unwrap().0.tier
            });
        }
        let tiers = signing_up.join_all().await;
        let first = tiers.iter().filter(|tier| **tier == Tier::Pro).count();
        assert_eq!((first, tiers.len()), (1, 6), "round {round}");
    }
}

async fn sessions_expire_by_age_and_by_idle_time(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (domain, day) = (&fixture.test.domain, 86_400_000);
    let (_, idle) = fixture.sign_up(Signups::Open, EMAIL, None).await.unwrap();
    let used = fixture.sign_in(EMAIL, PASSWORD).await.unwrap();
    for _ in 0..2 {
        fixture.test.clock.advance(10 * day);
        assert!(fixture.holds(&used).await);
    }
    assert!(!fixture.holds(&idle).await, "an unused session expires within 20 days");
    assert_eq!(remove_expired(domain).await.unwrap(), 1);
    fixture.test.clock.advance(10 * day);
    assert!(!fixture.holds(&used).await, "a session expires after 30 days");
    for invalid in ["", "abc", "////", &"A".repeat(43), &"A".repeat(4000)] {
        assert!(authenticate(domain, invalid).await.unwrap().is_none());
    }
}

async fn password_change_closes_other_sessions(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let Fixture { test, passwords } = &fixture;
    let (account, first) = fixture.sign_up(Signups::Open, EMAIL, None).await.unwrap();
    let change = |current, new| {
        change_password(
            &test.domain,
            passwords,
            account.id,
            ChangePassword { current, new, access: ExistingAccess::Keep },
        )
    };
    let wrong = change("not the password", "another fine password").await.unwrap_err();
    assert_eq!(wrong.code, Code::InvalidRequest);
    assert_eq!(change(PASSWORD, "short").await.unwrap_err().code, Code::InvalidRequest);
    let renewed = change(PASSWORD, "another fine password").await.unwrap().session;
    assert!(!fixture.holds(&first).await);
    assert!(fixture.holds(&renewed).await);
    assert!(fixture.sign_in(EMAIL, PASSWORD).await.is_err());
    assert!(fixture.sign_in(EMAIL, "another fine password").await.is_ok());
}

async fn wrong_passwords_are_limited_by_account_and_by_network(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    fixture.sign_up(Signups::Open, EMAIL, None).await.unwrap();
    for email in [EMAIL, "nobody@example.org", "no address"] {
        let error = fixture.sign_in(email, "wrong password").await.unwrap_err();
        assert_eq!(
            (error.code, error.to_string().as_str()),
            (Code::InvalidCredential, "The e-mail address or the password is wrong.")
        );
    }
    for _ in 0..3 {
        fixture.sign_in(EMAIL, PASSWORD).await.unwrap();
    }
    for _ in 0..9 {
        assert_eq!(fixture.sign_in(EMAIL, "wrong password").await.unwrap_err().code, Code::InvalidCredential);
    }
    let error = fixture.sign_in(EMAIL, PASSWORD).await.unwrap_err();
    assert_eq!((error.code, error.retry_after), (Code::RateLimited, Some(900)));
    for attempt in 0..38 {
        let email = format!("nobody{attempt}@example.org");
        assert_eq!(
            fixture.sign_in(&email, "wrong password").await.unwrap_err().code,
            Code::InvalidCredential
        );
    }
    assert_eq!(fixture.sign_in("other@example.org", "x").await.unwrap_err().code, Code::RateLimited);
    fixture.test.clock.advance(900_000);
    assert!(fixture.sign_in(EMAIL, PASSWORD).await.is_ok());
}

async fn concurrent_wrong_passwords_do_not_exceed_the_limit(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    fixture.sign_up(Signups::Open, EMAIL, None).await.unwrap();
    let tries =
        futures_util::future::join_all((0..40).map(|_| fixture.sign_in(EMAIL, "wrong password"))).await;
    let codes: Vec<_> = tries.iter().map(|tried| tried.as_ref().unwrap_err().code).collect();
    assert_eq!(codes.iter().filter(|code| **code == Code::InvalidCredential).count(), 10);
}

async fn invitation_is_valid_for_one_sign_up(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let domain = &fixture.test.domain;
    let closed = fixture.sign_up(Signups::Closed, EMAIL, None).await.unwrap_err();
    assert_eq!(closed.code, Code::SignupClosed);
    assert!(fixture.sign_up(Signups::Invite, EMAIL, None).await.is_err());
    assert!(fixture.sign_up(Signups::Invite, EMAIL, Some("made up")).await.is_err());
    let code = invite(domain, Tier::Pro, 7).await.unwrap();
    let (account, _) = fixture.sign_up(Signups::Invite, EMAIL, Some(&code)).await.unwrap();
    assert_eq!(account.tier, Tier::Pro);
    assert!(
        fixture.sign_up(Signups::Invite, "b@example.org", Some(&code)).await.is_err(),
        "an invitation works only once"
    );
    let late = invite(domain, Tier::Free, 1).await.unwrap();
    fixture.test.clock.advance(86_400_000);
    assert!(
        fixture.sign_up(Signups::Invite, "c@example.org", Some(&late)).await.is_err(),
        "an invitation expires"
    );
}

async fn operators_disable_and_enable_accounts(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let domain = &fixture.test.domain;
    let (_, secret) = fixture.sign_up(Signups::Open, EMAIL, None).await.unwrap();
    assert_eq!(set_tier(domain, EMAIL, Tier::Pro).await.unwrap().tier, Tier::Pro);
    assert!(disable(domain, EMAIL).await.unwrap().disabled_at.is_some());
    assert!(!fixture.holds(&secret).await);
    assert_eq!(fixture.sign_in(EMAIL, PASSWORD).await.unwrap_err().code, Code::InvalidCredential);
    enable(domain, EMAIL).await.unwrap();
    assert!(fixture.sign_in(EMAIL, PASSWORD).await.is_ok());
    assert_eq!(find(domain, "nobody@example.org").await.unwrap_err().code, Code::NotFound);
    create(domain, &fixture.passwords, "b@example.org", PASSWORD, Tier::Premium).await.unwrap();
    let all = list(domain, None, 10).await.unwrap();
    assert_eq!(
        all.iter().map(|account| account.email.as_str()).collect::<Vec<_>>(),
        [EMAIL, "b@example.org"]
    );
    assert_eq!(list(domain, Some(EMAIL), 10).await.unwrap().len(), 1);
}

async fn account_deletion_removes_every_owned_row(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let Fixture { test, passwords } = &fixture;
    let (account, secret) = fixture.sign_up(Signups::Open, EMAIL, None).await.unwrap();
    let (other, other_secret) = fixture.sign_up(Signups::Open, "b@example.org", None).await.unwrap();
    for owner in [account.id, other.id] {
        insert_key(&test.domain, owner).await;
        test.domain
            .limits()
            .charge_operation(&test.domain, owner, Tier::Free, ExposedLimits::Operations)
            .await
            .unwrap();
    }
    let proof = |current| OwnerProof { current, code: "", signed_in_at: test.domain.now() };
    let wrong = delete(&test.domain, passwords, account.id, proof("wrong password")).await.unwrap_err();
    assert_eq!(wrong.code, Code::InvalidRequest);
    delete(&test.domain, passwords, account.id, proof(PASSWORD)).await.unwrap();
    assert!(!fixture.holds(&secret).await);
    assert!(fixture.holds(&other_secret).await, "the session of the other account is unaffected");
    let mut filled = 0;
    for table in TABLES {
        assert_eq!(rows_of(&test.domain, table, account.id).await, 0, "{table}");
        filled += i32::from(rows_of(&test.domain, table, other.id).await > 0);
    }
    assert!(filled >= 3, "the rows of the other account are retained");
    assert_eq!(get(&test.domain, account.id).await.unwrap_err().code, Code::NotFound);
}

async fn insert_key(domain: &Domain, owner: AccountId) {
    let row = api_key::ActiveModel {
        id: Set(domain.new_id()),
        account_id: Set(owner),
        name: Set("k".to_owned()),
        prefix: Set("svc_".to_owned()),
        hash: Set(domain.random::<32>().to_vec()),
        scopes: Set(String::new()),
        created_at: Set(domain.now()),
        last_used_at: Set(None),
        expires_at: Set(None),
        revoked_at: Set(None),
    };
    row.insert(domain.db().write()).await.unwrap();
}

async fn rows_of(domain: &Domain, table: &str, owner: AccountId) -> i64 {
    let connection = domain.db().read();
    let sql = format!("SELECT COUNT(*) AS n FROM {table} WHERE account_id = $1");
    let statement = Statement::from_sql_and_values(connection.get_database_backend(), sql, [owner.into()]);
    connection.query_one_raw(statement).await.unwrap().unwrap().try_get("", "n").unwrap()
}

#[test]
fn email_addresses_are_normalized() {
    assert_eq!(normalize_email(" A.B+c@Example.ORG ").unwrap(), "a.b+c@example.org");
    assert_eq!(normalize_email("admin@localhost").unwrap(), "admin@localhost");
    for invalid in [
        "", "a", "@b.org", "a@", "a b@c.org", "a@b@c.org", "a@.org", "a@b..org", "<a@b.org>",
        "a@b.org,c@d.org",
    ] {
        assert_eq!(normalize_email(invalid).unwrap_err().code, Code::InvalidRequest, "{invalid}");
    }
    assert!(normalize_email(&format!("{}@example.org", "a".repeat(65))).is_err());
}

#[tokio::test]
async fn passwords_are_validated_and_stored_hashed() {
    let fixture = Fixture::new(Backend::Sqlite).await;
    for invalid in ["", "short", &"x".repeat(201), "aaaaaaaaaaaaaa", EMAIL] {
        assert_eq!(passwords::check(invalid, EMAIL).unwrap_err().code, Code::InvalidRequest, "{invalid}");
    }
    let hash = fixture.passwords.hash(&fixture.test.domain, PASSWORD).await.unwrap();
    assert!(hash.starts_with("$argon2id$") && !hash.contains(PASSWORD));
    assert!(fixture.passwords.verify(Some(hash.clone()), PASSWORD).await.unwrap());
    assert!(!fixture.passwords.verify(Some(hash), "correct horse batterY").await.unwrap());
    assert!(!fixture.passwords.verify(None, PASSWORD).await.unwrap());
    let composed = fixture.passwords.hash(&fixture.test.domain, "Füße auf dem Tisch").await.unwrap();
    assert!(fixture.passwords.verify(Some(composed), "Fu\u{308}ße auf dem Tisch").await.unwrap());
}

#[tokio::test]
async fn rows_referring_to_a_locked_account_can_be_inserted() {
    let test = TestDatabase::create(Backend::Postgres).await;
    let id = kernel::testing::person(&test.domain, Tier::Free).await;
    let holding = test.domain.db().begin().await.unwrap();
    lock(&holding, id).await.unwrap();
    let other = test.domain.db().begin().await.unwrap();
    other.execute_unprepared("SET LOCAL lock_timeout = '2s'").await.unwrap();
    let sql = "INSERT INTO rss_collection (account_id, name, name_key, kind, created_at) VALUES ($1, 'a', 'a', 'own', 0)";
    let insert = Statement::from_sql_and_values(other.get_database_backend(), sql, [id.into()]);
    other.execute_raw(insert).await.unwrap();
    other.commit().await.unwrap();
    holding.commit().await.unwrap();
}

on_both! {
    only_one_of_concurrent_first_sign_ups_gets_the_largest_plan,
    person_can_sign_up_sign_out_and_sign_in,
    sessions_expire_by_age_and_by_idle_time,
    password_change_closes_other_sessions,
    wrong_passwords_are_limited_by_account_and_by_network,
    concurrent_wrong_passwords_do_not_exceed_the_limit,
    invitation_is_valid_for_one_sign_up,
    operators_disable_and_enable_accounts,
    account_deletion_removes_every_owned_row,
}

mod recovery;
