//! TLS and HTTP/2 with a certificate authority created by the test.

use std::io::Write;
use std::sync::Arc;

use bytes::Bytes;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::names::NameTable;
use crate::resolve::Lookup;
use crate::{Error, Fetched, Fetcher, FetcherSettings, Request, RobotsRule};

pub(super) const NAME: &str = "secure.example.com";

/// Certificate authority created by the test.
pub(super) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pub(super) file: tempfile::NamedTempFile,
}

impl Authority {
    pub(super) fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let root = params.self_signed(&key).unwrap();
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(root.pem().as_bytes()).unwrap();
        Self { issuer: Issuer::new(params, key), file }
    }

    /// TLS acceptor of a server with this name.
    pub(super) fn acceptor(&self, name: &str, protocol: &str, last_year: i32) -> TlsAcceptor {
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        params.not_after = rcgen::date_time_ymd(last_year, 1, 1);
        let key = KeyPair::generate().unwrap();
        let leaf: CertificateDer<'static> = params.signed_by(&key, &self.issuer).unwrap().der().clone();
        let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![leaf], key)
            .unwrap();
        config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
        TlsAcceptor::from(Arc::new(config))
    }
}

/// Serves connections over TLS. Returns the port.
pub(super) async fn serve<F>(
    acceptor: TlsAcceptor,
    handle: impl Fn(TlsStream<TcpStream>) -> F + Send + 'static,
) -> u16
where
    F: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            if let Ok(stream) = acceptor.accept(stream).await {
                tokio::spawn(handle(stream));
            }
        }
    });
    port
}

async fn hello(mut stream: TlsStream<TcpStream>) {
    let _ = stream.read(&mut [0; 4096]).await;
    let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret").await;
    let _ = stream.shutdown().await;
}

async fn read(port: u16, authority: Option<&Authority>) -> Result<Fetched, Error> {
    let settings = FetcherSettings {
        allow: vec![format!("127.0.0.1:{port}").parse().unwrap()],
        robots: RobotsRule::Ignore,
        extra_root_file: authority.map(|authority| authority.file.path().to_owned()),
        page_cap_bytes: 1024 * 1024,
        ..FetcherSettings::default()
    };
    let lookup: Arc<dyn Lookup> = NameTable::new(&[(NAME, &[&["127.0.0.1"]])]);
    let fetcher = Fetcher::with_lookup(settings, &lookup).unwrap();
    fetcher.fetch(&Request::page(format!("https://{NAME}:{port}/"))).await
}

#[tokio::test]
async fn certificate_is_trusted_only_with_its_root() {
    let authority = Authority::new();
    let port = serve(authority.acceptor(NAME, "http/1.1", 2100), hello).await;
    assert_eq!(read(port, Some(&authority)).await.unwrap().body, "secret");
    let error = read(port, None).await.unwrap_err();
    assert_eq!((error.label(), error.source_answered()), ("source_tls_error", false), "{error:?}");
}

#[tokio::test]
async fn expired_and_misnamed_certificates_are_refused() {
    let authority = Authority::new();
    for (name, last_year) in [("other.example.com", 2100), (NAME, 2020)] {
        let port = serve(authority.acceptor(name, "http/1.1", last_year), hello).await;
        let error = read(port, Some(&authority)).await.unwrap_err();
        assert_eq!(error.label(), "source_tls_error", "{name} {last_year}: {error:?}");
    }
}

#[tokio::test]
async fn plain_http_on_a_secure_port_is_a_tls_error() {
    let site = super::site::Site::start(|_| super::site::html("x")).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
            let _ = stream.read(&mut [0; 4096]).await;
        }
    });
    let error = read(port, None).await.unwrap_err();
    assert_eq!(error.label(), "source_tls_error", "{error:?}");
    assert!(error.to_string().ends_with("the server did not answer with TLS"), "{error}");
    assert_eq!(site.hits(), 0);
}

#[test]
fn root_file_without_certificates_is_a_setup_error() {
    let empty = tempfile::NamedTempFile::new().unwrap();
    for path in [empty.path().to_owned(), "/nowhere/roots.pem".into()] {
        let settings = FetcherSettings { extra_root_file: Some(path.clone()), ..FetcherSettings::default() };
        let error = Fetcher::new(settings).err().unwrap().to_string();
        assert!(error.contains(path.to_str().unwrap()), "{error}");
    }
}

/// Serves one HTTP/2 connection; each response has this many header bytes and body chunks.
async fn serve_http2(stream: TlsStream<TcpStream>, header_bytes: usize, chunks: usize) {
    let Ok(mut connection) = h2::server::handshake(stream).await else { return };
    while let Some(Ok((_, mut respond))) = connection.accept().await {
        let head = http::Response::builder().header("x-filler", "x".repeat(header_bytes)).body(()).unwrap();
        let Ok(mut body) = respond.send_response(head, chunks == 0) else { return };
        tokio::spawn(async move {
            for _ in 0..chunks {
                body.reserve_capacity(16_384);
                let ready = std::future::poll_fn(|context| body.poll_capacity(context)).await;
                let Some(Ok(capacity)) = ready else { return };
                if body.send_data(Bytes::from(vec![b'x'; capacity]), false).is_err() {
                    return;
                }
            }
            let _ = body.send_data(Bytes::new(), true);
        });
    }
}

#[tokio::test]
async fn http2_is_supported_and_bounded_like_http1() {
    let authority = Authority::new();
    let page = serve(authority.acceptor(NAME, "h2", 2100), |stream| serve_http2(stream, 10, 1)).await;
    assert!(!read(page, Some(&authority)).await.unwrap().body.is_empty());
    let wordy = serve(authority.acceptor(NAME, "h2", 2100), |stream| serve_http2(stream, 40_000, 1)).await;
    assert!(read(wordy, Some(&authority)).await.is_ok());
    let endless =
        serve(authority.acceptor(NAME, "h2", 2100), |stream| serve_http2(stream, 10, 100_000)).await;
    let error = read(endless, Some(&authority)).await.unwrap_err();
    assert_eq!(error.label(), "content_too_large", "{error:?}");
    let flood = serve(authority.acceptor(NAME, "h2", 2100), |stream| serve_http2(stream, 100_000, 0)).await;
    let error = read(flood, Some(&authority)).await.unwrap_err();
    assert_eq!(error.label(), "source_invalid_response", "{error:?}");
}
