//! Pages of the handbook that are generated from the code: settings, errors, limits of plans, and formats of
//! imports. The pages of commands and metrics are generated above this crate.

use std::fmt::Write;

use extract::imports::{Format, ImportService};
use http_kit::config::SETTINGS_SAMPLE;
use http_kit::problem::ErrorGroup;
use kernel::tiers::{Tier, Tiers};
use kernel::{Class, Code};

/// Escapes a text for Markdown, including table cells. Text between backticks remains code.
pub fn escape_markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for (index, part) in text.split('`').enumerate() {
        let is_code = index % 2 == 1;
        if index > 0 {
            escaped.push('`');
        }
        for character in part.chars() {
            match character {
                '\n' => escaped.push(' '),
                '|' => escaped.push_str("\\|"),
                '\\' | '<' | '*' | '[' | ']' if !is_code => escaped.extend(['\\', character]),
                _ => escaped.push(character),
            }
        }
    }
    escaped
}

/// Settings that share an explanation.
#[derive(Default)]
struct SettingGroup {
    /// Lines of the explanation, without the comment sign.
    comment: Vec<&'static str>,
    /// Names and default values.
    settings: Vec<(&'static str, &'static str)>,
}

/// Creates the page of the settings from `.env.sample`.
pub(super) fn settings() -> String {
    let (intro, rest) = SETTINGS_SAMPLE.split_once("\n\n").unwrap_or_default();
    let intro: Vec<&str> = intro.lines().map(|line| line.trim_start_matches(['#', ' '])).collect();
    let mut page = format!("# Settings\n\n{}\n", escape_markdown(&intro.join(" ")));
    for group in setting_groups(rest) {
        let names: Vec<String> = group.settings.iter().map(|(name, _)| format!("`{name}`")).collect();
        let _ = write!(page, "\n## {}\n\n", names.join(", "));
        push_comment(&mut page, &group.comment);
        let defaults: Vec<String> = group.settings.iter().map(|(_, value)| default_of(value)).collect();
        let _ = writeln!(page, "Default: {}.", defaults.join(", "));
    }
    page
}

fn default_of(value: &str) -> String {
    if value.is_empty() { "empty".to_owned() } else { format!("`{value}`") }
}

fn setting_groups(text: &'static str) -> Vec<SettingGroup> {
    let (mut groups, mut group) = (Vec::new(), SettingGroup::default());
    for line in text.lines() {
        let comment = line.strip_prefix('#');
        if comment.is_some() && !group.settings.is_empty() {
            groups.push(std::mem::take(&mut group));
        }
        match (comment, line.split_once('=')) {
            (Some(comment), _) => group.comment.push(comment.strip_prefix(' ').unwrap_or(comment)),
            (None, Some(setting)) => group.settings.push(setting),
            (None, None) => {}
        }
    }
    groups.push(group);
    groups
}

/// Appends an explanation. Indented lines are examples.
fn push_comment(page: &mut String, lines: &[&str]) {
    let is_example = |line: &&str| line.starts_with("  ");
    for part in lines.chunk_by(|line, next| is_example(line) == is_example(next)) {
        let is_example = part.first().is_some_and(is_example);
        if is_example {
            let lines: Vec<&str> = part.iter().map(|line| line.strip_prefix("  ").unwrap_or(line)).collect();
            let _ = write!(page, "```text\n{}\n```\n\n", lines.join("\n"));
        } else {
            let _ = write!(page, "{}\n\n", escape_markdown(&part.join(" ")));
        }
    }
}

/// Creates the page of the error codes.
pub(super) fn errors() -> String {
    let mut page = "# Error codes\n\n\
        Every error has a stable code. The public reader answers with problem documents (RFC 9457), the Developer \
        API with `{\"error\", \"code\", \"retryAfter\", \"details\"}`. The columns contain the HTTP status of each; a \
        dash means that this interface does not return the code. A retry of the same request can help only if the \
        text says so.\n"
        .to_owned();
    let mut class = None;
    for code in Code::ALL {
        let status = |group: ErrorGroup| Some(group.entry(*code)).filter(|(entry, _)| entry.code == *code);
        let reader = status(ErrorGroup::Reader);
        let api = status(ErrorGroup::Developer);
        let Some((entry, _)) = reader.or(api) else { continue };
        if class != Some(code.class()) {
            class = Some(code.class());
            let head = "| code | reader | API | meaning | what to do |\n|---|---|---|---|---|\n";
            let _ = write!(page, "\n## {}\n\n{head}", class_title(code.class()));
        }
        let number =
            |row: Option<(_, u16)>| row.map_or_else(|| "–".to_owned(), |(_, status)| status.to_string());
        let _ = writeln!(
            page,
            "| `{code}` | {} | {} | {}. {} | {} |",
            number(reader),
            number(api),
            escape_markdown(entry.title),
            escape_markdown(entry.meaning),
            escape_markdown(entry.resolution),
        );
    }
    page
}

