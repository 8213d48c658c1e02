//! Received mail: the text of a message without its header, and the fields that an inbox stores.

mod confirmation;

use data_encoding::BASE64;
use serde::{Deserialize, Serialize};

use crate::{
    document::{ExtractionOutcome, Input},
    formats::{self, MailFields, MailFile},
    pipeline,
};

/// Received message after parsing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MailMessage {
    pub fields: MailFields,
    /// Text of the message.
    pub outcome: ExtractionOutcome,
}

/// Reads a message. Never fails: a message that is not valid MIME is read as far as possible.
pub(crate) fn read(bytes: Vec<u8>) -> MailMessage {
    let input = Input { bytes, content_type: Some("message/rfc822".to_owned()), url: None };
    let (mut fields, draft) = formats::read_received(&input);
    let outcome = pipeline::extract_read(&input, |_| draft);
    if let ExtractionOutcome::Document(document) = &outcome {
        fields.confirmation_url = confirmation::link(fields.subject.as_deref(), document);
    }
    MailMessage { fields, outcome }
}

/// File of a message with its bytes, in the form in which a child sends it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailFileContent {
    pub file: MailFile,
    /// Bytes of the file in base64.
    content: String,
}

impl MailFileContent {
    /// Bytes of the file. `None` if the child did not send valid base64.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        BASE64.decode(self.content.as_bytes()).ok()
    }
}

/// Reads a file of a message. `None` if the message has no file with this number.
pub(crate) fn read_file(message: &[u8], number: u32) -> Option<MailFileContent> {
    let (file, bytes) = formats::read_file(message, number)?;
    Some(MailFileContent { file, content: BASE64.encode(&bytes) })
}

#[cfg(test)]
mod tests;
