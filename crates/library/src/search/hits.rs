//! Pages of search hits: the newest matches are ranked, and older ones follow from the newest on.

use std::collections::HashSet;

use entities::ids::ObjectId;
use sea_orm::ConnectionTrait;

use super::index::WordField;
use super::matches::{Conditions, LibraryIndex, Match, RANKED, score, without_spread};
use super::phrases::retain_phrase_matches;
use crate::ObjectKind;
use kernel::Result;
use kernel::search::query::Query;

/// Matches are counted up to this number.
pub(crate) const COUNTED: u32 = 10_000;
/// Older objects that are checked for phrases in one step.
const PHRASE_STEP: u32 = 500;
/// Objects that are checked for phrases for one page. After that, the page is returned as it is, with the
/// position to continue from.
const PHRASE_CHECKS_PER_PAGE: u32 = 2_000;
/// Bit in a count which says that there are more.
const MORE_FLAG: u32 = 1 << 31;

/// Position after which a page of a search starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchPosition {
    /// Score of the last hit. 0 in the unranked tail.
    pub score: u16,
    /// Id of the last hit. In the unranked tail, the number of its row.
    pub id: u128,
    /// Rows from this number on were added after the first page.
    pub end: i64,
    /// Count of the first page, with the bit `MORE_FLAG`.
    pub total: u32,
}

/// Limit of the objects that are checked for phrases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScanLimit {
    /// The limit of one page. The next page continues.
    Page,
    /// This number of objects.
    Objects(u32),
}

/// Page of hits.
#[derive(Clone, Debug, Default)]
pub(crate) struct HitPage {
    pub hits: Vec<SearchHit>,
    pub total: u32,
    /// True if there are more than `total` hits.
    pub partial: bool,
    pub next: Option<SearchPosition>,
}

/// Object that matches a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SearchHit {
    pub id: ObjectId,
    pub kind: ObjectKind,
    /// Score in ten-thousandths. 0 if the hit is not ranked.
    pub score: u16,
    row: i64,
}

impl SearchHit {
    /// Hit of a list that is not ranked.
    pub(crate) fn unranked(id: ObjectId, kind: ObjectKind) -> Self {
        Self { id, kind, score: 0, row: 0 }
    }
}

/// Page of the objects after `after` that match `query` and fulfil `conditions`. With phrases, a page may be
/// short or empty although more pages follow.
pub(crate) async fn page<C: ConnectionTrait>(
    library: LibraryIndex<'_, C>,
    query: &Query,
    mut conditions: Conditions,
    after: Option<SearchPosition>,
    limit: usize,
    reach: ScanLimit,
) -> Result<HitPage> {
    let backend = library.connection.get_database_backend();
    conditions.extend(without_spread(backend, library.number, &query.without));
    let end = match after {
        Some(after) => after.end,
        None => next_row(&library).await?,
    };
    let newest = library.newest(query, WordField::Any, &conditions, end, RANKED).await?;
    let boundary = if newest.len() == RANKED as usize { newest.last().map_or(0, |last| last.row) } else { 0 };
    let mut candidates = newest;
    if boundary > 0 {
        candidates.extend(library.newest(query, WordField::Head, &conditions, boundary, RANKED).await?);
    }
    let several = library.spread(query, &conditions).await?;
    let spread = several.len();
    candidates.extend(several);
    let known: HashSet<ObjectId> = candidates.iter().map(|candidate| candidate.id).collect();
    let is_tail = after.is_some_and(|after| after.score == 0);
    if query.has_phrases() && !is_tail {
        candidates = retain_phrase_matches(&library, query, candidates).await?;
    }
    let ranked = if is_tail { Vec::new() } else { rank(query, &candidates) };
    let mut hits: Vec<SearchHit> =
        ranked.iter().filter(|hit| is_after(hit, after)).copied().take(limit + 1).collect();
    let mut rest = boundary;
    let mut older = Vec::new();
    if hits.len() <= limit && boundary > 0 {
        if let Some(SearchPosition { score: 0, id, .. }) = after {
            rest = i64::try_from(id).unwrap_or(boundary);
        }
        let tail = UnrankedTail { library, query, conditions: &conditions, known: &known, reach };
        older = tail.collect(&mut rest, limit + 1 - hits.len()).await?;
    }
    let (total, partial) = match after {
        Some(SearchPosition { total, .. }) => (total & !MORE_FLAG, total & MORE_FLAG != 0),
        None if query.has_phrases() => (saturating_u32(ranked.len() + older.len()), rest > 0),
        None if boundary == 0 => {
            let known = saturating_u32(candidates.len());
            (known.min(COUNTED), known > COUNTED)
        }
        None => count(&library, query, &conditions, boundary..end, saturating_u32(spread)).await?,
    };
    hits.extend(older);
    let has_more = hits.len() > limit;
    hits.truncate(limit);
    let total_so_far = if partial { total | MORE_FLAG } else { total };
    let last = match hits.last().filter(|_| has_more) {
        Some(last) if last.score > 0 => Some((last.score, last.id.as_u128())),
        Some(last) => Some((0, last.row.unsigned_abs().into())),
        // Rows before `rest` have not been checked yet.
        None => (rest > 0).then_some((0, rest.unsigned_abs().into())),
    };
    let next = last.map(|(score, id)| SearchPosition { score, id, end, total: total_so_far });
    Ok(HitPage { hits, total: total.min(COUNTED), partial: partial || total > COUNTED, next })
}

