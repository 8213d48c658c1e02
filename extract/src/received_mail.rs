//! Received mail: the text of a message without its header, and the fields that an inbox stores.

use serde::{Deserialize, Serialize};

use crate::{
    document::{ExtractionOutcome, Input},
    formats::{self, MailFields},
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
    let (fields, draft) = formats::read_received(&input);
    MailMessage { fields, outcome: pipeline::extract_read(&input, |_| draft) }
}

#[cfg(test)]
mod tests;
