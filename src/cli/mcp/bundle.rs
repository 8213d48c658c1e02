//! `carrel mcp bundle`: writes a bundle (`.mcpb`) with this executable, which desktop clients install with two
//! questions: the address of the service and an API key. The manifest follows version 0.3 of its specification.

use std::env::consts::{EXE_SUFFIX, OS};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use http_kit::config::Origin;
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Version of the manifest's specification.
const MANIFEST_VERSION: &str = "0.3";

/// Arguments of `carrel mcp bundle`.
#[derive(Debug, Args)]
pub(super) struct BundleArgs {
    /// File to write.
    #[arg(long, value_name = "FILE", default_value = "carrel.mcpb")]
    out: PathBuf,
    /// Address of the service that the client suggests, such as <https://carrel.example.org>.
    #[arg(long)]
    url: Option<Origin>,
}

/// Writes the bundle for the system of this executable.
pub(super) fn run(arguments: &BundleArgs) -> anyhow::Result<()> {
    let program = std::env::current_exe().context("failed to locate this executable")?;
    let url = arguments.url.as_ref().map(Origin::as_str);
    let file = File::create(&arguments.out).with_context(|| arguments.out.display().to_string())?;
    write(file, &program, url).with_context(|| arguments.out.display().to_string())?;
    writeln!(io::stderr(), "wrote {}", arguments.out.display()).context("standard error is closed")
}

/// Writes a bundle with the executable `program`.
fn write(output: impl Write + io::Seek, program: &Path, url: Option<&str>) -> anyhow::Result<()> {
    let mut archive = ZipWriter::new(output);
    let packed = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    archive.start_file("manifest.json", packed)?;
    archive.write_all(format!("{:#}\n", manifest(url)).as_bytes())?;
    archive.start_file(entry_point(), packed.unix_permissions(0o755))?;
    let mut program = File::open(program).with_context(|| program.display().to_string())?;
    io::copy(&mut program, &mut archive)?;
    archive.finish()?.flush()?;
    Ok(())
}

/// Returns the path of the executable in the bundle.
fn entry_point() -> String {
    format!("server/carrel{EXE_SUFFIX}")
}

/// Returns the name of this system in manifests.
fn platform() -> &'static str {
    match OS {
        "macos" => "darwin",
        "windows" => "win32",
        _ => "linux",
    }
}

