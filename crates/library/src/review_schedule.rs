//! Schedule of spaced review: determines when a highlight is due again after an answer. Days are counted from
//! 1970-01-01 in the time zone of the account, so that a review is due for the whole day. The frequency of
//! the item halves or doubles the intervals after the first.

use entities::library_highlight;
use entities::library_words::ReviewFrequency;

use kernel::bounds::REVIEWS_PER_DAY;
use kernel::clock::DAY;
use kernel::{Code, Error, Millis, Result};

/// Intervals between reviews in days, by step. A new highlight starts with the first. The last is repeated.
const INTERVALS: [i32; 8] = [1, 3, 7, 16, 35, 80, 180, 365];
/// Last index of the intervals.
pub(crate) const LAST_STEP: i16 = 7;
/// Maximum number of days until an imported highlight is due.
const MAX_DAYS_AHEAD: i32 = 731;

/// Checks a number of highlights per day. Returns the value of its column.
///
/// # Errors
/// `invalid_request`.
pub(crate) fn checked_per_day(number: u32) -> Result<i16> {
    let is_allowed = (1..=REVIEWS_PER_DAY).contains(&number);
    i16::try_from(number).ok().filter(|_| is_allowed).ok_or_else(|| {
        let message = format!("Enter a number from 1 to {REVIEWS_PER_DAY}.");
        Error::new(Code::InvalidRequest, message.clone()).at("highlights_per_day", message)
    })
}

/// Answer of a person to a highlight under review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewAnswer {
    /// Due on the next day. The intervals start from the first.
    Soon,
    /// Due after the next longer interval.
    Later,
    /// Excluded from reviews.
    Never,
}

impl ReviewAnswer {
    pub const ALL: [Self; 3] = [Self::Soon, Self::Later, Self::Never];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Soon => "soon",
            Self::Later => "later",
            Self::Never => "never",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|answer| answer.as_str() == text)
    }
}

/// Review state of a highlight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReviewState {
    /// Day on which the highlight is due. `None` if it is excluded from reviews.
    pub(crate) due_day: Option<i32>,
    /// Index of the interval of the last review.
    pub(crate) step: i16,
}

impl ReviewState {
    /// Returns the state of a new highlight: it is due on the day after its creation. The day is determined in the
    /// westernmost time zone. In other zones, reviews also exclude highlights that were created on the local day.
    pub(crate) fn of_new(created_at: Millis) -> Self {
        let day = utc_day(created_at.saturating_sub(DAY / 2));
        Self { due_day: Some(day.saturating_add(usual_interval(0))), step: 0 }
    }

    pub(crate) fn of(row: &library_highlight::Model) -> Self {
        Self { due_day: row.review_day, step: row.review_step }
    }

    /// Returns an imported state, limited to values that reviews can produce.
    pub(crate) fn of_import(due_day: Option<i32>, step: i16, now: Millis) -> Self {
        let last_day = utc_day(now).saturating_add(MAX_DAYS_AHEAD);
        Self { due_day: due_day.map(|day| day.clamp(0, last_day)), step: step.clamp(0, LAST_STEP) }
    }

    /// Returns the state of a highlight that is due today and starts again with the first interval.
    pub(crate) fn restarted(today: i32) -> Self {
        Self { due_day: Some(today), step: 0 }
    }

    pub(crate) fn is_due(self, today: i32) -> bool {
        self.due_day.is_some_and(|day| day <= today)
    }

    /// Returns the state after an answer on a day.
    pub(crate) fn after(self, answer: ReviewAnswer, today: i32, frequency: ReviewFrequency) -> Self {
        let due_in = |step: i16| Some(today.saturating_add(interval(step, frequency)));
        match answer {
            ReviewAnswer::Soon => Self { due_day: due_in(0), step: 0 },
            ReviewAnswer::Later => {
                let step = next_step(self.step);
                Self { due_day: due_in(step), step }
            }
            ReviewAnswer::Never => Self { due_day: None, ..self },
        }
    }

    /// Returns the next longer interval in days.
    pub(crate) fn next_interval(self, frequency: ReviewFrequency) -> i32 {
        interval(next_step(self.step), frequency)
    }
}

/// Builds the SQL condition that the intervals of a highlight `h` were restarted, by the answer *Soon* or by its
/// inclusion in reviews again: it has the first interval, and is due after the day of a new highlight.
pub(crate) fn restarted_condition() -> String {
    let (first, half) = (usual_interval(0), DAY / 2);
    format!("h.review_step = 0 AND (CAST(h.review_day AS bigint) - {first}) * {DAY} > h.created_at - {half}")
}

