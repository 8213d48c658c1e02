//! TLS for connections to third-party servers: rustls with ring, compiled-in roots, and additional roots
//! configured by the operator.
//!
//! The roots are compiled in because the service must start in an image without a certificate store.

use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

use crate::error::SetupError;

/// TLS client configuration that offers HTTP/2 and HTTP/1.1.
pub(crate) fn client_config(extra_roots: Option<&Path>) -> Result<ClientConfig, SetupError> {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    if let Some(path) = extra_roots {
        add_file(&mut roots, path)
            .map_err(|reason| SetupError::RootCertificates { path: path.to_owned(), reason })?;
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| SetupError::Tls(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

fn add_file(roots: &mut RootCertStore, path: &Path) -> Result<(), String> {
    let mut count = 0;
    for certificate in CertificateDer::pem_file_iter(path).map_err(|error| error.to_string())? {
        let certificate = certificate.map_err(|error| error.to_string())?;
        roots.add(certificate).map_err(|error| error.to_string())?;
        count += 1;
    }
    if count == 0 { Err("it contains no certificate".to_owned()) } else { Ok(()) }
}
