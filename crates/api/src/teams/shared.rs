//! Operations of members on what teams share with the account.

use std::sync::Arc;

use identity::teams::TeamRole;
use kernel::bounds::TAG_CHARS;
use kernel::cursor_scope::CursorScope;
use kernel::{ItemId, MonitorId, TeamId, rfc3339};
use library::{NewSharedItem, PageStart, SAVE_TIMEOUT, TagItem};
use poem::web::Data;
use poem_openapi::param::Query;
use poem_openapi::payload::Json;
use poem_openapi::types::Example;
use poem_openapi::{ApiResponse, Object, OpenApi};
use tokio::time::Instant;

use super::schema::{EXAMPLE_TIME, monitor_id, team_id};
use crate::answers::{Errors, NoContent};
use crate::authorize::{Authorized, SharedRead, SharedWrite};
use crate::body::Body;
use crate::cursor::{Cursor, Limit, open_cursor, page_size, seal_cursor};
use crate::error::ApiError;
use crate::library::item_id;
use crate::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::enum_param::EnumParam;
use http_kit::http::params::{Text, Url, UuidText};
use http_kit::http::request::request;

request! {
    /// Page to add to a shared tag.
    pub(super) struct SharedItemRequest in camelCase {
        /// Id of the team (UUID).
        team_id: UuidText = "0193a0b2-7b00-7000-8000-3f1e2d4c5b62",
        /// Name of the shared tag.
        tag: Text<1, TAG_CHARS> = "desk",
        /// URL of the page.
        url: Url = "https://example.org/desks",
    }
}

request! {
    /// Item to remove from a shared tag.
    pub(super) struct SharedItemRemoval in camelCase {
        /// Id of the team (UUID).
        team_id: UuidText = "0193a0b2-7b00-7000-8000-3f1e2d4c5b62",
        /// Name of the shared tag.
        tag: Text<1, TAG_CHARS> = "desk",
        /// Id of the item (UUID).
        item_id: UuidText = "0193a0b2-7c00-7000-8000-3f1e2d4c5b6a",
    }
}

/// Tag that a team shares with the account.
#[derive(Debug, Object)]
#[oai(rename = "SharedTag", rename_all = "camelCase")]
pub(super) struct SharedTagResponse {
    /// Id of the team (UUID).
    pub team_id: String,
    /// Name of the team.
    pub team_name: String,
    /// E-mail address of the owner.
    pub owner: String,
    /// Role of the account in the team. Editors add and remove pages.
    pub role: EnumParam<TeamRole>,
    /// Name of the tag.
    pub name: String,
}

/// Monitor that a team shares with the account.
#[derive(Debug, Object)]
#[oai(rename = "SharedMonitor", rename_all = "camelCase")]
pub(super) struct SharedMonitorResponse {
    /// Id of the team (UUID).
    pub team_id: String,
    /// Name of the team.
    pub team_name: String,
    /// E-mail address of the owner.
    pub owner: String,
    /// Id of the monitor (UUID).
    pub monitor_id: String,
    /// Name of the monitor.
    pub name: String,
    /// Time of the latest change, RFC 3339 UTC; null if there was none.
    pub last_change_at: Option<String>,
}

/// Everything that teams share with the account.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct SharedList {
    /// Tags, by team and name.
    pub tags: Vec<SharedTagResponse>,
    /// Monitors, by team and name.
    pub monitors: Vec<SharedMonitorResponse>,
}

/// Item of a shared tag.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct SharedItem {
    /// Id of the item in the library of the owner (UUID).
    pub id: String,
    /// Title; empty if it was derived from the address, from the name of a file, or from a supplied text.
    pub title: String,
    /// Web address, without sign-in tokens.
    pub url: String,
    /// Beginning of the text on one line; null if the text was not fetched from the address.
    pub excerpt: Option<String>,
    /// Time of saving, RFC 3339 UTC.
    pub saved_at: String,
}

/// Page of the items of a shared tag.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct SharedItemList {
    /// Items, most recently saved first.
    pub items: Vec<SharedItem>,
    /// Cursor of the next page; null on the last page.
    pub next_cursor: Option<String>,
}

/// Change of a shared monitor.
#[derive(Debug, Object)]
#[oai(rename = "SharedChange", rename_all = "camelCase")]
pub(super) struct SharedChangeResponse {
    /// Title, plain text on one line.
    pub title: String,
    /// Summary, plain text on a few lines.
    pub summary: String,
    /// Time of detection, RFC 3339 UTC.
    pub detected_at: String,
}

