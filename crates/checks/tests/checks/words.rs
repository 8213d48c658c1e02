//! Words that the glossary replaces. No identifier contains one; the number of comment lines that contain one
//! may only decrease. Words that the glossary marks with "(identifiers)" are allowed in comments.

use std::collections::BTreeMap;

use crate::tidy;

/// Maximum number of comment lines with a word of the glossary's last table, per crate.
const COMMENT_COUNTS: &str = include_str!("words.txt");

/// Mark of a word that is allowed in comments.
const IDENTIFIERS_ONLY: &str = " (identifiers)";

/// Identifiers that contain such a word and whose names are defined elsewhere.
const ALLOWED: &[&str] = &[
    // Standard and third-party names.
    "FnOnce", "AsyncFnOnce", "Once", "OnceCell", "OnceLock", "OutputEndsFull", "allow_unmatched_ends",
    "around", "block_in_place", "call_once", "ends_with", "is_no_records_found", "once", "open_in_place",
    "ring", "rsplit_once", "seal_in_place_append_tag", "split_once",
    // Names in the specification: an error code, and a status of library items.
    "NoFeedFound", "Later", // Status 302 of HTTP.
    "FOUND", // Tables, columns, and stored JSON. Other names for them need a migration.
    "Asked", "AskedAt", "Ends", "Found", "Gathered", "Held", "HeldFor", "Shown", "WantedAt", "asked",
    "asked_at", "ends", "found", "gathered_by", "held_for", "host_turn", "in_turn", "oauth_once",
    "previous_look_at", "rss_former_feed", "shown", "wanted_at",
];

#[test]
fn identifiers_have_no_replaced_word() {
    let words: Vec<String> =
        replaced_words().iter().map(|word| word.trim_end_matches(IDENTIFIERS_ONLY).to_owned()).collect();
    let mut faults = Vec::new();
    for (name, text) in tidy::sources().filter(|(name, _)| !name.starts_with("migrations/")) {
        let (code, _) = split(&text);
        for (number, line) in code.lines().enumerate() {
            faults.extend(replaced(line, &words).map(|word| format!("{name}:{}: {word}", number + 1)));
        }
    }
    assert!(faults.is_empty(), "see docs/glossary.md for the word to use:\n{}", faults.join("\n"));
}

#[test]
fn comment_lines_with_replaced_words_do_not_increase() {
    let mut words = replaced_words();
    words.retain(|word| !word.ends_with(IDENTIFIERS_ONLY));
    let (mut counts, mut all) = (BTreeMap::<String, usize>::new(), Vec::new());
    for (name, text) in tidy::sources() {
        let (_, comments) = split(&text);
        let replaced = comments.lines().filter(|line| has_word(line, &words));
        let lines: Vec<String> = replaced.map(|line| format!("{name}: {}", line.trim())).collect();
        *counts.entry(crate_of(&name)).or_default() += lines.len();
        all.extend(lines);
    }
    let allowed: BTreeMap<&str, usize> = COMMENT_COUNTS
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(name, count)| (name, count.parse().unwrap()))
        .collect();
    let now: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
    let faults: Vec<&String> = counts
        .iter()
        .filter(|(name, count)| **count > allowed.get(name.as_str()).copied().unwrap_or_default())
        .map(|(name, _)| name)
        .collect();
    assert!(
        faults.is_empty(),
        "more comment lines have replaced words in {faults:?}; counts now:\n{}\n{}",
        now.join("\n"),
        all.join("\n")
    );
}

#[test]
fn code_is_split_into_identifiers_and_comments() {
    let words = vec!["kept".to_owned(), "look".to_owned()];
    let text = "/// Looks at it.\n// look\nfn kept() { \"kept \\\" // look\n kept\" + r#\"look\"# }\nlet c = '\"'; let x = overlook;";
    let (code, comments) = split(text);
    assert_eq!(
        code.lines()
            .flat_map(|line| replaced(line, &words).map(str::to_owned).collect::<Vec<_>>())
            .collect::<Vec<_>>(),
        ["kept"]
    );
    assert_eq!(comments.lines().filter(|line| has_word(line, &words)).count(), 1);
    assert_eq!(parts("keptUnread_AT_ONCE2"), ["kept", "unread", "at", "once2"]);
}

