//! Handbook: its pages and their links, its search, the pages that are generated from the code, and the files
//! for mdBook.

mod blocks;
mod recipes;

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Stdio};

use carrel::ops::METRICS;
use http_kit::config::SETTINGS_SAMPLE;
use kernel::Code;

use crate::support::browser::between;
use crate::support::servers::CARREL;
use crate::support::{Setup, TestApp, World, run};

const PATH: &str = "/docs/handbook";

/// Returns the values of an attribute in a page.
fn values<'a>(page: &'a str, name: &str) -> Vec<&'a str> {
    let mark = format!(" {name}=\"");
    page.match_indices(&mark).filter_map(|(start, _)| page[start + mark.len()..].split('"').next()).collect()
}

/// Opens all pages of the contents. Returns them by path.
async fn pages(app: &TestApp) -> BTreeMap<String, String> {
    let first = app.get(PATH).await.expect(200).text();
    let contents = between(&first, "<nav id=\"contents\"", "</nav>");
    let paths: BTreeSet<&str> =
        values(contents, "href").into_iter().filter(|path| path.starts_with('/')).collect();
    assert!(paths.len() > 25 && paths.contains(PATH), "{paths:?}");
    let mut pages = BTreeMap::new();
    for path in paths {
        let answer = app.get(path).await.expect(200);
        assert!(answer.header("content-security-policy").starts_with("default-src 'none'"));
        pages.insert(path.to_owned(), answer.text());
    }
    pages
}

#[test]
fn every_link_and_anchor_of_the_handbook_resolves() {
    run(async {
        let app = TestApp::spawn().await;
        let pages = pages(&app).await;
        let mut checked = BTreeSet::new();
        for (path, page) in &pages {
            assert_eq!(page.matches("<h1>").count(), 1, "{path} has one title");
            assert!(page.matches("<script").count() == 1 && !page.contains("<!--"), "{path}");
            let ids = values(page, "id");
            assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{path}: {ids:?}");
            let main = between(page, "<main", "</main>");
            assert!(!main.contains("alt=\"\""), "{path}: a picture has no text");
            for picture in values(main, "src").into_iter().filter(|source| source.contains("/pictures/")) {
                let answer = app.get(picture).await.expect(200);
                assert_eq!(answer.header("content-type"), "image/webp", "{path}: {picture}");
                checked.insert(picture.to_owned());
            }
            for link in values(main, "href") {
                let local = link.strip_prefix(&app.origin).unwrap_or(link);
                let (target, anchor) = local.split_once('#').unwrap_or((local, ""));
                let target = if target.is_empty() { path.as_str() } else { target };
                if !target.starts_with('/') {
                    assert!(target.starts_with("https://"), "{path}: {link}");
                } else if let Some(other) = pages.get(target) {
                    let has_anchor = anchor.is_empty() || values(other, "id").contains(&anchor);
                    assert!(has_anchor, "{path}: {link} leads to no anchor");
                } else if checked.insert(target.to_owned()) {
                    let status = app.get(target).await.status;
                    assert!(status < 400, "{path}: {link} is answered with {status}");
                }
            }
        }
        assert!(checked.len() > 3, "{checked:?}");
        for page in ["start", "reading", "following", "watching"] {
            let picture = format!("{PATH}/pictures/{page}.webp");
            assert!(checked.contains(&picture), "{picture} is on no page");
        }
        app.get(&format!("{PATH}/pictures/nothing.webp")).await.expect(404);
    });
}

#[test]
fn handbook_examples_use_the_addresses_of_the_service() {
    run(async {
        let app = Setup::on(World::Small)
            .set("CARREL_BASE_URL", "https://api.carrel.example")
            .set("CARREL_READER_URL", "https://read.carrel.example")
            .set("CARREL_AUTH_URL", "https://my.carrel.example")
            .spawn()
            .await;
        let host = [("host", "read.carrel.example")];
        let page = app.get_with("/docs/handbook/api", &host).await.expect(200).text();
        assert!(
            page.contains("https://api.carrel.example/v1/me") && !page.contains("127.0.0.1:8080"),
            "{page}"
        );
        let page = app.get_with("/docs/handbook/start", &host).await.expect(200).text();
        assert!(page.contains("href=\"https://my.carrel.example/sign-up\""), "{page}");
        assert!(page.contains("curl https://read.carrel.example/https://example.com/"), "{page}");
        app.get_with(PATH, &[("host", "api.carrel.example")]).await.expect(404);
    });
}

