//! Compares the tools with the API description: every operation except the listed exceptions has a tool with
//! the same scope, arguments, and charge. Also tests that every client accepts the schemas, and size limits.

use std::collections::BTreeSet;

use http_kit::mcp_address::{Access, McpAddress};
use kernel::Scopes;
use kernel::tiers::Tier;
use mcp::{Exception, exception_of};
use reqwest::Method;
use serde_json::{Value, json};

use super::{ALL_OPERATIONS, Agent, remaining_operations};
use crate::support::clock::MINUTE;
use crate::support::operations::{Operation, parameters, resolve_schema};
use crate::support::person::Person;
use crate::support::{Setup, TestApp, World, run};

/// The only operations without a tool.
const EXCEPTIONS: [(&str, Exception); 86] = [
    ("createApiKey", Exception::PersonOnly),
    ("revokeApiKey", Exception::PersonOnly),
    ("uploadItemFile", Exception::SameAs("uploadItemFileForm")),
    ("listMonitorGroups", Exception::UsedBy("updateWebMonitor")),
    ("createMonitorGroup", Exception::UsedBy("updateWebMonitor")),
    ("updateMonitorGroup", Exception::UsedBy("updateWebMonitor")),
    ("deleteMonitorGroup", Exception::UsedBy("updateWebMonitor")),
    ("listImportRows", Exception::PageMatter),
    ("downloadImportReport", Exception::PageMatter),
    ("renderLibraryItems", Exception::SameAs("listHighlights")),
    ("copyItemPage", Exception::PageMatter),
    ("copyItemPages", Exception::PageMatter),
    ("listItemCopies", Exception::PageMatter),
    ("getPageCopySettings", Exception::PageMatter),
    ("updatePageCopySettings", Exception::PageMatter),
    ("downloadItemCopy", Exception::PageMatter),
    ("sendItemCopy", Exception::PageMatter),
    ("deleteItemCopy", Exception::PageMatter),
    ("retryImport", Exception::SameAs("importLibrary")),
    ("listPublicTags", Exception::PageMatter),
    ("publishTag", Exception::PersonOnly),
    ("unpublishTag", Exception::PersonOnly),
    ("listLibraryRules", Exception::PageMatter),
    ("createLibraryRule", Exception::PageMatter),
    ("updateLibraryRule", Exception::PageMatter),
    ("deleteLibraryRule", Exception::PageMatter),
    ("listTeams", Exception::PageMatter),
    ("createTeam", Exception::PersonOnly),
    ("deleteTeam", Exception::PersonOnly),
    ("inviteToTeam", Exception::PersonOnly),
    ("revokeTeamInvitation", Exception::PersonOnly),
    ("acceptTeamInvitation", Exception::PersonOnly),
    ("updateTeamMember", Exception::PersonOnly),
    ("removeTeamMember", Exception::PersonOnly),
    ("shareTag", Exception::PersonOnly),
    ("unshareTag", Exception::PersonOnly),
    ("shareMonitor", Exception::PersonOnly),
    ("unshareMonitor", Exception::PersonOnly),
    ("listShared", Exception::PageMatter),
    ("listSharedItems", Exception::PageMatter),
    ("addSharedItem", Exception::PageMatter),
    ("removeSharedItem", Exception::PageMatter),
    ("listSharedChanges", Exception::PageMatter),
    ("listRssStatistics", Exception::PageMatter),
    ("getRssFeedSettings", Exception::PageMatter),
    ("updateRssFeedSettings", Exception::PageMatter),
    ("previewRssRewrites", Exception::PageMatter),
    ("getRssCollectionSettings", Exception::PageMatter),
    ("updateRssCollectionSettings", Exception::PageMatter),
    ("listImportServers", Exception::UsedBy("getImport")),
    ("addImportServer", Exception::PersonOnly),
    ("runImportServer", Exception::UsedBy("getImport")),
    ("deleteImportServer", Exception::UsedBy("getImport")),
    ("listInboxAddresses", Exception::PersonOnly),
    ("createInboxAddress", Exception::PersonOnly),
    ("updateInboxAddress", Exception::PageMatter),
    ("replaceInboxAddress", Exception::PersonOnly),
    ("deleteInboxAddress", Exception::PageMatter),
    ("unsubscribeInboxMessage", Exception::PersonOnly),
    ("deliverInboxMessage", Exception::SameAs("saveLibraryItem")),
    ("updateChannel", Exception::PageMatter),
    ("previewChannel", Exception::PageMatter),
    ("setHighlightCard", Exception::PageMatter),
    ("deleteHighlightCard", Exception::PageMatter),
    ("getReviewSettings", Exception::PageMatter),
    ("updateReviewSettings", Exception::PageMatter),
    ("listThemedReviews", Exception::PageMatter),
    ("createThemedReview", Exception::PageMatter),
    ("replaceThemedReview", Exception::PageMatter),
    ("deleteThemedReview", Exception::PageMatter),
    ("getLibraryItemSummary", Exception::PageMatter),
    ("summarizeLibraryItem", Exception::PageMatter),
    ("getLibraryItemModelTags", Exception::PageMatter),
    ("removeLibraryItemModelTags", Exception::PageMatter),
    ("countLibraryModelTags", Exception::PageMatter),
    ("removeLibraryModelTags", Exception::PageMatter),
    ("getLibraryMeaningSearch", Exception::PageMatter),
    ("startLibraryMeaningSearch", Exception::PageMatter),
    ("getLibraryItemQuestion", Exception::PageMatter),
    ("askLibraryItem", Exception::PageMatter),
    ("getLibraryItemPassage", Exception::PageMatter),
    ("askLibraryItemPassage", Exception::PageMatter),
    ("getLibraryQuestion", Exception::PageMatter),
    ("askLibrary", Exception::PageMatter),
    ("getRssBriefing", Exception::PageMatter),
    ("writeRssBriefing", Exception::PageMatter),
];

