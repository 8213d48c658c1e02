//! Kinds and states of jobs in the words of these pages.

use jobs::{JobKind, State};

/// What a kind does.
pub(super) fn kind_words(kind: JobKind) -> &'static str {
    match kind {
        JobKind::Extraction => "Read a page",
        JobKind::ReadJob => "Read in the background",
        JobKind::FeedDiscovery => "Look for feeds",
        JobKind::MonitorPreview => "Preview a monitor",
        JobKind::OAuthClient => "Read about an app",
        JobKind::Picture => "Fetch a picture",
        JobKind::FeedFollow => "Follow new feeds",
        JobKind::FeedPoll => "Poll feeds",
        JobKind::MonitorRun => "Run a monitor",
        JobKind::LibraryText => "Make texts of libraries",
        JobKind::FeedHub => "Subscribe at hubs",
        JobKind::LibraryImport => "Import into a library",
        JobKind::LibraryExport => "Export a library",
        JobKind::LibraryTag => "Change a tag everywhere",
        JobKind::AccountFiles => "Delete files of accounts",
        JobKind::Mail => "Send mail",
        JobKind::Notice => "Send a notice",
    }
}

/// Every state, with its word.
pub(super) const STATES: [(State, &str); 5] = [
    (State::Ready, "Waiting"),
    (State::Running, "Running"),
    (State::Complete, "Complete"),
    (State::Failed, "Failed"),
    (State::Dead, "Dead"),
];

/// A state in a word.
pub(super) fn state_word(state: State) -> &'static str {
    match state {
        State::Ready => "Waiting",
        State::Running => "Running",
        State::Complete => "Complete",
        State::Failed => "Failed",
        State::Dead => "Dead",
    }
}

/// How the mark before a state looks.
pub(super) fn state_class(state: State) -> &'static str {
    match state {
        State::Ready => "state soft",
        State::Running | State::Complete => "state good",
        State::Failed => "state warn",
        State::Dead => "state bad",
    }
}

/// The state with this word of the query.
pub(super) fn state_of(word: &str) -> Option<State> {
    STATES.into_iter().map(|(state, _)| state).find(|state| state.as_str() == word)
}

/// A distance in time as people say it.
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
    fn spans_are_told_in_one_unit() {
        let told = [0, 119_000, 120_000, 7_200_000, 172_800_000].map(span_words);
        assert_eq!(told, ["0 s", "119 s", "2 min", "2 h", "2 days"]);
    }
}
