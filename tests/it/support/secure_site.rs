//! HTTPS site on loopback with its own certificate authority, for documents that OAuth clients publish.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// Answer at one path: status line without the version, header lines, and body.
#[derive(Clone, Debug)]
struct CannedAnswer {
    head: String,
    body: String,
}

#[derive(Default)]
struct State {
    pages: HashMap<String, CannedAnswer>,
    requested_paths: Vec<String>,
}

pub(crate) struct SecureSite {
    /// Port on 127.0.0.1.
    pub(crate) port: u16,
    root: tempfile::NamedTempFile,
    state: Arc<Mutex<State>>,
}

impl SecureSite {
    /// Starts a site without pages.
    pub(crate) async fn start() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let authority = params.self_signed(&key).unwrap();
        let mut root = tempfile::NamedTempFile::new().unwrap();
        root.write_all(authority.pem().as_bytes()).unwrap();
        let acceptor = acceptor(&Issuer::new(params, key));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(Mutex::new(State::default()));
        let shared = Arc::clone(&state);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(acceptor.clone(), stream, Arc::clone(&shared)));
            }
        });
        Self { port, root, state }
    }

    /// Returns the path of the file with the root certificate.
    pub(crate) fn root(&self) -> &Path {
        self.root.path()
    }

    /// Returns the value of `CARREL_FETCH_ALLOW` that allows this site.
    pub(crate) fn fetch_allow(&self) -> String {
        format!("127.0.0.1/32:{}", self.port)
    }

    /// Returns the URL of a path.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("https://127.0.0.1:{}{path}", self.port)
    }

    /// Publishes JSON at a path. Returns its URL.
    pub(crate) fn put(&self, path: &str, body: &serde_json::Value) -> String {
        self.put_with(path, "200 OK\r\ncontent-type: application/json", &body.to_string())
    }

    /// Publishes a body with a status line and header lines. Returns its URL.
    pub(crate) fn put_with(&self, path: &str, head: &str, body: &str) -> String {
        let page = CannedAnswer { head: head.to_owned(), body: body.to_owned() };
        self.state.lock().unwrap().pages.insert(path.to_owned(), page);
        self.url(path)
    }

    /// Returns the number of requests for a path.
    pub(crate) fn hits(&self, path: &str) -> usize {
        self.state
            .lock()
            .unwrap()
            .requested_paths
            .iter()
            .filter(|requested_paths| *requested_paths == path)
            .count()
    }
}

fn acceptor(issuer: &Issuer<'_, KeyPair>) -> TlsAcceptor {
    let params = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap();
    let key = KeyPair::generate().unwrap();
    let leaf: CertificateDer<'static> = params.signed_by(&key, issuer).unwrap().der().clone();
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![leaf], key)
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

async fn serve(acceptor: TlsAcceptor, stream: TcpStream, state: Arc<Mutex<State>>) {
    let Ok(mut stream) = acceptor.accept(stream).await else { return };
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        if !matches!(stream.read(&mut byte).await, Ok(1)) {
            return;
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    if stream.read_exact(&mut vec![0; length.unwrap_or(0)]).await.is_err() {
        return;
    }
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let page = {
        let mut state = state.lock().unwrap();
        state.requested_paths.push(path.clone());
        state.pages.get(&path).cloned()
    };
    let page = page.unwrap_or(CannedAnswer { head: "404 Not Found".to_owned(), body: String::new() });
    let answer = format!(
        "HTTP/1.1 {}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{}",
        page.head,
        page.body.len(),
        page.body
    );
    let _ = stream.write_all(answer.as_bytes()).await;
    let _ = stream.shutdown().await;
}
