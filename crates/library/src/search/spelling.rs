//! Spelling correction of queries with the words of the account's library.

use entities::ids::AccountId;
use sea_orm::{ConnectionTrait, Value};

use kernel::Result;
use kernel::search::query::{Ending, Query, Term};
use kernel::search::words::QueryWord;
use kernel::statement::statement;

/// Maximum number of library words that are compared with a misspelt word.
const COMPARED: u32 = 20_000;

/// Replaces unknown words of a query with similar words of the library. `None` if no word was replaced.
pub(crate) async fn corrected(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    query: &Query,
) -> Result<Option<Query>> {
    if query.has_phrases() {
        return Ok(None);
    }
    let mut better = query.clone();
    let mut is_changed = false;
    for Term { words, ending, .. } in &mut better.terms {
        for word in words {
            if *ending == Ending::Open || !(4..=24).contains(&word.word.chars().count()) {
                continue;
            }
            if let Some(near) = nearest(connection, account_id, &word.word).await?
                && near != word.word
            {
                is_changed = true;
                *word = QueryWord::new(near);
            }
        }
    }
    Ok(is_changed.then_some(better))
}

async fn nearest(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    word: &str,
) -> Result<Option<String>> {
    let length = i64::try_from(word.chars().count()).unwrap_or(0);
    let first = word.chars().next().map(String::from).unwrap_or_default();
    let after = first.chars().next().and_then(|one| char::from_u32(one as u32 + 1)).unwrap_or(char::MAX);
    let sql = format!(
        "SELECT word FROM library_word WHERE account_id = $1 AND (word = $2 OR \
         (word >= $3 AND word < $4 AND LENGTH(word) BETWEEN $5 AND $6)) LIMIT {COMPARED}"
    );
    let values: [Value; 6] = [
        account_id.into(),
        word.into(),
        first.into(),
        after.to_string().into(),
        (length - 2).into(),
        (length + 2).into(),
    ];
    let most = if length <= 5 { 1 } else { 2 };
    let mut best: Option<(usize, String)> = None;
    for row in connection.query_all_raw(statement(connection, &sql, values)).await? {
        let known: String = row.try_get_by_index(0)?;
        let distance = distance(word, &known);
        let candidate = (distance, known);
        if distance <= most && best.as_ref().is_none_or(|best| candidate < *best) {
            best = Some(candidate);
        }
    }
    Ok(best.map(|(_, word)| word))
}

/// Computes the edit distance of two words: the number of letters to insert, delete, substitute, or swap with
/// their neighbour.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=other.len()).collect()];
    for i in 1..=one.len() {
        let mut row = vec![i];
        for j in 1..=other.len() {
            let same = usize::from(one[i - 1] != other[j - 1]);
            let mut least = (rows[i - 1][j] + 1).min(row[j - 1] + 1).min(rows[i - 1][j - 1] + same);
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn edit_distance_counts_edits_and_swaps_of_letters() {
        assert_eq!(distance("libary", "library"), 1);
        assert_eq!(distance("lirbary", "library"), 1);
        assert_eq!(distance("quiet", "quite"), 1);
        assert_eq!(distance("quiet", "loud"), 5);
    }
}
