//! `bin/package`: two runs write the same bytes, and each package has its files.

use std::collections::BTreeMap;
use std::fs::{File, Permissions};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::servers::CARREL;

/// Packs the executable under test and returns the packages by name.
fn pack(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let output = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/bin/package"))
        .args(["--fast", "--from", CARREL, "--out"])
        .arg(folder)
        .env("SOURCE_DATE_EPOCH", "1700000000")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    files.map(|path| (name(&path), std::fs::read(&path).unwrap())).collect()
}

#[test]
fn executable_of_another_version_is_not_packed() {
    if !is_installed("python3") {
        eprintln!("python3 is not installed: packages are not tested");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("carrel");
    std::fs::write(&other, "#!/bin/sh\necho carrel 0.0.1\n").unwrap();
    std::fs::set_permissions(&other, Permissions::from_mode(0o755)).unwrap();
    // Does not use --fast, which strips the symbols of the executable.
    let out = folder.path().join("packages");
    let output = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/bin/package"))
        .arg("--from")
        .arg(&other)
        .arg("--out")
        .arg(&out)
        .env("SOURCE_DATE_EPOCH", "1700000000")
        .output()
        .unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && complaint.contains("`carrel 0.0.1`"), "{complaint}");
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), 0, "nothing is written");
}

fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn by_suffix<'a>(packages: &'a BTreeMap<String, Vec<u8>>, suffix: &str) -> &'a [u8] {
    let package = packages.iter().find(|(name, _)| name.ends_with(suffix));
    package.unwrap_or_else(|| panic!("{suffix} is missing in {:?}", packages.keys())).1
}

#[test]
fn packages_of_two_runs_are_identical_and_complete() {
    if !is_installed("python3") {
        eprintln!("python3 is not installed: packages are not tested");
        return;
    }
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let packages = pack(first.path());
    let again = pack(second.path());
    assert_eq!(packages.keys().collect::<Vec<_>>(), again.keys().collect::<Vec<_>>());
    for (name, bytes) in &packages {
        assert!(again[name] == *bytes, "{name} differs between two runs");
    }
    let sums = String::from_utf8_lossy(&packages["SHA256SUMS"]).into_owned();
    assert_eq!(sums.lines().count(), packages.len() - 1, "{sums}");
    assert!(packages["release-notes.md"].starts_with(b"## ["));
    assert_sbom(by_suffix(&packages, ".cdx.json"));
    assert_image(by_suffix(&packages, ".oci.tar"));
    assert!(!by_suffix(&packages, ".tar.gz").is_empty());
    for browser in ["-chrome.zip", "-firefox.zip"] {
        assert!(by_suffix(&packages, browser).starts_with(b"PK"), "the extension is a zip");
    }
    if is_installed("dpkg-deb") {
        let is_package =
            |name: &&String| std::path::Path::new(name).extension().is_some_and(|ending| ending == "deb");
        let name = packages.keys().find(is_package).unwrap();
        assert_debian_package(&first.path().join(name));
    } else {
        eprintln!("dpkg-deb is not installed: the Debian package is not tested");
    }
}

/// Asserts that the SBOM lists compiled crates with checksums, and no crates that only tests use.
fn assert_sbom(bytes: &[u8]) {
    let sbom: Value = serde_json::from_slice(bytes).unwrap();
    let components = sbom["components"].as_array().unwrap();
    let named = |name: &str| components.iter().find(|component| component["name"] == name);
    assert!(named("tokio").unwrap()["hashes"][0]["content"].is_string());
    assert!(named("insta").is_none(), "crates of tests are not distributed");
    assert_eq!(sbom["metadata"]["component"]["name"], "carrel");
}

