//! Labels, which are the account's collections.

use feeds::{CollectionKind, UpdateCollection};
use kernel::{Code, CollectionId, Error};
use poem::Response;
use serde_json::{Value, json};

use super::call::GReaderCall;
use super::stream_id::{STARRED, StreamId, of_label};
use crate::answers::{json_answer, plain};
use crate::fault::malformed;

/// Maximum number of labels that one request deletes.
const MAX_LABELS: usize = 100;

impl GReaderCall<'_> {
    /// `tag/list`: all labels.
    pub(super) async fn list_tags(&self) -> Result<Response, Error> {
        let collections = feeds::list_collections(&self.app.domain, self.caller.account_id).await?;
        let own = collections.iter().filter(|collection| collection.kind == CollectionKind::Custom);
        let labels = own.map(|collection| json!({ "id": of_label(&collection.name), "type": "folder" }));
        let tags: Vec<Value> = std::iter::once(json!({ "id": STARRED })).chain(labels).collect();
        json_answer(&json!({ "tags": tags }))
    }

    /// `rename-tag`: renames a label.
    pub(super) async fn rename_tag(&self) -> Result<Response, Error> {
        let name = self.parameters.get("dest").map(label_name);
        let name = name.ok_or_else(|| malformed("The parameter dest is missing."))?;
        let id = self.label().await?;
        let update = UpdateCollection { name: Some(name), feed_ids: None };
        feeds::update_collection(&self.app.domain, self.caller.account_id, id, update).await?;
        Ok(plain("OK"))
    }

    /// `disable-tag`: deletes collections. Their feeds become unsorted.
    pub(super) async fn disable_tag(&self) -> Result<Response, Error> {
        let named: Vec<&str> = self.parameters.all("s").filter(|name| !name.is_empty()).collect();
        if named.len() > MAX_LABELS {
            return Err(malformed(&format!("A request deletes at most {MAX_LABELS} labels.")));
        }
        let mut ids = Vec::new();
        if named.is_empty() {
            ids.push(self.label().await?);
        }
        for name in named {
            let id = self.find_label(name).await?;
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        for id in ids {
            feeds::delete_collection(&self.app.domain, self.caller.account_id, id).await?;
        }
        Ok(plain("OK"))
    }

    /// Returns the collection that the parameter `s` or `t` names.
    async fn label(&self) -> Result<CollectionId, Error> {
        let named = self.parameters.get("s").or_else(|| self.parameters.get("t"));
        self.find_label(named.ok_or_else(|| malformed("The parameter s is missing."))?).await
    }

    async fn find_label(&self, named: &str) -> Result<CollectionId, Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        let collection_id = feeds::find_collection(domain, account_id, &label_name(named)).await?;
        collection_id.ok_or_else(|| Error::new(Code::NotFound, "There is no label with this name."))
    }
}

/// Returns the name of a label, which apps send as a stream name or without a prefix.
fn label_name(text: &str) -> String {
    StreamId::label_of(text).unwrap_or_else(|| text.to_owned())
}
