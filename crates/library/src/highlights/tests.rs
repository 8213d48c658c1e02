//! Tests of the positions of highlights while texts are stored.

use entities::library_item;
use entities::library_words::TextOrigin;
use extract::{Block, BlockKind, Document};
use kernel::db::Backend;
use kernel::testing::{TestDatabase, on_both, person};
use kernel::tiers::Tier;

use super::*;
use crate::annotations::Annotations;
use crate::highlight_anchor::{compute_anchors, reanchor_highlights};
use crate::text::{self, NewText, PackedText};

on_both! {
    highlights_are_reanchored_at_positions_computed_before_the_transaction,
    positions_of_detached_highlights_are_computed,
    highlight_is_not_anchored_in_a_replaced_text,
    highlight_of_an_item_with_another_stored_hash_is_anchored,
}

const QUOTE: &str = "A carrel is a small desk for one quiet reader in a library.";
const EDITED: &str = "A carrel is a little desk for one quiet reader in a library.";
const OTHER_QUOTE: &str = "Shelves stand behind it.";

fn document(blocks: &[&str]) -> Arc<Document> {
    let block = |(anchor, text): (u32, &&str)| Block {
        anchor,
        kind: BlockKind::Paragraph,
        text: (*text).to_owned(),
        ..Block::default()
    };
    let content_hash = blocks.join("\n\n");
    let blocks = (1_u32..).zip(blocks).map(block).collect();
    Arc::new(Document { blocks, content_hash, ..Document::default() })
}

async fn packed(blocks: &[&str]) -> PackedText {
    let document = document(blocks);
    let text = NewText { document, origin: TextOrigin::Supplied, final_url: None, made_at: 0 };
    text.pack().await.unwrap()
}

/// Inserts an item with a text.
async fn insert_item(domain: &Domain, account_id: AccountId, blocks: &[&str]) -> library_item::Model {
    let mut transaction = LibraryTransaction::begin(domain, account_id).await.unwrap();
    let id: ItemId = domain.new_id();
    let stamp = transaction.stamp(ObjectKind::Item, item::object(id));
    let blank = item::blank(id, account_id, transaction.now);
    let row = library_item::Model {
        sequence: stamp.sequence,
        updated_at: stamp.updated_at,
        content_hash: Some(document(blocks).content_hash.clone()),
        ..blank
    };
    let insert = row.clone().into_active_model().reset_all();
    library_item::Entity::insert(insert).exec_without_returning(transaction.db()).await.unwrap();
    text::put(&transaction, id, packed(blocks).await).await.unwrap();
    transaction.commit().await.unwrap();
    row
}

/// Replaces the text of an item without reanchoring its highlights. The item gets the hash `content_hash`.
async fn replace_text(domain: &Domain, item: &library_item::Model, blocks: &[&str], content_hash: &str) {
    let transaction = LibraryTransaction::begin(domain, item.account_id).await.unwrap();
    text::put(&transaction, item.id, packed(blocks).await).await.unwrap();
    let row = library_item::Model { content_hash: Some(content_hash.to_owned()), ..item.clone() };
    row.into_active_model().reset_all().update(transaction.db()).await.unwrap();
    transaction.commit().await.unwrap();
}

fn new_highlight(item_id: ItemId, quote: &str) -> NewHighlight {
    NewHighlight {
        item_id,
        target: HighlightTarget::Quote(quote.to_owned()),
        prefix: None,
        suffix: None,
        anchor: None,
        note: None,
        color: None,
        tags: Vec::new(),
        external_id: None,
    }
}

/// Creates a highlight and returns its id.
async fn highlight(domain: &Domain, account_id: AccountId, item_id: ItemId, quote: &str) -> HighlightId {
    let new = new_highlight(item_id, quote);
    create_highlight(domain, account_id, new).await.unwrap().0.row.id
}

/// Returns the first block of a highlight and its status.
async fn anchor_of(domain: &Domain, account_id: AccountId, id: HighlightId) -> (Option<i32>, AnchorStatus) {
    let row = get_highlight(domain, account_id, id).await.unwrap().row;
    (row.anchor, row.anchor_status)
}