/// Returns the words in the first column of the glossary's last table, with their marks.
fn replaced_words() -> Vec<String> {
    let files = tidy::files();
    let (_, glossary) =
        files.iter().find(|(name, _)| name == "docs/glossary.md").expect("docs/glossary.md exists");
    let (_, table) = glossary.split_once("## Words to replace").expect("the glossary has its last table");
    let rows = table.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| word"));
    let cells = rows.filter_map(|row| row.split('|').nth(1));
    let words: Vec<String> =
        cells.flat_map(|cell| cell.split(',')).map(|word| word.trim().to_owned()).collect();
    assert!(words.len() > 30, "the glossary lists words: {words:?}");
    words
}

fn crate_of(name: &str) -> String {
    let parts: Vec<&str> = name.split('/').collect();
    if parts[0] == "crates" { parts[1].to_owned() } else { parts[0].to_owned() }
}

/// Returns the source without literals and comments, and its line comments. Line numbers in the source are
/// unchanged.
fn split(text: &str) -> (String, String) {
    let (mut code, mut comments) = (String::new(), String::new());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let literal = literal_length(rest, code.chars().next_back());
        let (length, target) = if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), Some(&mut comments))
        } else if literal > 0 {
            (literal, None)
        } else {
            (character.len_utf8(), Some(&mut code))
        };
        let (taken, remaining) = rest.split_at(length);
        match target {
            Some(target) => target.push_str(taken),
            None => code.extend(taken.chars().filter(|character| *character == '\n')),
        }
        if taken.starts_with("//") {
            comments.push('\n');
        }
        rest = remaining;
    }
    (code, comments)
}

/// Returns the length of the string or character literal at the start of `text`. 0 if there is none.
fn literal_length(text: &str, before: Option<char>) -> usize {
    let follows_name = before.is_some_and(|character| character.is_alphanumeric() || character == '_');
    if let Some(body) = text.strip_prefix('r').filter(|_| !follows_name) {
        let hashes = body.len() - body.trim_start_matches('#').len();
        if body[hashes..].starts_with('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            return body[hashes + 1..].find(&end).map_or(text.len(), |at| 1 + hashes + 1 + at + end.len());
        }
    }
    if let Some(body) = text.strip_prefix('"') {
        let mut escaped = false;
        let end = body.find(|character| {
            let closes = character == '"' && !escaped;
            escaped = character == '\\' && !escaped;
            closes
        });
        return end.map_or(text.len(), |at| at + 2);
    }
    ["'\"'", "'\\\"'", "'\\''", "'\\\\'"]
        .iter()
        .find(|literal| text.starts_with(**literal))
        .map_or(0, |literal| literal.len())
}

/// Returns the identifiers of a line that contain one of `words` and whose names this project chooses.
fn replaced<'a>(line: &'a str, words: &'a [String]) -> impl Iterator<Item = &'a str> {
    let names = line.split(|character: char| !character.is_alphanumeric() && character != '_');
    names.filter(|name| {
        let name = name.replace("NotFound", "").replace("not_found", "").replace("NOT_FOUND", "");
        !ALLOWED.contains(&name.as_str()) && parts(&name).iter().any(|part| words.contains(part))
    })
}

fn has_word(line: &str, words: &[String]) -> bool {
    line.split(|character: char| !character.is_alphanumeric() && character != '_')
        .any(|word| words.contains(&word.to_lowercase()))
}

/// Returns the words of an identifier in lower case. It is split at `_` and before capital letters.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut was_lower = false;
    for character in name.chars() {
        if character == '_' || (character.is_uppercase() && was_lower) {
            parts.push(String::new());
        }
        was_lower = character.is_lowercase();
        if character != '_' {
            parts.last_mut().expect("there is at least one part").extend(character.to_lowercase());
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}
