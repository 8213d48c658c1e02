//! Details of received messages: tracking pixels, the link that confirms a subscription, and the request to
//! unsubscribe.

use crate::dialect;

const UP: &[&str] = &[
    "ALTER TABLE inbox_message ADD COLUMN tracking_pixels integer NOT NULL DEFAULT 0",
    "ALTER TABLE inbox_message ADD COLUMN confirmation_url text",
    "ALTER TABLE inbox_message ADD COLUMN unsubscribe_state text",
    "ALTER TABLE inbox_message ADD COLUMN unsubscribe_reason text",
    "ALTER TABLE inbox_message ADD COLUMN unsubscribe_at bigint",
];

const DOWN: &[&str] = &[
    "ALTER TABLE inbox_message DROP COLUMN unsubscribe_at",
    "ALTER TABLE inbox_message DROP COLUMN unsubscribe_reason",
    "ALTER TABLE inbox_message DROP COLUMN unsubscribe_state",
    "ALTER TABLE inbox_message DROP COLUMN confirmation_url",
    "ALTER TABLE inbox_message DROP COLUMN tracking_pixels",
];

dialect::migration!(UP, DOWN);
