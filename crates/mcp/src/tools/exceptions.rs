//! The operations that are no tool, and why.

/// Why an operation is no tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exception {
    /// Only the signed-in person may call it, or its answer is a secret that belongs into no conversation.
    PersonOnly,
    /// The tool of this other operation does the same.
    SameAs(&'static str),
}

/// All of them.
const EXCEPTIONS: &[(&str, Exception)] = &[
    ("createApiKey", Exception::PersonOnly),
    ("revokeApiKey", Exception::PersonOnly),
    // The bytes come in the arguments either way; the form can say what the file is called.
    ("uploadItemFile", Exception::SameAs("uploadItemFileForm")),
];

/// Why an operation is no tool; none when it is one.
pub fn exception_of(operation_id: &str) -> Option<Exception> {
    EXCEPTIONS.iter().find(|(id, _)| *id == operation_id).map(|(_, exception)| *exception)
}

/// What the tool of an operation is called: its id in small letters with underscores.
pub(super) fn tool_name(operation_id: &str) -> String {
    let id = if operation_id == "uploadItemFileForm" { "uploadItemFile" } else { operation_id };
    let mut name = String::with_capacity(id.len() + 4);
    for letter in id.chars() {
        if letter.is_ascii_uppercase() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}
