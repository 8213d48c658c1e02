//! Invariants that hold for any two snapshots and for any observed source.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::time::{Duration, Instant};

use extract::watch::{
    Comparison, ExtractedItem, FieldValue, Ignore, Kind, Op, Rules, Snapshot, SnapshotBlock, Target,
    UrlEntry, WatchedField, compare, fingerprint, learn, observe, render,
};
use proptest::prelude::*;

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

fn rules(ordered: bool) -> Rules {
    Rules { ordered, ..Rules::default() }
}

/// Texts of a few kinds of words, so that some texts are similar, some are equal and some are different.
fn words() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        4 => "[abc]",
        1 => "[0-9]{1,4}([.,][0-9]{2})? EUR",
        1 => Just("updated 10:31".to_owned()),
        1 => Just("3 hours ago".to_owned()),
        1 => Just("12 views".to_owned()),
        1 => Just("日本語<b>&\"'".to_owned()),
        1 => Just("· | ( )".to_owned()),
        1 => "\\PC{0,4}",
    ];
    proptest::collection::vec(word, 1..7).prop_map(|words| words.join(" "))
}

fn block() -> impl Strategy<Value = SnapshotBlock> {
    let kinds = prop_oneof![
        3 => Just(Kind::Paragraph), 3 => Just(Kind::ListItem), 1 => Just(Kind::Heading), 1 => Just(Kind::Row),
        1 => Just(Kind::Code),
    ];
    (kinds, words(), 0..3_u32, 0..3_u32, proptest::collection::vec("https://a.example/[ab]", 0..2)).prop_map(
        |(kind, text, position, list, links)| {
            let listed = matches!(kind, Kind::ListItem | Kind::Row);
            let list = if listed { list } else { 0 };
            SnapshotBlock { kind, text, links, position, list, ..SnapshotBlock::default() }
        },
    )
}

fn blocks() -> impl Strategy<Value = Snapshot> {
    proptest::collection::vec(block(), 0..14).prop_map(Snapshot::Blocks)
}

/// Blocks of letters only, which no mask removes.
fn plain_blocks() -> impl Strategy<Value = Snapshot> {
    let texts = proptest::collection::vec("[abcd]( [abcd]){0,4}", 0..16);
    texts.prop_map(|texts| {
        let block = |text: String| SnapshotBlock { text, position: 1, ..SnapshotBlock::default() };
        Snapshot::Blocks(texts.into_iter().map(block).collect())
    })
}

fn items() -> impl Strategy<Value = Snapshot> {
    let item = (0..9_u32, proptest::option::of(words()), proptest::option::of("[ab]{1,2}"));
    proptest::collection::vec(item, 0..9).prop_map(|entries| {
        let mut seen = std::collections::HashSet::new();
        let item = |(key, price, size): (u32, Option<String>, Option<String>)| ExtractedItem {
            key: key.to_string(),
            title: format!("Thing <{key}>"),
            link: None,
            fields: vec![
                FieldValue { name: "price".to_owned(), value: price },
                FieldValue { name: "size".to_owned(), value: size },
            ],
        };
        Snapshot::Items(entries.into_iter().filter(|(key, ..)| seen.insert(*key)).map(item).collect())
    })
}

fn urls() -> impl Strategy<Value = Snapshot> {
    proptest::collection::btree_map("https://a.example/[a-d]{1,2}", proptest::option::of("[12]"), 0..9)
        .prop_map(|entries| {
            Snapshot::Urls(entries.into_iter().map(|(url, lastmod)| UrlEntry { url, lastmod }).collect())
        })
}

fn pairs() -> impl Strategy<Value = (Snapshot, Snapshot)> {
    prop_oneof![(blocks(), blocks()), (items(), items()), (urls(), urls())]
}

/// Checks that no text is rendered as markup, and that all descriptions can be rendered.
fn check_rendering(comparison: &Comparison) {
    assert_eq!(comparison.is_empty(), render::summary(comparison).is_empty());
    assert!(render::title(comparison).chars().count() <= 121);
    let lines = render::in_context(&comparison.operations, None, None);
    let changed_lines = lines.iter().filter(|line| matches!(line, render::ContextLine::Changed(_))).count();
    assert_eq!(changed_lines, comparison.operations.len());
    let mut markup = render::html(&comparison.operations);
    for tag in ["<p>", "</p>", "<strong>", "</strong>", "</ins>", "</del>", "</span>", "</a>", "<br>"] {
        markup = markup.replace(tag, "");
    }
    for opening in markup.split('<').skip(1) {
        let known =
            ["ins style=\"", "del style=\"", "span title=\"", "a rel=\"noopener nofollow\" href=\"http"];
        assert!(known.iter().any(|start| opening.starts_with(start)), "{opening}");
    }
}

/// Applies the operations of a comparison to the old texts.
fn applied(before: &[SnapshotBlock], comparison: &Comparison, size: usize) -> Vec<String> {
    let at = |anchor: u32| usize::try_from(anchor).unwrap() - 1;
    let mut after: Vec<Option<String>> = vec![None; size];
    let mut retained: Vec<bool> = vec![true; before.len()];
    for operation in &comparison.operations {
        match operation.op {
            Op::Removed => retained[at(operation.anchor)] = false,
            Op::Added | Op::Changed | Op::Moved => {
                after[at(operation.anchor)].clone_from(&operation.after);
                if let Some(from) = operation.from {
                    retained[at(from)] = false;
                }
            }
        }
    }
    let mut rest =
        before.iter().zip(retained).filter(|(_, retained)| *retained).map(|(block, _)| block.text.clone());
    let after = after.into_iter().map(|text| text.or_else(|| rest.next()).unwrap_or_default()).collect();
    assert_eq!(rest.next(), None, "every retained block has a position");
    after
}

