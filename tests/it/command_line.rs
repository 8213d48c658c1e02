//! Executable on the command line: `read`, `extract`, `jobs`, `migrate`, and its error messages.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::support::person::Person;
use crate::support::servers::CARREL;
use crate::support::{Reply, Setup, TestApp, World, run, secret_scan};

fn carrel(arguments: &[&str], settings: &[(&str, &str)], input: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(CARREL)
        .args(arguments)
        .env_clear()
        .envs(settings.iter().copied())
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn complained(output: &Output) -> String {
    assert!(!output.status.success());
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The allocator writes its statistics when a process exits. They lack the line about pages if the process
/// did not use the allocator.
#[test]
fn executable_uses_mimalloc_as_its_allocator() {
    let output = carrel(&["--version"], &[("MIMALLOC_SHOW_STATS", "1")], "");
    assert!(output.status.success());
    let statistics = String::from_utf8_lossy(&output.stderr);
    let pages = statistics.lines().find_map(|line| {
        let (name, numbers) = line.split_once(':')?;
        let peak = numbers.split_whitespace().next()?;
        (name.trim() == "pages").then(|| peak.parse::<f64>().ok())?
    });
    assert!(pages.is_some_and(|pages| pages > 4.0), "{statistics}");
}

#[test]
fn read_prints_standard_input_and_files_as_text() {
    let page = crate::support::site::article();
    let text = printed(&carrel(&["read", "-"], &[], &page));
    assert!(text.starts_with("Title: A town by the sea\nAuthor: Ada Quill\n"), "{text}");
    assert!(text.contains("\n[p3] Paragraph 1 of Harbour"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("town.html");
    std::fs::write(&file, &page).unwrap();
    let file = file.to_str().unwrap();
    assert!(printed(&carrel(&["read", file, "--format", "markdown"], &[], "")).contains("## Harbour\n"));
    let json: Value =
        serde_json::from_str(&printed(&carrel(&["read", file, "--format", "json"], &[], ""))).unwrap();
    assert_eq!(json["title"], "A town by the sea");
    assert!(complained(&carrel(&["read", "/nothing.html"], &[], "")).contains("cannot be opened"));
    assert!(complained(&carrel(&["read", "-"], &[], "")).contains("no text"));
}

#[test]
fn read_fetches_a_url_through_the_guard() {
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.article("/town");
        let ask = async |settings: &'static [(&'static str, &'static str)]| {
            let url = url.clone();
            tokio::task::spawn_blocking(move || carrel(&["read", &url], settings, "")).await.unwrap()
        };
        assert!(
            printed(&ask(&[("CARREL_FETCH_ALLOW", "127.0.0.1")]).await)
                .starts_with("Title: A town by the sea")
        );
        assert!(complained(&ask(&[]).await).contains("not be fetched"));
        assert_eq!(app.site.hits("/town"), 1);
    });
}

#[test]
fn read_archives_the_displayed_page_and_reports_a_missing_browser() {
    run(async {
        let app = TestApp::spawn().await;
        let text = "The quay was built of stone, and its cranes were taken down in spring. ".repeat(6);
        let page = format!(
            "<!doctype html><title>Quay</title><style>h1 {{ color: teal; }}</style><h1>The quay</h1><p>{text}</p>\
             <script>document.querySelector('h1').append(' at dusk')</script>"
        );
        let url = app.site.put("/quay", Reply::html(page));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("page.html");
        let archive = async |renderer: &str| {
            let (url, renderer, file) = (url.clone(), renderer.to_owned(), file.to_str().unwrap().to_owned());
            let read = move || {
                let settings = [("CARREL_FETCH_ALLOW", "127.0.0.1"), ("CARREL_RENDERER", renderer.as_str())];
                carrel(&["read", &url, "--archive", &file], &settings, "")
            };
            tokio::task::spawn_blocking(read).await.unwrap()
        };
        assert!(complained(&archive("off").await).contains("install Chromium"));
        assert!(!file.exists());
        let Some(program) = articles::worker_tools::find_browser() else {
            eprintln!("SKIPPED: no Chromium is installed, so no page is archived (apt-get install chromium)");
            return;
        };
        assert!(printed(&archive(program.to_str().unwrap()).await).contains("cranes were taken down"));
        let html = std::fs::read_to_string(&file).unwrap();
        assert!(html.contains("The quay at dusk") && html.contains("h1 { color: teal; }"), "{html}");
        assert!(html.contains("default-src 'none'") && !html.contains("<script"), "{html}");
    });
}

#[test]
fn extract_returns_one_result_per_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("town.html");
    std::fs::write(&file, crate::support::site::article()).unwrap();
    let line = json!({"id": "a", "url": "https://example.com/town", "html_path": file}).to_string();
    let missing = json!({"id": 7, "url": null, "html_path": "/nothing"}).to_string();
    let text = printed(&carrel(&["extract"], &[], &format!("{line}\n{missing}\nno json\n{line}\n")));
    let answers: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 4);
    assert_eq!((&answers[0]["id"], &answers[0]["title"]), (&json!("a"), &json!("A town by the sea")));
    assert_eq!((&answers[0]["author"], &answers[0]["site"]), (&json!("Ada Quill"), &json!("The Gazette")));
    assert!(answers[0]["text"].as_str().unwrap().contains("bread and prices"));
    assert!(answers[0]["ms"].as_f64().unwrap() > 0.0);
    assert_eq!((&answers[1]["id"], &answers[1]["text"]), (&json!(7), &json!("")));
    assert!(answers[1]["error"].is_string() && answers[2]["error"].is_string());
    assert_eq!(answers[3]["text"], answers[0]["text"]);
}