async fn app() -> (TestApp, Person, Vec<Operation>, Value) {
    let app = Setup::on(World::Small).idle().spawn().await;
    let who = Person::on(&app, Tier::Pro).await;
    let document = app.get("/v1/openapi.json").await.expect(200).json();
    let operations = Operation::all(&document);
    (app, who, operations, document)
}

fn tool_name(id: &str) -> String {
    let id = if id == "uploadItemFileForm" { "uploadItemFile" } else { id };
    let parts = id.chars().map(|letter| {
        if letter.is_ascii_uppercase() {
            format!("_{}", letter.to_ascii_lowercase())
        } else {
            letter.to_string()
        }
    });
    parts.collect::<Vec<_>>().concat()
}

#[test]
fn every_operation_has_a_tool_with_its_scope_and_arguments() {
    run(async {
        let (app, who, operations, document) = app().await;
        let tools = Agent::of(&app, &who).tools().await;
        let mut unseen: BTreeSet<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        for operation in &operations {
            let exception =
                EXCEPTIONS.iter().find(|(id, _)| *id == operation.id).map(|(_, exception)| *exception);
            assert_eq!(exception_of(&operation.id), exception, "{}", operation.id);
            if exception.is_some() {
                continue;
            }
            let name = tool_name(&operation.id);
            assert!(unseen.remove(name.as_str()), "{name} has no tool");
            let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
            let needs = json!([{"type": "oauth2", "scopes": [operation.scope()]}]);
            assert_eq!(tool["securitySchemes"], needs, "{name}");
            assert_eq!(tool["_meta"]["securitySchemes"], needs, "{name}");
            assert_eq!(tool["title"], operation.description["summary"], "{name}");
            let reads = tool["annotations"]["readOnlyHint"] == true;
            assert!(!reads || operation.scope() == "svc:read", "{name} is marked as read-only");
            assert!(!reads || tool["annotations"]["destructiveHint"] == false, "{name}");
            let mut names: Vec<String> = Vec::new();
            for location in ["path", "query"] {
                names.extend(
                    parameters(&operation.description, location)
                        .map(|p| p["name"].as_str().unwrap().to_owned()),
                );
            }
            let headers = parameters(&operation.description, "header").filter(|p| p["name"] == "If-Match");
            let headers = headers.filter(|_| operation.method != Method::DELETE);
            names.extend(headers.map(|_| "ifMatch".to_owned()));
            if let Some(media) = operation.media() {
                let body = resolve_schema(&document, &media["schema"]);
                names.extend(body["properties"].as_object().unwrap().keys().cloned());
            } else if let Some(form) =
                operation.description.pointer("/requestBody/content/multipart~1form-data")
            {
                names.extend(
                    form["schema"]["properties"]
                        .as_object()
                        .unwrap()
                        .keys()
                        .filter(|n| *n != "file")
                        .cloned(),
                );
                names.extend(["contentBase64", "text", "fileName", "mimeType"].map(str::to_owned));
            }
            let count = names.len();
            let names: BTreeSet<String> = names.into_iter().collect();
            assert_eq!(names.len(), count, "{name} has two arguments of one name");
            let mut properties: BTreeSet<String> =
                tool["inputSchema"]["properties"].as_object().unwrap().keys().cloned().collect();
            if !names.contains("clear") {
                properties.remove("clear");
            }
            assert_eq!(properties, names, "{name}");
        }
        assert_eq!(unseen, BTreeSet::from(["fetch", "search"]));
    });
}

