//! Parameters that apps send in the query, in a form, in a multipart form, or as a JSON object. A parameter
//! may occur any number of times. Unknown parameters are ignored.

use kernel::{Code, Error};
use poem::http::Method;
use poem::{Request, RequestBody};
use serde_json::{Map, Value};

use super::fault::malformed;
use http_kit::http::body::{BodyFault, FORM, JSON, MULTIPART, broken_form, bytes_of, essence, multipart};
use http_kit::http::{json, query};

/// Maximum size of a body in bytes. A thousand ids in the long format take less than a tenth of this size.
const MAX_BYTES: usize = 1024 * 1024;
/// Maximum number of parameters per request.
const MAX_PAIRS: usize = 4_000;

/// Parameters of a request in their original order.
#[derive(Debug, Default)]
pub(super) struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Reads the parameters of the query.
    ///
    /// # Errors
    /// `invalid_request` if there are too many parameters, or if a parameter is not UTF-8 or contains U+0000.
    pub(super) fn of_query(request: &Request) -> Result<Self, Error> {
        Self::of_pairs(pairs(request.uri().query().unwrap_or_default().as_bytes())?)
    }

    /// Reads the parameters of a form in the body. Empty unless the request is a POST.
    ///
    /// # Errors
    /// `invalid_request` if the body is too large, has too many parameters, or is not a form.
    pub(super) async fn of_body(request: &Request, body: &mut RequestBody) -> Result<Self, Error> {
        if request.method() == Method::POST {
            Self::of_form(request, body).await
        } else {
            Ok(Self::default())
        }
    }

    async fn of_form(request: &Request, body: &mut RequestBody) -> Result<Self, Error> {
        let (bytes, _memory_permit) =
            bytes_of(request, body, MAX_BYTES).await.map_err(|fault| body_error(&fault))?;
        match essence(request.content_type().unwrap_or(FORM)).as_str() {
            MULTIPART => {
                let mut form = multipart(request, bytes).await.map_err(|fault| body_error(&fault))?;
                let mut fields = Vec::new();
                while let Some(part) = form.next_field().await.map_err(|_| body_error(&broken_form()))? {
                    let name = part.name().unwrap_or_default().to_owned();
                    let text = part.text().await.map_err(|_| body_error(&broken_form()))?;
                    fields.push((name, text));
                    if fields.len() > MAX_PAIRS {
                        break;
                    }
                }
                Self::of_pairs(fields)
            }
            // Some apps send a form without a content type, or with a wrong one.
            _ => Self::of_pairs(pairs(&bytes)?),
        }
    }

    /// Reads the parameters of a body that is a form or a JSON object. Each member of the object is a
    /// parameter. Empty for a GET request.
    ///
    /// # Errors
    /// `invalid_request` as for [`of_body`](Self::of_body), or if JSON in the body is not an object.
    pub(super) async fn of_object(request: &Request, body: &mut RequestBody) -> Result<Self, Error> {
        match essence(request.content_type().unwrap_or_default()).as_str() {
            _ if request.method() == Method::GET => Ok(Self::default()),
            JSON | "application/vnd.koreader.v1+json" => {
                let (bytes, permit) =
                    bytes_of(request, body, MAX_BYTES).await.map_err(|fault| body_error(&fault))?;
                if bytes.is_empty() {
                    return Ok(Self::default());
                }
                let parsing = json::parse(bytes, permit, |text| {
                    let object: Map<String, Value> = serde_json::from_slice(text)
                        .map_err(|error| BodyFault::Malformed(format!("not a JSON object: {error}")))?;
                    Ok(pairs_of(object))
                });
                let (pairs, _memory_permit) = parsing.await.map_err(|fault| body_error(&fault))?;
                Self::of_pairs(pairs)
            }
            _ => Self::of_form(request, body).await,
        }
    }

    /// Creates parameters from pairs. Too many parameters are an error and are not truncated: after a
    /// success, an app would not send the omitted parameters again. U+0000 is an error because PostgreSQL
    /// cannot store it.
    fn of_pairs(pairs: Vec<(String, String)>) -> Result<Self, Error> {
        if pairs.len() > MAX_PAIRS {
            return Err(malformed(&format!("A request has at most {MAX_PAIRS} parameters.")));
        }
        if pairs.iter().any(|(_, value)| value.contains('\0')) {
            return Err(malformed("A parameter contains the character U+0000."));
        }
        Ok(Self(pairs))
    }

    /// Returns the pairs of names and values in their original order.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Appends the parameters of `more`.
    pub(super) fn merged_with(mut self, more: Self) -> Self {
        self.0.extend(more.0);
        self
    }

    /// Returns the first value of a parameter that is not empty.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(known, value)| known == name && !value.is_empty())
            .map(|(_, value)| value.as_str())
    }

    /// Returns true if the parameter is present, even without a value.
    pub(super) fn has(&self, name: &str) -> bool {
        self.all(name).next().is_some()
    }

    /// Returns all values of a parameter.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> + 'a {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Parses the pairs of a query or form. Stops after one pair more than the maximum.
