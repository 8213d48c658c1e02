//! A request of an authenticated app.

use std::sync::Arc;

use identity::caller::Caller;
use kernel::bounds::OBJECT_TAGS;
use kernel::{Error, ItemId};

use crate::bookmark_rules::{known_tags, split_tags};
use crate::fault::unknown_path;
use crate::parameters::Parameters;
use http_kit::app::App;

/// Path prefix of the operations.
pub(super) const API: &str = "/api/";

pub(super) struct WallabagCall<'a> {
    pub(super) app: &'a Arc<App>,
    pub(super) caller: Caller,
    /// Parameters of the body and the query.
    pub(super) parameters: Parameters,
    /// `If-None-Match` header of the request.
    pub(super) if_none_match: Option<String>,
}

impl WallabagCall<'_> {
    /// Returns the item that has the entry number in a path.
    pub(super) async fn item_of(&self, number: &str) -> Result<ItemId, Error> {
        let number: i64 = number.parse().map_err(|_| unknown_path())?;
        library::item_of_number(&self.app.domain, self.caller.account_id, number).await
    }

    /// Returns the value of a flag, `0` or `1`. `None` if the flag is missing.
    ///
    /// # Errors
    /// `invalid_request` if the flag has another value.
    pub(super) fn flag(&self, name: &'static str) -> Result<Option<bool>, Error> {
        match self.parameters.get(name) {
            None => Ok(None),
            Some("0" | "false") => Ok(Some(false)),
            Some("1" | "true") => Ok(Some(true)),
            Some(_) => Err(Error::invalid_field(name, "must be 0 or 1")),
        }
    }

    /// Returns the tags in the parameter `tags`: a list, or names separated by commas. Tags in `known` may
    /// contain commas.
    pub(super) fn tags(&self, known: &[String]) -> Vec<String> {
        self.tag_lists().flat_map(|names| split_tags(names, known)).collect()
    }

    /// Returns the tags of the library that contain commas and may be in the parameter `tags`.
    pub(super) async fn known_tags(&self) -> Result<Vec<String>, Error> {
        let lists: Vec<&str> = self.tag_lists().collect();
        known_tags(&self.app.domain, self.caller.account_id, &lists).await
    }

    fn tag_lists(&self) -> impl Iterator<Item = &str> {
        self.parameters.all("tags").chain(self.parameters.all("tags[]")).take(OBJECT_TAGS + 1)
    }
}
