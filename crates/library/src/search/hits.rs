//! Pages of search hits. The newest matches are ranked. Older matches follow without rank, newest first.

use std::collections::HashSet;

use entities::ids::ObjectId;
use sea_orm::ConnectionTrait;

use super::index::WordField;
use super::matches::{Conditions, Match, RANKED, SearchIndex, score, without_spread};
use super::phrases::retain_phrase_matches;
use crate::ObjectKind;
use kernel::Result;
use kernel::search::query::Query;

/// Number up to which matches are counted.
pub(crate) const COUNTED: u32 = 10_000;
/// Number of unranked objects that are checked for phrases in one step.
const PHRASE_STEP: u32 = 500;
/// Number of unranked objects that are checked for phrases for one page. If the page is not full after that,
/// it is returned with the position from which the next page continues.
const PHRASE_CHECKS_PER_PAGE: u32 = 2_000;
/// Bit of a count that is set if more matches exist than were counted.
const MORE_FLAG: u32 = 1 << 31;

/// Position after which a page of a search starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchPosition {
    /// Score of the last hit. 0 in the unranked tail.
    pub score: u16,
    /// Id of the last hit. In the unranked tail, its row number.
    pub id: u128,
    /// First number of the rows that were added after the first page was read. These rows are ignored.
    pub end: i64,
    /// Number of matches, counted with the first page. Includes the bit `MORE_FLAG`.
    pub total: u32,
}

/// Limit on the number of objects that are checked for phrases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScanLimit {
    /// The limit of one page. The next page continues.
    Page,
    /// This number of objects.
    Objects(u32),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct HitPage {
    pub hits: Vec<SearchHit>,
    pub total: u32,
    /// True if more than `total` objects match.
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
    /// Creates a hit of a list that is not ranked.
    pub(crate) fn unranked(id: ObjectId, kind: ObjectKind) -> Self {
        Self { id, kind, score: 0, row: 0 }
    }
}

/// Returns a page of the objects after `after` that match `query` and `conditions`. If the query has phrases,
/// a page may be short or empty although more pages follow.
pub(crate) async fn page<C: ConnectionTrait>(
    library: SearchIndex<'_, C>,
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

/// Returns the objects that contain an excluded phrase of the query, for lists that are not ranked. Only
/// needed until the rows that an earlier version wrote are rebuilt. Returns at most [`COUNTED`] objects for
/// all phrases combined.
pub(crate) async fn excluded_by_phrase<C: ConnectionTrait>(
    library: SearchIndex<'_, C>,
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

/// Matches that are older than the ranked matches.
struct UnrankedTail<'a, C> {
    library: SearchIndex<'a, C>,
    query: &'a Query,
    conditions: &'a Conditions,
    /// Candidates for ranking, which the tail omits.
    known: &'a HashSet<ObjectId>,
    reach: ScanLimit,
}

impl<C: ConnectionTrait> UnrankedTail<'_, C> {
    /// Collects matches before the row `rest`, newest first, until it has `needed` matches or the limit on
    /// checked objects is reached. Sets `rest` to the row before which no row was checked, or to 0 if all
    /// rows were checked.
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

/// Returns a lower bound of the number of the library's next row.
async fn next_row<C: ConnectionTrait>(library: &SearchIndex<'_, C>) -> Result<i64> {
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

/// Returns the number of matches up to [`COUNTED`], and true if more matches exist. `newest` is the row range
/// of the ranked matches. `spread` is the number of matches with several rows.
async fn count<C: ConnectionTrait>(
    library: &SearchIndex<'_, C>,
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
