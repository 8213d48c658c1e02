//! First run on the command line: the text of the first start, `carrel init`, `carrel check`, `carrel man`.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use kernel::Backend;
use kernel::testing::TestDatabase;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::support::browser::between;
use crate::support::run;
use crate::support::servers::CARREL;

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(CARREL);
    command.args(arguments).env_clear().current_dir(folder).stdin(Stdio::null());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn check(folder: &Path, settings: &[(&str, &str)]) -> (bool, Value) {
    let output = command(folder, &["check", "--json"]).envs(settings.iter().copied()).output().unwrap();
    let findings: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    (output.status.success(), findings)
}

fn state_of<'a>(findings: &'a Value, check: &str) -> &'a Value {
    let all = findings["checks"].as_array().unwrap();
    let finding = all.iter().find(|finding| finding["check"] == check);
    &finding.unwrap_or_else(|| panic!("{check} is missing in {findings}"))["state"]
}

#[test]
fn first_start_prints_six_lines_and_second_start_prints_none() {
    let folder = tempfile::tempdir().unwrap();
    for expected in [6, 0] {
        let mut child = command(folder.path(), &[])
            .env("CARREL_LISTEN", "127.0.0.1:0")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let answers = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let log: Vec<String> = answers.take_while(|line| !line.contains("answering")).collect();
        child.kill().unwrap();
        let printed = text(&child.wait_with_output().unwrap().stdout);
        assert_eq!(printed.lines().count(), expected, "{printed} {log:?}");
        if expected > 0 {
            for word in
                ["127.0.0.1:0", "data/carrel.db", "/sign-up", "carrel account create", "Ctrl+C", "/docs"]
            {
                assert!(printed.contains(word), "{word} is missing in {printed}");
            }
        }
    }
}

