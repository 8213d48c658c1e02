//! Words that the glossary replaces: their count in identifiers and comments may only fall.

use std::collections::BTreeMap;

use crate::tidy;

/// Highest allowed counts per crate: identifiers and comment lines with a word of the glossary's last table.
const COUNTS: &str = include_str!("words.txt");

/// Standard names that contain such a word.
const STANDARD: &[&str] = &[
    "ends_with",
    "split_once",
    "rsplit_once",
    "Once",
    "OnceCell",
    "OnceLock",
    "NotFound",
    "not_found",
    "NOT_FOUND",
];

#[test]
fn replaced_words_only_become_fewer() {
    let words = replaced_words();
    assert!(words.len() > 30, "the glossary lists words: {words:?}");
    let mut counts: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for (name, text) in tidy::sources() {
        let (identifiers, comments) = count(&text, &words);
        let count = counts.entry(crate_of(&name)).or_default();
        count.0 += identifiers;
        count.1 += comments;
    }
    let allowed: BTreeMap<&str, (u64, u64)> = COUNTS.lines().filter_map(parse).collect();
    let mut faults = Vec::new();
    for (name, (identifiers, comments)) in &counts {
        let (most_identifiers, most_comments) = allowed.get(name.as_str()).copied().unwrap_or_default();
        if *identifiers > most_identifiers || *comments > most_comments {
            faults.push(format!(
                "{name}: {identifiers} identifiers and {comments} comment lines, at most {most_identifiers} and {most_comments}"
            ));
        }
    }
    let now: Vec<String> = counts
        .iter()
        .map(|(name, (identifiers, comments))| format!("{name} {identifiers} {comments}"))
        .collect();
    assert!(
        faults.is_empty(),
        "words of the glossary's last table are used more often (docs/glossary.md):\n{}\n\ncounts now:\n{}",
        faults.join("\n"),
        now.join("\n")
    );
}

#[test]
fn identifiers_are_split_into_words() {
    assert_eq!(parts("keptUnread_AT_ONCE2"), ["kept", "unread", "at", "once2"]);
    let words = vec!["kept".to_owned(), "look".to_owned()];
    let text = "/// Looks at it.\n// look\nfn kept() { \"kept\" }\nlet overlook = not_found;";
    assert_eq!(count(text, &words), (1, 1));
}

/// The words of the first column of the glossary's last table.
fn replaced_words() -> Vec<String> {
    let files = tidy::files();
    let (_, glossary) = files.iter().find(|(name, _)| name == "docs/glossary.md").expect("a glossary");
    let (_, table) = glossary.split_once("## Words to replace").expect("its last table");
    let rows = table.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| word"));
    let cells = rows.filter_map(|row| row.split('|').nth(1));
    cells.flat_map(|cell| cell.split(',')).map(|word| word.trim().to_owned()).collect()
}

fn crate_of(name: &str) -> String {
    let parts: Vec<&str> = name.split('/').collect();
    if parts[0] == "crates" { parts[1].to_owned() } else { parts[0].to_owned() }
}

fn parse(line: &str) -> Option<(&str, (u64, u64))> {
    let mut parts = line.split(' ');
    Some((parts.next()?, (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?)))
}

/// Identifiers outside of strings, and comment lines, that contain one of `words`.
fn count(text: &str, words: &[String]) -> (u64, u64) {
    let (mut identifiers, mut comments) = (0, 0);
    for line in text.lines() {
        let (code, comment) = split_comment(line);
        let has_word = |part: &str| words.iter().any(|word| word == part);
        comments += u64::from(
            comment
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .any(|word| has_word(&word.to_lowercase())),
        );
        let names =
            code.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| !STANDARD.contains(name));
        identifiers += names.filter(|name| parts(name).iter().any(|part| has_word(part))).count() as u64;
    }
    (identifiers, comments)
}

/// The code of a line without its string literals, and its comment.
fn split_comment(line: &str) -> (String, &str) {
    let (mut code, mut in_string, mut escaped) = (String::new(), false, false);
    for (at, character) in line.char_indices() {
        if !in_string && line[at..].starts_with("//") {
            return (code, &line[at..]);
        }
        if character == '"' && !escaped {
            in_string = !in_string;
        }
        escaped = character == '\\' && !escaped;
        if !in_string {
            code.push(character);
        }
    }
    (code, "")
}

/// The words of an identifier in lower case: split at `_` and before capital letters.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut was_lower = false;
    for character in name.chars() {
        if character == '_' || (character.is_uppercase() && was_lower) {
            parts.push(String::new());
        }
        was_lower = character.is_lowercase();
        if character != '_' {
            parts.last_mut().expect("one part").extend(character.to_lowercase());
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}
