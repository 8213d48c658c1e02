//! `carrel doctor`: a database after typical use has no findings, and damage is reported with its remedy.

use std::process::{Command, Output};

use application::doctor;
use kernel::testing::TestDatabase;
use kernel::tiers::Tier;
use sea_orm::ConnectionTrait;
use serde_json::json;

use crate::support::monitoring::advance_minute;
use crate::support::owned_objects::OwnedObjects;
use crate::support::person::Person;
use crate::support::servers::CARREL;
use crate::support::{on_each_world, run};

#[test]
fn database_after_typical_use_has_no_findings() {
    on_each_world(async |app| {
        let (one, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Premium).await);
        let own = Box::pin(OwnedObjects::create(&app, &one, "one")).await;
        Box::pin(OwnedObjects::create(&app, &other, "other")).await;
        let page = app.site.article("/town");
        app.read(&page, &[]).await.expect(200);
        app.read(&app.site.url("/nothing"), &[]).await;
        let job = json!({"url": page});
        app.post_with("/api/v1/read/jobs", &[("idempotency-key", "\"k\"")], &job).await.expect(202);
        app.run_jobs().await;
        for _ in 0..3 {
            advance_minute(&app).await;
        }
        one.send(&app, reqwest::Method::DELETE, &own.path("/v1/library/items/{itemId}")).await;
        identity::accounts::delete_by_email(&app.app.domain, &other.email).await.unwrap();
        app.run_jobs().await;
        app.clean_up().await;
        let findings = doctor::examine(&app.app.domain).await.unwrap();
        assert!(findings.is_empty(), "{findings:#?}");
    });
}

fn doctor_on(database: &TestDatabase) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(CARREL);
    command.arg("doctor").env_clear().env("DATABASE_URL", &database.url).current_dir(folder.path());
    command.output().unwrap()
}

#[test]
fn doctor_reports_damage_with_a_remedy_and_an_exit_code() {
    run(async {
        for database in TestDatabase::each().await {
            let whole = doctor_on(&database);
            let said = String::from_utf8_lossy(&whole.stdout).into_owned();
            assert!(whole.status.success() && said.contains("checks hold"), "{whole:?}");
            let connection = database.domain.db().write();
            let sql = "INSERT INTO host_pause (host, url_hash, asked_at, paused_until) \
                       VALUES ('a.example', 1, 0, 90000000)";
            connection.execute_unprepared(sql).await.unwrap();
            let broken = doctor_on(&database);
            let said = String::from_utf8_lossy(&broken.stdout).into_owned();
            assert_eq!(broken.status.code(), Some(1), "{broken:?}");
            assert!(said.contains("host_pause: 1 row"), "{said}");
            assert!(said.contains("a.example") && said.contains("to do: DELETE FROM host_pause"), "{said}");
            assert!(String::from_utf8_lossy(&broken.stderr).contains("1 of "), "{broken:?}");
            connection
                .execute_unprepared("DELETE FROM seaql_migrations WHERE version LIKE '%operators'")
                .await
                .unwrap();
            let behind = doctor_on(&database);
            assert!(String::from_utf8_lossy(&behind.stderr).contains("run `carrel migrate`"), "{behind:?}");
        }
    });
}
