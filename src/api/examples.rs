//! Examples of every operation, as its callers see it.

use domain::Code;
use serde_json::{Value, json};

/// Adds the operation's request and answer to its description.
pub(super) fn add(operation: &mut Value, id: &str) {
    if let (Some(body), Some(Value::Object(content))) =
        (request(id), operation.pointer_mut("/requestBody/content"))
    {
        for media in content.values_mut() {
            media["example"] = body.clone();
        }
    }
    if let Some((status, body)) = answer(id)
        && let Some(media) = operation.pointer_mut(&format!("/responses/{status}/content/application~1json"))
    {
        media["example"] = body;
    }
    for parameter in operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
        if parameter["name"] == "id" {
            let is_number = parameter["schema"]["type"] == "integer";
            parameter["example"] = match id {
                _ if is_number => 1.into(),
                id if id.contains("Monitor") => MONITOR.into(),
                _ => "self".into(),
            };
        }
    }
}

const URL: &str = "https://example.com/article";
const MONITOR: &str = "0193a0b2-7c00-7000-8000-3f1e2d4c5b6a";

fn request(id: &str) -> Option<Value> {
    Some(match id {
        "extractArticle" => json!({"url": URL}),
        "readArticle" => json!({"url": URL, "maxTokens": 4000}),
        "searchArticle" => json!({"url": URL, "query": "quiet desks", "maxPassages": 3}),
        "createApiKey" => json!({"name": "laptop", "scopes": ["svc:read"], "expiresInDays": 90}),
        "createWebMonitor" | "previewWebMonitor" => {
            json!({"name": "Example", "targetUrl": "https://example.com/", "intervalMinutes": 1440})
        }
        "updateWebMonitor" => json!({"name": "Example, hourly", "intervalMinutes": 60, "status": "active"}),
        "previewWebMonitorUpdate" => json!({"ignore": [{"text": "Updated on"}]}),
        _ => return None,
    })
}

fn answer(id: &str) -> Option<(&'static str, Value)> {
    Some(match id {
        "getAccountCapabilities" => ("200", capabilities()),
        "extractArticle" => ("200", json!({"article": article()})),
        "readArticle" => {
            let mut body = envelope();
            for (name, value) in [
                ("text", json!("[p1] A quiet desk\n\n[p2] A carrel is a desk for one reader.")),
                ("fromAnchor", json!(1)),
                ("toAnchor", json!(2)),
                ("tokensReturned", json!(22)),
                ("nextCursor", json!(null)),
                ("outline", json!([{"anchor": 1, "text": "A quiet desk"}])),
            ] {
                body[name] = value;
            }
            ("200", body)
        }
        "searchArticle" => {
            let mut body = envelope();
            body["query"] = "quiet desks".into();
            body["matchedBlocks"] = 1.into();
            body["tokensReturned"] = 9.into();
            body["nextCursor"] = Value::Null;
            body["passages"] = json!([{
                "anchor": 2, "section": "A quiet desk", "rank": 1, "score": 1.0, "tokens": 9,
                "text": "A carrel is a desk for one reader.",
            }]);
            ("200", body)
        }
        "listWebMonitors" => ("200", json!({"monitors": [monitor()], "nextCursor": null})),
        "createWebMonitor" => ("201", json!({"monitor": monitor()})),
        "getWebMonitor" | "updateWebMonitor" | "rotateMonitorFeed" => ("200", json!({"monitor": monitor()})),
        "runWebMonitor" => ("202", json!({"run": run(None)})),
        "listMonitorRuns" => ("200", json!({"runs": [run(Some("changed"))], "nextCursor": null})),
        "listApiKeys" => ("200", json!({"keys": [key()]})),
        "createApiKey" => ("201", json!({"key": key(), "secret": "svc_… (shown once)"})),
        _ => return None,
    })
}

fn monitor() -> Value {
    json!({
        "id": MONITOR, "name": "Example", "targetUrl": "https://example.com/", "targetType": "page",
        "feedUrl": "https://api.example.org/feeds/monitors/4fJq0Zb7XkT1mVn8YcR2sLw9HdPg3aUe.xml",
        "status": "active", "nextRunAt": "2026-11-21T12:00:09.000Z", "createdAt": "2026-11-20T12:00:00.000Z",
        "intervalMinutes": 1440, "selector": null, "lastRunAt": "2026-11-20T12:00:09.412Z", "lastChangeAt": null,
        "lastError": null, "failureCount": 0, "pauseReason": null, "creditsPerRun": 1, "include": null,
        "exclude": null, "items": null, "fields": null, "ignore": [],
        "trigger": {"kind": "any", "value": null, "field": null}, "ordered": false, "follow": true,
    })
}

