//! A request of an authenticated app.

use std::sync::Arc;

use feeds::{Collection, CollectionKind};
use identity::caller::Caller;
use kernel::{Code, CollectionId, Error};
use poem::Response;
use serde_json::json;

use crate::answers::json_answer;
use crate::fault::{malformed, unknown_path};
use crate::parameters::Parameters;
use http_kit::app::App;

pub(super) struct NewsCall<'a> {
    pub(super) app: &'a Arc<App>,
    pub(super) caller: Caller,
    /// Parameters of the body and the query.
    pub(super) parameters: Parameters,
}

impl NewsCall<'_> {
    /// Returns the value of a numeric parameter. `None` if the parameter is missing.
    ///
    /// # Errors
    /// `invalid_request` if the value is not a number.
    pub(super) fn number(&self, name: &str) -> Result<Option<i64>, Error> {
        let Some(text) = self.parameters.get(name) else { return Ok(None) };
        let number = text.trim().parse::<i64>();
        number.map(Some).map_err(|_| malformed(&format!("The parameter {name} must be a number.")))
    }

    /// Returns the value of a numeric parameter.
    ///
    /// # Errors
    /// `invalid_request` if the parameter is missing, or if its value is not a number.
    pub(super) fn required_number(&self, name: &str) -> Result<i64, Error> {
        self.number(name)?.ok_or_else(|| malformed(&format!("The parameter {name} is missing.")))
    }

    /// Returns the value of a text parameter.
    ///
    /// # Errors
    /// `invalid_request` if the parameter is missing or empty.
    pub(super) fn required_text(&self, name: &str) -> Result<&str, Error> {
        self.parameters.get(name).ok_or_else(|| malformed(&format!("The parameter {name} is missing.")))
    }

    /// Returns the value of a flag. `None` if the flag is missing.
    ///
    /// # Errors
    /// `invalid_request` if the value is neither true nor false.
    pub(super) fn flag(&self, name: &str) -> Result<Option<bool>, Error> {
        match self.parameters.get(name) {
            None => Ok(None),
            Some("1" | "true") => Ok(Some(true)),
            Some("0" | "false") => Ok(Some(false)),
            Some(_) => Err(malformed(&format!("The parameter {name} must be true or false."))),
        }
    }

    /// Returns the collection of a folder id. Folder 0 is the root of the folders, which contains the
    /// unsorted feeds.
    ///
    /// # Errors
    /// `not_found` if the account has no such collection.
    pub(super) async fn collection(&self, folder_id: i64) -> Result<Collection, Error> {
        let collections = feeds::list_collections(&self.app.domain, self.caller.account_id).await?;
        let is_named = |collection: &Collection| match collection.kind {
            CollectionKind::Unsorted => folder_id == 0,
            CollectionKind::Custom => collection.id == CollectionId::new(folder_id),
        };
        let missing = || Error::new(Code::NotFound, "There is no folder with this id.");
        collections.into_iter().find(is_named).ok_or_else(missing)
    }
}

/// Parses an id in a path.
pub(super) fn id_in_path(text: &str) -> Result<i64, Error> {
    text.parse().map_err(|_| unknown_path())
}

/// Returns the response to a change: an empty list, because some apps parse the response as JSON.
pub(super) fn empty_response() -> Result<Response, Error> {
    json_answer(&json!([]))
}
