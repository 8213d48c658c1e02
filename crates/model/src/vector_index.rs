//! Flat index of the vectors of an account's texts: finds the texts nearest to a query.

use std::hash::Hash;

use entities::ids::AccountId;
use kernel::{Domain, Error, Result};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Value};

use crate::embedding::Embedding;

/// Maximum number of texts nearest to a query.
const MAX_NEAREST: usize = 20;

/// Table with the vectors of texts.
pub(crate) trait VectorTable: EntityTrait {
    type TextId: Copy + Eq + Hash + Into<Value> + Send + Sync + 'static;

    const ACCOUNT_ID: Self::Column;
    const MODEL: Self::Column;
    const TEXT_ID: Self::Column;
    /// Number of rows that are loaded at a time.
    const ROWS_PER_QUERY: u64;

    /// Returns the text of a row, and its stored vectors.
    fn vector_of(row: Self::Model) -> (Self::TextId, Vec<u8>);

    /// Returns the similarity of a query and stored vectors. `None` if they cannot be compared.
    fn similarity(query: &Embedding, stored: &[u8]) -> Option<f32>;
}

/// Returns the texts of an account whose vectors by `model` are nearest to a query.
pub(crate) async fn nearest<T: VectorTable>(
    domain: &Domain,
    account_id: AccountId,
    model: &str,
    query: &Embedding,
) -> Result<Nearest<T::TextId>> {
    let mut comparison = VectorComparison::new(query, T::similarity);
    let mut after: Option<T::TextId> = None;
    loop {
        let mut select = T::find().filter(T::ACCOUNT_ID.eq(account_id)).filter(T::MODEL.eq(model));
        if let Some(after) = after {
            select = select.filter(T::TEXT_ID.gt(after));
        }
        let select = select.order_by_asc(T::TEXT_ID).limit(T::ROWS_PER_QUERY);
        let rows = select.all(domain.db().read()).await?;
        let vectors: Vec<(T::TextId, Vec<u8>)> = rows.into_iter().map(T::vector_of).collect();
        let Some((last, _)) = vectors.last() else { break };
        after = Some(*last);
        comparison.compare(vectors).await?;
    }
    Ok(comparison.nearest())
}

/// Replaces the rows of texts of an account. Texts without a new row have no vectors afterwards.
pub(crate) async fn replace<T: VectorTable>(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    ids: Vec<T::TextId>,
    rows: Vec<T::ActiveModel>,
) -> Result<()> {
    let stored = T::delete_many().filter(T::ACCOUNT_ID.eq(account_id)).filter(T::TEXT_ID.is_in(ids));
    stored.exec(transaction).await?;
    if !rows.is_empty() {
        T::insert_many(rows).exec_without_returning(transaction).await?;
    }
    Ok(())
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
    similarity: fn(&Embedding, &[u8]) -> Option<f32>,
    /// Nearest texts so far, best first.
    nearest: Vec<(Id, f32)>,
    compared: usize,
}

impl<'a, Id: Send + 'static> VectorComparison<'a, Id> {
    fn new(query: &'a Embedding, similarity: fn(&Embedding, &[u8]) -> Option<f32>) -> Self {
        Self { query, similarity, nearest: Vec::new(), compared: 0 }
    }

    /// Compares texts with these stored vectors.
    async fn compare(&mut self, vectors: Vec<(Id, Vec<u8>)>) -> Result<()> {
        let (query, similarity) = (self.query.clone(), self.similarity);
        let part = tokio::task::spawn_blocking(move || {
            let score = |(id, stored): (Id, Vec<u8>)| Some((id, similarity(&query, &stored)?));
            vectors.into_iter().filter_map(score).collect::<Vec<_>>()
        });
        let scored = part.await.map_err(Error::internal)?;
        self.compared += scored.len();
        self.nearest.extend(scored);
        self.nearest.sort_unstable_by(|(_, one), (_, other)| other.total_cmp(one));
        self.nearest.truncate(MAX_NEAREST);
        Ok(())
    }

    fn nearest(self) -> Nearest<Id> {
        Nearest { ids: self.nearest.into_iter().map(|(id, _)| id).collect(), compared: self.compared }
    }
}
