//! Imports and exports as tasks of the extension `io.modelcontextprotocol/tasks`: the call that starts one
//! returns a handle, which the client polls. The row of the import or export is the task, so that no other
//! state is stored.

use serde_json::{Map, Value, json};

use super::approval;
use super::client_capabilities::{ClientCapabilities, TASKS};
use super::error::McpError;
use super::limits::count_free;
use super::message::RpcError;
use super::session::{AgentRequest, Refusal};
use super::tools;
use http_kit::auth::ChargePolicy;
use http_kit::mcp_address::Access;
use kernel::{Code, Millis, Scope, millis_of_rfc3339, rfc3339};

/// Interval at which clients poll, in milliseconds.
const POLL_INTERVAL_MS: u32 = 2_000;
/// Method that cancels a task.
const CANCEL: &str = "tasks/cancel";
/// Length of a UUID as text.
const UUID_CHARS: usize = 36;

/// Method of the extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TaskMethod {
    Get,
    Update,
    Cancel,
}

impl TaskMethod {
    pub(super) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "tasks/get" => Self::Get,
            "tasks/update" => Self::Update,
            CANCEL => Self::Cancel,
            _ => return None,
        })
    }
}

/// Operation that a task represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TransferKind {
    /// Dry run of an import.
    ImportCheck,
    Import,
    Export,
}

impl TransferKind {
    const ALL: [Self; 3] = [Self::ImportCheck, Self::Import, Self::Export];

    /// Kind of the task that a call of a tool starts, from its result.
    fn of_call(tool: &str, result: &Value) -> Option<Self> {
        match tool {
            "import_library" | "start_import" if result["import"]["dryRun"] == true => {
                Some(Self::ImportCheck)
            }
            "import_library" | "start_import" => Some(Self::Import),
            "export_library" => Some(Self::Export),
            _ => None,
        }
    }

    /// Name of the kind in a task id.
    const fn as_str(self) -> &'static str {
        match self {
            Self::ImportCheck => "import-check",
            Self::Import => "import",
            Self::Export => "export",
        }
    }

    /// Name of the member of the operation's response that contains the object.
    const fn member(self) -> &'static str {
        match self {
            Self::ImportCheck | Self::Import => "import",
            Self::Export => "export",
        }
    }

    /// Scope of the operation that cancels or deletes the object.
    const fn scope_to_cancel(self) -> Scope {
        match self {
            Self::ImportCheck | Self::Import => Scope::Write,
            Self::Export => Scope::Read,
        }
    }

    const fn collection(self) -> &'static str {
        match self {
            Self::ImportCheck | Self::Import => "/v1/library/imports",
            Self::Export => "/v1/library/exports",
        }
    }
}

/// Import or export as a task, with the response of the operation that returns its state.
struct TransferTask {
    kind: TransferKind,
    response: Value,
}

/// Result of a call that started an import or export, as a task. `None` for other calls, and if the import or
/// export is not running.
pub(super) fn of_call(session: &AgentRequest, tool: &str, result: &Value) -> Option<Value> {
    let response = &result["structuredContent"];
    let kind = TransferKind::of_call(tool, response)?;
    let task = TransferTask { kind, response: response.clone() };
    if task.status() != "working" {
        return None;
    }
    let mut created = task.handle(session.app.domain.now());
    created["resultType"] = "task".into();
    Some(created)
}

