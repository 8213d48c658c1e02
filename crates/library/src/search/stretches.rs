//! The index of PostgreSQL has no order of its own. So it also holds of each row in which stretch of numbers it stands,
//! and the newest rows with a word are asked for stretch by stretch: that costs what the stretches hold, however many
//! rows have the word. SQLite walks down its index by itself.

/// What the index holds of a row: the short stretch that it stands in, and the long one, below zero. It is written as in
/// the index, or the index is not used.
pub(super) const NAMES: &str = "ARRAY[s.id / 16384, -1 - s.id / 262144]";
/// Numbers of a short stretch.
const SHORT: i64 = 16_384;
/// Numbers of a long one.
const LONG: i64 = 262_144;
/// Stretches that one statement names; what needs more asks for everything that is older.
const MOST: usize = 48;

/// A part of the rows: from `bottom` on, and before `top`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    bottom: i64,
    top: i64,
    /// As an array; none where it is everything before `top`.
    pub(super) names: Option<String>,
}

impl Stretch {
    /// The first to ask for where nothing is known of how many rows match.
    pub(super) fn newest(top: i64) -> Self {
        Self::below(top, SHORT / 2)
    }

    /// One of at least `width` numbers before `top`.
    pub(super) fn below(top: i64, width: i64) -> Self {
        let unit = if width >= LONG { LONG } else { SHORT };
        let bottom = (top.saturating_sub(width).max(0) / unit) * unit;
        if bottom == 0 {
            return Self { bottom, top, names: None };
        }
        let (mut names, mut at) = (Vec::new(), bottom);
        while at < top && names.len() <= MOST {
            // A long one may reach beyond the top: what stands there is left out by its number.
            let is_long = at % LONG == 0 && (at + LONG <= top || top - at > LONG / 2);
            names.push(if is_long { -1 - at / LONG } else { at / SHORT }.to_string());
            at += if is_long { LONG } else { SHORT };
        }
        if names.len() > MOST {
            return Self { bottom: 0, top, names: None };
        }
        Self { bottom, top, names: Some(format!("{{{}}}", names.join(","))) }
    }

    /// Everything before `top`.
    pub(super) fn all(top: i64) -> Self {
        Self { bottom: 0, top, names: None }
    }

    /// The number before which its rows stand.
    pub(super) fn top(&self) -> i64 {
        self.top
    }

    /// What to ask for next, when this one gave `found` and `wanted` more are wanted; none where nothing is older. Where
    /// it gave nothing, the words are rare, and all that is older is asked for at once.
    pub(super) fn next(&self, found: usize, wanted: usize) -> Option<Self> {
        if self.bottom == 0 {
            return None;
        }
        let Some(each) = (self.top - self.bottom).checked_div(i64::try_from(found).unwrap_or(i64::MAX))
        else {
            return Some(Self::all(self.bottom));
        };
        let width = each.max(1).saturating_mul(i64::try_from(wanted).unwrap_or(i64::MAX));
        Some(Self::below(self.bottom, width.saturating_add(width / 4)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_follow_each_other_down_to_the_oldest_row() {
        let first = Stretch::newest(1_001_209);
        assert_eq!((first.bottom, first.names.as_deref()), (60 * SHORT, Some("{60,61}")));
        // One row in 90: so many numbers that 1,820 of them match, and some more.
        let second = first.next(180, 1_820).unwrap();
        assert_eq!((second.top, second.bottom), (first.bottom, 46 * SHORT));
        assert_eq!(second.names.as_deref(), Some("{46,47,-4}"));
        let third = Stretch::below(second.bottom, 400_000);
        assert_eq!((third.bottom, third.names.as_deref()), (LONG, Some("{-2,-3}")));
        assert_eq!(third.next(10, 10).unwrap(), Stretch::all(LONG));
        assert_eq!(Stretch::all(LONG).next(10, 10), None);
        assert_eq!(first.next(0, 5), Some(Stretch::all(first.bottom)), "a rare word");
        assert_eq!(Stretch::newest(900), Stretch::all(900), "a small library");
        assert_eq!(Stretch::below(i64::MAX / 2, i64::MAX / 4).names, None, "more than a statement names");
    }
}
