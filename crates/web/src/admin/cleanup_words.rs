//! Names of cleanups on the operator pages.

use crate::language::text::Text;

/// Names of cleanups in logs and metrics, with their texts.
const NAMES: [(&str, Text); 33] = [
    ("jobs", Text("cleanup-jobs")),
    ("minutes of jobs", Text("cleanup-job-minutes")),
    ("read jobs", Text("cleanup-read-jobs")),
    ("stored responses", Text("cleanup-responses")),
    ("monitor runs", Text("cleanup-monitor-runs")),
    ("room for texts", Text("cleanup-text-space")),
    ("sessions and daily counts", Text("cleanup-sessions")),
    ("counts of limits", Text("cleanup-limits")),
    ("files let go", Text("cleanup-files")),
    ("deleted items", Text("cleanup-items")),
    ("exports", Text("cleanup-exports")),
    ("imports", Text("cleanup-imports")),
    ("room for pictures", Text("cleanup-picture-space")),
    ("lost pictures", Text("cleanup-lost-pictures")),
    ("lost screenshots", Text("cleanup-lost-screenshots")),
    ("lost files", Text("cleanup-lost-files")),
    ("what apps were allowed", Text("cleanup-grants")),
    ("calls of agents", Text("cleanup-calls")),
    ("apps that nobody uses", Text("cleanup-apps")),
    ("notices", Text("cleanup-notices")),
    ("received mail", Text("cleanup-received")),
    ("received mail without a job", Text("cleanup-received-lost")),
    ("invitations to teams", Text("cleanup-invitations")),
    ("mail", Text("cleanup-mail")),
    ("articles", Text("cleanup-articles")),
    ("monitor contents", Text("cleanup-monitor-contents")),
    ("feeds", Text("cleanup-feeds")),
    ("old unread entries", Text("cleanup-unread")),
    ("events of feeds", Text("cleanup-events")),
    ("changes that were tried", Text("cleanup-changes")),
    ("consumers that ended", Text("cleanup-consumers")),
    ("what libraries deleted", Text("cleanup-libraries")),
    ("credits", Text("cleanup-credits")),
];

/// Returns the name of a cleanup in the language of the page.
pub(super) fn cleanup_words(name: &str) -> String {
    let known = NAMES.iter().find(|(known, _)| *known == name);
    known.map_or_else(|| name.to_owned(), |(_, text)| text.get())
}

#[cfg(test)]
mod tests {
    use application::cleanups::CLEANUPS;

    use super::*;

    #[test]
    fn every_cleanup_has_a_text() {
        let names: Vec<&str> = CLEANUPS.iter().map(|cleanup| cleanup.name).collect();
        let known: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
        assert_eq!(known, names);
    }
}
