//! Tests of the credit ledger, on both databases.

use super::*;
use chrono::DateTime;
use entities::ids::AccountId;
use identity::credits::*;
use kernel::statement::statement;
use kernel::testing::{TestDatabase, person};
use kernel::tiers::Tier;
use kernel::writes::Writes;
use kernel::{Code, rfc3339};
use sea_orm::{ConnectionTrait, DatabaseTransaction};

/// Charges one run to an account whose plan grants a hundred credits, and writes the ledger entry.
async fn charge(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    requested: Charge,
) -> Result<Option<CreditBalance>> {
    let mut charges = AcceptedCharges::default();
    let balance = charges.charge_run(transaction, domain.now(), (100, None), requested).await?;
    let mut writes = Writes::of(transaction);
    charges.add_to(&mut writes);
    writes.send().await?;
    Ok(balance)
}

async fn pay(domain: &Domain, account_id: AccountId, cost: i64) -> Option<CreditBalance> {
    let transaction = domain.db().begin().await.unwrap();
    let (run_id, monitor_id) = (domain.new_id(), domain.new_id());
    let requested = Charge { account_id, run_id, monitor_id, cost };
    let balance = charge(&transaction, domain, requested).await.unwrap();
    transaction.commit().await.unwrap();
    balance
}

#[test]
fn months_are_utc_calendar_months() {
    let at = |text: &str| DateTime::parse_from_rfc3339(text).unwrap().timestamp_millis();
    assert_eq!(month_of(at("2026-11-30T23:59:59.999Z")), 202_611);
    assert_eq!(month_of(at("2026-12-01T00:30:00+02:00")), 202_611);
    assert_eq!(rfc3339(next_month(at("2026-11-20T12:00:00Z"))), "2026-12-01T00:00:00.000Z");
    assert_eq!(rfc3339(next_month(at("2026-12-31T23:59:59Z"))), "2027-01-01T00:00:00.000Z");
}

#[tokio::test]
async fn balance_is_the_sum_of_the_entries() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let id = person(domain, Tier::Free).await;
        assert_eq!(pay(domain, id, 3).await.unwrap().remaining(), 97);
        assert_eq!(pay(domain, id, 98).await, None, "a charge above the balance is refused");
        assert_eq!(pay(domain, id, 97).await.unwrap().remaining(), 0);
        assert_eq!(pay(domain, id, 1).await, None);
        assert_eq!(pay(domain, id, 0).await.unwrap().remaining(), 0, "a charge of zero always succeeds");
        let email = format!("{id}@example.org");
        let email = email.as_str();
        let balance = grant(domain, email, 5, "for patience").await.unwrap();
        assert_eq!((balance.remaining(), balance.limit()), (5, 105));
        assert_eq!(pay(domain, id, 2).await.unwrap().remaining(), 3);
        grant(domain, email, -10, "").await.unwrap();
        let (balance, entries) = show(domain, email, 100).await.unwrap();
        assert_eq!((balance.total(), balance.remaining()), (-7, 0));
        assert_eq!(entries.iter().map(|entry| entry.amount).sum::<i64>(), balance.total());
        assert_eq!(entries.first().map(|entry| entry.kind.as_str()), Some("grant"));
        assert_eq!(audit(domain).await.unwrap(), []);
        database.clock.advance(12 * 86_400_000);
        assert_eq!(
            pay(domain, id, 1).await.unwrap().remaining(),
            99,
            "a new month starts with the full grant"
        );
        assert_eq!(audit(domain).await.unwrap(), []);
        database.clock.advance(500 * 86_400_000);
        assert!(delete_old_months(domain).await.unwrap() > 0);
        assert_eq!(show(domain, email, 9).await.unwrap().1, []);
    }
}

#[tokio::test]
async fn second_charge_of_a_run_is_refused() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let account_id = person(domain, Tier::Free).await;
        let requested = Charge { account_id, run_id: domain.new_id(), monitor_id: domain.new_id(), cost: 1 };
        let transaction = domain.db().begin().await.unwrap();
        charge(&transaction, domain, requested).await.unwrap();
        transaction.commit().await.unwrap();
        let transaction = domain.db().begin().await.unwrap();
        assert!(charge(&transaction, domain, requested).await.is_err());
        drop(transaction);
        assert_eq!(audit(domain).await.unwrap(), []);
        let balance = balance(domain.db().read(), domain.now(), account_id, 100).await.unwrap();
        assert_eq!(balance.used, 1);
    }
}