fn next_step(step: i16) -> i16 {
    step.saturating_add(1).clamp(0, LAST_STEP)
}

/// Returns the interval of a step in days.
pub(crate) fn interval(step: i16, frequency: ReviewFrequency) -> i32 {
    let usual = usual_interval(step);
    match frequency {
        ReviewFrequency::More => (usual / 2).max(1),
        ReviewFrequency::Less if step > 0 => usual.saturating_mul(2),
        ReviewFrequency::Less | ReviewFrequency::Normal | ReviewFrequency::Never => usual,
    }
}

fn usual_interval(step: i16) -> i32 {
    let index = usize::try_from(step.clamp(0, LAST_STEP)).unwrap_or_default();
    INTERVALS.get(index).copied().unwrap_or(1)
}

fn utc_day(at: Millis) -> i32 {
    i32::try_from(at.div_euclid(DAY)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NORMAL: ReviewFrequency = ReviewFrequency::Normal;

    #[test]
    fn intervals_grow_with_each_review_until_the_last() {
        let mut state = ReviewState::of_new(20_000 * DAY + DAY / 2);
        let mut intervals = vec![state.due_day.unwrap() - 20_000];
        for _ in 0..9 {
            let today = state.due_day.unwrap();
            let expected = state.next_interval(NORMAL);
            state = state.after(ReviewAnswer::Later, today, NORMAL);
            assert_eq!(state.due_day, Some(today + expected));
            intervals.push(expected);
        }
        assert_eq!(intervals, [1, 3, 7, 16, 35, 80, 180, 365, 365, 365]);
        assert_eq!(usize::try_from(LAST_STEP).unwrap() + 1, INTERVALS.len());
    }

    #[test]
    fn soon_answer_restarts_the_intervals_and_never_answer_excludes_the_highlight() {
        let state = ReviewState { due_day: Some(90), step: 4 };
        let soon = state.after(ReviewAnswer::Soon, 100, NORMAL);
        assert_eq!(soon, ReviewState { due_day: Some(101), step: 0 });
        assert_eq!(soon.after(ReviewAnswer::Later, 101, NORMAL).due_day, Some(104));
        let never = state.after(ReviewAnswer::Never, 100, NORMAL);
        assert!(!never.is_due(i32::MAX));
        assert_eq!(ReviewState::restarted(100), ReviewState { due_day: Some(100), step: 0 });
    }

    #[test]
    fn overdue_highlight_is_rescheduled_from_the_day_of_its_review() {
        let state = ReviewState { due_day: Some(0), step: 0 };
        assert!(state.is_due(0) && state.is_due(20_000));
        assert_eq!(state.after(ReviewAnswer::Later, 20_000, NORMAL).due_day, Some(20_003));
        assert!(!ReviewState { due_day: Some(101), step: 0 }.is_due(100));
    }

    #[test]
    fn imported_state_is_limited_to_values_that_reviews_produce() {
        let now = 20_000 * DAY;
        let of = |due_day, step| ReviewState::of_import(due_day, step, now);
        assert_eq!(of(Some(20_365), 7), ReviewState { due_day: Some(20_365), step: 7 });
        assert_eq!(of(Some(i32::MAX), i16::MAX), ReviewState { due_day: Some(20_731), step: 7 });
        assert_eq!(of(Some(i32::MIN), i16::MIN), ReviewState { due_day: Some(0), step: 0 });
        assert_eq!(of(None, 2), ReviewState { due_day: None, step: 2 });
    }

    #[test]
    fn frequency_halves_or_doubles_the_intervals_after_the_first() {
        let of = |frequency| (0..=LAST_STEP).map(|step| interval(step, frequency)).collect::<Vec<i32>>();
        assert_eq!(of(ReviewFrequency::More), [1, 1, 3, 8, 17, 40, 90, 182]);
        assert_eq!(of(ReviewFrequency::Less), [1, 6, 14, 32, 70, 160, 360, 730]);
        assert_eq!(of(ReviewFrequency::Never), of(NORMAL));
        let state = ReviewState { due_day: Some(100), step: 0 };
        assert_eq!(state.after(ReviewAnswer::Later, 100, ReviewFrequency::Less).due_day, Some(106));
        assert_eq!(state.after(ReviewAnswer::Soon, 100, ReviewFrequency::Less).due_day, Some(101));
    }

    #[test]
    fn answers_are_parsed_by_their_names() {
        for answer in ReviewAnswer::ALL {
            assert_eq!(ReviewAnswer::parse(answer.as_str()), Some(answer));
        }
        assert_eq!(ReviewAnswer::parse(""), None);
    }
}
