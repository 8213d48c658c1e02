//! Flat index of the vectors of an account's texts: sends the texts without a vector to the embedding model within the
//! bounds of a search, and finds the texts nearest to a query.

use std::collections::{HashSet, VecDeque};
use std::hash::Hash;

use entities::ids::AccountId;
use fetch::model_server::ModelServer;
use futures_util::future::BoxFuture;
use identity::accounts;
use kernel::clock::MINUTE;
use kernel::{Domain, Error, Millis, Result};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Value};

use crate::embedding::Embedding;
use crate::{budget, consent, exchange};

/// Number of vectors that are loaded at a time.
const VECTORS_PER_QUERY: u64 = 200;
/// Maximum number of requests to the embedding model per search.
const MAX_REQUESTS: usize = 100;
/// Time after which a search stops sending texts to the embedding model, so that it does not hold up other
/// accounts.
const MAX_DURATION: Millis = 10 * MINUTE;
/// Number of refused texts after which a search stops sending texts to the embedding model.
const MAX_REFUSED: usize = 10;
/// Maximum number of texts nearest to a query.
const MAX_NEAREST: usize = 20;

/// Table with the vectors of texts.
pub(crate) trait VectorTable: EntityTrait {
    type TextId: Copy + Eq + Hash + Into<Value> + Send + Sync + 'static;

    const ACCOUNT_ID: Self::Column;
    const MODEL: Self::Column;
    const TEXT_ID: Self::Column;

    /// Returns the text of a row, and the bytes of its vector.
    fn vector_of(row: Self::Model) -> (Self::TextId, Vec<u8>);
}

/// Id of a text of an index.
pub(crate) type IndexedTextId<I> = <<I as VectorIndex>::Table as VectorTable>::TextId;

/// Texts of an account that have vectors.
pub(crate) trait VectorIndex: Sized + Sync {
    type Table: VectorTable;

    /// Version of a text without a vector.
    type Text: Send + Sync;

    /// Number of texts of a request.
    const TEXTS_PER_REQUEST: usize;

    fn account_id(&self) -> AccountId;

    /// Returns the name of the embedding model.
    fn model(&self) -> &str;

    fn text_id(text: &Self::Text) -> IndexedTextId<Self>;

    /// Returns the texts that have no vector of their current version, in the order in which they are sent.
    fn unindexed<'a>(&'a self, domain: &'a Domain) -> BoxFuture<'a, Result<Vec<Self::Text>>>;

    /// Returns the words to send for each text, in the order of the texts. `None` for a text that the account no longer
    /// sees.
    fn inputs<'a>(
        &'a self,
        domain: &'a Domain,
        texts: &'a [Self::Text],
    ) -> BoxFuture<'a, Result<Vec<Option<String>>>>;

    /// Returns the texts that were not deleted. None of them can be deleted before the commit. The account is
    /// locked.
    fn present<'a>(
        &'a self,
        transaction: &'a DatabaseTransaction,
        ids: &'a [IndexedTextId<Self>],
    ) -> BoxFuture<'a, Result<Vec<IndexedTextId<Self>>>>;

    /// Creates the row of a vector.
    fn row(&self, text: &Self::Text, vector: &Embedding) -> <Self::Table as EntityTrait>::ActiveModel;
}

/// Bounds of the requests of one search.
pub(crate) struct RequestBounds {
    remaining: usize,
    started_at: Millis,
}

impl RequestBounds {
    pub(crate) fn new(domain: &Domain) -> Self {
        Self { remaining: MAX_REQUESTS, started_at: domain.now() }
    }

    /// Counts a request. Returns false if a bound is reached.
    fn count(&mut self, domain: &Domain) -> bool {
        if self.remaining == 0 || domain.now() - self.started_at > MAX_DURATION {
            return false;
        }
        self.remaining -= 1;
        true
    }
}

/// State of an index after it was filled.
#[derive(Debug, Default)]
pub(crate) struct IndexState {
    /// Number of texts that have no vector yet.
    pub(crate) unindexed: usize,
    /// Error of the last request that failed.
    pub(crate) error: Option<Error>,
}

/// Sends unindexed texts to the embedding model, until every text has a vector, a bound is reached, or the model
/// fails. If the model refuses a request, its texts are sent one by one, so that only refused texts stay without a
/// vector.
pub(crate) async fn fill<I: VectorIndex>(
    domain: &Domain,
    server: Option<&ModelServer>,
    index: &I,
    bounds: &mut RequestBounds,
) -> Result<IndexState> {
    let unindexed = index.unindexed(domain).await?;
    let mut requests: VecDeque<&[I::Text]> = unindexed.chunks(I::TEXTS_PER_REQUEST).collect();
    let mut state = IndexState { unindexed: unindexed.len(), error: None };
    let mut refused_texts = 0_usize;
    while let Some(texts) = requests.pop_front() {
        if refused_texts >= MAX_REFUSED || !bounds.count(domain) {
            break;
        }
        match index_texts(domain, server, index, texts).await {
            Ok(()) => state.unindexed -= texts.len(),
            Err(error) => {
                let is_refused = exchange::is_of_text(error.code);
                state.error = Some(error);
                match texts.len() {
                    _ if !is_refused => break,
                    1 => refused_texts += 1,
                    _ => {
                        for text in texts.chunks(1).rev() {
                            requests.push_front(text);
                        }
                    }
                }
            }
        }
    }
    Ok(state)
}

