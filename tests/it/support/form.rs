//! Multipart forms in the format of browsers.

use reqwest::RequestBuilder;

const BOUNDARY: &str = "----a-boundary-of-tests";

pub(crate) struct Field<'a> {
    pub(crate) name: &'a str,
    /// File name and media type. `None` for a field without a file.
    pub(crate) file: Option<(&'a str, &'a str)>,
    pub(crate) body: &'a [u8],
}

/// Adds the fields to the request as a multipart body.
pub(crate) fn with_form(request: RequestBuilder, fields: &[Field<'_>]) -> RequestBuilder {
    let mut body = Vec::new();
    for field in fields {
        let mut head = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{}\"", field.name);
        if let Some((name, kind)) = field.file {
            head.push_str(&format!("; filename=\"{name}\"\r\nContent-Type: {kind}"));
        }
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(b"\r\n\r\n");
        body.extend_from_slice(field.body);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
    request.header("content-type", format!("multipart/form-data; boundary={BOUNDARY}")).body(body)
}
