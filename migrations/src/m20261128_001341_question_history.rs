//! Earlier questions of the conversation to which a question belongs.

use crate::dialect;

const UP: &[&str] = &["ALTER TABLE model_question ADD COLUMN earlier text NOT NULL DEFAULT '[]'"];

const DOWN: &[&str] = &["ALTER TABLE model_question DROP COLUMN earlier"];

dialect::migration!(UP, DOWN);
