//! Pages of search hits: the newest matches are ranked, and older ones follow from the newest on.

use std::collections::HashSet;

use entities::ids::ObjectId;
use sea_orm::ConnectionTrait;

use super::index::Field;
use super::matches::{Conditions, Library, Match, RANKED, score, without_spread};
use super::phrases::standing_together;
use crate::ObjectKind;
use kernel::error::Result;
use kernel::search::query::Query;

/// Matches are counted up to this number.
pub(crate) const COUNTED: u32 = 10_000;
/// Older objects that are checked for phrases in one step.
const LOOKED_THROUGH: u32 = 500;
/// Objects that are checked for phrases for one page. After that, the page is returned as it is, with the
/// position to continue from.
const PER_PAGE: u32 = 2_000;
/// Bit in a count which says that there are more.
const MORE: u32 = 1 << 31;

/// Position after which a page of a search starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct After {
    /// Score of the last hit. 0 in the unranked tail.
    pub score: u16,
    /// Id of the last hit. In the unranked tail, the number of its row.
    pub id: u128,
    /// Rows from this number on were added after the first page.
    pub end: i64,
    /// Count of the first page, with the bit `MORE`.
    pub total: u32,
}

/// Limit of the objects that are checked for phrases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// The limit of one page. The next page continues.
    Page,
    /// This number of objects.
    Whole(u32),
}

/// Page of hits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    pub hits: Vec<Hit>,
    pub total: u32,
    /// True if there are more than `total` hits.
    pub partial: bool,
    pub next: Option<After>,
}

/// Object that matches a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    pub id: ObjectId,
    pub kind: ObjectKind,
    /// Score in ten-thousandths. 0 if the hit is not ranked.
    pub score: u16,
    row: i64,
}

impl Hit {
    /// Hit of a list that is not ranked.
    pub(crate) fn unranked(id: ObjectId, kind: ObjectKind) -> Self {
        Self { id, kind, score: 0, row: 0 }
    }
}

/// Page of the objects after `after` that match `query` and fulfil `conditions`. With phrases, a page may be
/// short or empty although more pages follow.
pub(crate) async fn page<C: ConnectionTrait>(
    library: Library<'_, C>,
    query: &Query,
    mut conditions: Conditions,
    after: Option<After>,
    limit: usize,
    reach: Reach,
) -> Result<Page> {
    let backend = library.connection.get_database_backend();
    conditions.extend(without_spread(backend, library.number, &query.without));
    let end = match after {
        Some(after) => after.end,
        None => next_row(&library).await?,
    };
    let newest = library.newest(query, Field::Any, &conditions, end, RANKED).await?;
    let boundary = if newest.len() == RANKED as usize { newest.last().map_or(0, |last| last.row) } else { 0 };
    let mut candidates = newest;
    if boundary > 0 {
        candidates.extend(library.newest(query, Field::Head, &conditions, boundary, RANKED).await?);
    }
    let several = library.spread(query, &conditions).await?;
    let spread = several.len();
    candidates.extend(several);
    let known: HashSet<ObjectId> = candidates.iter().map(|found| found.id).collect();
    let is_tail = after.is_some_and(|after| after.score == 0);
    if query.has_phrases() && !is_tail {
        candidates = standing_together(&library, query, candidates).await?;
    }
    let ranked = if is_tail { Vec::new() } else { rank(query, &candidates) };
    let mut hits: Vec<Hit> =
        ranked.iter().filter(|hit| is_after(hit, after)).copied().take(limit + 1).collect();
    let mut rest = boundary;
    let mut older = Vec::new();
    if hits.len() <= limit && boundary > 0 {
        if let Some(After { score: 0, id, .. }) = after {
            rest = i64::try_from(id).unwrap_or(boundary);
        }
        let tail = Tail { library, query, conditions: &conditions, known: &known, reach };
        older = tail.from(&mut rest, limit + 1 - hits.len()).await?;
    }
    let (total, partial) = match after {
        Some(After { total, .. }) => (total & !MORE, total & MORE != 0),
        None if query.has_phrases() => (in_numbers(ranked.len() + older.len()), rest > 0),
        None if boundary == 0 => {
            let known = in_numbers(candidates.len());
            (known.min(COUNTED), known > COUNTED)
        }
        None => count(&library, query, &conditions, boundary..end, in_numbers(spread)).await?,
    };
    hits.extend(older);
    let has_more = hits.len() > limit;
    hits.truncate(limit);
    let total_so_far = if partial { total | MORE } else { total };
    let last = match hits.last().filter(|_| has_more) {
        Some(last) if last.score > 0 => Some((last.score, last.id.as_u128())),
        Some(last) => Some((0, last.row.unsigned_abs().into())),
        // Rows before `rest` have not been checked yet.
        None => (rest > 0).then_some((0, rest.unsigned_abs().into())),
    };
    let next = last.map(|(score, id)| After { score, id, end, total: total_so_far });
    Ok(Page { hits, total: total.min(COUNTED), partial: partial || total > COUNTED, next })
}