fn class_title(class: Class) -> &'static str {
    match class {
        Class::NotFound => "Not found",
        Class::Invalid => "Invalid requests",
        Class::Unauthenticated => "Missing or invalid credentials",
        Class::Forbidden => "Not permitted",
        Class::Conflict => "Conflicts",
        Class::Gone => "No longer retained",
        Class::Limited => "Limits",
        Class::Unreadable => "Sources that cannot be read",
        Class::Upstream => "Sources that failed",
        Class::Unavailable => "Service unavailable",
        Class::Internal => "Internal errors",
    }
}

/// Creates the page of the limits of each plan.
pub(super) fn limits(tiers: &Tiers) -> String {
    let plans = Tier::ALL.map(Tier::as_str).join(" | ");
    let mut page = format!(
        "# Limits of plans\n\n\
         Each account has a plan. These are the values of this service. 0 means that the plan does not include the \
         feature. *Settings › Plan and usage* and `GET /v1/me` show what an account has used. An operator changes \
         values with a TOML file ([CARREL_TIERS_FILE](settings.md)), and the plan of an account with \
         `carrel account set-tier`.\n\n\
         | limit | {plans} | meaning |\n|---|---|---|---|---|\n"
    );
    for row in tiers.rows() {
        let [free, premium, pro] = row.values;
        let _ = writeln!(
            page,
            "| `{}` | {free} | {premium} | {pro} | {} |",
            row.name,
            escape_markdown(row.about)
        );
    }
    page
}

/// Creates the page of the formats and servers from which a library is imported.
pub(super) fn formats() -> String {
    let mut page = "# Import formats\n\n\
        [Move in and leave](moving.md) explains how to import. The format of a file is detected; in the API and on \
        the command line it can be chosen by its word.\n\n## Files\n\n| file | `format` | what is imported |\n|---|---|---|\n"
        .to_owned();
    for format in Format::ALL {
        let fields: Vec<&str> = format.fields().iter().map(|field| field.label()).collect();
        let (label, word) = (escape_markdown(format.label()), format.as_str());
        let _ = writeln!(page, "| {label} | `{word}` | {} |", fields.join(", "));
    }
    page.push_str(
        "\n## Servers\n\nA library is also imported from a server, by its address and a credential:\n\n",
    );
    for service in ImportService::ALL {
        let _ = writeln!(page, "- {} (`{}`)", escape_markdown(service.label()), service.as_str());
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_is_escaped_outside_of_code() {
        assert_eq!(escape_markdown("a <b> | `c <d> | e` *f*\ng"), "a \\<b> \\| `c <d> \\| e` \\*f\\* g");
    }

    #[test]
    fn setting_page_has_comments_examples_and_defaults() {
        let page = settings();
        assert!(
            page.contains("\n## `CARREL_LISTEN`\n\nListen address.\n\nDefault: `127.0.0.1:8080`.\n"),
            "{page}"
        );
        assert!(page.contains("```text\npostgres://user:password@host:5432/carrel\n```"), "{page}");
        assert!(page.contains("\n## `CARREL_BASE_URL`, `CARREL_READER_URL`, `CARREL_AUTH_URL`\n"), "{page}");
        assert!(page.contains("Default: empty, empty, empty."), "{page}");
    }

    #[test]
    fn error_page_lists_every_code_of_both_apis() {
        let page = errors();
        for group in [ErrorGroup::Reader, ErrorGroup::Developer, ErrorGroup::Articles] {
            for (entry, _) in group.codes() {
                assert!(page.contains(&format!("\n| `{}` | ", entry.code)), "{}", entry.code);
            }
        }
        assert_eq!(page.matches("\n## Limits\n").count(), 1, "codes of a class are not consecutive");
    }

    #[test]
    fn limit_and_format_pages_list_every_row() {
        let page = limits(&Tiers::default());
        assert!(page.contains("| `active_api_keys` | 2 | 10 | 50 | API keys that"), "{page}");
        assert!(page.contains("| free | premium | pro |"), "{page}");
        let page = formats();
        assert!(Format::ALL.iter().all(|format| page.contains(&format!("`{}`", format.as_str()))), "{page}");
    }
}
