//! Index by which expired invitations to teams are deleted.

use crate::dialect;

const UP: &[&str] = &["CREATE INDEX IF NOT EXISTS team_invitation_expiry ON team_invitation (expires_at)"];

const DOWN: &[&str] = &["DROP INDEX IF EXISTS team_invitation_expiry"];

dialect::migration!(UP, DOWN);
