//! Capabilities that a client of the newest revision declares with each request. Clients of older revisions
//! declare theirs in a handshake, which a stateless server does not store, so none of them apply.

use serde_json::{Map, Value};

use super::revision::{CAPABILITIES_KEY, Revision};

/// Identifier of the extension for tasks.
pub(super) const TASKS: &str = "io.modelcontextprotocol/tasks";

/// Declared capabilities that change a response.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ClientCapabilities {
    /// The client polls tasks of the extension [`TASKS`].
    pub polls_tasks: bool,
    /// The client displays forms to its user (elicitation).
    pub displays_forms: bool,
}

impl ClientCapabilities {
    /// Capabilities in the parameters of a request.
    pub(super) fn of(revision: Revision, params: &Map<String, Value>) -> Self {
        let declared = params.get("_meta").and_then(|metadata| metadata.get(CAPABILITIES_KEY));
        let Some(declared) = declared.filter(|_| revision == Revision::Newest) else {
            return Self::default();
        };
        let elicitation = declared.get("elicitation").and_then(Value::as_object);
        Self {
            polls_tasks: declared["extensions"].get(TASKS).is_some_and(Value::is_object),
            // An empty object means that only forms are supported.
            displays_forms: elicitation.is_some_and(|modes| modes.is_empty() || modes.contains_key("form")),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(revision: Revision, declared: &Value) -> (bool, bool) {
        let params = json!({ "_meta": { CAPABILITIES_KEY: declared } });
        let client = ClientCapabilities::of(revision, params.as_object().unwrap());
        (client.polls_tasks, client.displays_forms)
    }

    #[test]
    fn capabilities_are_read_from_requests_of_the_newest_revision() {
        let tasks = json!({ "extensions": { TASKS: {} } });
        assert_eq!(of(Revision::Newest, &tasks), (true, false));
        assert_eq!(of(Revision::Fourth, &tasks), (false, false));
        assert_eq!(of(Revision::Newest, &json!({ "tasks": {} })), (false, false), "of an older revision");
        assert_eq!(of(Revision::Newest, &json!({ "elicitation": {} })), (false, true));
        assert_eq!(of(Revision::Newest, &json!({ "elicitation": { "form": {}, "url": {} } })), (false, true));
        assert_eq!(of(Revision::Newest, &json!({ "elicitation": { "url": {} } })), (false, false));
        assert_eq!(of(Revision::Newest, &json!({ "elicitation": true, "extensions": [] })), (false, false));
        assert_eq!(ClientCapabilities::of(Revision::Newest, &Map::new()), ClientCapabilities::default());
    }
}