#[test]
fn jobs_can_be_listed_inspected_cancelled_and_retried() {
    run(async {
        for world in World::ALL {
            let app = Setup::on(world).idle().spawn().await;
            let url = app.site.article("/town");
            app.post("/api/v1/read/jobs", &json!({"url": url})).await.expect(202);
            let database = app.database_url().to_owned();
            let tool = async |arguments: &[&str]| {
                let arguments: Vec<String> = arguments.iter().map(|&word| word.to_owned()).collect();
                let database = database.clone();
                let call = move || {
                    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
                    carrel(&arguments, &[("DATABASE_URL", &database)], "")
                };
                tokio::task::spawn_blocking(call).await.unwrap()
            };
            let list = printed(&tool(&["jobs", "list"]).await);
            let row = list.lines().nth(1).unwrap_or_else(|| panic!("{list}"));
            assert!(row.contains("read_job") && row.contains("ready"), "{row}");
            let id = row.split_whitespace().next().unwrap();
            assert!(printed(&tool(&["jobs", "show", id]).await).contains("state     ready"));
            assert!(printed(&tool(&["jobs", "cancel", id]).await).contains("state     failed"));
            assert_eq!(printed(&tool(&["jobs", "list", "--state", "ready"]).await).lines().count(), 1);
            assert!(printed(&tool(&["jobs", "retry", id]).await).contains("state     ready"));
            assert!(!tool(&["jobs", "show", "01940000-0000-7000-8000-000000000000"]).await.status.success());
        }
    });
}

#[test]
fn operator_can_reset_a_forgotten_password() {
    run(async {
        let app = TestApp::spawn().await;
        let person = Person::free(&app).await;
        let settings = [("DATABASE_URL", app.database_url()), ("CARREL_AUTH_URL", "https://my.example.org")];
        let account = |command: &str, email: &str, options: &[&str], input: &str| {
            let arguments = [&["account", command, email], options].concat();
            tokio::task::block_in_place(|| carrel(&arguments, &settings, input))
        };
        let stdin = &["--password-stdin"];
        let short = account("set-password", &person.email, stdin, "short\n");
        assert!(complained(&short).contains("Use at least 10 characters."), "{}", complained(&short));
        let set = printed(&account("set-password", &person.email, stdin, "another fine password\n"));
        assert!(set.contains(&person.email), "{set}");
        let link = printed(&account("reset-link", &person.email, &[], ""));
        let secret = link.trim().strip_prefix("https://my.example.org/reset?link=").unwrap();
        secret_scan::record_secret(secret);
        let reset = identity::accounts::find_reset(&app.app.domain, secret).await.unwrap();
        assert_eq!(reset.email, person.email);
        let unknown = account("reset-link", "nobody@example.org", &[], "");
        assert!(complained(&unknown).contains("no account with the e-mail address nobody@example.org"));
        let moved = printed(&account("set-tier", &person.email, &["pro"], ""));
        assert!(moved.contains("pro"), "{moved}");
    });
}

