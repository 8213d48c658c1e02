//! Names of job states and durations on the operator pages.

use jobs::State;

use crate::language::text::Text;

/// All states with their names.
pub(super) const STATES: [(State, Text); 5] = [
    (State::Ready, Text("state-ready")),
    (State::Running, Text("state-running")),
    (State::Complete, Text("state-complete")),
    (State::Failed, Text("state-failed")),
    (State::Dead, Text("state-dead")),
];

/// Returns the name of a state.
pub(super) fn state_word(state: State) -> Text {
    match state {
        State::Ready => Text("state-ready"),
        State::Running => Text("state-running"),
        State::Complete => Text("state-complete"),
        State::Failed => Text("state-failed"),
        State::Dead => Text("state-dead"),
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
    use super::*;

    #[test]
    fn durations_use_a_single_unit() {
        let rendered = [0, 119_000, 120_000, 7_200_000, 172_800_000].map(span_words);
        assert_eq!(rendered, ["0 s", "119 s", "2 min", "2 h", "2 d"]);
    }
}
