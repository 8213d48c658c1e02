//! Client of an import server. It sends requests with the credential, but only to the origin of the server.

use std::fs::File;
use std::io::Write;
use std::time::Duration;

use extract::imports::ImportService;
use extract::sandbox::Pool;
use fetch::{
    Accept, Authorization, BodyMethod, Bytes, Fetched, Fetcher, OutgoingBody, Pace, Request, RequestHeader,
    RobotsRule,
};
use kernel::{Code, Error, Result};
use url::{Url, form_urlencoded};

use super::blocking::blocking;
use super::import_rows::read_token;
use super::server_credential::ServerCredential;
use super::server_fault::ServerFault;
use super::server_requests::login_url;
use super::shared_file::FileError;

/// Timeout of a request.
const TIMEOUT: Duration = Duration::from_mins(1);
/// Media type of a form.
const FORM: &str = "application/x-www-form-urlencoded";

/// Client of an import server.
pub(super) struct ServerClient<'a> {
    fetcher: &'a Fetcher,
    authorization: Option<Authorization>,
    header: Option<RequestHeader>,
    /// Query parameter that is added to all URLs.
    parameter: Option<(&'static str, String)>,
}

/// Import server, and the tools for requests to it.
#[derive(Clone, Copy)]
pub(super) struct ServerAccess<'a> {
    pub(super) fetcher: &'a Fetcher,
    pub(super) sandbox: &'a Pool,
    pub(super) service: ImportService,
    pub(super) address: &'a str,
}

impl<'a> ServerClient<'a> {
    /// Creates a client that uses the credential, or the token that the server returns for the credential.
    /// Returns a fault of the server as a value.
    ///
    /// # Errors
    /// Returns an error if this service fails, for example because no child process can be started.
    pub(super) async fn open(
        access: ServerAccess<'a>,
        credential: &ServerCredential,
    ) -> Result<Result<Self, ServerFault>> {
        let mut client = Self { fetcher: access.fetcher, authorization: None, header: None, parameter: None };
        let token = match login_url(access.service, access.address)? {
            Some(url) => match client.log_in(access, url, credential).await? {
                Ok(token) => token,
                Err(fault) => return Ok(Err(fault)),
            },
            None => credential.token.clone().unwrap_or_default(),
        };
        let authorization = match access.service {
            ImportService::Karakeep
            | ImportService::Wallabag
            | ImportService::Readeck
            | ImportService::Raindrop => format!("Bearer {token}"),
            ImportService::Linkding | ImportService::Readwise | ImportService::ReadwiseReader => {
                format!("Token {token}")
            }
            ImportService::FreshRss => format!("GoogleLogin auth={token}"),
            ImportService::Miniflux => {
                client.header = Some(RequestHeader { name: "x-auth-token".to_owned(), value: token });
                return Ok(Ok(client));
            }
            ImportService::Pinboard => {
                client.parameter = Some(("auth_token", token));
                return Ok(Ok(client));
            }
        };
        client.authorization = Some(Authorization(authorization));
        Ok(Ok(client))
    }

    /// Sends a GET request.
    pub(super) async fn get(&self, url: Url) -> Result<Fetched, fetch::Error> {
        self.send(url, None).await
    }

    /// Logs in with the credential. Returns the token from the response.
    async fn log_in(
        &self,
        access: ServerAccess<'_>,
        url: Url,
        credential: &ServerCredential,
    ) -> Result<Result<String, ServerFault>> {
        let (content_type, text) = (FORM.to_owned(), login_form(access.service, credential));
        let form = OutgoingBody { method: BodyMethod::Post, content_type, text };
        let response = match self.send(url, Some(form)).await {
            Ok(response) => response,
            Err(error) => return Ok(Err(ServerFault::of_login(&error))),
        };
        let file = temporary_file(vec![response.body.clone()]).await?;
        drop(response);
        match read_token(access.sandbox, &file, access.service).await? {
            Ok(token) => Ok(Ok(token)),
            // A response without a token means that the login is invalid.
            Err(FileError::Malformed) => Ok(Err(ServerFault::login_refused())),
            Err(error) => ServerFault::of_page(error).map(Err).ok_or_else(|| file_unread(error)),
        }
    }

    async fn send(&self, mut url: Url, body: Option<OutgoingBody>) -> Result<Fetched, fetch::Error> {
        if let Some((name, value)) = &self.parameter {
            url.query_pairs_mut().append_pair(name, value);
        }
        let accept = RequestHeader { name: "accept".to_owned(), value: "application/json, */*".to_owned() };
        let request = Request {
            accept: Accept::Any,
            authorization: self.authorization.clone(),
            headers: std::iter::once(accept).chain(self.header.clone()).collect(),
            body,
            is_origin_bound: true,
            deadline: TIMEOUT,
            // The import was requested by the owner of the account at the server, so robots.txt does not
            // apply.
            robots: RobotsRule::Ignore,
            pace: Pace::Background,
            ..Request::page(url)
        };
        self.fetcher.fetch(&request).await
    }
}

/// Returns the error for a response that could not be read because this service failed.
pub(super) fn file_unread(error: FileError) -> Error {
    let message = match error {
        FileError::Killed => "The process that reads the response was killed.",
        _ => "The response could not be stored.",
    };
    Error::new(Code::ServiceUnavailable, message)
}

/// Creates an unnamed temporary file with these parts. Each part is followed by a line break.
pub(super) async fn temporary_file(parts: Vec<Bytes>) -> Result<File> {
    blocking(move || {
        let mut file = tempfile::tempfile()?;
        for part in parts {
            file.write_all(&part)?;
            file.write_all(b"\n")?;
        }
        Ok(file)
    })
    .await
}

fn login_form(service: ImportService, credential: &ServerCredential) -> String {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let (username, password) = (text(&credential.username), text(&credential.password));
    let mut form = form_urlencoded::Serializer::new(String::new());
    if service == ImportService::FreshRss {
        form.append_pair("Email", &username).append_pair("Passwd", &password);
    } else {
        form.append_pair("grant_type", "password")
            .append_pair("client_id", &text(&credential.client_id))
            .append_pair("client_secret", &text(&credential.client_secret))
            .append_pair("username", &username)
            .append_pair("password", &password);
    }
    form.finish()
}