#[test]
fn operator_can_set_and_remove_quotas_of_an_account() {
    run(async {
        let app = TestApp::spawn().await;
        let person = Person::free(&app).await;
        let settings = [("DATABASE_URL", app.database_url())];
        let quota = |options: &[&str]| {
            let arguments = [&["account", "quota", person.email.as_str()], options].concat();
            tokio::task::block_in_place(|| carrel(&arguments, &settings, ""))
        };
        let limits = printed(&quota(&[]));
        assert!(limits.contains("storage        250 MiB  (plan)"), "{limits}");
        let limits = printed(&quota(&["--storage", "5GB", "--monitors", "7"]));
        assert!(limits.contains("storage        5 GB  (quota; plan: 250 MiB)"), "{limits}");
        assert!(limits.contains("monitors       7  (quota; plan: 3)"), "{limits}");
        let limits = printed(&quota(&["--storage", "plan", "--credits", "0"]));
        assert!(limits.contains("storage        250 MiB  (plan)"), "{limits}");
        assert!(limits.contains("monitors       7  (quota; plan: 3)"), "{limits}");
        assert!(limits.contains("credits        0  (quota; plan: 100)"), "{limits}");
        let wrong = complained(&quota(&["--storage", "much"]));
        assert!(wrong.contains("Enter a size such as 5 GB"), "{wrong}");
        assert!(complained(&quota(&["--feeds", "1"])).contains("--feeds"));
    });
}

#[test]
fn operator_can_change_an_address_and_remove_a_second_factor() {
    run(async {
        let app = TestApp::spawn().await;
        let person = Person::free(&app).await;
        let settings = [("DATABASE_URL", app.database_url())];
        let account = |arguments: &[&str]| {
            let arguments = [&["account"], arguments].concat();
            tokio::task::block_in_place(|| carrel(&arguments, &settings, ""))
        };
        let set = printed(&account(&["set-email", &person.email, "New@example.org"]));
        assert!(set.contains("new@example.org"), "{set}");
        let unknown = account(&["set-email", &person.email, "other@example.org"]);
        assert!(complained(&unknown).contains("no account with the e-mail address"));
        let removed = printed(&account(&["remove-second-factor", "new@example.org"]));
        assert!(removed.contains("new@example.org"), "{removed}");
    });
}

#[test]
fn migrate_is_idempotent_and_required_by_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite://{}/carrel.db?mode=rwc", folder.path().display());
    let settings = [("DATABASE_URL", database.as_str())];
    assert!(complained(&carrel(&["jobs", "list"], &settings, "")).contains("there is no installation here"));
    for _ in 0..2 {
        printed(&carrel(&["migrate"], &settings, ""));
    }
    printed(&carrel(&["jobs", "list"], &settings, ""));
}

#[test]
fn separate_processes_refuse_an_embedded_database() {
    for role in ["web", "worker", "scheduler"] {
        let text = complained(&carrel(&[role], &[], ""));
        assert!(text.contains("PostgreSQL") && text.contains("carrel serve"), "{text}");
    }
}

#[test]
fn all_invalid_settings_are_reported_in_one_error() {
    let settings = [("CARREL_LISTEN", "nowhere"), ("CARREL_LEASE_SECONDS", "0"), ("CARREL_LISTTEN", "x")];
    let text = complained(&carrel(&["serve"], &settings, ""));
    for message in [
        "CARREL_LISTEN: must be an address with a port, such as 127.0.0.1:8080",
        "CARREL_LEASE_SECONDS: must be a whole number from 1 to 3600, but is `0`",
        "CARREL_LISTTEN: there is no such setting; did you mean CARREL_LISTEN?",
    ] {
        assert!(text.contains(message), "{message} is not in {text}");
    }
}