/// Asserts that an input schema uses only keywords that clients accept.
fn check_input_schema(name: &str, schema: &Value) {
    const KNOWN: [&str; 10] = [
        "type", "properties", "required", "enum", "items", "minimum", "maximum", "minItems", "maxItems",
        "description",
    ];
    let members = schema.as_object().unwrap_or_else(|| panic!("{name}: {schema} is not a schema"));
    assert!(members["type"].is_string(), "{name}: {schema}");
    for (member, value) in members {
        let is_closed = member == "additionalProperties" && *value == false;
        assert!(is_closed || KNOWN.contains(&member.as_str()), "{name}: {member} is unknown in {schema}");
    }
    if schema["type"] == "array" {
        check_input_schema(name, &schema["items"]);
    }
    let fields = schema["properties"].as_object();
    assert_eq!(fields.is_some(), members.contains_key("additionalProperties"), "{name}: {schema}");
    fields
        .into_iter()
        .flatten()
        .for_each(|(field, schema)| check_input_schema(&format!("{name}.{field}"), schema));
}

/// Asserts that an output schema uses only keywords that clients accept, and no list of types.
fn check_output_schema(name: &str, schema: &Value) {
    for (member, value) in schema.as_object().unwrap() {
        match member.as_str() {
            "type" => assert!(value.is_string(), "{name}: {schema}"),
            "required" => {}
            "items" => check_output_schema(name, value),
            "anyOf" => value.as_array().unwrap().iter().for_each(|one| check_output_schema(name, one)),
            "properties" => value.as_object().unwrap().iter().for_each(|(field, schema)| {
                check_output_schema(&format!("{name}.{field}"), schema);
            }),
            other => panic!("{name}: {other} is unknown in {schema}"),
        }
    }
}

#[test]
fn tools_and_their_schemas_are_accepted_by_clients() {
    run(async {
        let (app, who, ..) = app().await;
        for tool in Agent::of(&app, &who).tools().await {
            let name = tool["name"].as_str().unwrap();
            let is_plain =
                name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
            assert!(is_plain && name.len() <= 40 && name.as_bytes()[0].is_ascii_lowercase(), "{name}");
            assert!(tool["title"].as_str().is_some_and(|title| !title.is_empty()), "{name}");
            let about = tool["description"].as_str().unwrap();
            assert!((10..=400).contains(&about.chars().count()), "{name}: {about}");
            assert!(
                !about.ends_with(|letter: char| letter.is_alphanumeric()),
                "the description of {name} is truncated: {about}"
            );
            assert_eq!(tool["inputSchema"]["type"], "object", "{name}");
            check_input_schema(name, &tool["inputSchema"]);
            assert_eq!(tool["outputSchema"]["type"], "object", "{name}");
            check_output_schema(name, &tool["outputSchema"]);
            assert_eq!(tool["annotations"].as_object().unwrap().len(), 4, "{name}");
        }
    });
}

