//! Stored snapshots.

use super::super::{DecodeError, ExtractedItem, FieldValue, SnapshotBlock, UrlEntry};
use super::*;

fn some() -> Vec<Snapshot> {
    let item = ExtractedItem {
        key: "k".to_owned(),
        title: "Lamp".to_owned(),
        link: Some("https://a.example/l".to_owned()),
        fields: vec![FieldValue { name: "price".to_owned(), value: None }],
    };
    vec![
        snapshot("<ul><li><a href=/x>One</a></li></ul><table><tr><td>a</td><td>b</td></tr></table>"),
        Snapshot::Urls(vec![UrlEntry { url: "https://a.example/".to_owned(), lastmod: None }]),
        Snapshot::Items(vec![item]),
        Snapshot::Blocks(Vec::new()),
    ]
}

#[test]
fn encoded_snapshot_round_trips() {
    for snapshot in some() {
        let bytes = snapshot.encode().unwrap();
        assert_eq!(bytes, snapshot.encode().unwrap());
        assert_eq!(Snapshot::decode(&bytes).unwrap(), snapshot);
    }
}

#[test]
fn damaged_snapshot_is_not_decoded() {
    let bytes = some()[0].encode().unwrap();
    assert!(matches!(Snapshot::decode(&[]), Err(DecodeError::Damaged(_))));
    assert!(matches!(Snapshot::decode(&bytes[..bytes.len() - 3]), Err(DecodeError::Damaged(_))));
    assert_eq!(Snapshot::decode(&[9, 1, 2]), Err(DecodeError::Version(9)));
    // A decompression bomb, whose content is far larger than any snapshot.
    let mut bomb = vec![1];
    bomb.extend(zstd::bulk::compress(&vec![b' '; 200 * 1024 * 1024], 3).unwrap());
    assert!(matches!(Snapshot::decode(&bomb), Err(DecodeError::Damaged(_))));
}

#[test]
fn snapshot_over_the_size_limit_is_not_encoded() {
    let block = SnapshotBlock { text: "x".repeat(97 * 1024 * 1024), ..SnapshotBlock::default() };
    assert!(Snapshot::Blocks(vec![block]).encode().is_err());
}

#[test]
fn merged_sitemap_parts_stay_within_the_size_limit() {
    let part = |name: char| {
        let url = |n: usize| format!("https://a.example/{name}{n:06}{}", "x".repeat(4_000));
        Snapshot::Urls((0..5_000).map(|n| UrlEntry { url: url(n), lastmod: None }).collect())
    };
    let mut whole = part('a');
    whole.absorb(part('b'));
    whole.absorb(part('c'));
    let Snapshot::Urls(urls) = &whole else { panic!("the snapshot is a list of URLs") };
    let bytes: usize = urls.iter().map(|entry| entry.url.len()).sum();
    assert!((30 << 20..=32 << 20).contains(&bytes), "{bytes}");
    assert_eq!(Snapshot::decode(&whole.encode().unwrap()).unwrap(), whole);
}

#[test]
fn content_hash_distinguishes_snapshots() {
    let hashes: std::collections::HashSet<[u8; 32]> = some().iter().map(Snapshot::content_hash).collect();
    assert_eq!(hashes.len(), 4);
    let block = |text: &str, link: &str| {
        Snapshot::Blocks(vec![SnapshotBlock {
            text: text.to_owned(),
            links: vec![link.to_owned()],
            ..SnapshotBlock::default()
        }])
    };
    assert_ne!(block("a", "b").content_hash(), block("a", "c").content_hash());
    assert_eq!(block("a", "b").content_hash(), block("a", "b").content_hash());
}

#[test]
fn snapshots_of_different_kinds_differ_as_a_whole() {
    let some = some();
    let comparison = compare(&some[0], &some[1], &Rules::default(), soon());
    assert!(comparison.too_large && !comparison.is_empty());
    assert_ne!(render::summary(&comparison), "");
}

#[test]
fn expired_deadline_falls_back_to_counts() {
    let (before, after) =
        (snapshot("<p>One here.</p><p>Two here.</p>"), snapshot("<p>Two here.</p><p>Three here.</p>"));
    let comparison = compare(&before, &after, &Rules::default(), Instant::now());
    assert!(comparison.too_large);
    assert_eq!((comparison.operations.len(), comparison.added, comparison.removed), (1, 1, 1));
    assert_eq!(render::summary(&comparison), "Too large to align: 1 block new, 1 gone");
    assert!(compare(&before, &before, &Rules::default(), Instant::now()).is_empty());
}
