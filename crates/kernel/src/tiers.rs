//! The plans and their limits: one table, which an operator may override with a TOML file.
//!
//! ```toml
//! [free]
//! operations_per_minute = 120
//! ```
//! Limits that the file omits have their built-in values. All faults of the file are reported as one error.

use serde::{Deserialize, Serialize};

/// A plan. Plans differ only in their limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Plan of a new account.
    #[default]
    Free,
    /// The middle plan.
    Premium,
    /// The largest plan.
    Pro,
}

impl Tier {
    /// Every plan, smallest first.
    pub const ALL: [Self; 3] = [Self::Free, Self::Premium, Self::Pro];

    /// Name in the API, in the database, and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Premium => "premium",
            Self::Pro => "pro",
        }
    }

    /// Parses a plan's name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tier| tier.as_str() == name)
    }
}

impl std::fmt::Display for Tier {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl std::str::FromStr for Tier {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Self::parse(word)
            .ok_or_else(|| format!("`{word}` is not a tier; the tiers are free, premium and pro"))
    }
}

/// One limit of all plans, for documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitRow {
    /// Name in the file.
    pub name: &'static str,
    /// Description of one or more sentences.
    pub about: &'static str,
    /// Values of the plans, in the order of [`Tier::ALL`].
    pub values: [u64; 3],
}

/// Columns of the table: field, type, minimum, values of free, premium, and pro.
macro_rules! limits {
    ($($(#[doc = $about:literal])+ $field:ident: $kind:ty, $least:literal, [$free:literal, $premium:literal, $pro:literal];)+) => {
        /// The limits of one plan. 0 means that the plan does not include the feature.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct TierLimits { $($(#[doc = $about])+ pub $field: $kind,)+ }

        impl Default for Tiers {
            fn default() -> Self {
                Self {
                    free: TierLimits { $($field: $free),+ },
                    premium: TierLimits { $($field: $premium),+ },
                    pro: TierLimits { $($field: $pro),+ },
                }
            }
        }

        impl Tiers {
            /// Returns every limit with its description and its values.
            pub fn rows(&self) -> Vec<LimitRow> {
                vec![$(LimitRow {
                    name: stringify!($field),
                    about: concat!($($about),+).trim(),
                    values: [
                        u64::from(self.free.$field),
                        u64::from(self.premium.$field),
                        u64::from(self.pro.$field),
                    ],
                }),+]
            }
        }

        impl TierLimits {
            /// Names of all limits, as in the file.
            const NAMES: &[&str] = &[$(stringify!($field)),+];

            fn set(&mut self, name: &str, value: i64) -> Result<(), String> {
                match name {
                    $(stringify!($field) => {
                        let fits = <$kind>::try_from(value).ok().filter(|_| value >= $least);
                        self.$field = fits.ok_or_else(|| {
                            format!("{value} is not a whole number from {} to {}", $least, <$kind>::MAX)
                        })?;
                        Ok(())
                    })+
                    _ => Err(format!("there is no such limit; the limits are {}", Self::NAMES.join(", "))),
                }
            }
        }
    };
}

limits! {
    /// API keys that are neither revoked nor expired.
    active_api_keys: u32, 0, [2, 10, 50];
    /// Followed feeds.
    rss_subscriptions: u32, 0, [50, 500, 2500];
    /// Collections of feeds, without the built-in collection for unsorted feeds.
    rss_collections: u32, 0, [5, 50, 250];
    /// Shortest interval between two polls of a feed, in minutes.
    rss_minimum_interval_minutes: u32, 1, [60, 15, 5];
    /// Consumers of feed queries.
    feed_consumers: u32, 0, [5, 25, 100];
    /// Notification channels.
    notification_channels: u32, 0, [3, 20, 100];
    /// Notices by mail per UTC day; further notices are added to the daily digest.
    mails_per_day: u32, 0, [20, 200, 1000];
    /// Addresses at which mail is received.
    inbox_addresses: u32, 0, [3, 25, 100];
    /// Received messages per UTC day; further messages are refused.
    inbox_messages_per_day: u32, 0, [200, 2000, 20_000];
    /// Requests to the language model per UTC day, for summaries, briefings, and searches by meaning. As many again index
    /// the library for the search by meaning.
    model_requests_per_day: u32, 0, [20, 200, 2000];
    /// Passages of the library, of up to 2,000 characters each, that the search by meaning compares.
    indexed_passages: u32, 0, [5000, 25_000, 100_000];
    /// Web monitors, including paused ones.
    web_monitors: u32, 0, [3, 25, 150];
    /// Shortest interval between two checks of a monitor, in minutes.
    web_monitor_minimum_interval_minutes: u32, 1, [1440, 60, 15];
    /// Credits for monitor checks per UTC calendar month.
    web_monitor_monthly_credits: u32, 0, [100, 3000, 30_000];
    /// Text and files of the library, in bytes.
    library_storage_bytes: u64, 0, [262_144_000, 10_737_418_240, 107_374_182_400];
    /// Maximum size of a single file, in bytes.
    file_bytes: u64, 0, [26_214_400, 104_857_600, 262_144_000];
    /// Operations in 60 seconds.
    operations_per_minute: u32, 0, [60, 300, 1200];
    /// Operations in a UTC day.
    operations_per_day: u32, 0, [2000, 20_000, 150_000];
    /// Fresh extractions in 60 seconds.
    fresh_extractions_per_minute: u32, 0, [10, 30, 120];
    /// Fresh extractions in a UTC day.
    fresh_extractions_per_day: u32, 0, [100, 1500, 10_000];
}

/// The limits of every plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tiers {
    free: TierLimits,
    premium: TierLimits,
    pro: TierLimits,
}

impl Tiers {
    pub const fn of(&self, tier: Tier) -> &TierLimits {
        match tier {
            Tier::Free => &self.free,
            Tier::Premium => &self.premium,
            Tier::Pro => &self.pro,
        }
    }

    /// Parses an operator's file over the built-in table.
    ///
    /// # Errors
    /// Every fault of the file, each as `tier.limit: fault`.
    pub fn parse(text: &str) -> Result<Self, Vec<String>> {
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| vec![error.to_string()])?;
        let mut tiers = Self::default();
        let mut faults = Vec::new();
        for (name, section) in &table {
            let Some(tier) = Tier::parse(name) else {
                faults.push(format!("{name}: there is no such tier; the tiers are free, premium and pro"));
                continue;
            };
            let Some(section) = section.as_table() else {
                faults.push(format!("{name}: put the limits of a tier under [{name}]"));
                continue;
            };
            for (limit, value) in section {
                let set = match value.as_integer() {
                    Some(value) => tiers.of_mut(tier).set(limit, value),
                    None => Err("must be a whole number".to_owned()),
                };
                faults.extend(set.err().map(|fault| format!("{name}.{limit}: {fault}")));
            }
        }
        if faults.is_empty() { Ok(tiers) } else { Err(faults) }
    }

    const fn of_mut(&mut self, tier: Tier) -> &mut TierLimits {
        match tier {
            Tier::Free => &mut self.free,
            Tier::Premium => &mut self.premium,
            Tier::Pro => &mut self.pro,
        }
    }
}
