//! E-mail addresses or names of people at an OpenID provider, by which account owners recognise a connection.

use crate::dialect;

const UP: &[&str] = &["ALTER TABLE oidc_identity ADD COLUMN label text"];

const DOWN: &[&str] = &["ALTER TABLE oidc_identity DROP COLUMN label"];

dialect::migration!(UP, DOWN);
