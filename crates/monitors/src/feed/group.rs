//! Public page and feed of a group: the changes of all its monitors, but no other data about them.

use std::collections::HashMap;

use async_recursion::async_recursion as boxed;
use entities::ids::{ChangeId, MonitorGroupId, MonitorId};
use entities::{monitor, monitor_change, monitor_group};
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect};

use super::super::feed_format::{FeedFormat, group_feed_url, group_page_url};
use super::super::notice::Notice;
use super::super::render::{self, FeedItem, Links};
use super::super::rows::{ChangeLine, owner_plan, read_change_lines};
use super::super::rules::{LONGEST_MINUTES, interval_minutes};
use super::content::FeedContent;
use super::{FORMAT_VERSION, MAX_CHANGES, MAX_ITEMS, RenderedFeed, digest_of, find_owner, gone, write};
use kernel::{Domain, Error, Millis, Result};

/// Maximum number of changes on the page.
const PAGE_CHANGES: u64 = 50;

/// Group, as displayed to clients that have its URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedGroup {
    pub name: String,
    /// Names of the monitors, the oldest first.
    pub monitors: Vec<String>,
    /// Changes, the newest first.
    pub changes: Vec<PublishedChange>,
    /// URLs of the feed as RSS, Atom, and JSON Feed.
    pub feed_urls: [String; 3],
}

/// Change of a monitor in a published group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedChange {
    /// Name of the monitor.
    pub monitor: String,
    pub detected_at: Millis,
    /// Plain text on one line.
    pub title: String,
    /// Plain text on a few lines.
    pub summary: String,
    /// Public link to the change. It is valid as long as the URL of the group is.
    pub link: String,
}

/// Published group with its monitors.
struct LoadedGroup {
    row: monitor_group::Model,
    /// Ids, names and configured intervals of the monitors, the oldest first.
    members: Vec<(MonitorId, String, i32)>,
}

impl LoadedGroup {
    /// Loads the group with a token.
    ///
    /// # Errors
    /// `not_found` if the token was never issued; `feed_gone` if it is no longer valid.
    async fn load(connection: &impl ConnectionTrait, token: &str) -> Result<Self> {
        let id = MonitorGroupId::from(find_owner(connection, token).await?.as_uuid());
        let row = monitor_group::Entity::of_any_owner(id)
            .filter(monitor_group::Column::FeedToken.eq(token))
            .one(connection)
            .await?;
        let row = row.ok_or_else(gone)?;
        let members = monitor::Entity::owned_by(row.account_id)
            .filter(monitor::Column::GroupId.eq(row.id))
            .order_by_asc(monitor::Column::Id)
            .select_only()
            .columns([monitor::Column::Id, monitor::Column::Name, monitor::Column::IntervalMinutes])
            .into_tuple()
            .all(connection)
            .await?;
        Ok(Self { row, members })
    }

    /// Changes of the monitors, the newest first. Notices about monitors are not public and are excluded.
    fn changes(&self) -> sea_orm::Select<monitor_change::Entity> {
        monitor_change::Entity::owned_by(self.row.account_id)
            .filter(monitor_change::Column::MonitorId.is_in(self.members.iter().map(|(id, ..)| *id)))
            .filter(monitor_change::Column::Kind.is_not_in(Notice::KINDS))
            .order_by_desc(monitor_change::Column::Id)
    }

    fn names(&self) -> HashMap<MonitorId, String> {
        self.members.iter().map(|(id, name, _)| (*id, name.clone())).collect()
    }
}

