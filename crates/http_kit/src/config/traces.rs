//! Settings of traces. They have the standard OpenTelemetry names
//! (`opentelemetry.io/docs/specs/otel/protocol/exporter`), so that values that are set for other services
//! also work for Carrel.

use std::str::FromStr;

use percent_encoding::percent_decode_str;
use url::Url;

use super::sources::Variables;
use super::values::SecretSetting;

/// Settings of trace export.
#[derive(Clone, Debug)]
pub struct TraceSettings {
    /// `OTEL_EXPORTER_OTLP_ENDPOINT`: address of the collector; spans are sent to `/v1/traces` below it.
    /// Without it no traces are exported.
    pub endpoint: Option<OtlpEndpoint>,
    /// `OTEL_EXPORTER_OTLP_HEADERS`: headers of export requests.
    pub headers: OtlpHeaders,
    /// `OTEL_TRACES_SAMPLER_ARG`: fraction of traces that is exported, from 0 to 1.
    pub sample_ratio: SampleRatio,
    /// `OTEL_SERVICE_NAME`: name of this service at the collector.
    pub service: String,
}

/// Address of a collector: http or https, with or without a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtlpEndpoint(Url);

impl FromStr for OtlpEndpoint {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const RULE: &str = "must be the URL of a collector such as http://127.0.0.1:4318, without a query";
        let mut url = Url::parse(text).map_err(|_| RULE)?;
        let is_plain = matches!(url.scheme(), "http" | "https")
            && url.has_host()
            && url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none();
        if !is_plain {
            return Err(RULE);
        }
        let path = format!("{}/v1/traces", url.path().trim_end_matches('/'));
        url.set_path(&path);
        Ok(Self(url))
    }
}

impl OtlpEndpoint {
    /// Returns the URL to which spans are sent.
    pub fn traces(&self) -> &Url {
        &self.0
    }
}

/// Headers in the standard form: `name=value` separated by commas, with percent-encoded values.
#[derive(Clone, Debug, Default)]
pub struct OtlpHeaders(Vec<(String, SecretSetting)>);

impl OtlpHeaders {
    /// Returns the names and values in plain text, for the exporter only.
    pub fn reveal(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.reveal()))
    }
}

impl FromStr for OtlpHeaders {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const RULE: &str = "must be headers such as authorization=Bearer%20abc,x-team=web";
        let pairs = text.split(',').map(str::trim).filter(|pair| !pair.is_empty());
        let headers = pairs.map(|pair| {
            let (name, value) = pair.split_once('=').ok_or(RULE)?;
            let value = percent_decode_str(value.trim()).decode_utf8().map_err(|_| RULE)?;
            let is_name = !name.trim().is_empty() && name.trim().bytes().all(|byte| byte.is_ascii_graphic());
            if !is_name {
                return Err(RULE);
            }
            Ok((name.trim().to_ascii_lowercase(), value.parse().map_err(|_| RULE)?))
        });
        headers.collect::<Result<_, _>>().map(Self)
    }
}

/// Fraction from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleRatio(f64);

impl SampleRatio {
    pub const ALL: Self = Self(1.0);

    pub fn get(self) -> f64 {
        self.0
    }
}

impl FromStr for SampleRatio {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let sample_ratio = text.parse().ok().filter(|sample_ratio| (0.0..=1.0).contains(sample_ratio));
        sample_ratio.map(Self).ok_or("must be a number from 0 to 1, such as 0.05")
    }
}

pub(super) fn read(variables: &mut Variables) -> TraceSettings {
    TraceSettings {
        endpoint: variables.optional("OTEL_EXPORTER_OTLP_ENDPOINT"),
        headers: variables.value("OTEL_EXPORTER_OTLP_HEADERS", OtlpHeaders::default()),
        sample_ratio: variables.value("OTEL_TRACES_SAMPLER_ARG", SampleRatio::ALL),
        service: variables.text("OTEL_SERVICE_NAME", "carrel"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn otlp_endpoint_appends_the_traces_path() {
        for (text, traces) in [
            ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"),
            ("http://127.0.0.1:4318/", "http://127.0.0.1:4318/v1/traces"),
            ("https://otlp.example.org/in/", "https://otlp.example.org/in/v1/traces"),
        ] {
            assert_eq!(text.parse::<OtlpEndpoint>().unwrap().traces().as_str(), traces);
        }
        for text in ["127.0.0.1:4318", "grpc://a.example", "http://a.example/?x=1", "http://me@a.example/"] {
            assert!(text.parse::<OtlpEndpoint>().is_err(), "{text}");
        }
    }

    #[test]
    fn headers_are_decoded_and_not_printed_by_debug() {
        let headers: OtlpHeaders = "Authorization=Bearer%20hidden, x-team = web".parse().unwrap();
        let pairs: Vec<_> = headers.reveal().collect();
        assert_eq!(pairs, [("authorization", "Bearer hidden"), ("x-team", "web")]);
        assert!(!format!("{headers:?}").contains("hidden"));
        assert!("nothing".parse::<OtlpHeaders>().is_err());
        assert!("=value".parse::<OtlpHeaders>().is_err());
    }

    #[test]
    fn sample_ratio_outside_zero_to_one_is_rejected() {
        assert_eq!("0.25".parse(), Ok(SampleRatio(0.25)));
        for text in ["-0.1", "1.1", "NaN", "x"] {
            assert!(text.parse::<SampleRatio>().is_err(), "{text}");
        }
    }
}
