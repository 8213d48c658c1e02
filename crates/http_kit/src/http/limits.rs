//! Rate limit headers of responses (draft-ietf-httpapi-ratelimit-headers-10) and the older header families.

use identity::limits::window::RateState;
use poem::http::{HeaderMap, HeaderValue};
use serde_json::{Map, Value, json};

/// Writes the rate limit headers. The older headers describe the limit with the smallest remaining share; on
/// a tie, the first such limit.
pub fn write(states: &[RateState], headers: &mut HeaderMap) {
    let policy: Vec<String> =
        states.iter().map(|s| format!("\"{}\";q={};w={}", s.name, s.quota, s.window_s)).collect();
    let current: Vec<String> =
        states.iter().map(|s| format!("\"{}\";r={};t={}", s.name, s.remaining, s.reset_s)).collect();
    let mut put = |name: &'static str, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    };
    put("ratelimit-policy", &policy.join(", "));
    put("ratelimit", &current.join(", "));
    let Some(tightest) = tightest(states) else { return };
    let numbers = [tightest.quota, tightest.remaining, tightest.reset_s].map(|number| number.to_string());
    for (names, number) in [
        ["ratelimit-limit", "x-ratelimit-limit"],
        ["ratelimit-remaining", "x-ratelimit-remaining"],
        ["ratelimit-reset", "x-ratelimit-reset"],
    ]
    .into_iter()
    .zip(&numbers)
    {
        for name in names {
            put(name, number);
        }
    }
}

/// Returns the header components for an API description, with examples from `states`.
pub fn describe(states: &[RateState]) -> Map<String, Value> {
    let mut example = HeaderMap::new();
    write(states, &mut example);
    let field = |(name, about): &(&str, &str)| {
        let value = example.get(*name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let field = json!({"description": about, "schema": {"type": "string"}, "example": value});
        ((*name).to_owned(), field)
    };
    FIELDS.iter().map(field).collect()
}

/// Returns references to the header components of an API description.
pub fn references() -> impl Iterator<Item = (String, Value)> {
    FIELDS.iter().map(|(name, _)| reference(name, name))
}

/// Returns a reference from the header `name` to the header component `component`.
pub fn reference(name: &str, component: &str) -> (String, Value) {
    (name.to_owned(), json!({"$ref": format!("#/components/headers/{component}")}))
}

/// Names and descriptions of the headers.
pub const FIELDS: [(&str, &str); 8] = [
    ("RateLimit-Policy", "Applicable limits: quota `q` per window of `w` seconds."),
    (
        "RateLimit",
        "Current state of the limits: `r` requests remain, and more become available in `t` seconds.",
    ),
    ("RateLimit-Limit", "Quota of the limit with the smallest remaining share."),
    ("RateLimit-Remaining", "Remaining requests of the limit with the smallest remaining share."),
    ("RateLimit-Reset", "Seconds until more requests become available."),
    ("X-RateLimit-Limit", "Same as `RateLimit-Limit`."),
    ("X-RateLimit-Remaining", "Same as `RateLimit-Remaining`."),
    ("X-RateLimit-Reset", "Same as `RateLimit-Reset`."),
];

fn tightest(states: &[RateState]) -> Option<&RateState> {
    states.iter().reduce(|best, state| {
        let left =
            |state: &RateState, other: &RateState| u64::from(state.remaining) * u64::from(other.quota.max(1));
        if left(state, best) < left(best, state) { state } else { best }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(name: &'static str, quota: u32, window_s: u32, remaining: u32, reset_s: u32) -> RateState {
        RateState { name, quota, window_s, used: quota - remaining, remaining, reset_s, violated: false }
    }

    #[test]
    fn rate_limit_headers_have_the_documented_format() {
        let mut headers = HeaderMap::new();
        write(&[state("minute", 60, 60, 59, 60), state("day", 2000, 86_400, 1999, 120)], &mut headers);
        let of = |name: &str| headers[name].to_str().unwrap().to_owned();
        assert_eq!(of("ratelimit-policy"), "\"minute\";q=60;w=60, \"day\";q=2000;w=86400");
        assert_eq!(of("ratelimit"), "\"minute\";r=59;t=60, \"day\";r=1999;t=120");
        assert_eq!((of("ratelimit-limit"), of("x-ratelimit-remaining")), ("60".into(), "59".into()));
        assert_eq!(of("ratelimit-reset"), "60");
    }

    #[test]
    fn older_headers_describe_limit_with_smallest_remaining_share() {
        let mut headers = HeaderMap::new();
        write(&[state("minute", 60, 60, 30, 1), state("day", 2000, 86_400, 10, 9)], &mut headers);
        assert_eq!(headers["ratelimit-limit"], "2000");
    }
}
