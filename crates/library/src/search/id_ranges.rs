//! Ranges of row numbers in the search index of PostgreSQL, which is not ordered. The index also contains the
//! names of the ranges to which a row belongs, so that the newest rows with a word are queried range by
//! range. The cost depends on the size of the ranges, not on the number of rows with the word. SQLite reads
//! its index in order and needs no ranges.

/// Names of a row's ranges in the index: the number of the short range, and a negative number for the long
/// range. The expression must equal the definition of the index. Otherwise the index is not used.
pub(super) const NAMES: &str = "ARRAY[s.id / 16384, -1 - s.id / 262144]";
/// Number of rows in a short range.
const SHORT: i64 = 16_384;
/// Number of rows in a long range.
const LONG: i64 = 262_144;
/// Maximum number of ranges that one statement names. If more are needed, all older rows are queried.
const MAX_NAMES: usize = 48;

/// Range of rows from `bottom` up to but not including `top`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IdRange {
    bottom: i64,
    top: i64,
    /// Names of the ranges as an array literal. `None` if the range contains all rows before `top`.
    pub(super) names: Option<String>,
}

impl IdRange {
    /// Returns the first range to query if the number of matches is unknown.
    pub(super) fn newest(top: i64) -> Self {
        Self::below(top, SHORT / 2)
    }

    /// Returns a range of at least `width` row numbers before `top`.
    pub(super) fn below(top: i64, width: i64) -> Self {
        let unit = if width >= LONG { LONG } else { SHORT };
        let bottom = (top.saturating_sub(width).max(0) / unit) * unit;
        if bottom == 0 {
            return Self { bottom, top, names: None };
        }
        let (mut names, mut at) = (Vec::new(), bottom);
        while at < top && names.len() <= MAX_NAMES {
            // A long range may extend beyond `top`. The statement excludes the rows from `top` on.
            let is_long = at % LONG == 0 && (at + LONG <= top || top - at > LONG / 2);
            names.push(if is_long { -1 - at / LONG } else { at / SHORT }.to_string());
            at += if is_long { LONG } else { SHORT };
        }
        if names.len() > MAX_NAMES {
            return Self { bottom: 0, top, names: None };
        }
        Self { bottom, top, names: Some(format!("{{{}}}", names.join(","))) }
    }

    /// Returns the range of all rows before `top`.
    pub(super) fn all(top: i64) -> Self {
        Self { bottom: 0, top, names: None }
    }

    pub(super) fn top(&self) -> i64 {
        self.top
    }

    /// Returns the next range to query if this range returned `returned` rows and `needed` more rows are
    /// needed. `None` if no row is older. If this range returned no row, the words are rare, and all older
    /// rows are queried.
    pub(super) fn next(&self, returned: usize, needed: usize) -> Option<Self> {
        if self.bottom == 0 {
            return None;
        }
        let Some(each) = (self.top - self.bottom).checked_div(i64::try_from(returned).unwrap_or(i64::MAX))
        else {
            return Some(Self::all(self.bottom));
        };
        let width = each.max(1).saturating_mul(i64::try_from(needed).unwrap_or(i64::MAX));
        Some(Self::below(self.bottom, width.saturating_add(width / 4)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_continue_down_to_the_oldest_row() {
        let first = IdRange::newest(1_001_209);
        assert_eq!((first.bottom, first.names.as_deref()), (60 * SHORT, Some("{60,61}")));
        // One of 90 rows matches, so the range has enough rows for 1,820 matches, and a quarter more.
        let second = first.next(180, 1_820).unwrap();
        assert_eq!((second.top, second.bottom), (first.bottom, 46 * SHORT));
        assert_eq!(second.names.as_deref(), Some("{46,47,-4}"));
        let third = IdRange::below(second.bottom, 400_000);
        assert_eq!((third.bottom, third.names.as_deref()), (LONG, Some("{-2,-3}")));
        assert_eq!(third.next(10, 10).unwrap(), IdRange::all(LONG));
        assert_eq!(IdRange::all(LONG).next(10, 10), None);
        assert_eq!(
            first.next(0, 5),
            Some(IdRange::all(first.bottom)),
            "a word without matches in the first range is searched everywhere"
        );
        assert_eq!(IdRange::newest(900), IdRange::all(900), "a small library is one range");
        assert_eq!(IdRange::below(i64::MAX / 2, i64::MAX / 4).names, None, "too many ranges are not named");
    }
}
