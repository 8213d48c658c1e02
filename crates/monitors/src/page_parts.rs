//! Parts of a page that a person can choose on its picture. The worker's browser creates the picture and numbers the
//! elements, and a child process finds a selector for each. Pictures are stored with previews and expire with them. The
//! number of pictures per account is limited.

use std::collections::HashMap;

use articles::worker_tools::{PagePicture, PartBox, PartLimits};
use async_recursion::async_recursion as boxed;
use entities::ids::AccountId;
use entities::monitor_preview::{Column, Entity};
use extract::watch::{PartKind, PartSelector};
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use serde::{Deserialize, Serialize};

use super::observer::{NotObserved, Observer};
use super::outcome::RunError;
use super::retention::PREVIEWS_MS;
use kernel::{Code, Domain, Millis, Result};

/// Limits of the parts of a page.
const LIMITS: PartLimits = PartLimits { max_count: 300, max_height: 4_000 };
/// Maximum size of a picture, in bytes.
const MAX_PICTURE_BYTES: usize = 3 << 20;
/// Maximum number of pictures of an account. The oldest are deleted first.
const MAX_PICTURES: u64 = 3;
/// Maximum number of pictures that are deleted when a picture is stored.
const MAX_DELETED: u64 = 100;
/// Number of characters in a key.
const KEY_CHARS: usize = 64;

/// Parts of a page, with their positions on its picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageParts {
    /// Key of the picture.
    #[serde(skip)]
    pub key: String,
    /// URL of the page that was requested.
    pub url: String,
    /// Width of the displayed part of the page, in pixels of the page.
    pub width: u32,
    /// Height of the displayed part of the page, in pixels of the page.
    pub height: u32,
    /// Parts with text, fields, and buttons, in document order.
    pub parts: Vec<PositionedPart>,
    /// True if the page is higher, or has more parts, than the limits allow, or was not loaded completely.
    pub is_cut: bool,
}

/// Part of a page with its position, in pixels of the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionedPart {
    /// CSS selector that matches only this part of the rendered page.
    pub selector: String,
    /// Beginning of the text that a monitor with this selector reads, or the name of the field or button.
    pub text: String,
    #[serde(default)]
    pub kind: PartKind,
    pub x: u32,
    pub y: u32,
    pub width: u32,
    pub height: u32,
}

/// Renders the page of an observer. Returns its parts with its picture, in JPEG.
pub(super) async fn read(
    observer: &Observer<'_>,
    url: &str,
) -> std::result::Result<(PageParts, Vec<u8>), NotObserved> {
    let rendered = observer.render_parts(url, LIMITS).await.map_err(NotObserved::Unusable)?;
    let Some(picture) = rendered.picture else { return Err(unusable("The page has no picture.")) };
    if picture.jpeg.len() > MAX_PICTURE_BYTES {
        return Err(unusable("The picture of the page is too large."));
    }
    let selectors = observer.part_selectors(&rendered.fetched).await?;
    let PagePicture { jpeg, width, height, boxes, is_cut } = picture;
    let parts = positioned(selectors, &boxes);
    let is_cut = is_cut || rendered.is_cut;
    Ok((PageParts { key: String::new(), url: url.to_owned(), width, height, parts, is_cut }, jpeg))
}

fn unusable(reason: &str) -> NotObserved {
    let reason = Some(reason.to_owned());
    NotObserved::Unusable(RunError { reason, ..RunError::unusable(Code::UnsupportedContent) })
}

/// Combines selectors and positions by the numbers of the parts. Omits parts without a position, and the
/// copies of elements that a parser creates for incorrectly nested markup.
fn positioned(selectors: Vec<PartSelector>, boxes: &[PartBox]) -> Vec<PositionedPart> {
    let mut boxes: HashMap<u32, PartBox> = boxes.iter().map(|part| (part.number, *part)).collect();
    let part = |part: PartSelector| {
        let PartBox { x, y, width, height, .. } = boxes.remove(&part.number)?;
        let PartSelector { selector, text, kind, .. } = part;
        Some(PositionedPart { selector, text, kind, x, y, width, height })
    };
    selectors.into_iter().filter_map(part).collect()
}

/// Deletes the pictures of an account above [`MAX_PICTURES`], oldest first. Their previews remain, without a
/// result, because a job may be recreating the result.
pub(super) async fn delete_oldest(transaction: &DatabaseTransaction, account_id: AccountId) -> Result<()> {
    let oldest: Vec<String> = Entity::owned_by(account_id)
        .select_only()
        .column(Column::Key)
        .filter(Column::Picture.is_not_null())
        .order_by_desc(Column::MadeAt)
        .offset(MAX_PICTURES)
        .limit(MAX_DELETED)
        .into_tuple()
        .all(transaction)
        .await?;
    if oldest.is_empty() {
        return Ok(());
    }
    Entity::update_many()
        .col_expr(Column::Picture, Expr::value(None::<Vec<u8>>))
        .col_expr(Column::Found, Expr::value(None::<String>))
        .filter(Column::AccountId.eq(account_id))
        .filter(Column::Key.is_in(oldest))
        .exec(transaction)
        .await?;
    Ok(())
}

