//! Statistics of followed feeds.

use std::sync::Arc;

use feeds::{FeedStatistics, StatisticsFilter};
use kernel::cursor_scope::CursorScope;
use kernel::rfc3339;
use poem::web::Data;
use poem_openapi::param::Query;
use poem_openapi::payload::Json;
use poem_openapi::types::Example;
use poem_openapi::{Object, OpenApi};

use crate::answers::Errors;
use crate::authorize::{Authorized, Read};
use crate::cursor::{Cursor, Limit, open_cursor, page_size, seal_cursor};
use crate::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::params::Flag;

pub(crate) struct StatisticsApi;

/// Statistics of a followed feed over the last twelve weeks.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct RssFeedStatistics {
    /// Id of the subscription.
    pub subscription_id: i64,
    /// Id of the feed.
    pub feed_id: i64,
    /// Title that the account set, otherwise the title in the feed.
    pub title: String,
    /// Entries per week by their publication times, rounded to tenths.
    pub posts_per_week: f64,
    /// Entries that were opened or marked as read by id, divided by published entries, from 0 to 1; null if
    /// nothing was published. Marking a whole list as read does not count.
    pub read_share: Option<f64>,
    /// Publication time of the newest entry, RFC 3339 UTC; null if there is none.
    pub last_post_at: Option<String>,
    /// Time at which an entry was last opened or marked as read by id, RFC 3339 UTC; null if there was none.
    pub last_read_at: Option<String>,
    /// True if the account has followed the feed for at least four weeks and read none of the entries published,
    /// although it read entries of other feeds. False if no entries were published.
    pub never_read: bool,
}

impl From<FeedStatistics> for RssFeedStatistics {
    fn from(statistics: FeedStatistics) -> Self {
        Self {
            subscription_id: statistics.subscription_id.as_i64(),
            feed_id: statistics.feed_id.as_i64(),
            title: statistics.title,
            posts_per_week: statistics.posts_per_week,
            read_share: statistics.read_share,
            last_post_at: statistics.last_post_at.map(rfc3339),
            last_read_at: statistics.last_read_at.map(rfc3339),
            never_read: statistics.never_read,
        }
    }
}

/// Page of statistics.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct RssStatisticsList {
    /// One object per feed, in the order in which the feeds were followed.
    pub statistics: Vec<RssFeedStatistics>,
    /// Cursor of the next page; null on the last page.
    pub next_cursor: Option<String>,
}

impl Example for RssStatisticsList {
    fn example() -> Self {
        let statistics = RssFeedStatistics {
            subscription_id: 1,
            feed_id: 7,
            title: "Example".into(),
            posts_per_week: 3.5,
            read_share: Some(0.25),
            last_post_at: Some("2026-11-20T12:00:00.000Z".into()),
            last_read_at: Some("2026-11-20T18:30:00.000Z".into()),
            never_read: false,
        };
        Self { statistics: vec![statistics], next_cursor: None }
    }
}

#[OpenApi(tag = "ApiTag::Rss")]
impl StatisticsApi {
    /// List statistics of feeds
    ///
    /// Returns how often each followed feed publishes and how much of it the account reads.
    #[oai(path = "/v1/rss/statistics", method = "get", operation_id = "listRssStatistics")]
    async fn list(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// `nextCursor` of the previous page.
        cursor: Cursor,
        /// Maximum number of feeds per page. Default: 50.
        limit: Limit,
        /// True to return only feeds that are never read.
        #[oai(name = "neverRead")]
        never_read: Query<Option<Flag>>,
    ) -> Result<Json<RssStatisticsList>, Errors<422>> {
        let account_id = caller.0.account_id;
        let never_read = never_read.0.is_some_and(|flag| flag.0);
        let filter = StatisticsFilter { never_read, ..StatisticsFilter::default() };
        let cursor_scope =
            CursorScope { account_id, operation: "listRssStatistics", filters: format!("{filter:?}") };
        let after = open_cursor(&cursor_scope, &app.domain, cursor.0.as_ref()).await?;
        let _permit = app.limit_long_answers(account_id).await;
        let page = feeds::list_statistics(&app.domain, account_id, filter, after, page_size(&limit)).await?;
        let next_cursor = seal_cursor(&cursor_scope, &app.domain, page.next_after).await?;
        let statistics = page.statistics.into_iter().map(RssFeedStatistics::from).collect();
        Ok(Json(RssStatisticsList { statistics, next_cursor }))
    }
}
