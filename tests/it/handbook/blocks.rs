//! Executes the commands and programs of the handbook in the order of its pages, against a separate service
//! and a local site. A block that cannot run states the reason: `not-run="…"`.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use kernel::tiers::Tiers;

use super::recipes;
use crate::support::installation::Installation;
use crate::support::servers::CARREL;
use crate::support::{Reply, Site, TestApp, run, secret_scan};

/// Number of blocks that do not run. Raise it only for a block that no test can run.
const BLOCKS_NOT_RUN: usize = 17;

/// Languages of blocks that are neither commands nor programs.
const DATA: [&str; 4] = ["nginx", "sql", "text", "toml"];

/// Beginning of each shell script. `curl` exits with an error on HTTP error statuses.
const PRELUDE: &str = "set -eu -o pipefail\nPATH=\"$PROGRAMS:$PATH\"\n\
    curl() { command curl -sS --fail-with-body \"$@\"; }\n";

/// Fenced block of a page.
struct Block {
    page: String,
    language: String,
    /// Reason why the block does not run.
    not_run: Option<String>,
    text: String,
}

/// Returns the blocks of all written pages, in the order of the contents.
fn blocks() -> Vec<Block> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/handbook");
    let summary = std::fs::read_to_string(folder.join("SUMMARY.md")).unwrap();
    let names = summary.split("](").skip(1).filter_map(|rest| rest.split(".md)").next());
    let mut blocks = Vec::new();
    for page in names {
        // Generated pages have no file.
        let Ok(text) = std::fs::read_to_string(folder.join(format!("{page}.md"))) else { continue };
        let mut block: Option<Block> = None;
        for line in text.lines() {
            if let Some(info) = line.strip_prefix("```") {
                match block.take() {
                    Some(complete) => blocks.push(complete),
                    None => block = Some(Block::of(page, info)),
                }
            } else if let Some(block) = &mut block {
                block.text.push_str(&format!("{line}\n"));
            }
        }
        assert!(block.is_none(), "{page}: a block has no end");
    }
    blocks
}

impl Block {
    fn of(page: &str, info: &str) -> Self {
        let (language, rest) = info.split_once(' ').unwrap_or((info, ""));
        let reason = rest.strip_prefix("not-run=\"").and_then(|rest| rest.strip_suffix('"'));
        assert!(rest.is_empty() || reason.is_some_and(|reason| reason.len() > 5), "{page}: {info}");
        let not_run = reason.map(str::to_owned);
        Self { page: page.to_owned(), language: language.to_owned(), not_run, text: String::new() }
    }
}

fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Environment of the scripts.
struct Workshop<'a> {
    service: &'a Installation,
    site: &'a Site,
    /// Working directory of all scripts.
    folder: tempfile::TempDir,
    /// API key of the account that the page *Start in five minutes* creates. Empty before.
    key: String,
}

impl Workshop<'_> {
    /// Replaces the addresses in the examples with those of the service and of the site.
    fn localized(&self, text: &str) -> String {
        text.replace("http://127.0.0.1:8080", &self.service.origin)
            .replace("https://blog.rust-lang.org/feed.xml", &self.site.url("/feed.xml"))
            .replace("https://example.com/", &self.site.url("/"))
    }

    /// Runs a program in the working directory. Returns its standard output.
    fn run(&self, about: &str, program: &str, arguments: &[&str]) -> String {
        let mut command = Command::new(program);
        // Settings of the tests are not settings of the service.
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if ["CARREL_", "DATABASE_", "REDIS_", "OTEL_"].iter().any(|prefix| text.starts_with(prefix)) {
                command.env_remove(&name);
            }
        }
        let database = format!("sqlite://{}/carrel.db?mode=rwc", self.service.data.path().display());
        let output = command
            .args(arguments)
            .current_dir(self.folder.path())
            .env("PROGRAMS", Path::new(CARREL).parent().unwrap())
            .env("DATABASE_URL", database)
            .env("CARREL_LISTEN", self.service.origin.trim_start_matches("http://"))
            .env("CARREL_FETCH_ALLOW", "127.0.0.1")
            .env("no_proxy", "*")
            .env("KEY", &self.key)
            .stdin(Stdio::null())
            .output()
            .unwrap_or_else(|error| panic!("{about}: {program}: {error}"));
        let (printed, log) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{about} fails:\n{printed}\n{log}");
        printed.into_owned()
    }

    fn run_shell(&self, about: &str, script: &str) -> String {
        self.run(about, "bash", &["-c", &format!("{PRELUDE}{script}")])
    }

    /// Runs the blocks of one page and language as one script.
    fn run_blocks(&self, page: &str, language: &str, blocks: &[&Block]) {
        let about = format!("{page} ({language})");
        let texts = blocks.iter().enumerate().map(|(number, block)| match language {
            "sh" => format!("echo '# block {number}' >&2\n{}", block.text),
            _ => block.text.clone(),
        });
        let script = self.localized(&texts.collect::<Vec<_>>().join("\n"));
        let (program, file) = match language {
            "sh" => {
                self.run_shell(&about, &script);
                return;
            }
            "python" => ("python3", "recipe.py"),
            "javascript" => ("node", "recipe.mjs"),
            _ => panic!("{page}: blocks of the language {language} have no runner"),
        };
        std::fs::write(self.folder.path().join(file), script).unwrap();
        self.run(&about, program, &[file]);
    }
}