fn run(outcome: Option<&str>) -> Value {
    let ended = outcome.map(|_| "2026-11-20T12:00:09.412Z");
    let count = u8::from(outcome.is_some());
    json!({
        "id": "0193a0b2-8d11-7000-8000-0a1b2c3d4e5f", "startedAt": "2026-11-20T12:00:09.000Z",
        "finishedAt": ended, "outcome": outcome, "added": 0, "removed": 0, "modified": count,
        "credits": count, "errorCode": null,
    })
}

fn envelope() -> Value {
    json!({
        "sourceUrl": URL, "readerUrl": format!("https://read.example.org/{URL}"), "title": "A quiet desk",
        "author": "Ada Reader", "publisher": "Example Magazine", "publishedAt": "2026-01-31", "language": "en",
        "extractionSource": "html", "contentQuality": "complete", "cacheHit": false,
        "respondedAt": "2026-11-20T12:00:00.000Z", "totalBlocks": 2, "totalTokens": 22,
        "contentHash": "sha256:0d1f…", "warnings": [],
    })
}

fn article() -> Value {
    json!({
        "sourceUrl": URL, "readerUrl": format!("https://read.example.org/{URL}"), "title": "A quiet desk",
        "author": "Ada Reader", "siteName": "Example Magazine", "publishedAt": "2026-01-31", "language": "en",
        "content": "A quiet desk\n\nA carrel is a desk for one reader.", "contentCharacters": 48,
        "returnedCharacters": 48, "truncated": false, "source": "html", "cacheHit": false,
        "qualityStatus": "complete", "sourceCategory": "article", "respondedAt": "2026-11-20T12:00:00.000Z",
        "headings": ["A quiet desk"],
    })
}

fn key() -> Value {
    json!({
        "id": "019c2b6f-0000-7000-8000-000000000001", "name": "laptop", "prefix": "svc_4fJ8s2Kd",
        "scopes": ["svc:read"], "createdAt": "2026-11-20T12:00:00.000Z", "lastUsedAt": null,
        "expiresAt": "2027-02-18T12:00:00.000Z",
    })
}

fn capabilities() -> Value {
    json!({
        "userId": "019c2b6f-0000-7000-8000-000000000000", "tier": "free",
        "limits": {
            "activeApiKeys": 2, "rssSubscriptions": 50, "rssSubscriptionsUsed": 3, "rssCollections": 5,
            "rssCollectionsUsed": 1, "webMonitors": 3, "webMonitorsUsed": 1, "webMonitorsRemaining": 2,
            "webMonitorMinimumIntervalMinutes": 1440, "webMonitorMonthlyCredits": 100,
            "webMonitorMonthlyCreditsUsed": 12, "webMonitorMonthlyCreditsRemaining": 88,
            "libraryStorageBytes": 262_144_000, "libraryStorageUsedBytes": 1024,
            "libraryStorageRemainingBytes": 262_142_976, "operationsPerMinute": 60, "operationsPerDay": 2000,
            "freshExtractionsPerMinute": 10, "freshExtractionsPerDay": 100,
        },
    })
}

/// An error of a status.
pub(super) fn error(status: u16) -> Value {
    match status {
        400 => {
            json!({"error": "The request is not as it should be.", "code": Code::InvalidRequest.as_str(), "details": "/maxTokens: must be between 100 and 25000"})
        }
        401 => {
            json!({"error": "Send an API key or an access token.", "code": Code::MissingCredential.as_str()})
        }
        403 => {
            json!({"error": "This credential does not hold the scope svc:write.", "code": Code::InsufficientScope.as_str(), "details": "scope=svc:write"})
        }
        404 => json!({"error": "There is no such key.", "code": Code::NotFound.as_str()}),
        422 => {
            json!({"error": "The source was read, but there is no text in it.", "code": Code::NoReadableText.as_str()})
        }
        429 => {
            json!({"error": "Too many operations in one minute.", "code": Code::RateLimited.as_str(), "retryAfter": 12, "details": "limit=60 used=60 policy=minute"})
        }
        502 => json!({"error": "The source does not answer.", "code": Code::SourceUnreachable.as_str()}),
        _ => {
            json!({"error": "The service cannot answer at the moment.", "code": Code::ServiceUnavailable.as_str(), "retryAfter": 5})
        }
    }
}
