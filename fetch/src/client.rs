//! The HTTP client behind the guard. Follows no redirects and stores no cookies: the `fetcher` does both for
//! the duration of one fetch.
//!
//! The guard checks twice, because the client asks its resolver only about names: literal addresses are
//! checked in the URL before sending, and the addresses of a name are checked in `resolve`. Each port that a
//! setting names has its own client, because a lookup does not include the port.

use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use reqwest::dns::Resolve;
use reqwest::header::{ACCEPT_ENCODING, HeaderMap};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, Proxy, RequestBuilder, Response, StatusCode};
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use url::{Host, Url};

use crate::address;
use crate::client_error::{self, ExchangePhase};
use crate::decode;
use crate::error::{Error, SetupError};
use crate::proxy::NamedProxy;
use crate::resolve::{Guard, Lookup};
use crate::settings::FetcherSettings;
use crate::tls;
use crate::url_check;

/// Maximum number of header lines.
const MAX_HEADERS: usize = 128;
/// Maximum size of the header list over HTTP/2, in bytes.
const MAX_HEADER_LIST_BYTES: u32 = 64 * 1024;
/// Lifetime of an idle connection. Sufficient to use one connection for robots.txt and the page, or for a
/// batch from one host.
const IDLE_TIMEOUT: Duration = Duration::from_secs(2);

/// Opens all connections to third-party servers.
pub(crate) struct GuardedClient {
    settings: Arc<FetcherSettings>,
    lookup: Arc<dyn Lookup>,
    /// TLS for protocols other than HTTP.
    connector: TlsConnector,
    by_port: HashMap<u16, Client>,
    others: Client,
    by_proxy: HashMap<String, Client>,
}

impl GuardedClient {
    /// Builds the clients without contacting any server.
    pub(crate) fn new(settings: &Arc<FetcherSettings>, lookup: &Arc<dyn Lookup>) -> Result<Self, SetupError> {
        let tls = tls::client_config(settings.extra_root_file.as_deref())?;
        let build = |port: Option<u16>| {
            let guard = Guard { lookup: Arc::clone(lookup), settings: Arc::clone(settings), port };
            client(settings, Arc::new(guard), (None, tls.clone()))
        };
        let guard = Guard { lookup: Arc::clone(lookup), settings: Arc::clone(settings), port: None };
        let build_proxied = |named: &NamedProxy| -> Result<(String, Client), SetupError> {
            let resolver = Arc::new(named.resolver(guard.clone()));
            let proxied = client(settings, resolver, (Some(named.reqwest_proxy()?), tls.clone()))?;
            Ok((named.name.clone(), proxied))
        };
        let by_proxy: Result<HashMap<String, Client>, SetupError> =
            settings.proxies.all().iter().map(build_proxied).collect();
        let by_port: Result<HashMap<u16, Client>, SetupError> =
            configured_ports(settings).into_iter().map(|port| Ok((port, build(Some(port))?))).collect();
        let others = build(None)?;
        let mut other_tls = tls;
        other_tls.alpn_protocols.clear();
        Ok(Self {
            settings: Arc::clone(settings),
            lookup: Arc::clone(lookup),
            connector: TlsConnector::from(Arc::new(other_tls)),
            by_port: by_port?,
            others,
            by_proxy: by_proxy?,
        })
    }

    /// Sends a GET under the guard. The body of the response is not read yet.
    pub(crate) async fn send(&self, url: &Url, headers: HeaderMap) -> Result<Response, Error> {
        self.exchange_directly(url, headers, None).await
    }

    /// Sends a POST under the guard.
    pub(crate) async fn post(&self, url: &Url, headers: HeaderMap, body: Vec<u8>) -> Result<Response, Error> {
        self.exchange_directly(url, headers, Some((Method::POST, body))).await
    }

    /// Sends a PUT under the guard.
    pub(crate) async fn put(&self, url: &Url, headers: HeaderMap, body: Vec<u8>) -> Result<Response, Error> {
        self.exchange_directly(url, headers, Some((Method::PUT, body))).await
    }

    /// Sends a GET, or `body` with its method, directly or through the proxy with this name.
    pub(crate) async fn exchange(
        &self,
        url: &Url,
        headers: HeaderMap,
        body: Option<(Method, Vec<u8>)>,
        proxy: Option<&str>,
    ) -> Result<Response, Error> {
        let Some(name) = proxy else { return self.exchange_directly(url, headers, body).await };
        let unknown = || Error::UnknownProxy { name: name.to_owned() };
        let client = self.by_proxy.get(name).ok_or_else(unknown)?;
        url_check::check_target(url, &self.settings).map_err(Error::from_redirect_url)?;
        if let Some(Host::Domain(host)) = url.host() {
            let guard = self.guard(url.port_or_known_default());
            guard.addresses(host).await.map_err(client_error::from_guard)?;
        }
        let sent = request(client, url, headers, body).send().await;
        let response = sent.map_err(|error| client_error::proxy_error(&error, name))?;
        if response.status() == StatusCode::PROXY_AUTHENTICATION_REQUIRED {
            let reason = "it requires another user name and password";
            return Err(Error::Proxy { name: name.to_owned(), reason });
        }
        Ok(response)
    }