/// Returns the feed of a group in one format. See [`find_feed`](super::find_feed).
///
/// # Errors
/// `not_found` if the token was never issued; `feed_gone` if it was replaced, or its group was deleted or is
/// no longer published.
pub async fn find_group_feed(
    domain: &Domain,
    token: &str,
    form: FeedFormat,
    known: impl FnOnce(&str, Millis) -> bool,
) -> Result<RenderedFeed> {
    let connection = domain.db().read();
    let base_url = &domain.policy().base_url;
    let group = LoadedGroup::load(connection, token).await?;
    let newest: Vec<(ChangeId, Millis)> = group
        .changes()
        .limit(MAX_CHANGES)
        .select_only()
        .columns([monitor_change::Column::Id, monitor_change::Column::DetectedAt])
        .into_tuple()
        .all(connection)
        .await?;
    let plan = &owner_plan(domain, group.row.account_id).await?;
    let shortest = group.members.iter().map(|(.., minutes)| interval_minutes(*minutes, plan)).min();
    let shortest = shortest.unwrap_or(LONGEST_MINUTES);
    let etag = validator(&group, &newest, &[form.extension(), base_url.as_str(), &shortest.to_string()]);
    let updated_at = newest.iter().map(|(_, at)| *at).max().unwrap_or(group.row.created_at);
    if known(&etag, updated_at) {
        return Ok(RenderedFeed { etag, updated_at, body: None });
    }
    let listed = monitor_change::Column::Id.is_in(newest.into_iter().map(|(id, _)| id));
    let rows = group.changes().filter(listed).all(connection).await?;
    let links = Links::load(domain, base_url, token).await?;
    let (site_url, self_url) = (group_page_url(base_url, token), group_feed_url(base_url, token, form));
    let body = tokio::task::spawn_blocking(move || {
        let names = group.names();
        let mut items: Vec<FeedItem> = Vec::new();
        for row in rows {
            let name = names.get(&row.monitor_id).map_or("", String::as_str);
            let titled = |item: FeedItem| FeedItem { title: format!("{name}: {}", item.title), ..item };
            items.extend(render::items(&row.try_into()?, &links).into_iter().map(titled));
        }
        items.truncate(MAX_ITEMS);
        let about = format!("Changes of the monitors in {}", group.row.name);
        let content = FeedContent {
            title: &group.row.name,
            site_url: &site_url,
            self_url: &self_url,
            about: &about,
            id: group.row.id.as_uuid(),
            interval_minutes: shortest,
            updated_at,
            items: &items,
        };
        Ok::<_, Error>(write(&content, form))
    });
    let body = body.await.map_err(Error::internal)??;
    Ok(RenderedFeed { etag, updated_at, body: Some(body) })
}

/// Returns the content of the public page of a group.
///
/// # Errors
/// The errors of [`find_group_feed`].
#[boxed]
pub async fn view_group(domain: &Domain, token: &str) -> Result<PublishedGroup> {
    let connection = domain.db().read();
    let base_url = &domain.policy().base_url;
    let group = LoadedGroup::load(connection, token).await?;
    let lines = read_change_lines(connection, group.changes(), PAGE_CHANGES).await?;
    let links = Links::load(domain, base_url, token).await?;
    let names = group.names();
    let change = |(id, monitor_id, _, detected_at, title, summary): ChangeLine| PublishedChange {
        monitor: names.get(&monitor_id).cloned().unwrap_or_default(),
        detected_at,
        title,
        summary,
        link: links.of(id),
    };
    let forms = [FeedFormat::Rss, FeedFormat::Atom, FeedFormat::Json];
    Ok(PublishedGroup {
        changes: lines.into_iter().map(change).collect(),
        name: group.row.name,
        monitors: group.members.into_iter().map(|(_, name, _)| name).collect(),
        feed_urls: forms.map(|form| group_feed_url(base_url, token, form)),
    })
}

/// Validator of a feed. It depends on all changes, because the changes of several monitors may be committed
/// in an order that differs from the order of their ids.
fn validator(group: &LoadedGroup, newest: &[(ChangeId, Millis)], about: &[&str]) -> String {
    let token = group.row.feed_token.as_deref().unwrap_or_default();
    let mut parts = vec![FORMAT_VERSION, token, &group.row.name];
    parts.extend(about);
    let ids: Vec<String> = group.members.iter().map(|(id, ..)| id.to_string()).collect();
    for (id, (_, name, _)) in ids.iter().zip(&group.members) {
        parts.extend([id.as_str(), name.as_str()]);
    }
    let changes: Vec<u8> = newest.iter().flat_map(|(id, _)| id.as_bytes().to_owned()).collect();
    digest_of(&parts, &changes)
}