async fn index_texts<I: VectorIndex>(
    domain: &Domain,
    server: Option<&ModelServer>,
    index: &I,
    texts: &[I::Text],
) -> Result<()> {
    let account_id = index.account_id();
    let inputs = index.inputs(domain, texts).await?;
    let inputs_by_text = texts.iter().zip(inputs).filter_map(|(text, input)| Some((text, input?)));
    let (texts, inputs): (Vec<&I::Text>, Vec<String>) = inputs_by_text.unzip();
    if texts.is_empty() {
        return Ok(());
    }
    consent::require_consent(domain, account_id).await?;
    budget::charge(domain, account_id).await?;
    let vectors = exchange::embed(domain, server, account_id, inputs).await?;
    store(domain, index, &texts, &vectors).await
}

/// Stores the vectors of texts, in the order of the texts. Texts that were deleted since are skipped. Nothing is stored
/// if the consent was withdrawn since.
async fn store<I: VectorIndex>(
    domain: &Domain,
    index: &I,
    texts: &[&I::Text],
    vectors: &[Embedding],
) -> Result<()> {
    let account_id = index.account_id();
    let ids: Vec<IndexedTextId<I>> = texts.iter().map(|text| I::text_id(text)).collect();
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    if !consent::is_given(&transaction, account_id).await? {
        return Ok(());
    }
    let present = index.present(&transaction, &ids).await?;
    let present: HashSet<IndexedTextId<I>> = present.into_iter().collect();
    let mut rows = Vec::with_capacity(texts.len());
    for (text, vector) in texts.iter().zip(vectors) {
        if present.contains(&I::text_id(text)) {
            rows.push(index.row(text, vector));
        }
    }
    I::Table::delete_many()
        .filter(I::Table::ACCOUNT_ID.eq(account_id))
        .filter(I::Table::TEXT_ID.is_in(ids))
        .exec(&transaction)
        .await?;
    if !rows.is_empty() {
        I::Table::insert_many(rows).exec_without_returning(&transaction).await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Returns the texts of an index whose vectors are nearest to a query.
pub(crate) async fn nearest<I: VectorIndex>(
    domain: &Domain,
    index: &I,
    query: &Embedding,
) -> Result<Nearest<IndexedTextId<I>>> {
    let mut comparison = VectorComparison::new(query);
    let mut after: Option<IndexedTextId<I>> = None;
    loop {
        let mut select = I::Table::find()
            .filter(I::Table::ACCOUNT_ID.eq(index.account_id()))
            .filter(I::Table::MODEL.eq(index.model()));
        if let Some(after) = after {
            select = select.filter(I::Table::TEXT_ID.gt(after));
        }
        let select = select.order_by_asc(I::Table::TEXT_ID).limit(VECTORS_PER_QUERY);
        let rows = select.all(domain.db().read()).await?;
        let vectors: Vec<(IndexedTextId<I>, Vec<u8>)> = rows.into_iter().map(I::Table::vector_of).collect();
        let Some((last, _)) = vectors.last() else { break };
        after = Some(*last);
        comparison.compare(vectors).await?;
    }
    Ok(comparison.nearest())
}

/// Texts nearest to a query.
#[derive(Debug)]
pub(crate) struct Nearest<Id> {
    /// Best first.
    pub(crate) ids: Vec<Id>,
    /// Number of texts that were compared.
    pub(crate) compared: usize,
}

/// Comparison of texts with a query, some vectors at a time.
struct VectorComparison<'a, Id> {
    query: &'a Embedding,
    scored: Vec<(Id, f32)>,
}

impl<'a, Id: Send + 'static> VectorComparison<'a, Id> {
    fn new(query: &'a Embedding) -> Self {
        Self { query, scored: Vec::new() }
    }

    /// Compares texts with these stored vectors.
    async fn compare(&mut self, vectors: Vec<(Id, Vec<u8>)>) -> Result<()> {
        let query = self.query.clone();
        let part = tokio::task::spawn_blocking(move || {
            let score =
                |(id, vector): (Id, Vec<u8>)| Some((id, query.similarity(&Embedding::of_bytes(&vector))?));
            vectors.into_iter().filter_map(score).collect::<Vec<_>>()
        });
        self.scored.extend(part.await.map_err(Error::internal)?);
        Ok(())
    }

    fn nearest(mut self) -> Nearest<Id> {
        self.scored.sort_unstable_by(|(_, one), (_, other)| other.total_cmp(one));
        let compared = self.scored.len();
        let ids = self.scored.into_iter().map(|(id, _)| id).take(MAX_NEAREST).collect();
        Nearest { ids, compared }
    }
}
