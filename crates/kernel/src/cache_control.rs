//! Freshness of an HTTP response according to its headers (RFC 9111).

use chrono::DateTime;

use crate::clock::{DAY, Millis, SECOND};

/// Time in milliseconds for which a response is fresh, at most a day: `Cache-Control: max-age`, or else
/// `Expires` minus `Date`. 0 if the headers contain neither, or forbid caching.
pub fn freshness_ms(cache_control: Option<&str>, expires: Option<&str>, date: Option<&str>) -> Millis {
    let directives = cache_control.unwrap_or_default().to_ascii_lowercase();
    let directive = |name: &str| {
        directives.split(',').map(str::trim).find_map(|part| part.strip_prefix(name)).map(str::to_owned)
    };
    if directive("no-cache").is_some() || directive("no-store").is_some() {
        return 0;
    }
    if let Some(age) = directive("max-age=") {
        let seconds: Millis = age.trim_matches('"').parse().unwrap_or(0);
        return seconds.saturating_mul(SECOND).clamp(0, DAY);
    }
    let time =
        |text: Option<&str>| DateTime::parse_from_rfc2822(text?).ok().map(|time| time.timestamp_millis());
    match (time(expires), time(date)) {
        (Some(expires), Some(date)) => (expires - date).clamp(0, DAY),
        _ => 0,
    }
}
