//! Clients of feed apps: the Google Reader API and Fever.

use identity::keys::{self, AppAccess, NewKey};
use kernel::{Code, Scopes};
use reqwest::Method;
use serde_json::{Value, json};

use super::person::Person;
use super::rss::{feed, poll};
use super::{HttpAnswer, TestApp};

const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

/// URL-encodes pairs as a form body.
pub(crate) fn form(pairs: &[(&str, &str)]) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}

/// App that is signed in to the Google Reader API.
pub(crate) struct FeedApp<'a> {
    app: &'a TestApp,
    authorization: String,
}

impl<'a> FeedApp<'a> {
    /// Sends the sign-in request of an app with an API key, and returns the answer.
    pub(crate) async fn log_in(app: &TestApp, email: &str, key: &str) -> HttpAnswer {
        Self::log_in_below(app, "", email, key).await
    }

    /// Calls [`log_in`](Self::log_in) below a path prefix.
    pub(crate) async fn log_in_below(app: &TestApp, prefix: &str, email: &str, key: &str) -> HttpAnswer {
        let body = form(&[("Email", email), ("Passwd", key)]);
        app.send(Method::POST, &format!("{prefix}/accounts/ClientLogin"), &[FORM], Some(body)).await
    }

    /// Signs in with the person's API key.
    pub(crate) async fn sign_in(app: &'a TestApp, who: &Person) -> Self {
        Self::with_key(app, who, &who.key).await
    }

    /// Signs in with this API key.
    pub(crate) async fn with_key(app: &'a TestApp, who: &Person, key: &str) -> Self {
        let answer = Self::log_in(app, &who.email, key).await.expect(200).text();
        let token =
            answer.lines().find_map(|line| line.strip_prefix("Auth=")).expect("the response has a token");
        super::secret_scan::record_secret(token);
        Self { app, authorization: format!("GoogleLogin auth={token}") }
    }

    /// Sends a `GET` below `/reader/api/0/`.
    pub(crate) async fn request(&self, path: &str) -> HttpAnswer {
        let path = format!("/reader/api/0/{path}");
        self.app.get_with(&path, &[("authorization", &self.authorization)]).await
    }

    /// Requests a stream as an Atom document.
    pub(crate) async fn atom(&self, stream_and_query: &str) -> HttpAnswer {
        let path = format!("/reader/atom/{stream_and_query}");
        self.app.get_with(&path, &[("authorization", &self.authorization)]).await
    }

    /// Sends a `GET` below `/reader/api/0/` and returns the JSON.
    pub(crate) async fn get(&self, path: &str) -> Value {
        self.request(path).await.expect(200).json()
    }

    /// Sends a `GET` for any path with the app's authorization.
    pub(crate) async fn request_path(&self, path: &str) -> HttpAnswer {
        self.app.get_with(path, &[("authorization", &self.authorization)]).await
    }

    /// Posts an OPML list to `subscription/import`.
    pub(crate) async fn import(&self, list: &str) -> HttpAnswer {
        let headers = [("authorization", self.authorization.as_str()), ("content-type", "text/xml")];
        let path = "/reader/api/0/subscription/import";
        self.app.send(Method::POST, path, &headers, Some(list.to_owned())).await
    }

    /// Posts a form below `/reader/api/0/`.
    pub(crate) async fn post(&self, path: &str, pairs: &[(&str, &str)]) -> HttpAnswer {
        let path = format!("/reader/api/0/{path}");
        let headers = [("authorization", self.authorization.as_str()), FORM];
        self.app.send(Method::POST, &path, &headers, Some(form(pairs))).await
    }

    /// Posts a form and asserts that it is accepted.
    pub(crate) async fn change(&self, path: &str, pairs: &[(&str, &str)]) {
        assert_eq!(self.post(path, pairs).await.expect(200).text(), "OK");
    }

    /// Returns the entry ids of a stream.
    pub(crate) async fn ids(&self, query: &str) -> Vec<i64> {
        let list = self.get(&format!("stream/items/ids?output=json&{query}")).await;
        let refs = list["itemRefs"].as_array().expect("the response has a list").iter();
        refs.map(|one| one["id"].as_str().expect("the id is a string").parse().expect("the id is a number"))
            .collect()
    }

    /// Counts the unread entries.
    pub(crate) async fn unread(&self) -> usize {
        self.ids("s=user/-/state/com.google/reading-list&xt=user/-/state/com.google/read&n=1000").await.len()
    }
}

/// Follows a feed of the site and polls it. Returns the feed id.
pub(crate) async fn follow_feed(
    app: &TestApp,
    who: &Person,
    path: &str,
    numbers: std::ops::RangeInclusive<u32>,
) -> i64 {
    let url = app.site.put(path, feed(numbers));
    let made = who.post(app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201).json();
    poll(app).await;
    made["subscription"]["feedId"].as_i64().expect("the feed id is a number")
}

/// Creates an API key for apps. Returns its id and the digest that Fever apps send.
pub(crate) async fn app_key(app: &TestApp, who: &Person, scopes: Scopes) -> (kernel::KeyId, String) {
    let (id, text) = app_key_text(app, who, scopes).await;
    (id, keys::feed_apps::digest(&who.email, &text))
}

/// Creates an API key for apps. Returns its id and its text.
pub(crate) async fn app_key_text(app: &TestApp, who: &Person, scopes: Scopes) -> (kernel::KeyId, String) {
    let new = NewKey { name: "app".into(), scopes, expires_in_days: None, app_access: AppAccess::Digest };
    let (key, secret) = match keys::create(&app.app.domain, who.id, new).await {
        Ok(made) => made,
        Err(error) => panic!("{:?} {:?}", error.code == Code::LimitReached, error),
    };
    super::secret_scan::record_secret(secret.expose());
    (key.id, secret.expose().to_owned())
}

/// Sends a Fever request.
pub(crate) async fn fever(app: &TestApp, digest: &str, query: &str, pairs: &[(&str, &str)]) -> Value {
    let pairs: Vec<(&str, &str)> = [("api_key", digest)].into_iter().chain(pairs.iter().copied()).collect();
    let path = format!("/fever/?api&{query}");
    app.send(Method::POST, &path, &[FORM], Some(form(&pairs))).await.expect(200).json()
}
