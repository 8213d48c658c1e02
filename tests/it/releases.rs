//! Databases of released versions, in `tests/fixtures/releases`: this version migrates them, the doctor has no
//! findings, and each request has the answer of the version that wrote the database.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use application::doctor;
use kernel::Backend;
use kernel::testing::{START, TestDatabase};
use reqwest::Method;
use sea_orm::{ConnectOptions, ConnectionTrait};
use serde_json::Value;
use tempfile::TempDir;
use zip::ZipArchive;

use crate::support::secret_scan::record_secret;
use crate::support::servers::CARREL;
use crate::support::{Setup, TestApp, World, run};

const CHANGELOG: &str = include_str!("../../CHANGELOG.md");
const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/releases");
/// Maximum size of the fixtures of one version and one engine.
const MAX_BYTES: u64 = 200 * 1024;
/// Statement that is valid in every schema and always changes the file.
const WRITE: &str = "UPDATE account SET password_changed_at = password_changed_at + 1";

/// Returns the released versions, newest first.
fn released_versions() -> Vec<&'static str> {
    let headings = CHANGELOG.lines().filter_map(|line| line.strip_prefix("## ["));
    headings.filter_map(|heading| heading.split_once("] - ")).map(|(version, _)| version).collect()
}

/// Returns the name of an engine in the fixtures.
fn engine(world: World) -> &'static str {
    match world {
        World::Small => "sqlite",
        World::Large => "postgres",
    }
}

fn packed(version: &str, world: World) -> PathBuf {
    Path::new(FIXTURES).join(version).join(format!("{}.zip", engine(world)))
}

/// Runs `carrel` on a database and returns its output.
fn carrel(arguments: &[&str], url: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(CARREL);
    command.args(arguments).env_clear().env("DATABASE_URL", url).current_dir(folder.path());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Appends a line for each value of `old` that `new` does not repeat. `new` may have further members.
fn compare(path: &str, old: &Value, new: &Value, faults: &mut Vec<String>) {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            for (name, value) in old {
                let path = format!("{path} {name}");
                match new.get(name) {
                    Some(new) => compare(&path, value, new, faults),
                    None => faults.push(format!("{path} is missing")),
                }
            }
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            for (number, (old, new)) in old.iter().zip(new).enumerate() {
                compare(&format!("{path} {number}"), old, new, faults);
            }
        }
        _ if old == new => {}
        _ => faults.push(format!("{path}: {old} became {new}")),
    }
}

/// Returns the answer to a request, without the addresses of this app and of the service that wrote the
/// database.
async fn answer(app: &TestApp, path: &str, fixture: &Value) -> Value {
    let key = fixture["key"].as_str().unwrap();
    let answer = app.send(Method::GET, path, &[("x-api-key", key)], None).await.expect(200);
    let text = answer.text().replace(&app.origin, "{origin}");
    let text = text.replace(fixture["origin"].as_str().unwrap(), "{origin}");
    if answer.header("content-type").contains("json") {
        serde_json::from_str(&text).unwrap()
    } else {
        Value::String(text)
    }
}

/// Returns a recorded answer as [`answer`] returns it. It contains addresses of the site that was fetched at
/// that time. If this app happens to have the port of that site, they are addresses of this app.
fn recorded(app: &TestApp, answer: &Value) -> Value {
    serde_json::from_str(&answer.to_string().replace(&app.origin, "{origin}")).unwrap()
}

/// Restores the database of a released version. Returns it with a folder that has the stored files in `files`.
async fn restore(version: &str, world: World) -> (TestDatabase, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let mut archive = ZipArchive::new(File::open(packed(version, world)).unwrap()).unwrap();
    archive.extract(folder.path()).unwrap();
    let content = std::fs::read(folder.path().join("database")).unwrap();
    let backend = if world == World::Small { Backend::Sqlite } else { Backend::Postgres };
    (TestDatabase::restore(backend, &content).await, folder)
}

async fn assert_release_is_upgraded(version: &str, world: World) {
    let answers = std::fs::read_to_string(Path::new(FIXTURES).join(version).join("answers.json")).unwrap();
    let answers: Value = serde_json::from_str(&answers).unwrap();
    let fixture = &answers[engine(world)];
    record_secret(fixture["key"].as_str().unwrap());

    let (database, folder) = restore(version, world).await;
    let database = Arc::new(database);
    carrel(&["migrate"], &database.url);
    assert_eq!(carrel(&["migrate", "--plan"], &database.url), "no step is pending\n", "{version}");

    // The requests are repeated at the time of the first answers.
    database.clock.advance(fixture["madeAt"].as_i64().unwrap() - START);
    let setup = Setup::on(world).with_database(Arc::clone(&database)).set("CARREL_READER_LIMITS", "off");
    let app = setup.with_files_in(&folder.path().join("files")).idle().spawn().await;
    let findings = doctor::examine(&app.app.domain).await.unwrap();
    assert!(findings.is_empty(), "{version}: {findings:#?}");
    let requests = fixture["answers"].as_object().unwrap();
    assert!(requests.len() > 15, "{version}: {}", requests.len());
    let mut faults = Vec::new();
    for (path, old) in requests {
        compare(path, &recorded(&app, old), &answer(&app, path, fixture).await, &mut faults);
    }
    assert!(faults.is_empty(), "{version} on {world:?}:\n{}", faults.join("\n"));
    app.stop().await;
}

#[test]
fn every_released_version_has_small_fixtures() {
    let versions = released_versions();
    assert!(versions.contains(&"0.1.0"), "{versions:?}");
    for version in versions {
        for world in World::ALL {
            let path = packed(version, world);
            let size = std::fs::metadata(&path).map(|file| file.len());
            let is_small = size.as_ref().is_ok_and(|bytes| *bytes <= MAX_BYTES);
            assert!(is_small, "write it with tests/fixtures/releases/make.py: {}: {size:?}", path.display());
        }
    }
}

#[test]
fn embedded_database_of_each_release_is_upgraded_and_gives_the_same_answers() {
    run(async {
        for version in released_versions() {
            Box::pin(assert_release_is_upgraded(version, World::Small)).await;
        }
    });
}

#[test]
fn postgres_database_of_each_release_is_upgraded_and_gives_the_same_answers() {
    run(async {
        for version in released_versions() {
            Box::pin(assert_release_is_upgraded(version, World::Large)).await;
        }
    });
}

#[test]
fn embedded_database_is_upgraded_while_another_process_writes() {
    run(async {
        let oldest = *released_versions().last().unwrap();
        let (database, _folder) = restore(oldest, World::Small).await;
        let mut options = ConnectOptions::new(&database.url);
        options.max_connections(1);
        let other = sea_orm::Database::connect(options).await.unwrap();
        // Short writes, so that the migration gets the lock soon.
        other.execute_unprepared("PRAGMA synchronous = OFF").await.unwrap();
        let url = database.url.clone();
        let migration = tokio::task::spawn_blocking(move || carrel(&["migrate"], &url));
        let mut writes = 0;
        while !migration.is_finished() {
            other.execute_unprepared(WRITE).await.unwrap();
            writes += 1;
        }
        migration.await.unwrap();
        assert!(writes > 10, "{writes} writes");
        other.close().await.unwrap();
        assert_eq!(carrel(&["migrate", "--plan"], &database.url), "no step is pending\n");
    });
}