proptest! {
    #[test]
    fn snapshot_does_not_differ_from_itself((one, _) in pairs(), ordered: bool) {
        prop_assert!(compare(&one, &one, &rules(ordered), soon()).is_empty());
    }

    #[test]
    fn fingerprints_are_equal_only_if_nothing_differs((before, after) in pairs(), ordered: bool) {
        let rules = rules(ordered);
        let comparison = compare(&before, &after, &rules, soon());
        prop_assert_eq!(comparison.is_empty(), fingerprint(&before, &rules) == fingerprint(&after, &rules));
        prop_assert_eq!(
            u32::try_from(comparison.operations.len()).unwrap(),
            comparison.added + comparison.removed + comparison.modified
        );
        check_rendering(&comparison);
    }

    #[test]
    fn applying_operations_to_old_blocks_yields_new_blocks(before in plain_blocks(), after in plain_blocks()) {
        let comparison = compare(&before, &after, &rules(true), soon());
        let (Snapshot::Blocks(old), Snapshot::Blocks(new)) = (&before, &after) else { unreachable!() };
        let texts: Vec<String> = new.iter().map(|block| block.text.clone()).collect();
        prop_assert_eq!(applied(old, &comparison, new.len()), texts);
    }

    #[test]
    fn order_of_unordered_list_is_ignored(texts in proptest::collection::vec("[ab]{1,3}", 1..9), seed in 0..50_usize) {
        let list = |texts: &[String]| {
            let block = |text: &String| SnapshotBlock { kind: Kind::ListItem, text: text.clone(), list: 1, ..SnapshotBlock::default() };
            Snapshot::Blocks(texts.iter().map(block).collect())
        };
        let mut rotated = texts.clone();
        rotated.rotate_left(seed % texts.len());
        prop_assert!(compare(&list(&texts), &list(&rotated), &rules(false), soon()).is_empty());
    }

    #[test]
    fn learned_masks_keep_fingerprints_consistent(pages in proptest::collection::vec(blocks(), 4)) {
        let mut masks = learn(&pages.iter().collect::<Vec<_>>());
        prop_assert_eq!(masks.describe().len(), masks.learned.len());
        let rules = Rules { masks: masks.clone(), ..Rules::default() };
        let comparison = compare(&pages[2], &pages[3], &rules, soon());
        prop_assert_eq!(comparison.is_empty(), fingerprint(&pages[2], &rules) == fingerprint(&pages[3], &rules));
        masks.update(&pages[2], &pages[3]);
    }

    #[test]
    fn snapshot_is_unchanged_by_encoding_and_decoding((one, other) in pairs()) {
        for snapshot in [one, other] {
            let bytes = snapshot.encode().unwrap();
            prop_assert_eq!(Snapshot::decode(&bytes).unwrap(), snapshot);
        }
    }

    #[test]
    fn damaged_encoding_does_not_panic(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
        let _ = Snapshot::decode(&bytes);
    }

    #[test]
    fn any_source_can_be_observed(markup in markup(), target in target(), json: bool) {
        let kind = if json { "application/json" } else { "text/html" };
        let ignore = [Ignore::Selector("p, .ad".to_owned())];
        let seen = observe(markup.as_bytes(), Some(kind), Some("https://a.example/b"), &target, &ignore);
        prop_assert_eq!(&seen, &observe(markup.as_bytes(), Some(kind), Some("https://a.example/b"), &target, &ignore));
        if let Ok(seen) = seen {
            prop_assert_eq!(Snapshot::decode(&seen.snapshot.encode().unwrap()).unwrap(), seen.snapshot);
        }
    }
}

fn markup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z]{1,9}( [a-z0-9,]{1,6}){0,9}[.!]? ",
        Just("<p>".to_owned()),
        Just("</p>".to_owned()),
        Just("<main><div class=\"adSlot related\">".to_owned()),
        Just("</div>".to_owned()),
        Just("<ul><li><a href='?sid=1&a=2#x'>".to_owned()),
        Just("</a></li></ul>".to_owned()),
        Just("<table><tr><td>".to_owned()),
        Just("</td><th>".to_owned()),
        Just("</table>".to_owned()),
        Just("<h2>".to_owned()),
        Just("<pre>a\n\n b".to_owned()),
        Just("<br><hr><img alt='three words here'>".to_owned()),
        Just("{\"a\":[1,{\"b\":\"c\"},null]}".to_owned()),
        Just("日本\u{202e}語\u{0}e\u{301}".to_owned()),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn target() -> impl Strategy<Value = Target> {
    let field = |selector: &str| WatchedField::new(selector, selector);
    prop_oneof![
        Just(Target::Page { selector: None }),
        Just(Target::Page { selector: Some("li, p, main".to_owned()) }),
        Just(Target::Page { selector: Some("$..b".to_owned()) }),
        Just(Target::Sitemap { include: vec!["/a*".to_owned()], exclude: Vec::new() }),
        Just(Target::Extract { items: Some("li".to_owned()), fields: vec![field("a@href"), field("")] }),
        Just(Target::Extract { items: None, fields: vec![field("$.a[0]")] }),
        Just(Target::Calendar),
        Just(Target::File),
        Just(Target::Image),
        Just(Target::Visual { selector: None }),
        Just(Target::Headers { fields: Vec::new() }),
    ]
}
