//! Names of job states, limits, and durations on the operator pages.

use jobs::{JobState, KindLimits};
use kernel::clock::SECOND;

use crate::language::formats;
use crate::language::text::Text;

/// Lists the limits of a kind: `at most 2 at once, at most 60 starts a minute`.
pub(super) fn limit_words(limits: &KindLimits) -> String {
    let parts = [
        (limits.most_running.map(i64::from), Text("admin-limit-running")),
        (limits.starts_a_minute.map(i64::from), Text("admin-limit-starts")),
        (limits.max_run_ms.map(|ms| ms / SECOND), Text("admin-limit-seconds")),
    ];
    let words = parts.into_iter().filter_map(|(number, text)| Some(text.with("count", number?).get()));
    formats::list(&words.collect::<Vec<_>>())
}

/// All states with their names.
pub(super) const STATES: [(JobState, Text); 5] = [
    (JobState::Ready, Text("state-ready")),
    (JobState::Running, Text("state-running")),
    (JobState::Complete, Text("state-complete")),
    (JobState::Failed, Text("state-failed")),
    (JobState::Dead, Text("state-dead")),
];

/// Returns the name of a state.
pub(super) fn state_word(state: JobState) -> Text {
    match state {
        JobState::Ready => Text("state-ready"),
        JobState::Running => Text("state-running"),
        JobState::Complete => Text("state-complete"),
        JobState::Failed => Text("state-failed"),
        JobState::Dead => Text("state-dead"),
    }
}

/// Returns the CSS class of the icon before a state.
pub(super) fn state_class(state: JobState) -> &'static str {
    match state {
        JobState::Ready => "state soft",
        JobState::Running | JobState::Complete => "state good",
        JobState::Failed => "state warn",
        JobState::Dead => "state bad",
    }
}

/// Parses the query value of a state. `None` if it is unknown.
pub(super) fn state_of(word: &str) -> Option<JobState> {
    STATES.into_iter().map(|(state, _)| state).find(|state| state.as_str() == word)
}

/// Formats a duration in its largest suitable unit: `90 s`, `3 min`, `2 d`. The symbols are the same in all languages.
pub(super) fn span_words(ms: i64) -> String {
    let seconds = ms.max(0) / 1000;
    match seconds {
        0..=119 => format!("{seconds} s"),
        120..=7199 => format!("{} min", seconds / 60),
        7200..=172_799 => format!("{} h", seconds / 3600),
        _ => format!("{} d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use jobs::JobKind;

    use super::*;

    #[test]
    fn limits_are_listed_as_in_logs() {
        let limits = KindLimits {
            kind: JobKind::Mail,
            max_run_ms: Some(30_000),
            most_running: Some(2),
            starts_a_minute: Some(60),
            set_at: 0,
            set_by: String::new(),
        };
        assert_eq!(limit_words(&limits), limits.to_string());
    }

    #[test]
    fn durations_use_a_single_unit() {
        let rendered = [0, 119_000, 120_000, 7_200_000, 172_800_000].map(span_words);
        assert_eq!(rendered, ["0 s", "119 s", "2 min", "2 h", "2 d"]);
    }
}
