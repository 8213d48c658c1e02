//! Positions that e-readers report for documents, so that another e-reader can continue there. E-readers identify a
//! document by a digest of its file or file name, so a position does not belong to an item. Documents that browsers
//! read aloud have names with a prefix, and a separate limit.

use async_recursion::async_recursion as boxed;
use entities::ids::AccountId;
use entities::reading_position::{Column, Entity, Model};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect,
};

use identity::accounts;
use kernel::{Code, Domain, Error, Millis, Result, Used};

/// Maximum length of a document's digest, and of the name and id of an e-reader, in code points.
const NAME_CHARS: usize = 255;
/// Maximum length of a position in code points.
const PROGRESS_CHARS: usize = 1000;
/// Maximum number of documents per account.
const MAX_DOCUMENTS: u64 = 10_000;
/// Prefix of the names of documents that browsers read aloud. No digest starts with it.
pub const LISTENED: &str = "listen:";
/// Maximum number of positions in documents that browsers read aloud, per account. The oldest are deleted first.
const MAX_LISTENED: u64 = 500;
/// Maximum number of positions that are deleted when one is stored.
const MAX_DELETED: u64 = 100;
const MILLION: f64 = 1_000_000.0;

/// Position in a document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadingPosition {
    /// Digest by which e-readers recognise the document.
    pub document: String,
    /// Position in the format of the e-reader.
    pub progress: String,
    /// Fraction of the document that was read, from 0 to 1.
    pub fraction: f64,
    /// Name of the e-reader.
    pub device: String,
    /// Id of the e-reader.
    pub device_id: String,
}

/// Stores the position of a document, and replaces an earlier position. Returns the time of the change.
///
/// # Errors
/// `invalid_request`; `limit_reached` if the document is new and the account has the maximum number of
/// documents.
#[boxed]
pub async fn put_reading_position(
    domain: &Domain,
    account_id: AccountId,
    position: ReadingPosition,
) -> Result<Millis> {
    put_at(domain, account_id, position, domain.now()).await
}

/// Imports the position of a document, unless an e-reader has reported one since. `changed_at` is the time at
/// which it was reported.
///
/// # Errors
/// Returns the errors of [`put_reading_position`].
pub(crate) async fn import_reading_position(
    domain: &Domain,
    account_id: AccountId,
    position: ReadingPosition,
    changed_at: Millis,
) -> Result<()> {
    let known = get_reading_position(domain, account_id, &position.document).await?;
    if known.is_some_and(|(_, known_at)| known_at >= changed_at) {
        return Ok(());
    }
    put_at(domain, account_id, position, changed_at.min(domain.now())).await?;
    Ok(())
}

/// Deletes the position of a document, if there is one.
#[boxed]
pub async fn delete_reading_position(domain: &Domain, account_id: AccountId, document: &str) -> Result<()> {
    delete_documents(domain, account_id, vec![document.to_owned()]).await
}

/// Stores the position of a document that a browser reads aloud. Other documents do not count towards its
/// limit. If there are too many such positions, the oldest are deleted.
///
/// # Errors
/// `invalid_request`.
#[boxed]
pub async fn put_listened_position(
    domain: &Domain,
    account_id: AccountId,
    position: ReadingPosition,
) -> Result<()> {
    check(&position)?;
    let is_known = get_reading_position(domain, account_id, &position.document).await?.is_some();
    write(domain.db().write(), account_id, position, domain.now()).await?;
    if is_known { Ok(()) } else { delete_oldest_listened(domain, account_id).await }
}

/// Deletes the oldest positions in documents that browsers read aloud, so that at most [`MAX_LISTENED`] remain.
async fn delete_oldest_listened(domain: &Domain, account_id: AccountId) -> Result<()> {
    let oldest: Vec<String> = Entity::owned_by(account_id)
        .select_only()
        .column(Column::Document)
        .filter(Column::Document.starts_with(LISTENED))
        .order_by_desc(Column::UpdatedAt)
        .order_by_desc(Column::Document)
        .offset(MAX_LISTENED)
        .limit(MAX_DELETED)
        .into_tuple()
        .all(domain.db().read())
        .await?;
    if oldest.is_empty() { Ok(()) } else { delete_documents(domain, account_id, oldest).await }
}

async fn delete_documents(domain: &Domain, account_id: AccountId, documents: Vec<String>) -> Result<()> {
    Entity::delete_many()
        .filter(Column::AccountId.eq(account_id))
        .filter(Column::Document.is_in(documents))
        .exec(domain.db().write())
        .await?;
    Ok(())
}

