//! Items of a library whose texts may answer a question. Merges rankings by the words and by the meaning of the
//! question.

use std::cmp::Reverse;
use std::collections::HashSet;

use entities::ids::{AccountId, ItemId};
use entities::item_embedding;
use entities::model_question::Model;
use extract::search::content_words;
use fetch::model_server::{ModelEndpoint, ModelServer};
use kernel::{Domain, Result};
use library::ItemFilter;

use crate::answer::malformed;
use crate::question::{EarlierQuestion, earlier_of};
use crate::question_history::searched_words;
use crate::{choice, exchange, reciprocal_rank, vector_index};

/// Maximum number of words of a question that are searched, the longest first.
const MAX_WORDS: usize = 8;
/// Maximum number of items in each ranking by words.
const RANKED_BY_WORDS: u32 = 20;
/// Maximum number of items that are considered.
const MAX_CANDIDATES: usize = 20;

/// Returns the items that may answer a question, best first. Items are left out if their deletion is pending, or if the
/// person excluded their tags from automatic summaries.
pub(crate) async fn items_for_question(
    domain: &Domain,
    server: Option<&ModelServer>,
    row: &Model,
) -> Result<Vec<ItemId>> {
    let account_id = row.account_id;
    let earlier = earlier_of(row);
    let mut rankings = by_words(domain, account_id, &searched_words(&row.question, &earlier)).await?;
    rankings.extend(earlier.last().map(quoted_items));
    if let Some(model) = domain.policy().model.as_ref().and_then(ModelEndpoint::embeddings) {
        rankings.push(by_meaning(domain, server, row, model).await?);
    }
    let ids = reciprocal_rank::merge(&rankings, MAX_CANDIDATES);
    let deleted = library::pending_deletions(domain, account_id).await?;
    let choice = choice::get_choice(domain, account_id).await?;
    let items = library::find(domain, account_id, &ids).await?;
    let allowed = items.iter().filter(|item| !deleted.contains_key(&item.id) && !choice.excludes(&item.tags));
    let allowed: HashSet<ItemId> = allowed.map(|item| item.id).collect();
    Ok(ids.into_iter().filter(|id| allowed.contains(id)).collect())
}

/// Returns the items that the previous answer quotes, because a follow-up question may refer to them.
fn quoted_items(before: &EarlierQuestion) -> Vec<ItemId> {
    let mut ids: Vec<ItemId> = Vec::new();
    for id in before.sentences.iter().filter_map(|sentence| sentence.item_id) {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids
}

/// Returns the words of a question to search for.
fn words_of(question: &str) -> Vec<String> {
    let mut words = content_words(question, extract::language_of(question).as_deref());
    words.retain(|word| word.chars().count() > 1);
    words.sort_by_key(|word| Reverse(word.chars().count()));
    words.truncate(MAX_WORDS);
    words
}

/// Ranks the items for each word, and for all words, so that an item with several words precedes an item with
/// one word.
async fn by_words(domain: &Domain, account_id: AccountId, question: &str) -> Result<Vec<Vec<ItemId>>> {
    let mut queries = words_of(question);
    if queries.len() > 1 {
        queries.push(queries.join(" "));
    }
    let mut rankings = Vec::with_capacity(queries.len() + 1);
    for query in queries {
        let filter = ItemFilter { query: Some(query), ..ItemFilter::default() };
        let page = library::list(domain, account_id, &filter, None, RANKED_BY_WORDS).await?;
        rankings.push(page.items.iter().map(|item| item.id).collect());
    }
    Ok(rankings)
}

/// Ranks the items that are indexed.
async fn by_meaning(
    domain: &Domain,
    server: Option<&ModelServer>,
    row: &Model,
    model: &str,
) -> Result<Vec<ItemId>> {
    let vectors = exchange::embed(
        domain,
        server,
        row.account_id,
        vec![searched_words(&row.question, &earlier_of(row))],
    )
    .await?;
    let vector = vectors.into_iter().next().ok_or_else(malformed)?;
    let nearest = vector_index::nearest::<item_embedding::Entity>(domain, row.account_id, model, &vector);
    Ok(nearest.await?.ids)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_words_of_a_question_are_searched() {
        let words = words_of("a bb ccc dddd eeeee ffffff ggggggg hhhhhhhh iiiiiiiii?");
        assert_eq!(words.len(), MAX_WORDS);
        assert_eq!(words.first().map(String::as_str), Some("iiiiiiiii"));
        assert!(words_of("?! a").is_empty());
    }
}