/// Objects that contain an excluded phrase of the query, for lists that are not ranked. Needed until the
/// rows that an earlier version wrote are rebuilt. At most [`COUNTED`] for all phrases combined.
pub(crate) async fn excluded_by_phrase<C: ConnectionTrait>(
    library: LibraryIndex<'_, C>,
    query: &Query,
) -> Result<Vec<ObjectId>> {
    let phrases: Vec<_> = query.without.iter().filter(|term| term.phrase.is_some()).collect();
    let most = COUNTED / saturating_u32(phrases.len()).max(1);
    let mut ids = Vec::new();
    for term in phrases {
        let query = Query { terms: vec![term.clone()], ..Query::default() };
        let matches =
            page(library, &query, Conditions::default(), None, most as usize, ScanLimit::Objects(most))
                .await?;
        ids.extend(matches.hits.into_iter().map(|hit| hit.id));
    }
    Ok(ids)
}

/// Matches that are older than the ranked ones.
struct UnrankedTail<'a, C> {
    library: LibraryIndex<'a, C>,
    query: &'a Query,
    conditions: &'a Conditions,
    /// Candidates for ranking, which the tail leaves out.
    known: &'a HashSet<ObjectId>,
    reach: ScanLimit,
}

impl<C: ConnectionTrait> UnrankedTail<'_, C> {
    /// Collects matches before the row `rest`, from the newest on, until there are `needed` or enough objects
    /// were checked. Afterwards `rest` is the row before which nothing was checked, or 0 at the end.
    async fn collect(&self, rest: &mut i64, needed: usize) -> Result<Vec<SearchHit>> {
        let (mut hits, mut checked) = (Vec::new(), 0);
        let (step, most) = match (self.query.has_phrases(), self.reach) {
            (true, ScanLimit::Page) => (PHRASE_STEP, PHRASE_CHECKS_PER_PAGE),
            (true, ScanLimit::Objects(most)) => (PHRASE_STEP, most),
            (false, _) => (saturating_u32(needed).saturating_add(RANKED), u32::MAX),
        };
        while hits.len() < needed && *rest > 0 && checked < most {
            let batch = self.library.newest(self.query, WordField::Any, self.conditions, *rest, step).await?;
            checked += saturating_u32(batch.len());
            *rest = if batch.len() < step as usize { 0 } else { batch.last().map_or(0, |last| last.row) };
            let mut unseen: Vec<Match> =
                batch.into_iter().filter(|candidate| !self.known.contains(&candidate.id)).collect();
            if self.query.has_phrases() {
                unseen = retain_phrase_matches(&self.library, self.query, unseen).await?;
            }
            hits.extend(unseen.into_iter().map(|candidate| SearchHit {
                id: candidate.id,
                kind: candidate.kind,
                score: 0,
                row: candidate.row,
            }));
        }
        Ok(hits)
    }
}

fn saturating_u32(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(MORE_FLAG - 1)
}

/// Number that the next row of the library will have at least.
async fn next_row<C: ConnectionTrait>(library: &LibraryIndex<'_, C>) -> Result<i64> {
    let sql = "SELECT MAX(id) FROM library_search WHERE account_id = $1";
    Ok(kernel::statement::scalar(library.connection, sql, [library.account_id.into()]).await? + 1)
}

fn rank(query: &Query, candidates: &[Match]) -> Vec<SearchHit> {
    let mut hits: Vec<SearchHit> = candidates
        .iter()
        .map(|candidate| SearchHit {
            id: candidate.id,
            kind: candidate.kind,
            score: score(query, &candidate.counts),
            row: candidate.row,
        })
        .collect();
    hits.sort_unstable_by_key(|hit| std::cmp::Reverse((hit.score, hit.id)));
    hits.dedup_by_key(|hit| hit.id);
    hits
}

fn is_after(hit: &SearchHit, after: Option<SearchPosition>) -> bool {
    match after {
        None => true,
        Some(SearchPosition { score: 0, .. }) => false,
        Some(after) => (hit.score, hit.id.as_u128()) < (after.score, after.id),
    }
}

/// Number of matches, and whether there are more. `newest` is the range of rows of the ranked matches, and
/// `spread` the number of matches with several rows.
async fn count<C: ConnectionTrait>(
    library: &LibraryIndex<'_, C>,
    query: &Query,
    conditions: &Conditions,
    newest: std::ops::Range<i64>,
    spread: u32,
) -> Result<(u32, bool)> {
    let known = RANKED + spread;
    let each = (newest.end - newest.start) / i64::from(RANKED) + 1;
    let older =
        library.count(query, conditions, newest.start, each, COUNTED + 1 - known.min(COUNTED)).await?;
    let all = known + older;
    Ok((all.min(COUNTED), all > COUNTED))
}
