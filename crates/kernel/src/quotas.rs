//! Quotas that an operator sets for a single account instead of limits of its plan, and the parser of the
//! values that the operator types.

use crate::tiers::TierLimits;

/// Maximum quota of a counted object or of credits.
pub const MAX_COUNT: u32 = 1_000_000_000;
/// Maximum storage quota in bytes.
pub const MAX_STORAGE_BYTES: u64 = 1 << 50;

/// Units of bytes, largest first.
const UNITS: [(&str, u64); 8] = [
    ("TiB", 1 << 40),
    ("TB", 1_000_000_000_000),
    ("GiB", 1 << 30),
    ("GB", 1_000_000_000),
    ("MiB", 1 << 20),
    ("MB", 1_000_000),
    ("KiB", 1 << 10),
    ("KB", 1_000),
];

/// Quotas of one account. Each quota replaces a limit of the plan; `None` means that the limit of the plan applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AccountQuotas {
    /// Followed feeds.
    pub rss_subscriptions: Option<u32>,
    /// Web monitors, including paused ones.
    pub web_monitors: Option<u32>,
    /// Credits for monitor checks per UTC calendar month.
    pub web_monitor_monthly_credits: Option<u32>,
    /// Text and files of the library, in bytes.
    pub library_storage_bytes: Option<u64>,
}

impl AccountQuotas {
    /// True if there are no quotas, so that all limits are those of the plan.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns a version tag of the quotas. A form sends the tag of the quotas that it displayed.
    pub fn revision(&self) -> String {
        let quotas = [
            self.rss_subscriptions.map(u64::from),
            self.web_monitors.map(u64::from),
            self.web_monitor_monthly_credits.map(u64::from),
            self.library_storage_bytes,
        ];
        quotas.map(|quota| quota.map_or_else(|| "plan".to_owned(), |quota| quota.to_string())).join(".")
    }

    /// Returns the limits of `plan`, replaced by these quotas where they are set.
    #[must_use]
    pub fn applied_to(&self, plan: &TierLimits) -> TierLimits {
        TierLimits {
            rss_subscriptions: self.rss_subscriptions.unwrap_or(plan.rss_subscriptions),
            web_monitors: self.web_monitors.unwrap_or(plan.web_monitors),
            web_monitor_monthly_credits: self
                .web_monitor_monthly_credits
                .unwrap_or(plan.web_monitor_monthly_credits),
            library_storage_bytes: self.library_storage_bytes.unwrap_or(plan.library_storage_bytes),
            ..*plan
        }
    }
}

/// Parses the quota of a counted object.
///
/// # Errors
/// Returns a sentence for a person if the text is not a whole number up to [`MAX_COUNT`].
pub fn parse_count(text: &str) -> Result<u32, &'static str> {
    let count = text.trim().parse::<u32>().ok().filter(|count| *count <= MAX_COUNT);
    count.ok_or("Enter a whole number up to a billion.")
}

/// Parses a storage quota: a number of bytes, or a whole number with a unit, such as `5 GB` or `512 MiB`.
///
/// # Errors
/// Returns a sentence for a person if the text is something else or exceeds [`MAX_STORAGE_BYTES`].
pub fn parse_storage(text: &str) -> Result<u64, &'static str> {
    let text = text.trim();
    let digits = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = unit.trim();
    let bytes = UNITS.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit)).map(|(_, bytes)| *bytes);
    let bytes = if unit.is_empty() || unit.eq_ignore_ascii_case("B") { Some(1) } else { bytes };
    let parsed = number.parse::<u64>().ok().zip(bytes).and_then(|(number, bytes)| number.checked_mul(bytes));
    parsed
        .filter(|bytes| *bytes <= MAX_STORAGE_BYTES)
        .ok_or("Enter a size such as 5 GB, 512 MiB, or a number of bytes, up to 1024 TiB.")
}

/// Formats a number of bytes exactly, in the largest unit of which it is a multiple. [`parse_storage`] parses the
/// result.
pub fn storage_text(bytes: u64) -> String {
    let unit = UNITS.iter().find(|(_, unit)| bytes > 0 && bytes.is_multiple_of(*unit));
    unit.map_or_else(|| format!("{bytes} B"), |(name, unit)| format!("{} {name}", bytes / unit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiers::{Tier, Tiers};

    #[test]
    fn quota_replaces_only_its_own_limit() {
        let tiers = Tiers::default();
        let plan = tiers.of(Tier::Free);
        assert_eq!(AccountQuotas::default().applied_to(plan), *plan);
        let quotas = AccountQuotas { web_monitors: Some(0), ..AccountQuotas::default() };
        assert_eq!(quotas.applied_to(plan), TierLimits { web_monitors: 0, ..*plan });
        assert!(AccountQuotas::default().is_empty() && !quotas.is_empty());
    }

    #[test]
    fn revision_differs_between_quotas() {
        let of = |monitors, storage| {
            AccountQuotas {
                web_monitors: monitors,
                library_storage_bytes: storage,
                ..AccountQuotas::default()
            }
            .revision()
        };
        assert_eq!(of(None, None), "plan.plan.plan.plan");
        assert_eq!(of(Some(0), Some(5_000_000_000)), "plan.0.plan.5000000000");
        assert_ne!(of(Some(0), None), of(None, Some(0)));
    }

    #[test]
    fn storage_is_parsed_with_and_without_units() {
        for (text, bytes) in [
            ("0", 0),
            ("1500", 1_500),
            ("5GB", 5_000_000_000),
            (" 512 mib ", 536_870_912),
            ("1 TiB", 1 << 40),
            ("1024 TiB", MAX_STORAGE_BYTES),
            ("7 B", 7),
        ] {
            assert_eq!(parse_storage(text), Ok(bytes), "{text}");
        }
        for text in ["", "GB", "-1", "1.5 GB", "5 XB", "1025 TiB", "99999999999999999999", "9999999999 TB"] {
            assert!(parse_storage(text).is_err(), "{text}");
        }
    }

    #[test]
    fn storage_text_is_exact_and_round_trips() {
        for (bytes, text) in [
            (0, "0 B"),
            (1_023, "1023 B"),
            (262_144_000, "250 MiB"),
            (5_000_000_000, "5 GB"),
            (10_737_418_240, "10 GiB"),
            (107_374_182_400, "100 GiB"),
        ] {
            assert_eq!(storage_text(bytes), text);
            assert_eq!(parse_storage(text), Ok(bytes));
        }
    }

    #[test]
    fn count_is_a_whole_number_up_to_a_billion() {
        assert_eq!(parse_count(" 20 "), Ok(20));
        assert_eq!(parse_count("1000000000"), Ok(MAX_COUNT));
        for text in ["", "-1", "1.5", "many", "1000000001"] {
            assert!(parse_count(text).is_err(), "{text}");
        }
    }
}
