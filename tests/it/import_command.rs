//! `carrel import`, with and without a running service, and `carrel after-restore`.

use std::path::Path;
use std::process::{Command, Output};

use kernel::tiers::Tier;
use serde_json::{Value, json};

use crate::library_servers::put_karakeep;
use crate::support::person::Person;
use crate::support::servers::CARREL;
use crate::support::{Reply, Setup, TestApp, World, run};

const POCKET: &str = "title,url,time_added,tags,status\n\
    One,https://example.org/one,1704067200,a|b,archive\nTwo,https://example.org/two,1704153600,,unread\n\
    Bad,javascript:alert(1),1704153600,,unread\n";

async fn carrel(app: &TestApp, folder: &Path, arguments: &[&str]) -> Output {
    carrel_with(app, folder, arguments, &[]).await
}

/// Runs a command with additional environment variables.
async fn carrel_with(
    app: &TestApp,
    folder: &Path,
    arguments: &[&str],
    variables: &[(&'static str, &'static str)],
) -> Output {
    let mut command = Command::new(CARREL);
    command.args(arguments).env_clear().current_dir(folder);
    let files = folder.join("files");
    std::fs::create_dir_all(&files).unwrap();
    command.env("DATABASE_URL", app.database_url()).env("CARREL_FILES", files);
    command.envs(variables.iter().copied());
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

async fn titles(app: &TestApp, who: &Person) -> Vec<Value> {
    let list = who.get(app, "/v1/library/items").await.expect(200).json();
    list["items"].as_array().unwrap().iter().map(|item| item["title"].clone()).collect()
}

#[test]
fn file_is_imported_without_a_running_service() {
    run(async {
        for world in World::ALL {
            let app = Setup::on(world).idle().spawn().await;
            let who = Person::on(&app, Tier::Pro).await;
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("pocket.csv");
            std::fs::write(&file, POCKET).unwrap();
            let file = file.to_str().unwrap();
            let import = ["import", file, "--account", &who.email];
            let dry = carrel(&app, folder.path(), &[&import[..], &["--dry-run"]].concat()).await;
            let text = printed(&dry);
            assert!(text.starts_with(
                "Pocket (CSV), 3 rows: would be created 2, there already 0, left out 1, failed 0;"
            ));
            assert!(text.contains("row 3  invalid_url  "), "{text}");
            assert_eq!(titles(&app, &who).await, Vec::<Value>::new());
            let done = carrel(&app, folder.path(), &import).await;
            assert!(printed(&done).contains("rows: created 2,"), "{done:?}");
            assert!(String::from_utf8_lossy(&done.stderr).contains("of 3 rows") || done.stderr.is_empty());
            assert_eq!(titles(&app, &who).await, [json!("Two"), json!("One")]);
            let again = printed(&carrel(&app, folder.path(), &import).await);
            assert!(again.contains("created 0, there already 2"), "{again}");
            let jobs =
                jobs::running(app.app.domain.db().read(), &app.app.domain, jobs::JobKind::LibraryImport);
            assert_eq!(jobs.await.unwrap(), 0);
        }
    });
}

#[test]
fn failed_import_exits_with_an_error() {
    run(async {
        let app = Setup::on(World::Small).idle().spawn().await;
        let who = Person::on(&app, Tier::Pro).await;
        let folder = tempfile::tempdir().unwrap();
        let broken = folder.path().join("broken.zip");
        std::fs::write(&broken, b"PK\x03\x04").unwrap();
        let words = folder.path().join("words.txt");
        std::fs::write(&words, "just words").unwrap();
        for (file, account, message) in [
            (&broken, who.email.as_str(), "the import failed: unreadable_file"),
            (&words, &who.email, "Known formats: Browser bookmarks"),
            (&words, "nobody@example.org", "no account with the e-mail address nobody@example.org"),
            (&folder.path().join("nothing"), &who.email, "cannot be opened"),
        ] {
            let file = file.to_str().unwrap();
            let output = carrel(&app, folder.path(), &["import", file, "--account", account]).await;
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(!output.status.success() && text.contains(message), "{message} is not in {text}");
        }
        let odd = carrel(&app, folder.path(), &["import", "x", "--account", "y", "--format", "pdf"]).await;
        assert!(String::from_utf8_lossy(&odd.stderr).contains("pocket_csv"), "the error lists the formats");
    });
}

#[test]
fn file_is_not_imported_twice_with_a_running_service() {
    run(async {
        for world in World::ALL {
            let folder = tempfile::tempdir().unwrap();
            let app = Setup::on(world).with_files_in(&folder.path().join("files")).spawn().await;
            let who = Person::on(&app, Tier::Pro).await;
            let file = folder.path().join("many.csv");
            let rows = |from: u32| {
                let rows =
                    (from..from + 300).map(|n| format!("T{n},https://example.org/{n},1704067200,,unread\n"));
                std::iter::once("title,url,time_added,tags,status\n".to_owned())
                    .chain(rows)
                    .collect::<String>()
            };
            for from in [0, 300, 600] {
                std::fs::write(&file, rows(from)).unwrap();
                let arguments = ["import", file.to_str().unwrap(), "--account", &who.email];
                let (done, ()) = tokio::join!(carrel(&app, folder.path(), &arguments), app.tick());
                let text = printed(&done);
                assert!(
                    text.contains("300 rows: created 300, there already 0, left out 0, failed 0"),
                    "{text}"
                );
            }
            app.run_jobs().await;
            let all = who.get(&app, "/v1/library/objects?limit=1").await.expect(200).json();
            assert_eq!(all["total"], 900);
        }
    });
}

#[test]
fn server_is_imported_with_a_credential_from_the_environment_or_a_file() {
    run(async {
        for world in World::ALL {
            let app = Setup::on(world).idle().spawn().await;
            let who = Person::on(&app, Tier::Pro).await;
            let folder = tempfile::tempdir().unwrap();
            put_karakeep(&app.site);
            let address = app.site.url("/keep");
            let import = ["import-server", "karakeep", &address, "--account", &who.email];
            let allowed = ("CARREL_FETCH_ALLOW", "127.0.0.0/8");
            let refused = carrel_with(&app, folder.path(), &import, &[allowed]).await;
            let text = String::from_utf8_lossy(&refused.stderr).into_owned();
            assert!(!refused.status.success() && text.contains("token is needed by this service"), "{text}");

            let secret = ("CARREL_IMPORT_TOKEN", "ak-s3cret");
            let done = carrel_with(&app, folder.path(), &import, &[allowed, secret]).await;
            let text = printed(&done);
            assert!(text.starts_with("Karakeep (JSON), 4 rows: created 2, there already 1,"), "{text}");
            assert_eq!(titles(&app, &who).await.len(), 2);
            assert!(
                app.site.requests().iter().all(|sent| sent.headers["authorization"] == "Bearer ak-s3cret")
            );
            // The next run needs no credential. Nothing has changed since the previous run.
            let empty = json!({"bookmarks": [], "nextCursor": null}).to_string().into_bytes();
            app.site.put(
                "/keep/api/v1/bookmarks?limit=30&includeContent=false",
                Reply::bytes("application/json", empty),
            );
            let again = carrel_with(&app, folder.path(), &import, &[allowed]).await;
            assert!(printed(&again).contains("created 0,"), "{again:?}");

            let other = Person::on(&app, Tier::Pro).await;
            let file = folder.path().join("token.txt");
            std::fs::write(&file, "ak-s3cret\n").unwrap();
            let of_other = ["import-server", "karakeep", &address, "--account", &other.email];
            let from_file = [&of_other[..], &["--credential-file", file.to_str().unwrap()]].concat();
            let done = carrel_with(&app, folder.path(), &from_file, &[allowed]).await;
            assert!(printed(&done).contains("created 2,"), "{done:?}");
        }
    });
}

#[test]
fn sync_cursors_expire_after_a_restore() {
    run(async {
        for world in World::ALL {
            let app = Setup::on(world).spawn().await;
            let who = Person::on(&app, Tier::Pro).await;
            who.post(&app, "/v1/library/items", &json!({"content": "Words."})).await.expect(201);
            let first = who.get(&app, "/v1/library/sync").await.expect(200).json();
            let next = format!("/v1/library/sync?cursor={}", first["nextCursor"].as_str().unwrap());
            who.get(&app, &next).await.expect(200);
            let folder = tempfile::tempdir().unwrap();
            let done = carrel(&app, folder.path(), &["after-restore"]).await;
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
            who.get(&app, &next).await.api_error(410, "cursor_expired");
            let first_page = who.get(&app, "/v1/library/sync").await.expect(200).json();
            assert_eq!(first_page["changes"].as_array().unwrap().len(), 1);
        }
    });
}

#[test]
fn account_is_exported_and_imported_by_commands() {
    run(async {
        for world in World::ALL {
            let app = Setup::on(world).idle().spawn().await;
            let (who, heir) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
            who.post(&app, "/v1/library/items", &json!({"content": "Mine."})).await.expect(201);
            let monitor = json!({"name": "Map", "targetUrl": "https://site.example/map"});
            who.post(&app, "/v1/monitors", &monitor).await.expect(201);
            let (target, name, query) =
                (library::SearchTarget::Library, "Boats".to_owned(), "boats".to_owned());
            let search = library::NewSearch { target, name, query };
            library::save_search(&app.app.domain, who.id, search).await.unwrap();
            let folder = tempfile::tempdir().unwrap();
            let export = ["export", "--account", &who.email];
            let text = printed(&carrel(&app, folder.path(), &export).await);
            assert!(text.starts_with("./library.zip  ") && text.contains("sha256:"), "{text}");
            // A refused export does not count towards the four of the day.
            for _ in 0..5 {
                let again = carrel(&app, folder.path(), &export).await;
                let refusal = String::from_utf8_lossy(&again.stderr);
                assert!(refusal.contains("./library.zip exists: move it away"), "{again:?}");
                assert!(refusal.contains("another folder with --out"), "{again:?}");
            }
            let missing = carrel(&app, folder.path(), &[&export[..], &["--out", "none"]].concat()).await;
            assert!(String::from_utf8_lossy(&missing.stderr).contains("none is not a folder"), "{missing:?}");
            std::fs::create_dir(folder.path().join("other")).unwrap();
            let other = carrel(&app, folder.path(), &[&export[..], &["--out", "other"]].concat()).await;
            assert!(printed(&other).starts_with("other/library.zip  "), "{other:?}");
            let unknown = carrel(&app, folder.path(), &["export", "--account", "nobody@example.org"]).await;
            assert!(!unknown.status.success());
            let import = ["import", "library.zip", "--account", &heir.email];
            let import = [&import[..], &["--include", "subscriptions,monitors,settings"]].concat();
            let dry = printed(&carrel(&app, folder.path(), &[&import[..], &["--dry-run"]].concat()).await);
            assert!(dry.contains("not counted in a dry run"), "{dry}");
            let report = printed(&carrel(&app, folder.path(), &import).await);
            assert!(report.starts_with("Carrel, ") && report.contains(" rows: created 1,"), "{report}");
            assert!(
                report.contains("\nalso imported: monitors 1, saved searches 1, settings of the account 1\n"),
                "{report}"
            );
            assert_eq!(titles(&app, &heir).await, [json!("Mine.")]);
        }
    });
}