/// Adds the pages and the feed of the examples to the site.
fn publish_examples(site: &Site) {
    let page = "<!doctype html><html lang=\"en\"><head><title>Example Domain</title></head><body><article>\
        <h1>Example Domain</h1><p>This domain is for use in documentation examples without needing permission.</p>\
        <p>Avoid use in operations, and read this paragraph, which has enough words to be a text of its own.</p>\
        <p>Price: <b class=\"price\">12.50</b></p></article></body></html>";
    for path in ["/", "/prices", "/table"] {
        site.put(path, Reply::html(page));
    }
    let feed = format!(
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Rust</title><link>{}</link>\
         <item><title>First</title><guid>1</guid><link>{}</link><description>Hello.</description></item>\
         </channel></rss>",
        site.url("/"),
        site.url("/prices")
    );
    site.put("/feed.xml", Reply::bytes("application/rss+xml", feed.into_bytes()));
}

#[test]
fn every_command_and_program_of_the_handbook_runs() {
    assert!(is_installed("bash") && is_installed("curl"), "the handbook needs bash and curl");
    run(async {
        let app = TestApp::spawn().await;
        publish_examples(&app.site);
        let settings = [("CARREL_FETCH_ALLOW", "127.0.0.1"), ("CARREL_READER_LIMITS", "off")];
        let service = Installation::start(&app, &settings).await;
        let folder = tempfile::tempdir().unwrap();
        let mut workshop = Workshop { service: &service, site: &app.site, folder, key: String::new() };
        let blocks = blocks();
        let mut pages: Vec<&str> = blocks.iter().map(|block| block.page.as_str()).collect();
        pages.dedup();
        let mut count = 0;
        for page in pages {
            if page != "start" && workshop.key.is_empty() {
                let create = "carrel key create me@example.org --name handbook";
                workshop.key = workshop.run_shell("a key", create).trim().to_owned();
                secret_scan::record_secret(&workshop.key);
            }
            for (language, program) in [("sh", "bash"), ("python", "python3"), ("javascript", "node")] {
                let is_own = |block: &&Block| {
                    block.page == page && block.language == language && block.not_run.is_none()
                };
                let own: Vec<&Block> = blocks.iter().filter(is_own).collect();
                if own.is_empty() {
                    continue;
                }
                if !is_installed(program) {
                    eprintln!("{program} is not installed: {} blocks of {page} do not run", own.len());
                    continue;
                }
                workshop.run_blocks(page, language, &own);
                count += own.len();
            }
        }
        assert!(count > 50, "only {count} blocks ran");
    });
}

#[test]
fn every_block_of_the_handbook_runs_or_states_why_not() {
    let mut not_run: BTreeMap<&str, usize> = BTreeMap::new();
    let blocks = blocks();
    for block in &blocks {
        let Block { page, language, text, .. } = block;
        if let Some(reason) = &block.not_run {
            *not_run.entry(reason).or_default() += 1;
            continue;
        }
        match language.as_str() {
            "sh" | "python" | "javascript" => {}
            "rust" => assert!(recipes::SOURCE.contains(text), "{page}: recipes.rs lacks this block:\n{text}"),
            "toml" => assert!(Tiers::parse(text).is_ok(), "{page}: {text}"),
            other => assert!(DATA.contains(&other), "{page}: a block has the language `{other}`"),
        }
    }
    let count: usize = not_run.values().sum();
    assert_eq!(count, BLOCKS_NOT_RUN, "{not_run:#?}");
}
