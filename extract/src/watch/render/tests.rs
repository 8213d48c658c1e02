//! Tests of how a comparison is told in markup and in rows.

use super::super::{Block, Kind, Rules, Snapshot, compare};
use super::*;
use std::time::{Duration, Instant};

fn operations(before: &[&str], after: &[&str]) -> Vec<super::super::Operation> {
    let snapshot = |texts: &[&str]| {
        let block = |text: &&str| Block { text: (*text).to_owned(), place: 1, ..Block::default() };
        let heading = Block { kind: Kind::Heading, text: "Hours <i>".to_owned(), ..Block::default() };
        Snapshot::Blocks(std::iter::once(heading).chain(texts.iter().map(block)).collect())
    };
    let deadline = Instant::now() + Duration::from_secs(20);
    compare(&snapshot(before), &snapshot(after), &Rules::default(), deadline).operations
}

#[test]
fn markup_is_escaped_and_told_apart_without_colour() {
    let found = operations(
        &["The room is <closed> on Monday.", "gone & away"],
        &["The room is <closed> on \"Tuesday\"."],
    );
    insta::assert_snapshot!(html(&found), @r#"
    <p><span title="Changed">±</span> The room is &lt;closed&gt; on <del style="background:#ffebe9;color:#6e1018;text-decoration:line-through">Monday</del> <ins style="background:#dafbe1;color:#0a3d1a;text-decoration:underline">&quot;Tuesday&quot;</ins>.</p>
    <p><span title="Removed">−</span> <del style="background:#ffebe9;color:#6e1018;text-decoration:line-through">gone &amp; away</del></p>
    "#);
}

#[test]
fn long_markup_ends_with_a_count() {
    let texts: Vec<String> = (0..900).map(|n| format!("{n} {}", "words of a page ".repeat(10))).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let markup = html(&operations(&[], &texts));
    assert!(markup.len() < 50 * 1024);
    assert!(markup.ends_with(" more changes.</p>\n"));
}

#[test]
fn rows_have_an_old_and_a_new_side() {
    let found =
        operations(&["One two three.", "It goes away."], &["One four three.", "Nothing like that at all."]);
    let rows = side_by_side(&found);
    let side = |pieces: &[Piece]| {
        let signed = pieces.iter().map(|piece| match piece.side {
            Side::Same => piece.text.clone(),
            Side::Removed => format!("[-{}]", piece.text),
            Side::Added => format!("[+{}]", piece.text),
        });
        signed.collect::<Vec<_>>().concat()
    };
    let told: Vec<_> = rows
        .iter()
        .map(|row| (row.left_anchor, side(&row.left), row.right_anchor, side(&row.right)))
        .collect();
    assert_eq!(
        told,
        [
            (Some(2), "One [-two] three.".to_owned(), Some(2), "One [+four] three.".to_owned()),
            (Some(3), "[-It goes away.]".to_owned(), None, String::new()),
            (None, String::new(), Some(3), "[+Nothing like that at all.]".to_owned()),
        ]
    );
}

#[test]
fn a_long_text_is_folded_round_what_changed() {
    let long = "words that stay ".repeat(40);
    let found = operations(&[&format!("{long}old{long}")], &[&format!("{long}new{long}")]);
    assert!(html(&found).len() < 700);
    assert_eq!(pieces(&found[0]).iter().map(|piece| piece.side).collect::<Vec<_>>().len(), 5);
}