#[tokio::test]
async fn plan_change_within_a_month_is_recorded_in_the_ledger() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let id = person(domain, Tier::Free).await;
        let email = format!("{id}@example.org");
        pay(domain, id, 3).await.unwrap();
        identity::accounts::set_tier(domain, &email, Tier::Premium).await.unwrap();
        assert_eq!(grant(domain, &email, 1, "").await.unwrap().remaining(), 2_998);
        let (_, entries) = show(domain, &email, 10).await.unwrap();
        let movements: Vec<(&str, i64)> =
            entries.iter().map(|entry| (entry.kind.as_str(), entry.amount)).collect();
        assert_eq!(movements, [("grant", 1), ("allowance", 2_900), ("run", -3), ("allowance", 100)]);
        assert_eq!(audit(domain).await.unwrap(), []);
    }
}

#[tokio::test]
async fn audit_reports_a_month_whose_entries_differ_from_its_balance() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let account_id = person(domain, Tier::Free).await;
        pay(domain, account_id, 3).await.unwrap();
        let write = domain.db().write();
        write.execute_raw(statement(write, "UPDATE credit_month SET used = used + 1", [])).await.unwrap();
        let wrong = Mismatch { account_id, month: month_of(domain.now()), entries: 97, balance: 96 };
        assert_eq!(audit(domain).await.unwrap(), [wrong]);
    }
}

#[tokio::test]
async fn grants_out_of_bounds_are_rejected() {
    let database = TestDatabase::create(kernel::Backend::Sqlite).await;
    let id = person(&database.domain, Tier::Free).await;
    let email = format!("{id}@example.org");
    let (longest, too_long) = ("n".repeat(200), "n".repeat(201));
    for (amount, note) in
        [(0, ""), (MAX_GRANTED + 1, ""), (-MAX_GRANTED - 1, ""), (1, "a\nb"), (1, &too_long)]
    {
        let refused = grant(&database.domain, &email, amount, note).await;
        assert_eq!(refused.unwrap_err().code, Code::InvalidRequest);
    }
    for (amount, note) in [(MAX_GRANTED, longest.as_str()), (-MAX_GRANTED, "  ")] {
        grant(&database.domain, &email, amount, note).await.unwrap();
    }
    let (_, entries) = show(&database.domain, &email, 2).await.unwrap();
    let notes: Vec<Option<&str>> = entries.iter().map(|entry| entry.note.as_deref()).collect();
    assert_eq!(notes, [None, Some(longest.as_str())]);
    let unknown = grant(&database.domain, "nobody@example.org", 1, "").await;
    assert_eq!(unknown.unwrap_err().code, Code::NotFound);
}

#[tokio::test]
async fn expired_months_are_deleted_with_all_entries() {
    const MANY: u32 = 10_000;
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let id = person(domain, Tier::Free).await;
        pay(domain, id, 3).await.unwrap();
        let sql = format!(
            "INSERT INTO credit_entry (account_id, month, kind, amount, made_at) \
             SELECT $1, $2, 'grant', 0, 0 FROM {}",
            kernel::testing::series(domain.db().backend(), MANY)
        );
        let write = domain.db().write();
        let month = month_of(domain.now());
        write.execute_raw(statement(write, &sql, [id.into(), month.into()])).await.unwrap();
        for _ in 0..RETAINED_MONTHS {
            database.clock.advance(next_month(domain.now()) - domain.now());
            pay(domain, id, 1).await.unwrap();
        }
        assert_eq!(delete_old_months(domain).await.unwrap(), 0);
        database.clock.advance(next_month(domain.now()) - domain.now());
        assert_eq!(
            delete_old_months(domain).await.unwrap(),
            u64::from(MANY) + 3,
            "the entries and the month's row are deleted"
        );
        assert_eq!(audit(domain).await.unwrap(), []);
        assert_eq!(delete_old_months(domain).await.unwrap(), 0);
    }
}
