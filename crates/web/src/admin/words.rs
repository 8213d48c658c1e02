//! Names of job kinds and job states on the operator pages.

use jobs::{JobKind, State};

/// Returns the name of a job kind.
pub(super) fn kind_words(kind: JobKind) -> &'static str {
    match kind {
        JobKind::Extraction => "Read a page",
        JobKind::Render => "Render a page",
        JobKind::ReadJob => "Read in the background",
        JobKind::FeedDiscovery => "Discover feeds",
        JobKind::MonitorPreview => "Preview a monitor",
        JobKind::OAuthClient => "Fetch details of an app",
        JobKind::AddressCheck => "Check the address of the service",
        JobKind::Picture => "Fetch a picture",
        JobKind::FeedFollow => "Follow new feeds",
        JobKind::FeedPoll => "Poll feeds",
        JobKind::MonitorRun => "Run a monitor",
        JobKind::MonitorRender => "Run a monitor in a browser",
        JobKind::MonitorRenderPreview => "Preview a monitor in a browser",
        JobKind::LibraryText => "Create library texts",
        JobKind::LibraryPageCopy => "Copy the page of an item",
        JobKind::InboxMessage => "Save received mail",
        JobKind::InboxUnsubscribe => "Unsubscribe from newsletters",
        JobKind::Summary => "Summarize items",
        JobKind::Briefing => "Write briefings",
        JobKind::MeaningSearch => "Search by meaning",
        JobKind::FeedHub => "Subscribe to hubs",
        JobKind::LibraryImport => "Import into a library",
        JobKind::LibraryServer => "Import from a server",
        JobKind::LibraryExport => "Export a library",
        JobKind::LibraryIndex => "Rebuild the search index of a library",
        JobKind::LibraryTag => "Change a tag everywhere",
        JobKind::AccountFiles => "Delete account files",
        JobKind::Mail => "Send mail",
        JobKind::Notice => "Send a notice",
    }
}

/// All states with their names.
pub(super) const STATES: [(State, &str); 5] = [
    (State::Ready, "Waiting"),
    (State::Running, "Running"),
    (State::Complete, "Complete"),
    (State::Failed, "Failed"),
    (State::Dead, "Dead"),
];

/// Returns the name of a state.
pub(super) fn state_word(state: State) -> &'static str {
    match state {
        State::Ready => "Waiting",
        State::Running => "Running",
        State::Complete => "Complete",
        State::Failed => "Failed",
        State::Dead => "Dead",
    }
}

/// Returns the CSS class of the icon before a state.
pub(super) fn state_class(state: State) -> &'static str {
    match state {
        State::Ready => "state soft",
        State::Running | State::Complete => "state good",
        State::Failed => "state warn",
        State::Dead => "state bad",
    }
}

/// Parses the query value of a state. `None` if it is unknown.
pub(super) fn state_of(word: &str) -> Option<State> {
    STATES.into_iter().map(|(state, _)| state).find(|state| state.as_str() == word)
}

/// Formats a duration in its largest suitable unit: `90 s`, `3 min`.
pub(super) fn span_words(ms: i64) -> String {
    let seconds = ms.max(0) / 1000;
    match seconds {
        0..=119 => format!("{seconds} s"),
        120..=7199 => format!("{} min", seconds / 60),
        7200..=172_799 => format!("{} h", seconds / 3600),
        _ => format!("{} days", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_use_a_single_unit() {
        let rendered = [0, 119_000, 120_000, 7_200_000, 172_800_000].map(span_words);
        assert_eq!(rendered, ["0 s", "119 s", "2 min", "2 h", "2 days"]);
    }
}