async fn highlights_are_reanchored_at_positions_computed_before_the_transaction(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Free).await;
    let id = insert_item(domain, who, &[QUOTE, OTHER_QUOTE, "A door."]).await.id;
    let known = highlight(domain, who, id, QUOTE).await;
    let lost = highlight(domain, who, id, "A door.").await;
    let mut packed = packed(&["Before.", EDITED, OTHER_QUOTE]).await;
    compute_anchors(domain, who, (&[id], &[]), &mut packed).await.unwrap();
    let added = highlight(domain, who, id, OTHER_QUOTE).await;
    let mut transaction = LibraryTransaction::begin(domain, who).await.unwrap();
    // Only the highlight that was created in the meantime is searched for in this text.
    let searched = document(&["", "", "", "", OTHER_QUOTE, QUOTE, "A door."]);
    let anchors = (packed.anchors, SearchBudget::TRANSACTION);
    reanchor_highlights(&mut transaction, id, &searched, anchors).await.unwrap();
    transaction.commit().await.unwrap();
    assert_eq!(anchor_of(domain, who, known).await, (Some(2), AnchorStatus::Moved));
    assert_eq!(anchor_of(domain, who, lost).await, (None, AnchorStatus::Orphaned));
    assert_eq!(anchor_of(domain, who, added).await, (Some(5), AnchorStatus::Exact));
}

async fn positions_of_detached_highlights_are_computed(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Free).await;
    let item = insert_item(domain, who, &[QUOTE]).await;
    let id = highlight(domain, who, item.id, QUOTE).await;
    let mut transaction = LibraryTransaction::begin(domain, who).await.unwrap();
    let items = std::slice::from_ref(&item);
    annotations::detach_or_delete(&mut transaction, items, Annotations::Keep).await.unwrap();
    transaction.commit().await.unwrap();
    let mut packed = packed(&["Before.", QUOTE]).await;
    compute_anchors(domain, who, (&[item.id], &[]), &mut packed).await.unwrap();
    let row = get_highlight(domain, who, id).await.unwrap().row;
    assert_eq!((row.item_id, row.anchor), (None, None));
    let anchor = packed.anchors.remove(&row).unwrap();
    assert_eq!((anchor.anchor, anchor.status), (Some(2), AnchorStatus::Exact));
    assert!(packed.anchors.remove(&row).is_none());
}

async fn highlight_is_not_anchored_in_a_replaced_text(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Free).await;
    let item = insert_item(domain, who, &[QUOTE]).await;
    let haystack = haystack_of(domain, who, item.id).await.unwrap().unwrap();
    let old_hash = haystack.content_hash.clone();
    let new = new_highlight(item.id, QUOTE);
    let row = anchored_row(domain, who, &new, None, Some(haystack)).await.unwrap();
    assert_eq!((row.start_offset, row.anchor_status), (Some(0), AnchorStatus::Exact));
    let transaction = begin_with_text(domain, &row, Some(&old_hash)).await.unwrap();
    assert!(transaction.is_some());
    drop(transaction);
    let blocks = ["Before.", QUOTE];
    replace_text(domain, &item, &blocks, &document(&blocks).content_hash).await;
    assert!(begin_with_text(domain, &row, Some(&old_hash)).await.unwrap().is_none());
    assert!(begin_with_text(domain, &row, None).await.unwrap().is_none());
    let (transaction, row) = begin_anchored(domain, who, &new, None).await.unwrap();
    drop(transaction);
    assert_eq!((row.start_offset, row.anchor_status), (Some(9), AnchorStatus::Exact));
}

async fn highlight_of_an_item_with_another_stored_hash_is_anchored(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Free).await;
    let item = insert_item(domain, who, &[QUOTE]).await;
    replace_text(domain, &item, &["Before.", QUOTE], "another hash").await;
    let id = highlight(domain, who, item.id, QUOTE).await;
    assert_eq!(anchor_of(domain, who, id).await, (Some(2), AnchorStatus::Exact));
}
