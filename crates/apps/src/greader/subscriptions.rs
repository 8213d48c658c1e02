//! Subscriptions: lists and changes.

use feeds::{Follow, NewCollection, Subscription, SubscriptionUpdate};
use kernel::{Class, Code, CollectionId, Error, SubscriptionId};
use poem::http::{HeaderValue, header};
use poem::{IntoResponse, Request, RequestBody, Response};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::call::GReaderCall;
use super::stream_id::{READING_LIST, StreamId, of_feed, of_label};
use crate::answers::{json_answer, plain};
use crate::fault::malformed;
use crate::icons::IconUrls;
use crate::parameters::body_error;
use crate::subscriptions::{all_subscriptions, follow_address, public_url};
use http_kit::app::ANSWER_TIMEOUT;
use http_kit::http::body::BodyFault;
use http_kit::http::opml_body::opml_of;

/// Maximum number of feeds that one request follows. Each may need requests to its server.
const MAX_FOLLOWED: usize = 100;
/// Maximum number of followed feeds that one request changes or unfollows. Each needs about ten statements.
const MAX_CHANGED: usize = 500;

impl GReaderCall<'_> {
    /// `subscription/list`: all subscriptions.
    pub(super) async fn list_subscriptions(&self) -> Result<Response, Error> {
        let domain = &self.app.domain;
        let labels = feeds::labels(domain, self.caller.account_id).await?;
        let all = all_subscriptions(domain, self.caller.account_id).await?;
        let icons = IconUrls::load(self.app, &all).await?;
        let subscription_json = |subscription: &Subscription| {
            let label = labels.get(&subscription.feed_id);
            let categories: Vec<Value> =
                label.iter().map(|name| json!({ "id": of_label(name), "label": name })).collect();
            json!({
                "id": of_feed(subscription.feed_id),
                "title": subscription.title,
                "categories": categories,
                "url": public_url(subscription),
                "htmlUrl": subscription.site_url.as_deref().unwrap_or_default(),
                "iconUrl": icons.of(subscription).unwrap_or_default(),
                "sortid": format!("{:08X}", subscription.id.as_i64()),
                "firstitemmsec": subscription.created_at.to_string(),
            })
        };
        json_answer(&json!({ "subscriptions": all.iter().map(subscription_json).collect::<Vec<Value>>() }))
    }

    /// `subscription/export`: all subscriptions as OPML.
    pub(super) async fn export_subscriptions(&self) -> Result<Response, Error> {
        let list = feeds::export_list(&self.app.domain, self.caller.account_id).await?;
        let name = HeaderValue::from_static("attachment; filename=\"subscriptions.opml\"");
        let response = list.with_content_type("text/xml; charset=utf-8");
        Ok(response.with_header(header::CONTENT_DISPOSITION, name).into_response())
    }

    /// `subscription/import`: follows the feeds of an OPML document. The response lists the feeds that could
    /// not be imported.
    pub(super) async fn import_subscriptions(
        &self,
        request: &Request,
        body: &mut RequestBody,
    ) -> Result<Response, Error> {
        let (list, _memory_permit) = opml_of(request, body).await.map_err(|fault| match fault {
            BodyFault::TooLarge(_) => malformed("The list is larger than 5 MiB."),
            fault => body_error(&fault),
        })?;
        let outlines = feeds::read_list(&self.app.sandbox, list).await?;
        let imported = feeds::import_list(&self.app.domain, self.caller.account_id, &outlines).await?;
        let failed = imported.failed.iter().map(|(url, code)| format!("Error={} {url}", code.as_str()));
        Ok(plain(std::iter::once("OK".to_owned()).chain(failed).collect::<Vec<String>>().join("\n")))
    }

    /// `subscribed`: `true` if a feed is followed, otherwise `false`.
    pub(super) async fn is_subscribed(&self) -> Result<Response, Error> {
        let name = self.parameters.get("s").ok_or_else(|| malformed("The parameter s is missing."))?;
        let subscription = self.subscription(&StreamId::parse(name)).await?;
        Ok(plain(if subscription.is_some() { "true" } else { "false" }))
    }

    /// `unread-count`: numbers of unread entries in each feed, in each label, and in total.
    pub(super) async fn unread_counts(&self) -> Result<Response, Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        let labels = feeds::labels(domain, account_id).await?;
        let newest = feeds::newest_times(domain, account_id).await?;
        let mut counts: Vec<(String, i64, i64)> = vec![(READING_LIST.to_owned(), 0, 0)];
        for subscription in all_subscriptions(&self.app.domain, self.caller.account_id).await? {
            let (count, time) =
                (subscription.unread_count, newest.get(&subscription.feed_id).copied().unwrap_or(0));
            let label = labels.get(&subscription.feed_id).map(|name| of_label(name));
            for name in [READING_LIST.to_owned()].into_iter().chain(label) {
                match counts.iter_mut().find(|(known, ..)| *known == name) {
                    Some((_, sum, last)) => (*sum, *last) = (*sum + count, time.max(*last)),
                    None => counts.push((name, count, time)),
                }
            }
            counts.push((of_feed(subscription.feed_id), count, time));
        }
        let max = counts.first().map_or(0, |(_, count, _)| *count);
        let count_json = |(id, count, time): &(String, i64, i64)| json!({ "id": id, "count": count, "newestItemTimestampUsec": time.to_string() });
        json_answer(
            &json!({ "max": max, "unreadcounts": counts.iter().map(count_json).collect::<Vec<Value>>() }),
        )
    }

    /// `subscription/edit`: adds, removes, and renames subscriptions, and changes their labels. Too many feeds are refused
    /// before the first change, because after a success, an app would not send the omitted ones again.
    pub(super) async fn edit_subscriptions(&self) -> Result<Response, Error> {
        let action = self.parameters.get("ac").unwrap_or("edit");
        let (most, verb) = match action {
            "subscribe" => (MAX_FOLLOWED, "follows"),
            "unsubscribe" | "edit" => (MAX_CHANGED, "changes"),
            _ => return Err(malformed("The parameter ac must be subscribe, unsubscribe, or edit.")),
        };
        if self.parameters.all("s").count() > most {
            return Err(malformed(&format!("A request {verb} at most {most} feeds.")));
        }
        let titles: Vec<&str> = self.parameters.all("t").collect();
        // All feeds share one deadline, so that a request with many feeds does not take longer.
        let deadline = Instant::now() + ANSWER_TIMEOUT;
        for (at, name) in self.parameters.all("s").enumerate() {
            let title = titles.get(at).copied().filter(|title| !title.trim().is_empty());
            let stream = StreamId::parse(name);
            match action {
                "subscribe" => self.subscribe(&stream, title, deadline).await?,
                "unsubscribe" => self.unsubscribe(&stream).await?,
                _ => self.edit(&stream, title).await?,
            }
        }
        Ok(plain("OK"))
    }

    /// `subscription/quickadd`: follows the feed at a URL, or the feed to which the page at the URL links.
    pub(super) async fn quick_add(&self) -> Result<Response, Error> {
        let query =
            self.parameters.get("quickadd").ok_or_else(|| malformed("The parameter quickadd is missing."))?;
        let url = query.strip_prefix("feed/").unwrap_or(query);
        let deadline = Instant::now() + ANSWER_TIMEOUT;
        match self.follow(url, Follow::default(), deadline).await {
            Ok(subscription) => json_answer(&json!({
                "numResults": 1,
                "query": query,
                "streamId": of_feed(subscription.feed_id),
                "streamName": subscription.title,
            })),
            Err(error) if matches!(error.class(), Class::Invalid | Class::Unreadable | Class::NotFound) => {
                json_answer(&json!({ "numResults": 0, "query": query, "error": error.message }))
            }
            Err(error) => Err(error),
        }
    }

    async fn subscribe(
        &self,
        stream: &StreamId,
        title: Option<&str>,
        deadline: Instant,
    ) -> Result<(), Error> {
        let url = match stream {
            StreamId::Address(url) => url,
            // The feed is already followed, or its id is unknown.
            StreamId::Feed(_) => return self.edit(stream, title).await,
            StreamId::ReadingList
            | StreamId::Read
            | StreamId::Unread
            | StreamId::Starred
            | StreamId::Label(_)
            | StreamId::Unknown => return Err(malformed("The parameter s must be feed/ followed by a URL.")),
        };
        // A refused label must not leave a followed feed: apps show the error as a feed that was not followed.
        if let Some(label) = self.added_label() {
            feeds::check_label(&self.app.domain, self.caller.account_id, &label).await?;
        }
        let new = Follow { title: title.map(str::to_owned), ..Follow::default() };
        let subscription = self.follow(url, new, deadline).await?;
        self.set_title_and_label(subscription.id, None).await
    }

    async fn follow(&self, url: &str, new: Follow, deadline: Instant) -> Result<Subscription, Error> {
        let followed = follow_address(self.app, &self.caller, url, new, deadline).await?;
        Ok(followed.subscription)
    }

    async fn unsubscribe(&self, stream: &StreamId) -> Result<(), Error> {
        match self.subscription(stream).await? {
            Some(id) => feeds::unfollow(&self.app.domain, self.caller.account_id, id).await,
            None => Ok(()),
        }
    }

    async fn edit(&self, stream: &StreamId, title: Option<&str>) -> Result<(), Error> {
        match self.subscription(stream).await? {
            Some(id) => self.set_title_and_label(id, title).await,
            None => Err(Error::new(Code::NotFound, "You do not follow this feed.")),
        }
    }

    async fn subscription(&self, stream: &StreamId) -> Result<Option<SubscriptionId>, Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        match self.scope(stream).await? {
            Some(feeds::StreamScope::Feed(id)) => feeds::find_subscription(domain, account_id, id).await,
            Some(
                feeds::StreamScope::All | feeds::StreamScope::Collection(_) | feeds::StreamScope::Starred,
            )
            | None => Ok(None),
        }
    }

    /// Returns the label that the request adds. A feed has at most one label. If several labels are added, the
    /// last one is used.
    fn added_label(&self) -> Option<String> {
        self.parameters.all("a").filter_map(StreamId::label_of).last()
    }

    /// Sets the title and the label of a subscription.
    async fn set_title_and_label(&self, id: SubscriptionId, title: Option<&str>) -> Result<(), Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        let removed: Vec<String> = self.parameters.all("r").filter_map(StreamId::label_of).collect();
        let collection_id = match self.added_label() {
            Some(name) => Some(self.collection(&name).await?),
            None if removed.is_empty() => None,
            None => self.unsorted_if_labelled(id, &removed).await?,
        };
        if title.is_none() && collection_id.is_none() {
            return Ok(());
        }
        let title = title.map(|title| Some(title.to_owned()));
        let update = SubscriptionUpdate { title, collection_id, ..SubscriptionUpdate::default() };
        feeds::update_subscription(domain, account_id, id, update).await.map(drop)
    }

    /// Returns the collection with this name. Creates it if it does not exist.
    async fn collection(&self, name: &str) -> Result<CollectionId, Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        if let Some(id) = feeds::find_collection(domain, account_id, name).await? {
            return Ok(id);
        }
        let new = NewCollection { name: name.to_owned(), ..NewCollection::default() };
        Ok(feeds::create_collection(domain, account_id, new).await?.id)
    }

    /// Returns the built-in collection for unsorted feeds if the subscription is currently in a collection
    /// with one of these labels. Otherwise returns `None`.
    async fn unsorted_if_labelled(
        &self,
        id: SubscriptionId,
        labels: &[String],
    ) -> Result<Option<CollectionId>, Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        let subscription = feeds::get_subscription(domain, account_id, id).await?;
        let collections = feeds::list_collections(domain, account_id).await?;
        let current = collections.iter().find(|collection| collection.id == subscription.collection_id);
        let is_named = |name: &String| {
            current.is_some_and(|current| current.name.to_lowercase() == name.trim().to_lowercase())
        };
        let unsorted =
            collections.iter().find(|collection| collection.kind == feeds::CollectionKind::Unsorted);
        Ok(unsorted.filter(|_| labels.iter().any(is_named)).map(|unsorted| unsorted.id))
    }
}