/// Asserts that the image runs without privileges, and has one layer and a health check.
fn assert_image(bytes: &[u8]) {
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for entry in tar::Archive::new(bytes).entries().unwrap() {
        let mut entry = entry.unwrap();
        assert_eq!(entry.header().mtime().unwrap(), 1_700_000_000);
        let path = entry.path().unwrap().display().to_string();
        let mut content = Vec::new();
        entry.read_to_end(&mut content).unwrap();
        files.insert(path, content);
    }
    let read = |path: &str| -> Value { serde_json::from_slice(&files[path]).unwrap() };
    let blob = |digest: &Value| format!("blobs/sha256/{}", &digest.as_str().unwrap()["sha256:".len()..]);
    let manifest = read(&blob(&read("index.json")["manifests"][0]["digest"]));
    assert_eq!(manifest["layers"].as_array().unwrap().len(), 1);
    assert!(files.contains_key(&blob(&manifest["layers"][0]["digest"])));
    let config = read(&blob(&manifest["config"]["digest"]));
    assert_eq!(config["config"]["User"], "10001:10001");
    assert_eq!(
        config["config"]["Healthcheck"]["Test"],
        json!(["CMD", "/usr/bin/carrel", "check", "--ready"])
    );
}

fn assert_debian_package(package: &Path) {
    let ask = |arguments: &[&str]| {
        let output = Command::new("dpkg-deb").args(arguments).arg(package).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        output.stdout
    };
    let list = String::from_utf8(ask(&["--contents"])).unwrap();
    for path in [
        "./usr/bin/carrel",
        "./etc/carrel/carrel.env",
        "./usr/lib/systemd/system/carrel.service",
        "./usr/lib/systemd/system/carrel@.service",
        "./usr/share/man/man1/carrel.1.gz",
        "./usr/share/bash-completion/completions/carrel",
        "./usr/share/zsh/vendor-completions/_carrel",
        "./usr/share/fish/vendor_completions.d/carrel.fish",
        "./usr/share/doc/carrel/copyright",
        "./usr/share/doc/carrel/CHANGELOG.md.gz",
        "./usr/share/doc/carrel/changelog.gz",
        "./usr/share/lintian/overrides/carrel",
    ] {
        assert!(list.lines().any(|line| line.ends_with(path)), "{path} is missing in\n{list}");
    }
    assert!(!list.contains("/var/lib/"), "data is created by postinst only");
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().to_str().unwrap();
    let unpacked = Command::new("dpkg-deb").arg("--raw-extract").arg(package).arg(target).status().unwrap();
    assert!(unpacked.success());
    let text = |path: &str| {
        let mut text = String::new();
        File::open(folder.path().join(path)).unwrap().read_to_string(&mut text).unwrap();
        text
    };
    let settings = text("etc/carrel/carrel.env");
    assert!(settings.contains("\nDATABASE_URL=sqlite:///var/lib/carrel/carrel.db?mode=rwc\n"), "{settings}");
    let unit = text("usr/lib/systemd/system/carrel.service");
    assert!(unit.contains("ExecStart=/usr/bin/carrel serve\n") && unit.contains("User=carrel\n"), "{unit}");
    assert!(text("usr/share/doc/carrel/copyright").contains("/usr/share/common-licenses/Apache-2.0"));
    assert!(text("usr/share/bash-completion/completions/carrel").contains("doctor"));
    assert_eq!(text("DEBIAN/conffiles"), "/etc/carrel/carrel.env\n");
    assert_changelog(folder.path(), env!("CARGO_PKG_VERSION"));
    assert!(text("DEBIAN/postrm").contains("if [ \"$1\" = purge ]"));
}

/// Asserts that the first entry of the changelog is in Debian's format and has the version of the package.
fn assert_changelog(folder: &Path, version: &str) {
    let file = folder.join("usr/share/doc/carrel/changelog.gz");
    let unpacked = Command::new("gzip").arg("-dc").arg(file).output().unwrap();
    let text = String::from_utf8(unpacked.stdout).unwrap();
    assert!(text.starts_with(&format!("carrel ({version}) unstable; urgency=")), "{text}");
    assert!(text.contains("\n -- Carrel <") && text.contains("Tue, 14 Nov 2023 22:13:20 +0000"), "{text}");
}
