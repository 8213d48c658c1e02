//! TLS of connections that a mail server upgrades with STARTTLS (RFC 3207).

use std::fmt::Display;
use std::io;
use std::path::Path;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;

/// Loads a certificate chain and its key, both in PEM format. A renewed certificate is used after a restart.
///
/// # Errors
/// Returns an error if a file cannot be read or parsed, or if the key does not belong to the certificate.
pub fn load_tls(certificate: &Path, key: &Path) -> io::Result<TlsAcceptor> {
    let in_file = |path: &Path, error: &dyn Display| io::Error::other(format!("{}: {error}", path.display()));
    let chain = CertificateDer::pem_file_iter(certificate).map_err(|error| in_file(certificate, &error))?;
    let chain: Result<Vec<CertificateDer<'static>>, _> = chain.collect();
    let chain = chain.map_err(|error| in_file(certificate, &error))?;
    if chain.is_empty() {
        return Err(in_file(certificate, &"it contains no certificate"));
    }
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| in_file(key, &error))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_no_client_auth()
        .with_single_cert(chain, secret)
        .map_err(|error| in_file(key, &error))?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}