#[test]
fn tool_lists_are_ordered_and_within_size_limits() {
    run(async {
        let (app, who, ..) = app().await;
        let agent = Agent::of(&app, &who);
        let size = async |path: &str| {
            let list = agent.at(path).tools().await;
            json!({ "tools": list }).to_string().len()
        };
        let (whole, core) = (size("/mcp/x/all").await, size("/mcp/x/core").await);
        assert!(whole <= 128 * 1024, "{whole} bytes in all");
        assert!(core <= 40 * 1024, "{core} bytes in core");
        for path in [ALL_OPERATIONS, "/mcp?tools=default,all", "/mcp?tools=default,all&output=structured"] {
            let bytes = size(path).await;
            assert!(bytes <= 128 * 1024, "{bytes} bytes at {path}");
        }
        let all = agent.tool_names().await;
        assert_eq!(all[..2], ["search", "fetch"]);
        let core = agent.at("/mcp/x/core").tool_names().await;
        assert!(core.len() <= 25 && all[..core.len()] == core[..], "{core:?}");
        for address in McpAddress::all() {
            if address.group.is_none() {
                // Other tests cover the default set.
                continue;
            }
            let path = address.path();
            let listed = agent.at(&path).tools().await;
            let names: Vec<&str> = listed.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
            let positions: Vec<usize> =
                names.iter().map(|name| all.iter().position(|known| known == name).unwrap()).collect();
            assert!(positions.is_sorted(), "{path}");
            for (at, tool) in listed.iter().enumerate() {
                let input = tool["inputSchema"].to_string();
                for reference in input.split("Fields as in `").skip(1) {
                    let first = reference.split('`').next().unwrap();
                    assert!(names[..at].contains(&first), "{path}: {first} is not before {}", names[at]);
                }
            }
            if address.access == Access::ReadOnly {
                assert!(listed.iter().all(|tool| tool["annotations"]["readOnlyHint"] == true), "{path}");
            }
        }
        let library = agent.at("/mcp/x/library").tool_names().await;
        assert!(library.contains(&"create_note".to_owned()) && !library.contains(&"read_article".to_owned()));
        let (status, error) = agent
            .at("/mcp/readonly")
            .error("tools/call", json!({"name": "create_note", "arguments": {"text": "x"}}))
            .await;
        assert_eq!((status, &error["code"]), (200, &json!(-32602)));
    });
}

#[test]
fn every_tool_costs_one_operation_and_requires_its_scope() {
    run(async {
        let (app, who, ..) = app().await;
        let agent = Agent::of(&app, &who);
        let (create_key, _) = who.create_key(&app, Scopes::READ, None).await;
        let reader = agent.with_key(&create_key);
        for tool in agent.tools().await {
            app.clock.advance(MINUTE);
            let name = tool["name"].as_str().unwrap();
            let before = remaining_operations(&app, &who).await;
            // Most tools require arguments, so this result may be an error.
            agent.request("tools/call", json!({"name": name, "arguments": {}})).await;
            agent.tool_error(name, json!({"nonsense": 1})).await;
            assert_eq!(remaining_operations(&app, &who).await, before - 3, "{name}");
            if tool["securitySchemes"][0]["scopes"][0] == "svc:write" {
                assert_eq!(reader.tool_error(name, json!({})).await["code"], "insufficient_scope", "{name}");
            }
        }
    });
}
