//! Content security policy of a copy.

/// No scripts, no network, and only pictures, fonts, and styles that are part of the file.
pub const POLICY: &str = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:";
