//! Repository rules that no compiler checks: the comment at the head of a file, crate dependencies, test
//! style, and forbidden paths. Licences are checked by `deny.toml`, import cycles by `import_cycles.rs`.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Crates on which each crate may depend.
const ALLOWED_DEPENDENCIES: &[(&str, &[&str])] = &[
    ("carrel", &["surfaces", "capabilities", "carrel-migrations", "carrel-permits", "carrel-allocator"]),
    ("carrel-allocator", &[]),
    ("carrel-web", &["carrel-api", "carrel-reader", "carrel-http-kit", "capabilities"]),
    ("carrel-mcp", &["carrel-api", "carrel-http-kit", "capabilities", "carrel-permits"]),
    ("carrel-api", &["carrel-http-kit", "capabilities"]),
    ("carrel-reader", &["carrel-http-kit", "capabilities"]),
    ("carrel-oauth", &["carrel-http-kit", "capabilities"]),
    ("carrel-apps", &["carrel-http-kit", "capabilities"]),
    ("carrel-http-kit", &["capabilities", "carrel-permits"]),
    (
        "carrel-application",
        &[
            "carrel-inbox", "carrel-model", "carrel-library", "carrel-monitors", "carrel-notices",
            "carrel-feeds", "base",
        ],
    ),
    ("carrel-model", &["carrel-library", "carrel-monitors", "carrel-feeds", "base"]),
    ("carrel-inbox", &["carrel-library", "carrel-feeds", "base", "carrel-permits"]),
    ("carrel-library", &["carrel-monitors", "carrel-notices", "carrel-feeds", "base", "carrel-permits"]),
    ("carrel-monitors", &["carrel-notices", "carrel-feeds", "base"]),
    ("carrel-notices", &["base"]),
    ("carrel-feeds", &["carrel-notices", "base"]),
    ("carrel-articles", &["carrel-browser", "carrel-identity", "carrel-jobs", "kernel", "carrel-permits"]),
    ("carrel-browser", &["carrel-fetch", "carrel-permits"]),
    ("carrel-identity", &["carrel-jobs", "carrel-language", "kernel"]),
    ("carrel-jobs", &["kernel"]),
    ("carrel-language", &["kernel"]),
    ("carrel-kernel", &["carrel-entities", "carrel-fetch", "carrel-extract"]),
    ("carrel-fetch", &["carrel-sites", "carrel-permits"]),
    ("carrel-extract", &["carrel-sites", "carrel-permits"]),
    ("carrel-entities", &[]),
    ("carrel-migrations", &[]),
    ("carrel-sites", &[]),
    ("carrel-permits", &[]),
    ("carrel-checks", &[]),
];
/// Groups of crates in [`ALLOWED_DEPENDENCIES`].
const GROUPS: &[(&str, &[&str])] = &[
    (
        "surfaces",
        &[
            "carrel-web", "carrel-mcp", "carrel-api", "carrel-reader", "carrel-oauth", "carrel-apps",
            "carrel-http-kit",
        ],
    ),
    (
        "capabilities",
        &[
            "carrel-application", "carrel-inbox", "carrel-model", "carrel-library", "carrel-monitors",
            "carrel-notices", "carrel-feeds", "carrel-articles", "carrel-identity", "carrel-jobs",
            "carrel-language", "carrel-kernel", "carrel-entities", "carrel-fetch", "carrel-extract",
        ],
    ),
    (
        "base",
        &[
            "carrel-articles", "carrel-identity", "carrel-jobs", "carrel-language", "carrel-kernel",
            "carrel-entities", "carrel-fetch", "carrel-extract",
        ],
    ),
    ("kernel", &["carrel-kernel", "carrel-entities", "carrel-fetch", "carrel-extract"]),
];

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Every text file tracked by git, with its content.
pub(crate) fn files() -> Vec<(String, String)> {
    let output =
        Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output().expect("git ls-files runs");
    let names = String::from_utf8(output.stdout).expect("file names are UTF-8");
    let names = names.split('\0').filter(|name| !name.is_empty());
    let read = |name: &str| Some((name.to_owned(), std::fs::read_to_string(root().join(name)).ok()?));
    let files: Vec<(String, String)> = names.filter_map(read).collect();
    assert!(files.len() > 100, "git lists the files");
    files
}

pub(crate) fn sources() -> impl Iterator<Item = (String, String)> {
    files().into_iter().filter(|(name, _)| Path::new(name).extension().is_some_and(|ending| ending == "rs"))
}

fn assert_no_faults(what: &str, faults: &[String]) {
    assert!(faults.is_empty(), "{what}:\n{}", faults.join("\n"));
}

