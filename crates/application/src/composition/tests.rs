//! Tests of the composed handle.

use identity::account_rows::AccountOwners;
use kernel::testing::{TestDatabase, person};
use kernel::tiers::Tier;
use sea_orm::{ConnectionTrait, Statement};

use super::*;
use crate::capabilities::capabilities;

#[tokio::test]
async fn every_table_with_an_owner_is_deleted_with_the_account() {
    let test = TestDatabase::create(kernel::Backend::Sqlite).await;
    let connection = test.domain.db().read();
    let sql = "SELECT m.name AS name FROM sqlite_master m, pragma_table_info(m.name) c \
               WHERE m.type = 'table' AND c.name = 'account_id' ORDER BY m.name";
    let statement = Statement::from_string(connection.get_database_backend(), sql);
    let rows = connection.query_all_raw(statement).await.unwrap();
    let mut owned: Vec<String> = rows.iter().map(|row| row.try_get("", "name").unwrap()).collect();
    let owners = compose(test.domain.clone()).installed::<AccountOwners>().unwrap();
    let capabilities = owners.0.iter().flat_map(|owner| owner.tables());
    let mut deleted: Vec<&str> = capabilities.chain(identity::accounts::TABLES).copied().collect();
    deleted.sort_unstable();
    owned.sort_unstable();
    assert_eq!(owned, deleted);
}

#[tokio::test]
async fn capabilities_report_limits_and_usage() {
    let test = TestDatabase::create(kernel::Backend::Sqlite).await;
    let domain = &test.domain;
    let account_id = person(domain, Tier::Premium).await;
    let limits = capabilities(domain, account_id, Tier::Premium).await.unwrap().limits;
    assert_eq!((limits.web_monitors, limits.web_monitors_remaining), (25, 25));
    assert_eq!(limits.library_storage_remaining_bytes, 10_737_418_240);
    assert_eq!(limits.operations_per_minute, 300);
}
