//! Recognises source code and data in a text that has neither a file name nor a specific media type.

use serde::de::IgnoredAny;

/// Maximum number of lines in a text that are inspected.
const MAX_LINES: usize = 400;
/// Minimum number of lines for a text to be recognised as code.
const MIN_LINES: usize = 3;

/// Texts at the beginning of files, with the language that they indicate.
const BEGINNINGS: [(&str, &str); 14] = [
    ("<?php", "php"),
    ("<?xml", "xml"),
    ("<svg", "xml"),
    ("<!doctype html", "html"),
    ("<html", "html"),
    ("begin:vcalendar", "ics"),
    ("begin:vcard", "vcf"),
    ("diff --git ", "diff"),
    ("%yaml ", "yaml"),
    ("#!/usr/bin/env python", "python"),
    ("#!/usr/bin/python", "python"),
    ("#!/usr/bin/env node", "javascript"),
    ("#!/usr/bin/env ruby", "ruby"),
    ("#!/usr/bin/perl", "perl"),
];

/// Language of a text that is source code or data. Empty if the language is unknown. `None` for other texts.
pub(super) fn language(text: &str) -> Option<&'static str> {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    if is_json(start) || is_json_lines(start) {
        return Some("json");
    }
    let head = start[..start.floor_char_boundary(64)].to_ascii_lowercase();
    if let Some((_, language)) = BEGINNINGS.iter().find(|(beginning, _)| head.starts_with(beginning)) {
        return Some(language);
    }
    if head.starts_with("#!/") {
        return Some("bash");
    }
    if head.starts_with("-----begin ") {
        return Some("");
    }
    if text.lines().take(MAX_LINES).any(|line| line.starts_with("diff --git "))
        || start.starts_with("--- ") && start.lines().nth(1).is_some_and(|line| line.starts_with("+++ "))
    {
        return Some("diff");
    }
    by_lines(text)
}

/// True for a JSON object or array.
pub(super) fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '[']) && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// True for several lines that are JSON objects.
fn is_json_lines(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).take(MAX_LINES).peekable();
    let mut count = 0;
    let is_all = lines.all(|line| {
        count += 1;
        line.trim_start().starts_with('{') && is_json(line)
    });
    is_all && count > 1
}

/// Kind of a line, determined without its neighbours.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineKind {
    Code,
    /// `name: value`.
    Member,
    /// `- value`. Such lines also occur in prose.
    Item,
    Comment,
    Prose,
    Other,
}

fn by_lines(text: &str) -> Option<&'static str> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(MAX_LINES).collect();
    let kinds: Vec<LineKind> = lines.iter().map(|line| kind(line)).collect();
    let count = |kind: LineKind| kinds.iter().filter(|one| **one == kind).count();
    let counted = kinds.len() - count(LineKind::Comment);
    if lines.len() < MIN_LINES || counted == 0 {
        return None;
    }
    let (code, members, prose) = (count(LineKind::Code), count(LineKind::Member), count(LineKind::Prose));
    if code * 2 >= counted && prose * 3 <= counted {
        return Some(guess(&lines));
    }
    let items = count(LineKind::Item);
    let is_data = members * 10 >= counted * 4 && (members + items + code) * 10 >= counted * 8;
    let is_nested = lines.iter().any(|line| line.starts_with([' ', '\t']) && !line.trim().is_empty());
    (is_data && prose == 0).then_some(if is_nested { "yaml" } else { "" })
}

fn kind(line: &str) -> LineKind {
    let line = line.trim();
    if ["//", "/*", "*/", "# ", "-- ", ";;", "\"\"\""].iter().any(|mark| line.starts_with(mark))
        || line == "#"
    {
        LineKind::Comment
    } else if is_code(line) {
        LineKind::Code
    } else if is_member(line) {
        LineKind::Member
    } else if line.starts_with("- ") {
        LineKind::Item
    } else if is_prose(line) {
        LineKind::Prose
    } else {
        LineKind::Other
    }
}

/// True for a line with code syntax that is rare in prose.
fn is_code(line: &str) -> bool {
    const OPERATORS: [&str; 14] =
        ["==", "!=", "->", "=>", "::", "&&", "||", "+=", "</", "/>", "();", "){", ":=", "<?"];
    const STARTS: [&str; 20] = [
        "#include", "#define", "#if", "#endif", "import ", "from ", "def ", "fn ", "func ", "function ",
        "const ", "let ", "var ", "pub ", "using ", "package ", "namespace ", "return", "elif ", "@",
    ];
    let has_punctuation = line.contains(['(', ')', '=', '[', ']', '{', '}', '"', '<']);
    let words = line.split_whitespace().count();
    let is_statement = STARTS.iter().any(|start| line.starts_with(start))
        && !line.ends_with(['.', ',', '!', '?'])
        && (words <= 4 || has_punctuation);
    let is_head = line.ends_with(':') && (line.contains('(') || is_clause(line));
    line.ends_with(['{', '}', '['])
        || line.starts_with(['}', '{', ']', ')'])
        || line.ends_with(';') && (has_punctuation || words <= 3)
        || line.ends_with(['(', '\\'])
        || OPERATORS.iter().any(|operator| line.contains(operator))
        || is_assignment(line)
        || is_call(line)
        || matches!(line, "end" | "fi" | "done" | "esac" | "else" | "then" | "do" | "pass" | "break")
        || is_statement
        || is_head
}

