//! Classes of declared media types. The class determines which formats a body may have.

use crate::plain;

/// Class of a declared media type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    /// Missing, or a media type that is used for any format.
    Generic,
    /// `text/plain`, which servers send for any text.
    Plain,
    Html,
    /// XML of any vocabulary.
    Xml,
    /// JSON of any vocabulary.
    Json,
    /// Another text format, such as Markdown or CSV.
    Text,
    /// A binary format or an unknown media type.
    Other,
}

impl Label {
    pub(super) const ALL: [Self; 7] =
        [Self::Generic, Self::Plain, Self::Html, Self::Xml, Self::Json, Self::Text, Self::Other];

    /// Class of a media type in lower case, without parameters.
    pub(super) fn of(mime: &str) -> Self {
        match mime {
            ""
            | "*/*"
            | "unknown/unknown"
            | "application/unknown"
            | "application/octet-stream"
            | "binary/octet-stream"
            | "application/octetstream"
            | "application/download"
            | "application/x-download"
            | "application/force-download"
            | "application/binary"
            | "application/x-www-form-urlencoded" => Self::Generic,
            "text/plain" => Self::Plain,
            "text/html" | "application/xhtml+xml" => Self::Html,
            "image/svg+xml" => Self::Other,
            _ if mime.ends_with("/xml") || mime.ends_with("+xml") => Self::Xml,
            _ if mime.ends_with("/json") || mime.ends_with("+json") => Self::Json,
            _ if plain::is_text_type(mime) => Self::Text,
            _ => Self::Other,
        }
    }
}
