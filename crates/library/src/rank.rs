//! Whose word a value of an item is: a value gives way only to a higher word, or to the same one said again.

/// There is no value.
pub const NONE: i16 = 0;
/// Made up from what there was.
pub const FALLBACK: i16 = 1;
/// Found in the text.
pub const EXTRACTED: i16 = 2;
/// Sent with a save.
pub const GIVEN: i16 = 3;
/// Set by the person.
pub const PERSON: i16 = 4;

/// Takes `new` with its rank in place of a value; tells whether that changed it. What is found again takes the place of
/// what was found before.
pub fn take<T: PartialEq>(value: &mut T, rank: &mut i16, new: T, new_rank: i16) -> bool {
    let again = new_rank == *rank && matches!(new_rank, FALLBACK | EXTRACTED | PERSON);
    if new_rank < *rank || (new_rank == *rank && !again) {
        return false;
    }
    let is_changed = *value != new;
    (*value, *rank) = (new, new_rank);
    is_changed
}