/// True for the first line of a block, in languages in which a colon terminates this line.
fn is_clause(line: &str) -> bool {
    ["if ", "for ", "while ", "else:", "try:", "except", "with ", "class ", "elif ", "finally:", "case "]
        .iter()
        .any(|start| line.starts_with(start))
}

/// True for an assignment such as `name = value`.
fn is_assignment(line: &str) -> bool {
    let Some((name, value)) = line.split_once('=') else { return false };
    let name = name.trim_end_matches([' ', '+', '-', '*', '/', '|', '&', ':', '?']);
    let words = name.split_whitespace().count();
    !value.is_empty()
        && (1..=3).contains(&words)
        && name.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$' | '@' | '"' | '.'))
        && name.chars().all(|c| c.is_alphanumeric() || " _$@\"'.-[]:*<>,".contains(c))
}

/// True for a call such as `name(…)`, in which the bracket directly follows the name.
fn is_call(line: &str) -> bool {
    let line = line.trim_end_matches([';', ',']);
    let name = line.split('(').next().unwrap_or(line);
    line.ends_with(')')
        && name.len() < line.len()
        && !name.is_empty()
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '!' | ':'))
}

/// True for `name: value` if the name is a single word and the value is not a sentence. In a dialogue, the
/// value is a sentence.
fn is_member(line: &str) -> bool {
    let line = line.trim_start_matches("- ").trim_start();
    let Some((name, value)) = line.split_once(':') else { return false };
    let name = name.trim_matches(['"', '\'']);
    let is_short = value.split_whitespace().count() <= 4 && !value.ends_with(['.', '!', '?']);
    (is_short || value.trim_start().starts_with(['"', '\'', '[', '{', '|', '>']))
        && !name.is_empty()
        && name.len() <= 60
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '$' | '@'))
        && (value.is_empty() || value.starts_with(char::is_whitespace))
}

/// True for a line of several words that consists mostly of letters.
fn is_prose(line: &str) -> bool {
    let all = line.chars().count();
    let letters = line.chars().filter(|c| c.is_alphabetic() || *c == ' ').count();
    line.split_whitespace().count() >= 6 && letters * 100 >= all * 85
}

/// Language of lines of code, if at least one of them has syntax that is typical of a language. Empty
/// otherwise.
fn guess(lines: &[&str]) -> &'static str {
    let has = |test: &dyn Fn(&str) -> bool| lines.iter().any(|line| test(line.trim()));
    if has(&|line| line.starts_with("#include ") || line.starts_with("#define ")) {
        "c"
    } else if has(&|line| {
        (line.starts_with("def ") || line.starts_with("class ") || is_clause(line)) && line.ends_with(':')
    }) {
        "python"
    } else if has(&|line| {
        line.starts_with("fn ") || line.starts_with("pub fn ") || line.starts_with("let mut ")
    }) {
        "rust"
    } else if has(&|line| line.starts_with("func ")) && has(&|line| line.starts_with("package ")) {
        "go"
    } else if has(&|line| line.starts_with("public class ") || line.starts_with("import java")) {
        "java"
    } else if has(&|line| {
        line.starts_with("const ") || line.starts_with("function ") || line.contains("=> {")
    }) {
        "javascript"
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_and_data_are_recognised_by_content() {
        for (text, expected) in [
            ("{\"a\": [1, 2]}", "json"),
            ("{\"a\": 1}\n{\"a\": 2}\n", "json"),
            ("#!/bin/sh\nls\n", "bash"),
            ("<?xml version='1.0'?>\n<a/>", "xml"),
            ("BEGIN:VCALENDAR\nEND:VCALENDAR", "ics"),
            ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "diff"),
            (
                "import os\n\ndef all_rows(path):\n    # *all* rows\n    for row in open(path):\n        print(row)\n",
                "python",
            ),
            ("#include <stdio.h>\nint main(void) {\n  return 0;\n}\n", "c"),
            ("const a = 1;\nfunction b() {\n  return a;\n}\n", "javascript"),
            ("name: lamp\nsize:\n  height: 12\n  width: 3\ntags:\n  - old\n", "yaml"),
            ("User-agent: *\nDisallow: /x\nAllow: /y\n", ""),
            ("[main]\nname = lamp\nsize = 3\n", ""),
        ] {
            assert_eq!(language(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn prose_and_verse_are_not_code() {
        for text in [
            "The lighthouse keeper counted the ships before dawn.\nA storm had taken the buoy; two boats waited.\n\nThe mail came.",
            "The woods are lovely, dark and deep,\nBut I have promises to keep;\nAnd miles to go before I sleep,\nAnd miles to go before I sleep.",
            "Dear Ann,\n\nplease bring:\n- bread\n- milk\n- salt\n\nThank you (and Max),\nJulia",
            "[1] The first note.\n[2] The second note.\n[3] The third note.",
            "Ann: Did you light the lamp?\nMax: I did.\nAnn: When was that, do you remember?\nMax: At dusk, as always.",
            "Lamps: a history\n\nLamps were lit at dusk. They burned oil: whale oil, mostly.\nThen came gas.",
        ] {
            assert_eq!(language(text), None, "{text}");
        }
    }
}
