//! Folders, which are the account's own collections.

use feeds::{Collection, CollectionKind, NewCollection, UpdateCollection};
use kernel::{CollectionId, Error};
use poem::Response;
use serde_json::{Value, json};

use super::call::{NewsCall, empty_response};
use crate::answers::json_answer;

impl NewsCall<'_> {
    /// `GET folders`: all folders.
    pub(super) async fn list_folders(&self) -> Result<Value, Error> {
        let collections = feeds::list_collections(&self.app.domain, self.caller.account_id).await?;
        let own = collections.iter().filter(|collection| collection.kind == CollectionKind::Custom);
        Ok(json!({ "folders": own.map(folder_json).collect::<Vec<Value>>() }))
    }

    /// `POST folders`: creates a folder.
    pub(super) async fn create_folder(&self) -> Result<Response, Error> {
        let name = self.required_text("name")?.to_owned();
        let new = NewCollection { name, ..NewCollection::default() };
        let created = feeds::create_collection(&self.app.domain, self.caller.account_id, new).await?;
        json_answer(&json!({ "folders": [folder_json(&created)] }))
    }

    /// `PUT folders/ID`: renames a folder.
    pub(super) async fn rename_folder(&self, id: i64) -> Result<Response, Error> {
        let name = Some(self.required_text("name")?.to_owned());
        let update = UpdateCollection { name, feed_ids: None };
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        feeds::update_collection(domain, account_id, CollectionId::new(id), update).await?;
        empty_response()
    }

    /// `DELETE folders/ID`: deletes a folder. Its feeds become unsorted, so that no feed is unfollowed by a
    /// single request.
    pub(super) async fn delete_folder(&self, id: i64) -> Result<Response, Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        feeds::delete_collection(domain, account_id, CollectionId::new(id)).await?;
        empty_response()
    }
}

fn folder_json(collection: &Collection) -> Value {
    json!({ "id": collection.id.as_i64(), "name": collection.name, "opened": true, "feeds": [] })
}
