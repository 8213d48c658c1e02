//! Files in arguments and results. Arguments contain files as base64 up to a size limit. Results contain text
//! files as text, and other files as a link, because models cannot read base64.

use data_encoding::{BASE64, BASE64_NOPAD};
use kernel::Code;
use poem::http::header;
use poem::{Body, Request, RequestBuilder, Response};
use serde_json::{Map, Value, json};

use super::operation::ToolOperation;
use super::result;
use super::size::{self, MAX_TOKENS};
use crate::session::{AgentRequest, Refusal, unreadable_response};
use api::error::ApiError;
use http_kit::http::fault::Fault;

/// Size limit of a file in arguments, in bytes.
const MAX_BYTES: usize = 8 * 1024 * 1024;
/// Size above which a text file is never returned as text: it would exceed the token limit.
const MAX_TEXT_BYTES: u64 = MAX_TOKENS as u64 * 16;

/// Multipart form with the arguments as fields, followed by the file.
///
/// # Errors
/// If an argument is invalid.
pub(super) fn form(
    request: RequestBuilder,
    mut arguments: Map<String, Value>,
    address: &str,
) -> Result<Request, Refusal> {
    let bytes = bytes_of(&mut arguments, address)?;
    let mut take = |name: &str| match arguments.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(Fault::new("must be a string").under(name)),
    };
    let (file_name, media_type) = (take("fileName")?, take("mimeType")?);
    let boundary = boundary_of(&bytes);
    let mut body = Vec::with_capacity(bytes.len() + 1024);
    for (name, value) in &arguments {
        let text = match value {
            Value::Null => continue,
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let part = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"{}\"\r\n\r\n{text}\r\n",
            quoted(name)
        );
        body.extend_from_slice(part.as_bytes());
    }
    let name = file_name.map(|name| format!("; filename=\"{}\"", quoted(&name))).unwrap_or_default();
    let kind = media_type.map(|kind| format!("Content-Type: {}\r\n", quoted(&kind))).unwrap_or_default();
    let head = format!("--{boundary}\r\nContent-Disposition: form-data; name=\"file\"{name}\r\n{kind}\r\n");
    body.extend_from_slice(head.as_bytes());
    body.extend_from_slice(&bytes);
    body.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
    Ok(request
        .content_type(&format!("multipart/form-data; boundary={boundary}"))
        .header(header::CONTENT_LENGTH, body.len())
        .body(Body::from_vec(body)))
}

fn bytes_of(arguments: &mut Map<String, Value>, address: &str) -> Result<Vec<u8>, Refusal> {
    let mut sent =
        ["contentBase64", "text"].map(|name| arguments.remove(name).filter(|value| !value.is_null()));
    let wrong = |reason: &str, name: &str| Refusal::from(Fault::new(reason).under(name));
    let bytes = match [sent[0].take(), sent[1].take()] {
        [Some(Value::String(text)), None] => decoded(&text, address)?,
        [None, Some(Value::String(text))] => text.into_bytes(),
        [Some(_), None] => return Err(wrong("must be base64", "contentBase64")),
        [None, Some(_)] => return Err(wrong("must be a string", "text")),
        [None, None] | [Some(_), Some(_)] => {
            return Err(wrong("exactly one of contentBase64 and text is required", "contentBase64"));
        }
    };
    if bytes.len() > MAX_BYTES { Err(too_large(address)) } else { Ok(bytes) }
}

fn decoded(text: &str, address: &str) -> Result<Vec<u8>, Refusal> {
    if text.len() / 4 * 3 > MAX_BYTES + 1024 {
        return Err(too_large(address));
    }
    let bare: String = text.split_ascii_whitespace().collect();
    let bytes = if bare.len().is_multiple_of(4) {
        BASE64.decode(bare.as_bytes())
    } else {
        BASE64_NOPAD.decode(bare.as_bytes())
    };
    bytes.map_err(|_| Fault::new("must be base64").under("contentBase64").into())
}

