//! Public pages of single highlights: the quote or the picture, the title of its item, and the address of the original
//! page, at an address that cannot be guessed. The note is part of the page only if the owner has chosen to include it.
//!
//! A highlight can be public only if Carrel fetched the text of its item from a public address without signing in, and
//! the text contains the exact words of the quote, or the picture: other texts may come from behind a login. Both
//! conditions are checked on each request. The page is unavailable while they are not met, or while the deletion of the
//! item is pending. If the item is deleted, the highlight becomes private again.

use std::collections::HashMap;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, HighlightId};
use entities::library_highlight;
use entities::library_public_highlight::{ActiveModel, Column, Entity, Model};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, IntoActiveModel,
    PaginatorTrait, QueryFilter, QueryOrder, QueryResult, Value,
};

use super::highlight_picture::HighlightPicture;
use super::precedence::EXTRACTED;
use super::public_url::{public_title, public_url};
use identity::accounts;
use identity::limits::check_plan_limit;
use kernel::error::not_found;
use kernel::statement::{placeholders, statement};
use kernel::{Code, Domain, Error, Millis, Result};

/// Maximum number of public highlights of an account.
const MAX_HIGHLIGHTS: u64 = 200;
/// Maximum number of ids per statement.
const IDS_PER_STATEMENT: usize = 500;

/// Note on a public highlight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PublicNote {
    Included,
    LeftOut,
}

/// Highlight with a public page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicHighlight {
    pub highlight_id: HighlightId,
    pub quote: String,
    pub note: PublicNote,
    /// False while the page is unavailable, because the item has no fetched text that contains the quote.
    pub is_available: bool,
    pub created_at: Millis,
    /// Secret part of the address.
    token: String,
}

impl PublicHighlight {
    fn of(row: Model, candidate: HighlightCandidate) -> Self {
        Self {
            highlight_id: row.highlight_id,
            quote: candidate.quote,
            note: if row.with_note { PublicNote::Included } else { PublicNote::LeftOut },
            is_available: candidate.source.is_some(),
            created_at: row.created_at,
            token: row.page_token,
        }
    }

    pub fn page_url(&self, base_url: &str) -> String {
        format!("{base_url}/feeds/highlights/{}", self.token)
    }
}

/// Public state of a highlight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Publication {
    Private,
    /// The highlight cannot be public: the text of its item was not fetched from a public address, or does
    /// not contain the quote.
    Unavailable,
    Public(PublicHighlight),
}

/// Content of the page of a highlight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicQuote {
    pub quote: String,
    /// Picture of the original page. `None` for a passage.
    pub picture: Option<HighlightPicture>,
    /// `None` if there is no note, or if its owner left it out.
    pub note: Option<String>,
    /// Title of the item. Empty if it was derived from the address.
    pub title: String,
    /// Address of the original page without credentials.
    pub url: String,
}

/// Content and source of a highlight. `source` is `None` if the highlight cannot be public.
struct HighlightCandidate {
    quote: String,
    picture: Option<HighlightPicture>,
    note: Option<String>,
    source: Option<HighlightSource>,
}

/// Title and public address of an item.
struct HighlightSource {
    title: String,
    url: String,
}

/// Returns whether a highlight is public.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn highlight_publication(
    domain: &Domain,
    account_id: AccountId,
    id: HighlightId,
) -> Result<Publication> {
    let connection = domain.db().read();
    let candidate = candidate(domain, connection, account_id, id).await?;
    Ok(match row_of(connection, account_id, id).await? {
        Some(row) => Publication::Public(PublicHighlight::of(row, candidate)),
        None if candidate.source.is_none() => Publication::Unavailable,
        None => Publication::Private,
    })
}

/// Lists the account's public highlights, most recently published first.
#[boxed]
pub async fn list_public_highlights(domain: &Domain, account_id: AccountId) -> Result<Vec<PublicHighlight>> {
    let connection = domain.db().read();
    let rows = Entity::owned_by(account_id)
        .order_by_desc(Column::CreatedAt)
        .order_by_desc(Column::HighlightId)
        .all(connection)
        .await?;
    let ids: Vec<HighlightId> = rows.iter().map(|row| row.highlight_id).collect();
    let mut candidates = candidates(domain, connection, account_id, &ids).await?;
    let highlight = |row: Model| {
        let candidate = candidates.remove(&row.highlight_id)?;
        Some(PublicHighlight::of(row, candidate))
    };
    Ok(rows.into_iter().filter_map(highlight).collect())
}

/// Publishes a highlight. If it is already public, its address is unchanged, and the choice about its note is
/// replaced.
///
/// # Errors
/// `not_found`; `limit_reached`; `invalid_request` if the highlight cannot be public.
#[boxed]
pub async fn publish_highlight(
    domain: &Domain,
    account_id: AccountId,
    id: HighlightId,
    note: PublicNote,
) -> Result<PublicHighlight> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let candidate = candidate(domain, &transaction, account_id, id).await?;
    if candidate.source.is_none() {
        let message = "A quote can have a public link only if Carrel fetched its text from a public address, \
                       and the text contains the quote.";
        return Err(Error::new(Code::InvalidRequest, message));
    }
    let with_note = note == PublicNote::Included && candidate.note.is_some();
    let row = if let Some(row) = row_of(&transaction, account_id, id).await? {
        Entity::update_many()
            .set(ActiveModel { with_note: Set(with_note), ..Default::default() })
            .filter(Column::AccountId.eq(account_id))
            .filter(Column::HighlightId.eq(id))
            .exec(&transaction)
            .await?;
        Model { with_note, ..row }
    } else {
        let used = Entity::owned_by(account_id).count(&transaction).await?;
        check_plan_limit("public quotes", MAX_HIGHLIGHTS, used)?;
        let page_token = monitors::new_feed_token(domain);
        let created_at = domain.now();
        let row = Model { highlight_id: id, account_id, page_token, with_note, created_at };
        Entity::insert(row.clone().into_active_model()).exec_without_returning(&transaction).await?;
        row
    };
    transaction.commit().await?;
    Ok(PublicHighlight::of(row, candidate))
}

