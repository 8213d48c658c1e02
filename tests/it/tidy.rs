//! Repository rules that no compiler checks: file length and head, crate dependencies, test style, and
//! forbidden paths. Licences are checked by `deny.toml`, import cycles by `circles.rs`.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Maximum length of a source file in lines.
const MOST_LINES: usize = 400;
/// Arrows between crates, as in `ARCHITECTURE.md`. A crate may depend on every crate below it on a path of
/// arrows.
const ARROWS: &[(&str, &[&str])] = &[
    ("carrel", &["web", "mcp", "api", "reader", "oauth", "apps", "migrations"]),
    ("web", &["api", "reader"]),
    ("mcp", &["api"]),
    ("api", &["http-kit"]),
    ("reader", &["http-kit"]),
    ("oauth", &["http-kit"]),
    ("apps", &["http-kit"]),
    ("http-kit", &["application"]),
    ("application", &["library"]),
    ("library", &["monitors"]),
    ("monitors", &["feeds", "notices"]),
    ("feeds", &["articles"]),
    ("notices", &["articles"]),
    ("articles", &["identity"]),
    ("identity", &["jobs"]),
    ("jobs", &["kernel"]),
    ("kernel", &["entities", "fetch", "extract"]),
    ("entities", &[]),
    ("fetch", &["sites"]),
    ("extract", &["sites"]),
    ("sites", &[]),
    ("migrations", &[]),
];

/// True if a path of arrows leads from one crate to the other.
fn is_below(upper: &str, lower: &str) -> bool {
    let (_, arrows) = ARROWS.iter().find(|(name, _)| *name == upper).expect("every crate is known here");
    arrows.iter().any(|next| *next == lower || is_below(next, lower))
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every text file tracked by git, with its content.
fn files() -> Vec<(String, String)> {
    let output = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output().expect("git runs");
    let names = String::from_utf8(output.stdout).expect("names in UTF-8");
    let names = names.split('\0').filter(|name| !name.is_empty());
    let read = |name: &str| Some((name.to_owned(), std::fs::read_to_string(root().join(name)).ok()?));
    let files: Vec<(String, String)> = names.filter_map(read).collect();
    assert!(files.len() > 100, "git names the files");
    files
}

pub(crate) fn sources() -> impl Iterator<Item = (String, String)> {
    files().into_iter().filter(|(name, _)| Path::new(name).extension().is_some_and(|ending| ending == "rs"))
}

fn none(what: &str, faults: &[String]) {
    assert!(faults.is_empty(), "{what}:\n{}", faults.join("\n"));
}

#[test]
fn source_files_are_short_and_start_with_a_module_comment() {
    let mut faults = Vec::new();
    for (name, text) in sources() {
        let lines = text.lines().count();
        if lines > MOST_LINES {
            faults.push(format!("{name} has {lines} lines, more than {MOST_LINES}"));
        }
        if !text.starts_with("//!") {
            faults.push(format!("{name} does not begin with //!"));
        }
        let stem = Path::new(&name).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if ["util", "utils", "common", "helpers", "types", "misc"].contains(&stem) {
            faults.push(format!("{name} is named for no subject"));
        }
    }
    none("files out of shape", &faults);
}

#[test]
fn every_table_has_an_entity_and_owned_rows_are_queried_by_owner() {
    let files = files();
    let migrations = || files.iter().filter(|(name, _)| name.starts_with("migrations/src/m"));
    let after = |word: &'static str| {
        migrations().flat_map(move |(_, text)| {
            let up = text.split("const DOWN").next().unwrap_or_default();
            up.split(word).skip(1).filter_map(|rest| rest.split_whitespace().next()).map(str::to_owned)
        })
    };
    let mut tables: std::collections::BTreeSet<String> = after("CREATE TABLE IF NOT EXISTS ").collect();
    for dropped in after("DROP TABLE ") {
        tables.remove(dropped.trim_end_matches([',', '"']));
    }
    assert!(tables.len() > 8, "migrations make tables: {tables:?}");
    let mut faults = Vec::new();
    for table in &tables {
        let file = format!("entities/src/{table}.rs");
        match files.iter().find(|(name, _)| *name == file) {
            None => faults.push(format!("{table} has no entity")),
            Some((_, text)) if text.contains("pub account_id:") => {
                if !text.contains("owned!(") {
                    faults.push(format!("{table} is owned and has no finder that demands the owner"));
                }
                let bare = format!(" {table}::Entity::find_by_id(");
                let finds = files.iter().filter(|(_, text)| text.contains(&bare));
                faults
                    .extend(finds.map(|(name, _)| format!("{name}:{bare}…) does not say whose the row is")));
            }
            Some(_) => {}
        }
    }
    none("tables without their entities", &faults);
}