#[test]
fn source_files_are_short_and_start_with_a_module_comment() {
    let mut faults = Vec::new();
    for (name, text) in sources() {
        if !text.starts_with("//!") {
            faults.push(format!("{name} does not begin with //!"));
        }
        let stem = Path::new(&name).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if ["util", "utils", "common", "helpers", "types", "misc"].contains(&stem) {
            faults.push(format!("{name} is named for no subject"));
        }
    }
    assert_no_faults("files out of shape", &faults);
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
    assert!(tables.len() > 8, "the migrations create tables: {tables:?}");
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
    assert_no_faults("tables without their entities", &faults);
}

#[test]
fn style_sheet_names_only_classes_of_pages() {
    let files = files();
    let (_, style) =
        files.iter().find(|(name, _)| name == "crates/web/src/carrel.css").expect("the style sheet exists");
    let pages: Vec<&str> = files
        .iter()
        .filter(|(name, _)| {
            Path::new(name).extension().is_some_and(|ending| ending == "rs" || ending == "js")
        })
        .filter(|(name, _)| name.starts_with("crates/web/src/") || name.starts_with("extract/src/"))
        .map(|(_, text)| text.as_str())
        .collect();
    let is_name = |character: char| character.is_alphanumeric() || character == '-' || character == '_';
    let classes = style.split('.').skip(1).map(|rest| rest.split(|c| !is_name(c)).next().unwrap_or_default());
    // Classes of outline levels consist of this prefix and a number.
    let classes = classes.map(|class| if class.starts_with("depth-") { "depth-" } else { class });
    let unused: Vec<String> = classes
        .filter(|class| class.starts_with(|first: char| first.is_ascii_alphabetic()))
        .filter(|class| !["css", "rem", "em", "s"].contains(class))
        .filter(|class| !pages.iter().any(|text| text.contains(class)))
        .map(str::to_owned)
        .collect();
    assert_no_faults("classes that no page uses", &unused);
}

#[test]
fn crates_depend_only_on_allowed_crates() {
    let metadata = metadata();
    let mut faults = Vec::new();
    for package in workspace(&metadata) {
        let name = package["name"].as_str().unwrap();
        let (_, allowed) = ALLOWED_DEPENDENCIES
            .iter()
            .find(|(package, _)| *package == name)
            .unwrap_or_else(|| panic!("{name} is not listed in ALLOWED_DEPENDENCIES"));
        for dependency in package["dependencies"].as_array().unwrap() {
            let target = dependency["name"].as_str().unwrap();
            let is_ours = dependency["path"].is_string();
            let for_tests = dependency["kind"] == "dev" || dependency["optional"] == true;
            let may_use = allowed.iter().any(|allowed| {
                let group = GROUPS.iter().find(|(name, _)| name == allowed);
                *allowed == target || group.is_some_and(|(_, crates)| crates.contains(&target))
            });
            if is_ours && !for_tests && !may_use {
                faults.push(format!("{name} -> {target}"));
            }
        }
    }
    assert_no_faults("arrows that ARCHITECTURE.md does not know", &faults);
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
            let (_, capabilities) = GROUPS[1];
            if serves && name == "carrel-extract" || (target == "poem" && capabilities.contains(&name)) {
                faults.push(format!("{name} -> {target}"));
            }
        }
    }
    assert_no_faults("clients and servers where they do not belong", &faults);
}

#[test]
fn bin_test_runs_every_integration_test() {
    let metadata = metadata();
    let targets = workspace(&metadata).flat_map(|package| package["targets"].as_array().unwrap());
    let tests =
        targets.filter(|target| target["kind"][0] == "test").map(|target| target["name"].as_str().unwrap());
    // `bin/test` runs these two by name, and all others by the pattern `[!bi]*`.
    let mut excluded: Vec<&str> = tests.filter(|name| name.starts_with(['b', 'i'])).collect();
    excluded.sort_unstable();
    assert_eq!(excluded, ["browser", "it"], "bin/test would not run a test with such a name");
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
    assert_no_faults("waits and gaps", &faults);
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
    assert_no_faults("paths of somebody's machine", &faults);
}

fn workspace(metadata: &Value) -> impl Iterator<Item = &Value> {
    let members = metadata["workspace_members"].as_array().expect("cargo metadata lists the members");
    metadata["packages"]
        .as_array()
        .expect("cargo metadata lists the packages")
        .iter()
        .filter(|package| members.contains(&package["id"]))
}

fn metadata() -> Value {
    let host = run("rustc", &["--version", "--verbose"]);
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc reports its host");
    let filter = ["metadata", "--format-version", "1", "--locked", "--filter-platform", host];
    serde_json::from_str(&run(env!("CARGO"), &filter)).expect("cargo metadata is JSON")
}

fn run(program: &str, arguments: &[&str]) -> String {
    let output =
        Command::new(program).args(arguments).current_dir(root()).output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the output is UTF-8")
}

#[test]
fn release_profile_checks_integer_overflow() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let (_, release) = manifest.split_once("[profile.release]\n").unwrap();
    assert!(release.split("\n[").next().unwrap().contains("overflow-checks = true"));
}