#[test]
fn search_lists_sections_that_contain_all_words() {
    run(async {
        let app = TestApp::spawn().await;
        let results = app.get("/docs/handbook?q=carrel_listen+listen").await.expect(200).text();
        assert!(results.contains("href=\"/docs/handbook/settings#carrel_listen\""), "{results}");
        let none = app.get("/docs/handbook?q=%3Cscript%3Enowhere").await.expect(200).text();
        assert!(none.contains("&lt;script&gt;nowhere") && none.contains("No section has"), "{none}");
        let long = format!("/docs/handbook?q={}", "backup+".repeat(400));
        assert!(app.get(&long).await.expect(200).text().contains("/docs/handbook/backup"));
        let empty = app.get("/docs/handbook?q=+").await.expect(200).text();
        assert!(empty.contains("<h1>The handbook</h1>"), "{empty}");
        let browser = ("accept", "text/html");
        let unknown = app.get_with("/docs/handbook/nothing", &[browser]).await.expect(404).text();
        assert!(unknown.contains("Page not found"), "{unknown}");
    });
}

#[test]
fn every_setting_metric_code_and_command_is_in_the_handbook() {
    run(async {
        let app = TestApp::spawn().await;
        let page = async |name: &str| app.get(&format!("{PATH}/{name}")).await.expect(200).text();
        let settings = page("settings").await;
        let lines = SETTINGS_SAMPLE.lines().filter(|line| !line.starts_with('#'));
        for (name, _) in lines.filter_map(|line| line.split_once('=')) {
            assert!(settings.contains(&format!("<code>{name}</code>")), "{name} is missing");
        }
        let metrics = page("metrics").await;
        for metric in METRICS {
            assert!(metrics.contains(&format!("<code>{}</code>", metric.name)), "{} is missing", metric.name);
        }
        let errors = page("errors").await;
        let codes = Code::ALL.iter().filter(|code| errors.contains(&format!("<td><code>{code}</code></td>")));
        let documented = http_kit::problem::ErrorGroup::Reader.codes().into_iter();
        let documented = documented.chain(http_kit::problem::ErrorGroup::Developer.codes());
        let documented: BTreeSet<Code> = documented.map(|(entry, _)| entry.code).collect();
        assert_eq!(codes.copied().collect::<BTreeSet<_>>(), documented);
        let commands = page("commands").await;
        let help = Command::new(CARREL).arg("--help").env_clear().output().unwrap();
        let help = String::from_utf8(help.stdout).unwrap();
        let listed = between(&help, "Commands:\n", "\n\n");
        let names: Vec<&str> = listed
            .lines()
            .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
            .filter(|name| !name.is_empty() && *name != "help")
            .collect();
        assert!(names.len() > 20, "{help}");
        for name in names {
            assert!(commands.contains(&format!("<code>carrel {name}</code>")), "{name} is missing");
        }
    });
}

#[test]
fn handbook_command_writes_the_source_of_a_book() {
    let folder = tempfile::tempdir().unwrap();
    let write = || {
        let mut command = Command::new(CARREL);
        command.args(["handbook", "book"]).env_clear().current_dir(folder.path()).stdin(Stdio::null());
        command.output().unwrap()
    };
    let output = write();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read = |name: &str| std::fs::read_to_string(folder.path().join("book").join(name)).unwrap();
    let summary = read("SUMMARY.md");
    let listed: Vec<&str> = summary.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(listed.len() > 25, "{summary}");
    for name in listed {
        assert!(read(name).starts_with("# "), "{name}");
    }
    let picture = std::fs::read(folder.path().join("book/pictures/start.webp")).unwrap();
    assert!(picture.starts_with(b"RIFF") && read("start.md").contains("](pictures/start.webp)"));
    assert!(read("book.toml").contains("[book]") && read("commands.md").contains("\n## `carrel handbook`\n"));
    let again = write();
    assert!(!again.status.success());
    assert!(String::from_utf8_lossy(&again.stderr).contains("is not empty"));
}
