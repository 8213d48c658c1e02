//! A read as a caller requests it, from a query string with its header forms, or from a JSON body.

use domain::Code;
use domain::ReadJobId;
use domain::reader::{Lines, Selector};

use super::negotiate::Format;
use super::parameters::{MAX_QUERY, present};
use crate::http::fields::{Fault, Fields};
use crate::problem::Problem;

/// How old a copy may be when the caller does not say, in seconds.
pub(super) const DEFAULT_MAX_AGE: u32 = 3600;

/// One read as it was requested.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadRequest {
    /// The URL as it was sent.
    pub url: String,
    /// Words to find.
    pub query: Option<String>,
    /// The most passages for a query.
    pub passages: Option<u32>,
    /// A range of blocks.
    pub lines: Option<Lines>,
    /// Blocks a page.
    pub limit: Option<u32>,
    /// Where the page before ended.
    pub cursor: Option<String>,
    /// The form that is named.
    pub format: Option<Format>,
    /// The most tokens.
    pub max_tokens: Option<u32>,
    /// How old a copy may be, in seconds.
    pub max_age: Option<u32>,
    /// The job whose text is read.
    pub job_id: Option<ReadJobId>,
}

impl ReadRequest {
    /// The part of the text that is wanted, without the cursor.
    pub fn selector(&self) -> Selector {
        Selector {
            query: self.query.clone(),
            passages: self.passages,
            lines: self.lines,
            limit: self.limit,
            bookmark: None,
            max_tokens: self.max_tokens,
        }
    }

    /// The same read as a URL of the operation at `operation_url`, in a canonical order of parameters.
    pub fn api_url(&self, operation_url: &str, format: Format, cursor: Option<&str>) -> String {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.append_pair("url", &self.url);
        let mut add = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                query.append_pair(name, &value);
            }
        };
        add("query", self.query.clone());
        add("passages", self.passages.map(|n| n.to_string()));
        // A cursor keeps the end of the range; the two cannot be sent together.
        let lines = self.lines.filter(|_| cursor.is_none());
        add("lines", lines.map(|lines| format!("{}-{}", lines.first, lines.last)));
        add("limit", self.limit.map(|n| n.to_string()));
        add("cursor", cursor.map(str::to_owned));
        add("max_tokens", self.max_tokens.map(|n| n.to_string()));
        add("job_id", self.job_id.map(|id| id.to_string()));
        add("format", Some(format.as_str().to_owned()));
        format!("{operation_url}?{}", query.finish())
    }

    /// Takes a JSON body of the single read apart.
    ///
    /// # Errors
    /// `missing_url` or `invalid_parameter`.
    pub fn of_body(value: &serde_json::Value) -> Result<Self, Problem> {
        let mut fields =
            Fields::of(value, "").map_err(|fault| Problem::new(Code::InvalidJson, format!("{fault}.")))?;
        let request = Self {
            url: required_url(&mut fields)?,
            query: query(&mut fields)?,
            passages: number(&mut fields, "passages", 1, 20)?,
            lines: lines(&mut fields)?,
            format: format(&mut fields)?,
            max_tokens: number(&mut fields, "max_tokens", 100, 25_000)?,
            max_age: number(&mut fields, "max_age", 0, 86_400)?,
            ..Self::default()
        };
        fields.finish().map_err(wrong)?;
        Ok(request)
    }

    /// Takes an item of a batch apart.
    pub fn of_item(value: &serde_json::Value, pointer: String) -> Result<Self, Problem> {
        let mut fields = Fields::of(value, pointer).map_err(wrong)?;
        let request = Self {
            url: required_url(&mut fields)?,
            query: query(&mut fields)?,
            format: format(&mut fields)?,
            ..Self::default()
        };
        fields.finish().map_err(wrong)?;
        Ok(request)
    }

    /// Takes the body of a new job apart.
    pub fn of_job(value: &serde_json::Value) -> Result<Self, Problem> {
        let mut fields =
            Fields::of(value, "").map_err(|fault| Problem::new(Code::InvalidJson, format!("{fault}.")))?;
        let request = Self {
            url: required_url(&mut fields)?,
            query: query(&mut fields)?,
            format: format(&mut fields)?,
            max_age: number(&mut fields, "max_age", 0, 86_400)?,
            ..Self::default()
        };
        fields.finish().map_err(wrong)?;
        Ok(request)
    }
}

/// A fault of a field as a problem.
#[expect(clippy::needless_pass_by_value, reason = "made for map_err")]
pub(super) fn wrong(fault: Fault) -> Problem {
    Problem::new(Code::InvalidParameter, format!("{fault}."))
}

/// The required field `url`; what is wrong with it has words of its own.
pub(super) fn required_url(fields: &mut Fields<'_>) -> Result<String, Problem> {
    match fields.value("url") {
        None => Err(Problem::new(Code::MissingUrl, format!("`{}` is missing.", fields.pointer("url")))),
        Some(serde_json::Value::String(url)) if url.is_empty() => {
            Err(Problem::new(Code::MissingUrl, format!("`{}` is empty.", fields.pointer("url"))))
        }
        Some(serde_json::Value::String(url)) => Ok(url.clone()),
        Some(_) => {
            Err(Problem::new(Code::InvalidUrl, format!("`{}` must be a string.", fields.pointer("url"))))
        }
    }
}

fn query(fields: &mut Fields<'_>) -> Result<Option<String>, Problem> {
    Ok(present(fields.text("query", 0, MAX_QUERY).map_err(wrong)?.map(str::to_owned)))
}

fn number(
    fields: &mut Fields<'_>,
    name: &'static str,
    least: i64,
    most: i64,
) -> Result<Option<u32>, Problem> {
    let number = fields.integer(name, least, most).map_err(wrong)?;
    Ok(number.and_then(|number| u32::try_from(number).ok()))
}

fn lines(fields: &mut Fields<'_>) -> Result<Option<Lines>, Problem> {
    let text = match fields.value("lines") {
        None => return Ok(None),
        Some(serde_json::Value::Number(number)) => number.to_string(),
        Some(serde_json::Value::String(text)) => text.clone(),
        Some(_) => return Err(wrong(fields.fault("lines", "must be a string"))),
    };
    text.parse().map(Some).map_err(|reason: String| wrong(fields.fault("lines", reason)))
}

fn format(fields: &mut Fields<'_>) -> Result<Option<Format>, Problem> {
    let Some(word) = fields.text("format", 1, 20).map_err(wrong)? else { return Ok(None) };
    word.parse().map(Some).map_err(|reason: &str| wrong(fields.fault("format", reason)))
}
