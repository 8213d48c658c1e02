//! Selects the entries of a document that are returned with their texts.
//!
//! For the first document of a feed, the newest entries are returned with their texts, and the other entries
//! with their marks only. In subsequent documents, an unknown entry is new regardless of its position. If
//! there are too many new entries, the oldest new entries are returned first, and the others when the
//! document is parsed again.

use super::{EntryState, FeedInput};

/// Treatment of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryTreatment {
    Entry,
    /// Returned with its marks only.
    Marks,
    /// New or changed, and postponed to the next parse of the document.
    Postponed,
    /// Repeated in the document, or unchanged and beyond the limit.
    Omitted,
}

/// Selects entries by their states (`None` for an entry that is repeated) and their order, the newest first.
pub(super) fn select(
    order: &[usize],
    states: &[Option<EntryState>],
    input: &FeedInput,
) -> Vec<EntryTreatment> {
    let limit = input.limits.entries;
    let mut selected = vec![EntryTreatment::Omitted; states.len()];
    let (mut listed, mut changed) = (0, 0);
    for &at in order {
        let Some(state) = states[at] else { continue };
        let is_listed = listed < limit;
        listed += 1;
        selected[at] = match state {
            EntryState::New if is_listed => EntryTreatment::Entry,
            EntryState::Same { id } | EntryState::Changed { id } if id < 0 => EntryTreatment::Marks,
            EntryState::New | EntryState::Remarked { .. } => EntryTreatment::Marks,
            EntryState::Same { .. } if is_listed => EntryTreatment::Entry,
            EntryState::Same { .. } => EntryTreatment::Omitted,
            EntryState::Changed { .. } => {
                changed += 1;
                if changed <= limit { EntryTreatment::Entry } else { EntryTreatment::Postponed }
            }
        };
    }
    if input.was_read {
        let new = order.iter().rev().copied().filter(|&at| states[at] == Some(EntryState::New));
        for (count, at) in new.enumerate() {
            selected[at] = if count < limit { EntryTreatment::Entry } else { EntryTreatment::Postponed };
        }
    }
    selected
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed::FeedLimits;

    const NEW: Option<EntryState> = Some(EntryState::New);
    const STORED: Option<EntryState> = Some(EntryState::Same { id: 1 });
    const CHANGED: Option<EntryState> = Some(EntryState::Changed { id: 1 });
    const DROPPED: Option<EntryState> = Some(EntryState::Same { id: -1 });

    fn of(was_read: bool, states: &[Option<EntryState>]) -> Vec<EntryTreatment> {
        let limits = FeedLimits { entries: 2, ..FeedLimits::default() };
        let order: Vec<usize> = (0..states.len()).collect();
        select(&order, states, &FeedInput { was_read, limits, ..FeedInput::default() })
    }

    #[test]
    fn first_document_yields_its_newest_entries() {
        use EntryTreatment::{Entry, Marks, Omitted};
        assert_eq!(of(false, &[NEW, None, NEW, NEW]), [Entry, Omitted, Entry, Marks]);
    }

    #[test]
    fn unknown_entry_in_a_subsequent_document_is_new() {
        use EntryTreatment::{Entry, Marks, Omitted, Postponed};
        assert_eq!(of(true, &[STORED, STORED, STORED, NEW]), [Entry, Entry, Omitted, Entry]);
        assert_eq!(of(true, &[NEW, NEW, NEW]), [Postponed, Entry, Entry], "the oldest come first");
        assert_eq!(of(true, &[DROPPED, DROPPED, DROPPED, NEW]), [Marks, Marks, Marks, Entry]);
        assert_eq!(of(true, &[CHANGED, CHANGED, CHANGED]), [Entry, Entry, Postponed]);
    }
}
