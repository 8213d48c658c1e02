//! Conditional requests: whether the caller has the present representation already.

/// Weak comparison of a list of validators (RFC 9110, 13.1.2).
pub fn matches(sent: &str, etag: &str) -> bool {
    sent.trim() == "*" || sent.split(',').any(|one| one.trim().trim_start_matches("W/") == etag)
}
