//! Minimal browser for pages of accounts.

use reqwest::Method;

use super::form::{Field, with_form};
use super::person::{PASSWORD, Person};
use super::{HttpAnswer, TestApp};

/// User agent of Firefox on Linux.
const USER_AGENT: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0";

/// Browser with cookies and with the hidden form fields of its current page.
pub(crate) struct Browser<'a> {
    app: &'a TestApp,
    /// Origin against which paths are resolved.
    pub(crate) origin: String,
    /// Names and values of the cookies.
    pub(crate) cookies: Vec<(String, String)>,
    /// HTML of the current page.
    pub(crate) page: String,
    /// Headers that a proxy in front of the app adds to requests for pages and forms.
    pub(crate) proxy_headers: Vec<(&'static str, String)>,
}

impl<'a> Browser<'a> {
    pub(crate) fn new(app: &'a TestApp) -> Self {
        Self::at(app, &app.origin)
    }

    /// Creates a browser for another origin. It uses the HTTP client of `app`.
    pub(crate) fn at(app: &'a TestApp, origin: &str) -> Self {
        Self {
            app,
            origin: origin.to_owned(),
            cookies: Vec::new(),
            page: String::new(),
            proxy_headers: Vec::new(),
        }
    }

    /// Creates a browser that is signed in to an account.
    pub(crate) async fn signed_in(app: &'a TestApp, person: &Person) -> Self {
        let mut browser = Self::new(app);
        browser.sign_in(&person.email).await;
        browser
    }

    /// Creates a browser that is signed in to an account, and chooses the language of the account.
    pub(crate) async fn in_language(app: &'a TestApp, person: &Person, language: &str) -> Self {
        let mut browser = Self::signed_in(app, person).await;
        browser.choose_language(language).await;
        browser
    }

    /// Opens a page without following redirects.
    pub(crate) async fn open(&mut self, path: &str) -> HttpAnswer {
        let cookies = self.cookie_header();
        let headers = self.with_proxy_headers(&[("cookie", &cookies)]);
        let answer = self.app.get_with(&format!("{}{path}", self.origin), &headers).await;
        self.store_answer(&answer);
        answer
    }

    /// Loads a resource without leaving the current page.
    pub(crate) async fn load(&self, path: &str) -> HttpAnswer {
        let cookies = self.cookie_header();
        self.app.get_with(&format!("{}{path}", self.origin), &[("cookie", &cookies)]).await
    }

    /// Submits a form of the current page.
    pub(crate) async fn submit(&mut self, path: &str, fields: &[(&str, &str)]) -> HttpAnswer {
        let origin = self.origin.clone();
        self.submit_from(&origin, path, fields).await
    }

    /// Submits a form like a page of another origin does.
    pub(crate) async fn submit_from(
        &mut self,
        origin: &str,
        path: &str,
        fields: &[(&str, &str)],
    ) -> HttpAnswer {
        let token = self.token();
        let body = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs(fields)
            .append_pair("token", &token)
            .finish();
        let cookies = self.cookie_header();
        let headers = [
            ("cookie", cookies.as_str()),
            ("origin", origin),
            ("content-type", "application/x-www-form-urlencoded"),
            ("user-agent", USER_AGENT),
        ];
        let headers = self.with_proxy_headers(&headers);
        let answer =
            self.app.send(Method::POST, &format!("{}{path}", self.origin), &headers, Some(body)).await;
        self.store_answer(&answer);
        answer
    }

    /// Submits the upload form of the current page.
    pub(crate) async fn upload(&mut self, path: &str, name: &str, file: &[u8]) -> HttpAnswer {
        self.upload_with(path, name, file, &[]).await
    }

    /// Calls [`upload`](Self::upload) with additional fields before the file.
    pub(crate) async fn upload_with(
        &mut self,
        path: &str,
        name: &str,
        file: &[u8],
        pairs: &[(&str, &str)],
    ) -> HttpAnswer {
        let mut fields: Vec<_> =
            pairs.iter().map(|&(name, value)| Field { name, file: None, body: value.as_bytes() }).collect();
        fields.push(Field { name: "file", file: Some((name, "application/octet-stream")), body: file });
        self.send_form(path, fields).await
    }

    /// Submits several files in the upload form of the current page. Each has a name and a content.
    pub(crate) async fn upload_files(&mut self, path: &str, files: &[(&str, &[u8])]) -> HttpAnswer {
        let of_file =
            |&(name, body)| Field { name: "file", file: Some((name, "application/octet-stream")), body };
        self.send_form(path, files.iter().map(of_file).collect()).await
    }

    /// Submits a multipart form with the token of the current page.
    async fn send_form(&mut self, path: &str, rest: Vec<Field<'_>>) -> HttpAnswer {
        let (token, cookies) = (self.token(), self.cookie_header());
        let mut fields = vec![Field { name: "token", file: None, body: token.as_bytes() }];
        fields.extend(rest);
        let request = self.app.request(Method::POST, &format!("{}{path}", self.origin));
        let request = request.header("cookie", cookies).header("origin", &self.origin);
        let answer =
            HttpAnswer::of(with_form(request, &fields).send().await.expect("the app responds")).await;
        self.store_answer(&answer);
        answer
    }

    /// Follows the redirect of an answer. Returns the page.
    pub(crate) async fn follow(&mut self, answer: &HttpAnswer) -> String {
        let target = answer.header("location").split('#').next().unwrap_or_default().to_owned();
        self.open(&target).await.expect(200).text()
    }

    /// Signs in with the password that all test accounts have.
    pub(crate) async fn sign_in(&mut self, email: &str) {
        self.open("/sign-in").await.expect(200);
        self.submit("/sign-in", &[("email", email), ("password", PASSWORD)]).await.expect(303);
    }

    /// Chooses the language of the account on its settings page.
    pub(crate) async fn choose_language(&mut self, language: &str) {
        self.open("/settings").await.expect(200);
        self.submit("/settings/language", &[("language", language)]).await.expect(303);
    }

    fn store_answer(&mut self, answer: &HttpAnswer) {
        for line in answer.header_lines("set-cookie") {
            let (name, value) = line.split(';').next().unwrap().split_once('=').unwrap();
            self.cookies.retain(|(known, _)| known != name);
            if !value.is_empty() {
                self.cookies.push((name.to_owned(), value.to_owned()));
            }
        }
        self.page = answer.text();
    }

    fn with_proxy_headers<'h>(&'h self, own: &[(&'h str, &'h str)]) -> Vec<(&'h str, &'h str)> {
        let added = self.proxy_headers.iter().map(|(name, value)| (*name, value.as_str()));
        own.iter().copied().chain(added).collect()
    }

    /// Returns the value of the `Cookie` header.
    pub(crate) fn cookie_header(&self) -> String {
        self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
    }

    /// Returns the form token of the current page.
    pub(crate) fn token(&self) -> String {
        between(&self.page, "name=\"token\" value=\"", "\"").to_owned()
    }

    /// Returns the session cookie. `None` if there is no session.
    pub(crate) fn session(&self) -> Option<&str> {
        self.cookies.iter().find(|(name, _)| name == "carrel_session").map(|(_, value)| value.as_str())
    }
}

/// Returns the text between two markers. Empty if a marker is missing.
pub(crate) fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    text.split_once(start).and_then(|(_, rest)| rest.split_once(end)).map_or("", |(inner, _)| inner)
}