/// Newest changes of a shared monitor.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct SharedChangeList {
    /// Name of the monitor.
    pub name: String,
    /// The newest 50 changes, the newest first.
    pub changes: Vec<SharedChangeResponse>,
}

#[derive(ApiResponse)]
pub(super) enum SharedItemAdded {
    /// The page is saved in the library of the owner, with the tag.
    #[oai(status = 201)]
    Added(Json<SharedItemOne>),
}

/// Response with one item of a shared tag.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct SharedItemOne {
    /// The item.
    pub item: SharedItem,
}

impl From<TagItem> for SharedItem {
    fn from(item: TagItem) -> Self {
        Self {
            id: item.id.to_string(),
            title: item.title,
            url: item.url,
            excerpt: item.excerpt,
            saved_at: rfc3339(item.saved_at),
        }
    }
}

impl From<library::SharedTag> for SharedTagResponse {
    fn from(tag: library::SharedTag) -> Self {
        Self {
            team_id: tag.team_id.to_string(),
            team_name: tag.team_name,
            owner: tag.owner_email,
            role: EnumParam(tag.role),
            name: tag.name,
        }
    }
}

impl From<monitors::SharedMonitor> for SharedMonitorResponse {
    fn from(monitor: monitors::SharedMonitor) -> Self {
        Self {
            team_id: monitor.team_id.to_string(),
            team_name: monitor.team_name,
            owner: monitor.owner_email,
            monitor_id: monitor.monitor_id.to_string(),
            name: monitor.name,
            last_change_at: monitor.last_change_at.map(rfc3339),
        }
    }
}

impl Example for SharedItem {
    fn example() -> Self {
        Self {
            id: item_id(),
            title: "Desks".into(),
            url: "https://example.org/desks".into(),
            excerpt: Some("A desk has four legs.".into()),
            saved_at: EXAMPLE_TIME.into(),
        }
    }
}

impl Example for SharedItemOne {
    fn example() -> Self {
        Self { item: SharedItem::example() }
    }
}

impl Example for SharedItemList {
    fn example() -> Self {
        Self { items: vec![SharedItem::example()], next_cursor: None }
    }
}

impl Example for SharedList {
    fn example() -> Self {
        Self {
            tags: vec![SharedTagResponse {
                team_id: team_id(),
                team_name: "Family".into(),
                owner: "owner@example.org".into(),
                role: EnumParam(TeamRole::Reader),
                name: "desk".into(),
            }],
            monitors: vec![SharedMonitorResponse {
                team_id: team_id(),
                team_name: "Family".into(),
                owner: "owner@example.org".into(),
                monitor_id: monitor_id(),
                name: "Ferries".into(),
                last_change_at: Some(EXAMPLE_TIME.into()),
            }],
        }
    }
}

impl Example for SharedChangeList {
    fn example() -> Self {
        let change = SharedChangeResponse {
            title: "Ferries: 1 line added".into(),
            summary: "The ferry leaves at nine.".into(),
            detected_at: EXAMPLE_TIME.into(),
        };
        Self { name: "Ferries".into(), changes: vec![change] }
    }
}

pub(crate) struct SharedApi;

#[OpenApi(tag = "ApiTag::Library")]
impl SharedApi {
    /// List what teams share
    ///
    /// Returns the tags and monitors that other accounts share with the account. Connected apps may not read
    /// what is shared.
    #[oai(path = "/v1/shared", method = "get", operation_id = "listShared")]
    async fn list(
        &self,
        caller: Authorized<SharedRead>,
        app: Data<&Arc<App>>,
    ) -> Result<Json<SharedList>, ApiError> {
        let account_id = caller.0.account_id;
        let tags = library::list_shared_tags(&app.domain, account_id).await?;
        let monitors = monitors::list_shared_monitors(&app.domain, account_id).await?;
        Ok(Json(SharedList {
            tags: tags.into_iter().map(SharedTagResponse::from).collect(),
            monitors: monitors.into_iter().map(SharedMonitorResponse::from).collect(),
        }))
    }