fn too_large(address: &str) -> Refusal {
    let message = format!(
        "Files in arguments are limited to {MAX_BYTES} bytes. Upload the file with {address} instead."
    );
    ApiError::new(Code::PayloadTooLarge, message).into()
}

/// Boundary that does not occur in the file.
fn boundary_of(bytes: &[u8]) -> String {
    let mut number = 0_u64;
    loop {
        let boundary = format!("carrel-{number:020}");
        let needle = boundary.as_bytes();
        if !bytes.windows(needle.len()).any(|window| window == needle) {
            return boundary;
        }
        number += 1;
    }
}

/// Escapes a value for a header of a form part.
fn quoted(text: &str) -> String {
    text.chars()
        .map(|letter| if letter == '"' || letter == '\\' || letter.is_control() { '_' } else { letter })
        .collect()
}

/// Result of an operation that returns a file.
///
/// # Errors
/// If the file could not be read completely.
pub(super) async fn file_result(
    session: &AgentRequest,
    operation: &ToolOperation,
    path: &str,
    response: Response,
) -> Result<Value, Refusal> {
    let field = |name: header::HeaderName| response.header(name).unwrap_or_default().to_owned();
    let media_type = field(header::CONTENT_TYPE);
    let size: u64 = field(header::CONTENT_LENGTH).parse().unwrap_or_default();
    let file = json!({
        "uri": uri_of(session, operation, path),
        "name": name_of(&field(header::CONTENT_DISPOSITION)),
        "mimeType": media_type,
        "size": size,
    });
    if is_text(&media_type) && size <= MAX_TEXT_BYTES {
        let bytes = response.into_body().into_bytes().await.map_err(|error| unreadable_response(&error))?;
        if let Ok(text) = String::from_utf8(bytes.into()) {
            let mut whole = file.clone();
            whole["text"] = text.into();
            if size::tokens(&whole).await <= MAX_TOKENS {
                return Ok(result::done(whole));
            }
        }
    }
    Ok(result::linked(file))
}

/// URI of the file: an MCP resource, or the URL of the operation.
fn uri_of(session: &AgentRequest, operation: &ToolOperation, path: &str) -> String {
    let item = path.strip_prefix("/v1/").and_then(|path| path.strip_suffix("/file"));
    match item.filter(|_| operation.id == "downloadItemFile") {
        Some(item) => format!("svc://{item}/file"),
        None => format!("{}{path}", session.app.settings.origins.base),
    }
}

/// File name in a `Content-Disposition` header.
fn name_of(disposition: &str) -> String {
    let encoded =
        disposition.split("filename*=UTF-8''").nth(1).map(|name| name.split(';').next().unwrap_or(name));
    let plain = disposition.split("filename=\"").nth(1).and_then(|name| name.split('"').next());
    match (encoded, plain) {
        (Some(name), _) => percent_encoding::percent_decode_str(name).decode_utf8_lossy().into_owned(),
        (None, Some(name)) => name.to_owned(),
        (None, None) => "file".to_owned(),
    }
}

fn is_text(media_type: &str) -> bool {
    let kind = media_type.split(';').next().unwrap_or_default().trim();
    kind.starts_with("text/") || kind.ends_with("json") || kind.ends_with("xml")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn form_boundary_does_not_occur_in_the_file() {
        let evil = format!("x\r\n--carrel-{:020}--\r\ny", 0);
        assert_eq!(boundary_of(evil.as_bytes()), format!("carrel-{:020}", 1));
        assert_eq!(quoted("a\"b\r\nX: y"), "a_b__X: y");
    }

    #[test]
    fn file_name_is_read_from_content_disposition() {
        assert_eq!(name_of("attachment; filename=\"a.pdf\"; filename*=UTF-8''%C3%A4.pdf"), "ä.pdf");
        assert_eq!(name_of("attachment; filename=\"a.pdf\""), "a.pdf");
        assert_eq!(name_of("inline"), "file");
    }
}
