//! Quotas that operators set for single accounts instead of the limits of their plans.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Column("account", "quota_subscriptions", "bigint"),
    Part::Column("account", "quota_monitors", "bigint"),
    Part::Column("account", "quota_monthly_credits", "bigint"),
    Part::Column("account", "quota_storage_bytes", "bigint"),
    Part::Column("account", "quotas_set_at", "bigint"),
    Part::Column("account", "quotas_set_by", "text"),
];

const DOWN: &[Part] = &[
    Part::NoColumn("account", "quotas_set_by"),
    Part::NoColumn("account", "quotas_set_at"),
    Part::NoColumn("account", "quota_storage_bytes"),
    Part::NoColumn("account", "quota_monthly_credits"),
    Part::NoColumn("account", "quota_monitors"),
    Part::NoColumn("account", "quota_subscriptions"),
];

online::online!(UP, DOWN);
