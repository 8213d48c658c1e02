//! Byte ranges (RFC 9110, section 14). Only single ranges are supported; a request for several gets the
//! complete file.

use std::ops::Range;

/// Part of a file to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Complete file.
    Whole,
    /// Bytes in this range.
    Part(Range<u64>),
    /// Range outside the file.
    Nowhere,
}

/// Selects the part of a file of `size` bytes that a `Range` field requests. Malformed fields and other units
/// are ignored.
pub(super) fn wanted(field: Option<&str>, size: u64) -> Wanted {
    let Some(spec) = field.and_then(|field| field.trim().strip_prefix("bytes=")) else {
        return Wanted::Whole;
    };
    let Some((first, last)) = spec.trim().split_once('-') else { return Wanted::Whole };
    let number = |text: &str| {
        (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| text.parse().unwrap_or(u64::MAX))
    };
    let (first, last) = (first.trim(), last.trim());
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first > last => Wanted::Whole,
        (Some(first), _) if first >= size && (last.is_empty() || number(last).is_some()) => Wanted::Nowhere,
        (Some(first), Some(last)) => Wanted::Part(first..last.saturating_add(1).min(size)),
        (Some(first), None) if last.is_empty() => Wanted::Part(first..size),
        (None, Some(0)) if first.is_empty() => Wanted::Nowhere,
        (None, Some(_)) if first.is_empty() && size == 0 => Wanted::Nowhere,
        (None, Some(tail)) if first.is_empty() => Wanted::Part(size.saturating_sub(tail)..size),
        (Some(_) | None, Some(_) | None) => Wanted::Whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_range_is_selected_and_others_yield_the_complete_file() {
        let of = |field| wanted(Some(field), 100);
        assert_eq!(of("bytes=0-0"), Wanted::Part(0..1));
        assert_eq!(of("bytes=90-200"), Wanted::Part(90..100));
        assert_eq!(of("bytes=50-"), Wanted::Part(50..100));
        assert_eq!(of("bytes=-10"), Wanted::Part(90..100));
        assert_eq!(of("bytes=-1000"), Wanted::Part(0..100));
        assert_eq!(of("bytes=99999999999999999999-"), Wanted::Nowhere);
        assert_eq!(of("bytes=100-"), Wanted::Nowhere);
        assert_eq!(of("bytes=-0"), Wanted::Nowhere);
        for whole in ["bytes=5-4", "bytes=0-1,5-6", "items=0-1", "bytes=x-", "bytes=1-x", "bytes=-", "bytes"]
        {
            assert_eq!(of(whole), Wanted::Whole, "{whole}");
        }
        assert_eq!(wanted(Some("bytes=0-"), 0), Wanted::Nowhere);
        assert_eq!(wanted(None, 5), Wanted::Whole);
    }
}