/// Makes a highlight private. Its page answers `not_found` immediately. Changes nothing if it is already private.
///
/// # Errors
/// `not_found` if the account has no such highlight.
#[boxed]
pub async fn unpublish_highlight(domain: &Domain, account_id: AccountId, id: HighlightId) -> Result<()> {
    let query = library_highlight::Entity::owned_by(account_id).filter(library_highlight::Column::Id.eq(id));
    if query.count(domain.db().read()).await? == 0 {
        return Err(not_found("highlight"));
    }
    Entity::delete_many()
        .filter(Column::AccountId.eq(account_id))
        .filter(Column::HighlightId.eq(id))
        .exec(domain.db().write())
        .await?;
    Ok(())
}

/// Excludes the note from the page of a public highlight because the note was removed: a new note needs a new choice.
pub(crate) async fn leave_out_note(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    id: HighlightId,
) -> Result<()> {
    Entity::update_many()
        .set(ActiveModel { with_note: Set(false), ..Default::default() })
        .filter(Column::AccountId.eq(account_id))
        .filter(Column::HighlightId.eq(id))
        .exec(transaction)
        .await?;
    Ok(())
}

/// Makes the highlights of deleted items private.
pub(crate) async fn unpublish_all(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    ids: &[HighlightId],
) -> Result<()> {
    for ids in ids.chunks(IDS_PER_STATEMENT) {
        Entity::delete_many()
            .filter(Column::AccountId.eq(account_id))
            .filter(Column::HighlightId.is_in(ids.to_vec()))
            .exec(transaction)
            .await?;
    }
    Ok(())
}

/// Returns the content of the page of a highlight.
///
/// # Errors
/// `not_found` if no public highlight has the token, or if its page is unavailable.
#[boxed]
pub async fn view_public_highlight(domain: &Domain, token: &str) -> Result<PublicQuote> {
    if !monitors::is_feed_token(token) {
        return Err(not_found("page"));
    }
    let connection = domain.db().read();
    // The token authorizes reading the row of its owner.
    let row = Entity::find().filter(Column::PageToken.eq(token)).one(connection).await?;
    let row = row.ok_or_else(|| not_found("page"))?;
    if !accounts::is_active(connection, row.account_id).await? {
        return Err(not_found("page"));
    }
    let unavailable = || not_found("page");
    let candidate = candidates(domain, connection, row.account_id, &[row.highlight_id]).await?;
    let candidate = candidate.into_values().next().ok_or_else(unavailable)?;
    let HighlightCandidate { quote, picture, note, source } = candidate;
    let HighlightSource { title, url } = source.ok_or_else(unavailable)?;
    Ok(PublicQuote { quote, picture, note: note.filter(|_| row.with_note), title, url })
}

async fn candidate(
    domain: &Domain,
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    id: HighlightId,
) -> Result<HighlightCandidate> {
    let candidates = candidates(domain, connection, account_id, &[id]).await?;
    candidates.into_values().next().ok_or_else(|| not_found("highlight"))
}

/// Returns the highlights of the account that have these ids.
async fn candidates(
    domain: &Domain,
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    ids: &[HighlightId],
) -> Result<HashMap<HighlightId, HighlightCandidate>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = format!(
        "SELECT h.id, h.quote, h.note, CASE WHEN i.title_rank >= {EXTRACTED} THEN i.title END, \
         CASE WHEN h.anchor_status = 'exact' AND x.origin = 'fetched' AND NOT EXISTS \
         (SELECT 1 FROM library_pending_deletion d WHERE d.item_id = i.id) THEN i.url END, h.picture_url, h.picture_alt \
         FROM library_highlight h \
         LEFT JOIN library_item i ON i.account_id = h.account_id AND i.id = h.item_id \
         LEFT JOIN library_text x ON x.account_id = i.account_id AND x.item_id = i.id \
         WHERE h.account_id = $1 AND h.id IN ({})",
        placeholders(2, ids.len())
    );
    let values = std::iter::once(account_id.into()).chain(ids.iter().map(|id| Value::from(*id)));
    let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
    rows.iter().map(|row| read_candidate(domain, row)).collect()
}

fn read_candidate(domain: &Domain, row: &QueryResult) -> Result<(HighlightId, HighlightCandidate)> {
    let (title, url): (Option<String>, Option<String>) = (row.try_get_by_index(3)?, row.try_get_by_index(4)?);
    let title = title.as_deref().and_then(public_title).unwrap_or_default().to_owned();
    let url = url.as_deref().and_then(|url| public_url(domain, url));
    let (picture_url, alt): (Option<String>, Option<String>) =
        (row.try_get_by_index(5)?, row.try_get_by_index(6)?);
    let candidate = HighlightCandidate {
        quote: row.try_get_by_index(1)?,
        picture: picture_url.map(|url| HighlightPicture { url, alt }),
        note: row.try_get_by_index(2)?,
        source: url.map(|url| HighlightSource { title, url }),
    };
    Ok((row.try_get_by_index(0)?, candidate))
}

async fn row_of(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    id: HighlightId,
) -> Result<Option<Model>> {
    Ok(Entity::owned_by(account_id).filter(Column::HighlightId.eq(id)).one(connection).await?)
}
