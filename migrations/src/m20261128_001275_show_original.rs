//! Setting of a subscription: whether its entries open the publisher's page from lists.

use crate::online::{self, Part};

const UP: &[Part] = &[Part::Column("rss_subscription", "show_original", "boolean NOT NULL DEFAULT FALSE")];

const DOWN: &[Part] = &[Part::NoColumn("rss_subscription", "show_original")];

online::online!(UP, DOWN);
