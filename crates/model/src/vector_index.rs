//! Flat index of the vectors of an account's texts: sends the texts without a vector to the embedding model within the
//! bounds of a search, and finds the texts nearest to a query.

use std::collections::VecDeque;

use entities::ids::AccountId;
use fetch::model_server::ModelServer;
use futures_util::future::BoxFuture;
use kernel::clock::MINUTE;
use kernel::{Domain, Error, Millis, Result};

use crate::embedding::Embedding;
use crate::{budget, consent, exchange};

/// Number of vectors that are loaded at a time.
pub(crate) const VECTORS_PER_QUERY: u64 = 200;
/// Maximum number of requests of one search.
const MAX_REQUESTS: usize = 100;
/// Time after which a search sends no further texts, so that searches of other accounts do not wait long.
const MAX_DURATION: Millis = 10 * MINUTE;
/// Number of refused texts after which a search sends no further texts.
const MAX_REFUSED: usize = 10;
/// Maximum number of texts nearest to a query.
const MAX_NEAREST: usize = 20;

/// Texts of an account that have vectors.
pub(crate) trait VectorIndex: Sync {
    /// Version of a text without a vector.
    type Text: Send + Sync;

    /// Number of texts of a request.
    const TEXTS_PER_REQUEST: usize;

    fn account_id(&self) -> AccountId;

    /// Returns the texts that have no vector of their current version, in the order in which they are sent.
    fn unindexed<'a>(&'a self, domain: &'a Domain) -> BoxFuture<'a, Result<Vec<Self::Text>>>;

    /// Returns the words to send for each text, in the order of the texts. `None` for a text that the account no longer
    /// sees.
    fn inputs<'a>(
        &'a self,
        domain: &'a Domain,
        texts: &'a [Self::Text],
    ) -> BoxFuture<'a, Result<Vec<Option<String>>>>;

    /// Stores the vectors of texts, in the order of the texts. Texts that were deleted since are skipped. Nothing is
    /// stored if the consent was withdrawn since.
    fn store<'a>(
        &'a self,
        domain: &'a Domain,
        texts: &'a [&'a Self::Text],
        vectors: Vec<Embedding>,
    ) -> BoxFuture<'a, Result<()>>;
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
    let mut refused = 0_usize;
    while let Some(texts) = requests.pop_front() {
        if refused >= MAX_REFUSED || !bounds.count(domain) {
            break;
        }
        match index_texts(domain, server, index, texts).await {
            Ok(()) => state.unindexed -= texts.len(),
            Err(error) => {
                let is_refused = exchange::is_of_text(error.code);
                state.error = Some(error);
                match texts.len() {
                    _ if !is_refused => break,
                    1 => refused += 1,
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
    let sent = texts.iter().zip(inputs).filter_map(|(text, input)| Some((text, input?)));
    let (texts, inputs): (Vec<&I::Text>, Vec<String>) = sent.unzip();
    if texts.is_empty() {
        return Ok(());
    }
    consent::require_consent(domain, account_id).await?;
    budget::charge(domain, account_id).await?;
    let vectors = exchange::embed(domain, server, account_id, inputs).await?;
    index.store(domain, &texts, vectors).await
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
pub(crate) struct Comparison<'a, Id> {
    query: &'a Embedding,
    scored: Vec<(Id, f32)>,
}

impl<'a, Id: Send + 'static> Comparison<'a, Id> {
    pub(crate) fn new(query: &'a Embedding) -> Self {
        Self { query, scored: Vec::new() }
    }

    /// Compares texts with these stored vectors.
    pub(crate) async fn compare(&mut self, vectors: Vec<(Id, Vec<u8>)>) -> Result<()> {
        let query = self.query.clone();
        let part = tokio::task::spawn_blocking(move || {
            let score =
                |(id, vector): (Id, Vec<u8>)| Some((id, query.similarity(&Embedding::of_bytes(&vector))?));
            vectors.into_iter().filter_map(score).collect::<Vec<_>>()
        });
        self.scored.extend(part.await.map_err(Error::internal)?);
        Ok(())
    }

    pub(crate) fn nearest(mut self) -> Nearest<Id> {
        self.scored.sort_unstable_by(|(_, one), (_, other)| other.total_cmp(one));
        let compared = self.scored.len();
        let ids = self.scored.into_iter().map(|(id, _)| id).take(MAX_NEAREST).collect();
        Nearest { ids, compared }
    }
}