fn manifest(url: Option<&str>) -> Value {
    let mut address = json!({
        "type": "string",
        "title": "Address of the service",
        "description": "Origin of your Carrel, such as https://carrel.example.org. Another machine needs https.",
        "required": true,
    });
    if let Some(url) = url {
        address["default"] = url.into();
    }
    json!({
        "manifest_version": MANIFEST_VERSION,
        "name": "carrel",
        "display_name": "Carrel",
        "version": env!("CARGO_PKG_VERSION"),
        "description": "Reads public pages, keeps a library, follows feeds, and watches pages for changes.",
        "author": { "name": "Carrel" },
        "license": env!("CARGO_PKG_LICENSE"),
        "server": {
            "type": "binary",
            "entry_point": entry_point(),
            "mcp_config": {
                "command": format!("${{__dirname}}/{}", entry_point()),
                "args": ["mcp"],
                "env": {
                    "CARREL_URL": "${user_config.url}",
                    "CARREL_API_KEY": "${user_config.api_key}",
                },
            },
        },
        // The service lists tools and prompts by the key's scopes.
        "tools_generated": true,
        "prompts_generated": true,
        "keywords": ["reading", "feeds", "bookmarks", "monitoring"],
        "compatibility": { "platforms": [platform()] },
        "user_config": {
            "url": address,
            "api_key": {
                "type": "string",
                "title": "API key",
                "description": "Create one under Settings, Keys. It begins with svc_.",
                "sensitive": true,
                "required": true,
            },
        },
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::io::{Cursor, Read};

    use zip::ZipArchive;

    use super::*;

    /// Members of an object of the manifest: name, type, and whether the specification requires it.
    type Rules<'a> = &'a [(&'a str, fn(&Value) -> bool, bool)];

    const MANIFEST: Rules<'_> = &[
        ("manifest_version", |value| value == MANIFEST_VERSION, true),
        ("name", is_name, true),
        ("display_name", Value::is_string, false),
        ("version", is_version, true),
        ("description", Value::is_string, true),
        ("author", |value| value["name"].is_string(), true),
        ("license", Value::is_string, false),
        ("server", Value::is_object, true),
        ("tools_generated", Value::is_boolean, false),
        ("prompts_generated", Value::is_boolean, false),
        ("keywords", is_list_of_texts, false),
        ("compatibility", Value::is_object, false),
        ("user_config", Value::is_object, false),
    ];
    const SERVER: Rules<'_> = &[
        ("type", |value| value == "binary", true),
        ("entry_point", Value::is_string, true),
        ("mcp_config", Value::is_object, true),
    ];
    const MCP_CONFIG: Rules<'_> = &[
        ("command", Value::is_string, true),
        ("args", is_list_of_texts, false),
        ("env", |value| value.as_object().unwrap().values().all(Value::is_string), false),
    ];
    const OPTION: Rules<'_> = &[
        ("type", |value| value == "string", true),
        ("title", Value::is_string, true),
        ("description", Value::is_string, true),
        ("required", Value::is_boolean, false),
        ("sensitive", Value::is_boolean, false),
        ("default", Value::is_string, false),
    ];

    fn is_name(value: &Value) -> bool {
        value.as_str().unwrap().bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    }

    fn is_version(value: &Value) -> bool {
        let numbers: Vec<&str> = value.as_str().unwrap().split('.').collect();
        numbers.len() == 3 && numbers.iter().all(|number| number.parse::<u32>().is_ok())
    }

    fn is_list_of_texts(value: &Value) -> bool {
        value.as_array().unwrap().iter().all(Value::is_string)
    }

    fn check(object: &Value, rules: Rules<'_>) {
        let members = object.as_object().unwrap();
        for (name, value) in members {
            let (_, is_valid, _) = rules.iter().find(|(known, ..)| known == name).unwrap();
            assert!(is_valid(value), "{name}: {value}");
        }
        for (name, _, is_required) in rules {
            assert!(!is_required || members.contains_key(*name), "{name} is missing");
        }
    }

    #[test]
    fn manifest_conforms_to_its_specification() {
        for url in [None, Some("https://carrel.example.org")] {
            let manifest = manifest(url);
            check(&manifest, MANIFEST);
            check(&manifest["server"], SERVER);
            check(&manifest["server"]["mcp_config"], MCP_CONFIG);
            let options = manifest["user_config"].as_object().unwrap();
            for option in options.values() {
                check(option, OPTION);
            }
            assert_eq!(manifest["user_config"]["api_key"]["sensitive"], true);
            assert_eq!(manifest["user_config"]["url"]["default"].as_str(), url);
            let text = manifest["server"].to_string();
            let variables: BTreeSet<&str> =
                text.split("${user_config.").skip(1).map(|rest| rest.split_once('}').unwrap().0).collect();
            assert_eq!(variables, options.keys().map(String::as_str).collect::<BTreeSet<_>>());
            for platform in manifest["compatibility"]["platforms"].as_array().unwrap() {
                assert!(["darwin", "win32", "linux"].contains(&platform.as_str().unwrap()));
            }
        }
    }

    #[test]
    fn bundle_contains_its_manifest_and_the_executable() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("program");
        std::fs::write(&program, "an executable").unwrap();
        let mut bytes = Cursor::new(Vec::new());
        write(&mut bytes, &program, None).unwrap();
        let mut archive = ZipArchive::new(bytes).unwrap();
        let mut text = String::new();
        archive.by_name("manifest.json").unwrap().read_to_string(&mut text).unwrap();
        let manifest: Value = serde_json::from_str(&text).unwrap();
        let entry_point = manifest["server"]["entry_point"].as_str().unwrap();
        let command = manifest["server"]["mcp_config"]["command"].as_str().unwrap();
        assert_eq!(command, format!("${{__dirname}}/{entry_point}"));
        let mut file = archive.by_name(entry_point).unwrap();
        assert_eq!(file.unix_mode().map(|mode| mode & 0o777), Some(0o755));
        let mut content = String::new();
        file.read_to_string(&mut content).unwrap();
        assert_eq!(content, "an executable");
    }
}
