//! Rendering of comparisons as markup, rows and lines with context.

use super::super::{Kind, Rules, Snapshot, SnapshotBlock, compare};
use super::*;
use std::time::{Duration, Instant};

fn operations(before: &[&str], after: &[&str]) -> Vec<super::super::Operation> {
    let snapshot = |texts: &[&str]| {
        let block =
            |text: &&str| SnapshotBlock { text: (*text).to_owned(), position: 1, ..SnapshotBlock::default() };
        let heading =
            SnapshotBlock { kind: Kind::Heading, text: "Hours <i>".to_owned(), ..SnapshotBlock::default() };
        Snapshot::Blocks(std::iter::once(heading).chain(texts.iter().map(block)).collect())
    };
    let deadline = Instant::now() + Duration::from_secs(20);
    compare(&snapshot(before), &snapshot(after), &Rules::default(), deadline).operations
}

#[test]
fn markup_is_escaped_and_readable_without_colour() {
    let changes = operations(
        &["The room is <closed> on Monday.", "gone & away"],
        &["The room is <closed> on \"Tuesday\"."],
    );
    insta::assert_snapshot!(html(&changes), @r#"
    <p><span title="Changed">±</span> The room is &lt;closed&gt; on <del style="background:#ffebe9;color:#6e1018;text-decoration:line-through">Monday</del> <ins style="background:#dafbe1;color:#0a3d1a;text-decoration:underline">&quot;Tuesday&quot;</ins>.</p>
    <p><span title="Removed">−</span> <del style="background:#ffebe9;color:#6e1018;text-decoration:line-through">gone &amp; away</del></p>
    "#);
}

#[test]
fn long_markup_is_cut_and_contains_the_remaining_count() {
    let texts: Vec<String> = (0..900).map(|n| format!("{n} {}", "words of a page ".repeat(10))).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let markup = html(&operations(&[], &texts));
    assert!(markup.len() < 50 * 1024);
    assert!(markup.ends_with(" more changes.</p>\n"));
}

#[test]
fn rows_have_an_old_and_a_new_side_with_anchors() {
    let changes =
        operations(&["One two three.", "It goes away."], &["One four three.", "Nothing like that at all."]);
    let rows: Vec<ComparisonRow> = changes.iter().map(row).collect();
    let side = |segments: &[DiffSegment]| {
        let signed = segments.iter().map(|segment| match segment.side {
            Side::Same => segment.text.clone(),
            Side::Removed => format!("[-{}]", segment.text),
            Side::Added => format!("[+{}]", segment.text),
        });
        signed.collect::<Vec<_>>().concat()
    };
    let sides: Vec<_> = rows
        .iter()
        .map(|row| (row.left_anchor, side(&row.left), row.right_anchor, side(&row.right)))
        .collect();
    assert_eq!(
        sides,
        [
            (Some(2), "One [-two] three.".to_owned(), Some(2), "One [+four] three.".to_owned()),
            (Some(3), "[-It goes away.]".to_owned(), None, String::new()),
            (None, String::new(), Some(3), "[+Nothing like that at all.]".to_owned()),
        ]
    );
}

#[test]
fn long_unchanged_text_is_folded() {
    let long = "words that stay ".repeat(40);
    let changes = operations(&[&format!("{long}old{long}")], &[&format!("{long}new{long}")]);
    assert!(html(&changes).len() < 700);
    assert_eq!(segments(&changes[0]).iter().map(|segment| segment.side).collect::<Vec<_>>().len(), 5);
}

/// Lines of a change. Each line begins with `=` (unchanged), `…` (omitted), `#` (heading), or the name of the
/// operation.
fn context_lines(before: &[&str], after: &[&str]) -> Vec<String> {
    let snapshot = |texts: &[&str]| {
        let block = |text: &&str| match text.strip_prefix("# ") {
            Some(heading) => SnapshotBlock {
                kind: Kind::Heading,
                text: heading.to_owned(),
                position: 1,
                ..SnapshotBlock::default()
            },
            None => SnapshotBlock { text: (*text).to_owned(), position: 2, ..SnapshotBlock::default() },
        };
        Snapshot::Blocks(texts.iter().map(block).collect())
    };
    let (before, after) = (snapshot(before), snapshot(after));
    let deadline = Instant::now() + Duration::from_secs(20);
    let changes = compare(&before, &after, &Rules::default(), deadline).operations;
    let lines = in_context(&changes, Some(&before), Some(&after));
    let rendered = lines.into_iter().map(|line| match line {
        ContextLine::Section(heading) => format!("# {heading}"),
        ContextLine::Same(text) => format!("= {text}"),
        ContextLine::Skipped(count) => format!("… {count}"),
        ContextLine::Changed(operation) => format!(
            "{} {}",
            operation.op.as_str(),
            operation.after.as_deref().or(operation.before.as_deref()).unwrap_or_default()
        ),
    });
    rendered.collect()
}

#[test]
fn context_has_the_heading_and_adjacent_unchanged_lines() {
    let one = "The pier is open to everybody at all times.";
    let two = "Bicycles travel free of charge on every crossing.";
    let three = "Lost property is kept at the office for three months.";
    let four = "The kiosk sells maps and warm soup in winter.";
    let before = ["# Ferry", one, two, "# Tickets", three, "A return costs 14 euros.", four, one, two];
    let after = ["# Ferry", one, two, "# Tickets", three, "A return costs 15 euros.", four, one, two];
    assert_eq!(
        context_lines(&before, &after),
        [
            "… 4",
            "# Tickets",
            &format!("= {three}"),
            "changed A return costs 15 euros.",
            &format!("= {four}"),
            "… 2"
        ]
    );
}

#[test]
fn removed_line_is_between_its_neighbours_which_are_not_repeated() {
    let (one, two, three) =
        ("The first line of the page.", "What goes away at last.", "Another line that stays.");
    let last = "Something entirely different stands here at the end.";
    let new = "A brand new sentence about boats and sails.";
    assert_eq!(
        context_lines(&["# Page", one, two, three, last], &["# Page", one, three, new, last]),
        [
            "… 1".to_owned(),
            format!("= {one}"),
            format!("removed {two}"),
            format!("= {three}"),
            format!("added {new}"),
            format!("= {last}")
        ]
    );
    assert_eq!(in_context(&[], None, None), []);
}