/// Handles a method of the extension.
///
/// # Errors
/// If the client has not declared the extension, if there is no such task, or if an operation refuses the call.
pub(super) async fn handle(
    session: &AgentRequest,
    client: ClientCapabilities,
    method: TaskMethod,
    params: &Map<String, Value>,
) -> Result<Value, McpError> {
    if !client.polls_tasks {
        count_free(&session.app, &session.caller).await.map_err(Refusal::from)?;
        let extensions = json!({ "extensions": { TASKS: {} } });
        return Err(RpcError::missing_capability(&extensions).into());
    }
    let id = params.get("taskId").and_then(Value::as_str).unwrap_or_default();
    let Some((kind, id)) = parse(id) else {
        session.charge(Scope::Read).await?;
        return Err(RpcError::invalid_params("There is no such task.").into());
    };
    let path = format!("{}/{id}", kind.collection());
    let task = TransferTask { kind, response: session.get(&path, ChargePolicy::Due).await? };
    match method {
        TaskMethod::Get => Ok(task.detailed(session.app.domain.now())),
        // No task asks its client for input, so all responses refer to unknown requests and are ignored.
        TaskMethod::Update => Ok(json!({})),
        TaskMethod::Cancel => {
            if task.status() == "working" {
                cancel(session, &task, &path).await?;
            }
            Ok(json!({}))
        }
    }
}

/// Cancels a running task, under the same conditions as the tool that cancels its import or export.
async fn cancel(session: &AgentRequest, task: &TransferTask, path: &str) -> Result<(), McpError> {
    if session.address.access == Access::ReadOnly {
        return Err(RpcError::invalid_params("Tasks cannot be cancelled at a read-only address.").into());
    }
    let arguments = Map::from_iter([("taskId".to_owned(), task.id().into())]);
    approval::require_for_method(session, (CANCEL, task.kind.scope_to_cancel()), &arguments).await?;
    Ok(session.delete(path, ChargePolicy::Paid).await?)
}

/// Kind and id of the object in a task id.
fn parse(task_id: &str) -> Option<(TransferKind, &str)> {
    let (kind, id) = task_id.split_once(':')?;
    let kind = TransferKind::ALL.into_iter().find(|known| known.as_str() == kind)?;
    let is_uuid = id.len() == UUID_CHARS && id.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    is_uuid.then_some((kind, id))
}

impl TransferTask {
    fn object(&self) -> &Value {
        &self.response[self.kind.member()]
    }

    fn id(&self) -> String {
        format!("{}:{}", self.kind.as_str(), self.object()["id"].as_str().unwrap_or_default())
    }

    /// Status of the task. A failed import is a completed task with an error as its result.
    fn status(&self) -> &'static str {
        let object = self.object();
        // After the dry run, the same import may be running.
        let is_checked = self.kind == TransferKind::ImportCheck && object["dryRun"] == false;
        match object["state"].as_str() {
            _ if is_checked => "completed",
            Some("failed") if object["errorCode"] == Code::Cancelled.as_str() => "cancelled",
            Some("complete" | "failed") => "completed",
            Some(_) | None => "working",
        }
    }

    /// The task without its result. The time of its last update is not stored: `now` is used.
    fn handle(&self, now: Millis) -> Value {
        let (object, status) = (self.object(), self.status());
        let id = object["id"].as_str().unwrap_or_default();
        let created_at = created_at(id).unwrap_or(now);
        let expires_at = object["expiresAt"].as_str().and_then(millis_of_rfc3339);
        let mut handle = json!({
            "taskId": self.id(),
            "status": status,
            "createdAt": rfc3339(created_at),
            "lastUpdatedAt": rfc3339(now.max(created_at)),
            "ttlMs": expires_at.map(|expires_at| expires_at.saturating_sub(created_at).max(1)),
            "pollIntervalMs": POLL_INTERVAL_MS,
        });
        if status == "working" {
            handle["statusMessage"] = self.progress().into();
        }
        handle
    }

    /// The task, with its result if it is completed.
    fn detailed(&self, now: Millis) -> Value {
        let mut task = self.handle(now);
        if self.status() == "completed" {
            let mut result = tools::done(self.response.clone());
            if self.object()["state"] == "failed" {
                // Clients validate structured content against the schema of a successful result.
                result["isError"] = true.into();
                if let Some(members) = result.as_object_mut() {
                    members.remove("structuredContent");
                }
            }
            result["resultType"] = "complete".into();
            task["result"] = result;
        }
        task
    }

    /// Progress in words.
    fn progress(&self) -> String {
        let object = self.object();
        let number = |name: &str| object[name].as_i64().unwrap_or_default();
        let done: i64 = match self.kind {
            TransferKind::ImportCheck | TransferKind::Import => {
                ["created", "existing", "skipped", "failed"].map(number).iter().sum()
            }
            TransferKind::Export => number("done"),
        };
        match object["total"].as_i64() {
            Some(total) => format!("{done} of {total} rows."),
            None => format!("{done} rows."),
        }
    }
}