#[test]
fn crates_depend_only_on_allowed_crates() {
    let metadata = metadata();
    let mut faults = Vec::new();
    for package in workspace(&metadata) {
        let name = package["name"].as_str().unwrap().trim_start_matches("carrel-");
        for dependency in package["dependencies"].as_array().unwrap() {
            let target = dependency["name"].as_str().unwrap();
            let is_ours = dependency["path"].is_string();
            let for_tests = dependency["kind"] == "dev" || dependency["optional"] == true;
            if is_ours && !for_tests && !is_below(name, target.trim_start_matches("carrel-")) {
                faults.push(format!("{name} -> {target}"));
            }
        }
    }
    none("arrows that ARCHITECTURE.md does not know", &faults);
}

#[test]
fn only_fetch_has_an_http_client_and_extract_has_no_network() {
    let metadata = metadata();
    let mut faults = Vec::new();
    for package in workspace(&metadata) {
        let name = package["name"].as_str().unwrap();
        for dependency in package["dependencies"].as_array().unwrap() {
            let target = dependency["name"].as_str().unwrap();
            let for_tests = dependency["kind"] == "dev";
            let speaks = ["reqwest", "hyper", "hickory-resolver", "ureq", "isahc"].contains(&target);
            if speaks && !for_tests && name != "carrel-fetch" {
                faults.push(format!("{name} -> {target}"));
            }
            let serves = ["poem", "poem-openapi", "redis", "sea-orm"].contains(&target);
            let is_under_http = is_below("http-kit", name.trim_start_matches("carrel-"));
            if serves && name == "carrel-extract" || (target == "poem" && is_under_http) {
                faults.push(format!("{name} -> {target}"));
            }
        }
    }
    none("clients and servers where they do not belong", &faults);
}

#[test]
fn no_test_sleeps_or_is_ignored() {
    let words = [concat!("sle", "ep("), concat!("#[ign", "ore"), concat!("to", "do!(")];
    let mut faults = Vec::new();
    for (name, text) in sources() {
        let is_test = name.contains("/tests") || name.starts_with("tests/");
        let body =
            if is_test { text.as_str() } else { text.split("#[cfg(test)]").nth(1).unwrap_or_default() };
        for word in words.iter().filter(|word| body.contains(**word)) {
            faults.push(format!("{name}: {word}"));
        }
    }
    none("waits and gaps", &faults);
}

#[test]
fn repository_contains_no_machine_specific_paths() {
    let words =
        [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("../sha", "red"), concat!("/ho", "me/")];
    let mut faults = Vec::new();
    for (name, text) in files() {
        if Path::new(&name)
            .components()
            .any(|part| part.as_os_str() == "corpus" || part.as_os_str() == "fixtures")
        {
            continue;
        }
        for word in words {
            faults.extend(
                text.lines()
                    .enumerate()
                    .filter(|(_, line)| line.contains(word))
                    .map(|(number, _)| format!("{name}:{}: {word}", number + 1)),
            );
        }
    }
    none("paths of somebody's machine", &faults);
}

fn workspace(metadata: &Value) -> impl Iterator<Item = &Value> {
    let members = metadata["workspace_members"].as_array().unwrap();
    metadata["packages"].as_array().unwrap().iter().filter(|package| members.contains(&package["id"]))
}

fn metadata() -> Value {
    let host = run("rustc", &["--version", "--verbose"]);
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc tells its host");
    let filter = ["metadata", "--format-version", "1", "--locked", "--filter-platform", host];
    serde_json::from_str(&run(env!("CARGO"), &filter)).expect("metadata")
}

fn run(program: &str, arguments: &[&str]) -> String {
    let output =
        Command::new(program).args(arguments).current_dir(root()).output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("an answer in UTF-8")
}

#[test]
fn release_profile_checks_integer_overflow() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let (_, release) = manifest.split_once("[profile.release]\n").unwrap();
    assert!(release.split("\n[").next().unwrap().contains("overflow-checks = true"));
}
