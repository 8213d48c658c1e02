//! Status and headers of a response, as the named values of one item.

use super::{
    observation::{Observation, ObservationWarning, ObserveError},
    snapshot::{ExtractedItem, FieldValue, Snapshot},
    target::{STATUS, WatchedField, header_of},
    value_store::ValueStore,
};

/// Headers whose values differ between responses without a change of the source, or that describe the
/// connection.
const NOISE: &[&str] = &[
    "age", "alt-svc", "cf-cache-status", "cf-ray", "connection", "date", "expires", "keep-alive", "nel",
    "report-to", "reporting-endpoints", "server-timing", "set-cookie", "traceparent", "transfer-encoding",
    "via", "x-amz-cf-id", "x-amz-cf-pop", "x-amz-id-2", "x-cache", "x-cache-hits", "x-correlation-id",
    "x-runtime", "x-served-by", "x-timer", "x-trace-id",
];

/// Creates the body to observe for a response. It contains the status and the watched headers, or if no
/// headers are watched, all headers except noise. The names of `headers` must be in lower case and unique.
pub fn response_head(status: u16, headers: &[(String, String)], watched: &[WatchedField]) -> Vec<u8> {
    let value =
        |name: &str, value: Option<&String>| FieldValue { name: name.to_owned(), value: value.cloned() };
    let mut values: Vec<FieldValue> = if watched.is_empty() {
        let listed = headers.iter().filter(|(name, text)| name != STATUS && !is_noise(name, text));
        let mut listed: Vec<FieldValue> = listed.map(|(name, text)| value(name, Some(text))).collect();
        listed.sort_by(|one, other| one.name.cmp(&other.name));
        listed
    } else {
        let named = |field: &WatchedField| {
            headers.iter().find(|(name, _)| name.eq_ignore_ascii_case(header_of(field)))
        };
        watched.iter().map(|field| value(&field.name, named(field).map(|(_, text)| text))).collect()
    };
    values.insert(0, value(STATUS, Some(&status.to_string())));
    serde_json::to_vec(&values).unwrap_or_default()
}

fn is_noise(name: &str, value: &str) -> bool {
    NOISE.contains(&name)
        || name.contains("ratelimit")
        || name.ends_with("request-id")
        || value.contains("'nonce-")
}

/// Reads a body that [`response_head`] created.
pub(super) fn read(bytes: &[u8]) -> Result<Observation, ObserveError> {
    let values: Vec<FieldValue> = serde_json::from_slice(bytes).map_err(|_| ObserveError::NotJson)?;
    let mut store = ValueStore::default();
    let values = values.into_iter().map(|field| {
        let value = field.value.and_then(|text| store.value(&text));
        FieldValue { name: field.name, value }
    });
    let fields: Vec<FieldValue> = values.collect();
    let mut warnings = Vec::new();
    if store.is_cut {
        warnings.push(ObservationWarning::TruncatedSource);
    }
    if fields.iter().any(|field| field.value.is_none()) {
        warnings.push(ObservationWarning::FieldMissing);
    }
    let item = ExtractedItem { key: String::new(), title: String::new(), link: None, fields };
    Ok(Observation { warnings, ..Observation::of(Snapshot::Items(vec![item])) })
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::watch::{Rules, compare, render};

    fn observed(status: u16, headers: &[(&str, &str)], watched: &[WatchedField]) -> Observation {
        let headers: Vec<(String, String)> =
            headers.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        read(&response_head(status, &headers, watched)).unwrap()
    }

    /// Names and values, separated by bars.
    fn values(observation: &Observation) -> String {
        let Snapshot::Items(items) = &observation.snapshot else { panic!("items") };
        let value = |field: &FieldValue| format!("{}={}", field.name, field.value.as_deref().unwrap_or("-"));
        items[0].fields.iter().map(value).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn all_headers_except_noise_are_read_sorted_by_name() {
        let headers = [
            ("server", "nginx"),
            ("date", "now"),
            ("etag", "\"a\""),
            ("set-cookie", "id=1"),
            ("age", "7"),
            ("x-github-request-id", "4"),
            ("content-security-policy", "script-src 'nonce-x'"),
            ("status", "200 OK"),
        ];
        let observation = observed(200, &headers, &[]);
        assert_eq!(
            (values(&observation).as_str(), observation.warnings.len()),
            ("status=200|etag=\"a\"|server=nginx", 0)
        );
    }

    #[test]
    fn named_headers_are_read_even_if_they_are_noise_or_missing() {
        let watched = [("size", "Content-Length"), ("Age", ""), ("etag", "")];
        let watched = watched.map(|(name, selector)| WatchedField::new(name, selector));
        let observation = observed(404, &[("content-length", "12"), ("age", "7"), ("server", "x")], &watched);
        assert_eq!(values(&observation), "status=404|size=12|Age=7|etag=-");
        assert_eq!(observation.warnings, [ObservationWarning::FieldMissing]);
        assert_eq!(super::read(b"no JSON"), Err(ObserveError::NotJson));
    }

    #[test]
    fn status_change_is_not_reported_as_a_rise() {
        let (old, new) = (observed(200, &[], &[]), observed(404, &[("etag", "b")], &[]));
        let until = Instant::now() + Duration::from_secs(20);
        let of_status = compare(&old.snapshot, &observed(404, &[], &[]).snapshot, &Rules::default(), until);
        assert_eq!(render::summary(&of_status), "Status changed from “200” to “404”");
        let comparison = compare(&old.snapshot, &new.snapshot, &Rules::default(), until);
        assert_eq!(render::title(&comparison), "status: 200 → 404, etag: – → b");
    }
}