#[test]
fn help_lists_commands_and_examples() {
    let text = printed(&carrel(&["--help"], &[], ""));
    for word in
        ["serve", "web", "worker", "scheduler", "migrate", "read", "extract", "jobs", "openapi", "Examples:"]
    {
        assert!(text.contains(word), "{word}");
    }
    assert!(!text.contains("extract-child"));
}

#[test]
fn log_to_a_file_has_no_colors() {
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite://{}/carrel.db?mode=rwc", folder.path().display());
    let output = carrel(&["migrate"], &[("DATABASE_URL", database.as_str())], "");
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(log.contains("the database is up to date") && !log.contains('\u{1b}'), "{log:?}");
}

#[test]
fn address_in_use_is_reported_with_its_setting_before_serving() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let listen = taken.local_addr().unwrap().to_string();
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite://{}/carrel.db?mode=rwc", folder.path().display());
    let settings = [("DATABASE_URL", database.as_str()), ("CARREL_LISTEN", listen.as_str())];
    let text = complained(&carrel(&["serve"], &settings, ""));
    assert!(text.contains("the address is in use") && text.contains("CARREL_LISTEN"), "{text}");
    assert!(!text.contains("answering"), "{text}");
}

#[test]
fn unreachable_database_is_reported_immediately_without_repetition() {
    let settings = [("DATABASE_URL", "postgres://carrel@127.0.0.1:1/carrel")];
    // On a busy machine, a command may start late.
    let is_immediate = (0..3).any(|_| {
        let begun = std::time::Instant::now();
        let text = complained(&carrel(&["migrate"], &settings, ""));
        assert!(text.contains("PostgreSQL at 127.0.0.1:1 (DATABASE_URL) cannot be reached"), "{text}");
        assert_eq!(text.matches("refused").count(), 1, "{text}");
        begun.elapsed() < std::time::Duration::from_secs(8)
    });
    assert!(is_immediate, "the command does not wait for a connection pool");
}

#[test]
fn closed_output_pipe_stops_a_command_without_error() {
    let mut child = Command::new(CARREL)
        .args(["read", "-"])
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let page = crate::support::site::article();
    let _ = child.stdin.take().unwrap().write_all(page.as_bytes());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn read_answers_a_query_and_resolves_links_against_a_base() {
    let page = crate::support::site::article();
    let text = printed(&carrel(&["read", "-", "--query", "bread prices"], &[], &page));
    assert!(text.contains("bread and prices"), "{text}");
    assert!(text.matches("\n[p").count() <= 10);
    assert!(complained(&carrel(&["read", "-", "--query", "zyzzyva"], &[], &page)).contains("zyzzyva"));
    let words = "Many words stand in this paragraph, so that it is a text for people. ".repeat(6);
    let page =
        format!("<html><title>T</title><article><p>{words}<a href=\"/x\">More</a> {words}</p></article>");
    let arguments = ["read", "-", "--format", "markdown", "--base", "https://example.com/a/"];
    let text = printed(&carrel(&arguments, &[], &page));
    assert!(text.contains("(https://example.com/x)"), "{text}");
}

#[test]
fn listen_address_on_the_command_line_overrides_the_setting() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let listen = taken.local_addr().unwrap().to_string();
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite://{}/carrel.db?mode=rwc", folder.path().display());
    let settings = [("DATABASE_URL", database.as_str()), ("CARREL_LISTEN", "127.0.0.1:1")];
    let text = complained(&carrel(&["serve", "--listen", &listen], &settings, ""));
    assert!(text.contains(&format!("cannot answer at {listen}")), "{text}");
}

#[test]
fn completion_scripts_are_generated_for_shells() {
    for shell in ["bash", "zsh", "fish"] {
        let script = printed(&carrel(&["completions", shell], &[], ""));
        assert!(script.contains("carrel") && script.contains("migrate"), "{script}");
    }
}