#[test]
fn init_never_overwrites_and_the_service_reads_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let ask = |input: &str| -> Output {
        let mut child = command(folder.path(), &["init"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        child.wait_with_output().unwrap()
    };
    assert!(text(&ask("").stderr).contains("--yes"), "without answers nothing is written");
    assert!(text(&ask("ftp://x\n\n\n").stderr).contains("must be a bare origin"));
    let written = ask("http://127.0.0.1:9000\nstore\n\n");
    assert!(written.status.success(), "{written:?}");
    assert!(text(&written.stderr).contains("Public address of the service [http://127.0.0.1:8080]: "));
    let file = folder.path().join("carrel.env");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let before = std::fs::read_to_string(&file).unwrap();
    assert!(before.contains("\nDATABASE_URL=sqlite://store/carrel.db?mode=rwc\n"), "{before}");
    let again = ask("\n\n\n");
    assert!(!again.status.success() && text(&again.stderr).contains("is not changed"), "{again:?}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), before);
    assert!(command(folder.path(), &["migrate"]).status().unwrap().success());
    assert!(folder.path().join("store/carrel.db").exists(), "the service uses carrel.env");
    std::fs::write(folder.path().join(".env"), "DATABASE_URL=sqlite://other/carrel.db?mode=rwc\n").unwrap();
    assert!(command(folder.path(), &["migrate"]).status().unwrap().success());
    assert!(folder.path().join("other/carrel.db").exists(), ".env overrides carrel.env");
}

#[test]
fn init_without_questions_takes_flags_and_refuses_invalid_flags() {
    let folder = tempfile::tempdir().unwrap();
    let init = |arguments: &[&str]| {
        command(folder.path(), &[&["init", "--yes"], arguments].concat()).output().unwrap()
    };
    let refused = init(&["--mail", "http://mail.example.org"]);
    assert!(text(&refused.stderr).contains("CARREL_SMTP_URL"), "{refused:?}");
    let mail = ["--mail", "smtps://u:p$w@mail.example.org"];
    let written =
        init(&[&["--address", "https://carrel.example.org", "--out", "set.env"], &mail[..]].concat());
    assert!(written.status.success(), "{written:?}");
    let set = std::fs::read_to_string(folder.path().join("set.env")).unwrap();
    assert!(set.contains("\nCARREL_SMTP_URL='smtps://u:p$w@mail.example.org'\n"), "{set}");
    assert!(set.contains("\nCARREL_MAIL_FROM='Carrel <carrel@carrel.example.org>'\n"), "{set}");
}

#[test]
fn check_before_the_first_start_succeeds_and_creates_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (is_ok, findings) = check(folder.path(), &[]);
    assert!(is_ok && findings["ok"] == json!(true), "{findings}");
    for name in [
        "settings", "database", "storage", "mail", "single sign-on", "public address", "tls",
        "proxy headers", "clock",
    ] {
        assert_eq!(state_of(&findings, name), "ok", "{findings}");
    }
    let database = folder.path().join("data/carrel.db").display().to_string();
    let text = findings.to_string();
    assert!(text.contains(&format!("there is no installation here yet: {database} is created")), "{text}");
    assert_eq!(state_of(&findings, "queue"), "skipped");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Commands that need no installation, wait for one, or create one.
const INDEPENDENT_COMMANDS: &[&str] = &[
    "serve", "web", "worker", "scheduler", "init", "check", "migrate", "read", "feed", "extract", "restore",
    "mcp", "notes", "openapi", "completions", "man", "handbook", "help",
];

/// A call of each command that works on an existing installation.
const CALLS: &[&[&str]] = &[
    &["import", "-", "--account", "me@example.org"],
    &["export", "--account", "me@example.org"],
    &["import-server", "karakeep", "https://keep.example.org", "--account", "me@example.org"],
    &["backup", "carrel.tar"],
    &["after-restore"],
    &["move", "--to", "postgres://carrel@127.0.0.1:1/carrel"],
    &["doctor"],
    &["account", "list"],
    &["demo"],
    &["key", "list", "me@example.org"],
    &["credits", "audit"],
    &["jobs", "list"],
    &["inbox", "deliver", "copper-meadow-4821@in.example.org"],
    &["monitors", "export", "--account", "me@example.org"],
];

#[test]
fn command_without_an_installation_reports_its_database_and_creates_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let help = text(&command(folder.path(), &["--help"]).output().unwrap().stdout);
    let names = between(&help, "Commands:\n", "\n\n")
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty());
    for name in names {
        let is_listed = INDEPENDENT_COMMANDS.contains(&name) || CALLS.iter().any(|call| call[0] == name);
        assert!(is_listed, "{name} is in neither list");
    }
    let database = folder.path().join("data/carrel.db").display().to_string();
    for call in CALLS {
        let output = command(folder.path(), call).output().unwrap();
        // A mail server repeats the delivery.
        let status = if call[0] == "inbox" { 75 } else { 1 };
        assert_eq!(output.status.code(), Some(status), "{call:?} {output:?}");
        let refusal = text(&output.stderr);
        let named =
            format!("there is no installation here: the database {database} (DATABASE_URL) does not exist");
        assert!(
            refusal.contains(&named) && refusal.contains("in the folder of the service"),
            "{call:?} {refusal}"
        );
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{call:?}");
    }
}

#[test]
fn command_with_a_database_but_without_its_files_creates_no_folder() {
    run(async {
        for database in TestDatabase::each().await {
            let folder = tempfile::tempdir().unwrap();
            let settings = [("DATABASE_URL", database.url.as_str()), ("CARREL_FILES", "data/files")];
            let call =
                |arguments: &[&str]| command(folder.path(), arguments).envs(settings).output().unwrap();
            for arguments in [&["export", "--account", "me@example.org"][..], &["demo"]] {
                let output = call(arguments);
                assert_eq!(output.status.code(), Some(1), "{output:?}");
                assert!(
                    text(&output.stderr).contains("data/files (CARREL_FILES) does not exist"),
                    "{output:?}"
                );
            }
            assert!(call(&["doctor"]).status.success(), "the store is empty");
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    });
}

#[test]
fn command_on_an_empty_database_reports_no_installation() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("carrel.db"), "").unwrap();
        let postgres = TestDatabase::create(Backend::Postgres).await;
        let empty = "DROP SCHEMA public CASCADE; CREATE SCHEMA public";
        postgres.domain.db().write().execute_unprepared(empty).await.unwrap();
        for url in ["sqlite://carrel.db?mode=rwc", postgres.url.as_str()] {
            for arguments in [&["account", "list"][..], &["doctor"]] {
                let output = command(folder.path(), arguments).env("DATABASE_URL", url).output().unwrap();
                assert_eq!(output.status.code(), Some(1), "{output:?}");
                let refusal = text(&output.stderr);
                assert!(refusal.contains("there is no installation here: the database "), "{refusal}");
                assert!(refusal.contains("is empty") && !refusal.contains("carrel migrate"), "{refusal}");
            }
            let (_, findings) = check(folder.path(), &[("DATABASE_URL", url)]);
            assert!(findings.to_string().contains("no installation here yet"), "{findings}");
            assert_eq!(state_of(&findings, "database"), "warning", "{findings}");
        }
    });
}