/// Objects that contain an excluded phrase of the query, for lists that are not ranked. At most [`COUNTED`]
/// for all phrases together.
pub(crate) async fn unwanted<C: ConnectionTrait>(
    library: Library<'_, C>,
    query: &Query,
) -> Result<Vec<ObjectId>> {
    let phrases: Vec<_> = query.without.iter().filter(|term| term.phrase.is_some()).collect();
    let most = COUNTED / in_numbers(phrases.len()).max(1);
    let mut ids = Vec::new();
    for term in phrases {
        let query = Query { terms: vec![term.clone()], ..Query::default() };
        let found =
            page(library, &query, Conditions::default(), None, most as usize, Reach::Whole(most)).await?;
        ids.extend(found.hits.into_iter().map(|hit| hit.id));
    }
    Ok(ids)
}

/// Matches that are older than the ranked ones.
struct Tail<'a, C> {
    library: Library<'a, C>,
    query: &'a Query,
    conditions: &'a Conditions,
    /// Candidates for ranking, which the tail leaves out.
    known: &'a HashSet<ObjectId>,
    reach: Reach,
}

impl<C: ConnectionTrait> Tail<'_, C> {
    /// Collects matches before the row `rest`, from the newest on, until there are `wanted` or enough objects
    /// were checked. Afterwards `rest` is the row before which nothing was checked, or 0 at the end.
    async fn from(&self, rest: &mut i64, wanted: usize) -> Result<Vec<Hit>> {
        let (mut hits, mut looked) = (Vec::new(), 0);
        let (step, most) = match (self.query.has_phrases(), self.reach) {
            (true, Reach::Page) => (LOOKED_THROUGH, PER_PAGE),
            (true, Reach::Whole(most)) => (LOOKED_THROUGH, most),
            (false, _) => (in_numbers(wanted).saturating_add(RANKED), u32::MAX),
        };
        while hits.len() < wanted && *rest > 0 && looked < most {
            let found = self.library.newest(self.query, Field::Any, self.conditions, *rest, step).await?;
            looked += in_numbers(found.len());
            *rest = if found.len() < step as usize { 0 } else { found.last().map_or(0, |last| last.row) };
            let mut found: Vec<Match> =
                found.into_iter().filter(|found| !self.known.contains(&found.id)).collect();
            if self.query.has_phrases() {
                found = standing_together(&self.library, self.query, found).await?;
            }
            hits.extend(found.into_iter().map(|found| Hit {
                id: found.id,
                kind: found.kind,
                score: 0,
                row: found.row,
            }));
        }
        Ok(hits)
    }
}

fn in_numbers(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(MORE - 1)
}

/// Number that the next row of the library will have at least.
async fn next_row<C: ConnectionTrait>(library: &Library<'_, C>) -> Result<i64> {
    let sql = "SELECT MAX(id) FROM library_search WHERE account_id = $1";
    Ok(kernel::statement::scalar(library.connection, sql, [library.account_id.into()]).await? + 1)
}

fn rank(query: &Query, candidates: &[Match]) -> Vec<Hit> {
    let mut hits: Vec<Hit> = candidates
        .iter()
        .map(|found| Hit {
            id: found.id,
            kind: found.kind,
            score: score(query, &found.counts),
            row: found.row,
        })
        .collect();
    hits.sort_unstable_by_key(|hit| std::cmp::Reverse((hit.score, hit.id)));
    hits.dedup_by_key(|hit| hit.id);
    hits
}

fn is_after(hit: &Hit, after: Option<After>) -> bool {
    match after {
        None => true,
        Some(After { score: 0, .. }) => false,
        Some(after) => (hit.score, hit.id.as_u128()) < (after.score, after.id),
    }
}

/// Number of matches, and whether there are more. `newest` is the range of rows of the ranked matches, and
/// `spread` the number of matches with several rows.
async fn count<C: ConnectionTrait>(
    library: &Library<'_, C>,
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
