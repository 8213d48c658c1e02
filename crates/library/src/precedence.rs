//! Precedence of the sources of an item's values. A value is replaced only by a value from a source of the
//! same or a higher precedence.

pub(crate) const NONE: i16 = 0;
/// Derived from other values.
pub(crate) const FALLBACK: i16 = 1;
pub(crate) const EXTRACTED: i16 = 2;
/// Sent with a save.
pub(crate) const GIVEN: i16 = 3;
/// Set by a person.
pub(crate) const PERSON: i16 = 4;

/// Replaces a value and its rank if the precedence allows it. A value that was sent with a save is not
/// replaced by a subsequent save. Returns true if the value changed.
pub(crate) fn replace<T: PartialEq>(value: &mut T, rank: &mut i16, new: T, new_rank: i16) -> bool {
    let is_repeatable = new_rank == *rank && matches!(new_rank, FALLBACK | EXTRACTED | PERSON);
    if new_rank < *rank || (new_rank == *rank && !is_repeatable) {
        return false;
    }
    let is_changed = *value != new;
    (*value, *rank) = (new, new_rank);
    is_changed
}
