//! Human-readable text of an error: its message and its causes on one line.

/// Formats an error with its causes. A cause whose text is already included is skipped, because some errors
/// repeat their cause.
pub(super) fn describe(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}
