//! Operations on rules for saved items.

use std::sync::Arc;

use kernel::bounds::{ITEM_RULES, LIBRARY_QUERY_CHARS, SEARCH_NAME_CHARS};
use kernel::{LibraryRuleId, rfc3339};
use library::{ItemRule, ItemRuleUpdate, ItemStatus, NewItemRule};
use poem::web::Data;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::types::Example;
use poem_openapi::{ApiResponse, Object, OpenApi};

use super::request::{ObjectTags, tags_of};
use crate::answers::{Errors, NoContent};
use crate::authorize::{Authorized, Read, Write};
use crate::body::Body;
use crate::error::ApiError;
use crate::path_id::path_id;
use crate::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::enum_param::EnumParam;
use http_kit::http::params::{Integer, Name};
use http_kit::http::request::request;
use http_kit::http::value::Nullable;

request! {
    /// Rule to create.
    pub(super) struct LibraryRuleRequest in camelCase {
        /// Name of the rule.
        name: Name<SEARCH_NAME_CHARS> = "Harbour news",
        /// Query in the search language, as in searches of the library. A query with neither words nor filters
        /// matches nothing.
        query: Name<LIBRARY_QUERY_CHARS> = "domain:example.org harbour",
        /// Tags to add to matching items. The tag `favorite` stars them.
        add_tags: Option<ObjectTags> = ["harbour"],
        /// Status to set on matching items; null or omitted for none.
        status: Option<Nullable<EnumParam<ItemStatus>>> = "later",
    }
}

request! {
    /// Changes to a rule; omitted fields stay unchanged.
    pub(super) struct LibraryRuleUpdate in camelCase {
        /// Name of the rule.
        name: Option<Name<SEARCH_NAME_CHARS>>,
        /// Query in the search language.
        query: Option<Name<LIBRARY_QUERY_CHARS>>,
        /// Tags to add; replaces all tags of the rule.
        add_tags: Option<ObjectTags> = ["harbour", "boats"],
        /// Status to set on matching items; null for none.
        status: Option<Nullable<EnumParam<ItemStatus>>>,
        /// Position in the order of the rules, counted from 1. A position after the last rule means the last one.
        position: Option<Integer<1, { ITEM_RULES as i64 }>> = 1,
    }
}

impl From<LibraryRuleRequest> for NewItemRule {
    fn from(request: LibraryRuleRequest) -> Self {
        Self {
            name: request.name.0,
            query: request.query.0,
            tags: request.add_tags.map(tags_of).unwrap_or_default(),
            status: request.status.and_then(|status| status.0).map(|word| word.0),
        }
    }
}

impl From<LibraryRuleUpdate> for ItemRuleUpdate {
    fn from(request: LibraryRuleUpdate) -> Self {
        Self {
            name: request.name.map(|name| name.0),
            query: request.query.map(|query| query.0),
            tags: request.add_tags.map(tags_of),
            status: request.status.map(|status| status.0.map(|word| word.0)),
            position: request.position.map(Integer::get),
        }
    }
}

/// Rule for saved items. Rules apply one time to each new item, in their order, after its text was stored or could not be
/// fetched.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct LibraryRule {
    /// Id of the rule (UUID).
    pub id: String,
    /// Name of the rule.
    pub name: String,
    /// Query in the search language. Items that match when the rule applies are changed.
    pub query: String,
    /// Tags that the rule adds.
    pub add_tags: Vec<String>,
    /// Tags of the rule that it does not add, because they are public or shared with a team. Empty if there are none.
    pub withheld_tags: Vec<String>,
    /// Status that the rule sets, unless the status was changed since the item was saved; null if it sets none. If several
    /// rules match, the last one decides.
    pub status: Option<EnumParam<ItemStatus>>,
    /// Number of saved items that the rule has matched.
    pub matches: u64,
    /// Time at which the rule was created, RFC 3339 UTC.
    pub created_at: String,
}