/// Creation time in a UUID of version 7.
fn created_at(id: &str) -> Option<Millis> {
    let digits: String = id.chars().filter(|digit| *digit != '-').collect();
    let is_seventh = digits.get(12..13) == Some("7");
    is_seventh.then(|| Millis::from_str_radix(digits.get(..12)?, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0193a0b2-7c00-7000-8000-6d1a2b3c4d5e";
    const CREATED: Millis = 0x0193_a0b2_7c00;

    fn import(state: &str, is_dry: bool, error: Option<&str>) -> Value {
        json!({ "import": {
            "id": ID, "state": state, "dryRun": is_dry, "errorCode": error, "total": 10, "created": 3,
            "existing": 1, "skipped": 0, "failed": 0, "expiresAt": rfc3339(CREATED + 1_000),
        } })
    }

    fn task(kind: TransferKind, response: Value) -> TransferTask {
        TransferTask { kind, response }
    }

    #[test]
    fn task_status_reflects_the_state_of_the_import() {
        use TransferKind::{Import, ImportCheck};
        let status = |kind, response| task(kind, response).status();
        assert_eq!(status(ImportCheck, import("queued", true, None)), "working");
        assert_eq!(status(ImportCheck, import("complete", true, None)), "completed");
        assert_eq!(status(ImportCheck, import("running", false, None)), "completed", "it was started");
        assert_eq!(status(Import, import("running", false, None)), "working");
        assert_eq!(status(Import, import("failed", false, Some("unknown_format"))), "completed");
        assert_eq!(status(Import, import("failed", false, Some("cancelled"))), "cancelled");
    }

    #[test]
    fn result_is_added_to_a_completed_task() {
        let working = task(TransferKind::Import, import("running", false, None)).detailed(CREATED + 5);
        assert_eq!(working["taskId"], format!("import:{ID}"));
        assert_eq!(working["createdAt"], rfc3339(CREATED));
        assert_eq!(working["lastUpdatedAt"], rfc3339(CREATED + 5));
        assert_eq!((&working["ttlMs"], &working["statusMessage"]), (&json!(1_000), &json!("4 of 10 rows.")));
        assert!(working.get("result").is_none());
        let done = task(TransferKind::Import, import("complete", false, None)).detailed(CREATED);
        assert_eq!(done["result"]["structuredContent"]["import"]["created"], 3);
        assert_eq!(done["result"]["isError"], false);
        let failed = task(TransferKind::Import, import("failed", false, Some("x"))).detailed(CREATED);
        assert_eq!((&failed["status"], &failed["result"]["isError"]), (&json!("completed"), &json!(true)));
        assert!(failed["result"].get("structuredContent").is_none());
    }

    #[test]
    fn task_ids_are_parsed_strictly() {
        assert_eq!(parse(&format!("export:{ID}")), Some((TransferKind::Export, ID)));
        assert_eq!(parse(&format!("import-check:{ID}")), Some((TransferKind::ImportCheck, ID)));
        for wrong in [ID, "export:", "export:../../account", &format!("other:{ID}"), ""] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
        assert_eq!(created_at(ID), Some(CREATED));
        assert_eq!(created_at("0193a0b2-7c00-4000-8000-6d1a2b3c4d5e"), None);
        assert_eq!(created_at("é"), None);
    }
}