    async fn exchange_directly(
        &self,
        url: &Url,
        headers: HeaderMap,
        body: Option<(Method, Vec<u8>)>,
    ) -> Result<Response, Error> {
        url_check::check_target(url, &self.settings).map_err(Error::from_redirect_url)?;
        let port = url.port_or_known_default();
        let client = port.and_then(|port| self.by_port.get(&port)).unwrap_or(&self.others);
        let response = request(client, url, headers, body)
            .send()
            .await
            .map_err(|error| client_error::client_error(&error, ExchangePhase::Head))?;
        // Discards the response if the client ever bypasses the resolver.
        let peer =
            response.remote_addr().map(|peer| address::refusal_reason(peer.ip(), port, &self.settings));
        match peer {
            Some(None) => Ok(response),
            Some(Some(reason)) => Err(Error::NotAllowed { reason }),
            None => Err(Error::NotAllowed { reason: "its address is unknown" }),
        }
    }
}

impl GuardedClient {
    /// Opens a TCP connection under the guard to the host and port of a URL.
    pub(crate) async fn connect(&self, url: &Url) -> Result<TcpStream, Error> {
        url_check::check_target(url, &self.settings).map_err(Error::from_redirect_url)?;
        let port = url.port_or_known_default().unwrap_or_default();
        let addresses = match url.host() {
            Some(Host::Ipv4(address)) => vec![IpAddr::V4(address)],
            Some(Host::Ipv6(address)) => vec![IpAddr::V6(address)],
            Some(Host::Domain(name)) => {
                self.guard(Some(port)).addresses(name).await.map_err(client_error::from_guard)?
            }
            None => Vec::new(),
        };
        let mut error = Error::Unreachable { reason: "no connection" };
        for address in addresses {
            match timeout(self.settings.connect_timeout, TcpStream::connect((address, port))).await {
                Ok(Ok(stream)) => return Ok(stream),
                Ok(Err(_)) => {}
                Err(_) => error = Error::Timeout { reason: "no connection in time", answered: false },
            }
        }
        Err(error)
    }

    /// Starts TLS on a connection to the host of a URL.
    pub(crate) async fn secure(&self, url: &Url, stream: TcpStream) -> Result<TlsStream<TcpStream>, Error> {
        let invalid = || Error::Tls { reason: "the host name is invalid".to_owned() };
        let name = match url.host() {
            Some(Host::Ipv4(address)) => ServerName::from(IpAddr::V4(address)),
            Some(Host::Ipv6(address)) => ServerName::from(IpAddr::V6(address)),
            Some(Host::Domain(name)) => {
                let name = name.strip_suffix('.').unwrap_or(name);
                ServerName::try_from(name.to_owned()).map_err(|_| invalid())?
            }
            None => return Err(invalid()),
        };
        let secured = self.connector.connect(name, stream).await;
        secured.map_err(|error| client_error::handshake_error(&error))
    }

    fn guard(&self, port: Option<u16>) -> Guard {
        Guard { lookup: Arc::clone(&self.lookup), settings: Arc::clone(&self.settings), port }
    }
}

/// Ports mentioned by an allow rule or an origin of this service.
fn configured_ports(settings: &FetcherSettings) -> BTreeSet<u16> {
    let allowed = settings.allow.iter().filter_map(|rule| rule.port);
    allowed.chain(settings.own_hosts.iter().filter_map(|own| address::split_host_port(own).1)).collect()
}

/// Builds a GET, or a request with `body` and its method.
fn request(
    client: &Client,
    url: &Url,
    headers: HeaderMap,
    body: Option<(Method, Vec<u8>)>,
) -> RequestBuilder {
    let request = match body {
        None => client.get(url.clone()),
        Some((method, body)) => client.request(method, url.clone()).body(body),
    };
    request.headers(headers).header(ACCEPT_ENCODING, decode::ACCEPT_ENCODING)
}

#[expect(clippy::disallowed_methods, reason = "this is the guarded client that the lint requires")]
fn client(
    settings: &FetcherSettings,
    resolver: Arc<dyn Resolve>,
    (proxy, tls): (Option<Proxy>, ClientConfig),
) -> Result<Client, SetupError> {
    let builder = Client::builder()
        .tls_backend_preconfigured(tls)
        .dns_resolver(resolver)
        // A proxy from the environment would resolve names and connect outside the guard.
        .no_proxy()
        .redirect(Policy::none())
        .referer(false)
        .user_agent(&settings.user_agent)
        // `decode` decompresses bodies within the limits of this crate.
        .no_gzip()
        .no_brotli()
        .no_zstd()
        .no_deflate()
        .connect_timeout(settings.connect_timeout)
        .http1_max_headers(MAX_HEADERS)
        .http2_max_header_list_size(MAX_HEADER_LIST_BYTES)
        .pool_idle_timeout(IDLE_TIMEOUT)
        .pool_max_idle_per_host(2);
    let builder = match proxy {
        Some(proxy) => builder.proxy(proxy),
        None => builder,
    };
    builder.build().map_err(|error| SetupError::Client(client_error::chain(&error)))
}