/// Returns a picture of the account, in JPEG. `None` if there is none under this key, or if it has expired.
///
/// # Errors
/// Returns an error if the database is unavailable.
#[boxed]
pub async fn page_picture(domain: &Domain, account_id: AccountId, key: &str) -> Result<Option<Vec<u8>>> {
    if !is_key(key) {
        return Ok(None);
    }
    let picture = Entity::owned_by(account_id)
        .select_only()
        .column(Column::Picture)
        .filter(Column::Key.eq(key))
        .filter(Column::MadeAt.gte(oldest_time(domain).await?))
        .into_tuple::<Option<Vec<u8>>>()
        .one(domain.db().read())
        .await?;
    Ok(picture.flatten())
}

/// Time before which pictures are expired.
pub(super) async fn oldest_time(domain: &Domain) -> Result<Millis> {
    Ok(jobs::database_time(domain.db().read(), domain).await? - PREVIEWS_MS)
}

/// Returns true if a text may be the key of a preview.
pub(super) fn is_key(key: &str) -> bool {
    key.len() == KEY_CHARS && key.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use entities::monitor_preview::Model;
    use kernel::testing::{TestDatabase, person};
    use kernel::tiers::Tier;
    use sea_orm::IntoActiveModel;

    use super::*;

    fn key(number: u8) -> String {
        format!("{number:02x}").repeat(32)
    }

    async fn store(domain: &Domain, account_id: AccountId, number: u8) {
        let row = Model {
            key: key(number),
            account_id,
            asked: "{}".to_owned(),
            found: Some("{}".to_owned()),
            error_code: None,
            error_message: None,
            made_at: domain.now(),
            picture: Some(vec![number]),
        };
        let connection = domain.db().write();
        Entity::insert(row.into_active_model()).exec_without_returning(connection).await.unwrap();
        let transaction = domain.db().begin().await.unwrap();
        delete_oldest(&transaction, account_id).await.unwrap();
        transaction.commit().await.unwrap();
    }

    #[tokio::test]
    async fn account_retains_its_three_newest_pictures_until_they_expire() {
        for database in TestDatabase::each().await {
            let domain = &database.domain;
            let (who, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
            store(domain, other, 9).await;
            for number in 1..=4 {
                database.clock.advance(1_000);
                store(domain, who, number).await;
            }
            for (number, picture) in [(1, None), (2, Some(vec![2])), (4, Some(vec![4])), (9, None)] {
                assert_eq!(page_picture(domain, who, &key(number)).await.unwrap(), picture, "{number}");
            }
            let rows =
                Entity::owned_by(who).order_by_asc(Column::MadeAt).all(domain.db().read()).await.unwrap();
            let results: Vec<bool> = rows.iter().map(|row| row.found.is_some()).collect();
            assert_eq!(results, [false, true, true, true], "a job can still store the result of the oldest");
            assert_eq!(page_picture(domain, other, &key(9)).await.unwrap(), Some(vec![9]));
            assert_eq!(page_picture(domain, other, &key(4)).await.unwrap(), None);
            database.clock.advance(PREVIEWS_MS + 1);
            assert_eq!(page_picture(domain, who, &key(4)).await.unwrap(), None);
        }
    }

    #[test]
    fn parts_and_positions_are_matched_by_number() {
        let selector = |number: u32, selector: &str| PartSelector {
            number,
            selector: selector.to_owned(),
            text: "Text".to_owned(),
            kind: PartKind::Text,
        };
        let area = |number, y| PartBox { number, x: 1, y, width: 2, height: 3 };
        let parts = positioned(
            vec![selector(2, "#b"), selector(9, "#c"), selector(1, "#a"), selector(1, "#copy")],
            &[area(1, 10), area(2, 20)],
        );
        let parts: Vec<_> = parts.iter().map(|part| (part.selector.as_str(), part.y)).collect();
        assert_eq!(parts, [("#b", 20), ("#a", 10)]);
    }

    #[test]
    fn key_is_a_hash_in_lower_case() {
        assert!(is_key(&"0f".repeat(32)));
        for key in ["", "0f", "0F".repeat(32).as_str(), "\0f".repeat(32).as_str(), "é".repeat(32).as_str()] {
            assert!(!is_key(key), "{key}");
        }
    }
}