#[test]
fn check_reports_every_unreachable_service_with_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("blocked"), "a file").unwrap();
    let settings = [
        ("DATABASE_URL", "postgres://carrel:hush@127.0.0.1:1/carrel"),
        ("REDIS_URL", "redis://127.0.0.1:1"),
        ("CARREL_FILES", "blocked/files"),
        ("CARREL_SMTP_URL", "smtp://127.0.0.1:1"),
        ("CARREL_MAIL_FROM", "carrel@example.org"),
        ("CARREL_OIDC_ISSUER", "http://127.0.0.1:1"),
        ("CARREL_OIDC_CLIENT_ID", "carrel"),
        ("CARREL_OIDC_CLIENT_SECRET", "hush"),
        ("CARREL_BASE_URL", "http://carrel.example.org"),
        ("CARREL_TRUSTED_PROXIES", "0.0.0.0/0"),
    ];
    let (is_ok, findings) = check(folder.path(), &settings);
    assert!(!is_ok && findings["ok"] == json!(false), "{findings}");
    for name in ["database", "redis", "storage", "mail", "single sign-on", "public address", "proxy headers"]
    {
        assert_eq!(state_of(&findings, name), "fault", "{findings}");
    }
    let hints = findings["checks"].as_array().unwrap().iter().filter(|finding| finding["hint"].is_string());
    assert!(hints.count() >= 6, "{findings}");
    assert!(!findings.to_string().contains("hush"), "{findings}");
    let output = command(folder.path(), &["check"]).envs(settings).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("\n  to do: "), "{output:?}");
    let (is_ok, findings) = check(folder.path(), &[("CARREL_LISTEN", "nowhere"), ("CARREL_LISTTEN", "x")]);
    assert!(!is_ok && findings["checks"].as_array().unwrap().len() == 2, "{findings}");
    for (setting, missing) in [
        (("CARREL_OIDC_ONLY", "on"), "CARREL_OIDC_ISSUER"),
        (("CARREL_AUTH_HEADER", "Remote-Email"), "CARREL_TRUSTED_PROXIES"),
    ] {
        let (is_ok, findings) = check(folder.path(), &[setting]);
        assert!(!is_ok && findings.to_string().contains(&format!("{missing}: is required")), "{findings}");
    }
}

#[test]
fn check_of_a_migrated_database_succeeds_on_each_engine() {
    run(async {
        for database in TestDatabase::each().await {
            let folder = tempfile::tempdir().unwrap();
            let (is_ok, findings) = check(folder.path(), &[("DATABASE_URL", database.url.as_str())]);
            assert!(is_ok, "{findings}");
            for name in ["database", "queue", "clock"] {
                assert_eq!(state_of(&findings, name), "ok", "{findings}");
            }
        }
    });
}

#[test]
fn readiness_check_fails_without_a_service() {
    let folder = tempfile::tempdir().unwrap();
    let output = command(folder.path(), &["check", "--ready"]).env("CARREL_LISTEN", "127.0.0.1:1").output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("no service answers at 127.0.0.1:1"), "{output:?}");
}

#[test]
fn manual_page_describes_commands() {
    let folder = tempfile::tempdir().unwrap();
    let page = text(&command(folder.path(), &["man"]).output().unwrap().stdout);
    assert!(page.starts_with(".TH CARREL 1 "), "{page}");
    for word in [".SS carrel account create", ".SH EXIT STATUS", "carrel.env", ".SS carrel check"] {
        assert!(page.contains(word), "{word}");
    }
    assert!(!page.contains("import\\-child"), "hidden commands are omitted");
}
