//! Byte ranges (RFC 9110, section 14). Only single ranges are supported; a request for several ranges gets
//! the complete file.

use std::ops::Range;

/// Part of a file to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RangeSelection {
    /// Complete file.
    Whole,
    /// Bytes in this range.
    Part(Range<u64>),
    /// Range outside the file.
    Unsatisfiable,
}

/// Selects the part of a file of `size` bytes that a `Range` field requests. Malformed fields and other units
/// are ignored.
pub(super) fn select_range(field: Option<&str>, size: u64) -> RangeSelection {
    let Some(spec) = field.and_then(|field| field.trim().strip_prefix("bytes=")) else {
        return RangeSelection::Whole;
    };
    let Some((first, last)) = spec.trim().split_once('-') else { return RangeSelection::Whole };
    let number = |text: &str| {
        (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| text.parse().unwrap_or(u64::MAX))
    };
    let (first, last) = (first.trim(), last.trim());
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first > last => RangeSelection::Whole,
        (Some(first), _) if first >= size && (last.is_empty() || number(last).is_some()) => {
            RangeSelection::Unsatisfiable
        }
        (Some(first), Some(last)) => RangeSelection::Part(first..last.saturating_add(1).min(size)),
        (Some(first), None) if last.is_empty() => RangeSelection::Part(first..size),
        (None, Some(0)) if first.is_empty() => RangeSelection::Unsatisfiable,
        (None, Some(_)) if first.is_empty() && size == 0 => RangeSelection::Unsatisfiable,
        (None, Some(tail)) if first.is_empty() => RangeSelection::Part(size.saturating_sub(tail)..size),
        (Some(_) | None, Some(_) | None) => RangeSelection::Whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_range_is_selected_and_other_fields_yield_the_complete_file() {
        let of = |field| select_range(Some(field), 100);
        assert_eq!(of("bytes=0-0"), RangeSelection::Part(0..1));
        assert_eq!(of("bytes=90-200"), RangeSelection::Part(90..100));
        assert_eq!(of("bytes=50-"), RangeSelection::Part(50..100));
        assert_eq!(of("bytes=-10"), RangeSelection::Part(90..100));
        assert_eq!(of("bytes=-1000"), RangeSelection::Part(0..100));
        assert_eq!(of("bytes=99999999999999999999-"), RangeSelection::Unsatisfiable);
        assert_eq!(of("bytes=100-"), RangeSelection::Unsatisfiable);
        assert_eq!(of("bytes=-0"), RangeSelection::Unsatisfiable);
        for whole in ["bytes=5-4", "bytes=0-1,5-6", "items=0-1", "bytes=x-", "bytes=1-x", "bytes=-", "bytes"]
        {
            assert_eq!(of(whole), RangeSelection::Whole, "{whole}");
        }
        assert_eq!(select_range(Some("bytes=0-"), 0), RangeSelection::Unsatisfiable);
        assert_eq!(select_range(None, 5), RangeSelection::Whole);
    }
}