/// Lists the positions of all documents of an account with the times of their changes, for exports. Names of documents
/// that browsers read aloud contain ids of this installation, so their positions are left out.
pub(crate) async fn list_reading_positions(
    domain: &Domain,
    account_id: AccountId,
) -> Result<Vec<(ReadingPosition, Millis)>> {
    let rows = Entity::owned_by(account_id).order_by_asc(Column::Document).all(domain.db().read()).await?;
    let exported = rows.into_iter().filter(|row| !row.document.starts_with(LISTENED));
    Ok(exported.map(of_row).collect())
}

async fn put_at(
    domain: &Domain,
    account_id: AccountId,
    position: ReadingPosition,
    updated_at: Millis,
) -> Result<Millis> {
    check(&position)?;
    let is_document = Column::Document.eq(&position.document);
    let is_known = Entity::owned_by(account_id).filter(is_document).count(domain.db().read()).await? > 0;
    let transaction = domain.db().begin().await?;
    if !is_known {
        // The lock prevents two concurrent requests from exceeding the limit.
        accounts::lock(&transaction, account_id).await?;
        let others = Entity::owned_by(account_id).filter(Column::Document.ne(&position.document));
        let used = others.count(&transaction).await?;
        if used >= MAX_DOCUMENTS {
            let message = "An account can have the reading positions of at most 10000 documents.";
            let used = Used { limit: MAX_DOCUMENTS, used, policy: None };
            return Err(Error::new(Code::LimitReached, message).limit(used));
        }
    }
    write(&transaction, account_id, position, updated_at).await?;
    transaction.commit().await?;
    Ok(updated_at)
}

async fn write(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    position: ReadingPosition,
    updated_at: Millis,
) -> Result<()> {
    let row = Model {
        account_id,
        document: position.document,
        progress: position.progress,
        millionths: millionths_of(position.fraction),
        device: position.device,
        device_id: position.device_id,
        updated_at,
    };
    let changed = [Column::Progress, Column::Millionths, Column::Device, Column::DeviceId, Column::UpdatedAt];
    let known = OnConflict::columns([Column::AccountId, Column::Document]).update_columns(changed).to_owned();
    Entity::insert(row.into_active_model()).on_conflict(known).exec_without_returning(connection).await?;
    Ok(())
}

/// Returns the position of a document and the time of its last change. `None` if no e-reader has reported a
/// position, or if `document` is not a valid digest.
#[boxed]
pub async fn get_reading_position(
    domain: &Domain,
    account_id: AccountId,
    document: &str,
) -> Result<Option<(ReadingPosition, Millis)>> {
    if check_line("document", document, NAME_CHARS).is_err() {
        return Ok(None);
    }
    let of_document = Entity::owned_by(account_id).filter(Column::Document.eq(document));
    let row = of_document.one(domain.db().read()).await?;
    Ok(row.map(of_row))
}

fn of_row(row: Model) -> (ReadingPosition, Millis) {
    let fraction = f64::from(i32::try_from(row.millionths).unwrap_or_default()) / MILLION;
    let position = ReadingPosition {
        document: row.document,
        progress: row.progress,
        fraction,
        device: row.device,
        device_id: row.device_id,
    };
    (position, row.updated_at)
}

fn check(position: &ReadingPosition) -> Result<()> {
    let names =
        [("document", &position.document), ("device", &position.device), ("device_id", &position.device_id)];
    for (name, value) in names {
        check_line(name, value, NAME_CHARS)?;
    }
    if position.document.is_empty() {
        return Err(Error::invalid_field("document", "is missing"));
    }
    check_line("progress", &position.progress, PROGRESS_CHARS)?;
    if !(0.0..=1.0).contains(&position.fraction) {
        return Err(Error::invalid_field("percentage", "must be between 0 and 1"));
    }
    Ok(())
}

fn check_line(name: &'static str, value: &str, most: usize) -> Result<()> {
    if value.chars().count() > most || value.chars().any(char::is_control) {
        return Err(Error::invalid_field(name, format!("must have at most {most} characters of one line")));
    }
    Ok(())
}