fn pairs(bytes: &[u8]) -> Result<Vec<(String, String)>, Error> {
    query::decoded_pairs(bytes, MAX_PAIRS + 1)
        .map_err(|_| malformed("A parameter is not percent-encoded UTF-8."))
}

/// Converts the members of a JSON object to pairs. Each element of a list becomes a separate pair. If an
/// element is an object, each of its members becomes a pair, with the name of the list before its own name:
/// `items.guidHash`. Nulls and other nested objects are ignored.
fn pairs_of(object: Map<String, Value>) -> Vec<(String, String)> {
    let mut pairs = Vec::with_capacity(object.len());
    for (name, value) in object {
        match value {
            Value::Array(values) => {
                for value in values {
                    pairs.extend(pairs_of_element(&name, value));
                }
            }
            value => pairs.extend(text_of(value).map(|value| (name, value))),
        }
    }
    pairs
}

/// Converts an element of the list `name` to pairs.
fn pairs_of_element(name: &str, element: Value) -> Vec<(String, String)> {
    match element {
        Value::Object(members) => members
            .into_iter()
            .filter_map(|(member, value)| Some((format!("{name}.{member}"), text_of(value)?)))
            .collect(),
        value => text_of(value).map(|text| (name.to_owned(), text)).into_iter().collect(),
    }
}

/// Returns the text of a JSON value. True becomes `1`, and false becomes `0`. `None` for null, lists, and
/// objects.
fn text_of(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(if flag { "1" } else { "0" }.to_owned()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

pub(super) fn body_error(fault: &BodyFault) -> Error {
    match fault {
        BodyFault::MemoryExhausted => {
            let message = "The service is busy. Try again in a few seconds.";
            Error::new(Code::CapacityExhausted, message).retry_after(5)
        }
        BodyFault::TooLarge(_) => malformed("The body is larger than 1 MiB."),
        BodyFault::ContentType(_)
        | BodyFault::Missing
        | BodyFault::Broken
        | BodyFault::Malformed(_)
        | BodyFault::Field(_) => malformed("The body is incomplete, or neither a form nor a JSON object."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_object_members_are_parameters() {
        let object = serde_json::json!({"url": "https://a.example/", "archive": 1, "starred": false, "title": null,
            "tags": ["x", "y", 3], "ranges": [{"start": "/p"}], "nested": {"a": 1}});
        let Value::Object(object) = object else { panic!("not an object") };
        let parameters = Parameters(pairs_of(object));
        assert_eq!((parameters.get("archive"), parameters.get("starred")), (Some("1"), Some("0")));
        assert_eq!(parameters.all("tags").collect::<Vec<_>>(), ["x", "y", "3"]);
        assert_eq!(parameters.get("ranges.start"), Some("/p"));
        assert!(!parameters.has("title") && !parameters.has("ranges") && !parameters.has("nested"));
    }

    #[test]
    fn parameters_may_repeat_up_to_the_maximum() {
        let of = |text: &str| pairs(text.as_bytes()).and_then(Parameters::of_pairs);
        let parameters = of("i=1&i=2&empty=&s=feed%2F1&i=3").unwrap();
        assert_eq!(parameters.all("i").collect::<Vec<_>>(), ["1", "2", "3"]);
        assert_eq!((parameters.get("s"), parameters.get("empty")), (Some("feed/1"), None));
        assert!(parameters.has("empty") && !parameters.has("other"));
        assert_eq!(of(&"i=1&".repeat(MAX_PAIRS)).unwrap().0.len(), MAX_PAIRS);
        let refused = of(&"i=1&".repeat(MAX_PAIRS + 1)).unwrap_err();
        assert_eq!(refused.message, "A request has at most 4000 parameters.");
        assert!(of("s=a%00b").is_err());
        assert!(of("T=1&quickadd=https%3A%2F%2Fa.example%2Fcaf%e9").is_err());
    }
}