    /// List items of a shared tag
    ///
    /// Returns items of a tag that a team shares with the account, most recently saved first. A page may have
    /// fewer items than `limit`, or none, although another follows: items without a public address are left
    /// out.
    #[oai(path = "/v1/shared/items", method = "get", operation_id = "listSharedItems")]
    async fn items(
        &self,
        caller: Authorized<SharedRead>,
        app: Data<&Arc<App>>,
        /// Id of the team (UUID).
        #[oai(name = "teamId")]
        team: Query<UuidText>,
        /// Name of the shared tag.
        tag: Query<Text<1, TAG_CHARS>>,
        /// `nextCursor` of the previous page.
        cursor: Cursor,
        /// Maximum number of items per page. Default: 50.
        limit: Limit<500>,
    ) -> Result<Json<SharedItemList>, Errors<404, 422>> {
        let (account_id, team_id) = (caller.0.account_id, TeamId::from_u128(team.0.0));
        let filters = format!("{team_id} {}", tag.0.0);
        let cursor_scope = CursorScope { account_id, operation: "listSharedItems", filters };
        let after = open_cursor(&cursor_scope, &app.domain, cursor.0.as_ref()).await?;
        let start = PageStart { after, limit: page_size(&limit) };
        let shared = library::list_shared_items(&app.domain, account_id, team_id, &tag.0.0, start).await?;
        let next_cursor = seal_cursor(&cursor_scope, &app.domain, shared.page.next).await?;
        let items = shared.page.items.into_iter().map(SharedItem::from).collect();
        Ok(Json(SharedItemList { items, next_cursor }))
    }

    /// Add a page to a shared tag
    ///
    /// For editors. Saves the page with the tag in the library of the owner, whose limits apply. A page that
    /// the owner has already saved is refused with 409.
    #[oai(path = "/v1/shared/items", method = "post", operation_id = "addSharedItem")]
    async fn add(
        &self,
        caller: Authorized<SharedWrite>,
        app: Data<&Arc<App>>,
        body: Body<SharedItemRequest>,
    ) -> Result<SharedItemAdded, Errors<404, 409, 422>> {
        let SharedItemRequest { team_id, tag, url } = body.0;
        let new = NewSharedItem { team_id: TeamId::from_u128(team_id.0), tag: tag.0, url: url.0 };
        let deadline = Instant::now() + SAVE_TIMEOUT;
        let progress = library::add_shared_item(&app.domain, &app.sandbox, caller.0.account_id, new).await?;
        let saved = app.engine.await_result(progress, deadline).await?.item.row;
        let item = SharedItem {
            id: saved.id.to_string(),
            title: saved.title,
            url: saved.url,
            excerpt: None,
            saved_at: rfc3339(saved.saved_at),
        };
        Ok(SharedItemAdded::Added(Json(SharedItemOne { item })))
    }

    /// Remove an item from a shared tag
    ///
    /// For editors. Removes the tag from the item, which stays in the library of the owner.
    #[oai(path = "/v1/shared/items/remove", method = "post", operation_id = "removeSharedItem")]
    async fn remove(
        &self,
        caller: Authorized<SharedWrite>,
        app: Data<&Arc<App>>,
        body: Body<SharedItemRemoval>,
    ) -> Result<NoContent, Errors<404, 422>> {
        let SharedItemRemoval { team_id, tag, item_id } = body.0;
        let (team_id, item_id) = (TeamId::from_u128(team_id.0), ItemId::from_u128(item_id.0));
        library::remove_shared_item(&app.domain, caller.0.account_id, team_id, &tag.0, item_id).await?;
        Ok(NoContent::Done)
    }

    /// List changes of a shared monitor
    ///
    /// Returns the newest changes of a monitor that a team shares with the account.
    #[oai(path = "/v1/shared/changes", method = "get", operation_id = "listSharedChanges")]
    async fn changes(
        &self,
        caller: Authorized<SharedRead>,
        app: Data<&Arc<App>>,
        /// Id of the team (UUID).
        #[oai(name = "teamId")]
        team: Query<UuidText>,
        /// Id of the monitor (UUID).
        #[oai(name = "monitorId")]
        monitor: Query<UuidText>,
    ) -> Result<Json<SharedChangeList>, Errors<404, 422>> {
        let (team_id, monitor_id) = (TeamId::from_u128(team.0.0), MonitorId::from_u128(monitor.0.0));
        let shared =
            monitors::view_shared_monitor(&app.domain, caller.0.account_id, team_id, monitor_id).await?;
        let change = |change: monitors::SharedChange| SharedChangeResponse {
            title: change.title,
            summary: change.summary,
            detected_at: rfc3339(change.detected_at),
        };
        let changes = shared.changes.into_iter().map(change).collect();
        Ok(Json(SharedChangeList { name: shared.name, changes }))
    }
}