/// Converts a fraction between 0 and 1 to millionths.
#[expect(clippy::cast_possible_truncation, reason = "the product is at most a million")]
fn millionths_of(fraction: f64) -> i64 {
    (fraction * MILLION).round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::db::Backend;
    use kernel::testing::{TestDatabase, on_both, person};
    use kernel::tiers::Tier;

    on_both! {
        position_is_replaced_and_visible_to_its_owner_only,
        oldest_positions_of_listened_documents_are_deleted,
        one_of_two_concurrent_requests_adds_the_last_allowed_document,
    }

    async fn position_is_replaced_and_visible_to_its_owner_only(backend: Backend) {
        let test = TestDatabase::create(backend).await;
        let domain = &test.domain;
        let (owner, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let at = |fraction: f64| ReadingPosition {
            document: "0b229176d4e8db7f6d2b5a4952368d7a".into(),
            progress: "/body/DocFragment[20]/body/p[22]/img.0".into(),
            fraction,
            device: "Reader".into(),
            device_id: "1".into(),
        };
        for fraction in [0.25, 0.3151, 1.0] {
            let changed_at = put_reading_position(domain, owner, at(fraction)).await.unwrap();
            let stored = get_reading_position(domain, owner, &at(0.0).document).await.unwrap();
            assert_eq!(stored, Some((at(fraction), changed_at)));
        }
        assert_eq!(get_reading_position(domain, other, &at(0.0).document).await.unwrap(), None);
        let long = "x".repeat(256);
        for odd in ["nul\0", "", long.as_str()] {
            assert_eq!(get_reading_position(domain, owner, odd).await.unwrap(), None);
        }
        for wrong in [
            ReadingPosition { document: String::new(), ..at(0.5) },
            ReadingPosition { document: "x".repeat(256), ..at(0.5) },
            ReadingPosition { progress: "x".repeat(1001), ..at(0.5) },
            ReadingPosition { device: "two\nlines".into(), ..at(0.5) },
            at(1.5),
            at(f64::NAN),
        ] {
            assert_eq!(
                put_reading_position(domain, owner, wrong).await.unwrap_err().code,
                Code::InvalidRequest
            );
        }
    }

    async fn oldest_positions_of_listened_documents_are_deleted(backend: Backend) {
        let test = TestDatabase::create(backend).await;
        let domain = &test.domain;
        let (owner, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let row = |account_id: AccountId, document: String, updated_at: i64| Model {
            account_id,
            document,
            progress: "3/1/0".into(),
            millionths: 0,
            device: String::new(),
            device_id: String::new(),
            updated_at,
        };
        let listened =
            |number: i64| row(owner, format!("{LISTENED}entries/{number}"), number).into_active_model();
        let mut rows: Vec<_> = (1..=502).map(listened).collect();
        rows.push(row(owner, "digest".into(), 0).into_active_model());
        rows.push(row(other, format!("{LISTENED}entries/1"), 0).into_active_model());
        for chunk in rows.chunks(100) {
            Entity::insert_many(chunk.to_vec()).exec_without_returning(domain.db().write()).await.unwrap();
        }
        delete_oldest_listened(domain, owner).await.unwrap();
        let left = async |account_id: AccountId, document: &str| {
            get_reading_position(domain, account_id, document).await.unwrap().is_some()
        };
        for (number, is_left) in [(1, false), (2, false), (3, true), (502, true)] {
            assert_eq!(left(owner, &format!("{LISTENED}entries/{number}")).await, is_left, "{number}");
        }
        assert!(left(owner, "digest").await && left(other, &format!("{LISTENED}entries/1")).await);
        assert_eq!(list_reading_positions(domain, owner).await.unwrap().len(), 1);
        delete_reading_position(domain, owner, "digest").await.unwrap();
        assert!(!left(owner, "digest").await);
    }

    async fn one_of_two_concurrent_requests_adds_the_last_allowed_document(backend: Backend) {
        let test = TestDatabase::create(backend).await;
        let domain = &test.domain;
        let owner = person(domain, Tier::Free).await;
        let row = |number: u64| Model {
            account_id: owner,
            document: number.to_string(),
            progress: String::new(),
            millionths: 0,
            device: String::new(),
            device_id: String::new(),
            updated_at: 1,
        };
        let rows: Vec<_> = (1..MAX_DOCUMENTS).map(|number| row(number).into_active_model()).collect();
        for chunk in rows.chunks(1_000) {
            Entity::insert_many(chunk.to_vec()).exec_without_returning(domain.db().write()).await.unwrap();
        }
        let named = |document: &str| ReadingPosition { document: document.into(), ..Default::default() };
        let (one, other) = tokio::join!(
            put_reading_position(domain, owner, named("one")),
            put_reading_position(domain, owner, named("other")),
        );
        assert_ne!(one.is_ok(), other.is_ok());
        assert_eq!(one.and(other).unwrap_err().code, Code::LimitReached);
        put_reading_position(domain, owner, named("1")).await.unwrap();
        // The documents of e-readers do not count towards the limit of documents that browsers read aloud.
        let listened = named(&format!("{LISTENED}entries/1"));
        put_listened_position(domain, owner, listened.clone()).await.unwrap();
        assert!(get_reading_position(domain, owner, &listened.document).await.unwrap().is_some());
    }
}
