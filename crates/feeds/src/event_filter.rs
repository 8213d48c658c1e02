//! Event filter by source, search query, and author.

use sea_orm::{ConnectionTrait, DbBackend};
use serde::{Deserialize, Serialize};

use entities::ids::AccountId;

use super::author;
use super::search_text::{self, SearchContext, SqlCondition, Texts};
use super::source_filter::{SourceFilter, Sources};
use kernel::search::query::Query;
use kernel::{Domain, Result};

/// Event filter as a caller requested it. Conditions are combined with AND.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventFilter {
    pub sources: SourceFilter,
    /// Search query with the syntax of entry lists. Matches only events about entries.
    pub text: Option<String>,
    /// Words of an author's name. Matches only events about entries.
    pub author: Option<String>,
}

/// [`EventFilter`] with collections resolved to ids.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventPredicate {
    pub sources: Sources,
    /// Search query that the entry must match.
    pub text: Option<String>,
    /// Words that the entry's author name must contain.
    pub author: Option<String>,
}

impl EventPredicate {
    /// Resolves the collections of a filter.
    ///
    /// # Errors
    /// `not_found` if the filter contains a collection of another account; `invalid_request` if the search
    /// query is invalid.
    pub(super) async fn resolve(
        connection: &impl ConnectionTrait,
        account_id: AccountId,
        filter: &EventFilter,
    ) -> Result<Self> {
        if let Some(text) = &filter.text {
            Query::parse(text)?;
        }
        let text = |text: &Option<String>| {
            text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
        };
        Ok(Self {
            sources: Sources::resolve(connection, account_id, &filter.sources).await?,
            text: text(&filter.text),
            author: text(&filter.author),
        })
    }

    /// Returns the context in which this account's search query is evaluated.
    pub(super) async fn context(&self, domain: &Domain, account_id: AccountId) -> Result<SearchContext> {
        let texts = match self.text {
            Some(_) => search_text::texts_of(domain.db().read(), account_id).await?,
            None => Texts::default(),
        };
        Ok(SearchContext { texts, now: domain.now() })
    }

    /// Returns the conditions on the entry `e` of an event of source `o`. Empty if the event need not have an
    /// entry.
    pub(super) fn conditions(&self, backend: DbBackend, context: SearchContext) -> Vec<SqlCondition> {
        // Consumers store filters. Invalid queries that earlier versions accepted must not fail.
        let search = |text| search_text::conditions_of(backend, text, &Query::parse_stored(text), context);
        let text_conditions = self.text.as_deref().map(|text| search(text).all(backend));
        let author = self.author.as_deref().map(|name| author::condition(backend, name));
        text_conditions.into_iter().flatten().chain(author).collect()
    }
}