impl From<ItemRule> for LibraryRule {
    fn from(rule: ItemRule) -> Self {
        Self {
            id: rule.id.to_string(),
            name: rule.name,
            query: rule.query,
            add_tags: rule.tags,
            withheld_tags: rule.withheld_tags,
            status: rule.status.map(EnumParam),
            matches: rule.matches,
            created_at: rfc3339(rule.created_at),
        }
    }
}

impl Example for LibraryRule {
    fn example() -> Self {
        Self {
            id: rule_id(),
            name: "Harbour news".into(),
            query: "domain:example.org harbour".into(),
            add_tags: vec!["harbour".into()],
            withheld_tags: Vec::new(),
            status: Some(EnumParam(ItemStatus::Later)),
            matches: 12,
            created_at: "2026-11-20T12:00:00.000Z".into(),
        }
    }
}

/// Rules of an account.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct LibraryRuleList {
    /// Rules in the order in which they apply, at most 50.
    pub rules: Vec<LibraryRule>,
}

impl Example for LibraryRuleList {
    fn example() -> Self {
        Self { rules: vec![LibraryRule::example()] }
    }
}

/// Response with one rule.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct LibraryRuleOne {
    /// The rule.
    pub rule: LibraryRule,
}

impl Example for LibraryRuleOne {
    fn example() -> Self {
        Self { rule: LibraryRule::example() }
    }
}

#[derive(ApiResponse)]
pub(super) enum LibraryRuleCreated {
    /// The new rule.
    #[oai(status = 201)]
    Created(Json<LibraryRuleOne>),
}

fn rule_id() -> String {
    "0193a0b2-7b00-7000-8000-3f1e2d4c5b72".to_owned()
}

pub(crate) struct RulesApi;

#[OpenApi(tag = "ApiTag::Library")]
impl RulesApi {
    /// List rules for saved items
    ///
    /// Returns all rules in the order in which they apply.
    #[oai(path = "/v1/library/rules", method = "get", operation_id = "listLibraryRules")]
    async fn list(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
    ) -> Result<Json<LibraryRuleList>, ApiError> {
        let rules = library::list_item_rules(&app.domain, caller.0.account_id).await?;
        Ok(Json(LibraryRuleList { rules: rules.into_iter().map(LibraryRule::from).collect() }))
    }

    /// Create a rule for saved items
    ///
    /// The rule applies after the other rules to items that are saved from now on, but not to imported items. It adds no
    /// tags that are public or shared with a team.
    #[oai(path = "/v1/library/rules", method = "post", operation_id = "createLibraryRule")]
    async fn create(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        body: Body<LibraryRuleRequest>,
    ) -> Result<LibraryRuleCreated, Errors<422>> {
        let rule = library::create_item_rule(&app.domain, caller.0.account_id, body.0.into()).await?;
        Ok(LibraryRuleCreated::Created(Json(LibraryRuleOne { rule: rule.into() })))
    }

    /// Update a rule for saved items
    ///
    /// Changes a rule, or its position in the order of the rules. Items that it has already changed are not affected.
    #[oai(path = "/v1/library/rules/:id", method = "patch", operation_id = "updateLibraryRule")]
    async fn update(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the rule.
        #[oai(example = "rule_id")]
        id: Path<String>,
        body: Body<LibraryRuleUpdate>,
    ) -> Result<Json<LibraryRuleOne>, Errors<404, 422>> {
        let (account_id, id) = (caller.0.account_id, id_of(&id.0)?);
        let rule = library::update_item_rule(&app.domain, account_id, id, body.0.into()).await?;
        Ok(Json(LibraryRuleOne { rule: rule.into() }))
    }

    /// Delete a rule for saved items
    ///
    /// Items that it has already changed are not affected.
    #[oai(path = "/v1/library/rules/:id", method = "delete", operation_id = "deleteLibraryRule")]
    async fn delete(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the rule.
        #[oai(example = "rule_id")]
        id: Path<String>,
    ) -> Result<NoContent, Errors<404>> {
        library::delete_item_rule(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        Ok(NoContent::Done)
    }
}

fn id_of(text: &str) -> Result<LibraryRuleId, ApiError> {
    path_id(text, "rule")
}
