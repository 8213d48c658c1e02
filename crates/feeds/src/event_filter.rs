//! Which events are meant: of which sources, and with which words in their entries.

use sea_orm::{ConnectionTrait, DbBackend};
use serde::{Deserialize, Serialize};

use entities::ids::AccountId;

use super::author;
use super::search_text::{self, Condition, Texts};
use super::source_filter::{SourceFilter, Sources};
use kernel::error::Result;

/// Which events are meant, as a caller says it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventFilter {
    /// Of which sources.
    pub sources: SourceFilter,
    /// A query, as lists of entries take it: only events of entries that it finds.
    pub text: Option<String>,
    /// Words of an author's name: only events of entries by such authors.
    pub author: Option<String>,
}

/// The same, with the collections found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventPredicate {
    /// Of which sources.
    pub sources: Sources,
    /// A query that finds the entry.
    pub text: Option<String>,
    /// Words of its author's name.
    pub author: Option<String>,
}

impl EventPredicate {
    /// Finds the collections.
    ///
    /// # Errors
    /// `not_found` for a collection that is not the account's.
    pub(super) async fn find(
        connection: &impl ConnectionTrait,
        account_id: AccountId,
        filter: &EventFilter,
    ) -> Result<Self> {
        let text = |text: &Option<String>| {
            text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
        };
        Ok(Self {
            sources: Sources::find(connection, account_id, &filter.sources).await?,
            text: text(&filter.text),
            author: text(&filter.author),
        })
    }

    /// In which texts the account's events are looked for.
    pub(super) async fn texts(
        &self,
        connection: &impl ConnectionTrait,
        account_id: AccountId,
    ) -> Result<Texts> {
        match self.text {
            Some(_) => search_text::texts_of(connection, account_id).await,
            None => Ok(Texts::default()),
        }
    }

    /// What must hold of the entry `e` of an event of a source `o`; nothing when the event need not be about one.
    pub(super) fn conditions(&self, backend: DbBackend, texts: Texts) -> Vec<Condition> {
        let found = self.text.as_deref().map(|text| search_text::found(backend, text, texts).all(backend));
        let author = self.author.as_deref().map(|name| author::condition(backend, name));
        found.into_iter().flatten().chain(author).collect()
    }
}
