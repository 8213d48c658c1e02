//! Content security policy of a copy.

/// Forbids scripts, forms, and access to the network, and allows only pictures, fonts, and styles that are
/// part of the file.
pub const POLICY: &str = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; \
                          form-action 'none'; base-uri 'none'";
