//! Requests for articles that entries link to and that are not available yet. When an article is available,
//! searches for words of the article return its entry.

use crate::dialect;

const UP: &[&str] = &["ALTER TABLE feed_text_request ADD COLUMN asked_at bigint"];

const DOWN: &[&str] = &["ALTER TABLE feed_text_request DROP COLUMN asked_at"];

dialect::migration!(UP, DOWN);
